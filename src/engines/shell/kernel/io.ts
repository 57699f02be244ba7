/**
 * Input and output for commands, buffered as C's stdio is, so that merged output has the real order.
 *
 * Standard output is written when 4096 bytes have gathered (line by line on a terminal), standard error at once.
 * `out` and `err` never wait: what cannot be written is kept, and the next `yield*` of a reader, of {@link Io.drain} or
 * of the end of the command writes it. A command that produces without reading asks `mustDrain` in its loop.
 */
import { asciiBytes, joinBytes, toBytes, toText } from './byte-text.js';
import { SystemError } from './errors.js';
import { READ_BYTES } from './file-calls.js';
import type { Process } from './process.js';
import { type Running, SLICE } from './wait.js';

const BUFFER_BYTES = 4096;
/** The longest line that a program takes into memory. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
const NEWLINE = 10;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** One output stream. */
class Output {
  private parts: Uint8Array[] = [];
  /** Text in ASCII that follows the parts: joined as text, because lines are many and short. */
  private text = '';
  private buffered = 0;
  /** What the system did not take at once. */
  private stuck: Uint8Array[] = [];
  private failure: SystemError | null = null;

  constructor(
    private readonly proc: Process,
    private readonly fd: number,
    private readonly buffering: 'full' | 'line' | 'none',
  ) {}

  get isStuck(): boolean {
    return this.stuck.length > 0 || this.failure !== null;
  }

  add(data: string | Uint8Array): void {
    if (data.length === 0) return;
    if (this.buffering === 'none') {
      this.flush();
      this.send(typeof data === 'string' ? toBytes(data) : data);
      return;
    }
    const hasLine = this.keep(data);
    if (this.buffering === 'line' && hasLine) this.flushLines();
    else if (this.buffered >= BUFFER_BYTES) this.flushWhole();
  }

  /** Takes data into the buffer; true where a line ended in it. */
  private keep(data: string | Uint8Array): boolean {
    if (typeof data === 'string' && !BEYOND_ASCII.test(data)) {
      this.text += data;
      this.buffered += data.length;
      return data.includes('\n');
    }
    const bytes = typeof data === 'string' ? toBytes(data) : data;
    this.endText();
    this.parts.push(bytes);
    this.buffered += bytes.length;
    return bytes.includes(NEWLINE);
  }

  private endText(): void {
    if (this.text === '') return;
    this.parts.push(asciiBytes(this.text));
    this.text = '';
  }

  /** Sends everything that is buffered. */
  flush(): void {
    if (this.buffered === 0) return;
    this.send(this.take());
  }

  /** Writes what is stuck. Raises what the write raises; an `EPIPE` first sends SIGPIPE. */
  *drain(): Running<void> {
    const { failure } = this;
    if (failure !== null) {
      this.failure = null;
      if (failure.code === 'EPIPE') yield* this.proc.raiseBrokenPipe();
      throw failure;
    }
    while (this.stuck.length > 0) {
      const bytes = joinBytes(this.stuck);
      this.stuck = [];
      yield* this.proc.write(this.fd, bytes);
    }
  }

  private take(): Uint8Array {
    this.endText();
    const bytes = joinBytes(this.parts);
    this.parts = [];
    this.buffered = 0;
    return bytes;
  }

  /** stdio sends whole blocks and keeps the rest. */
  private flushWhole(): void {
    const bytes = this.take();
    const whole = bytes.length - (bytes.length % BUFFER_BYTES);
    this.send(bytes.subarray(0, whole));
    if (whole === bytes.length) return;
    this.parts = [bytes.subarray(whole)];
    this.buffered = bytes.length - whole;
  }

  private flushLines(): void {
    const bytes = this.take();
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.send(bytes.subarray(0, end));
    if (end === bytes.length) return;
    this.parts = [bytes.subarray(end)];
    this.buffered = bytes.length - end;
  }

