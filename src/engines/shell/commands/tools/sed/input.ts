/**
 * The input of sed: lines of all files as one stream, with a look ahead for `$`, or file by file with -s and -i.
 */
import { type Io, type LineReader, type Process, type Running, SystemError } from '../../../kernel/index.js';

/** One line and whether it had its line end. */
export interface SedLine {
  readonly text: string;
  readonly ended: boolean;
}

/** What happens around files; in-place editing hooks in here. */
export interface FileEvents {
  /** Called when a file was opened; false leaves it out. */
  opened(name: string, fd: number): Running<boolean>;
  /** Called when a file was read to its end. */
  closed(name: string): Running<void>;
}

/** Lines of files, one after the other. */
export class SedInput {
  /** The file that the last line came from; `-` for standard input. */
  fileName = '-';
  lineNumber = 0;
  /** Some file could not be read. */
  failed = false;
  private reader: LineReader | undefined;
  private fd = -1;
  private ahead: SedLine | undefined;
  private nextFile = 0;

  constructor(
    private readonly parts: {
      readonly proc: Process;
      readonly io: Io;
      readonly files: readonly string[];
      readonly separate: boolean;
      readonly separator: number;
      readonly events: FileEvents;
    },
  ) {}

  /** The next line; undefined at the end of all files. */
  *next(): Running<SedLine | undefined> {
    const held = this.ahead;
    this.ahead = undefined;
    if (held !== undefined) {
      this.lineNumber++;
      return held;
    }
    for (;;) {
      const line = yield* this.read();
      if (line !== undefined) {
        this.lineNumber++;
        return line;
      }
      if (!(yield* this.openNext())) return undefined;
    }
  }

  /** True if the line given last is the last one (of its file, with separate files). */
  *isLast(): Running<boolean> {
    if (this.ahead !== undefined) return false;
    for (;;) {
      const line = yield* this.read();
      if (line !== undefined) {
        this.ahead = line;
        return false;
      }
      if (this.parts.separate) return true;
      if (!(yield* this.openNext())) return true;
    }
  }

  /** True if a whole-input end is reached, also across files. */
  *isEnd(): Running<boolean> {
    if (!(yield* this.isLast())) return false;
    return !this.parts.separate || this.nextFile >= this.parts.files.length;
  }

  /** Closes what is open, as at the end. */
  *finish(): Running<void> {
    if (this.reader !== undefined) yield* this.closeFile();
  }

  private *read(): Running<SedLine | undefined> {
    const { reader } = this;
    if (reader === undefined) return undefined;
    let text: string | null;
    try {
      text = yield* reader.line();
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      throw new SystemError(error.code, this.fileName);
    }
    return text === null ? undefined : { text, ended: reader.endedWithSeparator };
  }

  private *closeFile(): Running<void> {
    this.reader = undefined;
    if (this.fd > 0) this.parts.proc.close(this.fd);
    this.fd = -1;
    yield* this.parts.events.closed(this.fileName);
  }

  private *openNext(): Running<boolean> {
    const { proc, io, files, separator, separate, events } = this.parts;
    if (this.reader !== undefined) yield* this.closeFile();
    while (this.nextFile < files.length) {
      const name = files[this.nextFile++] ?? '-';
      try {
        const fd = name === '-' ? 0 : yield* proc.open(name);
        this.fileName = name;
        if (!(yield* events.opened(name, fd))) {
          if (fd > 0) proc.close(fd);
          continue;
        }
        this.fd = fd;
        this.reader = io.lines(fd, separator);
        if (separate) this.lineNumber = 0;
        return true;
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        this.failed = true;
        io.err(`sed: can't read ${name}: ${error.text}\n`);
      }
    }
    return false;
  }
}
