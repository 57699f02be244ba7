/**
 * Puts the task of a child together: a wording, hints, goals with their verifiers, steps and wrong scripts.
 *
 * The solution is the seed's own up to its answer, the steps of each goal, then the answer. Each goal brings one
 * wrong script by itself: the whole solution without the goal's steps, so a goal that may be forgotten is no goal.
 * Steps may have parts that only the running world can say (`state`, `result` of the step before, `steps`); they
 * are resolved by running the solution once, and the child has plain actions.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  type RandomStream,
  renderJson,
} from '../../core/index.js';
import type { Bindings } from '../../rules/index.js';
import { openEpisode } from '../../sim/index.js';
import { type GoalSpec, loadWorld } from '../../worlds/index.js';
import { bindRule, ExpansionFault, fillJson, fillWords } from './fill-template.js';
import type { Choice, Moved, SeedWorld } from './make-child.js';

/** What a task is composed of. */
export interface ComposeInput {
  readonly seedWorld: SeedWorld;
  readonly choice: Choice;
  readonly moved: Moved;
  /** Drawn values and names, with the child's ids and dates. */
  readonly bindings: Bindings;
  readonly values: JsonObject;
  readonly streamOf: (name: string) => RandomStream;
}

/** A composed child. */
export interface Composed {
  readonly file: JsonObject;
  readonly names: { readonly wording: number };
}

/** A goal with its templates moved and, but for what only a running world can say, filled in. */
interface ReadyGoal {
  readonly id: string;
  readonly task: string;
  readonly success: readonly JsonObject[];
  readonly oracle: readonly Json[];
  readonly wrong: readonly { id: string; why?: string | undefined; actions: readonly Json[] }[];
}

/** Composes the child. Raises {@link ExpansionFault}. */
export async function composeTask(base: JsonObject, input: ComposeInput): Promise<Composed> {
  const { choice } = input;
  const stream = input.streamOf('wording');
  const { task, wording } = wordTask(base, input, stream);
  const goals = choice.goals.map((goal) => readyGoal(goal, input, stream));
  const paragraphs = [
    task,
    ...goals.map((goal) => goal.task),
    ...(choice.permissions?.task === undefined ? [] : [fill(choice.permissions.task, input)]),
    ...choice.level.hints.map((hint) => fill(hint, input)),
  ];
  const own = (base.oracle ?? []) as readonly Json[];
  const answerAt = own.findLastIndex((action) => isAnswer(action));
  const head = answerAt === -1 ? own : own.slice(0, answerAt);
  const tail = answerAt === -1 ? [] : own.slice(answerAt);
  const steps = goals.flatMap((goal) => goal.oracle);
  const success = [...((base.success ?? []) as readonly Json[]), ...goals.flatMap((goal) => goal.success)];
  const draft: JsonObject = {
    ...base,
    task: paragraphs.map((part) => part.trim()).join('\n\n'),
    success,
    oracle: [],
    wrong: [],
    budget: budgetFor(base.budget, own.length + steps.length),
  };
  const open = !steps.some((step) => isOpen(step)) ? null : draft;
  const resolve = async (actions: readonly Json[]): Promise<Json[]> =>
    open === null ? [...actions] : resolveSteps(open, actions, input.bindings);
  const oracle = await resolve([...head, ...steps, ...tail]);
  const wrong: Json[] = [...((base.wrong ?? []) as readonly Json[])];
  for (const goal of goals) {
    const others = (actions: readonly Json[]): Json[] => [
      ...head,
      ...goals.flatMap((one) => (one === goal ? actions : one.oracle)),
      ...tail,
    ];
    const forgets = { id: `forgets-${goal.id}`, why: `Does everything but what ${goal.id} asks for.` };
    const forgetful = others([]);
    // a script without any action is the start state, which is checked anyway
    if (forgetful.length > 0) wrong.push({ ...forgets, actions: await resolve(forgetful) });
    for (const { id, why, actions } of goal.wrong) {
      const script = { id: `${goal.id}-${id}`, ...(why !== undefined && { why }) };
      wrong.push({ ...script, actions: await resolve(others(actions)) });
    }
  }
  return { file: { ...draft, oracle, wrong }, names: { wording } };
}

