/**
 * What somebody else does to files between two turns: written, appended to, removed, another mode.
 *
 * The changes come as rows of a collection `files` with `path`, `text`, `mode`; the whole list is read and checked before
 * anything is done. Root does them, so permissions do not stand in the way.
 */
import { type ForeignChange, fail, ok, type Result } from '../../../core/index.js';
import { Content } from '../kernel/content.js';
import { type Inode, toBytes } from '../kernel/index.js';
import { BLOCK_BYTES } from '../kernel/mount.js';
import { ROOT_ACTOR } from '../machine/debian-image.js';
import { layFile } from '../machine/lay-files.js';
import type { LiveMachine } from './live-machine.js';
import type { ForeignFileChange } from './moment.js';

/** Reads the changes; fails with the first that cannot be done. */
export function readForeignChanges(
  changes: readonly ForeignChange[],
  live: LiveMachine,
): Result<readonly ForeignFileChange[], string> {
  const read: ForeignFileChange[] = [];
  for (const one of changes) {
    const { path, text, mode } = one.row;
    if (one.collection !== 'files')
      return fail(`a terminal world has no rows of '${one.collection}', only files`);
    if (typeof path !== 'string' || !path.startsWith('/')) return fail('the path of a file must be absolute');
    if (typeof one.row.leftBytes === 'number') {
      const { leftBytes } = one.row;
      if (freeBytes(live, path) <= leftBytes) return fail(`the disk of ${path} has no more than that left`);
      read.push({ path, how: 'fill', leftBytes });
      continue;
    }
    const { inode } = live.kernel.files.walk(ROOT_ACTOR, path, false);
    const isThere = inode !== undefined;
    if (inode?.kind === 'directory') return fail(`${path} is a folder`);
    if (one.change !== 'created' && !isThere) return fail(`there is no file ${path}`);
    const bits = typeof mode === 'string' ? { mode: Number.parseInt(mode, 8) } : {};
    const words = typeof text === 'string' ? { text } : {};
    const how =
      one.change === 'created'
        ? 'write'
        : one.change === 'deleted'
          ? 'remove'
          : one.set?.text === undefined
            ? 'mode'
            : 'append';
    read.push({ path, how, ...words, ...bits });
  }
  return ok(read);
}

/** What is free of the disk that a path lies on; Infinity where it has no size. */
function freeBytes(live: LiveMachine, path: string): number {
  const { files } = live.kernel;
  const { directory } = nearestFolder(live, path);
  const { sizeBytes, usedBytes } = files.mountOf(directory.dev);
  return sizeBytes === 0 ? 0 : sizeBytes - usedBytes;
}

/** The folder that a file would be made in, or the nearest that exists. */
function nearestFolder(live: LiveMachine, path: string): { readonly directory: Inode } {
  const { files } = live.kernel;
  for (let at = path.replace(/\/[^/]*$/, ''); at !== ''; at = at.replace(/\/[^/]*$/, '')) {
    const { inode } = files.walk(ROOT_ACTOR, at, true);
    if (inode?.kind === 'directory') return { directory: inode };
  }
  return { directory: files.get(files.root) };
}

/** A file that takes all of a disk but so many bytes; its bytes are zeros and cost nothing. */
function fillDisk(live: LiveMachine, path: string, leftBytes: number): void {
  const sizeBytes = Math.floor((freeBytes(live, path) - leftBytes) / BLOCK_BYTES) * BLOCK_BYTES;
  if (sizeBytes <= 0) return;
  const { files } = live.kernel;
  const { spec } = live.machine;
  const folder = path.replace(/\/[^/]*$/, '');
  if (folder !== '' && files.walk(ROOT_ACTOR, folder, true).inode === undefined)
    layFile(files, spec, { path: folder, kind: 'directory', owner: 'root:root' });
  if (files.walk(ROOT_ACTOR, path, false).inode !== undefined) files.unlink(ROOT_ACTOR, path);
  const content = new Content(new Uint8Array(0), sizeBytes);
  content.allocatedBytes = sizeBytes;
  files.create(ROOT_ACTOR, path, { kind: 'file', mode: 0o600, content });
}

/** Does one change. */
export function carryOutForeign(live: LiveMachine, change: ForeignFileChange): void {
  const { files } = live.kernel;
  const { path, how } = change;
  if (how === 'fill') fillDisk(live, path, change.leftBytes ?? 0);
  else if (how === 'remove') files.unlink(ROOT_ACTOR, path);
  else writeForeign(live, change);
}

function writeForeign(live: LiveMachine, { path, how, text = '', mode }: ForeignFileChange): void {
  const { files } = live.kernel;
  const nowMs = live.kernel.clock.nowUs / 1000;
  const inode = files.walk(ROOT_ACTOR, path, false).inode;
  if (how === 'append' && inode !== undefined) {
    files.write(inode.ino, inode.content?.size ?? 0, toBytes(text));
  } else if (how === 'write') {
    const kept = inode === undefined ? {} : { mode: inode.mode, owner: `${inode.uid}:${inode.gid}` };
    const content = toBytes(text);
    layFile(files, live.machine.spec, { path, content, mtimeMs: nowMs, ...kept });
  }
  if (mode === undefined) return;
  const changed = files.walk(ROOT_ACTOR, path, false).inode;
  if (changed !== undefined) files.chmod(ROOT_ACTOR, changed, mode, path);
}
