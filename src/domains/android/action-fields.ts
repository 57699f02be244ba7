/**
 * The fields of an Android action: which ones a type has, under which names they come, and whether they are right.
 */
import type { Json, JsonObject, ToolCall } from '../../core/index.js';
import { type AndroidActionType, keyAction, type NamedAction, namedAction } from './action-names.js';
import { readTarget } from './action-target.js';

/** Seconds that one wait may take: an hour. */
const MAX_WAIT_SECONDS = 3_600;
const DIRECTIONS = ['up', 'down', 'left', 'right'];
/** Touch and lift of AITW closer than this, in parts of the screen, are a tap. */
const TAP_DISTANCE = 0.04;

/** Names under which a field comes, the best first. */
const TEXT = ['text', 'text_input', 'typed_text', 'type_action', 'type_text', 'content', 'value', 'input'];
const APP = ['app_name', 'app', 'package_name', 'package', 'name', 'text', 'appName'];
const SECONDS = ['seconds', 'duration', 'time', 'interval', 'wait_time'];

/** Reads an action of this name; a text says what is wrong with it. */
export function readAndroidFields(name: string | number, fields: JsonObject): ToolCall | string {
  const known = namedAction(name);
  if (known === undefined) return `the action type ${JSON.stringify(name)} is not known`;
  return readNamed(known, fields);
}

function call(name: AndroidActionType, args: JsonObject = {}): ToolCall {
  return { kind: 'tool-call', name, arguments: args };
}

function readNamed({ type, goalStatus }: NamedAction, fields: JsonObject): ToolCall | string {
  switch (type) {
    case 'click':
    case 'double_tap':
    case 'long_press':
      return withTarget(type, fields, true);
    case 'input_text':
      return inputText(fields);
    case 'clear_text':
      return withTarget(type, fields, false);
    case 'scroll':
    case 'swipe':
      return move(type, fields);
    case 'open_app': {
      const app = firstText(fields, APP);
      return app === undefined || app === '' ? 'open_app has no "app_name"' : call(type, { app_name: app });
    }
    case 'wait':
      return wait(fields);
    case 'status':
      return status(fields, goalStatus);
    case 'answer': {
      const text = firstText(fields, ['text', 'answer', 'content', 'message', 'value']);
      return text === undefined ? 'answer has no "text"' : call(type, { text });
    }
    case 'press_key':
      return pressKey(fields);
    case 'dual_point':
      return dualPoint(fields);
    case 'finish':
      return finish(fields);
    default:
      return call(type);
  }
}

/** The first of these members that is a text (numbers count as theirs). */
function firstText(fields: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  }
  return undefined;
}

function withTarget(type: AndroidActionType, fields: JsonObject, isNeeded: boolean): ToolCall | string {
  const target = readTarget(fields);
  if (typeof target === 'string') return `${type}: ${target}`;
  if (target === null && isNeeded) return `${type} has neither "index" nor "x" and "y"`;
  return call(type, { ...target });
}

function inputText(fields: JsonObject): ToolCall | string {
  const text = firstText(fields, TEXT);
  if (text === undefined) return 'input_text has no "text"';
  const target = readTarget(fields);
  if (typeof target === 'string') return `input_text: ${target}`;
  const clear = fields.clear_text ?? fields.clear;
  return call('input_text', { text, ...target, ...(typeof clear === 'boolean' && { clear_text: clear }) });
}

function move(type: 'scroll' | 'swipe', fields: JsonObject): ToolCall | string {
  const target = readTarget(fields);
  if (typeof target === 'string') return `${type}: ${target}`;
  const said = firstText(fields, ['direction', 'dir', 'scroll_direction'])?.trim().toLowerCase();
  if (said !== undefined && !DIRECTIONS.includes(said))
    return `${type} has the direction ${JSON.stringify(said)}, not one of ${DIRECTIONS.join(', ')}`;
  const isPath = target !== null && 'end_x' in target;
  if (said === undefined && !isPath)
    return type === 'scroll' ? 'scroll has no "direction"' : 'swipe has neither "direction" nor an end';
  const distance = firstText(fields, ['dist', 'distance']);
  return call(type, {
    ...(said !== undefined && { direction: said }),
    ...target,
    ...(distance !== undefined && { distance }),
  });
}

