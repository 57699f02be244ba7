/**
 * Browser actions with their values in square brackets: `click [12]`, `type [164] [text] [1]`, `stop [answer]`.
 *
 * The forms are WebArena's and VisualWebArena's; WebVoyager's (`Type [5]; [text]`, `Scroll [WINDOW]; [down]`, `ANSWER; [x]`)
 * are the same with a semicolon and other names. Each becomes one of the 21 actions, or two: typing that ends with Enter is
 * `fill` and `keyboard_press`. Sources: WebArena's prompt `p_cot_id_actree_2s` and `create_id_based_action`; WebVoyager's
 * `SYSTEM_PROMPT` and `extract_information`. Said otherwise than there: `type` replaces what a field holds, as WebVoyager
 * does and WebArena does not; a scroll is one window of WebArena's 720 pixels. Not covered: `upload`, `note`, `branch`.
 */
import type { Finish, JsonObject, MalformedAction, ToolCall } from '../../core/index.js';

/** The action of one text, several in order, or what is wrong with it. */
export type BracketReading = readonly (ToolCall | Finish | MalformedAction)[];

const WINDOW_PIXELS = 720;

/** White space is bounded, so that no form takes more than one walk over a text. */
const ID = String.raw`\[\s{0,9}([\w-]{1,60})\s{0,9}\]`;
const GAP = String.raw`(?:\s{0,9};)?\s{0,9}`;

const call = (name: string, args: JsonObject = {}): ToolCall => ({
  kind: 'tool-call',
  name,
  arguments: args,
});

interface Form {
  /** The whole text in this form. */
  readonly form: RegExp;
  readonly read: (groups: readonly string[]) => BracketReading;
}

const FORMS: readonly Form[] = [
  {
    form: new RegExp(`^click\\s{0,9}${ID}$`, 'i'),
    read: ([, bid = '']) => [call('click', { bid })],
  },
  { form: new RegExp(`^hover\\s{0,9}${ID}$`, 'i'), read: ([, bid = '']) => [call('hover', { bid })] },
  {
    form: new RegExp(`^clear\\s{0,9}${ID}$`, 'i'),
    read: ([, bid = '']) => [call('fill', { bid, value: '' })],
  },
  {
    form: new RegExp(
      `^type\\s{0,9}${ID}${GAP}\\[([\\s\\S]*?)\\](?:\\s{0,9}\\[\\s{0,9}(?:press_enter_after\\s{0,9}=\\s{0,9})?([01])\\s{0,9}\\])?$`,
      'i',
    ),
    read: ([, bid = '', value = '', enter = '1']) => [
      call('fill', { bid, value }),
      ...(enter === '1' ? [call('keyboard_press', { key: 'Enter' })] : []),
    ],
  },
  {
    form: new RegExp(`^select\\s{0,9}${ID}${GAP}\\[([\\s\\S]*)\\]$`, 'i'),
    read: ([, bid = '', options = '']) => [call('select_option', { bid, options })],
  },
  {
    form: /^press\s{0,9}\[\s{0,9}(?:key_comb\s{0,9}=\s{0,9})?([^[\]\s][^\n\]]{0,100}?)\s{0,9}\]$/i,
    read: ([, keys = '']) => [call('keyboard_press', { key: keyName(keys) })],
  },
  {
    form: /^scroll\s{0,9}(?:\[\s{0,9}WINDOW\s{0,9}\]\s{0,9};?\s{0,9})?\[?\s{0,9}(?:direction\s{0,9}=\s{0,9})?(up|down)\s{0,9}\]?$/i,
    read: ([, way = '']) => [
      call('scroll', {
        delta_x: 0,
        delta_y: way.toLowerCase() === 'up' ? -WINDOW_PIXELS : WINDOW_PIXELS,
      }),
    ],
  },
  { form: /^new_tab$/i, read: () => [call('new_tab')] },
  {
    form: /^(?:tab_focus|page_focus)\s{0,9}\[\s{0,9}(?:tab_index\s{0,9}=\s{0,9})?(\d{1,9})\s{0,9}\]$/i,
    read: ([, index = '']) => [call('tab_focus', { index: Number(index) })],
  },
  { form: /^(?:close_tab|tab_close|page_close)$/i, read: () => [call('tab_close')] },
  {
    form: /^goto\s{0,9}\[\s{0,9}(?:url\s{0,9}=\s{0,9})?(\S+?)\s{0,9}\]$/i,
    read: ([, url = '']) => [call('goto', { url })],
  },
  { form: /^go_?back$/i, read: () => [call('go_back')] },
  { form: /^go_?forward$/i, read: () => [call('go_forward')] },
  { form: /^(?:wait|none)$/i, read: () => [call('noop')] },
  {
    form: /^(?:stop(?=\s{0,9}\[|$)|answer\s{0,9};)\s{0,9}(?:\[([\s\S]*)\])?$/i,
    read: ([, answer = '']) => [stop(answer.trim())],
  },
];

