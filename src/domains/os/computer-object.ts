/**
 * Desktop actions as objects: OSWorld's `computer_13`, and the `computer` tools of Anthropic and OpenAI.
 *
 * Each becomes the same steps as the call of pyautogui that does it. Source: OSWorld's action space
 * (`{"action_type":"CLICK","parameters":{…}}`), the computer-use tools (`{"action":"left_click","coordinate":[x, y]}`,
 * `{"type":"click","button":"left","x":…}`). Not covered: key names that only one of them has.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { PythonValue } from '../python-call/python-calls.js';
import { type DesktopStep, stepOfCall } from './desktop-step.js';

/** The call of pyautogui that an action type is, with its fields under other names. */
const CALLS: ReadonlyMap<string, string> = new Map([
  ['move_to', 'moveTo'],
  ['mouse_move', 'moveTo'],
  ['move', 'moveTo'],
  ['click', 'click'],
  ['left_click', 'leftClick'],
  ['right_click', 'rightClick'],
  ['middle_click', 'middleClick'],
  ['double_click', 'doubleClick'],
  ['triple_click', 'tripleClick'],
  ['mouse_down', 'mouseDown'],
  ['left_mouse_down', 'mouseDown'],
  ['mouse_up', 'mouseUp'],
  ['left_mouse_up', 'mouseUp'],
  ['drag_to', 'dragTo'],
  ['left_click_drag', 'dragTo'],
  ['typing', 'write'],
  ['type', 'write'],
  ['press', 'press'],
  ['key_down', 'keyDown'],
  ['key_up', 'keyUp'],
  ['screenshot', 'screenshot'],
]);

/** The steps of an object, null where it is no action, or what is wrong with it. */
export function stepsOfObject(value: JsonObject): readonly DesktopStep[] | null | string {
  const inner = [value.arguments, value.input].find(isJsonObject);
  const fields = inner !== undefined && typeof value.name === 'string' ? inner : value;
  const { action_type: osworld, action, type } = fields;
  const name = [osworld, action, type].find((one) => typeof one === 'string');
  if (typeof name !== 'string') return null;
  const parameters = isJsonObject(fields.parameters) ? { ...fields, ...fields.parameters } : fields;
  const plain = name.trim().toLowerCase();
  if (plain === 'wait') return [waitStep(parameters)];
  if (plain === 'done' || plain === 'fail') return [{ do: plain }];
  if (plain === 'hotkey' || plain === 'key' || plain === 'keypress') return keyStep(parameters);
  if (plain === 'scroll') return scrollSteps(parameters);
  const call = CALLS.get(plain);
  if (call === undefined)
    return osworld === undefined ? null : `the action type ${JSON.stringify(name)} is not known`;
  return one(call, parameters);
}

function waitStep({ duration }: JsonObject): DesktopStep {
  return typeof duration === 'number' && duration >= 0 ? { do: 'sleep', seconds: duration } : { do: 'wait' };
}

const TAKEN: readonly (readonly [string, string])[] = [
  ['x', 'x'],
  ['y', 'y'],
  ['click_type', 'button'],
  ['button', 'button'],
  ['num_clicks', 'clicks'],
  ['clicks', 'clicks'],
  ['text', 'message'],
  ['key', 'key'],
  ['duration', 'duration'],
];

function one(call: string, fields: JsonObject): readonly DesktopStep[] | string {
  const keywords = new Map<string, PythonValue>();
  for (const [from, to] of TAKEN) {
    const value = fields[from];
    const isFor = (to === 'message') === (call === 'write') || (to !== 'message' && to !== 'key');
    if (value === undefined || value === null || !isFor) continue;
    if (to === 'key' && !['press', 'keyDown', 'keyUp'].includes(call)) continue;
    keywords.set(call === 'press' && to === 'key' ? 'keys' : to, value as PythonValue);
  }
  const { coordinate } = fields;
  const pair = Array.isArray(coordinate) && coordinate.length === 2 ? (coordinate as readonly Json[]) : [];
  if (pair.length === 2)
    for (const [index, key] of ['x', 'y'].entries()) keywords.set(key, (pair[index] ?? null) as PythonValue);
  const step = stepOfCall(call, { kind: 'call', callee: call, args: [], keywords, at: 0 });
  return typeof step === 'string' ? step : [step];
}

const KEY_NAMES: ReadonlyMap<string, string> = new Map([
  ['return', 'enter'],
  ['control', 'ctrl'],
  ['super', 'win'],
  ['page_down', 'pagedown'],
  ['page_up', 'pageup'],
  ['arrowup', 'up'],
  ['arrowdown', 'down'],
  ['arrowleft', 'left'],
  ['arrowright', 'right'],
]);

/** `ctrl+shift+t` or a list of keys. */
function keyStep(fields: JsonObject): readonly DesktopStep[] | string {
  const given = fields.keys ?? fields.key ?? fields.text;
  const keys = typeof given === 'string' ? given.split(given.length > 1 ? '+' : '\n') : given;
  if (!Array.isArray(keys) || keys.length === 0) return 'no "keys"';
  const names = (keys as readonly Json[]).map((key) => {
    const name = String(key).trim().toLowerCase();
    return KEY_NAMES.get(name) ?? name;
  });
  if (names.includes('')) return `"keys" holds an empty name`;
  return names.length === 1 ? [{ do: 'press', keys: names[0] ?? '' }] : [{ do: 'hotkey', keys: names }];
}

/** Steps of the wheel up are positive, as in pyautogui; pixels of OpenAI's tool count as they are. */
function scrollSteps(fields: JsonObject): readonly DesktopStep[] | string {
  const { coordinate } = fields;
  const [atX, atY] = Array.isArray(coordinate) ? (coordinate as readonly Json[]) : [fields.x, fields.y];
  const place: JsonObject = typeof atX === 'number' && typeof atY === 'number' ? { x: atX, y: atY } : {};
  const amount = Number(fields.scroll_amount ?? 0);
  const direction = String(fields.scroll_direction ?? '');
  const signs: Readonly<Record<string, readonly [number, number]>> = {
    up: [0, 1],
    down: [0, -1],
    left: [-1, 0],
    right: [1, 0],
  };
  const [signX, signY] = signs[direction] ?? [0, 0];
  const dx = numberOf(fields.dx) + numberOf(fields.scroll_x) + signX * amount;
  const dy = numberOf(fields.dy) - numberOf(fields.scroll_y) + signY * amount;
  const steps: DesktopStep[] = [];
  if (dy !== 0) steps.push({ do: 'scroll', clicks: dy, ...place });
  if (dx !== 0) steps.push({ do: 'hscroll', clicks: dx, ...place });
  return steps.length === 0 ? 'scroll moves by nothing' : steps;
}

function numberOf(value: Json | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
