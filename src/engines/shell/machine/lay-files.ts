/**
 * Lays the start state of a world onto the base image: accounts, host name, the user's home, files with owners, modes and
 * times, missing commands.
 */
import { Content } from '../kernel/content.js';
import type { FileSystem } from '../kernel/file-system.js';
import { programContent, SystemError, toBytes } from '../kernel/index.js';
import type { Mount } from '../kernel/mount.js';
import { ROOT_ACTOR } from './debian-image.js';
import { type Account, groupText, passwdText, shadowText } from './image-accounts.js';
import { BASE_PROGRAMS, KNOWN_PROGRAMS } from './known-programs.js';
import { pythonPackageFiles } from './lay-python-packages.js';
import { layDaemons, serviceFiles } from './lay-services.js';
import type { MachineFile, MachineSpec } from './machine-spec.js';

/** What `ls -l` shows of a binary that is only a name. */
const PROGRAM_BYTES = 68_000;
/** Device number of the first mount of a world. */
const FIRST_DEV = 0x811;

/** The accounts of a machine besides the system's. */
export function accountsOf(spec: MachineSpec): Account[] {
  const others = spec.users.map((user) => ({
    name: user.name,
    uid: user.uid,
    gid: user.uid,
    home: `/home/${user.name}`,
    shell: '/bin/bash',
    groups: user.groups ?? [],
  }));
  return [spec.user, ...others];
}

/** Lays everything of a specification. Raises `SystemError`s that name the path. */
export function layFiles(files: FileSystem, spec: MachineSpec): void {
  const accounts = accountsOf(spec);
  const text = (path: string, content: string, mode?: number): void =>
    layFile(files, spec, {
      path,
      content: toBytes(content),
      owner: 'root:root',
      ...(mode === undefined ? {} : { mode }),
    });
  text('/etc/passwd', passwdText(accounts));
  text('/etc/group', groupText(accounts));
  layFile(files, spec, {
    path: '/etc/shadow',
    content: toBytes(shadowText(accounts)),
    mode: 0o640,
    owner: '0:42',
  });
  text('/etc/hostname', `${spec.hostname}\n`);
  text('/etc/hosts', `127.0.0.1\tlocalhost\n127.0.1.1\t${spec.hostname}\n`);
  for (const { name, home } of accounts) {
    if (name !== 'root') layFile(files, spec, { path: home, kind: 'directory', owner: `${name}:${name}` });
  }
  layMounts(files, spec);
  layPrograms(files, spec);
  for (const file of [...serviceFiles(spec), ...pythonPackageFiles(spec), ...spec.files])
    layFile(files, spec, file);
  layDaemons(files, spec, (file) => layFile(files, spec, file));
  layFolder(files, spec, spec.cwd);
}

/** A folder, where nothing is there yet. */
function layFolder(files: FileSystem, spec: MachineSpec, path: string): void {
  try {
    if (files.walk(ROOT_ACTOR, path, true).inode !== undefined) return;
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== 'ENOENT') throw error;
  }
  layFile(files, spec, { path, kind: 'directory' });
}

/** Lays one file, over what is there; missing parents belong to the file's owner. */
export function layFile(files: FileSystem, spec: MachineSpec, file: MachineFile): void {
  const owner = ownerOf(spec, file);
  const mtimeUs = (file.mtimeMs ?? spec.startMs) * 1000;
  layParents(files, spec, { path: file.path, owner, mtimeUs });
  const kind = file.kind ?? 'file';
  const before = files.walk(ROOT_ACTOR, file.path, false).inode;
  const isKept = before !== undefined && kind === 'directory' && before.kind === 'directory';
  if (before !== undefined && !isKept) {
    if (before.kind === 'directory') throw new SystemError('EISDIR', file.path);
    files.unlink(ROOT_ACTOR, file.path);
  }
  const mode = file.mode ?? (kind === 'directory' ? 0o755 : 0o644);
  if (!isKept) {
    files.create(ROOT_ACTOR, file.path, {
      kind,
      mode,
      ...(kind === 'file' ? { content: contentOf(file) } : {}),
      ...(file.target === undefined ? {} : { target: file.target }),
    });
  }
  stamp(files, file.path, { owner, mtimeUs, ...(isKept && file.mode === undefined ? {} : { mode }) });
}

function contentOf({ content = new Uint8Array(0), sizeBytes = content.length }: MachineFile): Content {
  const made = new Content(content, sizeBytes);
  made.allocatedBytes = sizeBytes;
  return made;
}

function layParents(
  files: FileSystem,
  spec: MachineSpec,
  file: { path: string; owner: Ids; mtimeUs: number },
): void {
  const names = file.path.split('/').slice(1, -1);
  for (let count = 1; count <= names.length; count++) {
    const path = `/${names.slice(0, count).join('/')}`;
    if (files.walk(ROOT_ACTOR, path, true).inode !== undefined) continue;
    files.create(ROOT_ACTOR, path, { kind: 'directory', mode: 0o755 });
    const owner = isBelow(path, spec.user.home) ? spec.user : file.owner;
    stamp(files, path, { owner, mode: 0o755, mtimeUs: file.mtimeUs });
  }
  if (names.length > 0) stampTimes(files, `/${names.join('/')}`, file.mtimeUs);
}

