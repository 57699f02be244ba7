/**
 * `module:FILE#NAME`: an agent that is a JavaScript function.
 *
 * The function is given `{ task, tools, call(name, args), act(text), wait(seconds), seed, signal, spend(usage) }` and
 * returns its answer, a text or nothing. It runs in this process with all its rights: only name files you trust. A
 * function that never awaits cannot be stopped. NAME is `agent` where it is left out.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, hashText, type JsonObject, ok, type Result } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import { type Agent, AgentFailure, type AgentSession, type CallResult, type Spending } from '../agent.js';
import type { AgentParts } from '../agent-spec.js';
import { runWatched } from './stray-errors.js';

/** What an agent function is given. */
export interface AgentInput {
  readonly task: string;
  /** The tools at the start; `currentTools()` gives them as they are now. */
  readonly tools: readonly ToolDefinition[];
  currentTools(): readonly ToolDefinition[];
  /** Calls a tool. After the end of the run it rejects, and so does every later call. */
  call(name: string, args?: JsonObject): Promise<CallResult>;
  /** Sends the exact text of an action. */
  act(action: string): Promise<CallResult>;
  /** Lets simulated seconds pass; takes no real time. */
  wait(seconds: number): Promise<void>;
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Counts tokens and cost against the budget. */
  spend(usage: Partial<Spending>): void;
}

/** An agent as a function: lives through a task and gives its answer. */
export type AgentFunction = (input: AgentInput) => unknown;

/** Makes an agent of a function. `live`: it acts in its own time, and the simulated clock goes on with it. */
export function createFunctionAgent(
  run: AgentFunction,
  options: {
    readonly id?: string;
    readonly spec?: string;
    readonly live?: boolean;
    readonly fingerprint?: string;
  } = {},
): Agent {
  const { id = 'function', spec = id, live = false, fingerprint } = options;
  return {
    id,
    kind: 'module',
    spec,
    live,
    ...(fingerprint !== undefined && { fingerprint }),
    async run(session) {
      const answer = await runWatched(async () => run(inputOf(session)));
      if (answer === undefined || answer === null) return { answer: null };
      return { answer: typeof answer === 'string' ? answer : JSON.stringify(answer) };
    },
  };
}

/** Makes the agent; fails for a file that is not there. The module is loaded when it first runs. */
export function createModuleAgent({ id, rest, spec, context }: AgentParts): Result<Agent, string> {
  const [file = '', name = 'agent'] = rest.split('#');
  const path = resolve(context.directory, file);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return fail(`cannot read the module ${file} (${(error as NodeJS.ErrnoException).code})`);
  }
  const run: AgentFunction = async (input) => (await loadFunction(path, name))(input);
  return ok(createFunctionAgent(run, { id, spec, fingerprint: hashText(text) }));
}

async function loadFunction(path: string, name: string): Promise<AgentFunction> {
  let loaded: Record<string, unknown>;
  try {
    loaded = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AgentFailure('not-started', `the module ${path} cannot be loaded: ${why}`);
  }
  const found = loaded[name];
  if (typeof found === 'function') return found as AgentFunction;
  const known = Object.keys(loaded).filter((key) => typeof loaded[key] === 'function');
  const list = known.length === 0 ? 'none' : known.join(', ');
  throw new AgentFailure('not-started', `${path} exports no function '${name}'; its functions: ${list}`);
}

function inputOf(session: AgentSession): AgentInput {
  return {
    task: session.task,
    tools: session.tools(),
    currentTools: () => session.tools(),
    call: (name, args = {}) => session.call(name, args),
    act: (action) => session.act(action),
    wait: (seconds) => session.wait(seconds * 1000),
    seed: session.seed,
    signal: session.signal,
    spend: ({ promptTokens = null, completionTokens = null, costUsd = null }) =>
      session.spend({ promptTokens, completionTokens, costUsd }),
  };
}
