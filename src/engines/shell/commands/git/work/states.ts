/**
 * The three states git compares: a tree, the index, the files on the disk; and which paths a command means.
 */
import { toBytes } from '../../../kernel/index.js';
import { matchGlob } from '../../tools/glob-match.js';
import type { State, StateFile } from '../diff/pairs.js';
import type { Git } from '../git.js';
import { compareBytes } from '../store/files.js';
import type { IndexEntry } from '../store/index-file.js';
import { oidOf } from '../store/objects.js';
import type { Repository } from '../store/repository.js';

/** The files of a commit or tree; none for undefined. */
export function treeState(repo: Repository, oid: string | undefined): Map<string, StateFile> {
  const state = new Map<string, StateFile>();
  const tree = oid === undefined ? undefined : repo.objects.treeOf(oid);
  for (const [path, entry] of repo.objects.flatten(tree)) {
    state.set(path, { mode: entry.mode, oid: entry.oid, read: () => repo.objects.blob(entry.oid) });
  }
  return state;
}

/** A mode of the index as text. */
function modeText(mode: number): string {
  return mode.toString(8);
}

/** What is staged. `add -N` entries are left out, conflicts too. */
export function indexState(repo: Repository): Map<string, StateFile> {
  const state = new Map<string, StateFile>();
  for (const entry of repo.index.all()) {
    if (entry.stage !== 0 || entry.isIntent === true) continue;
    state.set(entry.path, entryFile(repo, entry));
  }
  return state;
}

/** The file that an entry of the index stands for. */
export function entryFile(repo: Repository, entry: IndexEntry): StateFile {
  return { mode: modeText(entry.mode), oid: entry.oid, read: () => repo.objects.blob(entry.oid) };
}

/** The file on the disk at a path of the repository; undefined where there is none that git could hold. */
export function diskFile(repo: Repository, path: string, known?: IndexEntry): StateFile | undefined {
  const full = repo.path(path);
  const inode = repo.files.look(full);
  if (inode === undefined || hasLinkAbove(repo, path)) return undefined;
  if (inode.kind === 'symlink') {
    const bytes = toBytes(repo.files.proc.readlink(full));
    return { mode: '120000', oid: oidOf({ type: 'blob', bytes }), read: () => bytes };
  }
  if (inode.kind === 'directory' && known?.mode === 0o160000)
    return { mode: '160000', oid: known.oid, read: () => new Uint8Array(0) };
  if (inode.kind !== 'file') return undefined;
  const mode = (inode.mode & 0o100) !== 0 ? '100755' : '100644';
  const isFresh =
    known !== undefined &&
    known.stage === 0 &&
    known.ino === inode.ino &&
    known.mtimeUs === inode.mtimeUs &&
    known.sizeBytes === (inode.content?.size ?? 0) &&
    inode.mtimeUs < repo.indexTimeUs;
  if (isFresh) return { mode, oid: known.oid, read: () => repo.files.read(full) };
  const bytes = repo.files.read(full);
  return { mode, oid: oidOf({ type: 'blob', bytes }), read: () => bytes };
}

/** True where a folder above a path is a symbolic link: then git does not see the path. */
function hasLinkAbove(repo: Repository, path: string): boolean {
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1))
    if (repo.files.look(repo.path(path.slice(0, at)))?.kind === 'symlink') return true;
  return false;
}

/** The files on the disk of every path that the index has. */
export function diskState(repo: Repository, paths?: Pathspec): Map<string, StateFile> {
  const state = new Map<string, StateFile>();
  for (const path of repo.index.paths()) {
    if (paths !== undefined && !paths.matches(path)) continue;
    const file = diskFile(repo, path, repo.index.get(path));
    if (file !== undefined) state.set(path, file);
  }
  return state;
}

/** An entry of the index for what is on the disk, its object written. */
export function stagedEntry(repo: Repository, path: string, file: StateFile): IndexEntry {
  const inode = repo.files.look(repo.path(path));
  const oid = file.mode === '160000' ? file.oid : repo.objects.write('blob', file.read());
  return {
    path,
    oid,
    mode: Number.parseInt(file.mode, 8),
    stage: 0,
    sizeBytes: file.mode === '160000' ? 0 : file.read().length,
    mtimeUs: inode?.mtimeUs ?? 0,
    ino: inode?.ino ?? 0,
  };
}

/** What is untracked. A folder without tracked files is one entry that ends in a slash unless all are wanted. */
export interface Untracked {
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
}

