/**
 * From a path to an inode, as Linux walks it: search permission in every folder, symbolic links up to forty, `..` of
 * the folder itself, trailing slashes, lengths of names.
 *
 * Source: path_resolution(7). Not covered: case folding, mounts that hide what is below them.
 */
import { type ErrorCode, SystemError } from './errors.js';
import type { Inode } from './inode.js';

/** Who asks: the ids that permission checks look at. */
export interface Credentials {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

/** What {@link walkPath} needs of a file system. */
export interface WalkedTree {
  readonly root: number;
  get(ino: number): Inode;
  find(directory: Inode, name: string): Inode | undefined;
  linkTarget(link: Inode): string;
}

/** Where a path leads. */
export interface Walked {
  /** The folder that holds the last name. */
  readonly directory: Inode;
  /** The last name; `.` for `/` and for paths that end in `.` or `..`. */
  readonly name: string;
  /** What is there, if anything. */
  readonly inode: Inode | undefined;
  /** The path ended in a slash, so only a folder is meant. */
  readonly wantsDirectory: boolean;
}

/** Permission bits that can be asked for: 4 read, 2 write, 1 execute. */
export type Access = number;

const MAX_LINKS = 40;
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 4095;

/** True where the ids may do what is asked. Root may do all, but execute only what somebody may execute. */
export function mayAccess(inode: Inode, who: Credentials, access: Access): boolean {
  if (who.uid === 0) return (access & 1) === 0 || inode.kind === 'directory' || (inode.mode & 0o111) !== 0;
  let bits = inode.mode & 7;
  if (inode.uid === who.uid) bits = (inode.mode >> 6) & 7;
  else if (inode.gid === who.gid || who.groups.includes(inode.gid)) bits = (inode.mode >> 3) & 7;
  return (bits & access) === access;
}

/** The length of a name in bytes, without making them. */
function nameBytes(name: string): number {
  let bytes = name.length;
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    if (code > 0x7f)
      bytes +=
        code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : code >= 0xdc80 && code <= 0xdcff ? 0 : 1;
  }
  return bytes;
}

/**
 * Walks a path from a folder. The last symbolic link is followed where `follow` is set or the path ends in a slash.
 * Raises `SystemError`s with the path as it was given.
 */
export function walkPath(tree: WalkedTree, path: string, from: WalkStart): Walked {
  const fail = (code: ErrorCode): never => {
    throw new SystemError(code, path);
  };
  if (path === '') fail('ENOENT');
  if (path.length > MAX_PATH_BYTES / 4 && nameBytes(path) > MAX_PATH_BYTES) fail('ENAMETOOLONG');
  let links = 0;
  const walk = (rest: string, startIno: number, follow: boolean): Walked => {
    let directory = tree.get(rest.startsWith('/') ? tree.root : startIno);
    const names = rest.split('/').filter((name) => name !== '');
    const wantsDirectory = rest.endsWith('/');
    if (names.length === 0) return { directory, name: '.', inode: directory, wantsDirectory };
    for (let index = 0; ; index++) {
      const name = names[index] as string;
      const isLast = index === names.length - 1;
      if (directory.kind !== 'directory') fail('ENOTDIR');
      if (!mayAccess(directory, from.who, 1)) fail('EACCES');
      if (name.length > MAX_NAME_BYTES / 4 && nameBytes(name) > MAX_NAME_BYTES) fail('ENAMETOOLONG');
      let inode =
        name === '.' ? directory : name === '..' ? tree.get(directory.parent) : tree.find(directory, name);
      if (inode?.kind === 'symlink' && (!isLast || follow || wantsDirectory)) {
        links += 1;
        if (links > MAX_LINKS) fail('ELOOP');
        const open = inode.computed?.follow?.();
        if (open !== undefined && isLast) return { directory, name, inode: open, wantsDirectory };
        const beyond = walk(tree.linkTarget(inode), directory.ino, true);
        if (isLast) return { ...beyond, wantsDirectory: wantsDirectory || beyond.wantsDirectory };
        inode = beyond.inode;
      }
      if (isLast) {
        const isDots = name === '.' || name === '..';
        return {
          directory: isDots && inode !== undefined ? inode : directory,
          name: isDots ? '.' : name,
          inode,
          wantsDirectory,
        };
      }
      if (inode === undefined) return fail('ENOENT');
      directory = inode;
    }
  };
  const walked = walk(path, from.cwd, from.follow);
  if (
    walked.wantsDirectory &&
    walked.inode !== undefined &&
    walked.inode.kind !== 'directory' &&
    walked.inode.kind !== 'symlink'
  )
    fail('ENOTDIR');
  return walked;
}

/** Where a walk starts and whose permissions count. */
export interface WalkStart {
  readonly cwd: number;
  readonly who: Credentials;
  /** Follow a symbolic link at the end of the path. */
  readonly follow: boolean;
}
