/**
 * The names that agents on phones give to actions, and the fourteen types they stand for.
 *
 * Source: the action spaces of AndroidWorld, AndroidControl, AITW (names and numbers), AndroidLab and AppAgent (calls),
 * Qwen's `mobile_use`, UI-TARS and DroidRun. A name that could mean two things is left out.
 */

/** The action types of contracts.md. */
export const ANDROID_ACTIONS = [
  'click',
  'double_tap',
  'long_press',
  'scroll',
  'swipe',
  'input_text',
  'clear_text',
  'keyboard_enter',
  'navigate_back',
  'navigate_home',
  'open_app',
  'wait',
  'status',
  'answer',
] as const;

/** One of {@link ANDROID_ACTIONS}. */
export type AndroidActionType = (typeof ANDROID_ACTIONS)[number];

/** What a name stands for: a type, perhaps with a value that the name itself says. */
export interface NamedAction {
  readonly type: AndroidActionType | 'press_key' | 'dual_point' | 'finish';
  readonly goalStatus?: 'complete' | 'infeasible';
}

const ALIASES: readonly (readonly [NamedAction['type'], string])[] = [
  ['click', 'click tap touch left_click single_tap tap_element tap_by_index tap_by_coordinates press'],
  ['double_tap', 'double_tap double_click left_double'],
  ['long_press', 'long_press long_click long_tap press_and_hold longpress'],
  ['scroll', 'scroll'],
  ['swipe', 'swipe drag fling drag_and_drop'],
  ['input_text', 'input_text type text type_text input set_text enter_text typing'],
  ['clear_text', 'clear_text clear clear_input delete_text'],
  ['keyboard_enter', 'keyboard_enter press_enter enter key_enter'],
  ['navigate_back', 'navigate_back back press_back go_back key_back'],
  ['navigate_home', 'navigate_home home press_home go_home key_home'],
  ['open_app', 'open_app open launch launch_app start_app openapp startapp'],
  ['wait', 'wait sleep noop'],
  ['status', 'status terminate'],
  ['answer', 'answer'],
  ['press_key', 'press_key key keyevent system_button press_system_button hotkey'],
  ['dual_point', 'dual_point'],
  ['finish', 'finish finished done stop complete completed task_complete'],
];

const BY_NAME: ReadonlyMap<string, NamedAction> = new Map<string, NamedAction>([
  ...ALIASES.flatMap(([type, names]) => names.split(' ').map((name) => [name, { type }] as const)),
  ['status_task_complete', { type: 'status', goalStatus: 'complete' }],
  ['status_task_impossible', { type: 'status', goalStatus: 'infeasible' }],
  ['task_impossible', { type: 'status', goalStatus: 'infeasible' }],
  ['infeasible', { type: 'status', goalStatus: 'infeasible' }],
  ['impossible', { type: 'status', goalStatus: 'infeasible' }],
  ['fail', { type: 'status', goalStatus: 'infeasible' }],
]);

/** Numbers of AITW's `results/action_type`. */
const BY_NUMBER: ReadonlyMap<number, string> = new Map([
  [3, 'type'],
  [4, 'dual_point'],
  [5, 'press_back'],
  [6, 'press_home'],
  [7, 'press_enter'],
  [10, 'status_task_complete'],
  [11, 'status_task_impossible'],
]);

/** What a name or number of an action stands for; undefined for one that is not known. Case and word marks do not count. */
export function namedAction(name: string | number): NamedAction | undefined {
  const text = typeof name === 'number' ? (BY_NUMBER.get(name) ?? '') : name;
  const plain = text
    .trim()
    .slice(0, 60)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return BY_NAME.get(plain);
}

/** Keys of a phone that are actions of their own, by name, Android name and number. */
const KEYS: ReadonlyMap<string, AndroidActionType> = new Map([
  ['back', 'navigate_back'],
  ['4', 'navigate_back'],
  ['home', 'navigate_home'],
  ['3', 'navigate_home'],
  ['enter', 'keyboard_enter'],
  ['return', 'keyboard_enter'],
  ['66', 'keyboard_enter'],
]);

/** The action that a key is, for example of `KEYCODE_BACK`, `Back`, `4`; undefined for other keys. */
export function keyAction(key: string): AndroidActionType | undefined {
  return KEYS.get(
    key
      .trim()
      .toLowerCase()
      .replace(/^keycode_/, ''),
  );
}