  private send(bytes: Uint8Array): void {
    if (this.failure !== null) return;
    if (this.stuck.length > 0) {
      this.stuck.push(bytes);
      return;
    }
    let rest = bytes;
    try {
      const file = this.proc.file(this.fd);
      while (rest.length > 0) {
        const written = file.writeNow(rest);
        this.proc.tick(1 + (written >> 8));
        if (written === 0) break;
        rest = rest.subarray(written);
      }
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      this.failure = error;
      return;
    }
    if (rest.length > 0) this.stuck.push(rest);
  }
}

/** Reads lines from a descriptor. */
export class LineReader {
  private piece: Uint8Array = new Uint8Array(0);
  private at = 0;
  private isAtEnd = false;
  /** Whether the last line that {@link line} gave ended in the separator. */
  endedWithSeparator = true;

  constructor(
    private readonly io: Io,
    private readonly proc: Process,
    readonly fd: number,
    private readonly separator: number = NEWLINE,
  ) {}

  /** The next line as text without its newline; null at the end. */
  *line(): Running<string | null> {
    const bytes = yield* this.lineBytes();
    return bytes === null ? null : toText(bytes);
  }

  /** The next line as bytes without its newline; null at the end. */
  *lineBytes(): Running<Uint8Array | null> {
    let before: Uint8Array[] | null = null;
    let length = 0;
    for (;;) {
      const end = this.piece.indexOf(this.separator, this.at);
      if (end >= 0) {
        const line = this.piece.subarray(this.at, end);
        this.at = end + 1;
        this.endedWithSeparator = true;
        return before === null ? line : joinBytes([...before, line]);
      }
      const rest = this.piece.subarray(this.at);
      before ??= [];
      if (rest.length > 0) before.push(rest);
      length += rest.length;
      if (length > MAX_LINE_BYTES) throw new SystemError('ENOMEM');
      this.at = 0;
      this.piece = this.isAtEnd ? new Uint8Array(0) : yield* this.io.read(this.proc, this.fd);
      if (this.piece.length === 0) {
        this.isAtEnd = true;
        this.endedWithSeparator = false;
        return before.length === 0 ? null : joinBytes(before);
      }
    }
  }
}

/** Standard streams of one command. */
export class Io {
  private readonly stdout: Output;
  private readonly stderr: Output;

  constructor(private readonly proc: Process) {
    this.stdout = new Output(proc, 1, proc.isatty(1) ? 'line' : 'full');
    this.stderr = new Output(proc, 2, 'none');
  }

  /** Writes to standard output, buffered. */
  out(data: string | Uint8Array): void {
    this.stdout.add(data);
  }

  /** Writes to standard error at once; standard output stays in its buffer. */
  err(data: string | Uint8Array): void {
    this.stderr.add(data);
  }

  /** As GNU's `error()`: flushes standard output, then writes `NAME: message` and a newline to standard error. */
  error(message: string): void {
    this.stdout.flush();
    this.stderr.add(`${this.proc.argv[0] ?? ''}: ${message}\n`);
  }

  /** True where output waits, or the time slice is used up: then `yield* io.drain()`. */
  get mustDrain(): boolean {
    return this.stdout.isStuck || this.stderr.isStuck || this.proc.tick(0);
  }

  /** Writes what waits and lets others run. */
  *drain(): Running<void> {
    if (this.stderr.isStuck) yield* this.stderr.drain();
    if (this.stdout.isStuck) yield* this.stdout.drain();
    if (this.proc.tick(0)) yield SLICE;
  }

  /** `fflush(stdout)`: writes everything now. */
  *flush(): Running<void> {
    this.stdout.flush();
    yield* this.drain();
  }

  /** A reader of lines of a descriptor. */
  lines(fd: number, separator = NEWLINE): LineReader {
    return new LineReader(this, this.proc, fd, separator);
  }

  /** One read of a descriptor, after what waits was written. On a terminal, standard output is flushed first. */
  *read(proc: Process, fd: number, max = READ_BYTES): Running<Uint8Array> {
    if (proc.isatty(fd)) this.stdout.flush();
    if (this.mustDrain) yield* this.drain();
    return yield* proc.read(fd, max);
  }
}
