/**
 * Accessibility trees as indented lines: `push-button "Close" text="…" value="…" active,focused (324, 607, 37, 35)`.
 *
 * Two spaces a level. Read in any order of the things behind the name, with single or double quotes, with
 * `(915,216 333x368)` as a place, and with `[id]` or `-` in front; written in one form. A line of no form stays as it is.
 */
import { parseJson } from '../../core/index.js';
import { readPythonString } from '../python-literals.js';
import type { DesktopNode, Rectangle } from './desktop-node.js';

/** Levels that may stand in one another; deeper lines become siblings. */
const MAX_LEVELS = 200;

/** One line that is a node, with its level and the places of its values within the line. */
export interface TreeLine {
  readonly node: Omit<DesktopNode, 'children'>;
  /** Spaces in front. */
  readonly indent: number;
  readonly values: readonly {
    readonly name: string;
    readonly value: string;
    readonly start: number;
    readonly end: number;
  }[];
}

const HEAD = /^(\s*)(?:- |\[([\w-]{1,20})\] ?)?([A-Za-z][\w-]*(?: [a-z]+){0,3}?) (?=["'])/;
const NUMBER = '-?\\d{1,7}(?:\\.\\d{1,4})?';
const PLACE = new RegExp(`\\((${NUMBER}), ?(${NUMBER})(?:, ?| )(${NUMBER})(?:, ?|x)(${NUMBER})\\)`, 'y');
const FIELD = /([a-z][\w-]{0,30})=/y;
const STATES = /[a-z][a-z-]{1,30}(?:, ?[a-z][a-z-]{1,30})*/y;
const BARE = /[^\s,]+/y;

/** Reads a line; null where it is no node. */
export function parseTreeLine(line: string): TreeLine | null {
  const head = HEAD.exec(line.slice(0, 400));
  if (head === null) return null;
  const [whole, spaces = '', id, role = ''] = head;
  const name = quoted(line, whole.length);
  if (name === null) return null;
  const values: TreeLine['values'][number][] = [];
  const note = (of: string, value: string, start: number, end: number): void => {
    values.push({ name: of, value, start, end });
  };
  note('name', name.text, whole.length + 1, name.end - 1);
  const node: { -readonly [Key in keyof DesktopNode]?: DesktopNode[Key] } = {};
  const extra: [string, string][] = id === undefined ? [] : [['id', id]];
  const states: string[] = [];
  for (let at = name.end; ; ) {
    while (line[at] === ' ' || line[at] === '\t') at += 1;
    if (at >= line.length) break;
    PLACE.lastIndex = at;
    FIELD.lastIndex = at;
    STATES.lastIndex = at;
    const place = node.bounds === undefined ? PLACE.exec(line) : null;
    const field = place === null ? FIELD.exec(line) : null;
    if (place !== null) {
      const [x = 0, y = 0, width = 0, height = 0] = place.slice(1).map(Number);
      node.bounds = { x: x + 0, y: y + 0, width, height };
      note('bounds', `${x},${y},${width},${height}`, at, at + place[0].length);
      at += place[0].length;
    } else if (field !== null) {
      const start = at + field[0].length;
      const value = quoted(line, start) ?? bare(line, start);
      const key = field[1] ?? '';
      if (key === 'text' || key === 'value') {
        if (node[key] !== undefined) return null;
        node[key] = value.text;
      } else extra.push([key, value.text]);
      const quote = line[start] === '"' || line[start] === "'" ? 1 : 0;
      note(key, value.text, start + quote, Math.max(value.end - quote, start + quote));
      at = value.end;
    } else {
      const found = STATES.exec(line)?.[0];
      if (found === undefined) return null;
      states.push(...found.split(/, ?/));
      note('states', found, at, at + found.length);
      at += found.length;
    }
  }
  const fields = { ...node, ...(extra.length > 0 && { extra: Object.fromEntries(extra) }) };
  return { node: { role, name: name.text, ...fields, states }, indent: spaces.length, values };
}

/** A text in quotes: JSON where it is, else as Python writes it. */
function quoted(line: string, at: number): { readonly text: string; readonly end: number } | null {
  if (line[at] === '"') {
    const end = endOfJson(line, at);
    const json = end === null ? null : parseJson(line.slice(at, end));
    if (json?.ok === true && typeof json.value === 'string' && end !== null) return { text: json.value, end };
  }
  const python = line[at] === '"' || line[at] === "'" ? readPythonString(line, at) : null;
  return python?.ok === true ? { text: String(python.value.value), end: python.value.end } : null;
}

function endOfJson(line: string, at: number): number | null {
  for (let next = at + 1; next < line.length; next++) {
    if (line[next] === '\\') next += 1;
    else if (line[next] === '"') return next + 1;
  }
  return null;
}

function bare(line: string, at: number): { readonly text: string; readonly end: number } {
  BARE.lastIndex = at;
  const text = BARE.exec(line)?.[0] ?? '';
  return { text, end: at + text.length };
}

/** Reads indented lines as a tree. */
export function parseTree(lines: readonly string[]): readonly DesktopNode[] {
  interface Open {
    readonly indent: number;
    readonly children: DesktopNode[];
  }
  const roots: DesktopNode[] = [];
  const open: Open[] = [];
  for (const line of lines) {
    const read = parseTreeLine(line);
    const indent = read?.indent ?? line.length - line.trimStart().length;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    if (open.length >= MAX_LEVELS) open.length = MAX_LEVELS - 1;
    const children: DesktopNode[] = [];
    const node =
      read === null ? { role: '#line', text: line.trim(), states: [], children } : { ...read.node, children };
    (open.at(-1)?.children ?? roots).push(node);
    open.push({ indent, children });
  }
  return roots;
}

/** Writes a tree as indented lines. */
export function renderTree(nodes: readonly DesktopNode[], level = 0): readonly string[] {
  return nodes.flatMap((node) => [
    `${'  '.repeat(level)}${lineOf(node)}`,
    ...renderTree(node.children, level + 1),
  ]);
}

function lineOf(node: DesktopNode): string {
  if (node.role === '#line') return node.text ?? '';
  const { id, ...extra } = node.extra ?? {};
  const fields = Object.entries(extra).map(([key, value]) => `${key}=${lineString(value)}`);
  return [
    ...(id === undefined ? [] : [`[${id}]`]),
    node.role,
    lineString(node.name ?? ''),
    ...(node.text === undefined ? [] : [`text=${lineString(node.text)}`]),
    ...(node.value === undefined ? [] : [`value=${lineString(node.value)}`]),
    ...fields,
    ...(node.states.length === 0 ? [] : [node.states.join(',')]),
    ...(node.bounds === undefined ? [] : [placeOf(node.bounds)]),
  ].join(' ');
}

/** A text as JSON on one line, whatever is taken for a line end. */
function lineString(text: string): string {
  const written = JSON.stringify(text);
  return /[\u2028\u2029\u0085]/.test(written)
    ? written.replace(
        /[\u2028\u2029\u0085]/g,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    : written;
}

function placeOf({ x, y, width, height }: Rectangle): string {
  return `(${x}, ${y}, ${width}, ${height})`;
}
