/**
 * A machine at rest as JSON: only the inodes that differ from the world's start state, which the world gives.
 */
import type { Json, JsonObject, RandomState } from '../../../core/index.js';
import { Screen, type ScreenState } from '../../../domains/index.js';
import type { Checkpoint } from '../kernel/checkpoint.js';
import { Content } from '../kernel/content.js';
import type { TerminalState } from '../kernel/index.js';
import type { Inode } from '../kernel/inode.js';
import type { Mount } from '../kernel/mount.js';
import type { ProcessImage } from '../kernel/process-image.js';
import { laidFiles } from '../machine/machine.js';
import type { MachineSpec } from '../machine/machine-spec.js';
import { standing } from '../services/daemon.js';
import type { ManagerState } from '../services/unit-records.js';
import type { LiveImage } from './live-machine.js';

interface StoredInode extends Omit<Inode, 'owner' | 'content' | 'entries' | 'computed'> {
  readonly entryList?: readonly (readonly [string, number])[];
  readonly stored?: { readonly base64: string; readonly size: number; readonly allocated: number };
}

/** Writes an image. */
export function encodeImage(
  image: LiveImage,
  spec: MachineSpec,
  checkpoints: ReadonlyMap<number, Checkpoint>,
): JsonObject {
  const { machine, screen, shellPid } = image;
  const { files, processes, ...rest } = machine;
  const laid = laidFiles(spec);
  const kept = new Map([...laid.table.all()].map((inode) => [inode.ino, inode]));
  const changed: StoredInode[] = [];
  for (const inode of files.table.all()) {
    if (kept.get(inode.ino) !== inode) changed.push(storedInode(inode));
    kept.delete(inode.ino);
  }
  const written = processes.map(({ captured, ...one }) => ({
    ...one,
    ...(captured === undefined ? {} : { captured: checkpoints.get(one.pid)?.encode(captured) ?? null }),
  }));
  return {
    ...rest,
    shellPid,
    screen: screen.state(),
    mounts: files.mounts,
    nextIno: files.table.nextIno,
    storedBytes: files.storedBytes,
    changed,
    removed: [...kept.keys()],
    processes: written,
  } as unknown as JsonObject;
}

/** Reads an image; the checkpoints are those of a machine of the same world. */
export function decodeImage(
  json: JsonObject,
  spec: MachineSpec,
  checkpoints: ReadonlyMap<number, Checkpoint>,
): LiveImage {
  const given = json as unknown as {
    readonly nowUs: number;
    readonly random: RandomState;
    readonly nextPid: number;
    readonly jumpedUs: number;
    readonly nextPipeIno: number;
    readonly terminal: TerminalState | null;
    readonly shellPid: number;
    readonly screen: ScreenState;
    readonly mounts: readonly Mount[];
    readonly nextIno: number;
    readonly storedBytes: number;
    readonly changed: readonly StoredInode[];
    readonly removed: readonly number[];
    readonly processes: readonly (ProcessImage & { readonly captured?: Json })[];
    readonly services: ManagerState;
  };
  const files = laidFiles(spec).fork({ nowUs: given.nowUs });
  for (const ino of given.removed) files.table.remove(ino);
  for (const inode of given.changed) files.table.place(liveInode(inode));
  files.table.nextIno = given.nextIno;
  files.storedBytes = given.storedBytes;
  files.setMounts(given.mounts);
  const processes = given.processes.map((one): ProcessImage => {
    const { captured, ...rest } = one;
    const checkpoint = checkpoints.get(one.pid) ?? standing;
    return captured === undefined ? rest : { ...rest, captured: checkpoint.decode(captured) };
  });
  const { nowUs, random, nextPid, jumpedUs, nextPipeIno, terminal, services } = given;
  return {
    machine: { files, nowUs, random, nextPid, jumpedUs, nextPipeIno, terminal, processes, services },
    screen: Screen.from(given.screen),
    shellPid: given.shellPid,
  };
}

function storedInode(inode: Inode): StoredInode {
  const { owner: _owner, content, entries, computed: _computed, ...rest } = inode;
  return {
    ...rest,
    ...(entries === undefined ? {} : { entryList: [...entries] }),
    ...(content === undefined
      ? {}
      : {
          stored: {
            base64: toBase64(content.read(0, content.storedBytes)),
            size: content.size,
            allocated: content.allocatedBytes,
          },
        }),
  };
}

function liveInode({ entryList, stored, ...rest }: StoredInode): Omit<Inode, 'owner'> {
  if (stored === undefined)
    return { ...rest, ...(entryList === undefined ? {} : { entries: new Map(entryList) }) };
  const content = new Content(fromBase64(stored.base64), stored.size);
  content.allocatedBytes = stored.allocated;
  return { ...rest, content };
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x2000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  return btoa(text);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
