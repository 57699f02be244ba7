/**
 * Makes one child of a seed world: a plain world file, from a seed and the child's number alone.
 *
 * In order: difficulty, goals and permissions are chosen; parameters drawn; their values put in the place of the old
 * ones; rows changed, dropped and added; late parameters drawn from the new state; new ids and dates; then the task
 * is worded, goals are joined on, and oracle steps that need what a world says at run time are resolved by running
 * them. Whether the child is good is another file's question (`check-child.ts`).
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type RandomStream,
  randomStream,
} from '../../core/index.js';
import { inferService, type ServiceModel } from '../../engines/index.js';
import type { Bindings } from '../../rules/index.js';
import type { ExpandSpec, GoalSpec, World } from '../../worlds/index.js';
import { composeTask } from './compose-task.js';
import { ParamValues, possibleReplacements } from './draw-params.js';
import { ExpansionFault } from './fill-template.js';
import { MentionGraph } from './mention-graph.js';
import { drawNewIds, type NewIds, renumberJson } from './renumber.js';
import { Replacer, untouchedParts } from './replace-values.js';
import { addDays, type DateShift, shiftJson } from './shift-dates.js';
import { addRows, changeRows, dropRows, type RowsByCollection } from './vary-rows.js';

/** A seed world made ready. */
export interface SeedWorld {
  readonly world: World;
  readonly expand: ExpandSpec;
  /** The world has a key `expand`; else what varies was inferred. */
  readonly authored: boolean;
  /** Collections, keys and forms of ids. */
  readonly model: ServiceModel;
  readonly mentions: MentionGraph;
  /** Parts of the file that no parameter touches. */
  readonly untouched: ReadonlySet<object>;
}

/** Which child. */
export interface ChildRequest {
  readonly seed: number;
  /** Number of the child among those of its seed world, from 0. */
  readonly candidate: number;
  /** Levels to choose from; default all that the world has. */
  readonly difficulty?: readonly string[];
}

/** How a child differs from its seed world; goes into the manifest. */
export interface ChildAxes {
  readonly difficulty: string | null;
  readonly goals: readonly string[];
  readonly wording: number;
  readonly permissions: string | null;
  readonly shiftDays: number;
  readonly addedRows: number;
  readonly droppedRows: number;
  readonly hints: number;
}

/** A child that was made, not yet checked. */
export interface MadeChild {
  readonly name: string;
  /** The world file. */
  readonly file: JsonObject;
  readonly axes: ChildAxes;
  readonly params: JsonObject;
}

/** Keys of a world file in which values are exchanged. `success` and `rules` hold rules and are done apart. */
const EXCHANGED = [
  'task',
  'serverInstructions',
  'state',
  'facts',
  'oracle',
  'wrong',
  'faults',
  'demonstrations',
  'hidden',
] as const;

/** Makes a seed ready. */
export function prepareSeed(world: World, expand: ExpandSpec, authored: boolean): SeedWorld {
  const { spec } = world;
  if (spec === null) throw new RangeError(`world ${world.name} is no tool world`);
  const model = inferService(spec);
  const parts = Object.fromEntries(EXCHANGED.map((key) => [key, world.file[key] as Json | undefined]));
  const untouched = untouchedParts(parts, possibleReplacements(expand));
  return { world, expand, authored, model, mentions: new MentionGraph(world, model), untouched };
}

