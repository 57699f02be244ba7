/**
 * The Python environment of a process: its folders of packages, what is installed there, how packages are laid and removed.
 *
 * Installed is what has a `NAME-VERSION.dist-info` folder; everything else follows from those files. A package without
 * sources is a folder with an empty `__init__.py` and a library of the right size.
 * Source: PEP 376, PEP 405, Debian 12's layout. Not covered: eggs, editable installs, entry points as programs.
 */

import { type Process, type Running, SystemError } from '../../kernel/index.js';
import type { PythonRelease } from '../../kernel/package-index.js';
import { packageFiles } from './package-files.js';
import { packageKey } from './versions.js';

const VERSION = 'python3.11';
const CHUNK_BYTES = 1 << 20;

/** Where pip works. */
export interface PythonSite {
  /** The virtual environment, or null for the system's. */
  readonly venv: string | null;
  /** Folders of packages, first found wins. */
  readonly folders: readonly string[];
  /** Where new packages go. */
  readonly target: string;
}

/** A package that is there. */
export interface Installed {
  readonly key: string;
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly info: string;
  readonly requires: readonly string[];
  readonly summary: string;
}

/** The environment of an interpreter. */
export function siteOf(proc: Process, executable: string): PythonSite {
  const home = executable.replace(/\/[^/]*$/, '');
  const prefix = home.replace(/\/[^/]*$/, '');
  if (proc.exists(`${prefix}/pyvenv.cfg`)) {
    const own = `${prefix}/lib/${VERSION}/site-packages`;
    return { venv: prefix, folders: [own], target: own };
  }
  const user = `${proc.env.get('HOME') ?? '/root'}/.local/lib/${VERSION}/site-packages`;
  const local = `/usr/local/lib/${VERSION}/dist-packages`;
  const target = proc.uid === 0 ? local : user;
  return { venv: null, folders: [user, local, '/usr/lib/python3/dist-packages'], target };
}

/** All packages of an environment, by name. */
export function* installedIn(proc: Process, site: PythonSite): Running<Installed[]> {
  const found = new Map<string, Installed>();
  for (const folder of site.folders) {
    if (!proc.exists(folder)) continue;
    for (const { name } of proc.readdir(folder)) {
      const match = /^(.+)-([^-]+)\.dist-info$/.exec(name);
      if (match === null) continue;
      const info = `${folder}/${name}`;
      if (!proc.exists(`${info}/METADATA`)) continue;
      const head = (yield* proc.readText(`${info}/METADATA`)).split('\n\n')[0] ?? '';
      const field = (key: string): string[] =>
        head.split('\n').flatMap((line) => (line.startsWith(`${key}: `) ? [line.slice(key.length + 2)] : []));
      const own = field('Name')[0] ?? match[1] ?? '';
      const key = packageKey(own);
      if (found.has(key)) continue;
      found.set(key, {
        key,
        name: own,
        version: field('Version')[0] ?? match[2] ?? '',
        folder,
        info,
        requires: field('Requires-Dist'),
        summary: field('Summary')[0] ?? '',
      });
    }
  }
  return [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Unpacks a package; a disk that runs full leaves what was written. */
export function* layPackage(
  proc: Process,
  folder: string,
  given: { readonly name: string; readonly release: PythonRelease },
): Running<void> {
  for (const { path, text, sizeBytes } of packageFiles(given.name, given.release)) {
    if (sizeBytes === 0) yield* writeFile(proc, `${folder}/${path}`, text);
    else yield* writeZeros(proc, `${folder}/${path}`, sizeBytes);
  }
}

/** The files of a package, absolute. */
export function* filesOf(proc: Process, { folder, info }: Installed): Running<string[]> {
  if (!proc.exists(`${info}/RECORD`)) return [];
  const record = yield* proc.readText(`${info}/RECORD`);
  return record
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${folder}/${line.split(',')[0] ?? ''}`);
}

/** Removes the files of a package and the folders that are empty then. */
export function* removePackage(proc: Process, one: Installed): Running<void> {
  const folders = new Set<string>();
  for (const path of yield* filesOf(proc, one)) {
    if (proc.exists(path)) proc.unlink(path);
    for (
      let up = path.replace(/\/[^/]*$/, '');
      up.length > one.folder.length;
      up = up.replace(/\/[^/]*$/, '')
    )
      folders.add(up);
  }
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    const cache = `${folder}/__pycache__`;
    if (proc.exists(cache)) {
      for (const { name } of proc.readdir(cache)) proc.unlink(`${cache}/${name}`);
      proc.rmdir(cache);
    }
    if (proc.exists(folder) && proc.readdir(folder).length === 0) proc.rmdir(folder);
  }
}

/** A file with a text, in folders that are made. */
export function* writeFile(proc: Process, path: string, text: string): Running<void> {
  const fd = yield* openNew(proc, path);
  try {
    if (text !== '') yield* proc.write(fd, text);
  } finally {
    proc.close(fd);
  }
}

/** A file of zeros; a full disk raises ENOSPC with what fitted written. */
export function* writeZeros(proc: Process, path: string, sizeBytes: number): Running<void> {
  const fd = yield* openNew(proc, path);
  const chunk = new Uint8Array(CHUNK_BYTES);
  try {
    for (let left = sizeBytes; left > 0; left -= CHUNK_BYTES)
      yield* proc.write(fd, left < CHUNK_BYTES ? chunk.subarray(0, left) : chunk);
  } finally {
    proc.close(fd);
  }
}

/** Makes a folder and its parents. */
export function makeFolders(proc: Process, path: string): void {
  if (path === '' || path === '/') return;
  try {
    if (proc.stat(path).kind === 'directory') return;
    throw new SystemError('ENOTDIR', path);
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== 'ENOENT') throw error;
  }
  makeFolders(proc, path.replace(/\/[^/]*$/, ''));
  proc.mkdir(path);
}

function* openNew(proc: Process, path: string): Running<number> {
  makeFolders(proc, path.replace(/\/[^/]*$/, ''));
  return yield* proc.open(path, { write: true, create: true, truncate: true });
}
