/**
 * `pip install`: collects, downloads, unpacks, in the words of pip 23.0 away from a terminal.
 *
 * A download is written to a folder in /tmp and kept in the cache, and both take room; what a full disk interrupts stays as it
 * is. Speeds are the same for every download, and time passes by them.
 * Source: pip 23.0.1. Not covered: editable and source installs, hashes, constraints, indexes other than the world's.
 */
import { type Running, SystemError, strerror } from '../../kernel/index.js';
import type { PackageIndex, PythonRelease } from '../../kernel/package-index.js';
import type { PipCall } from './pip.js';
import {
  type Installed,
  installedIn,
  layPackage,
  makeFolders,
  type PythonSite,
  removePackage,
  writeZeros,
} from './python-site.js';
import { type Chosen, type Demand, installOrder, type Resolution, releasesOf, resolve } from './resolve.js';
import { accepts, packageKey, parseRequirement, type Requirement } from './versions.js';

const BYTES_PER_SECOND = 12_400_000;
const BAR = '━'.repeat(40);
const SMALL_BYTES = 40_000;

/** What the command line asks for. */
export interface InstallWish {
  readonly wanted: readonly Requirement[];
  readonly upgrades: boolean;
  readonly reinstalls: boolean;
  readonly noDeps: boolean;
  readonly noCache: boolean;
}

/** Installs; the status. */
export function* install(call: PipCall, site: PythonSite, wish: InstallWish): Running<number> {
  const { proc } = call;
  const there = new Map((yield* installedIn(proc, site)).map((one) => [one.key, one]));
  const asked = new Set(wish.wanted.map(({ key }) => key));
  const release = new Map<Chosen, { name: string; release: PythonRelease }>();
  const candidates = (requirement: Requirement): readonly Chosen[] => {
    const has = there.get(requirement.key);
    const old =
      has === undefined
        ? []
        : [{ name: has.name, version: has.version, requires: wish.noDeps ? [] : has.requires }];
    const keeps = !(wish.reinstalls || (wish.upgrades && asked.has(requirement.key)));
    if (keeps && old.some((one) => accepts(requirement, one.version))) return old;
    const fresh = releasesOf(listOf(call.index, requirement.key), requirement).map((one): Chosen => {
      const chosen = {
        name: nameIn(call.index, requirement),
        version: one.version,
        requires: wish.noDeps ? [] : one.requires,
        release: one,
      };
      release.set(chosen, { name: chosen.name, release: one });
      return chosen;
    });
    if (wish.upgrades && fresh[0]?.version === has?.version && !wish.reinstalls) return old;
    return fresh;
  };
  if (call.index.pip === 'offline')
    yield* unreachable(
      call,
      wish.wanted.find(({ key }) => !there.has(key)),
    );
  const found = resolve(wish.wanted, candidates);
  yield* call.flush();
  if (!('chosen' in found)) return yield* fail(call, found, candidates);
  yield* tellDemands(call, { found, there, noCache: wish.noCache });
  const fresh = installOrder(found.chosen).filter((key) => found.chosen.get(key)?.release !== undefined);
  if (fresh.length === 0) return 0;
  call.out(
    `Installing collected packages: ${fresh.map((key) => found.chosen.get(key)?.name ?? key).join(', ')}\n`,
  );
  for (const key of fresh) {
    const one = found.chosen.get(key);
    const before = there.get(key);
    if (before !== undefined && before.folder === site.target) {
      call.out(
        `  Attempting uninstall: ${before.name}\n    Found existing installation: ${before.name} ${before.version}\n    Uninstalling ${before.name}-${before.version}:\n`,
      );
      yield* removePackage(proc, before);
      call.out(`      Successfully uninstalled ${before.name}-${before.version}\n`);
    }
    if (one?.release === undefined) continue;
    yield* call.flush();
    yield* proc.sleep(Math.ceil((one.release.installedBytes / 200_000_000) * 1_000_000) + 80_000);
    yield* layPackage(proc, site.target, { name: one.name, release: one.release });
  }
  yield* broken(call, site);
  const done = [...fresh]
    .sort()
    .map((key) => `${found.chosen.get(key)?.name}-${found.chosen.get(key)?.version}`);
  call.out(`Successfully installed ${done.join(' ')}\n`);
  return 0;
}

/** Versions of a package in the index. */
function listOf({ pip }: PackageIndex, key: string): readonly PythonRelease[] {
  if (pip === 'offline') return [];
  return Object.entries(pip).find(([name]) => packageKey(name) === key)?.[1] ?? [];
}

