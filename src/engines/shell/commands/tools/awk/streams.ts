/**
 * Files and commands that an awk program reads and writes, by name.
 *
 * Standard output is the command's; `/dev/stdout`, `-` and `/dev/stderr` are known by name. A command is `sh -c`
 * behind a pipe. Everything is flushed before a command starts, as mawk does.
 */
import {
  type Io,
  type Process,
  type Running,
  SystemError,
  shellStatus,
  toText,
} from '../../../kernel/index.js';
import { bytesOf } from '../../program/latin1.js';
import { RecordReader } from './records.js';
import { AwkFatal } from './syntax-error.js';

const BUFFER = 4096;

interface OutputStream {
  readonly fd: number;
  readonly pid: number | undefined;
  buffer: string;
}

/** All open streams of one program. */
export class AwkStreams {
  private readonly outputs = new Map<string, OutputStream>();
  private readonly inputs = new Map<string, RecordReader>();

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
  ) {}

  /** Writes to standard output. */
  print(text: string): void {
    this.io.out(bytesOf(text));
  }

  /** Writes to a file or a command, which is opened first. Raises {@link AwkFatal}. */
  *write(how: '>' | '>>' | '|', name: string, text: string): Running<void> {
    if (how !== '|') {
      if (name === '/dev/stdout' || name === '-') {
        this.print(text);
        return;
      }
      if (name === '/dev/stderr') {
        this.io.err(bytesOf(text));
        return;
      }
    }
    const stream = this.outputs.get(name) ?? (yield* this.openOutput(how, name));
    stream.buffer += text;
    if (stream.buffer.length >= BUFFER) yield* this.send(stream);
  }

  private *send(stream: OutputStream): Running<void> {
    const text = stream.buffer;
    stream.buffer = '';
    if (text === '') return;
    try {
      yield* this.proc.write(stream.fd, bytesOf(text));
    } catch (error) {
      if (!(error instanceof SystemError) || error.code !== 'EPIPE') throw error;
    }
  }

  private *openOutput(how: '>' | '>>' | '|', name: string): Running<OutputStream> {
    let stream: OutputStream;
    if (how === '|') {
      yield* this.flushAll();
      const { fd, pid } = this.spawn(name, 0);
      stream = { fd, pid, buffer: '' };
    } else {
      const path = textOf(name);
      try {
        const append = how === '>>';
        const flags = { write: true, create: true, append, truncate: !append, closeOnExec: true };
        stream = { fd: yield* this.proc.open(path, flags), pid: undefined, buffer: '' };
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        throw new AwkFatal(`cannot open "${path}" for output (${error.text})`);
      }
    }
    this.outputs.set(name, stream);
    return stream;
  }

  /** Starts a shell command with one end of a pipe as its descriptor `end`; gives the other end. */
  private spawn(command: string, end: 0 | 1): { readonly fd: number; readonly pid: number } {
    const { proc } = this;
    const [read, write] = proc.pipe();
    const [mine, theirs] = end === 0 ? [write, read] : [read, write];
    const child = proc.fork(function* (forked) {
      forked.dup2(theirs, end);
      forked.close(read);
      forked.close(write);
      return yield* forked.exec('/bin/sh', ['sh', '-c', textOf(command)]);
    });
    proc.close(theirs);
    const descriptor = proc.descriptors[mine];
    if (descriptor !== undefined) descriptor.closeOnExec = true;
    return { fd: mine, pid: child.pid };
  }

  /** The reader of a file or a command; undefined where a file cannot be read. */
  *reader(from: 'file' | 'command', name: string): Running<RecordReader | undefined> {
    const known = this.inputs.get(name);
    if (known !== undefined) return known;
    let reader: RecordReader;
    if (from === 'command') {
      yield* this.flushAll();
      const { fd, pid } = this.spawn(name, 1);
      reader = new RecordReader(this.proc, this.io, fd, pid);
    } else {
      try {
        const isInput = name === '-' || name === '/dev/stdin';
        const fd = isInput ? 0 : yield* this.proc.open(textOf(name), { closeOnExec: true });
        reader = new RecordReader(this.proc, this.io, fd);
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        return undefined;
      }
    }
    this.inputs.set(name, reader);
    return reader;
  }

  /** `close(name)`: the status of what it was, -1 where nothing is open. */
  *close(name: string): Running<number> {
    const output = this.outputs.get(name);
    let status = -1;
    if (output !== undefined) {
      this.outputs.delete(name);
      yield* this.send(output);
      status = yield* this.end(output.fd, output.pid);
    }
    const input = this.inputs.get(name);
    if (input !== undefined) {
      this.inputs.delete(name);
      status = yield* this.end(input.fd, input.pid);
    }
    return status;
  }

  private *end(fd: number, pid: number | undefined): Running<number> {
    if (fd !== 0) this.proc.close(fd);
    return pid === undefined ? 0 : yield* this.statusOf(pid);
  }

  private *statusOf(pid: number): Running<number> {
    const event = yield* this.proc.wait({ pid });
    const status = event?.status;
    if (status?.signal !== undefined) return 256 + status.signal;
    return status === undefined ? 0 : shellStatus(status);
  }

  /** `system(command)`. */
  *system(command: string): Running<number> {
    yield* this.flushAll();
    const child = this.proc.fork(function* (forked) {
      return yield* forked.exec('/bin/sh', ['sh', '-c', textOf(command)]);
    });
    return yield* this.statusOf(child.pid);
  }

  /** Writes everything that is buffered. */
  *flushAll(): Running<void> {
    yield* this.io.flush();
    for (const stream of this.outputs.values()) yield* this.send(stream);
  }

  /** `fflush(name)`: 0, or -1 where no such output is open. */
  *flush(name: string | undefined): Running<number> {
    if (name === undefined || name === '' || name === '/dev/stdout') {
      yield* this.io.flush();
      return 0;
    }
    const stream = this.outputs.get(name);
    if (stream === undefined) return -1;
    yield* this.send(stream);
    return 0;
  }

  /** Closes everything, as at the end of the program. */
  *closeAll(): Running<void> {
    yield* this.flushAll();
    for (const name of [...this.outputs.keys(), ...this.inputs.keys()]) yield* this.close(name);
  }
}

/** A byte string as text. */
export function textOf(bytes: string): string {
  return toText(bytesOf(bytes));
}
