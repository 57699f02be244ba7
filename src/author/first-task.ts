/**
 * A first task for a world that was made from a list of tools: small, but with a reward that means something.
 *
 * Where some list can be read without knowing anything, the task is to count its rows, and the oracle does it. Else
 * it is to have each tool (up to twenty) succeed exactly once, which calling at random does not reach.
 */
import { isJsonObject, type Json } from '../core/index.js';
import { createToolsEngine, inferService, type ToolWorldSpec } from '../engines/index.js';
import type { World } from '../worlds/index.js';

/** The parts of a world file that make a task. */
export interface FirstTask {
  readonly task: string;
  readonly success: readonly { readonly id: string; readonly expr: string }[];
  readonly oracle?: readonly Json[];
}

/** Fewer rows than this make counting a matter of luck. */
const ROWS = 4;
/** Tools that a task may ask to call; keeps the rule within its limit. */
const TOOLS = 20;

/** Makes a task for a world of domain mcp. The seed of the world decides the numbers in it. */
export function firstTask(world: World): FirstTask {
  const { spec } = world;
  return (spec === null ? undefined : countingTask(spec, world.file.seed)) ?? callingTask(spec?.tools ?? []);
}

function countingTask(spec: ToolWorldSpec, seed: number): FirstTask | undefined {
  const view = createToolsEngine().open(spec, seed).view();
  const data = isJsonObject(view) && isJsonObject(view.data) ? view.data : {};
  const { plans } = inferService(spec);
  for (const { name, inputSchema } of spec.tools) {
    const plan = Object.hasOwn(plans, name) ? plans[name] : undefined;
    const rows = plan?.collection === undefined ? undefined : data[plan.collection];
    const free = !Array.isArray(inputSchema.required) || inputSchema.required.length === 0;
    if (plan?.op !== 'list' || !free || !Array.isArray(rows) || rows.length < ROWS) continue;
    const collection = JSON.stringify(plan.collection);
    return {
      task: `Find out how many ${plan.collection} this server keeps. Change nothing. Answer with the number alone.`,
      success: [
        { id: 'counted', expr: `answer != null && answer.trim() == string(size(state.data[${collection}]))` },
        { id: 'nothing-changed', expr: `size(state.data[${collection}]) == ${rows.length}` },
      ],
      oracle: [{ name, arguments: {} }, { answer: String(rows.length) }],
    };
  }
  return undefined;
}

function callingTask(tools: ToolWorldSpec['tools']): FirstTask {
  const names = tools.slice(0, TOOLS).map(({ name }) => name);
  const okTurns = 'turns.filter(t, t.status == "ok" && !t.isError)';
  return {
    task: `Have each of these tools answer with success exactly once, and no other: ${names.join(', ')}.`,
    success: [
      { id: 'all-answered', expr: `${JSON.stringify(names)}.all(n, ${okTurns}.exists(t, t.name == n))` },
      { id: 'once-each', expr: `size(${okTurns}) == ${names.length}` },
    ],
  };
}
