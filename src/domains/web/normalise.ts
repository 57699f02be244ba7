/**
 * Pages in the form in which two of them are compared, whatever notation they were written in.
 *
 * Equal meaning gives equal text: roles under one name, attributes sorted, `False` of a flag left out, white space of names
 * folded, text that only repeats its parent's name and nameless generic nodes left out, as BrowserGym leaves them out.
 * Ids stay: an action names them. Not equal on purpose: what one notation says and another does not.
 */
import { type Json, renderJson, stripObservationMarker } from '../../core/index.js';
import { pythonString } from '../python-literals.js';
import { untilStable } from '../until-stable.js';
import { parseWebPage } from './observation.js';
import { pageState, type TreeItem, type WebAttribute, type WebNode, type WebPage } from './page.js';

/** Roles that the notations call differently. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ['img', 'image'],
  ['text', 'StaticText'],
  ['LabelText', 'label'],
  ['MenuListOption', 'option'],
]);
/** Attributes that the notations call differently. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['active', 'focused'],
  ['haspopup', 'hasPopup'],
]);
/** Flags: saying `False` is the same as not saying them. */
const FLAGS = new Set([
  ...[
    'clickable',
    'visible',
    'focused',
    'required',
    'atomic',
    'disabled',
    'som',
    'modal',
    'busy',
    'readonly',
  ],
  ...['multiselectable', 'multiline', 'focusable', 'editable', 'changed'],
]);

/** A role under the name that all notations share. */
export function plainRole(role: string): string {
  return ROLES.get(role) ?? role;
}

/** A name with its white space folded. */
export function plainName(name: string): string {
  return name.replace(/[\s\u200b\ufeff]+/g, ' ').trim();
}

/** An attribute under its shared name with its value as text; null where it says nothing. */
export function plainAttribute({
  name,
  value,
}: WebAttribute): { readonly name: string; readonly value: string } | null {
  const plain = ATTRIBUTES.get(name) ?? name;
  if (name === 'cursor' && value === 'pointer') return { name: 'clickable', value: 'true' };
  const text = value === undefined ? 'true' : plainValue(value);
  return text === 'false' && FLAGS.has(plain) ? null : { name: plain, value: text };
}

function plainValue(value: Json): string {
  if (typeof value !== 'string') return renderJson(value);
  return /^(?:true|false)$/i.test(value) ? value.toLowerCase() : plainName(value);
}

/** The page as text for comparing. */
export function normaliseWebPage(text: string): string {
  return untilStable(text, onePass);
}

function onePass(text: string): string {
  const page = parseWebPage(stripObservationMarker(text));
  const lines = [...stateLines(page), ...treeLines(page.tree), ...textLines(page)];
  return lines.join('\n');
}

function stateLines(page: WebPage): string[] {
  const { url, title, tabs, focused, error } = pageState(page);
  const said = [
    ['URL', url],
    ['Title', title],
    ['Focused bid', focused],
    ['Last action error', error],
  ] as const;
  const fields = said.flatMap(([label, value]) =>
    value === null ? [] : [`${label}: ${plainName(value)}`.trimEnd()],
  );
  const open = tabs.map((tab) => {
    const rest = [tab.title, tab.url].flatMap((part) => (part === null ? [] : [plainName(part)])).join(' | ');
    return `  Tab ${tab.index}${tab.active ? ' (active)' : ''}: ${rest}`.trimEnd();
  });
  return [...fields, ...open];
}

interface Pending {
  readonly item: TreeItem;
  readonly depth: number;
  /** The name of the node above, which text below it only repeats. */
  readonly above: string;
}

function treeLines(tree: readonly TreeItem[]): string[] {
  const lines: string[] = [];
  const todo: Pending[] = [];
  const push = (items: readonly TreeItem[], depth: number, above: string): void => {
    for (const item of [...items].reverse()) todo.push({ item, depth, above });
  };
  push(tree, 0, '');
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { item, depth, above } = next;
    if (item.kind === 'text') {
      lines.push(...unread(item.text));
      continue;
    }
    const line = plainLine(item, above);
    if (line !== null) lines.push(`${'\t'.repeat(depth)}${line}`);
    const inner = item.children.filter((child) => child.kind === 'text' || !isProperty(child));
    push(inner, line === null ? depth : depth + 1, line === null ? above : plainName(item.name ?? ''));
  }
  return lines;
}

function isProperty(node: WebNode): boolean {
  return node.role.startsWith('/');
}

/** A node's line, or null where it says nothing of its own. */
function plainLine(node: WebNode, above: string): string | null {
  const role = plainRole(node.role).replace('/', 'property-');
  const isText = role === 'StaticText';
  const name = plainName((isText ? (node.name ?? node.text) : node.name) ?? '');
  const properties = node.children.flatMap((child): WebAttribute[] =>
    child.kind === 'node' && isProperty(child)
      ? [{ name: child.role.slice(1), value: child.text ?? '' }]
      : [],
  );
  const text = isText || node.text === undefined ? [] : [{ name: 'text', value: node.text }];
  const attributes = [...node.attributes, ...properties, ...text].flatMap((one) => plainAttribute(one) ?? []);
  if (isText && (name === '' || above.includes(name))) return null;
  if (role === 'generic' && name === '' && attributes.length === 0) return null;
  const id = node.bid === undefined ? '' : `[${node.bid}] `;
  const written = attributes.map((one) => `${one.name}=${pythonString(one.value)}`).sort();
  return [`${id}${role} ${pythonString(name)}`, ...written].join(', ');
}

/** A line that could not be read, marked so that it is never taken for one that can. */
function unread(line: string): string[] {
  const text = plainName(line);
  return text === '' ? [] : [text.startsWith('? ') ? text : `? ${text}`];
}

/** Lines that no page has, wrappers left out: what a simulator said beside the page must not vanish in comparing. */
function textLines(page: WebPage): string[] {
  return [...page.before, ...page.after].flatMap((line) => {
    if (line.kind !== 'text') return [];
    const text = plainName(line.text);
    return isWrapper(text) ? [] : unread(text);
  });
}

/** Fences, rules, and headings that stand around a tree. */
function isWrapper(text: string): boolean {
  return /^(?:`{3,}\w*|~{3,}\w*|[-=*_]{3,}|=+ (?:BEGIN|END) .* =+|#{1,4} .*|Note: .*)$/.test(text);
}
