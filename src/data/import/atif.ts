/**
 * Harbor's Agent Trajectory Interchange Format, ATIF v1.0 to v1.7, of terminus and of every other agent.
 *
 * Results are joined to the calls of their own step by `source_call_id`. Results without one belong to their step: for
 * terminus, all keys of a step and the screen after them are one turn of the domain terminal (`terminus-steps.ts`);
 * for other agents (domain swe) they are told apart by order only if there are as many as calls. Steps copied from
 * another file are skipped and the file then begins with a gap; steps of system and user, compaction among them, are
 * no turns. Sub-agents and continuations are files of their own, imported if given; a result that is only such a
 * reference is external. Agents that write their calls into the message are read too. Source: formats.md, section 2.
 */
import { isJsonObject, type Json, type JsonObject, type Trajectory } from '../../core/index.js';
import type { ImportContext, ImportFormat, ImportReader, ValuePlace } from './import-format.js';
import { contentText, loggedTrajectory, toolAction } from './logged-trajectory.js';
import { CallPairs, type LoggedAnswer } from './pair-calls.js';
import { printedText } from './printed-text.js';
import { firstScreen, inlineCalls, isTerminusCall, readTerminusScreen, stepKeys } from './terminus-steps.js';

/** ATIF documents, one a file, a line or an item. */
export const atif: ImportFormat = {
  name: 'atif',
  about: 'Harbor ATIF v1.0 to v1.7 (terminus and other agents)',
  recognises: (value) => isAtif(value),
  open: (context) =>
    ({
      take: (value, place) => {
        if (isAtif(value)) return new AtifDocument(context, value, place).read();
        context.tally.skip('value that is no trajectory');
        return [];
      },
      end: () => [],
    }) satisfies ImportReader,
};

function isAtif(value: Json): value is JsonObject {
  if (!isJsonObject(value) || !Array.isArray(value.steps)) return false;
  const { schema_version: version, steps } = value;
  if (typeof version === 'string') return /^ATIF/i.test(version);
  const [first] = steps as readonly Json[];
  return isJsonObject(first) && typeof first.step_id === 'number' && typeof first.source === 'string';
}

/** A call of a step, in one form whatever the agent wrote. */
interface StepCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: Json;
}

class AtifDocument {
  private readonly pairs: CallPairs;
  private readonly prompts: string[] = [];
  private readonly isTerminus: boolean;
  private task: string | undefined;
  private hasActed = false;
  private hasCopies = false;

  constructor(
    private readonly context: ImportContext,
    private readonly document: JsonObject,
    private readonly place: ValuePlace,
  ) {
    this.pairs = new CallPairs(context.tally);
    this.isTerminus =
      /terminus/i.test(String(this.agent.name ?? '')) ||
      this.steps.some((step) => callsOf(step).some(({ name, args }) => isTerminusCall(name, args)));
  }

  private get agent(): JsonObject {
    return isJsonObject(this.document.agent) ? this.document.agent : {};
  }

  private get steps(): readonly JsonObject[] {
    return (this.document.steps as readonly Json[]).filter(isJsonObject);
  }

  read(): readonly Trajectory[] {
    const { document, agent, pairs, place } = this;
    const { tally, file } = this.context;
    tally.version(document.schema_version);
    for (const [index, step] of this.steps.entries()) this.step(step, index);
    const strange = (document.steps as readonly Json[]).length - this.steps.length;
    if (strange > 0) tally.bad(place, `${strange} steps are no objects; left out`);
    const next = document.continued_trajectory_ref;
    if (typeof next === 'string') tally.warn(place, `goes on in ${next}; import that file too`);
    if (pairs.toolNames.length === 0) {
      tally.skip('trajectory without calls');
      return [];
    }
    const tools = agent.tool_definitions;
    const initialState = this.isTerminus && !this.hasCopies ? firstScreen(this.task ?? '') : undefined;
    const made = loggedTrajectory(pairs, {
      id: `${file}#${typeof document.session_id === 'string' ? document.session_id : (place.item ?? place.line)}`,
      dataset: 'atif',
      file,
      domain: this.isTerminus ? 'terminal' : 'swe',
      agent: typeof agent.name === 'string' ? agent.name : undefined,
      version: typeof agent.version === 'string' ? agent.version : undefined,
      text: this.prompts.join('\n'),
      tools: Array.isArray(tools) ? (tools as readonly Json[]) : [],
      meta: {
        ...(typeof document.schema_version === 'string' && { format: document.schema_version }),
        ...(this.task !== undefined && { task: this.task }),
        ...(typeof next === 'string' && { continuedIn: next }),
      },
    });
    return made.map((one) =>
      initialState === undefined ? one : { ...one, system: { ...one.system, initialState } },
    );
  }

  private step(step: JsonObject, index: number): void {
    const { tally } = this.context;
    if (step.is_copied_context === true) {
      if (!this.hasCopies && !this.hasActed) this.pairs.gap();
      this.hasCopies = true;
      tally.skip('copied step');
      return;
    }
    const source = String(step.source);
    const calls = callsOf(step);
    const results = resultsOf(step);
    if (source !== 'agent' && calls.length === 0) {
      this.otherStep(step, source, results);
      return;
    }
    this.hasActed = true;
    const told = calls.length > 0 ? calls : inlineCalls(contentText(step.message), this.isTerminus);
    if (told.length === 0) {
      tally.skip(results.length === 0 ? 'agent step without a call' : 'agent step whose message was no call');
      return;
    }
    this.agentStep(told, results, { step, index });
  }

