/**
 * One run of a program: started without a shell in a group of its own, its output bounded, its group ended when the
 * run must stop and when this process ends, and with it what has left the group (`process-guard.ts`).
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { endMarked, MARK_VARIABLE, processGuard } from './process-guard.js';

/** Which program, and where. */
export interface ChildCommand {
  readonly words: readonly string[];
  readonly directory: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** How it ended. */
export interface ChildEnd {
  /** Null where it was ended by a signal or never started. */
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not be started, or null. */
  readonly notStarted: string | null;
  /** The end of its standard output, at most a megabyte. */
  readonly out: string;
  /** How many bytes it wrote there. */
  readonly outBytes: number;
  /** The end of its standard error, at most 8,000 characters. */
  readonly log: string;
}

/** What is kept of a program's standard output, bytes. */
export const OUT_BYTES = 1024 * 1024;
const LOG_BYTES = 8_000;
/** From asking a group to end until it is made to. */
const GRACE_MS = 2_000;
const isWindows = process.platform === 'win32';

/** Runs a program to its end; `signal` ends it early. Never rejects. */
export function runChild(command: ChildCommand, signal: AbortSignal): Promise<ChildEnd> {
  const mark = processGuard().newMark();
  let child: AgentProcess;
  try {
    child = start(command, mark);
  } catch (error) {
    // What the system refuses before there is a process: a zero in a word, too long an argument.
    const notStarted = error instanceof Error ? error.message : String(error);
    return Promise.resolve({ code: null, signal: null, notStarted, out: '', outBytes: 0, log: '' });
  }
  const group = child.pid;
  if (group !== undefined) processGuard().add(group);
  return watch(child, signal).finally(() => {
    // What it started and left behind must not act in a run that is over.
    signalGroup(group, 'SIGKILL');
    endMarked(mark);
    if (group !== undefined) processGuard().remove(group);
  });
}

type AgentProcess = ChildProcessByStdio<null, Readable, Readable>;

function start({ words, directory, env }: ChildCommand, mark: string): AgentProcess {
  const [program = '', ...args] = words;
  return spawn(program, args, {
    cwd: directory,
    env: { ...env, [MARK_VARIABLE]: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
  });
}

function watch(child: AgentProcess, signal: AbortSignal): Promise<ChildEnd> {
  return new Promise((resolve) => {
    const out = new Tail(OUT_BYTES);
    const log = new Tail(LOG_BYTES);
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => log.push(bytes));
    const end = (kill: NodeJS.Signals): void => signalGroup(child.pid, kill);
    let force: NodeJS.Timeout | undefined;
    const stop = (): void => {
      end('SIGTERM');
      force = setTimeout(() => end('SIGKILL'), GRACE_MS);
    };
    signal.addEventListener('abort', stop, { once: true });
    const settle = (how: Pick<ChildEnd, 'code' | 'signal' | 'notStarted'>): void => {
      clearTimeout(force);
      signal.removeEventListener('abort', stop);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ ...how, out: out.text(), outBytes: out.total, log: log.text() });
    };
    child.once('error', (error) => {
      if (child.pid === undefined) settle({ code: null, signal: null, notStarted: error.message });
    });
    // `close` waits for the streams, which a grandchild may hold open: a short while after the exit is enough.
    child.once('exit', (code, killed) => {
      const done = (): void => settle({ code, signal: killed, notStarted: null });
      const late = setTimeout(done, GRACE_MS / 4);
      child.once('close', () => {
        clearTimeout(late);
        done();
      });
    });
    if (signal.aborted) stop();
  });
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(isWindows ? pid : -pid, signal);
  } catch {
    // Nobody is left in the group, which is what was wanted.
  }
}

/** Keeps the last bytes of a stream. */
class Tail {
  private parts: Buffer[] = [];
  private size = 0;
  /** All bytes there were. */
  total = 0;

  constructor(private readonly limitBytes: number) {}

  push(bytes: Buffer): void {
    this.parts.push(bytes);
    this.size += bytes.length;
    this.total += bytes.length;
    if (this.size > this.limitBytes * 2) this.cut();
  }

  text(): string {
    this.cut();
    return Buffer.concat(this.parts).toString('utf8');
  }

  private cut(): void {
    const whole = Buffer.concat(this.parts);
    const kept = whole.subarray(Math.max(0, whole.length - this.limitBytes));
    this.parts = [Buffer.from(kept)];
    this.size = kept.length;
  }
}
