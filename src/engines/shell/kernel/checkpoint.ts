/**
 * Checkpoints: how a program that waits for input lets itself be copied.
 *
 * A generator cannot be copied. A shell at its prompt is nothing but data, so it says so: while it waits for a key it
 * sets `proc.checkpoint`, and clears it when it goes on. Machines whose only live programs have checkpoints are
 * captured in O(1); all others are made again by running the inputs since the last capture once more.
 */
import type { Json } from '../../../core/index.js';
import type { Program } from './wait.js';

/** What a waiting program offers. `Captured` is immutable plain data and shared objects that are never changed again. */
export interface Checkpoint<Captured = unknown> {
  /** What the program is now; cheap (copy on write or small copies), it is called at every prompt. */
  capture(): Captured;
  /**
   * A program that goes on exactly there: it waits for input without printing anything again, and sets its own
   * checkpoint before its first wait. It runs in a process whose argv, env, descriptors, cwd, umask, ids, signal dispositions
   * other than handlers are as they were; handlers it sets again.
   */
  resume(captured: Captured): Program;
  /** As JSON, for snapshots. */
  encode(captured: Captured): Json;
  /** Back from JSON. */
  decode(json: Json): Captured;
}
