/**
 * Process 1: waits, and carries out what the service manager has due.
 */
import type { Program } from '../kernel/index.js';
import { managerOf } from './supervisor.js';

/** The program. */
export const initProgram: Program = function* (proc) {
  const manager = managerOf(proc.kernel);
  for (;;) {
    yield* proc.block([proc.childQueue, manager.alarm, proc.kernel.jumped], manager.nextDueUs());
    manager.tick();
  }
};
