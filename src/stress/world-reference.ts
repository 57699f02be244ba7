/**
 * What a world means, for judging runs in it: what its tools do, what was there at the start, and what its own
 * solution changes and answers.
 *
 * The idea: whether a row was "not asked for" or "one too many" cannot be read out of a task in prose. The world's
 * oracle says by its effects what the task asks for; without one the clean twin is the only yardstick. Everything is
 * derived from the world (plans, keys, effects), nothing from names of known worlds.
 */
import {
  canonicalJson,
  type Json,
  type JsonObject,
  type ParsedAction,
  type ToolCall,
} from '../core/index.js';
import { domainFormat, parseToolAction, type ToolDefinition } from '../domains/index.js';
import { type Collection, inferService, type Plan } from '../engines/index.js';
import { openEpisode } from '../sim/index.js';
import type { World } from '../worlds/index.js';
import { type RowEffect, type RowShapes, rowShapes, rowsByCollection, watchEffects } from './row-effects.js';

/** What the world's own solution did. */
export interface OracleReference {
  readonly effects: readonly RowEffect[];
  readonly calls: readonly ToolCall[];
  readonly answer: string | null;
  /** Everything it saw, joined. */
  readonly seen: string;
}

/** A world as the rules of judging see it. Made once per world and seed. */
export interface WorldReference {
  readonly world: World;
  readonly seed: number;
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly plans: Readonly<Record<string, Plan>>;
  readonly collections: Readonly<Record<string, Collection>>;
  readonly shapes: RowShapes;
  /** Collection → rows at the start. */
  readonly start: Readonly<Record<string, readonly Json[]>>;
  /** Null where the world has no solution, or where it does not solve the task with this seed. */
  readonly oracle: OracleReference | null;
  /** The canonical text of the start state in lower case: what is true whether or not an agent saw it. */
  readonly startText: string;
}

/** Prepares a world for judging; plays its oracle once, without faults and without a model. */
export async function createReference(
  world: World,
  options: { readonly seed?: number } = {},
): Promise<WorldReference> {
  const { spec } = world;
  const service = spec === null ? { collections: {}, plans: {} } : inferService(spec);
  const seed = options.seed ?? world.file.seed;
  const episode = await openEpisode(world, { seed, faults: [], route: 'engine' });
  const start = episode.view();
  return {
    world,
    seed,
    tools: new Map((spec?.tools ?? []).map((tool) => [tool.name, tool])),
    plans: service.plans,
    collections: service.collections,
    shapes: rowShapes(service.collections),
    start: rowsByCollection(start),
    oracle: await playOracle(world, seed),
    startText: canonicalJson(start).toLowerCase(),
  };
}

async function playOracle(world: World, seed: number): Promise<OracleReference | null> {
  if (world.oracle.length === 0) return null;
  const episode = await openEpisode(world, { seed, faults: [], route: 'engine' });
  const log = watchEffects(episode);
  const seen: string[] = [];
  for (const action of world.oracle) {
    if (episode.done) break;
    seen.push((await episode.step(action)).observation ?? '');
  }
  if (!episode.done) await episode.finish();
  const { end } = episode;
  if (end === null || end.score.status !== 'scored' || end.score.fraction < 1) return null;
  const calls = world.oracle.flatMap((action) => {
    const parsed = readAction(world, action);
    return parsed.kind === 'tool-call' ? [parsed] : [];
  });
  return { effects: log.effects, calls, answer: end.answer, seen: seen.join('\n') };
}

/** Reads an action as the world's domain does: keystrokes are a call of the terminal. */
export function readAction(world: World, action: string): ParsedAction {
  const format = world.domain === 'terminal' ? domainFormat(world.domain) : null;
  return format?.ok === true ? format.value.parseAction(action) : parseToolAction(action);
}

/** What a tool does to the state in one word, for tools with an override too; by these arguments. */
export function operationOf(plan: Plan | undefined, args: JsonObject): Plan['op'] {
  const chosen = chosenPlan(plan, args);
  return chosen?.override?.op === undefined || chosen.override.op === 'compute'
    ? (chosen?.op ?? 'unknown')
    : chosen.override.op;
}

/** The plan of the case that the arguments choose, or the plan itself. */
export function chosenPlan(plan: Plan | undefined, args: JsonObject): Plan | undefined {
  if (plan?.cases === undefined) return plan;
  const chosen = args[plan.cases.argument];
  return (typeof chosen === 'string' ? plan.cases.plans[chosen] : undefined) ?? plan;
}

const WRITING: ReadonlySet<string> = new Set(['create', 'update', 'upsert', 'delete', 'append', 'remove']);

/** True where the tool is known to change the state; `undefined` where nobody knows what it does. */
export function isWriting(plan: Plan | undefined, args: JsonObject): boolean | undefined {
  const op = operationOf(plan, args);
  if (WRITING.has(op)) return true;
  if (op !== 'override') return op === 'unknown' ? undefined : false;
  const { override } = chosenPlan(plan, args) ?? {};
  return (override?.also ?? []).length > 0 ? true : undefined;
}
