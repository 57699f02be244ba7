/**
 * One node of an Android view hierarchy, typed, and how attributes of dumps become its fields and go back.
 *
 * Source: the serialisers of UIAutomator (`uiautomator dump`, androidx.test.uiautomator) and of Appium, which writes the
 * class as the tag. An attribute whose value is not of its type (`bounds="?"`) stays as it is written, in `extra`.
 */
import type { MarkupAttribute } from '../markup/markup-node.js';

/** A rectangle in pixels: left, top, right, bottom. */
export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The flags of a node that are true or false, as dumps name them. */
export const NODE_STATES = [
  'checkable',
  'checked',
  'clickable',
  'enabled',
  'focusable',
  'focused',
  'scrollable',
  'long-clickable',
  'password',
  'selected',
  'visible-to-user',
] as const;

/** One of {@link NODE_STATES}. */
export type NodeState = (typeof NODE_STATES)[number];

/** A node, or an element around nodes (`hierarchy`, `window`, `display`). What a dump does not say is not there. */
export interface AndroidNode {
  /** `node`, or what the dump calls it: `hierarchy`, `window`, a class name. */
  readonly tag: string;
  readonly index?: number;
  readonly text?: string;
  readonly resourceId?: string;
  readonly className?: string;
  readonly packageName?: string;
  readonly contentDesc?: string;
  readonly states?: Readonly<Partial<Record<NodeState, boolean>>>;
  readonly bounds?: Bounds;
  /** Further attributes in their order, as they are written, for example `rotation`, `drawing-order`, `hint`. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Text between its elements; white space that is layout is left out. */
  readonly content?: string;
  readonly children: readonly AndroidNode[];
}

const TEXTS = [
  ['text', 'text'],
  ['resource-id', 'resourceId'],
  ['class', 'className'],
  ['package', 'packageName'],
  ['content-desc', 'contentDesc'],
] as const;

type TextField = (typeof TEXTS)[number][1];
const TEXT_FIELDS: ReadonlyMap<string, TextField> = new Map(TEXTS);
const STATE_NAMES: ReadonlySet<string> = new Set(NODE_STATES);

/** A number as dumps write it, so that the same text comes back. */
const WHOLE = /^(?:0|-?[1-9]\d{0,8})$/;
const BOUNDS = /^\[(0|-?[1-9]\d{0,8}),(0|-?[1-9]\d{0,8})\]\[(0|-?[1-9]\d{0,8}),(0|-?[1-9]\d{0,8})\]$/;

/** Reads `[left,top][right,bottom]`; undefined for anything else. */
export function parseBounds(text: string): Bounds | undefined {
  const found = BOUNDS.exec(text);
  if (found === null) return undefined;
  const [left = 0, top = 0, right = 0, bottom = 0] = found.slice(1).map(Number);
  return { left, top, right, bottom };
}

/** Writes `[left,top][right,bottom]`. */
export function renderBounds({ left, top, right, bottom }: Bounds): string {
  return `[${left},${top}][${right},${bottom}]`;
}

/** What attributes say of a node, its tag, content and children left out. */
export function fieldsOfAttributes(
  attributes: readonly MarkupAttribute[],
): Omit<AndroidNode, 'tag' | 'children' | 'content'> {
  const fields: { -readonly [Key in keyof AndroidNode]?: AndroidNode[Key] } = {};
  const states: [NodeState, boolean][] = [];
  const extra: [string, string][] = [];
  for (const { name, value: written } of attributes) {
    const value = written ?? '';
    const field = TEXT_FIELDS.get(name);
    const bounds = name === 'bounds' ? parseBounds(value) : undefined;
    if (field !== undefined) fields[field] = value;
    else if (name === 'index' && WHOLE.test(value)) fields.index = Number(value);
    else if (bounds !== undefined) fields.bounds = bounds;
    else if (STATE_NAMES.has(name) && (value === 'true' || value === 'false'))
      states.push([name as NodeState, value === 'true']);
    else extra.push([name, value]);
  }
  return {
    ...fields,
    ...(states.length > 0 && { states: Object.fromEntries(states) }),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
}

/** The attributes of a node in the order of UIAutomator's dumps; further ones behind. */
export function attributesOfNode(node: AndroidNode): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  if (node.index !== undefined) pairs.push(['index', String(node.index)]);
  for (const [name, field] of TEXTS) {
    const value = node[field];
    if (value !== undefined) pairs.push([name, value]);
  }
  for (const state of NODE_STATES) {
    const value = node.states?.[state];
    if (value !== undefined) pairs.push([state, String(value)]);
  }
  if (node.bounds !== undefined) pairs.push(['bounds', renderBounds(node.bounds)]);
  // UIAutomator marks what it finds not to be friendly to accessibility in front of everything else.
  const { NAF: mark, ...extra } = node.extra ?? {};
  return [...(mark === undefined ? [] : [['NAF', mark] as const]), ...pairs, ...Object.entries(extra)];
}

/** What a person would call the node: its text, else its description, else its hint; `""` where it has none. */
export function labelOf(node: AndroidNode): string {
  for (const label of [node.text, node.contentDesc, node.extra?.hint, node.content]) {
    if (label !== undefined && label.trim() !== '') return label;
  }
  return '';
}
