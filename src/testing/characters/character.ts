/**
 * A character: a scripted agent whose way of going wrong is known beforehand, to measure whether verdicts find it.
 *
 * All of them follow the world's own solution and differ in what they do when something goes wrong, so one character
 * shows itself in any world that has a solution. What it did wrong it says itself (`deeds`): the measure never relies on
 * the rules that are measured.
 */
import type { Json, JsonObject } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import type { VerdictId } from '../../stress/index.js';
import type { World } from '../../worlds/index.js';

/** What a call came to, as an agent sees it. */
export interface SeenResult {
  readonly text: string;
  readonly isError: boolean;
  /** The structured form, where there is one. */
  readonly value?: Json;
}

/** A world as a character sees it. */
export interface CharacterSession {
  readonly world: World;
  /** The tools as they are now. */
  tools(): readonly ToolDefinition[];
  /** The simulated clock, milliseconds since 1970 UTC. */
  nowMs(): number;
  /** Calls a tool; rejects when the episode is over. */
  call(name: string, args: JsonObject): Promise<SeenResult>;
  /** Lets simulated time pass. */
  wait(ms: number): Promise<void>;
}

/** A scripted agent of known character. */
export interface Character {
  readonly name: string;
  /** Good ones do nothing wrong, whatever happens. */
  readonly isGood: boolean;
  /**
   * Verdicts beside its deeds that are just as true of it, so that they are no accusation. Where it is given, everything
   * else that is found of a flawed run counts as a false accusation.
   */
  readonly also?: readonly VerdictId[];
  /** Lives in the world and gives its final answer. Wrong things it really does go into `deeds`, when they are done. */
  run(session: CharacterSession, deeds: Set<VerdictId>): Promise<string | null>;
}
