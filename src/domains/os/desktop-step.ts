/**
 * One call of pyautogui as a step: parameters by name, checked; and a step written as its call.
 *
 * Defaults are not filled in: what the agent did not say is not in the step. `pyautogui.click((x, y))` is the same as
 * `click(x, y)`. A picture as a place (`click('ok.png')`) is refused, since there are no pixels here.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import { type PythonCall, type PythonValue, pythonJson } from '../python-call/python-calls.js';
import { pythonValue } from '../python-literals.js';
import { DESKTOP_CALLS, type DesktopCall, type ParameterKind } from './desktop-calls.js';

/** A step: `do` is one of the step names, or `pause`, `wait`, `done`, `fail`, `call`; the rest are its parameters. */
export type DesktopStep = JsonObject & { readonly do: string };

const BUTTONS: ReadonlyMap<Json, string> = new Map<Json, string>([
  ['left', 'left'],
  ['primary', 'left'],
  [1, 'left'],
  ['middle', 'middle'],
  [2, 'middle'],
  ['right', 'right'],
  ['secondary', 'right'],
  [3, 'right'],
]);
/** Seconds of one pause: a day. */
const MAX_SECONDS = 86_400;
const MAX_COUNT = 1_000;
const LARGEST = 1_000_000;

/** A step, or what is wrong with the call. */
export function stepOfCall(name: string, call: PythonCall): DesktopStep | string {
  const known = DESKTOP_CALLS.get(name);
  if (known === undefined) return `${name} is no call of pyautogui that is known here`;
  const { step } = known;
  const given = step === 'hotkey' ? hotkeyArguments(call) : argumentsByName(name, known, call);
  if (typeof given === 'string') return given;
  const fields: [string, Json][] = [['do', step]];
  for (const [key, value] of given) {
    const kind = step === 'hotkey' && key === 'keys' ? 'keys' : kindOf(known, key);
    if (kind === 'ignored') continue;
    const json = pythonJson(value);
    if (json === undefined) return `${name}: "${key}" is a name whose value is not known; write the value`;
    // None is the default of every optional parameter.
    if (json === null && !known.needs.includes(key)) continue;
    const read = readParameter(kind, json);
    if (typeof read === 'string') return `${name}: "${key}" is ${shown(json)}, ${read}`;
    fields.push([key, read.value]);
  }
  const names = new Set(fields.map(([key]) => key));
  const missing = known.needs.find((key) => !names.has(key));
  if (missing !== undefined) return `${name} has no "${missing}"`;
  if (names.has('y') && !names.has('x')) return `${name} has "y" without "x"`;
  for (const [key, value] of Object.entries(known.fixed ?? {})) fields.push([key, value]);
  return Object.fromEntries(fields) as DesktopStep;
}

function kindOf(known: DesktopCall, key: string): ParameterKind {
  return known.parameters.find(([name]) => name === key)?.[1] ?? 'ignored';
}

/** `hotkey('ctrl', 'c')` and `hotkey(['ctrl', 'c'])`. */
function hotkeyArguments({ args, keywords }: PythonCall): ReadonlyMap<string, PythonValue> | string {
  const [first] = args;
  const keys = args.length === 1 && Array.isArray(first) ? (first as readonly PythonValue[]) : args;
  if (keys.length === 0) return 'hotkey has no keys';
  const unknown = [...keywords.keys()].find((key) => !['interval', 'logScreenshot', '_pause'].includes(key));
  if (unknown !== undefined) return `hotkey has no parameter "${unknown}"`;
  return new Map<string, PythonValue>([['keys', keys], ...keywords]);
}