function nameIn({ pip }: PackageIndex, { key, name }: Requirement): string {
  return (pip === 'offline' ? undefined : Object.keys(pip).find((one) => packageKey(one) === key)) ?? name;
}

/** The lines from "Collecting" on, with the downloads that they take. */
function* tellDemands(
  call: PipCall,
  {
    found,
    there,
    noCache,
  }: {
    found: Extract<Resolution, { chosen: unknown }>;
    there: ReadonlyMap<string, Installed>;
    noCache: boolean;
  },
): Running<void> {
  const told = new Set<string>();
  const temporary = `/tmp/pip-unpack-${[...Array(8)].map(() => 'abcdefghijklmnopqrstuvwxyz0123456789_'[Math.floor(call.proc.random() * 37)]).join('')}`;
  const files: string[] = [];
  try {
    for (const { requirement, by } of found.met) {
      const one = found.chosen.get(requirement.key);
      if (one === undefined) continue;
      if (one.release === undefined) {
        const has = there.get(requirement.key);
        if (has !== undefined) {
          const from = by === null ? '' : ` (from ${chain(found.met, by)})`;
          call.out(
            `Requirement already satisfied: ${requirement.text} in ${shownFolder(call, has.folder)}${from} (${has.version})\n`,
          );
        }
      } else if (!told.has(requirement.key)) {
        told.add(requirement.key);
        call.out(`Collecting ${requirement.text}\n`);
        yield* download(call, { one, release: one.release, temporary, files, noCache });
      }
    }
  } finally {
    for (const path of files) if (call.proc.exists(path)) call.proc.unlink(path);
    if (call.proc.exists(temporary)) call.proc.rmdir(temporary);
  }
}

function* download(
  call: PipCall,
  {
    one,
    release,
    temporary,
    files,
    noCache,
  }: { one: Chosen; release: PythonRelease; temporary: string; files: string[]; noCache: boolean },
): Running<void> {
  const { proc } = call;
  const wheel = `${one.name.replace(/[-.]+/g, '_')}-${one.version}-${release.tags}.whl`;
  const cached = `${call.cache}/http/${hashPath(wheel)}`;
  const isCached = !noCache && proc.exists(cached);
  call.out(`  ${isCached ? 'Using cached' : 'Downloading'} ${wheel} (${size(release.sizeBytes)})\n`);
  yield* call.flush();
  makeFolders(proc, temporary);
  files.push(`${temporary}/${wheel}`);
  yield* writeZeros(proc, `${temporary}/${wheel}`, release.sizeBytes);
  if (isCached) return;
  yield* proc.sleep(Math.ceil((release.sizeBytes / BYTES_PER_SECOND) * 1_000_000) + 30_000);
  if (release.sizeBytes >= SMALL_BYTES) {
    const [amount, unit] = size(release.sizeBytes, 1).split(' ');
    call.out(`     ${BAR} ${amount}/${amount} ${unit} 12.4 MB/s eta 0:00:00\n`);
  }
  if (!noCache) yield* keep(call, cached, release.sizeBytes);
}

/** What the cache cannot take is passed over, and what was written of it stays. */
function* keep({ proc }: PipCall, path: string, sizeBytes: number): Running<void> {
  try {
    yield* writeZeros(proc, `${path}${Math.floor(proc.random() * 2 ** 32).toString(36)}.tmp`, sizeBytes);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return;
  }
  const folder = path.replace(/\/[^/]*$/, '');
  const made = proc.readdir(folder).find(({ name }) => name.endsWith('.tmp'));
  if (made !== undefined) proc.rename(`${folder}/${made.name}`, path);
}

/** Where the cache keeps a file: folders of a name that says nothing. */
function hashPath(name: string): string {
  let value = 0x811c9dc5;
  let text = '';
  for (let round = 0; text.length < 56; round++) {
    for (const letter of `${name}${round}`) value = Math.imul(value ^ letter.charCodeAt(0), 0x01000193);
    text += (value >>> 0).toString(16).padStart(8, '0');
  }
  return [...text.slice(0, 5), text].join('/');
}

