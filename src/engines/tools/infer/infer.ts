/**
 * From a list of tools to a service model: what the service keeps and what each tool does to it.
 *
 * Four passes: read the tools (`infer-tool`), find their nouns (`infer-nouns`), decide what each means to do
 * (`infer-intent`), build collections and bind arguments (`entities`, `plan`). Corrections of a world file win over
 * everything. Pure and deterministic; a hostile tool becomes `unknown` and never an exception.
 */
import type { JsonObject } from '../../../core/index.js';
import { withFiles } from '../files/file-plans.js';
import { dumpPlan, planOf } from '../plan.js';
import type { Collection, Plan, ServiceModel } from '../service.js';
import type { EntitySpec, OverrideSpec, ToolWorldSpec } from '../spec.js';
import { buildCollections, type Draft } from './entities.js';
import { calculatingCases } from './infer-calculator.js';
import { withoutPlaces } from './infer-context.js';
import { withDoubts } from './infer-doubts.js';
import { withFormulas } from './infer-formulas.js';
import { intentOf } from './infer-intent.js';
import type { Intent, IntentContext } from './infer-intent-types.js';
import { keyWordsOf } from './infer-keys.js';
import { withKinds } from './infer-kinds.js';
import { gatherNouns, type Nouns } from './infer-nouns.js';
import { roleOf } from './infer-roles.js';
import { flatten, readTools, type ToolFacts } from './infer-tool.js';

/** What inference needs of a world's specification. */
export type InferenceInput = Pick<
  ToolWorldSpec,
  'tools' | 'data' | 'entities' | 'overrides' | 'strict' | 'files'
>;

/**
 * Infers the service behind a list of tools. Given rows name collections and fields and continue ids; `entities`
 * and `overrides` win. Never throws for what a tool definition says.
 */
export function inferService(spec: InferenceInput): ServiceModel {
  const facts = withKinds(withoutPlaces(readTools(spec.tools)));
  const flat = flatten(facts);
  const data = new Map<string, readonly JsonObject[]>(Object.entries(spec.data));
  const entities = new Map<string, EntitySpec>(Object.entries(spec.entities));
  const given = [...new Set([...data.keys(), ...entities.keys()])];
  const nouns = gatherNouns(flat, given);
  const context: IntentContext = { nouns, shared: sharedArguments(flat), tools: flat };
  const sums = calculatingCases(facts);
  const first = new Map(
    flat.map((one) => [one.id, sums.has(one.id) ? calculation(one) : safeIntent(one, context)]),
  );
  const intents = withDoubts(first, new Set(given));
  const decided = [...intents.values()].filter((intent) => !isOverridden(intent, spec.overrides));
  const drafts = buildCollections({ intents: decided, nouns, data, entities, camel: prefersCamel(flat) });
  const plans = facts.map((one): [string, Plan] => [
    one.tool,
    withFormulas(planFor(one, { intents, drafts, nouns, overrides: spec.overrides }), one.inputRoot),
  ]);
  const collections = [...drafts].map(([name, draft]): [string, Collection] => [
    name,
    withKnownReferences(draft.collection, drafts),
  ]);
  return withFiles(
    { collections: Object.fromEntries(collections), plans: Object.fromEntries(plans) },
    spec.files,
  );
}

function calculation(facts: ToolFacts): Intent {
  return { facts, op: 'unknown', why: 'it calculates, as the cases beside it do' };
}

function safeIntent(facts: ToolFacts, context: IntentContext): Intent {
  try {
    return intentOf(facts, context);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { facts, op: 'unknown', why: `its definition could not be understood: ${reason}` };
  }
}

function isOverridden(intent: Intent, overrides: Readonly<Record<string, OverrideSpec>>): boolean {
  return Object.hasOwn(overrides, intent.facts.tool);
}

interface PlanInput {
  readonly intents: ReadonlyMap<string, Intent>;
  readonly drafts: ReadonlyMap<string, Draft>;
  readonly nouns: Nouns;
  readonly overrides: Readonly<Record<string, OverrideSpec>>;
}

function planFor(facts: ToolFacts, input: PlanInput): Plan {
  const override = Object.hasOwn(input.overrides, facts.tool) ? input.overrides[facts.tool] : undefined;
  if (override !== undefined) return overridePlan(facts, override);
  if (facts.dispatch === undefined) return onePlan(facts.id, facts, input);
  const plans = facts.dispatch.cases.map((one): [string, Plan] => [
    one.value,
    onePlan(one.facts.id, facts, input),
  ]);
  const known = plans.filter(([, plan]) => plan.op !== 'unknown').length;
  const why = `chooses by ${facts.dispatch.argument}: ${known} of ${plans.length} cases are understood`;
  const cases = { argument: facts.dispatch.argument, plans: Object.fromEntries(plans) };
  return { tool: facts.tool, op: 'unknown', ...(known === 0 ? {} : { cases }), why };
}

function overridePlan(facts: ToolFacts, override: OverrideSpec): Plan {
  return {
    tool: facts.tool,
    op: 'override',
    ...(override.collection === undefined ? {} : { collection: override.collection }),
    override,
    why: 'the world file says what it does',
  };
}

function onePlan(id: string, facts: ToolFacts, input: PlanInput): Plan {
  const intent = input.intents.get(id);
  if (intent === undefined) return { tool: facts.tool, op: 'unknown', why: 'nothing is known of it' };
  if (intent.op === 'dump') return dumpPlan(intent, input.drafts);
  const draft = [...input.drafts.values()].find((one) => one.intents.includes(intent));
  try {
    return planOf(intent, draft, input.nouns);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { tool: facts.tool, op: 'unknown', why: `its definition could not be understood: ${reason}` };
  }
}

/** References only to collections that are there. */
function withKnownReferences(collection: Collection, drafts: ReadonlyMap<string, Draft>): Collection {
  const fields = Object.entries(collection.fields).map(([name, field]) => {
    if (field.refersTo === undefined || drafts.has(field.refersTo)) return [name, field] as const;
    const { refersTo: _gone, ...rest } = field;
    return [name, rest] as const;
  });
  return { ...collection, fields: Object.fromEntries(fields) };
}

/** Arguments that at least half of the tools require, and three at least: owner, repo, org. */
function sharedArguments(tools: readonly ToolFacts[]): Set<string> {
  const counts = new Map<string, number>();
  for (const facts of tools) {
    for (const argument of facts.args) {
      const key = keyWordsOf(argument);
      if (!argument.required || key.stem.length === 0 || roleOf(argument, 'many') !== 'value') continue;
      counts.set(argument.name, (counts.get(argument.name) ?? 0) + 1);
    }
  }
  const enough = Math.max(3, tools.length * 0.3);
  return new Set([...counts].filter(([, count]) => count >= enough).map(([name]) => name));
}

function prefersCamel(tools: readonly ToolFacts[]): boolean {
  let camel = 0;
  let snake = 0;
  for (const facts of tools) {
    for (const argument of facts.args) {
      if (argument.name.includes('_')) snake++;
      else if (/[a-z][A-Z]/.test(argument.name)) camel++;
    }
  }
  return camel > snake;
}
