/**
 * Bytes of an input: a file, standard input, or a part of a file; gzip and zstd are undone by their first bytes.
 *
 * The idea: one piece in memory at a time, whatever the size. A shard i/n of a plain file is a range of bytes that begins
 * and ends at line feeds; of a compressed file or standard input, which cannot be entered in the middle, it is every n-th
 * item (told by `isWhole`). zstd is read by fzstd, gzip by Node. Not covered: other compressions, which are told by name.
 */
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import { DataError, UsageError } from '../../core/index.js';
import { eventFiles, eventFolderFacts, readEventFolder } from './event-folder.js';

/** Bytes of one reading. */
const PIECE_BYTES = 1 << 20;

/** One of `of` equal parts, from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** An input being read. */
export interface OpenInput {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** True if all bytes come, and a shard has to be taken by counting items. */
  readonly isWhole: boolean;
  /** Bytes on disk that this reading covers, where that is known; for progress. */
  readonly sizeBytes: number | null;
  /** The range begins in the middle of a line, which belongs to the part before. */
  readonly skipsFirstLine: boolean;
  /** Offset in `chunks` up to which lines begin that belong to this part; the line that begins there is the last. */
  readonly endsAfter: number;
}

/** Reads `i/n` with 1 ≤ i ≤ n. Raises `usage/bad-argument`. */
export function parseShard(text: string): Shard {
  const found = /^(\d{1,6})\/(\d{1,6})$/.exec(text.trim());
  const index = Number(found?.[1]);
  const of = Number(found?.[2]);
  if (found !== null && index >= 1 && index <= of) return { index, of };
  const message = `--shard is ${JSON.stringify(text)}; wanted i/n with 1 ≤ i ≤ n, for example 3/8`;
  throw new UsageError(message, { code: 'usage/bad-argument', data: { seen: text } });
}

type Compression = 'none' | 'gzip' | 'zstd';

const FOREIGN: readonly { readonly name: string; readonly magic: readonly number[] }[] = [
  { name: 'xz', magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a] },
  { name: 'bzip2', magic: [0x42, 0x5a, 0x68] },
  { name: 'zip', magic: [0x50, 0x4b, 0x03, 0x04] },
  { name: 'Parquet', magic: [0x50, 0x41, 0x52, 0x31] },
];

function compressionOf(head: Uint8Array, name: string): Compression {
  const starts = (magic: readonly number[]): boolean => magic.every((byte, i) => head[i] === byte);
  if (starts([0x1f, 0x8b])) return 'gzip';
  if (starts([0x28, 0xb5, 0x2f, 0xfd])) return 'zstd';
  const foreign = FOREIGN.find(({ magic }) => starts(magic));
  if (foreign === undefined) return 'none';
  const message = `${name} is a ${foreign.name} file; unpack it first (gzip and zstd are read as they are)`;
  throw new DataError(message, { code: 'data/invalid' });
}

/** Opens a file, a folder of events, or standard input for `-`. Raises `usage/unknown-name` and `data/unreadable`. */
export function openInput(path: string, shard?: Shard): OpenInput {
  if (path === '-') {
    const chunks = unpacked(process.stdin, 'standard input');
    return {
      chunks,
      isWhole: true,
      sizeBytes: null,
      skipsFirstLine: false,
      endsAfter: Number.POSITIVE_INFINITY,
    };
  }
  if (eventFiles(path).length > 0) {
    return {
      chunks: named(readEventFolder(path), path),
      isWhole: true,
      sizeBytes: eventFolderFacts(path).size,
      skipsFirstLine: false,
      endsAfter: Number.POSITIVE_INFINITY,
    };
  }
  const { size, head } = lookAt(path);
  const compression = compressionOf(head, path);
  if (compression !== 'none' || shard === undefined || shard.of === 1 || size === 0) {
    const stream = createReadStream(path, { highWaterMark: PIECE_BYTES });
    return {
      chunks: compression === 'none' ? named(stream, path) : unpacked(stream, path),
      isWhole: true,
      sizeBytes: size,
      skipsFirstLine: false,
      endsAfter: Number.POSITIVE_INFINITY,
    };
  }
  const start = Math.floor((size * (shard.index - 1)) / shard.of);
  const end = Math.floor((size * shard.index) / shard.of);
  // One byte before: a line that begins exactly at `start` is ours, and the feed before it says so.
  const from = Math.max(0, start - 1);
  const stream = createReadStream(path, { start: from, highWaterMark: PIECE_BYTES });
  return {
    chunks: named(stream, path),
    isWhole: false,
    sizeBytes: end - start,
    skipsFirstLine: start > 0,
    endsAfter: end - from,
  };
}

function lookAt(path: string): { readonly size: number; readonly head: Uint8Array } {
  try {
    const { size } = statSync(path);
    const file = openSync(path, 'r');
    try {
      const head = new Uint8Array(8);
      readSync(file, head, 0, 8, 0);
      return { size, head };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unreadableInput(path, error);
  }
}

function unreadableInput(path: string, error: unknown): Error {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  if (code === 'ENOENT') {
    return new UsageError(`the file ${path} does not exist`, { code: 'usage/unknown-name', data: { path } });
  }
  const why = code === 'EISDIR' ? 'it is a folder; name its files' : code;
  return new DataError(`cannot read ${path} (${why})`, { code: 'data/unreadable', cause: error });
}

async function* named(
  stream: AsyncIterable<Uint8Array>,
  path: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* stream;
  } catch (error) {
    throw error instanceof DataError ? error : unreadableInput(path, error);
  }
}

/** How many times a file may be packed (gzip inside zstd …). */
const MOST_LAYERS = 4;

/** The bytes with gzip or zstd undone, told by the first bytes; what is packed inside is undone too. */
async function* unpacked(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  layer = 0,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = stream[Symbol.asyncIterator]();
  let first = await iterator.next();
  while (first.done !== true && first.value.length < 8) {
    const more = await iterator.next();
    if (more.done === true) break;
    first = { done: false, value: Buffer.concat([first.value, more.value]) };
  }
  if (first.done === true) return;
  const all = (async function* () {
    yield first.value as Uint8Array;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  })();
  const compression = compressionOf(first.value, name);
  if (compression === 'none') {
    yield* named(all, name);
    return;
  }
  if (layer === MOST_LAYERS) {
    const message = `${name} is packed more than ${MOST_LAYERS} times over; unpack it first`;
    throw new DataError(message, { code: 'data/invalid' });
  }
  yield* unpacked(damaged(compression === 'gzip' ? gunzip(all) : unzstd(all), name), name, layer + 1);
}

async function* damaged(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* chunks;
  } catch (cause) {
    if (cause instanceof DataError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DataError(`${name} cannot be unpacked (${why}); it is cut or damaged`, {
      code: 'data/invalid',
      cause,
    });
  }
}

async function* gunzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const { Readable } = await import('node:stream');
  const source = Readable.from(chunks, { objectMode: false });
  const out = createGunzip({ chunkSize: PIECE_BYTES });
  source.on('error', (error) => out.destroy(error));
  yield* source.pipe(out);
}

async function* unzstd(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let ready: Uint8Array[] = [];
  const stream = new Decompress((piece) => void ready.push(piece.slice()));
  for await (const chunk of chunks) {
    stream.push(chunk);
    yield* ready;
    ready = [];
  }
  stream.push(new Uint8Array(0), true);
  yield* ready;
}