function stamp(files: FileSystem, path: string, to: { owner: Ids; mode?: number; mtimeUs: number }): void {
  const inode = files.resolve(ROOT_ACTOR, path, false);
  files.chown(ROOT_ACTOR, inode, { uid: to.owner.uid, gid: to.owner.gid });
  if (inode.kind !== 'symlink' && to.mode !== undefined)
    files.chmod(ROOT_ACTOR, files.get(inode.ino), to.mode);
  stampTimes(files, path, to.mtimeUs);
}

function stampTimes(files: FileSystem, path: string, mtimeUs: number): void {
  const inode = files.resolve(ROOT_ACTOR, path, false);
  files.utimes(ROOT_ACTOR, inode, { atimeUs: mtimeUs, mtimeUs });
}

interface Ids {
  readonly uid: number;
  readonly gid: number;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function ownerOf(spec: MachineSpec, file: MachineFile): Ids {
  if (file.owner === undefined) {
    return isBelow(file.path, spec.user.home) || isBelow(file.path, spec.cwd)
      ? spec.user
      : { uid: 0, gid: 0 };
  }
  const [user = '', group] = file.owner.split(':');
  const accounts = accountsOf(spec);
  const passwd = passwdText(accounts)
    .split('\n')
    .map((line) => line.split(':'));
  const found = passwd.find(([name, , uid]) => name === user || uid === user);
  const uid = found === undefined ? Number(user) : Number(found[2]);
  if (!Number.isInteger(uid)) throw new SystemError('EINVAL', `${file.path}: owner ${file.owner}`);
  if (group === undefined) return { uid, gid: found === undefined ? uid : Number(found[3]) };
  const groups = groupText(accounts)
    .split('\n')
    .map((line) => line.split(':'));
  const named = groups.find(([name, , gid]) => name === group || gid === group);
  const gid = named === undefined ? Number(group) : Number(named[2]);
  if (!Number.isInteger(gid)) throw new SystemError('EINVAL', `${file.path}: owner ${file.owner}`);
  return { uid, gid };
}

/** Binaries of programs that the machine has and nobody computes; what a world's packages leave out goes. */
function layPrograms(files: FileSystem, spec: MachineSpec): void {
  const { packages } = spec;
  for (const name of packages === undefined ? [] : KNOWN_PROGRAMS) {
    const path = `/usr/bin/${name}`;
    if (packages?.includes(name) !== true && files.walk(ROOT_ACTOR, path, false).inode !== undefined)
      files.unlink(ROOT_ACTOR, path);
  }
  for (const name of [...BASE_PROGRAMS, ...(spec.packages ?? KNOWN_PROGRAMS)]) {
    const path = `/usr/bin/${name.replaceAll('/', '-')}`;
    if (files.walk(ROOT_ACTOR, path, false).inode !== undefined) continue;
    files.create(ROOT_ACTOR, path, {
      kind: 'file',
      mode: 0o755,
      content: programContent(name, PROGRAM_BYTES),
    });
  }
}

/** Folders of the mounts; what is laid below them is on them. They are made read only when all is laid. */
function layMounts(files: FileSystem, spec: MachineSpec): void {
  const added = spec.mounts.map(
    (mount, index): Mount => ({
      dev: FIRST_DEV + index,
      path: mount.path,
      source: mount.source,
      type: mount.type,
      options: mount.isReadOnly === true ? 'ro,relatime' : 'rw,relatime',
      isReadOnly: false,
      sizeBytes: mount.sizeBytes ?? spec.diskBytes,
      usedBytes: 0,
      sizeInodes: 1_000_000,
      usedInodes: 1,
    }),
  );
  files.setMounts([...files.mounts, ...added]);
  for (const mount of added) {
    layParents(files, spec, { path: mount.path, owner: { uid: 0, gid: 0 }, mtimeUs: spec.startMs * 1000 });
    const before = files.walk(ROOT_ACTOR, mount.path, true).inode;
    if (before !== undefined) files.rmdir(ROOT_ACTOR, mount.path);
    files.create(ROOT_ACTOR, mount.path, { kind: 'directory', mode: before?.mode ?? 0o755, dev: mount.dev });
  }
}

/** Makes the mounts read only that are said to be; called when all is laid. */
export function closeMounts(files: FileSystem, spec: MachineSpec): void {
  const readOnly = new Set(spec.mounts.filter((mount) => mount.isReadOnly === true).map(({ path }) => path));
  files.setMounts(
    files.mounts.map((mount) => (readOnly.has(mount.path) ? { ...mount, isReadOnly: true } : mount)),
  );
}