  /** A step of the user or the system: nothing that the environment was asked. */
  private otherStep(step: JsonObject, source: string, results: readonly JsonObject[]): void {
    const { tally } = this.context;
    const text = contentText(step.message);
    const names = results.flatMap(subAgents);
    if (names.length > 0) {
      tally.skip('compaction step');
      tally.warn(this.place, `sub-agents are in ${names.slice(0, 5).join(', ')}; import these files too`);
      return;
    }
    if (source === 'system' && !this.hasActed) this.prompts.push(text);
    if (source === 'user' && this.task === undefined) this.task = text;
    tally.skip(`${source} step`);
  }

  private agentStep(
    calls: readonly StepCall[],
    results: readonly JsonObject[],
    { step, index }: { readonly step: JsonObject; readonly index: number },
  ): void {
    const prefix = `${index}`;
    const at = typeof step.timestamp === 'string' ? { startedAt: step.timestamp } : {};
    const named = results.filter((one) => typeof one.source_call_id === 'string');
    const nameless = results.filter((one) => typeof one.source_call_id !== 'string');
    const open: { readonly key: string; readonly id: string | undefined }[] = [];
    const keys = this.isTerminus && named.length === 0 ? stepKeys(calls) : undefined;
    const joined =
      keys === undefined ? calls.map((one) => ({ ...one, action: this.actionOf(one) })) : [{ ...keys }];
    for (const [number, { id, name, action }] of joined.entries()) {
      const key = `${prefix}.${number}`;
      open.push({ key, id });
      this.pairs.call({ id: key, name, action, place: this.place, step: prefix, ...at });
    }
    for (const result of named) {
      const found = open.findIndex(({ id }) => id === result.source_call_id);
      const [call] = found < 0 ? [] : open.splice(found, 1);
      this.answer(call?.key ?? `${prefix}.${String(result.source_call_id)}`, [result], call?.id);
    }
    if (nameless.length === 0) return;
    const [first] = open;
    if (open.length === 1 && first !== undefined) this.answer(first.key, nameless, first.id);
    else if (open.length === nameless.length) {
      for (const [number, result] of nameless.entries()) {
        const call = open[number];
        this.answer(call?.key ?? prefix, [result], call?.id);
      }
    } else this.answer(`${prefix}.?`, nameless, undefined);
  }

  private actionOf({ name, args }: StepCall): string {
    const keys = this.isTerminus ? stepKeys([{ id: undefined, name, args }]) : undefined;
    return keys?.action ?? toolAction(name, args);
  }

  private answer(key: string, results: readonly JsonObject[], callId: string | undefined): void {
    const { tally } = this.context;
    const names = results.flatMap(subAgents);
    const hasContent = results.some(({ content }) => content !== undefined && content !== null);
    const isExternal = names.length > 0 && !hasContent;
    const raw = results.map(({ content }) => contentText(content)).join('\n');
    const read = this.isTerminus ? readTerminusScreen(raw) : { text: printedText(raw), flags: [], meta: {} };
    const hasImage = results.some(
      ({ content }) =>
        Array.isArray(content) && content.some((part: Json) => isJsonObject(part) && part.type === 'image'),
    );
    if (names.length > 0) tally.warn(this.place, `sub-agents are in ${names.slice(0, 5).join(', ')}`);
    const answer: LoggedAnswer = {
      id: key,
      observation: read.text,
      isError: false,
      place: this.place,
      raw,
      flags: [...read.flags, ...(isExternal ? ['external'] : []), ...(hasImage ? ['image'] : [])],
      meta: {
        ...(callId !== undefined && { callId }),
        ...read.meta,
        ...(names.length > 0 && { subAgents: names }),
      },
    };
    this.pairs.answer(answer);
  }
}

function callsOf(step: JsonObject): readonly StepCall[] {
  const list = Array.isArray(step.tool_calls)
    ? (step.tool_calls as readonly Json[]).filter(isJsonObject)
    : [];
  return list.map((call) => ({
    id: typeof call.tool_call_id === 'string' ? call.tool_call_id : undefined,
    name: typeof call.function_name === 'string' ? call.function_name : '',
    args: call.arguments ?? {},
  }));
}

function resultsOf({ observation }: JsonObject): readonly JsonObject[] {
  const results = isJsonObject(observation) ? observation.results : undefined;
  return Array.isArray(results) ? (results as readonly Json[]).filter(isJsonObject) : [];
}

/** The files, else the sessions, of the sub-agents that a result names. */
function subAgents({ subagent_trajectory_ref: refs }: JsonObject): readonly string[] {
  const list = Array.isArray(refs) ? (refs as readonly Json[]) : isJsonObject(refs) ? [refs] : [];
  return list
    .filter(isJsonObject)
    .map(({ trajectory_path: path, session_id: session }) =>
      typeof path === 'string' ? path : String(session ?? '(unnamed)'),
    );
}
