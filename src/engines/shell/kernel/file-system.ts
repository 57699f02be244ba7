/**
 * The file system: a tree of inodes with owners, modes, times, links, mounts and space, as POSIX describes it.
 *
 * Every operation takes the {@link Actor} that asks and raises a `SystemError` with the path as it was given. Folders
 * list their entries in order of creation (a real disk's hash order cannot be reproduced). Fork is O(1).
 * Not covered: access control lists, extended attributes, quotas per user.
 */
import type { ChangeFacts, FileVerdict } from './consult.js';
import { Content } from './content.js';
import { type ErrorCode, SystemError } from './errors.js';
import type { Actor, Clock, DirectoryEntry, NewInode } from './file-types.js';
import { type Inode, InodeTable, MAX_INODES } from './inode.js';
import { BLOCK_BYTES, type Mount, wholeBlocks } from './mount.js';
import { mayAccess, type Walked, type WalkedTree, walkPath } from './path-walk.js';

export type { Actor, Clock, DirectoryEntry, NewInode } from './file-types.js';

/** Stored inodes have smaller numbers. */
const FIRST_COMPUTED = 2 ** 32;
/** Bytes of files that one session may hold in memory, whatever its disks' sizes are. */
const MAX_STORED_BYTES = 256 * 1024 * 1024;
const MAX_LINK_COUNT = 65_000;

/** A file system being used. */
export class FileSystem implements WalkedTree {
  readonly root = 2;
  private mountList: readonly Mount[];
  private computed: { readonly root: Inode; readonly get: (ino: number) => Inode | undefined } | null = null;

  constructor(
    readonly table: InodeTable,
    mounts: readonly Mount[],
    private readonly clock: Clock,
    /** Bytes that contents take in memory. */
    public storedBytes = 0,
  ) {
    this.mountList = mounts;
  }

  /** A file system that holds only `/`. */
  static empty(root: Mount, clock: Clock): FileSystem {
    const table = InodeTable.empty();
    const nowUs = clock.nowUs;
    table.add((ino, owner) => ({
      ino,
      kind: 'directory',
      mode: 0o755,
      uid: 0,
      gid: 0,
      nlink: 2,
      atimeUs: nowUs,
      mtimeUs: nowUs,
      ctimeUs: nowUs,
      btimeUs: nowUs,
      dev: root.dev,
      entries: new Map(),
      parent: ino,
      owner,
    }));
    return new FileSystem(table, [root], clock);
  }

  /** An independent file system with the same files, on another clock. O(1). */
  fork(clock: Clock): FileSystem {
    return new FileSystem(this.table.share(), this.mountList, clock, this.storedBytes);
  }

  /** The mounts, in order of mounting. */
  get mounts(): readonly Mount[] {
    return this.mountList;
  }

  /** Replaces the mounts (mounting, unmounting, remounting read only). */
  setMounts(mounts: readonly Mount[]): void {
    this.mountList = mounts;
  }

  /** Puts a computed tree in place of a folder; `get` finds its folders by number. */
  mountComputed(root: Inode, get: (ino: number) => Inode | undefined): void {
    this.computed = { root, get };
  }

  /** The mount of a device number. */
  mountOf(dev: number): Mount {
    const mount = this.mountList.find((one) => one.dev === dev);
    if (mount === undefined) throw new SystemError('ENODEV');
    return mount;
  }

  get(ino: number): Inode {
    const inode =
      ino < FIRST_COMPUTED && ino !== this.computed?.root.ino ? this.table.get(ino) : this.computed?.get(ino);
    if (inode === undefined) throw new SystemError('ENOENT');
    return inode;
  }

  find(directory: Inode, name: string): Inode | undefined {
    if (directory.computed?.find !== undefined) return directory.computed.find(name);
    const ino = directory.entries?.get(name);
    if (ino === undefined) return undefined;
    return ino === this.computed?.root.ino ? this.computed.root : this.table.get(ino);
  }

  linkTarget(link: Inode): string {
    return link.computed?.target?.() ?? link.target ?? '';
  }

  /** Walks a path; `follow` decides about a symbolic link at its end. */
  walk(actor: Actor, path: string, follow: boolean): Walked {
    return walkPath(this, path, { cwd: actor.cwdIno, who: actor, follow });
  }

  /** The inode at a path. Raises `ENOENT` and what a walk raises. */
  resolve(actor: Actor, path: string, follow = true): Inode {
    const walked = this.walk(actor, path, follow);
    return walked.inode ?? fail('ENOENT', path);
  }

