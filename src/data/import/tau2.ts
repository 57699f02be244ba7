/**
 * Runs of tau2-bench and tau-bench: customers, agents and the tools of a service.
 *
 * The turns are calls of tools by either actor, the agent or the simulated user (both act on one environment; who it
 * was stands in `meta.requestor`). What the two say to each other is neither action nor observation and is counted as
 * skipped. Ids repeat within one conversation and between actors, so an answer closes the oldest open call of its id
 * and actor. Reference actions of the task are no turns. Full-duplex runs have `ticks` in place of messages.
 * Source: formats.md, section 15. Not covered: audio.
 */
import { isJsonObject, type Json, type JsonObject, parseJson, type Trajectory } from '../../core/index.js';
import type { ImportContext, ImportFormat, ImportReader, ValuePlace } from './import-format.js';
import { contentText, loggedTrajectory, toolAction } from './logged-trajectory.js';
import { CallPairs } from './pair-calls.js';

/** Results of tau2-bench (whole or one simulation a file) and rows of tau-bench. */
export const tau2: ImportFormat = {
  name: 'tau2',
  about: 'results of tau2-bench (also one simulation a file) and of tau-bench',
  recognises: (value) => isResults(value) || isSimulation(value) || isTauRow(value),
  open: (context) => new TauReader(context),
};

function isResults(value: Json): value is JsonObject {
  if (!isJsonObject(value)) return false;
  if (isJsonObject(value.simulation_run)) return isSimulation(value.simulation_run);
  return Array.isArray(value.simulations) && (isJsonObject(value.info) || Array.isArray(value.tasks));
}

function isSimulation(value: Json): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const isTold = 'termination_reason' in value || 'simulation_index' in value || 'reward_info' in value;
  return isTold && 'task_id' in value && (Array.isArray(value.messages) || Array.isArray(value.ticks));
}

function isTauRow(value: Json): value is JsonObject {
  return isJsonObject(value) && Array.isArray(value.traj) && 'task_id' in value && 'reward' in value;
}

/** What a file says of all its simulations. */
interface Run {
  readonly dataset: 'tau2' | 'tau-bench';
  readonly policy: string;
  readonly tools: readonly Json[];
  readonly agent: string | undefined;
  readonly environment: string | undefined;
}

const NO_RUN: Run = { dataset: 'tau2', policy: '', tools: [], agent: undefined, environment: undefined };

class TauReader implements ImportReader {
  private made = 0;

  constructor(private readonly context: ImportContext) {}

  take(value: Json, place: ValuePlace): readonly Trajectory[] {
    if (isTauRow(value)) return this.read(value, { ...NO_RUN, dataset: 'tau-bench' }, place);
    if (isSimulation(value)) return this.read(value, NO_RUN, place);
    if (!isResults(value)) {
      this.context.tally.skip('value without simulations');
      return [];
    }
    const run = runOf(value);
    if (isJsonObject(value.simulation_run)) return this.read(value.simulation_run, run, place);
    const simulations = value.simulations as readonly Json[];
    if (simulations.length === 0) {
      this.context.tally.skip('run without simulations');
      this.context.tally.warn(
        place,
        'the run has no simulations: it was aborted, or they are in other files',
      );
    }
    return simulations.flatMap((one) => {
      if (isSimulation(one)) return this.read(one, run, place);
      this.context.tally.bad(place, 'a simulation without messages or ticks; left out');
      return [];
    });
  }

  end(): readonly Trajectory[] {
    return [];
  }

  private read(simulation: JsonObject, run: Run, place: ValuePlace): readonly Trajectory[] {
    const { tally, file } = this.context;
    const pairs = new CallPairs(tally);
    const prompts: string[] = [];
    const list = simulation.messages ?? simulation.traj;
    const messages = Array.isArray(list) && list.length > 0 ? (list as readonly Json[]) : ticked(simulation);
    for (const [index, message] of messages.flatMap(flat).entries()) {
      if (!isJsonObject(message)) {
        tally.bad(place, 'a message that is no object; left out');
        continue;
      }
      if (message.role === 'system') prompts.push(contentText(message.content));
      this.message(pairs, message, { place, step: `m${index}` });
    }
    if (pairs.isEmpty) tally.skip('simulation without calls of tools');
    const name =
      simulation.id ?? [simulation.task_id, simulation.trial].filter((one) => one !== undefined).join('.');
    this.made += 1;
    return loggedTrajectory(pairs, {
      id: `${file}#${typeof name === 'string' && name !== '' ? name : this.made}`,
      dataset: run.dataset,
      file,
      agent: run.agent,
      text: [run.policy, ...prompts].filter((text) => text !== '').join('\n'),
      tools: run.tools,
      meta: metaOf(simulation, run),
    });
  }