function wait(fields: JsonObject): ToolCall | string {
  const given = SECONDS.map((name) => fields[name]).find((value) => value !== undefined && value !== null);
  if (given === undefined) return call('wait');
  const seconds = typeof given === 'string' ? Number(given.trim().replace(/ ?s(ec(onds?)?)?$/, '')) : given;
  if (typeof seconds !== 'number' || !(seconds >= 0) || seconds > MAX_WAIT_SECONDS)
    return `wait has ${JSON.stringify(String(given))}, not seconds from 0 to ${MAX_WAIT_SECONDS}`;
  return call('wait', { seconds });
}

const COMPLETE = [
  'complete',
  'completed',
  'success',
  'successful',
  'done',
  'finished',
  'true',
  'task_complete',
];
const INFEASIBLE = ['infeasible', 'impossible', 'failure', 'failed', 'fail', 'false', 'task_impossible'];

function status(fields: JsonObject, fromName: NamedAction['goalStatus']): ToolCall | string {
  const said = fields.goal_status ?? fields.status ?? fields.success ?? fromName;
  const word = String(said ?? '')
    .trim()
    .toLowerCase();
  if (COMPLETE.includes(word)) return call('status', { goal_status: 'complete' });
  if (INFEASIBLE.includes(word)) return call('status', { goal_status: 'infeasible' });
  return `status has the goal_status ${JSON.stringify(word)}, not "complete" or "infeasible"`;
}

function pressKey(fields: JsonObject): ToolCall | string {
  const key = firstText(fields, ['key', 'button', 'keycode', 'key_code', 'text', 'keys', 'value']);
  if (key === undefined) return 'press_key has no "key"';
  const type = keyAction(key);
  return type === undefined
    ? `the key ${JSON.stringify(key.slice(0, 40))} is no action; Back, Home and Enter are`
    : call(type);
}

/** A gesture of AITW: points `[y, x]` in parts of the screen. */
function dualPoint(fields: JsonObject): ToolCall | string {
  const touch = point(fields.touch_point ?? fields.yx_touch ?? null);
  const lift = point(fields.lift_point ?? fields.yx_lift ?? null) ?? touch;
  if (touch === null || lift === null) return 'dual_point has no "touch_point" [y, x]';
  const [y, x] = touch;
  const [endY, endX] = lift;
  const isFraction = [y, x, endY, endX].every((part) => part >= 0 && part <= 1);
  const unit: JsonObject = isFraction ? { unit: 'fraction' } : {};
  const isTap = Math.hypot(endX - x, endY - y) <= (isFraction ? TAP_DISTANCE : 0);
  return isTap
    ? call('click', { x, y, ...unit })
    : call('swipe', { x, y, end_x: endX, end_y: endY, ...unit });
}

function point(value: Json): readonly [number, number] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [first, second] = value as readonly Json[];
  return typeof first === 'number' && typeof second === 'number' ? [first, second] : null;
}

/** The end of a task: with words it is an answer, else a status. */
function finish(fields: JsonObject): ToolCall | string {
  const word = fields.status ?? fields.success ?? fields.goal_status;
  const isFailed = word !== undefined && INFEASIBLE.includes(String(word).toLowerCase());
  if (isFailed) return call('status', { goal_status: 'infeasible' });
  const text = firstText(fields, ['message', 'content', 'text', 'answer', 'reason']);
  return text === undefined || text.trim() === ''
    ? call('status', { goal_status: 'complete' })
    : call('answer', { text });
}
