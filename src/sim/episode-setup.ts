/**
 * What stays the same through an episode and all its forks: the world, the seed, the route and everything compiled
 * from them.
 */
import {
  compileSchedule,
  type FaultSchedule,
  type FaultSpec,
  type ScheduledFault,
} from '../control/index.js';
import {
  type Domain,
  type Engine,
  type Json,
  type JsonObject,
  type LanguageModel,
  LIMITS,
  UsageError,
  WorldError,
} from '../core/index.js';
import { type DomainFormat, domainFormat, harnessTools } from '../domains/index.js';
import {
  type AskedSpec,
  createAskedEngine,
  createServiceWords,
  createShellEngine,
  createSweEngine,
  createToolsEngine,
  type MachineSpec,
  type ServiceWords,
  type SweSpec,
  TERMINAL_DEFINITION,
  type ToolWorldSpec,
} from '../engines/index.js';
import type { World } from '../worlds/index.js';
import { createOutputCheck, type OutputCheck } from './output-check.js';
import { compileFacts, type PinnedFact } from './pinned-facts.js';
import { RecordedAnswers } from './recorded-answers.js';

/** Who answers: `grounded` the engine and, where nobody can compute, the model · `engine` no model · `model` every call. */
export const ROUTES = ['grounded', 'engine', 'model'] as const;

/** One of {@link ROUTES}. */
export type Route = (typeof ROUTES)[number];

/** Less room holds no system prompt. */
const LEAST_PROMPT_TOKENS = 2_000;

/** How an episode is opened. */
export interface EpisodeOptions {
  /** Controls generated data, faults by chance and the model's seed. Default: the world's own. */
  readonly seed?: number;
  /** Default `grounded`. */
  readonly route?: Route;
  /** Asked as the route says; needed for the route `model`. */
  readonly model?: LanguageModel;
  /** Take the place of the world's faults. */
  readonly faults?: readonly FaultSpec[];
  /** Turns until the episode is done. Default: the world's budget, or `LIMITS.turnsPerEpisode`. */
  readonly maxTurns?: number;
  /** Tokens that one question to the model may have, estimated; 2,000 or more. Default `LIMITS.promptTokens`. */
  readonly promptTokens?: number;
}

/** The budget of an episode. */
export interface EpisodeBudget {
  readonly maxTurns: number;
  /** Simulated seconds. */
  readonly maxSeconds: number;
  /** Tokens of the world's model; null for no bound. */
  readonly maxTokens: number | null;
}

/** Everything of an episode that never changes. */
export interface EpisodeSetup {
  readonly world: World;
  readonly spec: ToolWorldSpec;
  /** Reads and writes the domain's texts. */
  readonly format: DomainFormat;
  readonly engine: Engine<ToolWorldSpec>;
  readonly seed: number;
  readonly route: Route;
  readonly model: LanguageModel | undefined;
  /** Tokens that one question to the model may have. */
  readonly promptTokens: number;
  readonly faults: readonly FaultSpec[];
  readonly schedule: FaultSchedule;
  readonly facts: readonly PinnedFact[];
  readonly budget: EpisodeBudget;
  /** Tool name → its definition as the world lists it. */
  readonly tools: ReadonlyMap<string, Json>;
  readonly outputCheck: OutputCheck;
  /** How the service refuses, where it has words of its own. */
  readonly words: ServiceWords | undefined;
  /** What the real service answered, where the world has that. */
  readonly recorded: RecordedAnswers;
}

/**
 * Compiles what an episode needs. Raises `usage/bad-argument` for impossible options, `usage/not-built` for a domain
 * without an engine, `world/invalid` for facts that do not compile.
 */
