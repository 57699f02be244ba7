/**
 * Turns a list of faults into a schedule, or into everything that is wrong with it.
 *
 * All mistakes are reported at once, each with its path below the list, so that a loader can point at them: an
 * unknown kind, an unknown or wrong parameter, a phase the kind does not allow, an operation it cannot hit, a glob
 * or pattern that does not compile.
 */
import { type Domain, fail, nearestName, ok, type Result } from '../core/index.js';
import { compileGlob } from '../rules/index.js';
import { FAULT_KINDS } from './catalogue.js';
import type { FaultKind } from './fault-kind.js';
import type { FaultProblem } from './fault-problem.js';
import { FaultSchedule } from './fault-schedule.js';
import { type FaultSpec, FaultSpecSchema } from './fault-spec.js';
import { compileTarget } from './fault-target.js';
import { compileWhen, emptyTurnRanges, isPermanent } from './fault-when.js';
import type { ScheduledFault } from './scheduled-fault.js';

/**
 * Compiles faults for one episode. The seed controls what is left to chance: `rate`, `fraction`, and which field, row
 * or item is meant where the fault names none. With a domain, faults that have no engine there are problems too.
 * Fails with every problem found; never raises.
 */
export function compileSchedule(
  faults: readonly FaultSpec[],
  seed: number | string,
  domain?: Domain,
): Result<FaultSchedule, readonly FaultProblem[]> {
  const problems: FaultProblem[] = [];
  const scheduled: ScheduledFault[] = [];
  faults.forEach((spec, index) => {
    const result = compileFault(spec, domain);
    if (result.ok) scheduled.push(result.value);
    else problems.push(...result.error.map((problem) => ({ ...problem, path: [index, ...problem.path] })));
  });
  return problems.length > 0 ? fail(problems) : ok(new FaultSchedule(scheduled, seed));
}

function compileFault(
  raw: FaultSpec,
  domain: Domain | undefined,
): Result<ScheduledFault, readonly FaultProblem[]> {
  const read = FaultSpecSchema.safeParse(raw);
  if (!read.success) return fail(problemsOf(read.error.issues, Object.keys(FaultSpecSchema.shape)));
  const spec = read.data;
  const kind = FAULT_KINDS.get(spec.kind);
  if (kind === undefined) return fail([unknownKind(spec.kind)]);
  const parameters = kind.parameters.safeParse(spec.with ?? {});
  const target = compileTarget(spec.on, kind);
  const problems = [
    ...(parameters.success ? [] : problemsOfWith(parameters.error.issues, kind)),
    ...phaseProblems(spec, kind),
    ...turnProblems(spec),
    ...(target.ok ? [] : [target.error]),
    ...engineProblems(kind, domain),
    ...aimProblems(spec, kind),
  ];
  const called = spec.when?.until?.called;
  const healing = called === undefined ? undefined : compileGlob(called);
  if (healing?.ok === false) {
    problems.push({ path: ['when', 'until', 'called'], message: healing.error.message });
  }
  if (problems.length > 0 || !target.ok || !parameters.success) return fail(problems);
  return ok({
    kind,
    phase: spec.phase ?? kind.phases[0],
    operation: target.value.kind,
    parameters: parameters.data,
    max: spec.max ?? Number.POSITIVE_INFINITY,
    perBatch: target.value.kind === 'tool.item',
    matches: lookingAt(kind, target.value.matches, parameters.data),
    permanent: isPermanent(spec.when, spec.max),
    fires: compileWhen(spec.when),
    ...(healing?.ok === true && { healedBy: (tool: string) => healing.value.matches(tool) }),
  });
}

/** What `on` says, and what the kind itself looks at. */
function lookingAt(
  kind: FaultKind,
  matches: ScheduledFault['matches'],
  parameters: unknown,
): ScheduledFault['matches'] {
  if (kind.strikes !== 'operation' || kind.looksAt === undefined) return matches;
  const { looksAt } = kind;
  return (op) => matches(op) && looksAt(parameters as never, op);
}

function unknownKind(seen: string): FaultProblem {
  const known = [...FAULT_KINDS.keys()];
  const nearest = nearestName(seen, known);
  const hint = nearest === undefined ? '' : `; did you mean '${nearest}'?`;
  const message = `'${seen}' is not a kind of fault${hint || '.'} The ${known.length} kinds are listed in docs/FAULTS.md`;
  return { path: ['kind'], message, ...(nearest === undefined ? {} : { nearest }) };
}

function phaseProblems(spec: FaultSpec, kind: FaultKind): FaultProblem[] {
  if (spec.phase === undefined || kind.phases.includes(spec.phase)) return [];
  const message = `a fault of kind '${kind.name}' cannot strike '${spec.phase}' the operation; it allows ${kind.phases.join(', ')}`;
  return [{ path: ['phase'], message }];
}

/** A fault that nothing carries out is refused, so that no run is called perturbed that was not. */
function engineProblems(kind: FaultKind, domain: Domain | undefined): FaultProblem[] {
  if (domain === undefined || (kind.strikes !== 'planned' && kind.domains.includes(domain))) return [];
  const others = kind.domains.join(', ');
  const why =
    kind.strikes === 'planned'
      ? `its engine (${others}) does not exist yet`
      : `worlds of domain '${domain}' have nothing that it could break; it is for ${others}`;
  const message = `a fault of kind '${kind.name}' cannot be used here: ${why}`;
  return [{ path: ['kind'], message, ...(kind.domains.includes(domain) && { planned: true as const }) }];
}

/** What happens to the world by itself is aimed at no tool; a wrong aim is better told than passed over. */
function aimProblems(spec: FaultSpec, kind: FaultKind): FaultProblem[] {
  if (spec.on === undefined || kind.strikes !== 'turn' || kind.changesTools === true) return [];
  const message = `a fault of kind '${kind.name}' strikes between turns and takes no \`on\`; what it changes is said in \`with\``;
  return [{ path: ['on'], message }];
}

function turnProblems(spec: FaultSpec): FaultProblem[] {
  const empty = emptyTurnRanges(spec.when?.turns ?? '1');
  return empty.map((part) => ({
    path: ['when', 'turns'],
    message: `'${part}' names no turn; turns count from 1 and a range goes up, for example 3-5`,
  }));
}

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

function problemsOfWith(issues: readonly Issue[], kind: FaultKind): FaultProblem[] {
  const known = parameterNames(kind);
  return problemsOf(issues, known).map((problem) => ({ ...problem, path: ['with', ...problem.path] }));
}

/** Unknown keys name themselves and the nearest known one; everything else is the schema's own message. */
function problemsOf(issues: readonly Issue[], known: readonly string[]): FaultProblem[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    if (issue.keys === undefined || path.length > 0) return [{ path, message: issue.message }];
    return issue.keys.map((key) => {
      const nearest = nearestName(key, known);
      const hint = nearest === undefined ? '.' : `; did you mean '${nearest}'?`;
      const message = `unknown key '${key}'${hint} Known keys: ${known.join(', ')}`;
      return { path: [key], message, ...(nearest === undefined ? {} : { nearest }) };
    });
  });
}

/** The names of a kind's parameters, as its schema has them. */
export function parameterNames(kind: FaultKind): readonly string[] {
  const { shape } = kind.parameters as unknown as { readonly shape?: object };
  return shape === undefined ? [] : Object.keys(shape);
}