  /** The entries of a folder without `.` and `..`, in order of creation. */
  list(actor: Actor, path: string): DirectoryEntry[] {
    const directory = this.resolve(actor, path);
    if (directory.kind !== 'directory') fail('ENOTDIR', path);
    if (!mayAccess(directory, actor, 4)) fail('EACCES', path);
    return this.entriesOf(directory);
  }

  /** The entries of a folder, without a check. */
  entriesOf(directory: Inode): DirectoryEntry[] {
    const names = directory.computed?.names?.() ?? directory.entries?.keys() ?? [];
    const entries: DirectoryEntry[] = [];
    for (const name of names) {
      const inode = this.find(directory, name);
      if (inode !== undefined) entries.push({ name, ino: inode.ino, kind: inode.kind });
    }
    return entries;
  }

  /** The absolute path of a folder. Raises `ENOENT` where it was removed. */
  pathOf(ino: number): string {
    const names: string[] = [];
    let directory = this.get(ino);
    while (directory.ino !== this.root) {
      const parent = this.get(directory.parent);
      const child = directory.ino;
      const name = this.childName(parent, child);
      if (name === undefined || directory.nlink === 0) return fail('ENOENT');
      names.push(name);
      directory = parent;
    }
    return `/${names.reverse().join('/')}`;
  }

  private childName(parent: Inode, child: number): string | undefined {
    if (parent.computed?.names !== undefined || parent.entries === undefined)
      return this.entriesOf(parent).find((entry) => entry.ino === child)?.name;
    for (const [name, ino] of parent.entries) if (ino === child) return name;
    return undefined;
  }

  /** Makes an inode at a path that is free. Raises `EEXIST`, `EACCES`, `EROFS`, `ENOSPC` and what a walk raises. */
  create(actor: Actor, path: string, made: NewInode): Inode {
    const walked = this.walk(actor, path, false);
    if (walked.inode !== undefined) fail('EEXIST', path);
    if (walked.wantsDirectory && made.kind !== 'directory') fail('ENOENT', path);
    return this.createIn(actor, walked, { ...made, path });
  }

  /** The same for a walk that was done before. */
  createIn(actor: Actor, walked: Walked, made: NewInode & { readonly path: string }): Inode {
    const { path } = made;
    this.checkChange(actor, walked.directory, path);
    const directory = this.writable(walked.directory);
    if (this.table.nextIno >= MAX_INODES) fail('ENOSPC', path);
    const taken = made.kind === 'directory' ? BLOCK_BYTES : wholeBlocks(made.content?.allocatedBytes ?? 0);
    this.charge(directory.dev, taken, 1, path);
    const isSetgid = (directory.mode & 0o2000) !== 0;
    const mode = made.kind === 'symlink' ? 0o777 : made.mode & ~actor.umask;
    const nowUs = this.clock.nowUs;
    const inode = this.table.add((ino, owner) => ({
      ino,
      kind: made.kind,
      mode: isSetgid && made.kind === 'directory' ? mode | 0o2000 : mode,
      uid: actor.uid,
      gid: isSetgid ? directory.gid : actor.gid,
      nlink: made.kind === 'directory' ? 2 : 1,
      atimeUs: nowUs,
      mtimeUs: nowUs,
      ctimeUs: nowUs,
      btimeUs: nowUs,
      dev: made.dev ?? directory.dev,
      parent: directory.ino,
      owner,
      ...(made.kind === 'file' ? { content: made.content ?? new Content() } : {}),
      ...(made.kind === 'directory' ? { entries: new Map<string, number>() } : {}),
      ...(made.target === undefined ? {} : { target: made.target }),
      ...(made.rdev === undefined ? {} : { rdev: made.rdev }),
    }));
    if (made.content !== undefined) this.storedBytes += made.content.storedBytes;
    directory.entries?.set(walked.name, inode.ino);
    if (made.kind === 'directory') directory.nlink += 1;
    this.touchFolder(directory);
    return inode;
  }

  /** Removes a name that is not a folder's. */
  unlink(actor: Actor, path: string): void {
    const walked = this.walk(actor, path, false);
    const inode = walked.inode ?? fail('ENOENT', path);
    if (inode.kind === 'directory') fail('EISDIR', path);
    if (walked.wantsDirectory) fail('ENOTDIR', path);
    this.checkChange(actor, walked.directory, path);
    this.checkSticky(actor, walked.directory, inode, path);
    const directory = this.writable(walked.directory);
    directory.entries?.delete(walked.name);
    this.touchFolder(directory);
    this.dropLink(inode);
  }

