/**
 * A world file out of recordings of a service: the twin.
 *
 * Steps: tools, server and calls of the trajectories; the state at the start and what each call changed
 * (`learn-state.ts`); how rows look (`learn-entities.ts`), and the state again with that; how tools answer
 * (`learn-shapes.ts`, `learn-errors.ts`); the recorded calls word for word, with their effects. Then the twin is
 * asked every recorded call without its recording, to tell what is derived. Not covered: knowledge that no answer
 * shows; see docs/TWINS.md.
 */
import {
  fail,
  type Json,
  type JsonObject,
  ok,
  type Result,
  renderJson,
  type Trajectory,
  type UmweltError,
  UsageError,
  WorldError,
} from '../../core/index.js';
import type { ImportReport } from '../../data/index.js';
import {
  describeService,
  type EntitySpec,
  type FilesSpec,
  inferService,
  type ServiceModel,
  type ShapeSpec,
  type ToolWorldSpec,
} from '../../engines/index.js';
import { loadWorld, type World } from '../../worlds/index.js';
import { renderYaml } from '../world-yaml.js';
import { isAlike } from './alike-answers.js';
import { cascadeEffects } from './cascade-effects.js';
import { withFinders } from './file-finders.js';
import { learnAnswers } from './learn-answers.js';
import { learnEntities } from './learn-entities.js';
import { type LearnedFailures, learnFailures } from './learn-errors.js';
import { learnFiles } from './learn-files.js';
import { learnKeys } from './learn-keys.js';
import { withOverwriting } from './learn-overwriting.js';
import { learnRequires, withRefusals } from './learn-refusals.js';
import { learnShape } from './learn-shapes.js';
import { shownRule } from './learn-shown.js';
import { carryRequires, carryWords } from './learn-siblings.js';
import { learnState } from './learn-state.js';
import { sureRule } from './learn-sure.js';
import type { LearnedCall, LearnedState } from './learned-state.js';
import { type NestedSpec, nestedSpec } from './nested-overrides.js';
import { findNested } from './nested-service.js';
import { RecordedWords } from './recorded-words.js';
import type { TwinReport, TwinToolReport } from './twin-report.js';
import { type TwinCall, type TwinSource, twinSource } from './twin-source.js';

/** How to name the twin. */
export interface WorldFromRecordingOptions {
  /** Lower-case words joined by hyphens. Default: made of the server's name. */
  readonly name?: string;
  /** Default: 1. */
  readonly seed?: number;
  /** What the importers said about the files; goes into the report. */
  readonly files?: readonly ImportReport[];
}

/** A twin: the text of its world file and what was learned. */
export interface RecordedWorld {
  readonly name: string;
  readonly text: string;
  readonly report: TwinReport;
}

/**
 * Makes a twin of recorded trajectories (domain mcp). Deterministic. Fails with `usage/bad-argument` for an impossible
 * name and `world/invalid` where there is neither a tool nor a call.
 */
export function worldFromRecording(
  trajectories: readonly Trajectory[],
  options: WorldFromRecordingOptions = {},
): Result<RecordedWorld, UmweltError> {
  const source = twinSource(trajectories);
  const name = options.name ?? worldName(source.server?.name ?? 'recorded-service');
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > 100) {
    const message = `the name ${JSON.stringify(name)} is not usable; wanted lower-case words joined by hyphens`;
    return fail(new UsageError(message, { code: 'usage/bad-argument', data: { seen: name } }));
  }
  if (source.tools.length === 0) {
    const message =
      'the recording has neither a list of tools nor a call that went well; record some calls first';
    return fail(new WorldError(message, { code: 'world/invalid' }));
  }
  const written = (learned: Learned) =>
    `${HEAD}${commentOf(learned.spec)}${renderYaml(worldOf(source, learned, { name, seed: options.seed ?? 1 }))}`;
  const learned = learn(source);
  const first = loadWorld(written(learned));
  if (!first.ok) return first;
  const report = reportOf(source, learned, { world: first.value, files: options.files ?? [] });
  const text = written({ ...learned, shapes: withDoubts(learned.shapes, report) });
  const loaded = loadWorld(text);
  return loaded.ok ? ok({ name, text, report }) : loaded;
}

