/**
 * Tool calls as text: every form in which agents and traces write them, read into one value.
 *
 * Forms: `{"name","arguments"}`; OpenAI `{"type":"function","function":{"name","arguments":"…"}}` and
 * `function_call`; Anthropic `tool_use`; MCP `tools/call` with `params`; `{"answer":…}` for done. They are found in
 * benchmark-style text (headings, fenced blocks, prose) too; calls inside a thought are drafts. Broken JSON is never repaired here: what an agent sent
 * is what is judged. Source: contracts.md, "Actions".
 */
import {
  canonicalJson,
  type Finish,
  findJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type MalformedAction,
  ok,
  type ParsedAction,
  parseJson,
  renderJson,
  type ToolCall,
} from '../../core/index.js';
import { readChat, withoutThought } from '../said-action.js';
import { shareTexts } from './share-texts.js';

const WANTED =
  'wanted: {"name":"tool","arguments":{…}}, or {"type":"function","function":{"name":"tool","arguments":"{…}"}}, or {"answer":"…"}';

/** Reads the one call or answer that a text is or holds; anything else is `malformed` with what was seen. */
export function parseToolAction(sent: string): ParsedAction {
  const { text, json } = readChat(sent);
  const whole = json === undefined ? parseJson(text) : ok(json);
  if (whole.ok)
    return (
      readToolValue(shareTexts(whole.value, text)) ?? malformed(`this JSON is no tool call: ${excerpt(text)}`)
    );
  const said = withoutThought(text);
  if (said === null) return malformed('the action is a thought without an end; what it holds is a draft');
  const found = findJson(markedPart(said)).flatMap((reading) => readToolValue(reading.value) ?? []);
  const different = new Map(found.map((action) => [keyOf(action), action]));
  const [first] = different.values();
  if (first === undefined) {
    if (text.trim() === '') return malformed('the action is empty');
    const seen = /[{[]/.test(said) ? `invalid JSON (${whole.error.message})` : 'no JSON';
    return malformed(`${seen} in ${excerpt(text)}`);
  }
  if (different.size > 1) {
    const names = [...different.values()].map(nameOf).join(', ');
    return malformed(`${different.size} different calls in one action (${names}); send one at a time`);
  }
  return first;
}

const MARKER = /^[ \t>#*]*action[ \t]*:?[ \t]*\**[ \t]*:?/gim;

/**
 * What stands behind the last `Action:` heading, where there is one with JSON behind it: JSON in front of it is
 * thought or quoted, and is not run even when the marked action is broken.
 */
function markedPart(text: string): string {
  const last = [...text.matchAll(MARKER)].at(-1);
  const part = last === undefined ? '' : text.slice(last.index + last[0].length);
  return /[{[]/.test(part) ? part : text;
}

/** Writes an action in the first form of contracts.md: `{"name","arguments"}` (and `id`), or `{"answer"}`. */
export function renderToolAction(action: ToolCall | Finish): string {
  if (action.kind === 'finish') return renderJson({ answer: action.answer });
  const { name, arguments: args, callId } = action;
  return renderJson({ name, arguments: args, ...(callId === undefined ? {} : { id: callId }) });
}

function malformed(what: string): MalformedAction {
  return { kind: 'malformed', reason: `${what}; ${WANTED}` };
}

function excerpt(text: string): string {
  const short = text.trim().slice(0, 80);
  return JSON.stringify(short.length < text.trim().length ? `${short}…` : short);
}

function nameOf(action: ParsedAction): string {
  return action.kind === 'tool-call' ? action.name : action.kind === 'finish' ? 'answer' : 'a malformed call';
}

function keyOf(action: ParsedAction): string {
  return canonicalJson(action as unknown as JsonObject);
}

/** A call or answer from a JSON value in any of the forms, or null if the value does not even try to be one. */
export function readToolValue(value: Json): ParsedAction | null {
  if (Array.isArray(value)) return readList(value as readonly Json[]);
  if (!isJsonObject(value)) return null;
  const has = (key: string): boolean => Object.hasOwn(value, key);
  if (has('tool_calls') && Array.isArray(value.tool_calls)) return readList(value.tool_calls);
  if (has('function') && isJsonObject(value.function)) {
    return readCall(value.function, { args: 'arguments', idOf: value });
  }
  if (value.type === 'tool_use') return readCall(value, { args: 'input', idOf: value });
  if (has('params') && isJsonObject(value.params)) return readRequest(value, value.params);
  if (has('name') && has('answer')) return malformed('both "name" and "answer" in one action');
  if (has('name')) return readCall(value, { args: 'arguments', idOf: value });
  if (has('answer')) return readAnswer(value.answer ?? null);
  return null;
}

function readList(values: readonly Json[]): ParsedAction | null {
  const actions = values.map(readToolValue);
  if (actions.length === 0 || actions.includes(null)) return null;
  if (actions.length === 1) return actions[0] ?? null;
  return malformed(`a list of ${actions.length} calls; send one at a time`);
}

/** A JSON-RPC request, or its `params` alone. */
function readRequest(value: JsonObject, params: JsonObject): ParsedAction | null {
  if (Object.hasOwn(value, 'method') && value.method !== 'tools/call') {
    return malformed(`the method is ${JSON.stringify(value.method) ?? 'missing'}, not "tools/call"`);
  }
  return Object.hasOwn(params, 'name') ? readCall(params, { args: 'arguments', idOf: value }) : null;
}

function readAnswer(answer: Json): ParsedAction {
  if (answer === null || typeof answer === 'string') return { kind: 'finish', answer };
  return { kind: 'finish', answer: renderJson(answer) };
}

/** Names under which other systems put arguments; taking `{}` instead of what they hold would lose the call. */
const OTHER_ARGUMENT_KEYS = ['parameters', 'args', 'params', 'input', 'arguments', 'kwargs'];

function readCall(
  value: JsonObject,
  how: { readonly args: string; readonly idOf: JsonObject },
): ParsedAction | null {
  const { name } = value;
  if (typeof name !== 'string' || name === '') {
    return malformed(`the tool's name is ${renderJson(name ?? null).slice(0, 80)}, not a text`);
  }
  if (!Object.hasOwn(value, how.args)) {
    const other = OTHER_ARGUMENT_KEYS.find((key) => Object.hasOwn(value, key));
    if (other !== undefined)
      return malformed(`the arguments of "${name}" stand under "${other}", not "${how.args}"`);
    if (!hasOnlyCallKeys(value)) return null;
  }
  const args = readArguments(Object.hasOwn(value, how.args) ? (value[how.args] ?? null) : {});
  if (typeof args === 'string') return malformed(`the arguments of "${name}" are ${args}`);
  const callId = readCallId(how.idOf);
  return { kind: 'tool-call', name, arguments: args, ...(callId === undefined ? {} : { callId }) };
}

/** `{"name":"Ada","email":…}` is a person, not a call: without arguments only these keys make a call. */
function hasOnlyCallKeys(value: JsonObject): boolean {
  return Object.keys(value).every((key) => ['name', 'type', 'id', 'call_id', '_meta', 'index'].includes(key));
}

/** The arguments, or what is wrong with them. */
function readArguments(value: Json): JsonObject | string {
  if (isJsonObject(value)) return value;
  if (typeof value !== 'string') return `${renderJson(value).slice(0, 80)}, not an object`;
  if (value.trim() === '') return {};
  const parsed = parseJson(value);
  if (!parsed.ok) return `a text that is not JSON (${parsed.error.message})`;
  return isJsonObject(parsed.value) ? parsed.value : `${excerpt(value)}, not an object`;
}

function readCallId(value: JsonObject): string | undefined {
  const id = Object.hasOwn(value, 'call_id')
    ? value.call_id
    : Object.hasOwn(value, 'id')
      ? value.id
      : undefined;
  return typeof id === 'string'
    ? id
    : typeof id === 'number' || typeof id === 'bigint'
      ? String(id)
      : undefined;
}