  private message(
    pairs: CallPairs,
    message: JsonObject,
    at: { readonly place: ValuePlace; readonly step: string },
  ): void {
    const { role } = message;
    if (role === 'tool' || role === 'function') {
      answer(pairs, message, at.place);
      return;
    }
    const calls = callsOf(message);
    if (calls.length === 0) this.context.tally.skip(`message of ${String(role)}`);
    for (const call of calls) {
      const requestor = actorOf(call.requestor ?? role);
      const inner = isJsonObject(call.function) ? call.function : call;
      const name = typeof inner.name === 'string' ? inner.name : '';
      const given = inner.arguments ?? {};
      const parsed = typeof given === 'string' ? parseJson(given === '' ? '{}' : given) : undefined;
      pairs.call({
        id: keyOf(requestor, call.id),
        name,
        action: toolAction(name, parsed?.ok === true ? parsed.value : given),
        ...at,
        ...(typeof message.timestamp === 'string' && { startedAt: message.timestamp }),
        ...(parsed?.ok === false && { flags: ['bad-arguments'] }),
      });
    }
  }
}

function actorOf(requestor: Json | undefined): string {
  return requestor === 'user' ? 'user' : 'assistant';
}

function keyOf(requestor: string, id: Json | undefined): string {
  return `${requestor}:${typeof id === 'string' || typeof id === 'number' ? id : ''}`;
}

function callsOf(message: JsonObject): readonly JsonObject[] {
  return Array.isArray(message.tool_calls)
    ? (message.tool_calls as readonly Json[]).filter(isJsonObject)
    : [];
}

function answer(pairs: CallPairs, message: JsonObject, place: ValuePlace): void {
  const requestor = actorOf(message.requestor);
  const id = message.tool_call_id ?? message.id;
  pairs.answer({
    id: keyOf(requestor, id),
    observation: contentText(message.content),
    isError: message.error === true,
    place,
    ...(typeof message.timestamp === 'string' && { at: message.timestamp }),
    meta: { requestor, ...((typeof id === 'string' || typeof id === 'number') && { callId: String(id) }) },
  });
}

/** Several answers in one message are one after another. */
function flat(message: Json): readonly Json[] {
  if (!isJsonObject(message) || !Array.isArray(message.tool_messages)) return [message];
  return (message.tool_messages as readonly Json[]).map((one) =>
    isJsonObject(one) ? { role: 'tool', ...one } : one,
  );
}

/** The messages of a full-duplex run: per tick what each actor called and was answered. */
function ticked(simulation: JsonObject): readonly Json[] {
  const ticks = Array.isArray(simulation.ticks) ? (simulation.ticks as readonly Json[]) : [];
  return ticks.flatMap((tick): readonly Json[] => {
    if (!isJsonObject(tick)) return [tick];
    return (['assistant', 'user'] as const).flatMap((role): readonly Json[] => {
      const side = role === 'assistant' ? 'agent' : 'user';
      const chunk = tick[`${side}_chunk`];
      const own = tick[`${side}_tool_calls`];
      const calls = Array.isArray(own) && own.length > 0 ? own : isJsonObject(chunk) ? chunk.tool_calls : [];
      const results = tick[`${side}_tool_results`];
      const timestamp: JsonObject = typeof tick.timestamp === 'string' ? { timestamp: tick.timestamp } : {};
      return [
        ...(isJsonObject(chunk) || (Array.isArray(calls) && calls.length > 0)
          ? [{ role, tool_calls: calls ?? [], ...timestamp }]
          : []),
        ...(Array.isArray(results) ? (results as readonly Json[]) : []).map((one) =>
          isJsonObject(one) ? { requestor: role, ...timestamp, ...one, role: 'tool' } : one,
        ),
      ];
    });
  });
}

function runOf(value: JsonObject): Run {
  const info = isJsonObject(value.info) ? value.info : {};
  const environment = isJsonObject(info.environment_info) ? info.environment_info : {};
  const agent = isJsonObject(info.agent_info) ? info.agent_info : {};
  const { tool_defs: tools } = environment;
  return {
    dataset: 'tau2',
    policy: typeof environment.policy === 'string' ? environment.policy : '',
    tools: Array.isArray(tools)
      ? (tools as readonly Json[])
      : isJsonObject(tools)
        ? Object.values(tools)
        : [],
    agent: typeof agent.llm === 'string' ? agent.llm : undefined,
    environment: typeof environment.domain_name === 'string' ? environment.domain_name : undefined,
  };
}

function metaOf(simulation: JsonObject, run: Run): JsonObject {
  const { task_id: task, trial, termination_reason: end, reward_info: rated, seed } = simulation;
  const reward = isJsonObject(rated) ? rated.reward : simulation.reward;
  return {
    ...(task !== undefined && { task }),
    ...(trial !== undefined && { trial }),
    ...(end !== undefined && { termination: end }),
    ...(reward !== undefined && { reward }),
    ...(seed !== undefined && { seed }),
    ...(run.environment !== undefined && { environment: run.environment }),
  };
}
