/**
 * Sets of faults by name: those that a suite writes, and those of the catalogue with defaults that fit a world.
 *
 * A set that cannot strike a world is not run there; it is listed with the reason, so that a table without it does not
 * look like a table that it passed. What may be asked of an agent under a set is found out by playing the world's own
 * solution with care. Both are worked out once for each world. Not covered: what a fault does (room `control`).
 */
import { compileSchedule, FAULT_KINDS, type FaultSpec } from '../control/index.js';
import { canonicalJson, fail, type Json, ok, type Result } from '../core/index.js';
import { expectationOf, suggestFault } from '../sim/index.js';
import { idleFaults, type World } from '../worlds/index.js';
import { CLEAN } from './run-record.js';

/** A set of faults under a name. */
export interface FaultSet {
  readonly id: string;
  readonly specs: readonly FaultSpec[];
  /** What may be asked of an agent under these faults; see the run record. */
  readonly expects: 'recovers' | 'honest-report' | 'unknown';
  /** Where the goal can be reached in part only: the verifiers that the solution, played with care, passes. */
  readonly reachable?: readonly string[];
}

/** A set as a suite names it: its faults, or the catalogue kind that gives them for each world. */
export interface NamedFaults {
  readonly id: string;
  /** Null: the defaults of the catalogue kind that `id` names. */
  readonly specs: readonly FaultSpec[] | null;
  readonly expects: FaultSet['expects'] | null;
}

/** The set without faults. */
export const NO_FAULTS: FaultSet = { id: CLEAN, specs: [], expects: 'recovers' };

/** The names of the catalogue, in its order. */
export function catalogueNames(): readonly string[] {
  return [...FAULT_KINDS.keys()];
}

/** The set for one world, or why it is not applicable there. The seed is that of the first trial. */
export async function faultsForWorld(
  named: NamedFaults,
  world: World,
  seed: number,
): Promise<Result<FaultSet, string>> {
  const found = named.specs === null ? await suggestedFor(named.id, world) : ok(named.specs);
  if (!found.ok) return found;
  const specs = found.value;
  const compiled = compileSchedule(specs, 0, world.domain);
  if (!compiled.ok) return fail(compiled.error.map(({ message }) => message).join('; '));
  const idle = world.spec === null ? [] : idleFaults(specs, world.spec);
  if (idle.length === specs.length && specs.length > 0) {
    return fail(idle.map(({ message }) => message).join('; '));
  }
  const common = { id: named.id, specs };
  if (named.expects !== null) return ok({ ...common, expects: named.expects });
  return ok({ ...common, ...(await expected(world, specs, seed)) });
}

type Expected = Pick<FaultSet, 'expects' | 'reachable'>;
type Suggestion = Result<readonly FaultSpec[], string>;
const SUGGESTED = new WeakMap<World, Map<string, Promise<Suggestion>>>();
const EXPECTED = new WeakMap<World, Map<string, Promise<Expected>>>();

function suggestedFor(kind: string, world: World): Promise<Suggestion> {
  return once(SUGGESTED, { world, key: kind }, async () => {
    const { faults, why } = await suggestFault(world, kind);
    return faults === null ? fail(why ?? 'nothing of this kind can strike here') : ok(faults);
  });
}

function expected(world: World, specs: readonly FaultSpec[], seed: number): Promise<Expected> {
  const key = canonicalJson([seed, specs as unknown as Json]);
  return once(EXPECTED, { world, key }, async () => {
    const all = [...world.file.faults, ...specs];
    const { expectation, reachable } = await expectationOf(world, all, { seed });
    return { expects: expectation, ...(reachable !== undefined && { reachable }) };
  });
}

function once<T>(
  kept: WeakMap<World, Map<string, Promise<T>>>,
  { world, key }: { readonly world: World; readonly key: string },
  make: () => Promise<T>,
): Promise<T> {
  const known = kept.get(world) ?? new Map<string, Promise<T>>();
  kept.set(world, known);
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
