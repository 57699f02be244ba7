/**
 * What a session of coding tools remembers beside the machine.
 */
import type { Json } from '../../../core/index.js';
import type { MachineSpec } from '../machine/machine-spec.js';

/** A swe world for the engine. */
export interface SweSpec {
  readonly machine: MachineSpec;
  /** The harness whose tools there are, such as `claude-code`. */
  readonly harness: string;
}

/** A command in the background. */
export interface SweJob {
  readonly id: string;
  readonly pid: number;
  readonly command: string;
  /** The file it writes into, and how much of it was shown. */
  readonly path: string;
  readonly shown: number;
  readonly isKilled: boolean;
}

/** Plain values: they are part of snapshots. */
export interface SweState {
  readonly folder: string;
  readonly variables: string;
  /** Path → text as it was last read or written, for harnesses that ask for a read before a change. */
  readonly known: Readonly<Record<string, string>>;
  /** Path → texts before the last changes, for undoing. */
  readonly before: Readonly<Record<string, readonly string[]>>;
  readonly jobs: readonly SweJob[];
  readonly todos: Json;
}

/** The state at the start. */
export function startState({ machine }: SweSpec): SweState {
  return { folder: machine.cwd, variables: '', known: {}, before: {}, jobs: [], todos: [] };
}
