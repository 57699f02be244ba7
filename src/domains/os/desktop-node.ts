/**
 * One node of a desktop's accessibility tree, typed, and how attributes of dumps become its fields and go back.
 *
 * Source: AT-SPI trees as OSWorld serialises them on Linux, Windows and macOS (namespaces st, attr, cp, val, act …), and
 * trees of Windows UI Automation as WinAppDriver and Appium serialise them. An attribute whose value is not of its
 * type stays as it is written, in `extra`.
 */
import type { MarkupAttribute } from '../markup/markup-node.js';

/** A rectangle in pixels of the screen. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A node. What a dump does not say is not there. */
export interface DesktopNode {
  /** For example `push-button`; `#line` for a line that is of no form, with the line as its text. */
  readonly role: string;
  readonly name?: string;
  readonly text?: string;
  readonly value?: string;
  /** In the order of the dump. */
  readonly states: readonly string[];
  readonly bounds?: Rectangle;
  /** Further attributes in their order, as they are written. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly children: readonly DesktopNode[];
}

/** Which program's attributes a tree has. */
export type DesktopDialect = 'atspi' | 'uia';

const PAIR = /^\((0|-?[1-9]\d{0,6}), (0|-?[1-9]\d{0,6})\)$/;
const WHOLE = /^(?:0|-?[1-9]\d{0,6})$/;
/** Attributes of UI Automation that hold one number of the rectangle each, in this order. */
const UIA_BOUNDS = ['x', 'y', 'width', 'height'];

/** Reads a pair as Python writes it; undefined for anything else. */
function pairOf(text: string | undefined): readonly [number, number] | undefined {
  const found = text === undefined ? null : PAIR.exec(text);
  return found === null ? undefined : [Number(found[1]), Number(found[2])];
}

/** What attributes say of a node; role, text and children left out. */
export function fieldsOfAttributes(
  attributes: readonly MarkupAttribute[],
  dialect: DesktopDialect,
): Pick<DesktopNode, 'name' | 'value' | 'states' | 'bounds' | 'extra'> {
  const all = new Map(attributes.map(({ name, value }) => [name, value ?? '']));
  const bounds = dialect === 'uia' ? uiaBounds(all) : atspiBounds(all);
  const nameKey = dialect === 'uia' ? 'Name' : 'name';
  const taken = new Set(
    bounds === undefined ? [] : dialect === 'uia' ? UIA_BOUNDS : ['cp:screencoord', 'cp:size'],
  );
  const states: string[] = [];
  const extra: [string, string][] = [];
  for (const [name, value] of all) {
    if (taken.has(name) || name === nameKey || name === 'val:value') continue;
    const state = stateOf(name, value, dialect);
    if (state === undefined) extra.push([name, value]);
    else states.push(state);
  }
  const name = all.get(nameKey);
  const value = all.get('val:value');
  return {
    ...(name !== undefined && { name }),
    ...(value !== undefined && { value }),
    states,
    ...(bounds !== undefined && { bounds }),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
}

function stateOf(name: string, value: string, dialect: DesktopDialect): string | undefined {
  if (dialect === 'atspi') return name.startsWith('st:') && value === 'true' ? name.slice(3) : undefined;
  const found = /^(?:Is|Has)[A-Z]\w*$/.exec(name);
  return found !== null && value === 'True' ? name : undefined;
}

function atspiBounds(all: ReadonlyMap<string, string>): Rectangle | undefined {
  const place = pairOf(all.get('cp:screencoord'));
  const size = pairOf(all.get('cp:size'));
  if (place === undefined || size === undefined) return undefined;
  return { x: place[0], y: place[1], width: size[0], height: size[1] };
}

function uiaBounds(all: ReadonlyMap<string, string>): Rectangle | undefined {
  const numbers = UIA_BOUNDS.map((name) => all.get(name));
  if (numbers.some((text) => text === undefined || !WHOLE.test(text))) return undefined;
  const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
  return { x, y, width, height };
}

/** Namespaces whose attributes stand in front of the place, as OSWorld writes them. */
const BEFORE_PLACE = /^(?:attr|class|doc|docattr|txt):/;

/** The attributes of a node in the order of OSWorld's dumps. */
export function attributesOfNode(
  node: DesktopNode,
  dialect: DesktopDialect,
): readonly (readonly [string, string])[] {
  const extra = Object.entries(node.extra ?? {});
  const spaces = extra.filter(([name]) => /^xmlns(?::|$)/.test(name));
  const others = extra.filter(([name]) => !/^xmlns(?::|$)/.test(name));
  if (dialect === 'uia') {
    return [
      ...spaces,
      ...(node.name === undefined ? [] : [['Name', node.name] as const]),
      ...others,
      ...(node.value === undefined ? [] : [['val:value', node.value] as const]),
      ...node.states.map((state) => [state, 'True'] as const),
      ...(node.bounds === undefined ? [] : uiaPlace(node.bounds)),
    ];
  }
  return [
    ...spaces,
    ...(node.name === undefined ? [] : [['name', node.name] as const]),
    ...node.states.map((state) => [`st:${state}`, 'true'] as const),
    ...others.filter(([name]) => BEFORE_PLACE.test(name)),
    ...(node.bounds === undefined ? [] : atspiPlace(node.bounds)),
    ...(node.value === undefined ? [] : [['val:value', node.value] as const]),
    ...others.filter(([name]) => !BEFORE_PLACE.test(name)),
  ];
}

function atspiPlace({ x, y, width, height }: Rectangle): readonly (readonly [string, string])[] {
  return [
    ['cp:screencoord', `(${x}, ${y})`],
    ['cp:size', `(${width}, ${height})`],
  ];
}

function uiaPlace({ x, y, width, height }: Rectangle): readonly (readonly [string, string])[] {
  return [x, y, width, height].map((number, index) => [UIA_BOUNDS[index] ?? '', String(number)] as const);
}
