/**
 * SWE-agent trajectories (`.traj`) of 0.x and 1.x, and files that hold only a history.
 *
 * One turn for each element of `trajectory`: the parsed action with its observation, as the shell got it; where the
 * history has the call of a tool that became this action, it is the action. Thoughts and responses are left out. Files
 * without `trajectory`: assistant messages of the history with the message that follows (by id where it is a tool
 * message); demonstrations are left out. Lines about the open file, the directory and the prompt, the word
 * `OBSERVATION:` and the sentence about no output are the harness's and taken off beside the raw form. Actions that the
 * harness put in (`exit_cost` and the like) and its own words in place of an output are flagged. Source: formats.md,
 * section 4.
 */
import { isJsonObject, type Json, type JsonObject, parseJson, type Trajectory } from '../../core/index.js';
import type { ImportContext, ImportFormat, ImportReader, ValuePlace } from './import-format.js';
import { contentText, loggedTrajectory, toolAction } from './logged-trajectory.js';
import { CallPairs } from './pair-calls.js';
import { printedText, shellAction } from './printed-text.js';

/** Trajectory files of SWE-agent. */
export const sweAgent: ImportFormat = {
  name: 'swe-agent',
  about: 'SWE-agent trajectories (.traj), 0.x and 1.x, also with a history only',
  recognises: (value) => isJsonObject(value) && (hasSteps(value) || hasHistory(value)),
  open: (context) => new SweReader(context),
};

function hasSteps({ trajectory, environment, history, info }: JsonObject): boolean {
  if (!Array.isArray(trajectory)) return false;
  const [first] = trajectory as readonly Json[];
  if (first === undefined)
    return typeof environment === 'string' || (Array.isArray(history) && isJsonObject(info));
  return isJsonObject(first) && typeof first.action === 'string' && 'observation' in first;
}

function hasHistory({ history, messages }: JsonObject): boolean {
  return (
    messages === undefined &&
    Array.isArray(history) &&
    history.some(
      (one: Json) =>
        isJsonObject(one) &&
        typeof one.role === 'string' &&
        ('message_type' in one ||
          'is_demo' in one ||
          'tool_call_ids' in one ||
          typeof one.agent === 'string'),
    )
  );
}

class SweReader implements ImportReader {
  private made = 0;

  constructor(private readonly context: ImportContext) {}

  take(value: Json, place: ValuePlace): readonly Trajectory[] {
    const { tally, file } = this.context;
    if (!isJsonObject(value)) {
      tally.skip('value without a trajectory');
      return [];
    }
    const history = Array.isArray(value.history)
      ? (value.history as readonly Json[]).filter(isJsonObject)
      : [];
    const steps = Array.isArray(value.trajectory) ? (value.trajectory as readonly Json[]) : [];
    const pairs = new CallPairs(tally);
    const isHistoryOnly = steps.length === 0;
    if (isHistoryOnly) takeHistory(pairs, history, { context: this.context, place });
    else takeSteps(pairs, steps, { context: this.context, place, calls: new HistoryCalls(history) });
    if (!isHistoryOnly) for (const one of history) if (one.is_demo === true) tally.skip('demonstration');
    if (pairs.isEmpty) tally.skip('trajectory without actions');
    const info = isJsonObject(value.info) ? value.info : {};
    const prompts = history
      .filter(({ role }) => role === 'system')
      .map(({ content }) => contentText(content));
    this.made += 1;
    return loggedTrajectory(pairs, {
      id: `${file}#${typeof value.instance_id === 'string' ? value.instance_id : this.made}`,
      dataset: 'swe-agent',
      file,
      domain: 'swe',
      agent: 'swe-agent',
      version: typeof info.swe_agent_version === 'string' ? info.swe_agent_version : undefined,
      text: prompts.join('\n'),
      meta: {
        ...(typeof value.environment === 'string' && { environment: value.environment }),
        ...(info.exit_status !== undefined && { exit: info.exit_status }),
        ...taskOf(history),
      },
    });
  }

  end(): readonly Trajectory[] {
    return [];
  }
}

/** What the agent was asked: the first user message that is no demonstration. */
function taskOf(history: readonly JsonObject[]): JsonObject {
  const first = history.find(({ role, is_demo: demo }) => role === 'user' && demo !== true);
  return first === undefined ? {} : { task: contentText(first.content) };
}

/** Calls of tools in a history, by the action that they became, in order. */
class HistoryCalls {
  private readonly byAction = new Map<string, JsonObject[]>();

  constructor(history: readonly JsonObject[]) {
    for (const { role, is_demo: demo, action, tool_calls: calls } of history) {
      if (role !== 'assistant' || demo === true || typeof action !== 'string') continue;
      const [call] = Array.isArray(calls) && calls.length === 1 ? (calls as readonly Json[]) : [];
      if (!isJsonObject(call)) continue;
      const known = this.byAction.get(action.trim());
      if (known === undefined) this.byAction.set(action.trim(), [call]);
      else known.push(call);
    }
  }

  take(action: string): JsonObject | undefined {
    return this.byAction.get(action.trim())?.shift();
  }
}

interface StepPlace {
  readonly context: ImportContext;
  readonly place: ValuePlace;
}

