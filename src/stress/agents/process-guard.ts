/**
 * Sees to it that nothing of a command agent outlives this process, however this process ends, kill -9 included.
 *
 * The idea: one small shell process of a session of its own reads from a pipe which process groups are running now; when
 * the pipe closes, this process has gone, and the shell ends the groups of the last line, every process that carries
 * this process's mark in its environment, and the folder that the runs had. Where there is no `sh` or no `/proc` that
 * part is left out. Not covered: Windows, and a program that leaves its group and clears its environment.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

/** The variable that marks every process of our agents; its value is of this process, or of one run. */
export const MARK_VARIABLE = 'UMWELT_STRESS_MARK';

const SCRIPT = `trap '' INT TERM HUP
groups=
while IFS= read -r line; do groups=$line; done
for group in $groups; do kill -9 -- "-$group" 2>/dev/null; done
for file in /proc/[0-9]*/environ; do
  if grep -qsaF "$1" "$file"; then pid=\${file#/proc/}; kill -9 "\${pid%/environ}" 2>/dev/null; fi
done
rm -rf -- "$2"`;

/** Watches over the processes and the files of all runs of this process. */
class ProcessGuard {
  private readonly mark = randomBytes(16).toString('hex');
  private readonly folder = mkdtempSync(join(tmpdir(), 'umwelt-agents-'));
  private readonly running = new Set<number>();
  private readonly shell: ChildProcessByStdio<Writable, null, null> | null = this.start();
  private made = 0;

  constructor() {
    process.once('exit', () => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** A mark for one run: it begins with that of this process. */
  newMark(): string {
    return `${this.mark}-${++this.made}`;
  }

  /** A new folder for one run. */
  newFolder(): string {
    return mkdtempSync(join(this.folder, 'run-'));
  }

  /** Takes a process group under guard. */
  add(group: number): void {
    this.running.add(group);
    this.tell();
  }

  /** The group has ended. */
  remove(group: number): void {
    this.running.delete(group);
    this.tell();
  }

  private tell(): void {
    this.shell?.stdin.write(`${[...this.running].join(' ')}\n`);
  }

  private start(): ChildProcessByStdio<Writable, null, null> | null {
    if (process.platform === 'win32') return null;
    const words = ['-c', SCRIPT, 'umwelt-guard', `${MARK_VARIABLE}=${this.mark}`, this.folder];
    // It must not carry the mark of a run that this process itself may be an agent of.
    const env = { PATH: process.env.PATH ?? '' };
    const shell = spawn('sh', words, { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env });
    // Without a shell there is no guard; the runs end their processes themselves as long as this process lives.
    shell.on('error', () => undefined);
    shell.stdin.on('error', () => undefined);
    shell.unref();
    (shell.stdin as Writable & { unref?: () => void }).unref?.();
    return shell;
  }
}

let guard: ProcessGuard | undefined;

/** The guard of this process, made when it is first needed. */
export function processGuard(): ProcessGuard {
  guard ??= new ProcessGuard();
  return guard;
}

/** Ends every process that carries this mark, wherever it has gone. Only where `/proc` shows environments (Linux). */
export function endMarked(mark: string): void {
  const wanted = `${MARK_VARIABLE}=${mark}\0`;
  for (const pid of processIds()) {
    if (pid === process.pid || !environmentOf(pid).includes(wanted)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended in the meantime.
    }
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function environmentOf(pid: number): string {
  try {
    return `${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`;
  } catch {
    return '';
  }
}
