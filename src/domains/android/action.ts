/**
 * Android actions as text: JSON with `action_type`, and the other forms in which agents on phones write them.
 *
 * Forms: `{"action_type":"click","x":540,"y":1200}` or with `"index":7`; the same under `action`, as a tool call, or as a call
 * text (`tap(7)`, `do(action="Tap", element=[x, y])`, `click(start_box='(x,y)')`); found behind headings, in fences and
 * behind reasons. A parsed action is a call named by its type; only the fields of that type are in it. Fractions of the
 * screen (AITW) are marked `unit: "fraction"`. Source: contracts.md, "Actions".
 */
import {
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
import { parseToolAction } from '../mcp/action.js';
import { actionBlocks, behindHeading, withoutChat, withoutThought } from '../said-action.js';
import { readAndroidCall } from './action-call.js';
import { readAndroidFields } from './action-fields.js';
import { ANDROID_ACTIONS, namedAction } from './action-names.js';

const WANTED = `wanted: {"action_type":"click","x":540,"y":1200} or with "index":7; the types are ${ANDROID_ACTIONS.join(', ')}`;
/** Lines of a text that are looked at for a call. */
const LINES = 200;

/** Reads an action. Never throws. */
export function parseAndroidAction(text: string): ParsedAction {
  const whole = readPiece(text);
  if (whole !== null) return whole;
  const said = withoutThought(withoutChat(text));
  if (said === null) return malformed('the action is a thought without an end; what it holds is a draft');
  const part = behindHeading(said, (behind) => readings(behind).length > 0);
  const found = readings(part);
  const different = new Map(found.map((action) => [renderJson(action as unknown as Json), action]));
  const [first] = different.values();
  if (first === undefined) return malformed(`no action in ${excerpt(text)}`);
  if (different.size > 1)
    return malformed(`${different.size} different actions in one text; send one at a time`);
  return first;
}

/** All actions that a text holds: the whole, else its blocks, else its JSON, else its lines. */
function readings(text: string): readonly ParsedAction[] {
  const whole = readPiece(text);
  if (whole !== null) return [whole];
  const blocks = actionBlocks(text).flatMap((block) => readPiece(block) ?? []);
  if (blocks.length > 0) return blocks;
  const json = findJson(text).flatMap(({ value }) => readValue(value) ?? []);
  if (json.length > 0) return json;
  const lines = text
    .split('\n')
    .filter((line) => line.includes('('))
    .slice(-LINES);
  return lines.flatMap((line) => {
    const call = readAndroidCall(line.trim());
    return call === null ? [] : [checked(call)];
  });
}

/** One action that is all of a text, or null. */
function readPiece(text: string): ParsedAction | null {
  const trimmed = text.trim();
  if (/^[[{"]/.test(trimmed)) {
    const json = parseJson(trimmed);
    if (json.ok) return readValue(json.value);
  }
  const call = readAndroidCall(trimmed);
  return call === null ? null : checked(call);
}

/** An action, or null where a value does not try to be one. */
function readValue(value: Json): ParsedAction | null {
  if (typeof value === 'string') return readWord(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    if (value.length === 1) return readValue((value as readonly Json[])[0] ?? null);
    const all = (value as readonly Json[]).map(readValue);
    return all.includes(null) ? null : malformed(`a list of ${value.length} actions; send one at a time`);
  }
  if (!isJsonObject(value)) return null;
  const { action_type: type, action } = value;
  if (typeof type === 'string' || typeof type === 'number') return typed(type, value, 'action_type');
  if (Object.hasOwn(value, 'action_type'))
    return malformed(`"action_type" is ${renderJson(type ?? null).slice(0, 60)}, not a name`);
  if (isJsonObject(action)) return readValue(action);
  const isLone = typeof action === 'string' && !Object.hasOwn(value, 'name');
  if (isLone && namedAction(action) !== undefined) return typed(action, value, 'action');
  if (Object.hasOwn(value, 'answer') && Object.keys(value).length === 1)
    return checked({ name: 'answer', fields: { text: value.answer ?? null } });
  return readToolCall(value);
}

function readWord(text: string): ParsedAction | null {
  const call = readAndroidCall(text.trim());
  return call === null ? null : checked(call);
}

/** An action named by one member of an object; its parameters stand beside it or in an object of their own. */
function typed(type: string | number, value: JsonObject, key: string): ParsedAction {
  const { [key]: _type, ...fields } = value;
  const inner = ['action_args', 'arguments', 'parameters', 'params', 'args']
    .map((name) => fields[name])
    .find(isJsonObject);
  return checked({ name: type, fields: inner === undefined ? fields : { ...fields, ...inner } });
}

/** A tool call whose name is the type, or whose argument `action` is (`mobile_use`). */
function readToolCall(value: JsonObject): ParsedAction | null {
  const isCall = ['name', 'function', 'tool_calls', 'params'].some((key) => Object.hasOwn(value, key));
  if (!isCall && value.type !== 'tool_use') return null;
  const call = parseToolAction(renderJson(value));
  if (call.kind === 'malformed') return call;
  if (call.kind === 'finish') return checked({ name: 'answer', fields: { text: call.answer } });
  const { action, action_type: type } = call.arguments;
  const named = namedAction(call.name) === undefined ? (type ?? action) : undefined;
  const read =
    typeof named === 'string'
      ? typed(named, call.arguments, type === undefined ? 'action' : 'action_type')
      : checked({ name: call.name, fields: call.arguments });
  return read.kind === 'tool-call' && call.callId !== undefined ? { ...read, callId: call.callId } : read;
}

function checked({
  name,
  fields,
}: {
  readonly name: string | number;
  readonly fields: JsonObject;
}): ParsedAction {
  const read = readAndroidFields(name, fields);
  return typeof read === 'string' ? malformed(read) : read;
}

/** Writes an action in the first form of contracts.md; `parseAndroidAction` reads it back. */
export function renderAndroidAction(action: ToolCall | Finish): string {
  if (action.kind === 'finish') return renderJson({ action_type: 'answer', text: action.answer });
  const { name, arguments: args, callId } = action;
  if (callId !== undefined) return renderJson({ name, arguments: args, id: callId });
  return renderJson({ action_type: name, ...args });
}

/** The answer with which an action ends the episode: of `answer` its text, of `status` null or `infeasible`. */
export function androidEnding(action: ToolCall): { readonly answer: string | null } | null {
  const { text, goal_status: status } = action.arguments;
  if (action.name === 'answer') return { answer: typeof text === 'string' ? text : null };
  if (action.name !== 'status') return null;
  return { answer: status === 'infeasible' ? 'infeasible' : null };
}

function malformed(what: string): MalformedAction {
  return { kind: 'malformed', reason: `${what}; ${WANTED}` };
}

function excerpt(text: string): string {
  const short = text.trim().slice(0, 80);
  return JSON.stringify(short.length < text.trim().length ? `${short}…` : short);
}