/** Says of each tool that it is guessed where no recorded answer confirms its computing, or one contradicts it. */
function withDoubts(
  shapes: Readonly<Record<string, ShapeSpec>>,
  { tools }: TwinReport,
): Readonly<Record<string, ShapeSpec>> {
  const all = tools.flatMap(({ tool, isGuessed }): [string, ShapeSpec][] => {
    const shape = Object.hasOwn(shapes, tool) ? shapes[tool] : undefined;
    if (!isGuessed) return shape === undefined ? [] : [[tool, shape]];
    return [[tool, { guessed: true, ...shape }]];
  });
  return Object.fromEntries(all);
}

const HEAD = '# yaml-language-server: $schema=./node_modules/umwelt/world.schema.json\n';

interface Learned {
  readonly source: TwinSource;
  readonly spec: ToolWorldSpec;
  readonly state: LearnedState;
  readonly continues: boolean;
  readonly shapes: Readonly<Record<string, ShapeSpec>>;
  readonly inventions: Readonly<Record<string, readonly string[]>>;
}

/**
 * What is learned with the dialect of a service on files, or with rows nested in rows, where that explains more of the
 * recording than without.
 */
function learn(source: TwinSource): Learned {
  const plain = learnWith(source);
  const files = learnFiles(source);
  if (files !== undefined) {
    const found = withFinders(files, learnWith(source, { files }).state);
    const dialect = learnWith(source, { files: found });
    if (confirmed(source, dialect) > confirmed(source, plain)) return dialect;
  }
  const nested = findNested(source);
  if (nested === undefined) return plain;
  const bare = bareSpec(source);
  const found = nestedSpec(source, nested, (entities) => inferService({ ...bare, entities }));
  const sessions = source.sessions.map((calls) =>
    calls.map((call) => {
      const made = nested.made.get(call);
      return made === undefined ? call : { ...call, made: { names: found.names, ...made } };
    }),
  );
  const told = { ...source, sessions };
  const deep = learnWith(told, { nested: found });
  return confirmed(told, deep) > confirmed(source, plain) ? deep : plain;
}

/** How many recorded calls the engine answers alike without the recording. */
function confirmed(source: TwinSource, { spec, shapes, continues }: Learned): number {
  const model = inferService(spec);
  const again = learnState({ ...spec, shapes }, source.sessions, continues);
  return again.sessions.flat().filter((one) => isAlike(model, one)).length;
}

function learnWith(
  source: TwinSource,
  { nested, files }: { readonly nested?: NestedSpec; readonly files?: FilesSpec } = {},
): Learned {
  const { sessions } = source;
  const unkeyed = { ...bareSpec(source), ...(files !== undefined && { files }) };
  const keys = learnKeys(inferService(unkeyed), sessions.flat());
  const bare: ToolWorldSpec = {
    ...unkeyed,
    entities: joined(keys, nested?.entities ?? {}),
    overrides: nested?.overrides ?? {},
  };
  const fromStart = learnState(bare, sessions, false);
  const following = sessions.length > 1 ? learnState(bare, sessions, true) : fromStart;
  const continues = following.conflicts.length < fromStart.conflicts.length;
  const first = continues ? following : fromStart;
  const entities = withExamples(joined(bare.entities, learnEntities(inferService(bare), first)), first);
  const overrides =
    nested === undefined ? {} : withRefusals(nested.overrides, first.sessions.flat(), nested.names);
  const plain: ToolWorldSpec = { ...bare, entities, overrides };
  const names = source.tools.map(({ name }) => name);
  const lived = learnState(plain, sessions, continues);
  const bareOf = { model: inferService(plain), tools: source.tools, calls: lived.sessions.flat() };
  const { requires, guessed } = carryRequires(bareOf, learnRequires(bareOf.model, bareOf.calls));
  const spec: ToolWorldSpec = { ...plain, ...(Object.keys(requires).length > 0 && { requires }) };
  const again = Object.keys(requires).length > 0 ? learnState(spec, sessions, continues) : lived;
  const told = withOverwriting(
    withShown(inferService(spec), learnFailures(names, again.sessions.flat()), again.sessions.flat()),
    again,
    (shapes) => learnState({ ...spec, shapes }, sessions, continues),
  );
  const failures = carryWords(
    { model: inferService(spec), tools: source.tools, calls: again.sessions.flat() },
    withGuesses(told, guessed),
  );
  // What is passed over changes what the engine finds out, so the state is learned once more with it.
  const state = learnState({ ...spec, shapes: Object.fromEntries(failures) }, sessions, continues);
  const model = inferService(spec);
  const shapes: [string, ShapeSpec][] = [];
  const inventions: [string, readonly string[]][] = [];
  const calls = state.sessions.flat();
  const words = new RecordedWords(calls, renderJson(source.tools as unknown as Json), nested?.names);
  for (const name of names) {
    const own = calls.filter(({ call }) => call.tool === name);
    const learned = learnShape(model, own, words);
    const sure = sureRule(own, nested?.names);
    const shape: ShapeSpec = {
      ...failures.get(name),
      ...(sure !== undefined && { sure }),
      ...(learned !== null && { answers: [...learned.answers] }),
      others: 'generated',
    };
    shapes.push([name, shape]);
    if (learned !== null && learned.inventions.length > 0) inventions.push([name, learned.inventions]);
  }
  return {
    source,
    spec,
    state,
    continues,
    shapes: Object.fromEntries(shapes),
    inventions: Object.fromEntries(inventions),
  };
}