/** As pip writes sizes. */
function size(bytes: number, digits = 0): string {
  if (bytes >= 1_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  if (bytes >= 10_000) return `${digits === 0 ? Math.floor(bytes / 1000) : (bytes / 1000).toFixed(1)} kB`;
  return bytes >= 1000 ? `${(bytes / 1000).toFixed(1)} kB` : `${bytes} bytes`;
}

function chain(met: readonly Demand[], by: Chosen): string {
  const own = met.find(({ requirement }) => requirement.key === packageKey(by.name));
  return own?.by ? `${by.name}->${chain(met, own.by)}` : (own?.requirement.text ?? by.name);
}

function shownFolder(call: PipCall, folder: string): string {
  const here = call.proc.getcwd();
  return folder.startsWith(`${here}/`) ? `.${folder.slice(here.length)}` : folder;
}

function* fail(
  call: PipCall,
  found: Resolution,
  candidates: (one: Requirement) => readonly Chosen[],
): Running<number> {
  if ('missing' in found) {
    const { requirement, by } = found.missing;
    const versions = candidates({ ...requirement, specs: [] })
      .map(({ version }) => version)
      .reverse();
    const from = by === null ? '' : ` (from ${by.name})`;
    const known = versions.length === 0 ? 'none' : versions.join(', ');
    call.err(
      `ERROR: Could not find a version that satisfies the requirement ${requirement.text}${from} (from versions: ${known})\n`,
    );
    call.err(`ERROR: No matching distribution found for ${requirement.text}\n`);
    return 1;
  }
  const demands = 'conflict' in found ? found.conflict : [];
  const who = demands.map(({ requirement, by }) =>
    by === null ? requirement.text : `${by.name}==${by.version}`,
  );
  const names = [...new Set(who)].sort();
  const list =
    names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}` : names.join('');
  const causes = demands.map(({ requirement, by }) =>
    by === null
      ? `    The user requested ${requirement.text}\n`
      : `    ${by.name} ${by.version} depends on ${requirement.text}\n`,
  );
  call.err(`ERROR: Cannot install ${list} because these package versions have conflicting dependencies.\n`);
  call.out(
    `\nThe conflict is caused by:\n${causes.join('')}\nTo fix this you could try to:\n1. loosen the range of package versions you've specified\n2. remove package versions to allow pip attempt to solve the dependency conflict\n\n`,
  );
  yield* call.flush();
  call.err(
    'ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/en/latest/topics/dependency-resolution/#dealing-with-dependency-conflicts\n',
  );
  return 1;
}

function* unreachable(call: PipCall, first: Requirement | undefined): Running<void> {
  if (first === undefined) return;
  for (let total = 4; total >= 0; total--) {
    yield* call.proc.sleep(250_000 * 2 ** (4 - total));
    const at = `0x7f${(0x10000000 + Math.floor(call.proc.random() * 0xefffffff)).toString(16)}50`;
    call.err(
      `WARNING: Retrying (Retry(total=${total}, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at ${at}>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/${first.key}/\n`,
    );
  }
}

/** Tells what does not go together any more. */
function* broken(call: PipCall, site: PythonSite): Running<void> {
  const lines = conflictsOf(yield* installedIn(call.proc, site));
  if (lines.length === 0) return;
  yield* call.flush();
  call.err(
    "ERROR: pip's dependency resolver does not currently take into account all the packages that are installed. This behaviour is the source of the following dependency conflicts.\n",
  );
  for (const { one, requirement, has } of lines)
    call.err(
      has === undefined
        ? `${one.key} ${one.version} requires ${requirement.text}, which is not installed.\n`
        : `${one.key} ${one.version} requires ${requirement.text}, but you have ${has.key} ${has.version} which is incompatible.\n`,
    );
}

/** What an installed package needs and does not find. */
export function conflictsOf(
  all: readonly Installed[],
): { one: Installed; requirement: Requirement; has: Installed | undefined }[] {
  return all.flatMap((one) =>
    one.requires.flatMap((text) => {
      const requirement = parseRequirement(text);
      if (requirement === null) return [];
      const has = all.find(({ key }) => key === requirement.key);
      return has !== undefined && accepts(requirement, has.version) ? [] : [{ one, requirement, has }];
    }),
  );
}

/** The words for a system call that failed while installing. */
export function osError(error: SystemError): string {
  const path = error.code === 'ENOSPC' || error.path === undefined ? '' : `: '${error.path}'`;
  const number = { ENOSPC: 28, EACCES: 13, EROFS: 30, ENOENT: 2, ENOTDIR: 20 }[error.code as string] ?? 5;
  const hint =
    error.code === 'EACCES' ? 'Consider using the `--user` option or check the permissions.\n' : '';
  return `ERROR: Could not install packages due to an OSError: [Errno ${number}] ${strerror(error.code)}${path}\n${hint}\n`;
}
