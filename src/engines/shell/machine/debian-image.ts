/**
 * The base image: a Debian 12 skeleton with a binary for every command we have, built once and shared by all machines.
 *
 * Not covered: libraries and documentation; a binary's bytes are a name and zeros.
 */
import { COMMANDS } from '../commands/table.js';
import { Content } from '../kernel/content.js';
import { DEVICES } from '../kernel/device.js';
import { type Actor, FileSystem } from '../kernel/file-system.js';
import { programContent, toBytes } from '../kernel/index.js';
import type { Mount } from '../kernel/mount.js';
import { FILES, FOLDER_MODES, FOLDERS, LINKS } from './image-files.js';

/** When the base image was made: 2024-02-10 (Debian 12.5), in microseconds since 1970. */
const IMAGE_US = Date.UTC(2024, 1, 10) * 1000;
const BINARY_BYTES = 35_000;

/** Root, who makes everything here. */
export const ROOT_ACTOR: Actor = { uid: 0, gid: 0, groups: [0], cwdIno: 2, umask: 0 };

/** Numbers of the mounts of a machine. */
export const MOUNT_DEV = { root: 0x801, proc: 0x15, dev: 0x6, tmp: 0x1c } as const;

/** The shells' binaries; their programs come from the interpreter. */
const SHELL_BINARIES: readonly (readonly [string, string, number])[] = [
  ['/usr/bin/bash', 'bash', 1_265_648],
  ['/usr/bin/dash', 'sh', 125_640],
];

let image: FileSystem | undefined;

/** The image itself; fork it, never change it. */
export function baseImage(): FileSystem {
  image ??= buildImage();
  return image;
}

function buildImage(): FileSystem {
  const root: Mount = {
    dev: MOUNT_DEV.root,
    path: '/',
    source: '/dev/sda1',
    type: 'ext4',
    options: 'rw,relatime',
    isReadOnly: false,
    sizeBytes: 0,
    usedBytes: 0,
    sizeInodes: 0,
    usedInodes: 0,
  };
  const files = FileSystem.empty(root, { nowUs: IMAGE_US });
  for (const path of FOLDERS) {
    const own = FOLDER_MODES[path];
    const inode = files.create(ROOT_ACTOR, path, { kind: 'directory', mode: own?.mode ?? 0o755 });
    if (own?.gid !== undefined) {
      files.chown(ROOT_ACTOR, inode, { gid: own.gid });
      files.chmod(ROOT_ACTOR, files.get(inode.ino), own.mode);
    }
  }
  for (const [path, target] of LINKS)
    files.create(ROOT_ACTOR, path, { kind: 'symlink', mode: 0o777, target });
  for (const [path, text] of FILES) {
    files.create(ROOT_ACTOR, path, { kind: 'file', mode: 0o644, content: new Content(toBytes(text)) });
  }
  for (const [name, rdev] of Object.entries(DEVICES)) {
    if (name === 'ptmx') continue;
    files.create(ROOT_ACTOR, `/dev/${name}`, {
      kind: 'char',
      mode: name === 'console' ? 0o600 : 0o666,
      rdev,
    });
  }
  addBinaries(files);
  return files;
}

function addBinaries(files: FileSystem): void {
  for (const command of COMMANDS) {
    const content = programContent(command.name, command.sizeBytes ?? BINARY_BYTES);
    files.create(ROOT_ACTOR, command.path, { kind: 'file', mode: 0o755, content });
  }
  for (const [path, name, sizeBytes] of SHELL_BINARIES) {
    files.create(ROOT_ACTOR, path, { kind: 'file', mode: 0o755, content: programContent(name, sizeBytes) });
  }
  files.create(ROOT_ACTOR, '/usr/bin/sh', { kind: 'symlink', mode: 0o777, target: 'dash' });
  files.create(ROOT_ACTOR, '/usr/bin/rbash', { kind: 'symlink', mode: 0o777, target: 'bash' });
}