export function createSetup(world: World, options: EpisodeOptions = {}): EpisodeSetup {
  const format = domainFormat(world.domain);
  if (!format.ok)
    throw new UsageError(format.error.message, { code: 'usage/not-built', data: { domain: world.domain } });
  const opened = openedBy(world, options);
  const seed = options.seed ?? world.file.seed;
  if (!Number.isSafeInteger(seed)) throw badArgument('seed', seed, 'a whole number below 2^53');
  const route = options.route ?? 'grounded';
  if (route === 'model' && options.model === undefined) {
    throw badArgument('route', route, 'a model with it, because every call is answered by the model');
  }
  if (options.maxTurns !== undefined && !(Number.isInteger(options.maxTurns) && options.maxTurns > 0)) {
    throw badArgument('maxTurns', options.maxTurns, 'a whole number of at least 1');
  }
  const promptTokens = options.promptTokens ?? LIMITS.promptTokens;
  if (!(Number.isInteger(promptTokens) && promptTokens >= LEAST_PROMPT_TOKENS)) {
    throw badArgument('promptTokens', promptTokens, `a whole number of at least ${LEAST_PROMPT_TOKENS}`);
  }
  const faults = options.faults ?? world.file.faults;
  const { spec, engine } = opened;
  return {
    world,
    spec,
    format: format.value,
    engine,
    seed,
    route,
    model: options.model,
    promptTokens,
    faults,
    schedule: scheduleOf(faults, { seed, domain: world.domain, route }),
    facts: factsOf(world),
    budget: budgetOf(world, options.maxTurns),
    tools: new Map(spec.tools.map((tool) => [tool.name, tool as unknown as Json])),
    outputCheck: createOutputCheck(spec.tools),
    words: faults.length === 0 ? undefined : createServiceWords(spec.answers),
    recorded: recordedOf(world),
  };
}

/** What an engine opens, and the engine. A domain without one is answered by the model alone. */
function openedBy(world: World, options: EpisodeOptions): Pick<EpisodeSetup, 'spec' | 'engine'> {
  const isPrompted = world.file.systemPrompt !== undefined;
  if (!isPrompted && world.spec !== null) return { spec: world.spec, engine: toolsEngine() };
  if (!isPrompted && world.machine !== null && world.harness !== null)
    return sweParts(world, { machine: world.machine, harness: world.harness });
  if (!isPrompted && world.machine !== null) return terminalParts(world, world.machine);
  if (options.model !== undefined && options.route !== 'engine') return askedParts(world);
  const why = isPrompted
    ? 'has a system prompt of its own'
    : `is of domain '${world.domain}', which has no engine yet`;
  throw new UsageError(
    `world '${world.name}' ${why}: only a language model can answer in it; give one (--model MODEL@BASE_URL, scripted:FILE or replay:FILE) and not the route 'engine'`,
    { code: 'usage/not-built', data: { domain: world.domain } },
  );
}

const DEFAULT_START = '2026-01-05T09:00:00Z';
let sharedAsked: Engine<AskedSpec> | undefined;

/** A world that nobody computes: every observation is asked for. */
function askedParts(world: World): Pick<EpisodeSetup, 'spec' | 'engine'> {
  sharedAsked ??= createAskedEngine();
  const asked = sharedAsked;
  const { state, strict, tools = [] } = world.file;
  const startMs = Date.parse(typeof state.clock === 'string' ? state.clock : DEFAULT_START);
  if (Number.isNaN(startMs)) {
    throw new WorldError(
      `world '${world.name}': state.clock is ${JSON.stringify(state.clock)}, wanted ISO 8601 with a zone`,
      {
        code: 'world/invalid',
      },
    );
  }
  const own: AskedSpec = {
    id: world.hash,
    domain: world.domain,
    state: state as JsonObject,
    // A prompt that others wrote says itself how impossible calls are answered.
    tools: world.file.systemPrompt === undefined ? (tools as AskedSpec['tools']) : [],
    startMs,
  };
  return {
    spec: {
      id: world.hash,
      tools: tools as ToolWorldSpec['tools'],
      data: {},
      entities: {},
      overrides: {},
      strict,
      startMs,
    },
    engine: {
      name: asked.name,
      open: (_spec, seed) => asked.open(own, seed),
      restore: (_spec, seed, snapshot) => asked.restore(own, seed, snapshot),
    },
  };
}

const terminals = new WeakMap<World, Pick<EpisodeSetup, 'spec' | 'engine'>>();
let sharedShell: Engine<MachineSpec> | undefined;