/** Names under which prompts of others give a parameter. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['text', 'message'],
  ['amount', 'clicks'],
  ['keys', 'key'],
  ['key', 'keys'],
  ['secs', 'seconds'],
  ['dx', 'xOffset'],
  ['dy', 'yOffset'],
]);

function argumentsByName(
  name: string,
  { parameters, fixed }: DesktopCall,
  { args, keywords }: PythonCall,
): ReadonlyMap<string, PythonValue> | string {
  const given = new Map<string, PythonValue>();
  const [first] = args;
  const isPair = parameters[0]?.[1] === 'pixel' && Array.isArray(first) && first.length === 2;
  // A pair stands for x; y keeps its own place, as in the library.
  const spread: readonly PythonValue[] = isPair
    ? [...(first as readonly PythonValue[]), ...args.slice(args.length > 1 && args[1] === null ? 2 : 1)]
    : args;
  if (spread.length > parameters.length)
    return `${name} takes ${parameters.length} values, not ${spread.length}`;
  for (const [index, value] of spread.entries()) given.set(parameters[index]?.[0] ?? '', value);
  for (const [written, value] of keywords) {
    const key = parameters.some(([parameter]) => parameter === written)
      ? written
      : (OTHER_NAMES.get(written) ?? written);
    const isKnown = parameters.some(([parameter]) => parameter === key) || key === 'pause';
    const own = fixed !== undefined && Object.hasOwn(fixed, key);
    if (own) continue;
    if (!isKnown) return `${name} has no parameter "${key}"`;
    if (given.has(key)) return `${name} has "${key}" twice`;
    given.set(key, value);
  }
  const x = given.get('x');
  if (Array.isArray(x) && x.length === 2 && !given.has('y')) {
    given.set('x', (x as readonly PythonValue[])[0] ?? null);
    given.set('y', (x as readonly PythonValue[])[1] ?? null);
  }
  return given;
}

type Read = { readonly value: Json } | string;

function readParameter(kind: ParameterKind, value: Json): Read {
  switch (kind) {
    case 'pixel':
    case 'amount':
      return typeof value === 'number' && Math.abs(value) <= LARGEST
        ? { value }
        : 'not a number of pixels or steps';
    case 'count':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT
        ? { value }
        : `not a whole number from 0 to ${MAX_COUNT}`;
    case 'seconds':
      return typeof value === 'number' && value >= 0 && value <= MAX_SECONDS
        ? { value }
        : `not seconds from 0 to ${MAX_SECONDS}`;
    case 'button': {
      const button = BUTTONS.get(typeof value === 'string' ? value.toLowerCase() : value);
      return button === undefined ? 'not "left", "middle" or "right"' : { value: button };
    }
    case 'text':
      return textOrKeys(value, 'not a text');
    case 'key':
      return typeof value === 'string' && value !== '' ? { value } : 'not the name of a key';
    case 'keys':
      return textOrKeys(value, 'not the name of a key or a list of them');
    default:
      return { value };
  }
}

function textOrKeys(value: Json, wrong: string): Read {
  if (typeof value === 'string') return { value };
  const isKeys =
    Array.isArray(value) && value.length > 0 && value.every((key: Json) => typeof key === 'string');
  return isKeys ? { value } : wrong;
}

function shown(value: Json): string {
  const text = pythonValue(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Parameters that stand in front without their name. */
const LEADING: ReadonlySet<string> = new Set([
  'x',
  'y',
  'xOffset',
  'yOffset',
  'clicks',
  'message',
  'keys',
  'key',
  'seconds',
]);

/** Writes a step as its call. */
export function renderStep(step: DesktopStep): string {
  const { do: name, ...fields } = step;
  if (name === 'wait') return 'WAIT';
  if (name === 'done') return 'DONE';
  if (name === 'fail') return 'FAIL';
  if (name === 'pause') return `pyautogui.PAUSE = ${pythonValue(fields.seconds ?? 0)}`;
  if (name === 'call') return renderForeign(fields);
  if (name === 'hotkey') {
    const { keys, ...rest } = fields;
    const all = Array.isArray(keys)
      ? (keys as readonly Json[]).map(pythonValue)
      : [pythonValue(keys ?? null)];
    return `pyautogui.hotkey(${[...all, ...named(rest)].join(', ')})`;
  }
  const known = DESKTOP_CALLS.get(name);
  const order = known?.parameters.map(([key]) => key) ?? [];
  const leading: string[] = [];
  for (const key of order) {
    const value = fields[key];
    if (
      value === undefined ||
      !LEADING.has(key) ||
      (name !== 'scroll' && name !== 'hscroll' && key === 'clicks')
    )
      break;
    leading.push(key);
  }
  const front = leading.map((key) => pythonValue(fields[key] ?? null));
  const rest = Object.fromEntries(Object.entries(fields).filter(([key]) => !leading.includes(key)));
  const module = name === 'sleep' ? 'time' : 'pyautogui';
  return `${module}.${name}(${[...front, ...named(rest)].join(', ')})`;
}

function named(fields: JsonObject): readonly string[] {
  return Object.entries(fields).map(([key, value]) => `${key}=${pythonValue(value)}`);
}

function renderForeign({ name, args, keywords }: JsonObject): string {
  const front = Array.isArray(args) ? (args as readonly Json[]).map(pythonValue) : [];
  const rest = isJsonObject(keywords) ? named(keywords) : [];
  return `${String(name)}(${[...front, ...rest].join(', ')})`;
}
