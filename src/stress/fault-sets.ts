/**
 * Sets of faults by name: those that a suite writes, and those of the catalogue with defaults that fit a world.
 *
 * A set that cannot strike a world is not run there; it is listed with the reason, so that a table without it does not
 * look like a table that it passed. Not covered: what a fault does (room `control`).
 */
import { compileSchedule, FAULT_KINDS, type FaultSpec } from '../control/index.js';
import { fail, ok, type Result } from '../core/index.js';
import { idleFaults, type World } from '../worlds/index.js';

/** A set of faults under a name. */
export interface FaultSet {
  readonly id: string;
  readonly specs: readonly FaultSpec[];
  /** What may be asked of an agent under these faults; see the run record. */
  readonly expects: 'recovers' | 'honest-report' | 'unknown';
}

/** A set as a suite names it: its faults, or the catalogue kind that gives them for each world. */
export interface NamedFaults {
  readonly id: string;
  /** Null: the defaults of the catalogue kind that `id` names. */
  readonly specs: readonly FaultSpec[] | null;
  readonly expects: FaultSet['expects'] | null;
}

/** The set without faults. */
export const NO_FAULTS: FaultSet = { id: 'clean', specs: [], expects: 'recovers' };

/** The names of the catalogue, in its order. */
export function catalogueNames(): readonly string[] {
  return [...FAULT_KINDS.keys()];
}

/** The set for one world, or why it is not applicable there. */
export function faultsForWorld(named: NamedFaults, world: World): Result<FaultSet, string> {
  const specs = named.specs ?? defaultFaults(named.id, world);
  if (specs === null) return fail(`'${named.id}' has nothing to strike in this world`);
  const compiled = compileSchedule(specs, 0, world.domain);
  if (!compiled.ok) return fail(compiled.error.map(({ message }) => message).join('; '));
  const idle = world.spec === null ? [] : idleFaults(specs, world.spec);
  if (idle.length === specs.length && specs.length > 0)
    return fail(idle.map(({ message }) => message).join('; '));
  return ok({ id: named.id, specs, expects: named.expects ?? 'unknown' });
}

/** Default faults of a catalogue kind: once, on the first tool of the world that changes something. */
function defaultFaults(kind: string, world: World): FaultSpec[] | null {
  const tools = world.file.tools ?? [];
  const writer = tools.find(({ annotations }) => annotations?.readOnlyHint !== true)?.name;
  const on = writer === undefined ? {} : { on: writer };
  if (kind === 'timeout') return [{ kind, ...on, when: { calls: [1] }, phase: 'after' }];
  if (kind === 'error')
    return [{ kind, when: { until: { retries: 1 } }, with: { status: 503, retryAfterSeconds: 2 } }];
  return [{ kind, when: { calls: [1] } }];
}
