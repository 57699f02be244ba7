/**
 * The index: what the next commit will hold, and during a merge the three versions of each conflict.
 *
 * Source: gitformat-index, version 2 (versions 3 and 4 are read). Extensions are dropped when it is written.
 */
import { joinBytes, toBytes, toText } from '../../../kernel/index.js';
import { compareBytes, type GitFiles } from './files.js';
import { bytesOfHex, hexOf, sha1Hex } from './objects.js';

/** One line of the index. Stages: 0 merged, 1 base, 2 ours, 3 theirs. `mode` is a number such as 0o100644. */
export interface IndexEntry {
  readonly path: string;
  readonly mode: number;
  readonly oid: string;
  readonly stage: number;
  readonly sizeBytes: number;
  readonly mtimeUs: number;
  readonly ino: number;
  /** `add -N`: the path is known, its content is not. */
  readonly isIntent?: boolean;
}

/** The index of a repository in memory. */
export class Index {
  private readonly entries = new Map<string, IndexEntry>();

  static key(path: string, stage: number): string {
    return `${path}\0${stage}`;
  }

  get(path: string, stage = 0): IndexEntry | undefined {
    return this.entries.get(Index.key(path, stage));
  }

  /** Puts an entry; a merged one takes the place of a conflict's, and files take the place of folders. */
  set(entry: IndexEntry): void {
    if (entry.stage === 0) for (const stage of [1, 2, 3]) this.entries.delete(Index.key(entry.path, stage));
    else this.entries.delete(Index.key(entry.path, 0));
    this.entries.set(Index.key(entry.path, entry.stage), entry);
  }

  /** Removes a path in all stages; true where it was there. */
  remove(path: string): boolean {
    let had = false;
    for (const stage of [0, 1, 2, 3]) had = this.entries.delete(Index.key(path, stage)) || had;
    return had;
  }

  clear(): void {
    this.entries.clear();
  }

  has(path: string): boolean {
    return [0, 1, 2, 3].some((stage) => this.entries.has(Index.key(path, stage)));
  }

  /** True where some path lies in this folder. */
  hasBelow(folder: string): boolean {
    const prefix = `${folder}/`;
    for (const entry of this.entries.values()) if (entry.path.startsWith(prefix)) return true;
    return false;
  }

  /** All entries by path and stage. */
  all(): IndexEntry[] {
    return [...this.entries.values()].sort(
      (one, other) => compareBytes(one.path, other.path) || one.stage - other.stage,
    );
  }

  /** The paths, each once, in order. */
  paths(): string[] {
    return [...new Set(this.all().map((entry) => entry.path))];
  }

  /** Paths in conflict, with the stages that are there. */
  conflicts(): Map<string, readonly number[]> {
    const found = new Map<string, number[]>();
    for (const entry of this.all()) {
      if (entry.stage === 0) continue;
      const stages = found.get(entry.path) ?? [];
      stages.push(entry.stage);
      found.set(entry.path, stages);
    }
    return found;
  }
}

/** Reads an index file; an empty index where there is none. Raises `Error` for a damaged one. */
export function readIndex(files: GitFiles, path: string): Index {
  const index = new Index();
  if (files.look(path) === undefined) return index;
  const bytes = files.read(path);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 32 || view.getUint32(0) !== 0x44495243) throw new Error('index file corrupt');
  const [version, count] = [view.getUint32(4), view.getUint32(8)];
  let at = 12;
  let before = '';
  for (let number = 0; number < count && at + 62 < bytes.length; number++) {
    const start = at;
    const flags = view.getUint16(at + 60);
    at += 62;
    const extended = (flags & 0x4000) !== 0 ? view.getUint16(at) : 0;
    if ((flags & 0x4000) !== 0) at += 2;
    let entryPath: string;
    if (version === 4) {
      let [strip, byte] = [0, bytes[at++] ?? 0];
      strip = byte & 0x7f;
      while ((byte & 0x80) !== 0) {
        byte = bytes[at++] ?? 0;
        strip = (strip + 1) * 128 + (byte & 0x7f);
      }
      const end = bytes.indexOf(0, at);
      const kept = toBytes(before);
      entryPath = toText(joinBytes([kept.subarray(0, kept.length - strip), bytes.subarray(at, end)]));
      at = end + 1;
    } else {
      const end = bytes.indexOf(0, at);
      entryPath = toText(bytes.subarray(at, end));
      at = start + Math.ceil((end + 1 - start) / 8) * 8;
    }
    before = entryPath;
    index.set({
      path: entryPath,
      mtimeUs: view.getUint32(start + 8) * 1e6 + Math.floor(view.getUint32(start + 12) / 1000),
      ino: view.getUint32(start + 20),
      mode: view.getUint32(start + 24),
      sizeBytes: view.getUint32(start + 36),
      oid: hexOf(bytes.subarray(start + 40, start + 60)),
      stage: (flags >> 12) & 3,
      ...((extended & 0x2000) !== 0 ? { isIntent: true } : {}),
    });
  }
  return index;
}

/** Writes an index file. */
export function writeIndex(files: GitFiles, path: string, index: Index): void {
  const entries = index.all();
  const version = entries.some((entry) => entry.isIntent === true) ? 3 : 2;
  const head = new Uint8Array(12);
  const headView = new DataView(head.buffer);
  headView.setUint32(0, 0x44495243);
  headView.setUint32(4, version);
  headView.setUint32(8, entries.length);
  const parts = [head, ...entries.map(entryBytes)];
  const body = joinBytes(parts);
  files.write(path, joinBytes([body, bytesOfHex(sha1Hex(body))]));
}

function entryBytes(entry: IndexEntry): Uint8Array {
  const name = toBytes(entry.path);
  const fixed = entry.isIntent === true ? 64 : 62;
  const bytes = new Uint8Array(Math.ceil((fixed + name.length + 1) / 8) * 8);
  const view = new DataView(bytes.buffer);
  const [seconds, nanos] = [Math.floor(entry.mtimeUs / 1e6), (entry.mtimeUs % 1e6) * 1000];
  view.setUint32(0, seconds);
  view.setUint32(4, nanos);
  view.setUint32(8, seconds);
  view.setUint32(12, nanos);
  view.setUint32(20, entry.ino);
  view.setUint32(24, entry.mode);
  view.setUint32(36, entry.sizeBytes);
  bytes.set(bytesOfHex(entry.oid), 40);
  view.setUint16(
    60,
    (entry.stage << 12) | Math.min(name.length, 0xfff) | (entry.isIntent === true ? 0x4000 : 0),
  );
  if (entry.isIntent === true) view.setUint16(62, 0x2000);
  bytes.set(name, fixed);
  return bytes;
}
