/**
 * Commands: a name, where its binary is, and a body that gets a process and its streams.
 *
 * {@link commandProgram} adds what every C program has: standard output is flushed at the end, a write error there is
 * told and makes the status 1, and a system error that the body did not word is told as `NAME: PATH: strerror`.
 */
import { SystemError } from './errors.js';
import { Io } from './io.js';
import type { Process } from './process.js';
import type { Program, Running } from './wait.js';

/** What a command is. */
export interface Command {
  readonly name: string;
  /** Where its binary is, for example `/usr/bin/ls`. */
  readonly path: string;
  /** The size of its binary in Debian 12, as `ls -l` shows it. Default 35,000. */
  readonly sizeBytes?: number;
  /** Runs it; `proc.argv` holds name and arguments. Returns the exit status. */
  readonly run: (proc: Process, io: Io) => Running<number>;
  /** The status of errors that are not the body's own words. Default 1. */
  readonly failStatus?: number;
}

/** Ends a command from anywhere inside it: `throw new Exit(2)`. */
export class Exit extends Error {
  constructor(readonly status: number) {
    super(`exit ${status}`);
    this.name = 'Exit';
  }
}

/** The program of a command. */
export function commandProgram(command: Command): Program {
  return function* (proc) {
    const io = new Io(proc);
    let status: number;
    try {
      status = yield* command.run(proc, io);
    } catch (error) {
      if (error instanceof Exit) status = error.status;
      else if (error instanceof SystemError) {
        status = command.failStatus ?? 1;
        if (error.code !== 'EPIPE') io.error(error.message);
      } else throw error;
    }
    try {
      yield* io.flush();
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      status = command.failStatus ?? 1;
      io.error(`write error: ${error.text}`);
      yield* drainWhatCan(io);
    }
    return status;
  };
}

/** Writes what is left; a standard error that cannot be written loses its message, as in C. */
function* drainWhatCan(io: Io): Running<void> {
  try {
    yield* io.drain();
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}