/** What tools show of their rows. */
function withShown(
  model: ServiceModel,
  failures: ReadonlyMap<string, LearnedFailures>,
  calls: readonly LearnedCall[],
): ReadonlyMap<string, LearnedFailures> {
  return new Map(
    [...failures].map(([name, own]) => {
      const shows = shownRule(
        model,
        calls.filter(({ call }) => call.tool === name),
      );
      return [name, shows === undefined ? own : { ...own, shows }];
    }),
  );
}

function withGuesses(
  failures: ReadonlyMap<string, LearnedFailures>,
  guessed: ReadonlySet<string>,
): ReadonlyMap<string, LearnedFailures> {
  return new Map(
    [...failures].map(([name, own]) => [name, guessed.has(name) ? { ...own, guesses: ['refused'] } : own]),
  );
}

/** Specifications of entities, the later ones on top. */
function joined(
  keys: Readonly<Record<string, EntitySpec>>,
  learned: Readonly<Record<string, EntitySpec>>,
): Readonly<Record<string, EntitySpec>> {
  const names = [...new Set([...Object.keys(keys), ...Object.keys(learned)])];
  return Object.fromEntries(names.map((name) => [name, { ...keys[name], ...learned[name] }]));
}

function bareSpec({ tools, sessions }: TwinSource): ToolWorldSpec {
  const startMs =
    sessions.flat().find(({ atMs }) => atMs !== null)?.atMs ?? Date.parse('2026-01-05T09:00:00Z');
  const bare = {
    id: 'twin',
    tools: [...tools],
    data: {},
    entities: {},
    overrides: {},
    strict: false,
    startMs,
  };
  // A world that gives no data would get generated rows; nothing was seen of them.
  const data = Object.fromEntries(Object.keys(inferService(bare).collections).map((name) => [name, []]));
  return { ...bare, data };
}

/** Rows that are shown to the inference; a few tell as much as many. */
const EXAMPLES = 3;

function withExamples(
  entities: Readonly<Record<string, EntitySpec>>,
  { sessions, start }: LearnedState,
): Readonly<Record<string, EntitySpec>> {
  const rows = new Map<string, JsonObject[]>();
  for (const [name, list] of Object.entries(start)) rows.set(name, [...list]);
  for (const { effects } of sessions.flat()) {
    for (const { collection, row } of effects?.writes ?? [])
      rows.set(collection, [...(rows.get(collection) ?? []), row]);
  }
  const shown = [...rows].flatMap(([name, list]): [string, EntitySpec][] => {
    const fullest = [...list]
      .sort((a, b) => Object.keys(b).length - Object.keys(a).length)
      .slice(0, EXAMPLES);
    const isShort = (row: JsonObject) =>
      JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? String(value) : value)).length <
      4_000;
    const examples = fullest.filter(isShort);
    return examples.length === 0 ? [] : [[name, { ...entities[name], examples: examples as never }]];
  });
  return { ...entities, ...Object.fromEntries(shown) };
}