/** Makes a child. Raises {@link ExpansionFault} where a rule of `expand` fails. */
export async function makeChild(seedWorld: SeedWorld, request: ChildRequest): Promise<MadeChild> {
  const { world, expand, untouched } = seedWorld;
  const { candidate, seed } = request;
  const streamOf = (name: string): RandomStream =>
    randomStream(seed, 'expand', world.name, String(candidate), name);
  const choice = choose(expand, request, streamOf);
  const clock = clockOf(world);
  const shift = shiftOf(expand, clock, streamOf);
  const params = new ParamValues(
    {
      ...expand.params,
      ...choice.level.params,
      ...Object.assign({}, ...choice.goals.map((goal) => goal.params)),
    },
    {
      names: {
        goals: choice.goals.map(({ id }) => id),
        difficulty: choice.difficulty ?? 'normal',
        clock,
        shift_days: shift.days,
      },
      today: clock.slice(0, 10),
      streamOf,
    },
  );
  params.drawEarly();
  const state = environment(seedWorld, { params, choice, streamOf });
  params.drawLate({ ...state.state, data: Object.fromEntries(state.rows) });
  const ids = drawNewIds(expand.renumber, { rows: state.rows, model: seedWorld.model }, streamOf);
  const moved = new Moved(new Replacer(params.replacements(), untouched), ids, shift, expand.shift?.keep);
  const base: Record<string, Json> = { ...(world.file as unknown as JsonObject) };
  for (const key of EXCHANGED) {
    if (base[key] !== undefined && key !== 'state') base[key] = moved.json(base[key], key);
  }
  base.state = moved.state(state.state, state.rows);
  base.success = moved.verifiers(world.file.success as unknown as readonly JsonObject[], ['success']);
  base.rules = moved.rules(base.rules as readonly JsonObject[]);
  const values = moved.after(params.values as JsonObject) as JsonObject;
  const { names, ...composed } = await composeTask(base, {
    seedWorld,
    choice,
    moved,
    bindings: { ...params.bindings(), ...values } as Bindings,
    values,
    streamOf,
  });
  const name = `${world.name}-${String(candidate).padStart(5, '0')}`;
  return {
    name,
    file: childFile(composed.file, { name, world, request }),
    params: values,
    axes: {
      difficulty: choice.difficulty,
      goals: choice.goals.map(({ id }) => id),
      wording: names.wording,
      permissions: choice.permissions?.id ?? null,
      shiftDays: shift.days,
      addedRows: state.added,
      droppedRows: state.dropped,
      hints: choice.level.hints.length,
    },
  };
}

/** What was chosen for a child. */
export interface Choice {
  readonly difficulty: string | null;
  readonly level: ExpandSpec['difficulty'][string];
  readonly goals: readonly GoalSpec[];
  readonly permissions: ExpandSpec['permissions'][number] | null;
}

const NO_LEVEL: Choice['level'] = { params: {}, goals: [0, 2], hints: [] };

function choose(expand: ExpandSpec, request: ChildRequest, streamOf: (name: string) => RandomStream): Choice {
  const all = Object.keys(expand.difficulty);
  const allowed =
    request.difficulty === undefined ? all : all.filter((name) => request.difficulty?.includes(name));
  if (request.difficulty !== undefined && all.length > 0 && allowed.length === 0) {
    throw new ExpansionFault('difficulty', `the world has the levels ${all.join(', ')}`);
  }
  const stream = streamOf('choice');
  const difficulty = allowed.length === 0 ? null : (allowed[request.candidate % allowed.length] ?? null);
  const level = difficulty === null ? NO_LEVEL : (expand.difficulty[difficulty] ?? NO_LEVEL);
  const [fewest, most] = level.goals;
  const goals: GoalSpec[] = [];
  const left = [...expand.goals];
  const wanted = Math.min(stream.integer(fewest, Math.max(fewest, most)), left.length);
  while (goals.length < wanted && left.length > 0) {
    const [goal] = left.splice(stream.integer(0, left.length - 1), 1);
    if (goal === undefined) break;
    const clash = goals.some((one) => one.excludes.includes(goal.id) || goal.excludes.includes(one.id));
    if (!clash) goals.push(goal);
  }
  const permissions = expand.permissions.length === 0 ? null : stream.pick(expand.permissions);
  return { difficulty, level, goals, permissions };
}

interface Environment {
  readonly state: JsonObject;
  readonly rows: RowsByCollection;
  readonly added: number;
  readonly dropped: number;
}

