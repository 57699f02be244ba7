/**
 * Actions of domains without tools of their own, as a small set of tools for agents that know only tools (MCP).
 *
 * One tool for each of the 21 actions of a browser and the 14 of a phone, one for the code of a desktop, the three of a
 * search world that names none. A call becomes the domain's own action text. Source: contracts.md, "Actions". Terminals
 * have their one tool from their engine; worlds of tools (mcp, swe) list theirs.
 */
import { type Domain, isJsonObject, type JsonObject, parseJson, renderJson } from '../core/index.js';
import { ANDROID_ACTIONS } from './android/action-names.js';
import type { ToolDefinition } from './mcp/tool-definition.js';
import { DESKTOP_TOOL } from './os/action.js';
import { SEARCH_TOOLS } from './search/prompt.js';
import { webToolDefinitions } from './web/action-table.js';

const INDEX = { type: 'integer', minimum: 0, description: 'Element of the screen, from 0.' };
const PIXELS = { type: 'number', minimum: 0 };
const PLACE = { index: INDEX, x: PIXELS, y: PIXELS };
const DIRECTION = { type: 'string', enum: ['up', 'down', 'left', 'right'] };
const TEXT = { type: 'string' };

/** What a phone's actions take, and what is required of it. */
const PHONE: Readonly<
  Record<string, readonly [about: string, properties: JsonObject, required?: readonly string[]]>
> = {
  click: ['Taps an element by its index, or a place in pixels.', PLACE],
  double_tap: ['Taps twice.', PLACE],
  long_press: ['Presses for long.', PLACE],
  scroll: [
    'Brings the content of that side into view; of one list, where a place is given.',
    { direction: DIRECTION, ...PLACE },
    ['direction'],
  ],
  swipe: [
    'Swipes in a direction, or from x, y to end_x, end_y.',
    { direction: DIRECTION, ...PLACE, end_x: PIXELS, end_y: PIXELS },
  ],
  input_text: ['Types into a field, without sending it.', { text: TEXT, ...PLACE }, ['text']],
  clear_text: ['Empties a field.', PLACE],
  keyboard_enter: ['Presses Enter.', {}],
  navigate_back: ['Presses Back.', {}],
  navigate_home: ['Presses Home.', {}],
  open_app: ['Opens an app by its name.', { app_name: TEXT }, ['app_name']],
  wait: ['Waits.', {}],
  answer: ['Gives the answer and ends the task.', { text: TEXT }, ['text']],
  status: [
    'Ends the task.',
    { goal_status: { type: 'string', enum: ['complete', 'infeasible'] } },
    ['goal_status'],
  ],
};

const DESKTOP: ToolDefinition = {
  name: DESKTOP_TOOL,
  description:
    'Calls of pyautogui, one a line (click, moveTo, dragTo, doubleClick, rightClick, scroll, write, press, hotkey, keyDown, keyUp, sleep), or WAIT, DONE, FAIL alone. They are read, never run. Returns the screen.',
  inputSchema: {
    type: 'object',
    properties: { code: { type: 'string', description: 'For example pyautogui.click(420, 300)' } },
    required: ['code'],
  },
};

/** The tools for agents of a domain whose worlds list none; null where the world's own are meant. */
export function agentTools(domain: Domain): readonly ToolDefinition[] | null {
  if (domain === 'web') return webToolDefinitions();
  if (domain === 'android') return ANDROID_ACTIONS.flatMap(phoneTool);
  if (domain === 'os') return [DESKTOP];
  return domain === 'search' ? SEARCH_TOOLS : null;
}

function phoneTool(name: string): ToolDefinition[] {
  const known = PHONE[name];
  if (known === undefined) return [];
  const [description, properties, required = []] = known;
  return [{ name, description, inputSchema: { type: 'object', properties, required: [...required] } }];
}

/** The action text of a call of such a tool; `sent` is the JSON text of its arguments. */
export function agentAction(domain: Domain, name: string, sent: string): string {
  const call = `{"name":${JSON.stringify(name)},"arguments":${sent}}`;
  if (domain !== 'android' && domain !== 'os') return call;
  const read = parseJson(sent);
  const args = read.ok && isJsonObject(read.value) ? read.value : {};
  if (domain === 'os') return typeof args.code === 'string' ? args.code : call;
  return renderJson({ ...args, action_type: name });
}
