/**
 * The calls of pyautogui as data: their names, their parameters in order, and what each parameter has to be.
 *
 * Source: the signatures of pyautogui 0.9. Parameters that change nothing that can be seen (`tween`, `logScreenshot`,
 * `_pause`) are taken and left out. A new call is a line in this table.
 */

/** What a parameter holds. `point` may also be a pair at the place of `x`. */
export type ParameterKind =
  | 'pixel'
  | 'count'
  | 'seconds'
  | 'button'
  | 'text'
  | 'key'
  | 'keys'
  | 'amount'
  | 'ignored';

/** One call of the library. */
export interface DesktopCall {
  /** The name under which the step is known; other names of the same thing give the same step. */
  readonly step: DesktopStepName;
  readonly parameters: readonly (readonly [string, ParameterKind])[];
  /** Parameters without which the call makes no sense. */
  readonly needs: readonly string[];
  /** Values that the name itself says. */
  readonly fixed?: Readonly<Record<string, string | number>>;
}

/** The steps of a desktop action. */
export const DESKTOP_STEPS = [
  'click',
  'doubleClick',
  'tripleClick',
  'moveTo',
  'moveRel',
  'dragTo',
  'dragRel',
  'mouseDown',
  'mouseUp',
  'scroll',
  'hscroll',
  'write',
  'press',
  'hotkey',
  'keyDown',
  'keyUp',
  'sleep',
  'screenshot',
] as const;

/** One of {@link DESKTOP_STEPS}. */
export type DesktopStepName = (typeof DESKTOP_STEPS)[number];

const PLACE = [
  ['x', 'pixel'],
  ['y', 'pixel'],
] as const;
const END = [
  ['tween', 'ignored'],
  ['logScreenshot', 'ignored'],
  ['_pause', 'ignored'],
] as const;
const CLICK = [
  ...PLACE,
  ['clicks', 'count'],
  ['interval', 'seconds'],
  ['button', 'button'],
  ['duration', 'seconds'],
  ...END,
] as const;
const ONE_CLICK = [
  ...PLACE,
  ['interval', 'seconds'],
  ['button', 'button'],
  ['duration', 'seconds'],
  ...END,
] as const;
const SIDE_CLICK = [...PLACE, ['interval', 'seconds'], ['duration', 'seconds'], ...END] as const;
const MOVE = [...PLACE, ['duration', 'seconds'], ...END] as const;
const SHIFT = [['xOffset', 'amount'], ['yOffset', 'amount'], ['duration', 'seconds'], ...END] as const;
const DRAG_END = [
  ['duration', 'seconds'],
  ['tween', 'ignored'],
  ['button', 'button'],
  ['logScreenshot', 'ignored'],
  ['_pause', 'ignored'],
  ['mouseDownUp', 'ignored'],
] as const;
const BUTTON = [...PLACE, ['button', 'button'], ['duration', 'seconds'], ...END] as const;
const SCROLL = [['clicks', 'amount'], ...PLACE, ...END] as const;
const KEY = [['key', 'key'], ...END] as const;

function call(
  step: DesktopStepName,
  parameters: DesktopCall['parameters'],
  more: Partial<Pick<DesktopCall, 'needs' | 'fixed'>> = {},
): DesktopCall {
  return {
    step,
    parameters,
    needs: more.needs ?? [],
    ...(more.fixed !== undefined && { fixed: more.fixed }),
  };
}

const WRITE = call('write', [['message', 'text'], ['interval', 'seconds'], ...END], { needs: ['message'] });
const DRAG_TO = call('dragTo', [...PLACE, ...DRAG_END], { needs: ['x', 'y'] });
const DRAG_REL = call('dragRel', [['xOffset', 'amount'], ['yOffset', 'amount'], ...DRAG_END], {
  needs: ['xOffset'],
});
const MOVE_REL = call('moveRel', SHIFT, { needs: ['xOffset'] });
const SLEEP = call('sleep', [['seconds', 'seconds']], { needs: ['seconds'] });
const HSCROLL = call('hscroll', SCROLL, { needs: ['clicks'] });

/** Calls by their name without the module. */
export const DESKTOP_CALLS: ReadonlyMap<string, DesktopCall> = new Map([
  ['click', call('click', CLICK)],
  ['leftClick', call('click', SIDE_CLICK, { fixed: { button: 'left' } })],
  ['rightClick', call('click', SIDE_CLICK, { fixed: { button: 'right' } })],
  ['middleClick', call('click', SIDE_CLICK, { fixed: { button: 'middle' } })],
  ['doubleClick', call('doubleClick', ONE_CLICK)],
  ['tripleClick', call('tripleClick', ONE_CLICK)],
  ['moveTo', call('moveTo', MOVE, { needs: ['x', 'y'] })],
  ['moveRel', MOVE_REL],
  ['move', MOVE_REL],
  ['dragTo', DRAG_TO],
  ['dragRel', DRAG_REL],
  ['drag', DRAG_REL],
  ['mouseDown', call('mouseDown', BUTTON)],
  ['mouseUp', call('mouseUp', BUTTON)],
  ['scroll', call('scroll', SCROLL, { needs: ['clicks'] })],
  ['vscroll', call('scroll', SCROLL, { needs: ['clicks'] })],
  ['hscroll', HSCROLL],
  ['write', WRITE],
  ['typewrite', WRITE],
  [
    'press',
    call('press', [['keys', 'keys'], ['presses', 'count'], ['interval', 'seconds'], ...END], {
      needs: ['keys'],
    }),
  ],
  ['hotkey', call('hotkey', [['interval', 'seconds'], ...END])],
  ['keyDown', call('keyDown', KEY, { needs: ['key'] })],
  ['keyUp', call('keyUp', KEY, { needs: ['key'] })],
  ['sleep', SLEEP],
  [
    'screenshot',
    call('screenshot', [
      ['imageFilename', 'ignored'],
      ['region', 'ignored'],
    ]),
  ],
]);
