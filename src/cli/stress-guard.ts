/**
 * What agents that are functions may do to the process of `umwelt stress`, and what comes of it.
 *
 * They run in this process: what they print goes to standard error, what they throw where nobody waits ends their own
 * run, and a process that they end is told as a suite that was not finished, whatever exit code they chose. A signal
 * that ends the process lets what hangs on its exit (processes, folders of runs) be cleaned up.
 */
import { Console } from 'node:console';
import { takeStrayError } from '../stress/index.js';
import { EXIT, failureOf, reportFailure } from './failure.js';
import type { Output } from './output.js';

/** Exit codes of shells for these signals: 128 and the number. */
const SIGNALS = { SIGTERM: 143, SIGHUP: 129 } as const;

/** Guards this process until the suite has ended; what it returns ends that. */
export function guardSuite(output: Output): () => void {
  globalThis.console = new Console(process.stderr, process.stderr);
  let interrupted = false;
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', () => {
    interrupted = true;
    process.exit(EXIT.interrupted);
  });
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      interrupted = true;
      process.exit(code);
    });
  }
  const stray = (error: unknown): void => {
    if (takeStrayError(error)) return;
    interrupted = true;
    process.exit(reportFailure(failureOf(error), output.json, error));
  };
  process.on('unhandledRejection', stray);
  process.on('uncaughtException', stray);
  const ended = (): void => {
    if (interrupted) return;
    output.note('umwelt: an agent ended this process before the suite was done; the same command goes on');
    process.exitCode = EXIT.failed;
  };
  process.on('exit', ended);
  return () => void process.removeListener('exit', ended);
}