  /** Removes an empty folder. */
  rmdir(actor: Actor, path: string): void {
    const walked = this.walk(actor, path, false);
    const inode = walked.inode ?? fail('ENOENT', path);
    if (inode.kind !== 'directory') fail('ENOTDIR', path);
    if (walked.name === '.')
      fail(
        path.endsWith('..') || path.endsWith('../')
          ? 'ENOTEMPTY'
          : inode.ino === this.root
            ? 'EBUSY'
            : 'EINVAL',
        path,
      );
    if (this.mountList.some((mount) => mount.dev === inode.dev) && inode.dev !== walked.directory.dev)
      fail('EBUSY', path);
    this.checkChange(actor, walked.directory, path);
    this.checkSticky(actor, walked.directory, inode, path);
    if (this.entriesOf(inode).length > 0) fail('ENOTEMPTY', path);
    const directory = this.writable(walked.directory);
    directory.entries?.delete(walked.name);
    directory.nlink -= 1;
    this.touchFolder(directory);
    const removed = this.writable(inode);
    removed.nlink = 0;
    this.charge(inode.dev, -BLOCK_BYTES, -1);
  }

  /** Gives a file a second name. A symbolic link at `from` is linked itself. */
  link(actor: Actor, from: string, to: string): void {
    const inode = this.resolve(actor, from, false);
    if (inode.kind === 'directory') fail('EPERM', from);
    const walked = this.walk(actor, to, false);
    if (walked.inode !== undefined) fail('EEXIST', to);
    if (walked.wantsDirectory) fail('ENOENT', to);
    if (inode.dev !== walked.directory.dev) fail('EXDEV', to);
    this.checkChange(actor, walked.directory, to);
    if (inode.nlink >= MAX_LINK_COUNT) fail('EMLINK', to);
    const linked = this.writable(inode);
    linked.nlink += 1;
    linked.ctimeUs = this.clock.nowUs;
    const directory = this.writable(walked.directory);
    directory.entries?.set(walked.name, inode.ino);
    this.touchFolder(directory);
  }

  /** Moves a name, over what is there. */
  rename(actor: Actor, from: string, to: string): void {
    const source = this.walk(actor, from, false);
    const inode = source.inode ?? fail('ENOENT', from);
    const target = this.walk(actor, to, false);
    if (source.name === '.' || target.name === '.') fail('EBUSY', to);
    if (inode.dev !== target.directory.dev) fail('EXDEV', to);
    if (target.wantsDirectory && inode.kind !== 'directory') fail('ENOTDIR', to);
    this.checkChange(actor, source.directory, from);
    this.checkChange(actor, target.directory, to);
    this.checkSticky(actor, source.directory, inode, from);
    if (inode.kind === 'directory') this.checkLoop(inode, target.directory, to);
    if (target.inode !== undefined) {
      if (target.inode.ino === inode.ino) return;
      this.replaceTarget(actor, inode, { ...target, inode: target.inode, path: to });
    }
    const oldDirectory = this.writable(source.directory);
    oldDirectory.entries?.delete(source.name);
    const newDirectory = this.writable(this.get(target.directory.ino));
    newDirectory.entries?.set(target.name, inode.ino);
    const moved = this.writable(inode);
    moved.ctimeUs = this.clock.nowUs;
    if (inode.kind === 'directory' && oldDirectory.ino !== newDirectory.ino) {
      moved.parent = newDirectory.ino;
      oldDirectory.nlink -= 1;
      newDirectory.nlink += 1;
    }
    this.touchFolder(oldDirectory);
    this.touchFolder(newDirectory);
  }

  /** Changes permission bits; only the owner and root may. */
  chmod(actor: Actor, inode: Inode, mode: number, path?: string): void {
    if (actor.uid !== 0 && actor.uid !== inode.uid) fail('EPERM', path);
    const changed = this.checkedWritable(inode, path);
    const isForeignGroup = actor.uid !== 0 && inode.gid !== actor.gid && !actor.groups.includes(inode.gid);
    changed.mode = mode & (isForeignGroup && inode.kind !== 'directory' ? 0o5777 : 0o7777);
    changed.ctimeUs = this.clock.nowUs;
  }