/** A terminal is one tool; its engine opens the world's machine. */
function terminalParts(world: World, machine: MachineSpec): Pick<EpisodeSetup, 'spec' | 'engine'> {
  sharedShell ??= createShellEngine();
  const shell = sharedShell;
  const known = terminals.get(world) ?? {
    spec: {
      id: machine.id,
      tools: [TERMINAL_DEFINITION],
      data: {},
      entities: {},
      overrides: {},
      strict: world.file.strict,
      startMs: machine.startMs,
    },
    engine: {
      name: shell.name,
      open: (_spec, seed) => shell.open(machine, seed),
      restore: (_spec, seed, snapshot) => shell.restore(machine, seed, snapshot),
    },
  };
  terminals.set(world, known);
  return known;
}

const codings = new WeakMap<World, Pick<EpisodeSetup, 'spec' | 'engine'>>();
let sharedSwe: Engine<SweSpec> | undefined;

/** A coding agent's tools on the world's machine. */
function sweParts(world: World, swe: SweSpec): Pick<EpisodeSetup, 'spec' | 'engine'> {
  sharedSwe ??= createSweEngine();
  const shared = sharedSwe;
  const known = codings.get(world) ?? {
    spec: {
      id: swe.machine.id,
      tools: harnessTools(swe.harness) as unknown as ToolWorldSpec['tools'],
      data: {},
      entities: {},
      overrides: {},
      strict: world.file.strict,
      startMs: swe.machine.startMs,
    },
    engine: {
      name: shared.name,
      open: (_spec, seed) => shared.open(swe, seed),
      restore: (_spec, seed, snapshot) => shared.restore(swe, seed, snapshot),
    },
  };
  codings.set(world, known);
  return known;
}

const recordedByWorld = new WeakMap<World, RecordedAnswers>();

/** Compiled once a world: the calls never change. */
function recordedOf(world: World): RecordedAnswers {
  const known = recordedByWorld.get(world) ?? new RecordedAnswers(world.file.recorded);
  recordedByWorld.set(world, known);
  return known;
}

let sharedEngine: Engine<ToolWorldSpec> | undefined;

/** One engine for all: it keeps what worlds share (checks, start states), and nothing of any episode. */
function toolsEngine(): Engine<ToolWorldSpec> {
  sharedEngine ??= createToolsEngine();
  return sharedEngine;
}

function scheduleOf(
  faults: readonly FaultSpec[],
  how: { readonly seed: number; readonly domain: Domain; readonly route: Route },
): FaultSchedule {
  const schedule = compileSchedule(faults, how.seed, how.domain);
  const problems = schedule.ok
    ? schedule.value.faults.flatMap((fault, index) => {
        const why = how.route === 'model' ? whyNotByModel(fault) : null;
        return why === null ? [] : [`faults.${index}: ${why}`];
      })
    : schedule.error.map(({ path, message }) => `faults.${path.join('.')}: ${message}`);
  if (schedule.ok && problems.length === 0) return schedule.value;
  throw new UsageError(problems.join('\n'), { code: 'usage/bad-argument', data: { problems } });
}

/** On the route `model` no engine runs a call, so it has no items, reads and writes that could break. */
function whyNotByModel({ kind, operation }: ScheduledFault): string | null {
  const hits = kind.strikes === 'operation' && operation !== 'tool.call' ? operation : null;
  if (hits === null && !(kind.strikes === 'operation' && kind.works === 'defers')) return null;
  const what = hits === null ? 'the writes of a call' : hits;
  return `'${kind.name}' cannot strike ${what} on the route 'model', where no engine runs the call; take the route 'grounded' or 'engine'`;
}

function factsOf(world: World): readonly PinnedFact[] {
  const facts = compileFacts(world.file.facts);
  if (facts.ok) return facts.value;
  throw new WorldError(`world '${world.name}': ${facts.error}`, { code: 'world/invalid' });
}

function budgetOf(world: World, maxTurns: number | undefined): EpisodeBudget {
  const { budget } = world.file;
  return {
    maxTurns: maxTurns ?? budget.maxTurns ?? LIMITS.turnsPerEpisode,
    maxSeconds: budget.maxSeconds ?? LIMITS.secondsPerEpisode,
    maxTokens: budget.maxTokens ?? null,
  };
}

function badArgument(name: string, seen: unknown, wanted: string): UsageError {
  return new UsageError(`option '${name}' is ${JSON.stringify(seen)}; it must be ${wanted}`, {
    code: 'usage/bad-argument',
    data: { name, seen },
  });
}
