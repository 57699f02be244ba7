/**
 * Android actions as call texts: `tap(7)`, `swipe("up")`, `do(action="Tap", element=[540, 1200])`, `press_back()`, `FINISH`.
 *
 * Positions of arguments are those of AppAgent, AndroidLab and DroidRun. Only calls with a known name are read, so that
 * prose with brackets is no action.
 */
import type { Json, JsonObject } from '../../core/index.js';
import { type PythonCall, parsePythonCalls, pythonJson } from '../python-call/python-calls.js';
import { namedAction } from './action-names.js';

/** A call with its fields by name. */
export interface NamedCall {
  readonly name: string;
  readonly fields: JsonObject;
}

const LONGEST = 20_000;

/** Reads a text that is one call or one word of a known name; null for any other text. */
export function readAndroidCall(text: string): NamedCall | null {
  if (text.length > LONGEST) return null;
  const head = /^([A-Za-z_]\w{0,40})(\(|$)/.exec(text.replace(/^`+|`+$/g, ''));
  const [, name = '', bracket] = head ?? [];
  const isKnown = name === 'do' || namedAction(name) !== undefined;
  if (head === null || !isKnown) return null;
  if (bracket !== '(') return isWord(name) ? { name, fields: {} } : null;
  const parsed = parsePythonCalls(text.replace(/^`+|`+$/g, ''));
  if (!parsed.ok) return null;
  const [call, more] = parsed.value;
  return call?.kind === 'call' && more === undefined ? fieldsOfCall(call) : null;
}

/** Words that are whole actions. */
function isWord(name: string): boolean {
  const type = namedAction(name)?.type ?? '';
  return (
    ['navigate_back', 'navigate_home', 'keyboard_enter', 'wait', 'finish', 'status'].includes(type) &&
    /^[A-Z_]+$/.test(name)
  );
}

function fieldsOfCall({ callee, args, keywords }: PythonCall): NamedCall | null {
  const values = args.map(pythonJson);
  const named = [...keywords].map(([key, value]) => [key, pythonJson(value)] as const);
  if (values.includes(undefined) || named.some(([, value]) => value === undefined)) return null;
  const byName = Object.fromEntries(named as readonly (readonly [string, Json])[]);
  if (callee === 'do') {
    const { action, ...fields } = byName;
    return typeof action === 'string' ? { name: action, fields } : null;
  }
  const positional = byPosition(callee, values as readonly Json[]);
  return positional === null ? null : { name: callee, fields: { ...positional, ...byName } };
}

/** What arguments without names mean. */
function byPosition(name: string, values: readonly Json[]): JsonObject | null {
  if (values.length === 0) return {};
  const [first = null, second = null, third = null, fourth = null] = values;
  const numbers = values.filter((value) => typeof value === 'number').length;
  switch (namedAction(name)?.type) {
    case 'click':
    case 'double_tap':
    case 'long_press':
      if (values.length === 1) return Array.isArray(first) ? { coordinate: first } : { index: first };
      return values.length === 4 ? { bounds: values } : { x: first, y: second };
    case 'scroll':
    case 'swipe':
      if (typeof first === 'string') return { direction: first, ...(second !== null && { dist: second }) };
      if (numbers >= 4) return { x: first, y: second, end_x: third, end_y: fourth };
      if (numbers === 2) return { x: first, y: second, ...(third !== null && { direction: third }) };
      return { index: first, direction: second, ...(third !== null && { dist: third }) };
    case 'input_text':
      return values.length === 1 ? { text: first } : { index: first, text: second };
    case 'wait':
      return { seconds: first };
    case 'open_app':
      return { app_name: first };
    case 'press_key':
      return { key: first };
    case 'answer':
    case 'finish':
      return typeof first === 'boolean' ? { success: first, message: second } : { message: first };
    case 'status':
      return { goal_status: first };
    default:
      return null;
  }
}
