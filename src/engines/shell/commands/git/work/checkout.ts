/**
 * Bringing index and work tree to another tree, and refusing where that would lose what the user has.
 *
 * Source: "Two Tree Merge" of git-read-tree(1).
 */
import { SystemError, toText } from '../../../kernel/index.js';
import type { State, StateFile } from '../diff/pairs.js';
import type { Git } from '../git.js';
import { compareBytes } from '../store/files.js';
import { renderTree } from '../store/objects.js';
import type { Repository } from '../store/repository.js';
import { diskFile, treeState } from './states.js';

/** Writes one file to the disk and its entry into the index. */
export function placeFile(repo: Repository, path: string, file: StateFile): void {
  writeToDisk(repo, path, file);
  enterFile(repo, path, file);
}

/** The index entry of a file that lies on the disk as it is in the object. */
function enterFile(repo: Repository, path: string, file: StateFile): void {
  const inode = repo.files.look(repo.path(path));
  repo.index.set({
    path,
    oid: file.oid,
    mode: Number.parseInt(file.mode, 8),
    stage: 0,
    sizeBytes: inode?.content?.size ?? 0,
    mtimeUs: inode?.mtimeUs ?? 0,
    ino: inode?.ino ?? 0,
  });
}

/** Writes one file to the disk, in the place of what is there. */
export function writeToDisk(repo: Repository, path: string, file: StateFile): void {
  const full = repo.path(path);
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const above = repo.path(path.slice(0, at));
    const inode = repo.files.look(above);
    if (inode !== undefined && inode.kind !== 'directory') repo.files.remove(above);
  }
  const inode = repo.files.look(full);
  if (inode?.kind === 'directory') {
    if (file.mode === '160000') return;
    repo.files.removeTree(full);
  } else if (inode !== undefined) repo.files.remove(full);
  repo.files.makeFolders(full.slice(0, full.lastIndexOf('/')));
  if (file.mode === '160000') repo.files.proc.mkdir(full);
  else if (file.mode === '120000') repo.files.proc.symlink(toText(file.read()), full);
  else repo.files.write(full, file.read(), file.mode === '100755' ? 0o777 : 0o666);
}

/** Removes a file from the disk, and folders that became empty. */
export function removeFromDisk(repo: Repository, path: string): void {
  const full = repo.path(path);
  try {
    const inode = repo.files.look(full);
    if (inode === undefined) return;
    if (inode.kind === 'directory') repo.files.proc.rmdir(full);
    else repo.files.remove(full);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return;
  }
  repo.files.removeEmptyFolders(full.slice(0, full.lastIndexOf('/')), repo.root);
}

/** What stands in the way of a change. */
export interface Obstacles {
  /** Tracked files with changes that would be lost. */
  readonly local: readonly string[];
  /** Untracked files that would be overwritten. */
  readonly untracked: readonly string[];
}

/** What would be lost by bringing a state that is at `from` to `to`. */
export function findObstacles(git: Git, from: State, to: State): Obstacles {
  const { work: repo } = git;
  const [local, untracked]: [string[], string[]] = [[], []];
  for (const path of [...new Set([...from.keys(), ...to.keys()])].sort(compareBytes)) {
    const [old, now] = [from.get(path), to.get(path)];
    if (old !== undefined && now !== undefined && old.oid === now.oid && old.mode === now.mode) continue;
    const entry = repo.index.get(path);
    if (entry === undefined) {
      if (repo.index.has(path)) {
        local.push(path);
        continue;
      }
      if (old !== undefined) {
        // It was removed from the index; putting it back differently would lose that.
        if (now !== undefined) local.push(path);
        continue;
      }
      const there = diskFile(repo, path);
      const folder = repo.files.look(repo.path(path))?.kind === 'directory' && !repo.index.hasBelow(path);
      if (
        now !== undefined &&
        ((there !== undefined && there.oid !== now.oid) || folder) &&
        !git.ignore.isIgnored(path, false)
      )
        untracked.push(path);
      continue;
    }
    const mode = entry.mode.toString(8);
    if (now !== undefined && entry.oid === now.oid && mode === now.mode) continue;
    const isAsBefore = old !== undefined && entry.oid === old.oid && mode === old.mode;
    const onDisk = diskFile(repo, path, entry);
    const isClean = onDisk === undefined || (onDisk.oid === entry.oid && onDisk.mode === mode);
    if (!isAsBefore || !isClean) local.push(path);
  }
  return { local, untracked };
}

