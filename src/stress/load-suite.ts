/**
 * A suite file's text to a suite that can be planned: worlds loaded, sets of faults checked, agents made.
 *
 * Every problem of the file is told at once, each with its place and the nearest known name. Failures are
 * `usage/bad-argument` (the suite is wrong) and `usage/unknown-name` (there is no such file). Not covered: whether a
 * set can strike a world; that is the plan's.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { compileSchedule, FAULT_KINDS } from '../control/index.js';
import { fail, nearestName, ok, type Result, UsageError } from '../core/index.js';
import { type CheckedFile, findWorld, listWorlds, readCheckedFile, type World } from '../worlds/index.js';
import type { Agent } from './agent.js';
import { type AgentContext, createAgents } from './agent-spec.js';
import { catalogueNames, type NamedFaults } from './fault-sets.js';
import type { VerdictJudge } from './judge/ask-judge.js';
import { openJudge } from './judge/open-judge.js';
import { DEFAULT_BUDGET, type RunBudget } from './run-budget.js';
import { type SuiteAgent, type SuiteFile, SuiteFileSchema } from './suite-file.js';

/** A suite whose parts all exist. */
export interface Suite {
  readonly name: string;
  readonly worlds: readonly World[];
  readonly faults: readonly NamedFaults[];
  readonly agents: readonly Agent[];
  readonly trials: number;
  /** Null: each world's own. */
  readonly seed: number | null;
  readonly budget: SuiteFile['budget'];
  readonly jobs: number;
  /** Asked for what the rules leave open; null for none. */
  readonly judge: VerdictJudge | null;
}

/** Runs at a time where a suite says nothing. */
const DEFAULT_JOBS = 4;

/** What a command line says instead of the file. */
export interface SuiteChoices {
  /** SPECs of agents. */
  readonly agents?: readonly string[];
  /** The SPEC of a judge; options that the file gives a judge of the same SPEC stay. */
  readonly judge?: string;
}

/** Loads a suite from its file. */
export function loadSuiteFile(
  path: string,
  context: AgentContext,
  options: SuiteChoices = {},
): Result<Suite, UsageError> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    const code = why === 'ENOENT' ? 'usage/unknown-name' : 'usage/bad-argument';
    return fail(new UsageError(`cannot read the suite ${path} (${why})`, { code, cause, data: { path } }));
  }
  const read = readCheckedFile(text, path, SuiteFileSchema);
  if (!read.ok) return fail(suiteError(path, read.error));
  const name = read.value.value.name ?? basename(path, extname(path));
  return buildSuite(read.value, { name, path, context, ...options });
}

/** Makes a suite out of values, as `umwelt stress WORLD` does. `path` is what paths are relative to. */
export function createSuite(
  file: SuiteFile,
  how: {
    readonly name: string;
    readonly path: string;
    readonly context: AgentContext;
    readonly judge?: string;
  },
): Result<Suite, UsageError> {
  const checked: CheckedFile<SuiteFile> = { value: file, problem: (_path, message) => message };
  return buildSuite(checked, how);
}

interface BuildOptions extends SuiteChoices {
  readonly name: string;
  readonly path: string;
  readonly context: AgentContext;
}

function buildSuite(file: CheckedFile<SuiteFile>, options: BuildOptions): Result<Suite, UsageError> {
  const { value } = file;
  const problems: string[] = [];
  const worlds = value.worlds.flatMap((name, index) => {
    const world = findWorld(worldPath(name, options.path));
    if (world.ok) return [world.value];
    problems.push(file.problem(['worlds', index], world.error.message));
    return [];
  });
  const faults = faultsOf(file, problems);
  const specs = options.agents ?? value.agents;
  // What the command line names is relative to where it was typed, what the file names to the file.
  const agentDirectory = options.agents === undefined ? dirname(options.path) : options.context.directory;
  const agents = createAgents(specs.map(agentOf), { ...options.context, directory: agentDirectory });
  if (!agents.ok) {
    for (const { index, message } of agents.error) problems.push(file.problem(['agents', index], message));
  }
  const judge = judgeOf(value, options);
  if (!judge.ok) problems.push(file.problem(['judge'], judge.error));
  if (problems.length > 0 || !agents.ok || !judge.ok) return fail(suiteError(options.path, problems));
  const { trials, seed, budget, limits } = value;
  const { name } = options;
  const jobs = limits.jobs ?? DEFAULT_JOBS;
  const parts = { worlds, faults, agents: agents.value, judge: judge.value };
  return ok({ name, ...parts, trials, seed: seed ?? null, budget, jobs });
}

