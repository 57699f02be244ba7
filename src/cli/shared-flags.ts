/**
 * Flags that mean the same wherever they stand.
 */
import type { FlagSpec } from './command.js';

/** Facts as JSON lines. */
export const JSON_FLAG: FlagSpec = { type: 'boolean', about: 'print JSON lines on standard output' };

/** The seed of an episode. */
export const SEED: FlagSpec = {
  type: 'integer',
  value: 'N',
  about: "decides everything the world leaves open (default: the world's seed)",
};