/** The state of a child before new ids and dates. */
function environment(
  { world, expand, model, mentions, untouched }: SeedWorld,
  how: { params: ParamValues; choice: Choice; streamOf: (name: string) => RandomStream },
): Environment {
  const { params, choice } = how;
  const replacer = new Replacer(params.replacements(), untouched);
  const state = replacer.json(world.file.state as Json, ['state']) as JsonObject;
  const data = isJsonObject(state.data) ? state.data : {};
  const rows: RowsByCollection = new Map(
    Object.entries(data).map(([name, list]) => [name, [...(list as readonly JsonObject[])]]),
  );
  const context = {
    rows,
    model,
    bindings: params.bindings(),
    today: clockOf(world).slice(0, 10),
    streamOf: how.streamOf,
  };
  for (const spec of [...expand.changes, ...choice.goals.flatMap((goal) => goal.changes)])
    changeRows(spec, context);
  const dropped = expand.drops.length === 0 ? 0 : dropRows(expand.drops, context, mentions);
  const adds = [...expand.rows, ...choice.goals.flatMap((goal) => goal.rows)];
  const added = adds.map((spec, index) => addRows(spec, context, `rows ${index} ${spec.into}`));
  const before = Array.isArray(state.permissions) ? state.permissions : [];
  const permissions = [...before, ...((choice.permissions?.add ?? []) as Json[])];
  return {
    state: permissions.length === 0 ? state : { ...state, permissions },
    rows,
    added: sum(added),
    dropped,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

function clockOf(world: World): string {
  return new Date(world.spec?.startMs ?? 0).toISOString().replace('.000Z', 'Z');
}

function shiftOf(expand: ExpandSpec, clock: string, streamOf: (name: string) => RandomStream): DateShift {
  const days = expand.shift === undefined ? 0 : streamOf('shift').pick(expand.shift.days);
  const year = Number(clock.slice(0, 4));
  const years = expand.shift?.years === true ? Number(addDays(clock, days).slice(0, 4)) - year : 0;
  return { days, year, today: clock.slice(0, 10), years };
}

/** Everything that is exchanged in a text of the seed world, in one place. */
export class Moved {
  constructor(
    private readonly replacer: Replacer,
    private readonly ids: NewIds,
    private readonly shift: DateShift,
    private readonly keep: readonly string[] = [],
  ) {}

  /** The start state; the dates of kept collections stay. */
  state(rest: JsonObject, rows: RowsByCollection): JsonObject {
    const { data: _data, ...beside } = rest;
    const lists = [...rows].map(([name, list]): [string, Json] => [
      name,
      this.keep.includes(name) ? renumberJson([...list], this.ids) : this.after([...list]),
    ]);
    return { ...(this.after(beside) as JsonObject), data: Object.fromEntries(lists) };
  }

  /** A value of the seed file: parameters, then ids, then dates. */
  json(value: Json, ...path: string[]): Json {
    return this.after(this.replacer.json(value, path));
  }

  /** A value in which the parameters are exchanged already. */
  after(value: Json): Json {
    return shiftJson(renumberJson(value, this.ids), this.shift);
  }

  /** A rule. */
  rule(source: string, paths: readonly (readonly string[])[]): string {
    return this.after(this.replacer.rule(source, paths)) as string;
  }

  /** Verifiers; those with an expression have it exchanged. */
  verifiers(list: readonly JsonObject[], path: readonly string[]): JsonObject[] {
    return list.map((verifier, index) => {
      if (typeof verifier.expr !== 'string') return verifier;
      const paths = [String(index), String(verifier.id)].map((part) => [...path, part, 'expr']);
      return { ...verifier, expr: this.rule(verifier.expr, paths) };
    });
  }

  /** Conditions on tools. */
  rules(list: readonly JsonObject[]): JsonObject[] {
    return list.map((rule, index) =>
      typeof rule.require === 'string'
        ? { ...rule, require: this.rule(rule.require, [['rules', String(index), 'require']]) }
        : rule,
    );
  }
}

/** The child as a file: keys in the order of the format, nothing that says nothing. */
function childFile(
  file: JsonObject,
  { name, world, request }: { name: string; world: World; request: ChildRequest },
): JsonObject {
  const kept = Object.entries(file).filter(([key, value]) => {
    if (key === 'expand' || value === undefined) return false;
    if (Array.isArray(value)) return value.length > 0;
    return !(isJsonObject(value) && Object.keys(value).length === 0);
  });
  const parent = { name: world.name, hash: world.hash, seed: request.seed, candidate: request.candidate };
  return { ...Object.fromEntries(kept), name, 'x-parent': parent };
}
