/**
 * The one table of functions that rules can call. There are no others, and rules cannot define any.
 */
import type { RuleFunction } from './function-arguments.js';
import { LIST_FUNCTIONS } from './list-functions.js';
import { MAP_FUNCTIONS } from './map-functions.js';
import { NUMBER_FUNCTIONS } from './number-functions.js';
import { TEXT_FUNCTIONS } from './text-functions.js';
import { TIME_FUNCTIONS } from './time-functions.js';

/** Every function by name. */
export const FUNCTIONS: ReadonlyMap<string, RuleFunction> = new Map(
  [LIST_FUNCTIONS, MAP_FUNCTIONS, NUMBER_FUNCTIONS, TEXT_FUNCTIONS, TIME_FUNCTIONS].flatMap((table) =>
    Object.entries(table),
  ),
);
