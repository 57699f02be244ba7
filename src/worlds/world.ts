/**
 * A world: a file that was read, checked and found good, ready to be lived in.
 *
 * It holds no state of its own; room `sim` opens episodes on it.
 */
import type { Domain } from '../core/index.js';
import type { MachineSpec, ToolWorldSpec } from '../engines/index.js';
import type { WorldFile } from './world-file.js';
import type { WorldProblem } from './world-problem.js';

/** A script of a world as the exact action texts an agent would send. */
export interface Script {
  readonly id: string;
  /** What the script is for, or what mistake it makes. */
  readonly why?: string;
  readonly actions: readonly string[];
}

/** A checked world. */
export interface World {
  readonly name: string;
  readonly domain: Domain;
  /** The title, or the name where the file has none. */
  readonly title: string;
  /** The description, or the empty string where the file has none. */
  readonly description: string;
  /** Where the file lies, or null for a world made from text. */
  readonly path: string | null;
  /** SHA-256 (64 hex digits) of the canonical JSON of the resolved file without `x-` keys. */
  readonly hash: string;
  /** Writes that canonical JSON: a world file that needs no other file; loading it gives the same hash. */
  readonly text: () => string;
  /** The resolved file with defaults filled in. */
  readonly file: WorldFile;
  /** What the tools engine opens; null for other domains. */
  readonly spec: ToolWorldSpec | null;
  /** What the shell engine opens; null for other domains. */
  readonly machine: MachineSpec | null;
  /** The harness whose tools a swe world has; null where nobody computes it, and in other domains. */
  readonly harness: string | null;
  /** The script that solves the task, as action texts; empty where the file has none. */
  readonly oracle: readonly string[];
  /** The scripts that must not solve the task. */
  readonly wrong: readonly Script[];
  /** What is odd but not wrong. */
  readonly warnings: readonly WorldProblem[];
}