function takeSteps(
  pairs: CallPairs,
  steps: readonly Json[],
  { context, place, calls }: StepPlace & { readonly calls: HistoryCalls },
): void {
  for (const [index, step] of steps.entries()) {
    if (!isJsonObject(step) || typeof step.action !== 'string') {
      context.tally.bad(place, `element ${index + 1} of the trajectory has no action; left out`);
      continue;
    }
    const id = `s${index}`;
    const own =
      Array.isArray(step.tool_calls) && step.tool_calls.length === 1
        ? (step.tool_calls[0] as Json)
        : undefined;
    const call = isJsonObject(own) ? own : calls.take(step.action);
    pairs.call({
      id,
      name: 'bash',
      action: call === undefined ? shellAction(step.action) : actionOf(call),
      place,
      ...(/^exit_\w+\s*$/.test(step.action) && { flags: ['harness-action'] }),
    });
    if (step.observation === null || step.observation === undefined) continue;
    const state = typeof step.state === 'string' ? parseJson(step.state) : undefined;
    const where = state?.ok === true ? state.value : step.state;
    pairs.answer({
      id,
      ...readObservation(contentText(step.observation)),
      place,
      meta: {
        ...(isJsonObject(where) && { state: where }),
        ...(typeof step.execution_time === 'number' &&
          step.execution_time >= 0 && { durationMs: Math.round(step.execution_time * 1000) }),
      },
    });
  }
}

function takeHistory(pairs: CallPairs, history: readonly JsonObject[], { context, place }: StepPlace): void {
  const { tally } = context;
  let waiting: string | undefined;
  for (const [index, message] of history.entries()) {
    const { role } = message;
    if (message.is_demo === true) tally.skip('demonstration');
    else if (role === 'assistant') {
      waiting = undefined;
      const calls = Array.isArray(message.tool_calls) ? (message.tool_calls as readonly Json[]) : [];
      for (const call of calls.filter(isJsonObject)) {
        const id = typeof call.id === 'string' ? call.id : undefined;
        pairs.call({ id, name: 'tool', action: actionOf(call), place, step: `m${index}` });
      }
      if (calls.length > 0) continue;
      const action =
        typeof message.action === 'string' ? message.action : fencedBlock(contentText(message.content));
      if (action === undefined) {
        tally.skip('message of assistant without an action');
        continue;
      }
      waiting = `m${index}`;
      pairs.call({ id: waiting, name: 'bash', action: shellAction(action), place });
    } else if (role === 'tool') {
      const [id] = Array.isArray(message.tool_call_ids)
        ? (message.tool_call_ids as readonly Json[])
        : [message.tool_call_id];
      const named = typeof id === 'string' ? { id } : { id: undefined };
      pairs.answer({ ...named, ...readObservation(contentText(message.content)), place });
    } else if (role === 'user' && waiting !== undefined) {
      pairs.answer({ id: waiting, ...readObservation(contentText(message.content)), place });
      waiting = undefined;
    } else tally.skip(`message of ${String(role)}`);
  }
}

function fencedBlock(text: string): string | undefined {
  return [...text.matchAll(/^```\w*[ \t]*\n([\s\S]*?)\n?^```[ \t]*$/gm)].at(-1)?.[1];
}

function actionOf(call: JsonObject): string {
  const inner = isJsonObject(call.function) ? call.function : call;
  const given = inner.arguments ?? {};
  const parsed = typeof given === 'string' ? parseJson(given === '' ? '{}' : given) : undefined;
  return toolAction(
    typeof inner.name === 'string' ? inner.name : '',
    parsed?.ok === true ? parsed.value : given,
  );
}

const STATE_LINES =
  /(?:^|\r?\n)(?:[ \t]*\((?:Open file|Current directory|Interactive session|Current file|Cursor)[^\n]{0,4000}\)[ \t]*\r?\n)+(?:bash-\$)?[ \t]*$/;
const NO_OUTPUT = /^\s*Your command ran successfully and did not produce any output\.\s*$/;
const SPECIAL =
  /^\s*(?:EXECUTION TIMED OUT|COMMAND FAILED TO EXECUTE|EXECUTION FAILED|BASH PROCESS (?:NOT|IS NOT) RUNNING|RESTARTED PROCESS|Exit(?:ed|ing) )|^\s*The command '[\s\S]{0,2000}' (?:was cancelled because it took|timed out)/;

/** An observation without what the harness added; flagged where all of it is the harness's. */
function readObservation(raw: string): {
  readonly observation: string;
  readonly isError: boolean;
  readonly raw: string;
  readonly flags: readonly string[];
} {
  const head = raw.replace(/^OBSERVATION:\r?\n/, '');
  const tail = head.length > 20_000 ? head.slice(-20_000) : head;
  const bare = head.slice(0, head.length - tail.length) + tail.replace(STATE_LINES, '');
  const isSpecial = SPECIAL.test(bare.slice(0, 3_000));
  const observation = NO_OUTPUT.test(bare.slice(0, 300)) && bare.length < 300 ? '' : printedText(bare);
  return { observation, isError: isSpecial, raw, flags: isSpecial ? ['harness-text'] : [] };
}