/** Looks through the work tree. */
export function findUntracked(git: Git, mode: 'normal' | 'all' = 'normal', pathspec?: Pathspec): Untracked {
  const { work: repo } = git;
  const [untracked, ignored]: [string[], string[]] = [[], []];
  const tracked = new Set(repo.index.paths());
  const folders = new Set<string>();
  for (const path of tracked)
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) folders.add(path.slice(0, at));
  /** What lies in a folder: whether something untracked is in it that is not ignored, and something ignored. */
  const walk = (folder: string, isInside: boolean): { hasNew: boolean; hasIgnored: boolean } => {
    const seen = { hasNew: false, hasIgnored: false };
    for (const { name, kind } of repo.files.list(repo.path(folder).replace(/\/$/, ''))) {
      if (name === '.git') continue;
      const path = folder + name;
      const isFolder = kind === 'directory';
      if (tracked.has(path)) continue;
      if (!isFolder && kind !== 'file' && kind !== 'symlink') continue;
      if (pathspec !== undefined && !(isFolder ? pathspec.mayMatchBelow(path) : pathspec.matches(path)))
        continue;
      const isIgnored = git.ignore.isIgnored(path, isFolder);
      if (isIgnored && !(isFolder && folders.has(path))) {
        if (!isFolder || hasFiles(repo, path)) {
          seen.hasIgnored = true;
          if (!isInside || mode === 'all') ignored.push(isFolder ? `${path}/` : path);
        }
        continue;
      }
      if (!isFolder) {
        seen.hasNew = true;
        if (!isInside || mode === 'all') untracked.push(path);
        continue;
      }
      if (folders.has(path)) {
        walk(`${path}/`, false);
        continue;
      }
      if (repo.files.look(`${repo.path(path)}/.git`) !== undefined) {
        seen.hasNew = true;
        if (!isInside || mode === 'all') untracked.push(`${path}/`);
        continue;
      }
      const collapses = mode === 'normal' && !(pathspec?.reachesBelow(path) ?? false);
      const below = walk(`${path}/`, isInside || collapses);
      if (below.hasNew) seen.hasNew = true;
      if (below.hasIgnored) seen.hasIgnored = true;
      if (!isInside && collapses) {
        if (below.hasNew) untracked.push(`${path}/`);
        else if (below.hasIgnored) ignored.push(`${path}/`);
      }
    }
    return seen;
  };
  walk('', false);
  return { untracked: untracked.sort(compareBytes), ignored: ignored.sort(compareBytes) };
}

function hasFiles(repo: Repository, folder: string): boolean {
  return repo.files
    .list(repo.path(folder))
    .some(({ name, kind }) => kind !== 'directory' || hasFiles(repo, `${folder}/${name}`));
}

/** Paths that a command means: names, folders, patterns, `:/` from the root, `:!` what is left out. */
export class Pathspec {
  private readonly wanted: { path: string; isPattern: boolean; text: string }[] = [];
  private readonly unwanted: { path: string; isPattern: boolean; text: string }[] = [];
  private readonly hit = new Set<string>();

  constructor(git: Git, texts: readonly string[]) {
    for (const text of texts) {
      let path = text;
      let [isRoot, isExcluded, isLiteral] = [false, false, git.global.literal];
      const long = /^:\(([a-z,]*)\)(.*)$/s.exec(path);
      if (long !== null) {
        isRoot = (long[1] ?? '').includes('top');
        isExcluded = (long[1] ?? '').includes('exclude');
        isLiteral = isLiteral || (long[1] ?? '').includes('literal');
        path = long[2] ?? '';
      } else if (/^:[/!^]/.test(path)) {
        isRoot = path[1] === '/';
        isExcluded = !isRoot;
        path = path.slice(2);
      }
      const full = path.startsWith('/')
        ? git.absolute(path)
        : git.absolute(isRoot ? `${git.repo.root}/${path}` : path);
      const { root } = git.repo;
      if (full !== root && !full.startsWith(root === '/' ? '/' : `${root}/`))
        git.die(`${path}: '${path}' is outside repository at '${root}'`);
      const inside = full === root ? '' : full.slice(root === '/' ? 1 : root.length + 1);
      (isExcluded ? this.unwanted : this.wanted).push({
        path: inside,
        isPattern: !isLiteral && /[*?[]/.test(path),
        text,
      });
    }
  }

  get isEmpty(): boolean {
    return this.wanted.length === 0 && this.unwanted.length === 0;
  }

  /** The texts that nothing matched so far. */
  unmatched(): string[] {
    return this.wanted.flatMap(({ text }) => (this.hit.has(text) ? [] : [text]));
  }

  matches(path: string): boolean {
    if (this.unwanted.some((one) => fits(one, path))) return false;
    if (this.wanted.length === 0) return true;
    const found = this.wanted.filter((one) => fits(one, path));
    for (const one of found) this.hit.add(one.text);
    return found.length > 0;
  }

  /** True where something below a folder might match. */
  mayMatchBelow(folder: string): boolean {
    if (this.wanted.length === 0) return true;
    return this.wanted.some((one) => one.isPattern || fits(one, folder) || one.path.startsWith(`${folder}/`));
  }

  /** True where a path below a folder is meant by itself. */
  reachesBelow(folder: string): boolean {
    return this.wanted.some(
      (one) => one.path.startsWith(`${folder}/`) || (one.isPattern && one.path.includes('/')),
    );
  }
}

function fits(
  { path, isPattern }: { readonly path: string; readonly isPattern: boolean },
  name: string,
): boolean {
  if (path === '' || path === name || name.startsWith(`${path}/`)) return true;
  return isPattern && matchGlob(path, name);
}

/** A state with only the paths that a command means. */
export function limited(state: State, paths: Pathspec): State {
  if (paths.isEmpty) return state;
  return new Map([...state].filter(([path]) => paths.matches(path)));
}