  /** Changes owner and group (undefined leaves one); root may all, an owner only groups of his own. */
  chown(
    actor: Actor,
    inode: Inode,
    to: { readonly uid?: number | undefined; readonly gid?: number | undefined; readonly path?: string },
  ): void {
    if (actor.uid !== 0) {
      const isOwnGroup =
        to.gid === undefined || to.gid === actor.gid || actor.groups.includes(to.gid) || to.gid === inode.gid;
      const isOwner = actor.uid === inode.uid;
      if ((to.uid !== undefined && to.uid !== inode.uid) || !isOwner || !isOwnGroup) fail('EPERM', to.path);
    }
    const changed = this.checkedWritable(inode, to.path);
    changed.uid = to.uid ?? changed.uid;
    changed.gid = to.gid ?? changed.gid;
    if (inode.kind === 'file' && (inode.mode & 0o111) !== 0 && actor.uid !== 0) changed.mode &= 0o1777;
    changed.ctimeUs = this.clock.nowUs;
  }

  /** Sets times; undefined leaves one, `now` needs only write permission. */
  utimes(
    actor: Actor,
    inode: Inode,
    times: { readonly atimeUs?: number | 'now'; readonly mtimeUs?: number | 'now'; readonly path?: string },
  ): void {
    const isNow = [times.atimeUs, times.mtimeUs].every((time) => time === 'now');
    if (actor.uid !== 0 && actor.uid !== inode.uid && !(isNow && mayAccess(inode, actor, 2)))
      fail(isNow ? 'EACCES' : 'EPERM', times.path);
    const changed = this.checkedWritable(inode, times.path);
    const nowUs = this.clock.nowUs;
    if (times.atimeUs !== undefined) changed.atimeUs = times.atimeUs === 'now' ? nowUs : times.atimeUs;
    if (times.mtimeUs !== undefined) changed.mtimeUs = times.mtimeUs === 'now' ? nowUs : times.mtimeUs;
    changed.ctimeUs = nowUs;
  }

  /** Reads from a file and stamps its access time as `relatime` does. */
  read(ino: number, offset: number, length: number): Uint8Array {
    const inode = this.get(ino);
    const bytes = inode.content?.read(offset, length) ?? new Uint8Array(0);
    const dayUs = 86_400e6;
    const nowUs = this.clock.nowUs;
    if (
      bytes.length > 0 &&
      (inode.atimeUs <= inode.mtimeUs || inode.atimeUs <= inode.ctimeUs || nowUs - inode.atimeUs > dayUs)
    ) {
      if (nowUs > inode.atimeUs && !this.mountOf(inode.dev).isReadOnly) this.writable(inode).atimeUs = nowUs;
    }
    return bytes;
  }

  /** Writes into a file; returns how much fitted. Raises `ENOSPC` where nothing fitted, `EROFS`. */
  write(ino: number, offset: number, bytes: Uint8Array): number {
    const inode = this.checkedWritable(this.get(ino));
    const content = inode.content;
    if (content === undefined) return fail('EINVAL');
    let piece = bytes;
    const growth =
      wholeBlocks(
        content.allocatedBytes + Math.max(0, offset + bytes.length - Math.max(offset, content.size)),
      ) - wholeBlocks(content.allocatedBytes);
    const free = this.freeBytes(inode.dev);
    if (growth > free || this.storedBytes + bytes.length > MAX_STORED_BYTES) {
      const slack = wholeBlocks(content.size) - content.size;
      const fits = Math.min(free + slack, MAX_STORED_BYTES - this.storedBytes);
      if (fits <= 0) fail('ENOSPC');
      piece = bytes.subarray(0, fits);
    }
    const before = { stored: content.storedBytes, allocated: content.allocatedBytes };
    content.write(offset, piece);
    this.settle(inode, before);
    inode.mtimeUs = this.clock.nowUs;
    inode.ctimeUs = this.clock.nowUs;
    if ((inode.mode & 0o6000) !== 0) inode.mode &= 0o1777;
    return piece.length;
  }

  /** Sets a file's length. */
  resize(ino: number, size: number): void {
    const inode = this.checkedWritable(this.get(ino));
    const content = inode.content;
    if (content === undefined) throw new SystemError('EINVAL');
    const before = { stored: content.storedBytes, allocated: content.allocatedBytes };
    content.resize(size);
    this.settle(inode, before);
    inode.mtimeUs = this.clock.nowUs;
    inode.ctimeUs = this.clock.nowUs;
  }

