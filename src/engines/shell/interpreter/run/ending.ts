/**
 * The end of a shell: the EXIT trap, what is still to be written, and its status.
 */
import type { Running } from '../../kernel/index.js';
import type { Shell } from '../shell.js';
import { flushOutput } from './output.js';
import { runTrap } from './traps.js';

/** Runs the EXIT trap and gives the status that the process ends with. */
export function* endShell(shell: Shell, status: number): Running<number> {
  let result = shell.jump?.kind === 'exit' ? shell.lastStatus : status;
  shell.jump = undefined;
  shell.lastStatus = result;
  const action = shell.traps.get('EXIT');
  if (action !== undefined && action !== '') {
    shell.traps.delete('EXIT');
    shell.frames = [];
    yield* runTrap(shell, 'EXIT', action);
    if ((shell.jump as { kind: string } | undefined)?.kind === 'exit') result = shell.lastStatus;
  }
  yield* flushOutput(shell);
  return result & 0xff;
}
