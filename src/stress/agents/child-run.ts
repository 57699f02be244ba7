/**
 * One run of a program: started without a shell in a group of its own, its output bounded, its group ended when the
 * run must stop and when this process ends.
 */
import { spawn } from 'node:child_process';

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
  /** The end of its standard error, at most 8,000 characters. */
  readonly log: string;
}

const OUT_BYTES = 1024 * 1024;
const LOG_BYTES = 8_000;
/** From asking a group to end until it is made to. */
const GRACE_MS = 2_000;
const isWindows = process.platform === 'win32';

/** Runs a program to its end; `signal` ends it early. Never rejects. */
export function runChild(command: ChildCommand, signal: AbortSignal): Promise<ChildEnd> {
  const [program = '', ...args] = command.words;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: command.directory,
      env: { ...command.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: !isWindows,
    });
    const out = new Tail(OUT_BYTES);
    const log = new Tail(LOG_BYTES);
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => log.push(bytes));
    const end = (kill: NodeJS.Signals): void => signalGroup(child.pid, kill);
    const killAll = (): void => end('SIGKILL');
    let force: NodeJS.Timeout | undefined;
    const stop = (): void => {
      end('SIGTERM');
      force = setTimeout(killAll, GRACE_MS);
    };
    process.once('exit', killAll);
    signal.addEventListener('abort', stop, { once: true });
    const settle = (how: Pick<ChildEnd, 'code' | 'signal' | 'notStarted'>): void => {
      clearTimeout(force);
      signal.removeEventListener('abort', stop);
      process.removeListener('exit', killAll);
      // What it started and left behind must not act in a run that is over.
      killAll();
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ ...how, out: out.text(), log: log.text() });
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

  constructor(private readonly limitBytes: number) {}

  push(bytes: Buffer): void {
    this.parts.push(bytes);
    this.size += bytes.length;
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
