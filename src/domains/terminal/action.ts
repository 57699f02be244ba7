/**
 * Terminal actions as text: lists of keystrokes with durations, read into one value.
 *
 * Forms: `[{"keystrokes":"ls\n","duration":0.1}, …]`; one such object; any other text is typed as it stands with duration
 * 1.0; `""` waits; `[]` says that the task is done; `{"answer":…}` ends with an answer; an answer of
 * Terminus with `commands` is its commands, and none with `task_complete` is `[]`. They are found behind benchmark headings and in fenced blocks too. A
 * parsed action is a call of the one tool {@link TERMINAL_TOOL}, so that faults, facts and servers treat it as any
 * tool call. Source: contracts.md, "Actions".
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

/** The name under which an action of a terminal is a tool call. */
export const TERMINAL_TOOL = 'terminal';
/** Seconds that a plain text waits. */
const PLAIN_SECONDS = 1;
/** No single wait is longer: a day. */
const MAX_SECONDS = 86_400;
const WANTED =
  'wanted: [{"keystrokes":"ls\\n","duration":0.1}, …], one such object, or the keystrokes as plain text';

/** Some keystrokes and how long to wait after them. */
export interface KeyBatch {
  readonly keystrokes: string;
  /** Simulated seconds. */
  readonly duration: number;
}

/** Reads an action. Never throws; JSON that is nearly an action is malformed with the reason. */
export function parseTerminalAction(text: string): ParsedAction {
  const whole = parseJson(text);
  if (whole.ok) {
    const read = readValue(whole.value);
    if (read !== null) return read;
  }
  const marked = markedPart(text);
  if (marked !== null) return readMarked(marked);
  if (/^\s*(\[\s*)?\{\s*"/.test(text) && !whole.ok)
    return malformed(`the JSON is broken (${whole.error.message})`);
  return call([{ keystrokes: text, duration: PLAIN_SECONDS }]);
}

/** Writes an action in the first form; `parseTerminalAction` reads it back. */
export function renderTerminalAction(action: ToolCall | Finish): string {
  if (action.kind === 'finish') return renderJson({ answer: action.answer });
  return renderJson(action.arguments.keys ?? []);
}

/** The batches of a parsed action; empty for "done". */
export function keyBatches(action: ToolCall): readonly KeyBatch[] {
  const keys = action.arguments.keys;
  return Array.isArray(keys) ? (keys as unknown as readonly KeyBatch[]) : [];
}

/** True where an action says that the task is done. */
export function saysDone(action: ParsedAction): boolean {
  return action.kind === 'tool-call' && action.name === TERMINAL_TOOL && keyBatches(action).length === 0;
}

function call(keys: readonly KeyBatch[]): ToolCall {
  return { kind: 'tool-call', name: TERMINAL_TOOL, arguments: { keys: keys as unknown as Json } };
}

/** An action, or null where the value is JSON that a shell could be meant to get as text. */
function readValue(value: Json): ParsedAction | null {
  if (typeof value === 'string') return call([{ keystrokes: value, duration: PLAIN_SECONDS }]);
  if (Array.isArray(value)) {
    if (!value.every((one) => isJsonObject(one as Json))) return null;
    return readBatches(value as readonly Json[]);
  }
  if (!isJsonObject(value)) return null;
  if (Object.hasOwn(value, 'answer') && Object.keys(value).length === 1) {
    const { answer = null } = value;
    return {
      kind: 'finish',
      answer: answer === null || typeof answer === 'string' ? answer : renderJson(answer),
    };
  }
  // The form in which servers pass the one tool's arguments.
  if (value.name === TERMINAL_TOOL && isJsonObject(value.arguments)) {
    const { keys } = value.arguments;
    return Array.isArray(keys) ? readBatches(keys as readonly Json[]) : malformed('"keys" is no list');
  }
  return readTerminus(value) ?? readBatches([value]);
}

/**
 * What an agent of Terminus answers: `{"analysis", "plan", "commands": […], "task_complete"}`. Its saying that the task is
 * done counts once it sends no commands; with some, those come first and it has to say so again.
 */
function readTerminus({ commands, keystrokes, task_complete: complete }: JsonObject): ParsedAction | null {
  if (!Array.isArray(commands) || keystrokes !== undefined) return null;
  if (commands.length > 0) return readBatches(commands as readonly Json[]);
  return call(complete === true ? [] : [{ keystrokes: '', duration: PLAIN_SECONDS }]);
}

function readBatches(values: readonly Json[]): ParsedAction {
  const batches: KeyBatch[] = [];
  for (const [index, value] of values.entries()) {
    const batch = readBatch(value);
    if (typeof batch === 'string') return malformed(values.length === 1 ? batch : `entry ${index}: ${batch}`);
    batches.push(batch);
  }
  return call(batches);
}

/** One batch, or what is wrong with it. */
function readBatch(value: Json): KeyBatch | string {
  if (!isJsonObject(value)) return `${renderJson(value).slice(0, 60)} is no object with "keystrokes"`;
  const { keystrokes, duration = PLAIN_SECONDS, ...others } = value;
  if (typeof keystrokes !== 'string') {
    return `"keystrokes" is ${renderJson(keystrokes ?? null).slice(0, 60)}, not a text`;
  }
  const [other] = Object.keys(others);
  if (other !== undefined)
    return `the key ${JSON.stringify(other)} is not known beside "keystrokes" and "duration"`;
  if (typeof duration !== 'number' || !(duration >= 0) || duration > MAX_SECONDS) {
    return `"duration" is ${renderJson(duration).slice(0, 60)}, not seconds from 0 to ${MAX_SECONDS}`;
  }
  return { keystrokes, duration };
}

const HEADING = /^[ \t>#*]*(?:turn[ \t]*\d+|action)[ \t]*:?[ \t]*\**[ \t]*:?[ \t]*$/im;
const ACTION_HEADING = /^[ \t>#*]*action[ \t]*\d*[ \t]*:?[ \t]*\**[ \t]*:?/gim;

/** What stands behind the last heading of a benchmark-style text; null where the text has no heading. */
function markedPart(text: string): string | null {
  if (!HEADING.test(text) && !/^[ \t]*\*\*action:?\*\*/im.test(text)) return null;
  const last = [...text.matchAll(ACTION_HEADING)].at(-1);
  return last === undefined ? text : text.slice(last.index + last[0].length);
}

function readMarked(part: string): ParsedAction {
  const fenced = /```[a-z]*\n([\s\S]*?)\n?```/.exec(part)?.[1];
  const said = fenced ?? part.trim();
  const whole = parseJson(said);
  if (whole.ok) return readValue(whole.value) ?? call([{ keystrokes: said, duration: PLAIN_SECONDS }]);
  const found = findJson(part).flatMap(({ value }) => {
    const read = readValue(value);
    return read === null ? [] : [read];
  });
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (found.length > 1) return malformed(`${found.length} actions in one text; send one at a time`);
  return fenced === undefined
    ? malformed('no keystrokes behind the heading')
    : call([{ keystrokes: fenced, duration: PLAIN_SECONDS }]);
}

function malformed(what: string): MalformedAction {
  return { kind: 'malformed', reason: `${what}; ${WANTED}` };
}
