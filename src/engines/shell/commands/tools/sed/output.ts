/**
 * Where sed writes: standard output, a file that is edited in place, and the files of w.
 *
 * A last line without its line end is written without one; whatever is written next to the same place first ends it.
 */
import { type Io, type Process, type Running, SystemError, toBytes } from '../../../kernel/index.js';
import { SedScriptError } from './script.js';

/** One place to write to. */
class Sink {
  private missingEnd = false;
  private buffer = '';

  constructor(
    private readonly send: (text: string) => void,
    private readonly keeps: boolean,
  ) {}

  line(text: string, { ended, end }: { readonly ended: boolean; readonly end: string }): void {
    this.write(ended ? `${text}${end}` : text, end);
    this.missingEnd = !ended;
  }

  write(text: string, end: string): void {
    const whole = this.missingEnd ? `${end}${text}` : text;
    this.missingEnd = false;
    if (this.keeps) this.buffer += whole;
    else this.send(whole);
  }

  take(): string {
    const { buffer } = this;
    this.buffer = '';
    return buffer;
  }
}

/** All places of one run. */
export class SedOutput {
  private readonly files = new Map<string, { readonly sink: Sink; readonly fd: number }>();
  private readonly standard: Sink;
  private readonly namedStandard: Sink;
  private readonly namedError: Sink;
  private edited: { readonly sink: Sink; readonly fd: number } | undefined;

  constructor(
    private readonly proc: Process,
    readonly io: Io,
    private readonly end: string,
  ) {
    this.standard = new Sink((text) => io.out(text), false);
    this.namedStandard = new Sink((text) => io.out(text), false);
    this.namedError = new Sink((text) => io.err(text), false);
  }

  /** Creates the files that w commands name. Raises {@link SedScriptError}. */
  *open(names: readonly string[]): Running<void> {
    for (const name of names) {
      if (name === '/dev/stdout' || name === '/dev/stderr' || this.files.has(name)) continue;
      try {
        const fd = yield* this.proc.open(name, { write: true, create: true, truncate: true });
        this.files.set(name, { sink: new Sink(() => {}, true), fd });
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        throw new SedScriptError(`couldn't open file ${name}: ${error.text}`, 4);
      }
    }
  }

  /** From now on lines go to this descriptor; undefined for standard output. */
  *edit(fd: number | undefined): Running<void> {
    yield* this.flush();
    this.edited = fd === undefined ? undefined : { sink: new Sink(() => {}, true), fd };
  }

  /** Writes a line to the main place, or to a file of w. */
  line(text: string, ended: boolean, file?: string): void {
    this.sinkOf(file).line(text, { ended, end: this.end });
  }

  /** Writes text that has its own line ends. */
  text(text: string): void {
    if (text !== '') this.sinkOf(undefined).write(text, this.end);
  }

  /** Writes what files have buffered. */
  *flush(): Running<void> {
    for (const { sink, fd } of [
      ...this.files.values(),
      ...(this.edited === undefined ? [] : [this.edited]),
    ]) {
      const text = sink.take();
      if (text !== '') yield* this.proc.write(fd, toBytes(text));
    }
  }

  private sinkOf(file: string | undefined): Sink {
    if (file === undefined) return this.edited?.sink ?? this.standard;
    if (file === '/dev/stdout') return this.namedStandard;
    if (file === '/dev/stderr') return this.namedError;
    return this.files.get(file)?.sink ?? this.standard;
  }
}
