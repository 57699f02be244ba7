/**
 * Faults that are well formed and can never strike: no tool is called so, or none of the tools works on a batch.
 *
 * They are warnings, not errors: a tool may be added later. Which tools have a batch is what the engine infers, with
 * the overrides; that is only worked out where a fault asks for it. Not covered: arguments that never occur, and
 * operations of other domains.
 */
import { compileTarget, FAULT_KINDS, type FaultSpec } from '../control/index.js';
import type { OperationKind } from '../core/index.js';
import { inferService, type Plan, type ToolWorldSpec } from '../engines/index.js';
import type { Finding } from './schema-problems.js';

/** One finding for each fault of a tool world that cannot strike. */
export function idleFaults(faults: readonly FaultSpec[], spec: ToolWorldSpec): Finding[] {
  const names = spec.tools.map(({ name }) => name);
  let batches: ReadonlySet<string> | undefined;
  return faults.flatMap((fault, index) => {
    const aim = aimOf(fault);
    if (aim === undefined) return [];
    const hit = names.filter(aim.hits);
    const path = ['faults', index];
    if (hit.length === 0) return [{ path, message: `can never strike: no tool is called ${aim.named}` }];
    if (aim.operation !== 'tool.item') return [];
    batches ??= batchTools(spec);
    if (hit.some((name) => batches?.has(name))) return [];
    return [{ path, message: neverABatch(fault.kind, hit, [...batches]) }];
  });
}

interface Aim {
  readonly operation: OperationKind;
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
  return { operation, named, hits: (name) => target.value.matches({ kind: operation, name, args: {} }) };
}

function batchTools(spec: ToolWorldSpec): ReadonlySet<string> {
  const { plans } = inferService(spec);
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