  /** Bytes that still fit on a mount. */
  freeBytes(dev: number): number {
    const mount = this.mountOf(dev);
    return mount.sizeBytes === 0 ? Number.MAX_SAFE_INTEGER : Math.max(0, mount.sizeBytes - mount.usedBytes);
  }

  /** Frees what a file without names holds; called when its last descriptor is closed. */
  release(ino: number): void {
    const inode = this.table.get(ino);
    if (inode === undefined || inode.nlink > 0) return;
    this.storedBytes -= inode.content?.storedBytes ?? 0;
    this.charge(inode.dev, -wholeBlocks(inode.content?.allocatedBytes ?? 0), -1);
    this.table.remove(ino);
  }

  /** Called when a name goes; set by the kernel, which knows the open descriptors. True keeps the inode. */
  isOpen: (ino: number) => boolean = () => false;

  /** What becomes of a write to a file opened by this path; null where nobody decides that. Set by the kernel. */
  onWrite: ((opened: string, facts: Pick<ChangeFacts, 'bytes' | 'offset'>) => FileVerdict | null) | null =
    null;

  private dropLink(inode: Inode): void {
    const dropped = this.writable(inode);
    dropped.nlink -= 1;
    dropped.ctimeUs = this.clock.nowUs;
    if (dropped.nlink === 0 && !this.isOpen(inode.ino)) this.release(inode.ino);
  }

  private replaceTarget(
    actor: Actor,
    inode: Inode,
    target: { directory: Inode; inode: Inode; name: string; path: string },
  ): void {
    this.checkSticky(actor, target.directory, target.inode, target.path);
    if (target.inode.kind === 'directory') {
      if (inode.kind !== 'directory') fail('EISDIR', target.path);
      this.rmdir(actor, target.path);
      return;
    }
    if (inode.kind === 'directory') fail('ENOTDIR', target.path);
    this.writable(target.directory).entries?.delete(target.name);
    this.dropLink(target.inode);
  }

  private checkLoop(inode: Inode, directory: Inode, path: string): void {
    for (let at = directory; ; at = this.get(at.parent)) {
      if (at.ino === inode.ino) fail('EINVAL', path);
      if (at.ino === this.root) return;
    }
  }

  private settle(inode: Inode, before: { stored: number; allocated: number }): void {
    const content = inode.content;
    if (content === undefined) return;
    this.storedBytes += content.storedBytes - before.stored;
    const blocks = wholeBlocks(content.allocatedBytes) - wholeBlocks(before.allocated);
    if (blocks !== 0) this.charge(inode.dev, blocks, 0);
  }

  private charge(dev: number, bytes: number, inodes: number, path?: string): void {
    const mount = this.mountOf(dev);
    if (inodes > 0 && mount.sizeInodes > 0 && mount.usedInodes + inodes > mount.sizeInodes)
      fail('ENOSPC', path);
    if (bytes > 0 && mount.sizeBytes > 0 && mount.usedBytes + bytes > mount.sizeBytes) fail('ENOSPC', path);
    const changed = { ...mount, usedBytes: mount.usedBytes + bytes, usedInodes: mount.usedInodes + inodes };
    this.mountList = this.mountList.map((one) => (one === mount ? changed : one));
  }

  private touchFolder(directory: Inode): void {
    directory.mtimeUs = this.clock.nowUs;
    directory.ctimeUs = this.clock.nowUs;
  }

  /** Write and search permission in a folder that is about to change. */
  private checkChange(actor: Actor, directory: Inode, path: string): void {
    if (directory.nlink === 0) fail('ENOENT', path);
    if (this.mountOf(directory.dev).isReadOnly) fail('EROFS', path);
    if (!mayAccess(directory, actor, 3)) fail('EACCES', path);
    if (directory.computed !== undefined) fail('EPERM', path);
  }

  private checkSticky(actor: Actor, directory: Inode, inode: Inode, path: string): void {
    if ((directory.mode & 0o1000) === 0 || actor.uid === 0) return;
    if (actor.uid !== inode.uid && actor.uid !== directory.uid) fail('EPERM', path);
  }

  private checkedWritable(inode: Inode, path?: string): Inode {
    if (this.mountOf(inode.dev).isReadOnly) fail('EROFS', path);
    if (inode.computed !== undefined) fail('EPERM', path);
    return this.writable(inode);
  }

  private writable(inode: Inode): Inode {
    return this.table.writable(inode.ino) ?? inode;
  }
}

function fail(code: ErrorCode, path?: string): never {
  throw new SystemError(code, path);
}