/** The judge that the command line names, else the file's; each with paths relative to where it is written. */
function judgeOf(file: SuiteFile, options: BuildOptions): Result<VerdictJudge | null, string> {
  const { judge: chosen, context, path } = options;
  const named = typeof file.judge === 'string' ? { judge: file.judge } : file.judge;
  if (chosen !== undefined) {
    const kept = named?.judge === chosen ? named : { judge: chosen };
    return openJudge(kept, context);
  }
  return named === undefined ? ok(null) : openJudge(named, { ...context, directory: dirname(path) });
}

function agentOf(agent: string | SuiteAgent): SuiteAgent {
  return typeof agent === 'string' ? { agent } : agent;
}

/** A path of a suite is relative to its file; a name is one of the catalogue. */
function worldPath(name: string, suitePath: string): string {
  const isPath = /[\\/]/.test(name) || ['.yaml', '.yml', '.json'].includes(extname(name));
  if (!isPath && listWorlds().some((world) => world.name === name)) return name;
  return isPath ? resolve(dirname(suitePath), name) : name;
}

function faultsOf(file: CheckedFile<SuiteFile>, problems: string[]): NamedFaults[] {
  const { faults } = file.value;
  const catalogue = catalogueNames();
  if (faults === 'all') return catalogue.map(catalogueSet);
  const seen = new Set<string>(['clean']);
  return faults.flatMap((entry, index) => {
    const id = typeof entry === 'string' ? entry : entry.name;
    if (entry === 'all')
      return catalogue.filter((name) => !seen.has(name) && seen.add(name)).map(catalogueSet);
    if (seen.has(id))
      problems.push(
        file.problem(['faults', index], `'${id}' is there twice, or is the name of the runs without faults`),
      );
    seen.add(id);
    if (typeof entry !== 'string') {
      const compiled = compileSchedule(entry.faults, 0);
      if (compiled.ok) return [{ id, specs: entry.faults, expects: entry.expects ?? null }];
      for (const { path, message } of compiled.error) {
        problems.push(file.problem(['faults', index, 'faults', ...path], message));
      }
      return [];
    }
    if (FAULT_KINDS.has(entry)) return [catalogueSet(entry)];
    const nearest = nearestName(entry, catalogue);
    const hint = nearest === undefined ? '' : `; did you mean '${nearest}'?`;
    problems.push(
      file.problem(
        ['faults', index],
        `'${entry}' is not a kind of fault${hint} Known kinds: ${catalogue.join(', ')}`,
      ),
    );
    return [];
  });
}

function catalogueSet(id: string): NamedFaults {
  return { id, specs: null, expects: null };
}

/** The budget of a run in a world. */
export function budgetFor(budget: SuiteFile['budget'], world: World): RunBudget {
  return {
    maxTurns: budget.maxTurns ?? world.file.budget.maxTurns ?? DEFAULT_BUDGET.maxTurns,
    maxRepeats: budget.maxRepeats ?? DEFAULT_BUDGET.maxRepeats,
    maxTokens: budget.maxTokens ?? DEFAULT_BUDGET.maxTokens,
    maxCostUsd: budget.maxCostUsd ?? DEFAULT_BUDGET.maxCostUsd,
    maxSeconds: budget.maxSeconds ?? DEFAULT_BUDGET.maxSeconds,
    maxSimulatedSeconds: budget.maxSimulatedSeconds ?? DEFAULT_BUDGET.maxSimulatedSeconds,
  };
}

function suiteError(path: string, problems: readonly string[]): UsageError {
  return new UsageError(problems.join('\n'), { code: 'usage/bad-argument', data: { path, problems } });
}