/** Names with which such an action begins; what begins so and fits no form is malformed. */
const BEGINS =
  /^(?:(?:click|hover|clear|type|select|press|scroll|tab_focus|page_focus|goto|stop)\s*\[|answer\s*;)/i;

/** Reads a text that is one such action, or one in each of its lines; null where it is none. */
export function readBracketActions(text: string): BracketReading | null {
  const said = text.trim();
  if (said === '') return null;
  const whole = readOne(said);
  if (whole !== null || !said.includes('\n')) return whole ?? unfit(said);
  const lines = said.split('\n').map((line) => line.trim());
  const read: (ToolCall | Finish | MalformedAction)[] = [];
  for (const line of lines.filter((one) => one !== '')) {
    const actions = readOne(line);
    if (actions === null) return unfit(said);
    read.push(...actions);
  }
  return read;
}

const FORM_CHARS = 200_000;

function readOne(text: string): BracketReading | null {
  if (text.length > FORM_CHARS) return null;
  for (const { form, read } of FORMS) {
    const groups = form.exec(text);
    if (groups !== null) return read([...groups]);
  }
  return null;
}

function unfit(text: string): BracketReading | null {
  if (!BEGINS.test(text)) return null;
  const [name = ''] = /^\w+/.exec(text) ?? [];
  const form = FORM_HINTS.get(name.toLowerCase()) ?? 'click [12]';
  return [{ kind: 'malformed', reason: `${name} is written as ${form}` }];
}

const FORM_HINTS: ReadonlyMap<string, string> = new Map([
  ['hover', 'hover [12]'],
  ['clear', 'clear [12]'],
  ['type', 'type [12] [text] [1]'],
  ['select', 'select [12] [option]'],
  ['press', 'press [Control+a]'],
  ['scroll', 'scroll [down] or scroll [up]'],
  ['tab_focus', 'tab_focus [2]'],
  ['page_focus', 'page_focus [2]'],
  ['goto', 'goto [url]'],
  ['stop', 'stop [answer]'],
  ['answer', 'ANSWER; [answer]'],
]);

/** What WebArena's agents say where a task cannot be done. */
function stop(answer: string): ToolCall | Finish {
  return answer.toUpperCase() === 'N/A'
    ? call('report_infeasible', { reason: answer })
    : { kind: 'finish', answer };
}

const KEY_NAMES: ReadonlyMap<string, string> = new Map([
  ['ctrl', 'Control'],
  ['control', 'Control'],
  ['cmd', 'Meta'],
  ['command', 'Meta'],
  ['meta', 'Meta'],
  ['alt', 'Alt'],
  ['shift', 'Shift'],
  ['enter', 'Enter'],
  ['return', 'Enter'],
  ['esc', 'Escape'],
  ['escape', 'Escape'],
  ['tab', 'Tab'],
  ['backspace', 'Backspace'],
  ['delete', 'Delete'],
  ['space', 'Space'],
  ['up', 'ArrowUp'],
  ['down', 'ArrowDown'],
  ['left', 'ArrowLeft'],
  ['right', 'ArrowRight'],
  ['pageup', 'PageUp'],
  ['pagedown', 'PageDown'],
]);

/** Keys under the names that a browser knows: `ctrl+a` is `Control+a`. */
function keyName(keys: string): string {
  const parts = keys.split('+').map((key) => key.trim());
  if (parts.includes('')) return keys;
  return parts.map((key) => KEY_NAMES.get(key.toLowerCase()) ?? key).join('+');
}

const PHRASE = /\bnext action (?:that )?I (?:will|would|should) (?:perform|take|issue|execute) is\b[ \t:]*/gi;

/** What stands behind WebArena's answer phrase, the last where there are several; the text where there is none. */
export function behindPhrase(text: string): string {
  const last = [...text.matchAll(PHRASE)].at(-1);
  const part = last === undefined ? '' : text.slice(last.index + last[0].length);
  return part.trim() === '' ? text : part;
}

/** Lines that are such an action and nothing else. */
export function bracketLines(text: string): readonly BracketReading[] {
  return text.split('\n', 10_000).flatMap((line) => {
    const said = line.replace(/^[\s>*-]+/, '').replace(/[\s;]+$/, '');
    const bracketed = BEGINS.test(said) ? readBracketActions(said) : null;
    return bracketed === null ? [] : [bracketed];
  });
}
