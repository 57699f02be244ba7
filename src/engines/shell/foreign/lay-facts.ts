/**
 * Puts facts of a foreign history into a machine.
 *
 * There are two machines of each history, and what a fact leaves open is laid differently in them: what kind of thing a
 * name is, the size, mode and owner of what was only named, the names in folders that were listed without those that
 * begin with a dot. An answer that depends on any of it comes out differently, and so nobody gives it.
 */
import { type Inode, SystemError } from '../kernel/index.js';
import { ROOT_ACTOR } from '../machine/debian-image.js';
import { layFile } from '../machine/lay-files.js';
import type { MachineSpec } from '../machine/machine-spec.js';
import type { PartlyKnownFiles } from './partly-known-files.js';
import type { Details, ShownFact } from './shown-facts.js';

/** Which of the two machines. */
export type Twin = 0 | 1;

/** Larger files are laid smaller. */
const MOST_BYTES = 1_000_000;
const encoder = new TextEncoder();
/** A name that nobody would give; only the second machine has it. */
const HIDDEN = '.not-seen-yet';
const EMPTY = 'not-seen-and-empty';

/** Lays the facts, in their order. A fact that does not fit what is there is left out. */
export function layFacts(
  files: PartlyKnownFiles,
  facts: readonly ShownFact[],
  how: { readonly spec: MachineSpec; readonly twin: Twin; readonly nowMs: number },
): void {
  for (const fact of facts) {
    try {
      layFact(files, fact, how);
    } catch {
      // A fact that cannot be (a name below a file): the run that must show it again will not.
    }
  }
}

function layFact(files: PartlyKnownFiles, fact: ShownFact, how: Parameters<typeof layFacts>[2]): void {
  const { spec, twin, nowMs } = how;
  const { known } = files;
  if (fact.kind === 'program') {
    known.programs.set(fact.name, fact.isThere);
    if (!fact.isThere) removeProgram(files, fact.name);
    return;
  }
  if (fact.kind === 'process') return;
  if (fact.kind === 'cwd') {
    layFolder(files, fact.path, how);
    return;
  }
  const there = inodeAt(files, fact.path, false);
  const isFolder = there?.kind === 'directory';
  switch (fact.kind) {
    case 'folder':
      if (there !== undefined && !isFolder && there.kind !== 'symlink') files.unlink(ROOT_ACTOR, fact.path);
      layFolder(files, fact.path, how);
      break;
    case 'entry':
    case 'file': {
      if (there !== undefined && !(fact.kind === 'file' && isFolder && isPlaceholder(files, there.ino)))
        break;
      if (fact.kind === 'entry' && twin === 1) layFolder(files, fact.path, how);
      else
        layVague(files, fact.path, { ...how, size: fact.kind === 'file' ? fact.details?.size : undefined });
      break;
    }
    case 'link':
      if (there !== undefined) break;
      layParents(files, fact.path, how);
      layFile(files, spec, { path: fact.path, kind: 'symlink', target: fact.target, mtimeMs: nowMs });
      break;
    case 'text': {
      const at = inodeAt(files, fact.path, true);
      if (
        at?.kind === 'file' &&
        known.knowsText(at.ino) &&
        looksAs(at.content?.read(0, at.content.size), fact.text)
      )
        break;
      if (isFolder) files.rmdir(ROOT_ACTOR, fact.path);
      layParents(files, fact.path, how);
      const path = there?.kind === 'symlink' ? files.linkTarget(there) : fact.path;
      const kept =
        at?.kind === 'file'
          ? { mode: at.mode, owner: `${at.uid}:${at.gid}`, mtimeMs: at.mtimeUs / 1000 }
          : unknownDetails(how);
      layFile(files, spec, { path, content: encoder.encode(twinText(fact.text, twin)), ...kept });
      const laid = inodeAt(files, path, true);
      if (laid !== undefined) known.setText(laid.ino, true);
      break;
    }
    case 'missing':
      markMissing(files, fact.path, there !== undefined);
      break;
    case 'details':
      if (there !== undefined) setSize(files, there, fact.details.size);
      if (there !== undefined) setDetails(files, fact.path, fact.details, nowMs);
      break;
    case 'files-listed':
      closeTree(files, fact.path, how);
      break;
    case 'listed': {
      const at = inodeAt(files, fact.path, true);
      if (at?.kind !== 'directory') break;
      if (fact.names !== undefined) keepOnly(files, fact.path, { names: fact.names, level: fact.level });
      if (known.levelOf(at.ino) === 'all') break;
      known.setLevel(at.ino, fact.level);
      const hidden = `${fact.path === '/' ? '' : fact.path}/${HIDDEN}`;
      const has = inodeAt(files, hidden, false) !== undefined;
      if (fact.level === 'visible' && twin === 1 && !has) {
        const mtimeUs = at.mtimeUs;
        layVague(files, hidden, how);
        files.utimes(ROOT_ACTOR, files.get(at.ino), { mtimeUs });
      } else if (fact.level === 'all' && has) files.unlink(ROOT_ACTOR, hidden);
      break;
    }
  }
}

