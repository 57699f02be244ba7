/**
 * Chooses what runs a plan: by operation, by the value of an argument, once or once per item of a batch.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../core/index.js';
import { shown } from '../check/messages.js';
import { runFileTool } from '../files/run-files.js';
import type { Plan } from '../service.js';
import type { OverrideSpec } from '../spec.js';
import { own } from '../store/store.js';
import { collectionNamed } from '../store/store-integrity.js';
import { answered, runOverride } from './overrides.js';
import { runBatch } from './run-batch.js';
import { type Call, type Steps, ToolFailure } from './run-call.js';
import { checkConditions } from './run-conditions.js';
import type { Facts, Task } from './run-facts.js';
import { runClock, runDump, runList } from './run-list.js';
import { runAppend, runCreate, runDelete, runGet, runRemove, runUpdate, runUpsert } from './run-ops.js';

/** The plan that these arguments choose; undefined for what nobody can compute. */
export function choosePlan(plan: Plan | undefined, args: JsonObject): Plan | undefined {
  let chosen = plan;
  while (chosen?.cases !== undefined) {
    const { argument, plans } = chosen.cases;
    const value = own(args, argument);
    const name = value === undefined ? undefined : shown(value);
    chosen = name !== undefined && Object.hasOwn(plans, name) ? plans[name] : undefined;
  }
  if (chosen === undefined || chosen.op === 'unknown') return undefined;
  if (chosen.deletes !== undefined && own(args, chosen.deletes) === true) return deleting(chosen);
  const isProgram = chosen.unless?.some((name) => !isEmpty(own(args, name)));
  return isProgram === true ? undefined : chosen;
}

/** The plan of a change that takes the row away. */
function deleting({ writes: _writes, sets: _sets, already: _already, ...plan }: Plan): Plan {
  return { ...plan, op: 'delete' };
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/**
 * Runs a chosen plan and answers its facts; undefined when the plan lacks what it needs. Conditions of the world are
 * checked first, for a batch per item.
 */
export function runPlan(call: Call, plan: Plan): Steps<Facts> | undefined {
  const isBatch = plan.batch !== undefined || plan.override?.batch !== undefined;
  if (!isBatch) checkConditions(call, plan, call.args);
  if (plan.override !== undefined) return runOverridePlan(call, { plan, override: plan.override });
  if (plan.op === 'clock') return clockSteps(call);
  if (plan.op === 'dump') return runDump(call, plan);
  const collection = collectionNamed(call.world.model, plan.collection);
  if (collection === undefined) return undefined;
  if (plan.file !== undefined) return runFileTool(call, { plan, tool: plan.file, collection });
  const run = OPERATIONS[plan.op];
  if (run === undefined) return undefined;
  if (plan.batch === undefined) return run(call, { plan, collection, args: call.args });
  const [keyField = 'id'] = collection.key;
  const { argument, items } = plan.batch;
  const single =
    items === 'keys' && plan.key === undefined ? { ...plan, key: { [argument]: keyField } } : plan;
  const argsOf = (item: Json, rest: JsonObject): JsonObject =>
    isJsonObject(item) ? { ...rest, ...item } : { ...rest, [argument]: item };
  return withCollection(
    runBatch(call, { argument, args: call.args, argsOf, nameOf: namer(single.key, keyField) }, (args) => {
      checkConditions(call, single, args);
      return run(call, { plan: single, collection, args });
    }),
    { plan, collection },
  );
}

/** Names the items of a batch: by their key arguments, an item that is a key by the key field. */
function namer(key: Plan['key'], keyField: string): (item: Json) => JsonObject {
  return (item) => {
    if (!isJsonObject(item)) return { [keyField]: item };
    const names = Object.keys(key ?? {}).filter((name) => Object.hasOwn(item, name));
    return Object.fromEntries(names.map((name): [string, Json] => [name, item[name] ?? null]));
  };
}

function* withCollection(steps: Steps<Facts>, of: Omit<Task, 'args'>): Steps<Facts> {
  const facts = yield* steps;
  return { ...facts, op: of.plan.op, collection: of.collection };
}

type RunTask = (call: Call, task: Task) => Steps<Facts>;

const OPERATIONS: Readonly<Partial<Record<Plan['op'], RunTask>>> = {
  create: runCreate,
  get: runGet,
  list: (call, task) => runList(call, task),
  search: (call, task) => runList(call, task),
  count: (call, task) => runList(call, task),
  update: runUpdate,
  upsert: runUpsert,
  delete: runDelete,
  append: runAppend,
  remove: runRemove,
};

// biome-ignore lint/correctness/useYield: the time needs no operation of its own
function* clockSteps(call: Call): Steps<Facts> {
  return runClock(call);
}

function runOverridePlan(
  call: Call,
  of: { readonly plan: Plan; readonly override: OverrideSpec },
): Steps<Facts> {
  const { plan, override } = of;
  const collection = collectionNamed(call.world.model, override.collection ?? plan.collection);
  const task = (args: JsonObject) => ({ plan, args, ...(collection === undefined ? {} : { collection }) });
  if (override.batch === undefined) return runOverride(call, { task: task(call.args), override });
  return runOverrideBatch(call, { plan, override, argument: override.batch, task });
}

function* runOverrideBatch(
  call: Call,
  of: {
    readonly plan: Plan;
    readonly override: OverrideSpec;
    readonly argument: string;
    readonly task: (args: JsonObject) => Parameters<typeof runOverride>[1]['task'];
  },
): Steps<Facts> {
  const { plan, override, argument, task } = of;
  if (own(call.args, argument) === undefined)
    throw new ToolFailure(`Missing argument \`${argument}\``, 'refused');
  const { returns: _returns, text: _text, ...single } = override;
  const argsOf = (item: Json, rest: JsonObject): JsonObject => ({
    ...rest,
    ...(isJsonObject(item) ? item : {}),
    item,
  });
  const nameOf = namer(override.key ?? plan.key, task(call.args).collection?.key[0] ?? 'id');
  const batch = yield* runBatch(call, { argument, args: call.args, argsOf, nameOf }, (args) => {
    checkConditions(call, { ...plan, override: single }, args);
    return runOverride(call, { task: task(args), override: single });
  });
  const { collection } = task(call.args);
  const facts = { ...batch, ...(collection === undefined ? {} : { collection }) };
  const results = (facts.items ?? []).map(
    (result): JsonObject => ({
      item: result.item,
      status: result.status,
      ...(result.error === undefined ? {} : { error: result.error }),
      ...(result.facts?.row === undefined ? {} : { row: result.facts.row }),
    }),
  );
  return answered(call, override, { facts, scope: { args: call.args, result: results } });
}
