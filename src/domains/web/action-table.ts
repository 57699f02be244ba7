/**
 * The 21 actions of a browser world: names, parameters in order, and what each value has to be.
 *
 * Source: BrowserGym's action set as the published prompts of the web domain list it; contracts.md, "Actions".
 */

import { isJsonObject, type Json, type JsonObject, nearestName, renderJson } from '../../core/index.js';
import type { ToolDefinition } from '../mcp/tool-definition.js';

interface Parameter {
  readonly name: string;
  readonly type: 'text' | 'number' | 'index' | 'boolean' | 'button' | 'modifiers' | 'options';
  readonly optional?: true;
}

const BID: Parameter = { name: 'bid', type: 'text' };
const X: Parameter = { name: 'x', type: 'number' };
const Y: Parameter = { name: 'y', type: 'number' };
const BUTTON: Parameter = { name: 'button', type: 'button', optional: true };
const MODIFIERS: Parameter = { name: 'modifiers', type: 'modifiers', optional: true };

const PARAMETERS: ReadonlyMap<string, readonly Parameter[]> = new Map<string, readonly Parameter[]>([
  ['noop', [{ name: 'wait_ms', type: 'number', optional: true }]],
  ['mouse_move', [X, Y]],
  ['mouse_click', [X, Y, BUTTON]],
  ['mouse_dblclick', [X, Y, BUTTON]],
  ['mouse_down', [X, Y, BUTTON]],
  ['mouse_up', [X, Y, BUTTON]],
  [
    'scroll',
    [
      { name: 'delta_x', type: 'number' },
      { name: 'delta_y', type: 'number' },
    ],
  ],
  ['click', [BID, BUTTON, MODIFIERS]],
  ['keyboard_press', [{ name: 'key', type: 'text' }]],
  ['keyboard_type', [{ name: 'text', type: 'text' }]],
  [
    'fill',
    [
      BID,
      { name: 'value', type: 'text' },
      { name: 'enable_autocomplete_menu', type: 'boolean', optional: true },
    ],
  ],
  ['hover', [BID]],
  ['tab_focus', [{ name: 'index', type: 'index' }]],
  ['new_tab', []],
  ['go_back', []],
  ['go_forward', []],
  ['goto', [{ name: 'url', type: 'text' }]],
  ['tab_close', []],
  ['select_option', [BID, { name: 'options', type: 'options' }]],
  ['send_msg_to_user', [{ name: 'text', type: 'text' }]],
  ['report_infeasible', [{ name: 'reason', type: 'text' }]],
]);

/** Names of the actions, in published order. */
export const WEB_ACTIONS: readonly string[] = [...PARAMETERS.keys()];

const BUTTONS = ['left', 'middle', 'right'];
const MODIFIER_KEYS = ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift'];

const SIGNATURE_TYPES: Readonly<Record<Parameter['type'], string>> = {
  text: 'text',
  number: 'number',
  index: 'whole number from 0',
  boolean: 'true or false',
  button: '"left", "middle" or "right"',
  modifiers: `list of ${MODIFIER_KEYS.join(', ')}`,
  options: 'text or list of texts',
};

/** One line per action for a prompt: `click(bid: text, button: … = optional)`. */
export function webSignatures(): readonly string[] {
  return [...PARAMETERS].map(([name, parameters]) => {
    const list = parameters.map(
      (one) => `${one.name}${one.optional ? '?' : ''}: ${SIGNATURE_TYPES[one.type]}`,
    );
    return `${name}(${list.join(', ')})`;
  });
}

const SCHEMAS: Readonly<Record<Parameter['type'], JsonObject>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  index: { type: 'integer', minimum: 0 },
  boolean: { type: 'boolean' },
  button: { type: 'string', enum: BUTTONS },
  modifiers: { type: 'array', items: { type: 'string', enum: MODIFIER_KEYS } },
  options: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
};

/** Each action as a tool, for agents that know only tools. */
export function webToolDefinitions(): readonly ToolDefinition[] {
  return [...PARAMETERS].map(([name, parameters]) => ({
    name,
    description: `The browser action ${name}; returns the page as it is then.`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((one) => [one.name, SCHEMAS[one.type]])),
      required: parameters.filter((one) => one.optional !== true).map((one) => one.name),
    },
  }));
}

/** The arguments of an action by name, from arguments in order and by name; or a text that says what is wrong. */
export function bindArguments(
  name: string,
  positional: readonly Json[],
  named: ReadonlyMap<string, Json>,
): JsonObject | string {
  const parameters = PARAMETERS.get(name);
  if (parameters === undefined) return unknownAction(name);
  if (positional.length > parameters.length) {
    return `${name} takes ${parameters.length} arguments, not ${positional.length}`;
  }
  const entries: [string, Json][] = [];
  for (const [i, value] of positional.entries()) entries.push([parameters[i]?.name ?? '', value]);
  for (const [key, value] of named) {
    if (entries.some(([given]) => given === key)) return `the argument "${key}" of ${name} is given twice`;
    entries.push([key, value]);
  }
  return checkArguments(name, Object.fromEntries(entries));
}

/** The arguments as given if they fit the action, else a text that says what is wrong. */
export function checkArguments(name: string, given: JsonObject): JsonObject | string {
  const parameters = PARAMETERS.get(name);
  if (parameters === undefined) return unknownAction(name);
  for (const [key, value] of Object.entries(given)) {
    const parameter = parameters.find((one) => one.name === key);
    if (parameter === undefined) {
      const names = parameters.map((one) => one.name);
      const nearest = nearestName(key, names);
      const hint = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
      return `${name} has no argument "${key.slice(0, 60)}"${hint}; it takes ${names.join(', ') || 'none'}`;
    }
    if (!fits(parameter.type, value as Json)) {
      return `the argument "${key}" of ${name} is ${renderJson(value as Json).slice(0, 60)}, not ${SIGNATURE_TYPES[parameter.type]}`;
    }
  }
  const missing = parameters.find((one) => one.optional !== true && !Object.hasOwn(given, one.name));
  return missing === undefined ? given : `${name} has no "${missing.name}"`;
}

function unknownAction(name: string): string {
  const nearest = nearestName(name, WEB_ACTIONS);
  const hint = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
  return `there is no action "${name.slice(0, 60)}"${hint}; the actions are ${WEB_ACTIONS.join(', ')}`;
}

function fits(type: Parameter['type'], value: Json): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'index':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    case 'boolean':
      return typeof value === 'boolean';
    case 'button':
      return typeof value === 'string' && BUTTONS.includes(value);
    case 'modifiers':
      return isTexts(value) && value.every((key) => MODIFIER_KEYS.includes(key));
    case 'options':
      return typeof value === 'string' || isTexts(value);
  }
}

function isTexts(value: Json): value is readonly string[] {
  return !isJsonObject(value) && Array.isArray(value) && value.every((one) => typeof one === 'string');
}
