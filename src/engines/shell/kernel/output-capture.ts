/**
 * Standard output held back: what a program writes to descriptor 1 is kept until somebody has decided what becomes of it.
 *
 * A terminal stays a terminal, so programs lay their output out as before. What exceeds the limit, or is still held when
 * the last descriptor goes, passes through unchanged.
 */
import { joinBytes } from './byte-text.js';
import type { Inode } from './inode.js';
import { OpenFile } from './open-file.js';
import type { Process } from './process.js';
import { OpenTerminal } from './terminal.js';

/** Output that is held back. */
export interface OutputCapture {
  /** What was written so far; from now on everything passes. Descriptor 1 is what it was. */
  take(): Uint8Array;
  /** It became too much and went out unchanged. */
  readonly isPassed: boolean;
}

class Held implements OutputCapture {
  private parts: Uint8Array[] = [];
  private length = 0;
  private isOpen = true;
  isPassed = false;

  constructor(
    private readonly proc: Process,
    private readonly inner: OpenFile,
    private readonly maxBytes: number,
  ) {}

  write(bytes: Uint8Array): number {
    if (!this.isOpen) return this.inner.writeNow(bytes);
    if (this.length + bytes.length <= this.maxBytes) {
      this.parts.push(bytes.slice());
      this.length += bytes.length;
      return bytes.length;
    }
    this.isPassed = true;
    if (!this.pass()) return 0;
    this.isOpen = false;
    return this.inner.writeNow(bytes);
  }

  /** Sends what is held; false where it does not all fit now. */
  private pass(): boolean {
    while (this.parts.length > 0) {
      const bytes = joinBytes(this.parts);
      const written = this.inner.writeNow(bytes);
      this.parts = written === bytes.length ? [] : [bytes.subarray(written)];
      if (written < bytes.length && written === 0) return false;
    }
    this.length = 0;
    return true;
  }

  take(): Uint8Array {
    const bytes = joinBytes(this.parts);
    this.parts = [];
    this.isOpen = false;
    const { proc, inner } = this;
    if (proc.isOpen(1)) {
      // Kept first: the one held is the last that keeps a pipe open.
      inner.retain();
      proc.close(1);
      proc.descriptors[1] = { file: inner, closeOnExec: false };
    }
    return bytes;
  }

  /** The last descriptor goes: what is held is not lost. */
  end(): void {
    if (this.isOpen) this.pass();
    this.isOpen = false;
    this.inner.release();
  }
}

class HeldTerminal extends OpenTerminal {
  constructor(
    private readonly held: Held,
    inner: OpenTerminal,
  ) {
    super(inner.terminal, inner.mode, inner.path);
  }

  override writeNow(bytes: Uint8Array): number {
    return this.held.write(bytes);
  }

  protected override onClose(): void {
    this.held.end();
  }
}

class HeldFile extends OpenFile {
  constructor(
    private readonly held: Held,
    private readonly inner: OpenFile,
  ) {
    super(inner.mode, inner.path, inner.readable, inner.writable);
  }

  override stat(): Inode {
    return this.inner.stat();
  }

  override readNow(max: number): Uint8Array | null {
    return this.inner.readNow(max);
  }

  override writeNow(bytes: Uint8Array): number {
    return this.held.write(bytes);
  }

  override seek(offset: number, from: 'start' | 'current' | 'end'): number {
    return this.inner.seek(offset, from);
  }

  protected override onClose(): void {
    this.held.end();
  }
}

/** Holds a process's standard output back; null where it has none. */
export function captureOutput(proc: Process, maxBytes: number): OutputCapture | null {
  if (!proc.isOpen(1)) return null;
  const inner = proc.file(1);
  const held = new Held(proc, inner.retain(), maxBytes);
  const file = inner instanceof OpenTerminal ? new HeldTerminal(held, inner) : new HeldFile(held, inner);
  proc.close(1);
  proc.descriptors[1] = { file: file.retain(), closeOnExec: false };
  return held;
}
