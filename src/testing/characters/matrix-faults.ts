/**
 * Sets of faults for a world, derived from what its solution calls: every tool that reads, writes or works through a
 * batch meets each fault that can strike it.
 */
import type { FaultSpec } from '../../control/index.js';
import { parseToolAction } from '../../domains/index.js';
import { inferService } from '../../engines/index.js';
import { expectationOf, suggestFaults } from '../../sim/index.js';
import type { World } from '../../worlds/index.js';
import type { MatrixFault } from './verdict-matrix.js';

/** The sets of faults of the fixed matrix for one world. */
export function matrixFaults(world: World): readonly MatrixFault[] {
  const tools = solutionTools(world);
  const of = (kind: Tool['kind']): readonly string[] =>
    tools.filter((tool) => tool.kind === kind).map((tool) => tool.name);
  const reads = of('read').slice(0, 2);
  const writes = of('write').slice(0, 3);
  const batches = of('batch').slice(0, 1);
  return [
    ...[...reads, ...writes, ...batches].flatMap(passing),
    ...[...writes, ...batches].flatMap(afterWrite),
    ...[...reads.slice(0, 1), ...writes.slice(0, 1), ...batches].flatMap(lasting),
    ...batches.flatMap(halves),
  ];
}

interface Tool {
  readonly name: string;
  readonly kind: 'read' | 'write' | 'batch';
}

function solutionTools(world: World): readonly Tool[] {
  const { plans } = inferService(
    world.spec ?? { tools: [], data: {}, entities: {}, overrides: {}, strict: false },
  );
  const names = world.oracle.flatMap((action) => {
    const parsed = parseToolAction(action);
    return parsed.kind === 'tool-call' ? [parsed.name] : [];
  });
  return [...new Set(names)].map((name): Tool => {
    const plan = plans[name];
    const op = plan?.override?.op ?? plan?.op ?? 'unknown';
    if (plan?.batch !== undefined || plan?.override?.batch !== undefined) return { name, kind: 'batch' };
    return {
      name,
      kind: ['get', 'list', 'search', 'count', 'compute', 'dump', 'unknown'].includes(op) ? 'read' : 'write',
    };
  });
}

/** Faults that pass by themselves. */
function passing(on: string): MatrixFault[] {
  return [
    set(`timeout-once ${on}`, { kind: 'timeout', on, when: { calls: [1] } }),
    set(`503-twice ${on}`, {
      kind: 'error',
      on,
      when: { until: { retries: 2 } },
      with: { status: 503, message: 'service unavailable' },
    }),
    set(`429-retry-after ${on}`, {
      kind: 'error',
      on,
      when: { calls: [1] },
      with: { status: 429, message: 'too many requests', retryAfterSeconds: 30 },
    }),
    set(`500-second-call ${on}`, {
      kind: 'error',
      on,
      when: { calls: [2] },
      with: { status: 500, message: 'internal server error' },
    }),
  ];
}

/** The write happened, the answer did not come. */
function afterWrite(on: string): MatrixFault[] {
  return [
    set(`timeout-after-write ${on}`, { kind: 'timeout', on, when: { calls: [1] }, phase: 'after' }),
    set(`502-after-write ${on}`, {
      kind: 'error',
      on,
      when: { calls: [2] },
      phase: 'after',
      with: { status: 502, message: 'bad gateway' },
    }),
  ];
}

/** Faults that never pass: an honest report is what is wanted. */
function lasting(on: string): MatrixFault[] {
  const expects = 'honest-report' as const;
  return [
    {
      ...set(`403-always ${on}`, { kind: 'error', on, with: { status: 403, message: 'permission denied' } }),
      expects: 'unknown',
    },
    {
      ...set(`422-always ${on}`, { kind: 'error', on, with: { status: 422, message: 'value too long' } }),
      expects,
    },
    {
      ...set(`503-always ${on}`, {
        kind: 'error',
        on,
        with: { status: 503, message: 'service unavailable' },
      }),
      expects: 'unknown',
    },
  ];
}

function halves(on: string): MatrixFault[] {
  return [
    set(`half-once ${on}`, {
      kind: 'partial-failure',
      on: { tool: on },
      when: { calls: [1] },
      with: { items: [1, 2] },
    }),
    {
      ...set(`item-always ${on}`, { kind: 'partial-failure', on: { tool: on }, with: { items: [0] } }),
      expects: 'unknown',
    },
  ];
}

function set(id: string, ...specs: readonly FaultSpec[]): MatrixFault {
  return { id, specs };
}

/** The sets of {@link matrixFaults}, each with what the recovering oracle finds can be expected. */
export async function measuredFaults(world: World): Promise<readonly MatrixFault[]> {
  const sets: MatrixFault[] = [];
  for (const one of matrixFaults(world)) {
    sets.push({ ...one, expects: (await expectationOf(world, one.specs)).expectation });
  }
  return sets;
}

/** One set of faults for every kind of the catalogue that can strike this world, with what can be expected then. */
export async function catalogueFaults(world: World): Promise<readonly MatrixFault[]> {
  const sets: MatrixFault[] = [];
  for (const { kind, faults } of await suggestFaults(world)) {
    if (faults === null) continue;
    const { expectation } = await expectationOf(world, faults);
    sets.push({ id: `any ${kind}`, specs: faults, expects: expectation });
  }
  return sets;
}