/** Tells what stands in the way; true where something does. */
export function tellObstacles(
  git: Git,
  { local, untracked }: Obstacles,
  { by, before }: { readonly by: string; readonly before: string },
): boolean {
  const list = (paths: readonly string[]): string => paths.map((path) => `\t${path}\n`).join('');
  if (local.length > 0)
    git.err(
      `error: Your local changes to the following files would be overwritten by ${by}:\n${list(local)}Please commit your changes or stash them before you ${before}.\n`,
    );
  if (untracked.length > 0)
    git.err(
      `error: The following untracked working tree files would be overwritten by ${by}:\n${list(untracked)}Please move or remove them before you ${before}.\n`,
    );
  return local.length > 0 || untracked.length > 0;
}

/** Brings index and disk from one state to another; paths that are the same in both keep what the user has. */
export function moveTo(repo: Repository, from: State, to: State): void {
  const paths = [...new Set([...from.keys(), ...to.keys()])].sort(compareBytes);
  for (const path of paths) {
    if (to.has(path) || !from.has(path)) continue;
    if (repo.index.has(path)) removeFromDisk(repo, path);
    repo.index.remove(path);
  }
  for (const path of paths) {
    const [old, now] = [from.get(path), to.get(path)];
    if (now === undefined) continue;
    if (old !== undefined && old.oid === now.oid && old.mode === now.mode) continue;
    const entry = repo.index.get(path);
    if (entry !== undefined && entry.oid === now.oid && entry.mode.toString(8) === now.mode) {
      const onDisk = diskFile(repo, path, entry);
      if (onDisk === undefined || onDisk.oid !== now.oid) continue;
    }
    placeFile(repo, path, now);
  }
}

/** Brings index and disk to a tree whatever is there (`reset --hard`). */
export function forceTo(repo: Repository, oid: string | undefined): void {
  const to = treeState(repo, oid);
  for (const path of repo.index.paths()) {
    if (to.has(path)) continue;
    removeFromDisk(repo, path);
    repo.index.remove(path);
  }
  for (const [path, file] of to) {
    const entry = repo.index.get(path);
    const onDisk = diskFile(repo, path, entry);
    if (onDisk !== undefined && onDisk.oid === file.oid && onDisk.mode === file.mode)
      enterFile(repo, path, file);
    else placeFile(repo, path, file);
  }
}

/** Makes the index the same as a tree; the disk stays. */
export function indexTo(repo: Repository, oid: string | undefined): void {
  const to = treeState(repo, oid);
  for (const path of repo.index.paths()) if (!to.has(path)) repo.index.remove(path);
  for (const [path, file] of to) {
    const entry = repo.index.get(path);
    if (entry === undefined || entry.oid !== file.oid || entry.mode.toString(8) !== file.mode)
      repo.index.set({
        path,
        oid: file.oid,
        mode: Number.parseInt(file.mode, 8),
        stage: 0,
        sizeBytes: 0,
        mtimeUs: 0,
        ino: 0,
      });
  }
}

/** Writes the trees of the index and gives the root's name. */
export function writeIndexTree(repo: Repository): string {
  const files = repo.index.all().filter((entry) => entry.stage === 0 && entry.isIntent !== true);
  return writeTree(
    repo,
    files.map((entry) => ({ path: entry.path, mode: entry.mode.toString(8), oid: entry.oid })),
  );
}

/** Writes the trees of files by path and gives the root's name. */
export function writeTree(
  repo: Repository,
  files: readonly { readonly path: string; readonly mode: string; readonly oid: string }[],
): string {
  const here: { mode: string; name: string; oid: string }[] = [];
  const below = new Map<string, { path: string; mode: string; oid: string }[]>();
  for (const file of files) {
    const slash = file.path.indexOf('/');
    if (slash < 0) here.push({ mode: file.mode, name: file.path, oid: file.oid });
    else {
      const folder = file.path.slice(0, slash);
      const list = below.get(folder) ?? [];
      list.push({ ...file, path: file.path.slice(slash + 1) });
      below.set(folder, list);
    }
  }
  for (const [name, list] of below) here.push({ mode: '40000', name, oid: writeTree(repo, list) });
  return repo.objects.write('tree', renderTree(here));
}
