/**
 * Faults that are well formed and can never strike or never end: no tool is called so, none of the tools works on a
 * batch, there is no such collection, no tool that would end them.
 *
 * They are warnings, not errors: a tool may be added later. Which tools have a batch is what the engine infers, with
 * the overrides; that is only worked out where a fault asks for it. Not covered: arguments that never occur, and
 * operations of other domains.
 */
import { compileTarget, FAULT_KINDS, type FaultSpec } from '../control/index.js';
import { nearestName, type OperationKind } from '../core/index.js';
import { inferService, type Plan, type ServiceModel, type ToolWorldSpec } from '../engines/index.js';
import { compileGlob } from '../rules/index.js';
import type { Finding } from './schema-problems.js';

/** One finding for each fault of a tool world that cannot strike, or whose words name what is not there. */
export function idleFaults(faults: readonly FaultSpec[], spec: ToolWorldSpec): Finding[] {
  let model: ServiceModel | undefined;
  const infer = (): ServiceModel => {
    model ??= inferService(spec);
    return model;
  };
  return faults.flatMap((fault, index) =>
    whyIdle(fault, { spec, infer }).map((message) => ({ path: ['faults', index], message })),
  );
}

interface IdleContext {
  readonly spec: ToolWorldSpec;
  /** What the engine believes; worked out where a fault asks for it. */
  readonly infer: () => ServiceModel;
}

function whyIdle(fault: FaultSpec, { spec, infer }: IdleContext): string[] {
  const names = spec.tools.map(({ name }) => name);
  const aim = aimOf(fault);
  if (aim === undefined) return [];
  if (!TOOL_OPERATIONS.has(aim.operation)) {
    return [`can never strike: a world of tools has no ${aim.operation}`];
  }
  const named = namesMissing(fault, names, infer);
  const hit = names.filter(aim.hits);
  // what happens to the world by itself is aimed at no tool
  if (aim.untargeted) return named;
  if (hit.length === 0) return [`can never strike: no tool is called ${aim.named}`, ...named];
  if (aim.operation !== 'tool.item') return named;
  const batches = batchTools(infer());
  if (hit.some((name) => batches.has(name))) return named;
  return [neverABatch(fault.kind, hit, [...batches]), ...named];
}

const TOOL_OPERATIONS: ReadonlySet<string> = new Set(['tool.call', 'tool.item', 'data.read', 'data.write']);

/** Names in `with` and `when` that are nothing in this world. */
function namesMissing(fault: FaultSpec, tools: readonly string[], infer: () => ServiceModel): string[] {
  const missing: string[] = [];
  const { collection, tool } = fault.with ?? {};
  if (fault.kind === 'world-change' && typeof collection === 'string') {
    const known = Object.keys(infer().collections);
    if (!known.includes(collection)) {
      missing.push(
        `can never strike: there is no collection ${JSON.stringify(collection)}${nearest(collection, known)}`,
      );
    }
  }
  if (fault.kind === 'prompt-injection' && typeof tool === 'string' && !tools.includes(tool)) {
    missing.push(`asks for a tool that is not there: ${JSON.stringify(tool)}${nearest(tool, tools)}`);
  }
  const called = fault.when?.until?.called;
  const glob = called === undefined ? undefined : compileGlob(called);
  if (glob?.ok === true && !tools.some((name) => glob.value.matches(name))) {
    missing.push(`never ends: no tool is called ${JSON.stringify(called)}, which \`until\` waits for`);
  }
  return missing;
}

function nearest(name: string, known: readonly string[]): string {
  const found = nearestName(name, known);
  return found === undefined ? '' : `; the nearest is ${JSON.stringify(found)}`;
}

interface Aim {
  readonly operation: OperationKind;
  /** It strikes whatever tools there are. */
  readonly untargeted: boolean;
  /** How the fault names its tools. */
  readonly named: string;
  readonly hits: (tool: string) => boolean;
}

function aimOf(fault: FaultSpec): Aim | undefined {
  const kind = FAULT_KINDS.get(fault.kind);
  if (kind === undefined) return undefined;
  const { on } = fault;
  // which arguments will come cannot be known
  const anyArguments = typeof on === 'object' ? { ...on, args: undefined } : on;
  const target = compileTarget(anyArguments, kind);
  if (!target.ok) return undefined;
  const operation = target.value.kind;
  const named = JSON.stringify(typeof on === 'object' ? (on.tool ?? '*') : (on ?? '*'));
  const untargeted = kind.strikes === 'turn' && kind.changesTools !== true;
  return {
    operation,
    untargeted,
    named,
    hits: (name) => target.value.matches({ kind: operation, name, args: {} }),
  };
}

function batchTools({ plans }: ServiceModel): ReadonlySet<string> {
  return new Set(
    Object.entries(plans)
      .filter(([, plan]) => worksOnABatch(plan))
      .map(([name]) => name),
  );
}

function worksOnABatch(plan: Plan): boolean {
  if (plan.batch !== undefined || plan.override?.batch !== undefined) return true;
  return Object.values(plan.cases?.plans ?? {}).some(worksOnABatch);
}

function neverABatch(kind: string, hit: readonly string[], batches: readonly string[]): string {
  const shown = hit.length > 3 ? `${hit.slice(0, 3).join(', ')}, …` : hit.join(', ');
  const work = hit.length === 1 ? 'does not work' : 'do not work';
  const others = batches.length === 0 ? 'no tool here does' : `these do: ${batches.slice(0, 5).join(', ')}`;
  return `can never strike: ${kind} hits the items of a batch, and ${shown} ${work} on one; ${others}`;
}
