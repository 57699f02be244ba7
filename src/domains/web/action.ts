/**
 * Browser actions as text: `{"name":"click","arguments":{"bid":"a51"}}`, `click("a51")`, `click [12]`, or several of one.
 *
 * They are found in benchmark-style text too: behind headings, in fences and elements, as calls on lines of their own, or
 * as the one call in prose; calls inside a thought are drafts. Call text is Python's syntax, read as data and never run.
 * Several actions in one text are one call of {@link WEB_SEQUENCE}, since they are answered by one page. Source:
 * contracts.md, "Actions".
 */
import {
  canonicalJson,
  type Finish,
  findJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type MalformedAction,
  type ParsedAction,
  parseJson,
  renderJson,
  type ToolCall,
} from '../../core/index.js';
import type { EndingAnswer } from '../domain-format.js';
import { readToolValue } from '../mcp/action.js';
import { type PythonCall, readPythonCall, readPythonCalls } from '../python-calls.js';
import { actionBlocks, behindHeading, withoutChat, withoutThought } from '../said-action.js';
import { bindArguments, checkArguments, WEB_ACTIONS } from './action-table.js';
import { behindPhrase, bracketLines, readBracketActions } from './bracket-action.js';

/** The name of the call that several actions in one text are; its argument `calls` lists `{name, arguments}`. */
export const WEB_SEQUENCE = 'actions';

const WANTED = `wanted: {"name":"click","arguments":{"bid":"a51"}} or click("a51")`;
/** Calls looked for in prose. */
const PROSE_CALLS = 50;

type Single = ToolCall | Finish;

