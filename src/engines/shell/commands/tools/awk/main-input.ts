/**
 * The main input of an awk program: the files of ARGV one after the other, with assignments among them.
 */
import { type Io, type Process, type Running, SystemError } from '../../../kernel/index.js';
import { unescapeAwk } from './lexer.js';
import { RecordReader } from './records.js';
import type { AwkRuntime } from './runtime.js';
import { textOf } from './streams.js';
import { AwkFatal } from './syntax-error.js';
import { inputValue, toNumber } from './values.js';

/** Reads the records of all files. */
export class MainInput {
  private reader: RecordReader | undefined;
  private nextArgument = 1;
  private sawFile = false;
  private finished = false;

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
    private readonly runtime: AwkRuntime,
  ) {}

  /** The next record, counted in NR and FNR; undefined at the end. */
  *next(): Running<string | undefined> {
    const { runtime } = this;
    for (;;) {
      if (this.reader === undefined && !(yield* this.openNext())) return undefined;
      const record = yield* this.read();
      if (record !== undefined) {
        for (const name of ['NR', 'FNR']) {
          const slot = runtime.global(name);
          slot.set(toNumber(slot.get()) + 1);
        }
        return record;
      }
      this.skipFile();
    }
  }

  private *read(): Running<string | undefined> {
    try {
      return yield* this.reader?.next(this.runtime.recordSeparator()) ?? none();
    } catch (error) {
      if (!(error instanceof SystemError) || error.code !== 'EISDIR') throw error;
      throw new AwkFatal(`read error (${error.text})`);
    }
  }

  /** Leaves the current file. */
  skipFile(): void {
    const fd = this.reader?.fd ?? 0;
    if (fd > 0) this.proc.close(fd);
    this.reader = undefined;
  }

  private *openNext(): Running<boolean> {
    const { runtime } = this;
    const arguments_ = runtime.global('ARGV').asArray();
    while (!this.finished && this.nextArgument < toNumber(runtime.global('ARGC').get())) {
      const at = this.nextArgument++;
      if (!arguments_.has(at)) continue;
      const name = runtime.text(arguments_.get(at));
      if (name === '' || this.assigns(name)) continue;
      this.sawFile = true;
      yield* this.open(name);
      return true;
    }
    if (this.sawFile || this.finished) {
      this.finished = true;
      return false;
    }
    this.finished = true;
    yield* this.open('-');
    return true;
  }

  private *open(name: string): Running<void> {
    try {
      const isInput = name === '-' || name === '/dev/stdin';
      const fd = isInput ? 0 : yield* this.proc.open(textOf(name), { closeOnExec: true });
      this.reader = new RecordReader(this.proc, this.io, fd);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      throw new AwkFatal(`cannot open ${textOf(name)} (${error.text})`);
    }
    this.runtime.global('FNR').set(0);
    if (this.sawFile) this.runtime.global('FILENAME').set(name);
  }

  /** Carries out an argument of the form `name=value`. */
  private assigns(argument: string): boolean {
    const found = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(argument);
    if (found === null) return false;
    this.runtime.global(found[1] ?? '').set(inputValue(unescapeAwk(found[2] ?? '')));
    return true;
  }
}

// biome-ignore lint/correctness/useYield: nothing is open
function* none(): Running<undefined> {
  return undefined;
}