function wordTask(
  base: JsonObject,
  input: ComposeInput,
  stream: RandomStream,
): { task: string; wording: number } {
  const { wordings } = input.seedWorld.expand;
  const { level } = input.choice;
  const own = typeof base.task === 'string' ? [{ level: 'full', text: null, index: 0 }] : [];
  const all = [...own, ...wordings.map((one, index) => ({ ...one, index: index + 1 }))];
  const fitting =
    level.wordings === undefined ? all : all.filter((one) => level.wordings?.includes(one.level));
  const among = fitting.length > 0 ? fitting : all;
  if (among.length === 0) throw new ExpansionFault('wording', 'the world has no task and no wording');
  const chosen = stream.pick(among);
  // the file's own task is plain text, in which everything is exchanged already
  const task = chosen.text === null ? String(base.task) : fill(chosen.text, input);
  return { task, wording: chosen.index };
}

function fill(template: string, { moved, bindings }: ComposeInput): string {
  return fillWords(moved.json(template, 'task') as string, bindings);
}

function readyGoal(goal: GoalSpec, input: ComposeInput, stream: RandomStream): ReadyGoal {
  const { moved, values } = input;
  const tasks = typeof goal.task === 'string' ? [goal.task] : goal.task;
  const success = moved
    .verifiers(goal.success as unknown as JsonObject[], ['success'])
    .map((verifier) =>
      typeof verifier.expr === 'string'
        ? { ...verifier, id: `${goal.id}-${String(verifier.id)}`, expr: bindRule(verifier.expr, values) }
        : verifier,
    );
  const actions = (list: readonly unknown[]): Json[] =>
    (list as readonly Json[]).map((action) => {
      const own = moved.json(action, 'oracle');
      return isOpen(own) ? own : fillJson(own, input.bindings);
    });
  return {
    id: goal.id,
    task: fill(stream.pick(tasks), input),
    success,
    oracle: actions(goal.oracle),
    wrong: goal.wrong.map(({ id, why, actions: list }) => ({ id, why, actions: actions(list) })),
  };
}

const RUN_TIME = /\{[^{}]*\b(?:state|result|steps)\b/;

/** True for an action with parts that only a running world can say. */
function isOpen(action: Json): boolean {
  if (typeof action === 'string') return RUN_TIME.test(action);
  if (Array.isArray(action)) return action.some((item: Json) => isOpen(item));
  return isJsonObject(action) && Object.values(action).some((part) => isOpen(part as Json));
}

function isAnswer(action: Json): boolean {
  if (isJsonObject(action)) return Object.hasOwn(action, 'answer');
  return typeof action === 'string' && action.trimStart().startsWith('{"answer"');
}

function budgetFor(budget: Json | undefined, steps: number): Json {
  if (!isJsonObject(budget) || typeof budget.maxTurns !== 'number') return budget ?? {};
  return { ...budget, maxTurns: Math.max(budget.maxTurns, 3 * steps) };
}

/** Runs actions in the child and fills in what only the running world can say. */
async function resolveSteps(
  draft: JsonObject,
  actions: readonly Json[],
  bindings: Bindings,
): Promise<Json[]> {
  if (!actions.some((action) => isOpen(action))) return [...actions];
  const { expand: _gone, ...file } = draft as Record<string, Json>;
  const loaded = loadWorld(renderJson(file));
  if (!loaded.ok) throw new ExpansionFault('load', loaded.error.message);
  const episode = await openEpisode(loaded.value, { maxTurns: actions.length + 1 });
  const plain: Json[] = [];
  const steps: Json[] = [];
  for (const action of actions) {
    const done = isOpen(action)
      ? fillJson(action, { ...bindings, state: () => episode.view(), steps, result: steps.at(-1) ?? null })
      : action;
    plain.push(done);
    if (episode.done) continue;
    const { observation, value } = await episode.step(typeof done === 'string' ? done : renderJson(done));
    steps.push(value ?? seenValue(observation));
  }
  return plain;
}

/** What an observation says: JSON where it is JSON, else its text. */
function seenValue(observation: string | null): Json {
  if (observation === null) return null;
  const json = parseJson(observation);
  return json.ok ? json.value : observation;
}