function worldOf(
  source: TwinSource,
  learned: Learned,
  how: { readonly name: string; readonly seed: number },
): JsonObject {
  const { spec, state, shapes } = learned;
  const { server, instructions } = source;
  const { entities } = spec;
  const answers = learnAnswers(source);
  const effects = cascadeEffects(spec, state);
  const recorded = recordedCalls(state, learned.continues);
  return {
    world: 1,
    name: how.name,
    domain: 'mcp',
    title: `${server?.name ?? how.name}, as recorded`,
    seed: how.seed,
    state: {
      server: server ?? { name: how.name, version: '0.0.0' },
      clock: new Date(spec.startMs).toISOString(),
      data: dataOf(state),
    },
    ...(instructions !== undefined && { serverInstructions: instructions }),
    tools: source.tools as unknown as Json,
    ...(spec.files !== undefined && { files: spec.files as unknown as Json }),
    ...(Object.keys(entities).length > 0 && { entities: entities as unknown as Json }),
    ...(Object.keys(spec.overrides).length > 0 && { overrides: spec.overrides as unknown as Json }),
    ...(Object.keys(answers).length > 0 && { answers: answers as unknown as Json }),
    ...(spec.requires !== undefined && { rules: rulesOf(spec.requires) }),
    ...(Object.keys(shapes).length > 0 && { shapes: shapes as unknown as Json }),
    ...(effects.length > 0 && { effects }),
    ...(recorded.length > 0 && { recorded }),
  };
}

/** Conditions of tools as a world file says them. */
function rulesOf(requires: NonNullable<ToolWorldSpec['requires']>): readonly JsonObject[] {
  return Object.entries(requires).flatMap(([on, conditions]) =>
    conditions.map(({ expr, error }): JsonObject => ({ on, require: expr, error })),
  );
}

function dataOf({ start }: LearnedState): JsonObject {
  return Object.fromEntries(Object.entries(start).map(([name, rows]) => [name, [...rows]]));
}

function recordedCalls(state: LearnedState, continues: boolean): readonly JsonObject[] {
  const named = state.sessions.length > 1 && !continues;
  return state.sessions.flatMap((calls, index) =>
    calls.map((learned) => recordedCall(learned, named ? `s${index + 1}` : undefined)),
  );
}

function recordedCall({ call, reads, effects }: LearnedCall, session: string | undefined): JsonObject {
  return {
    ...(session !== undefined && { session }),
    tool: call.tool,
    arguments: call.args,
    text: call.text,
    ...(call.value !== undefined && { value: call.value }),
    ...(call.content !== undefined && { content: [...call.content] }),
    ...(call.isError && { isError: true }),
    ...(reads.length > 0 && { reads: [...reads] }),
    ...(effects !== undefined && { effects: effects as unknown as Json }),
  };
}

function commentOf(spec: ToolWorldSpec): string {
  const lines = [
    'The twin of a recorded service: `recorded` holds its answers, the rest was learned from them (docs/TWINS.md).',
    ...describeService(inferService(spec)).split('\n'),
  ];
  return lines
    .map((line) => `# ${line.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')}`.trimEnd())
    .join('\n')
    .concat('\n');
}

/** Asks the twin every recorded call without its recording. */
function reportOf(
  source: TwinSource,
  learned: Learned,
  of: { readonly world: World; readonly files: readonly ImportReport[] },
): TwinReport {
  const spec = of.world.spec ?? learned.spec;
  const again = learnState({ ...spec, data: learned.spec.data }, learned.source.sessions, learned.continues);
  const model = inferService(spec);
  const calls = again.sessions.flat();
  const tools = source.tools.map(({ name }): TwinToolReport => {
    const own = calls.filter(({ call }) => call.tool === name);
    const derived = own.filter(({ call, trial }) => isSame(call, trial.outcome.answer?.text.text)).length;
    const likely = own.filter((one) => isAlike(model, one)).length;
    const op = model.plans[name]?.op ?? 'unknown';
    return {
      tool: name,
      hits: own.length,
      derived,
      op,
      isGuessed: op !== 'unknown' && (own.length === 0 || likely < own.length),
      isShaped: learned.shapes[name]?.answers !== undefined,
      inventions: learned.inventions[name] ?? [],
    };
  });
  return {
    files: of.files,
    sessions: source.sessions.length,
    calls: calls.length,
    tools,
    unknown: tools.filter(({ op }) => op === 'unknown').map(({ tool }) => tool),
    rows: Object.fromEntries(Object.entries(learned.state.start).map(([name, rows]) => [name, rows.length])),
    conflicts: [...new Set(again.conflicts)],
    notes: [
      ...source.notes,
      ...(source.isInferred ? ['the recording lists no tools; they are made of the calls seen'] : []),
      ...(source.left > 0 ? [`${source.left} turns are no tool calls`] : []),
    ],
  };
}

function isSame({ text }: TwinCall, computed: string | undefined): boolean {
  return computed === text;
}

/** `Secure Filesystem_Server` becomes `secure-filesystem-server`. */
function worldName(server: string): string {
  const words = server
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return words.join('-').slice(0, 60).replace(/-+$/, '') || 'recorded-service';
}
