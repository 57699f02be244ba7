/**
 * What can be expected of an agent in a world under faults: that it does the task, or that it says honestly that it
 * could not.
 *
 * Two sources: a run of the recovering oracle (`runRecoveringOracle`), and the catalogue, which says of each kind
 * whether a permanent fault of it can be lived with. The oracle knows the solution, so it is also asked whether the
 * answers that it saw still hold the values that its later actions use. An impossible fault must not blame an agent.
 */
import { compileSchedule, FAULT_KINDS, type FaultSpec } from '../../control/index.js';
import { type AppliedFault, isJsonObject, type Json, parseJson } from '../../core/index.js';
import type { World } from '../../worlds/index.js';
import { type RecoveringRun, runRecoveringOracle } from './recovering-oracle.js';

/** `recovers` a good agent does the task · `honest-report` it cannot, and says so · `unknown` nobody can tell. */
export type Expectation = 'recovers' | 'honest-report' | 'unknown';

/** An expectation with its reason. */
export interface ExpectedOutcome {
  readonly expectation: Expectation;
  readonly why: string;
  /** What the recovering oracle did; null where the world has no oracle. */
  readonly run: RecoveringRun | null;
}

/** Works out what to expect. Raises `usage/bad-argument` for faults that the world cannot have. */
export async function expectationOf(
  world: World,
  faults: readonly FaultSpec[] = world.file.faults,
  options: { readonly seed?: number } = {},
): Promise<ExpectedOutcome> {
  const run = world.oracle.length === 0 ? null : await runRecoveringOracle(world, { faults, ...options });
  if (run === null || run.reward === null) return { ...fromCatalogue(faults), run };
  const lost = run.reward === 1 ? missingValues(world, run) : [];
  const blame = hopeless(run.applied);
  if (run.reward === 1 && (lost.length === 0 || blame.length === 0)) {
    const struck = new Set(run.applied.map(({ kind }) => kind)).size;
    const why = struck === 0 ? 'no fault meets what the oracle does' : 'the recovering oracle does the task';
    return { expectation: 'recovers', why, run };
  }
  if (run.reward === 1) {
    const why = `${blame.join(', ')} takes away what the task needs: ${lost.slice(0, 3).join(', ')}`;
    return { expectation: 'honest-report', why, run };
  }
  if (run.applied.length === 0) {
    return { expectation: 'unknown', why: 'the oracle fails without any fault', run };
  }
  const stuck = run.actions.find(({ done }) => !done)?.action.slice(0, 120);
  const why = `the recovering oracle does not do the task${stuck === undefined ? '' : `; it stays at ${stuck}`}`;
  return { expectation: 'honest-report', why, run };
}

/** Without an oracle: what the catalogue says of the schedule. */
function fromCatalogue(faults: readonly FaultSpec[]): Omit<ExpectedOutcome, 'run'> {
  const schedule = compileSchedule(faults, 0);
  const hard = schedule.ok
    ? schedule.value.faults.filter(({ kind, permanent }) => permanent && kind.permanently === 'honest-report')
    : [];
  if (hard.length === 0) {
    return { expectation: 'recovers', why: 'every fault ends or can be lived with, as the catalogue says' };
  }
  const names = hard.map(({ kind }) => kind.name).join(', ');
  return { expectation: 'unknown', why: `${names} never ends, and the world has no oracle to try it with` };
}

/** Kinds that struck, never end, and cannot be lived with. */
function hopeless(applied: readonly AppliedFault[]): readonly string[] {
  const kinds = applied
    .filter(({ kind, permanent }) => permanent === true && FAULT_KINDS.get(kind)?.permanently === 'honest-report')
    .map(({ kind }) => kind);
  return [...new Set(kinds)];
}

/** Values that the solution uses and that an agent could have seen without the faults, and has not seen with them. */
function missingValues(world: World, run: RecoveringRun): readonly string[] {
  const known = world.file.task ?? '';
  let clean = known;
  let seen = known;
  const missing = new Set<string>();
  for (const { action, steps, clean: answer } of run.actions) {
    for (const value of valuesOf(action)) {
      if (holds(clean, value) && !holds(seen, value)) missing.add(value);
    }
    clean += `\n${answer ?? ''}`;
    seen += `\n${steps.map(({ observation }) => observation ?? '').join('\n')}`;
  }
  return [...missing];
}

function holds(text: string, value: string): boolean {
  return text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1));
}

/** The values of an action that are not said by chance: texts and numbers of at least three characters. */
function valuesOf(action: string): readonly string[] {
  const read = parseJson(action);
  const found: string[] = [];
  const look = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value as readonly Json[]) look(item);
    else if (isJsonObject(value)) for (const member of Object.values(value)) look(member);
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
      if (String(value).length >= 3) found.push(String(value));
    }
  };
  if (read.ok && isJsonObject(read.value)) look(read.value.arguments ?? read.value.answer ?? null);
  return found;
}
