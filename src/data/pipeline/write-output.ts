/**
 * Where a stage's lines go: a file that appears whole or not at all, or standard output.
 *
 * A file is written beside its place as `NAME.part` and renamed when the stage has ended, so that a killed run leaves no
 * file that looks finished. What was written is hashed on the way. A full disk or a closed pipe is an error in words.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { DataError } from '../../core/index.js';
import { JsonBytes } from './encode-json.js';

/** Bytes gathered before they are written. */
const GATHERED_BYTES = 1 << 20;
/** A buffer that one long item made larger than this is given back. */
const KEPT_BYTES = 1 << 23;

/** An output being written. */
export interface StageOutput {
  /** Adds text; returns a promise where the reader of standard output is slower than we are. */
  text(text: string): Promise<void> | undefined;
  /** Adds a value as one JSON line. */
  line(value: unknown): Promise<void> | undefined;
  /** Adds bytes. */
  bytes(bytes: Uint8Array): Promise<void> | undefined;
  /** Writes what is left; the file appears. Gives size and SHA-256 (hex) of all that was written. */
  close(): Promise<{ readonly sizeBytes: number; readonly sha256: string }>;
  /** Takes the unfinished file away. */
  abandon(): void;
}

/** Opens an output; `-` is standard output. Raises `data/unwritable`. */
export function openOutputFile(path: string): StageOutput {
  return path === '-' ? new Output(standardOutput()) : new Output(partFile(path));
}

interface Sink {
  /** The bytes are the sink's only during the call. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  close(): void;
  abandon(): void;
}

class Output implements StageOutput {
  private readonly hash: Hash = createHash('sha256');
  private gathered = new JsonBytes();
  private sizeBytes = 0;

  constructor(private readonly sink: Sink) {}

  text(text: string): Promise<void> | undefined {
    this.gathered.text(text);
    return this.gathered.size < GATHERED_BYTES ? undefined : this.flush();
  }

  line(value: unknown): Promise<void> | undefined {
    this.gathered.value(value);
    return this.text('\n');
  }

  bytes(bytes: Uint8Array): Promise<void> | undefined {
    this.sizeBytes += bytes.length;
    this.hash.update(bytes);
    return this.sink.write(bytes);
  }

  async close(): Promise<{ readonly sizeBytes: number; readonly sha256: string }> {
    await this.flush();
    this.sink.close();
    return { sizeBytes: this.sizeBytes, sha256: this.hash.digest('hex') };
  }

  abandon(): void {
    this.gathered = new JsonBytes();
    this.sink.abandon();
  }

  private flush(): Promise<void> | undefined {
    const bytes = this.gathered.take();
    if (bytes.length > KEPT_BYTES) this.gathered = new JsonBytes();
    return bytes.length === 0 ? undefined : this.bytes(bytes);
  }
}

function unwritable(path: string, error: unknown): DataError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  const why = code === 'ENOSPC' ? 'the disk is full' : code === 'ENOENT' ? 'its folder does not exist' : code;
  return new DataError(`cannot write ${path} (${why})`, { code: 'data/unwritable', cause: error });
}

/** A device or a pipe with a name has no bytes to protect, and must never be replaced by a file. */
export function isSpecialFile(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts !== undefined && !facts.isFile() && !facts.isDirectory();
}

function partFile(path: string): Sink {
  const isDirect = isSpecialFile(path);
  const part = isDirect ? path : `${path}.part`;
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw unwritable(path, error);
    }
  };
  const file = attempt(() => openSync(part, 'w'));
  let isOpen = true;
  return {
    write: (bytes) =>
      attempt(() => {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
        return undefined;
      }),
    close: () =>
      attempt(() => {
        if (!isDirect) fsyncSync(file);
        closeSync(file);
        isOpen = false;
        if (!isDirect) renameSync(part, path);
      }),
    abandon: () => {
      if (isOpen) closeSync(file);
      isOpen = false;
      if (!isDirect) rmSync(part, { force: true });
    },
  };
}

function standardOutput(): Sink {
  return {
    write: (bytes) =>
      process.stdout.write(Buffer.from(bytes))
        ? undefined
        : new Promise((go) => process.stdout.once('drain', () => go())),
    close: () => undefined,
    abandon: () => undefined,
  };
}
