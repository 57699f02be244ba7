/**
 * What a world without an engine of its own consists of: what was there at the start, and what an agent may do.
 */
import type { Domain, JsonObject } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';

/** A world whose observations are asked for. */
export interface AskedSpec {
  /** Tells worlds apart; a snapshot belongs to one. */
  readonly id: string;
  readonly domain: Domain;
  /** What is there at the start, in the author's own form. */
  readonly state: JsonObject;
  /** The tools, where the domain has a list of its own per world (search, swe); else empty. */
  readonly tools: readonly ToolDefinition[];
  /** Start of the simulated clock, milliseconds since 1970 UTC. */
  readonly startMs: number;
}