/** Reads an action. Never throws; what is nearly an action is malformed with the reason. */
export function parseWebAction(text: string): ParsedAction {
  const said = withoutThought(withoutChat(text));
  if (said === null) return malformed('the action is a thought without an end; what it holds is a draft');
  const whole = parseJson(said);
  if (whole.ok) {
    return readValue(whole.value) ?? malformed(`this JSON is no action: ${excerpt(said)}`);
  }
  if (said.trim() === '') return malformed('the action is empty');
  const part = behindHeading(behindPhrase(said), (rest) => /[({[]|^\s*[\w`]+\s*$/.test(rest));
  const calls = readCalls(part);
  if (typeof calls !== 'string') return calls;
  return fromBlocks(part) ?? fromJson(part) ?? fromProse(part) ?? malformed(`${calls} in ${excerpt(part)}`);
}

/** Writes an action in the first form, several as a list; `parseWebAction` reads it back to an equal value. */
export function renderWebAction(action: ToolCall | Finish): string {
  if (action.kind === 'finish') return renderJson({ answer: action.answer });
  if (action.name === WEB_SEQUENCE) return renderJson(action.arguments.calls ?? []);
  const { name, arguments: args, callId } = action;
  return renderJson({ name, arguments: args, ...(callId === undefined ? {} : { id: callId }) });
}

/** The single actions of a parsed action, in order. */
export function webCalls(
  action: ToolCall,
): readonly { readonly name: string; readonly arguments: JsonObject }[] {
  if (action.name !== WEB_SEQUENCE) return [{ name: action.name, arguments: action.arguments }];
  const { calls } = action.arguments;
  return Array.isArray(calls) ? (calls as unknown as { name: string; arguments: JsonObject }[]) : [];
}

/** The agent's words to the user end the episode with them; saying that it cannot be done ends it without an answer. */
export function webEnding(action: ToolCall): EndingAnswer | null {
  for (const call of webCalls(action)) {
    if (call.name === 'send_msg_to_user') return { answer: String(call.arguments.text) };
    if (call.name === 'report_infeasible') return { answer: null };
  }
  return null;
}

function malformed(what: string): MalformedAction {
  return { kind: 'malformed', reason: `${what}; ${WANTED}` };
}

function excerpt(text: string): string {
  const short = text.trim().slice(0, 80);
  return JSON.stringify(short.length < text.trim().length ? `${short}…` : short);
}

/** An action from a JSON value, or null if the value does not even try to be one. */
function readValue(value: Json): ParsedAction | null {
  if (typeof value === 'string') {
    const calls = readCalls(value);
    return typeof calls === 'string' ? malformed(calls) : calls;
  }
  const list = listOfCalls(value);
  if (list !== null) return together(list.map((one) => readValue(one) ?? malformed('an entry is no action')));
  const read = readToolValue(value);
  if (read?.kind !== 'tool-call') return read;
  const args = checkArguments(read.name, read.arguments);
  return typeof args === 'string' ? malformed(args) : read;
}

/** The entries of a list of actions, also as the argument of {@link WEB_SEQUENCE}. */
function listOfCalls(value: Json): readonly Json[] | null {
  // `[12]` in a prose is an id, and no list of actions.
  const tries = (entry: unknown): boolean => isJsonObject(entry) || typeof entry === 'string';
  if (Array.isArray(value)) return value.some(tries) ? (value as readonly Json[]) : null;
  if (!isJsonObject(value)) return null;
  if (Array.isArray(value.tool_calls)) return value.tool_calls as readonly Json[];
  if (value.name !== WEB_SEQUENCE || !isJsonObject(value.arguments)) return null;
  const { calls } = value.arguments;
  return Array.isArray(calls) && calls.length > 0 ? (calls as readonly Json[]) : null;
}

/** Several actions as one; one alone stays itself, and the first that is malformed makes the whole malformed. */
function together(actions: readonly ParsedAction[]): ParsedAction {
  const [only] = actions;
  if (actions.length === 1 && only !== undefined) return only;
  const calls: JsonObject[] = [];
  for (const action of actions) {
    if (action.kind === 'malformed') return action;
    if (action.kind === 'finish') return malformed('an answer stands among other actions; send it alone');
    calls.push(...webCalls(action).map((call) => ({ name: call.name, arguments: call.arguments })));
  }
  return { kind: 'tool-call', name: WEB_SEQUENCE, arguments: { calls } };
}

/** A text that is calls, or actions in brackets, and nothing else as an action; a text says why it is not. */
function readCalls(text: string): ParsedAction | string {
  const bracketed = readBracketActions(text);
  if (bracketed !== null) return together(bracketed);
  const calls = readPythonCalls(text.trim());
  if (!calls.ok) return calls.error.message;
  if (calls.value.length === 0) return 'no action';
  return together(calls.value.map(readCall));
}

function readCall({ name, positional, keywords }: PythonCall): ParsedAction {
  const args = bindArguments(name, positional, keywords);
  return typeof args === 'string' ? malformed(args) : { kind: 'tool-call', name, arguments: args };
}

/** The action in fences or elements; null where none of them tries to be one. */
function fromBlocks(text: string): ParsedAction | null {
  const read = actionBlocks(text).flatMap((block): ParsedAction[] => {
    const value = parseJson(block);
    const action = value.ok ? readValue(value.value) : null;
    if (action !== null) return [action];
    const calls = readCalls(block);
    if (typeof calls !== 'string') return [calls];
    const starts = WEB_ACTIONS.some((name) => block.trimStart().startsWith(`${name}(`));
    return starts ? [malformed(calls)] : [];
  });
  return oneOf(read);
}

function fromJson(text: string): ParsedAction | null {
  return oneOf(findJson(text).flatMap((reading) => readValue(reading.value) ?? []));
}

/** The one of some readings, where all that are well-formed are the same; malformed ones count only if all are. */
function oneOf(actions: readonly ParsedAction[]): ParsedAction | null {
  const good = actions.filter((action): action is Single => action.kind !== 'malformed');
  const different = new Map(good.map((action) => [canonicalJson(action as unknown as JsonObject), action]));
  if (different.size > 1) {
    return malformed(`${different.size} different actions in blocks of their own; send one block`);
  }
  return [...different.values()][0] ?? actions.at(-1) ?? null;
}

const CALL_IN_PROSE = new RegExp(`(?<![\\w.'"(])(?:${WEB_ACTIONS.join('|')})\\(`, 'g');

/** Calls on lines of their own, a broken one among them included; else the one call that stands in the prose. */
function fromProse(text: string): ParsedAction | null {
  const alone: ParsedAction[] = [];
  const inline: ParsedAction[] = [];
  let end = 0;
  for (const { index } of [...text.matchAll(CALL_IN_PROSE)].slice(0, PROSE_CALLS)) {
    if (index < end) continue;
    const call = readPythonCall(text, index);
    const action = call.ok ? readCall(call.value) : malformed(call.error.message);
    end = call.ok ? call.value.end : index + 1;
    const isLine = call.ok ? isAlone(text, call.value) : startsLine(text, index);
    (isLine ? alone : inline).push(action);
  }
  if (alone.length > 0) return together(alone);
  return oneOf(inline) ?? oneOf(bracketLines(text).map(together));
}

function startsLine(text: string, at: number): boolean {
  return /^[\s>]*$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
}

function isAlone(text: string, { start, end }: PythonCall): boolean {
  const newline = text.indexOf('\n', end);
  const after = text.slice(end, newline < 0 ? text.length : newline);
  return startsLine(text, start) && /^[\s;]*(?:#.*)?$/.test(after);
}
