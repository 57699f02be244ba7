/**
 * Functions on maps. Maps are never changed: every function gives a new one. Keys keep the order of the data.
 */
import type { Json, JsonObject } from '../core/index.js';
import { type FunctionTable, mapAt, textAt } from './function-arguments.js';
import type { Run } from './run.js';
import { keysOf, kindOf, setOwn } from './values.js';

function copy(run: Run, from: readonly JsonObject[], without?: string): Record<string, Json> {
  const result: Record<string, Json> = {};
  let size = 0;
  for (const map of from) {
    const keys = keysOf(run, map);
    size += keys.length;
    run.reserve(size, 'map');
    for (const key of keys) if (key !== without) setOwn(result, key, map[key] as Json);
  }
  return result;
}

/** The functions on maps, and `type`. */
export const MAP_FUNCTIONS: FunctionTable = {
  keys: { form: 'keys(map)', arity: [1, 1], apply: (run, args) => keysOf(run, mapAt(run, args, 0)) },
  values: {
    form: 'values(map)',
    arity: [1, 1],
    apply: (run, args) => {
      const map = mapAt(run, args, 0);
      return keysOf(run, map).map((key) => map[key] as Json);
    },
  },
  merge: {
    form: 'merge(map, map)',
    arity: [2, 2],
    apply: (run, args) => copy(run, [mapAt(run, args, 0), mapAt(run, args, 1)]),
  },
  with: {
    form: 'with(map, key, value)',
    arity: [3, 3],
    apply: (run, args) => {
      const result = copy(run, [mapAt(run, args, 0)]);
      setOwn(result, textAt(run, args, 1), args[2] as Json);
      return result;
    },
  },
  without: {
    form: 'without(map, key)',
    arity: [2, 2],
    apply: (run, args) => copy(run, [mapAt(run, args, 0)], textAt(run, args, 1)),
  },
  type: { form: 'type(x)', arity: [1, 1], apply: (_run, args) => kindOf(args[0] as Json) ?? 'null' },
};