/** What is at a path; undefined where nothing is, on the way there neither. */
function inodeAt(files: PartlyKnownFiles, path: string, follow: boolean): Inode | undefined {
  try {
    return files.walk(ROOT_ACTOR, path, follow).inode;
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}

function layFolder(files: PartlyKnownFiles, path: string, how: Parameters<typeof layFacts>[2]): void {
  const inode = inodeAt(files, path, true);
  const isPlace = inode?.kind === 'file' && !files.known.knowsText(inode.ino);
  if ((inode !== undefined && !isPlace) || path === '/') return;
  // What was only named turns out to be a folder.
  if (isPlace) files.unlink(ROOT_ACTOR, path);
  layParents(files, path, how);
  layFile(files, how.spec, { path, kind: 'directory', ...unknownDetails(how) });
  const made = inodeAt(files, path, true);
  if (made !== undefined) files.known.setLevel(made.ino, 'none');
}

function layParents(files: PartlyKnownFiles, path: string, how: Parameters<typeof layFacts>[2]): void {
  const parent = path.replace(/\/[^/]*$/, '');
  if (parent !== '') layFolder(files, parent, how);
}

/** A file whose text nobody saw. */
function layVague(
  files: PartlyKnownFiles,
  path: string,
  how: Parameters<typeof layFacts>[2] & { readonly size?: number | undefined },
): void {
  layParents(files, path, how);
  const size = Math.min(how.size ?? 100 + 977 * how.twin, MOST_BYTES);
  const content = new Uint8Array(size).fill(how.twin === 0 ? 97 : 98);
  layFile(files, how.spec, { path, content, ...unknownDetails(how) });
  const made = inodeAt(files, path, false);
  if (made !== undefined) files.known.setText(made.ino, false);
}

/** Owner, mode and time where nothing is known: the two machines differ. */
function unknownDetails({
  spec,
  twin,
  nowMs,
}: {
  readonly spec: MachineSpec;
  readonly twin: Twin;
  readonly nowMs: number;
}) {
  const isRoot = spec.user.uid === 0;
  return {
    owner: twin === 0 || isRoot ? `${spec.user.uid}:${spec.user.gid}` : '0:0',
    mtimeMs: nowMs - (twin === 0 ? 3_600_000 : 86_400_000 * 3),
  };
}

function isPlaceholder(files: PartlyKnownFiles, ino: number): boolean {
  return files.known.levelOf(ino) === 'none' && files.entriesOf(files.get(ino)).length === 0;
}

/** Blanks that end where a tab would may be one. */
function twinText(text: string, twin: Twin): string {
  if (twin === 0 || !/ {2}/.test(text)) return text;
  return text
    .split('\n')
    .map((line) =>
      line.replace(/ {2,8}/g, (blanks, at: number) => ((at + blanks.length) % 8 === 0 ? '\t' : blanks)),
    )
    .join('\n');
}

/** Every folder below is known but for empty folders: the second machine has one in each. */
function closeTree(files: PartlyKnownFiles, path: string, how: Parameters<typeof layFacts>[2]): void {
  const folder = inodeAt(files, path, true);
  if (folder?.kind !== 'directory' || files.known.levelOf(folder.ino) === 'all') return;
  const base = path === '/' ? '' : path;
  for (const { name, kind } of files.entriesOf(folder)) {
    if (name === HIDDEN) files.unlink(ROOT_ACTOR, `${base}/${name}`);
    else if (kind === 'directory') closeTree(files, `${base}/${name}`, how);
  }
  files.known.setLevel(folder.ino, 'all');
  if (how.twin === 0) return;
  const { mtimeUs } = folder;
  layFolder(files, `${base}/${EMPTY}`, how);
  const made = inodeAt(files, `${base}/${EMPTY}`, false);
  if (made !== undefined) files.known.setLevel(made.ino, 'all');
  files.utimes(ROOT_ACTOR, files.get(folder.ino), { mtimeUs });
}

/** Removes what a listing does not show any more. */
function keepOnly(
  files: PartlyKnownFiles,
  path: string,
  listed: { readonly names: readonly string[]; readonly level: 'all' | 'visible' },
): void {
  const names = new Set(listed.names);
  for (const { name, kind } of files.entriesOf(files.resolve(ROOT_ACTOR, path))) {
    if (names.has(name) || name === HIDDEN || (listed.level === 'visible' && name.startsWith('.'))) continue;
    const at = `${path === '/' ? '' : path}/${name}`;
    if (kind === 'directory') removeTree(files, at);
    else files.unlink(ROOT_ACTOR, at);
  }
}

function removeTree(files: PartlyKnownFiles, path: string): void {
  for (const { name, kind } of files.entriesOf(files.resolve(ROOT_ACTOR, path))) {
    if (kind === 'directory') removeTree(files, `${path}/${name}`);
    else files.unlink(ROOT_ACTOR, `${path}/${name}`);
  }
  files.rmdir(ROOT_ACTOR, path);
}

/** True where a text looks the same on a screen. */
function looksAs(bytes: Uint8Array | undefined, shown: string): boolean {
  const flat = (text: string): string =>
    text
      .replace(/[ \t]+/g, ' ')
      .replace(/ $/gm, '')
      .trimEnd();
  return flat(new TextDecoder().decode(bytes)) === flat(shown);
}

function markMissing(files: PartlyKnownFiles, path: string, isThere: boolean): void {
  if (isThere) return;
  // The nearest folder that is there lacks the next name.
  const names = path.split('/').slice(1);
  let at = files.get(files.root);
  for (const name of names) {
    const next = files.find(at, name);
    if (next === undefined) {
      files.known.setMissing(at.ino, name);
      return;
    }
    if (next.kind !== 'directory') return;
    at = next;
  }
}

function removeProgram(files: PartlyKnownFiles, name: string): void {
  for (const folder of ['/usr/bin', '/usr/sbin']) {
    const path = `${folder}/${name}`;
    if (inodeAt(files, path, false) !== undefined) files.unlink(ROOT_ACTOR, path);
  }
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function setDetails(files: PartlyKnownFiles, path: string, details: Details, nowMs: number): void {
  const inode = files.resolve(ROOT_ACTOR, path, false);
  const uid = idOf(files, '/etc/passwd', details.owner);
  const gid = idOf(files, '/etc/group', details.group);
  files.chown(ROOT_ACTOR, inode, { uid, gid });
  files.chmod(ROOT_ACTOR, files.get(inode.ino), details.mode);
  const mtimeMs = timeOf(details.time, nowMs);
  if (mtimeMs !== null) files.utimes(ROOT_ACTOR, files.get(inode.ino), { mtimeUs: mtimeMs * 1000 });
}

/** A file of another size than its text has was not shown exactly. */
function setSize(files: PartlyKnownFiles, { ino, kind, content }: Inode, size: number): void {
  if (kind !== 'file' || content?.size === size || size > MOST_BYTES) return;
  files.resize(ino, size);
  files.known.setText(ino, false);
}

/** The number of an account's name; undefined where the machine does not know it. */
function idOf(files: PartlyKnownFiles, table: string, name: string): number | undefined {
  if (/^\d+$/.test(name)) return Number(name);
  const { content } = files.resolve(ROOT_ACTOR, table);
  const text = new TextDecoder().decode(content?.read(0, content.size));
  const id = text
    .split('\n')
    .map((line) => line.split(':'))
    .find(([own]) => own === name)?.[2];
  return id === undefined ? undefined : Number(id);
}

/** Milliseconds of a time as `ls -l` shows it, the last one that is not after now; null for what is none. */
export function timeOf(shown: string, nowMs: number): number | null {
  const [name = '', day = '', rest = ''] = shown.split(/\s+/);
  const month = MONTHS.indexOf(name);
  if (month === -1) return null;
  if (!rest.includes(':')) return Date.UTC(Number(rest), month, Number(day), 12);
  const [hour = '', minute = ''] = rest.split(':');
  const year = new Date(nowMs).getUTCFullYear();
  const at = (one: number) => Date.UTC(one, month, Number(day), Number(hour), Number(minute), 7);
  return at(year) <= nowMs ? at(year) : at(year - 1);
}
