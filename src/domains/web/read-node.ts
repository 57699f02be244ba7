/**
 * Lines of accessibility trees in BrowserGym's, WebArena's and Chrome DevTools' notation, read into parts with places.
 *
 * Names and values are written as Python's `repr` does, which is read with escapes; a name with a quote that was not
 * escaped is read up to the first quote behind which only attributes follow. Sources: BrowserGym `flatten_axtree_to_str`
 * (bid, role, name, value, attributes, `center`, `box`, `som`), WebArena's accessibility tree text, Chrome DevTools MCP
 * snapshots.
 */
import type { Json } from '../../core/index.js';
import { readPythonString, readPythonValue } from '../python-literals.js';
import type { TreeNotation, WebAttribute } from './page.js';

/** A value with its place in the line. */
export interface Placed<T> {
  readonly value: T;
  readonly start: number;
  readonly end: number;
}

/** What a line of a tree says; places are offsets in the line. */
export interface ReadNode {
  /** Null where the line is the same in BrowserGym's and WebArena's. */
  readonly notation: TreeNotation | null;
  readonly role: Placed<string>;
  readonly bid?: Placed<string>;
  readonly name?: Placed<string>;
  readonly attributes: readonly Placed<WebAttribute>[];
  readonly text?: Placed<string>;
}

const HEAD = /[ \t]*(?:\[([^\][\s]{1,100})\] )?([A-Za-z][\w-]{0,60})/y;
/** Roles that stand without name and id. */
const BARE = new Set(['generic', 'none', 'RootWebArea']);
/** Quotes tried as the end of a name. */
const QUOTES_TRIED = 40;

/** Reads a line in BrowserGym's or WebArena's notation; null where it is none. */
export function readBracketLine(line: string): ReadNode | null {
  HEAD.lastIndex = 0;
  const head = HEAD.exec(line);
  if (head === null) return null;
  const [whole, id, role = ''] = head;
  const roleStart = whole.length - role.length;
  const base = {
    role: { value: role, start: roleStart, end: whole.length },
    ...(id === undefined ? {} : { bid: place(id, line.indexOf('[') + 1) }),
  };
  const named = readName(line, whole.length);
  if (named !== null) return { ...base, ...named };
  const rest = line.slice(whole.length);
  if (id === undefined && !(BARE.has(role) && /^(?:,|$)/.test(rest))) return null;
  const attributes = readAttributes(line, whole.length);
  return attributes === null ? null : { ...base, ...attributes };
}

/** True where a line begins as a node whose name has no end on it, so that the next lines may belong to it. */
export function isUnfinished(line: string): boolean {
  HEAD.lastIndex = 0;
  const head = HEAD.exec(line);
  const quote = head === null ? '' : line.slice(head[0].length, head[0].length + 2);
  return quote === " '" || quote === ' "';
}

function place<T>(value: T, start: number): Placed<T> {
  return { value, start, end: start + String(value).length };
}

type Attributes = Pick<ReadNode, 'notation' | 'attributes'>;

/** A quoted name and the attributes behind it. */
function readName(line: string, at: number): (Attributes & Pick<ReadNode, 'name'>) | null {
  const start = at + 1;
  if (line[at] !== ' ' || !/['"]/.test(line[start] ?? '')) return null;
  const strict = readPythonString(line, start);
  if (strict?.ok === true) {
    const { end } = strict.value;
    const attributes = readAttributes(line, end);
    if (attributes !== null) {
      return { ...attributes, name: { value: String(strict.value.value), start: start + 1, end: end - 1 } };
    }
  }
  const quote = line[start] ?? '';
  for (let i = line.indexOf(quote, start + 1), tried = 0; i >= 0 && tried < QUOTES_TRIED; tried++) {
    const attributes = readAttributes(line, i + 1);
    if (attributes !== null) {
      return { ...attributes, name: { value: line.slice(start + 1, i), start: start + 1, end: i } };
    }
    i = line.indexOf(quote, i + 1);
  }
  return null;
}

/** Everything behind the name; null where it is not attributes in one of the two ways. */
function readAttributes(line: string, at: number): Attributes | null {
  if (/^\s*$/.test(line.slice(at))) return { notation: null, attributes: [] };
  return readCommaAttributes(line, at) ?? readColonAttributes(line, at);
}

const VALUE = / value=/y;
const ATTRIBUTE = /, ?([A-Za-z][\w-]{0,60})(=)?/y;
const NEXT_ATTRIBUTE = /, [A-Za-z][\w-]*(?:=|,|$)/g;

/** ` value='x', clickable, checked='true'`. */
function readCommaAttributes(line: string, from: number): Attributes | null {
  const attributes: Placed<WebAttribute>[] = [];
  let at = from;
  VALUE.lastIndex = at;
  if (VALUE.test(line)) {
    const value = readValue(line, VALUE.lastIndex);
    attributes.push({ value: { name: 'value', value: value.value }, start: VALUE.lastIndex, end: value.end });
    at = value.end;
  }
  while (/\S/.test(line.slice(at))) {
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(line);
    const [whole = '', name = '', equals] = match ?? [];
    if (match === null) return null;
    const end = at + whole.length;
    if (equals === undefined) {
      attributes.push({ value: { name }, start: end - name.length, end });
      at = end;
    } else {
      const value = readValue(line, end);
      attributes.push({ value: { name, value: value.value }, start: end, end: value.end });
      at = value.end;
    }
  }
  return attributes.length === 0 ? null : { notation: 'browsergym', attributes };
}

/** A value as Python writes it, else the text up to the next attribute. */
function readValue(line: string, at: number): { readonly value: Json; readonly end: number } {
  const python = readPythonValue(line, at);
  if (python.ok && /^(?:\s*$|,)/.test(line.slice(python.value.end, python.value.end + 200)))
    return python.value;
  NEXT_ATTRIBUTE.lastIndex = at;
  const end = NEXT_ATTRIBUTE.exec(line)?.index ?? line.trimEnd().length;
  return { value: line.slice(at, end), end };
}

const COLON = / ([A-Za-z][\w-]{0,60}): ?/g;

/** ` focused: True hasPopup: listbox`: values are texts that end where the next name begins. */
function readColonAttributes(line: string, from: number): Attributes | null {
  const matches = [...line.slice(from).matchAll(COLON)];
  if (matches[0]?.index !== 0) return null;
  const attributes = matches.map((match, i) => {
    const start = from + match.index + match[0].length;
    const end = i + 1 < matches.length ? from + (matches[i + 1]?.index ?? 0) : line.trimEnd().length;
    const value = line.slice(start, Math.max(start, end));
    return { value: { name: match[1] ?? '', value: plainValue(value) }, start, end: Math.max(start, end) };
  });
  return { notation: 'webarena', attributes };
}

/** `True`, `False` and numbers as values, anything else as text. */
function plainValue(text: string): Json {
  if (text === 'True' || text === 'False') return text === 'True';
  return /^-?(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

const UID = /[ \t]*uid=([^\s[\]]{1,100}) ([A-Za-z][\w-]{0,60})/y;
const DEVTOOLS_ATTRIBUTE = / ([A-Za-z][\w-]{0,60})(?:="([^"\\]*(?:\\.[^"\\]*)*)")?/y;

/** Reads a line in Chrome DevTools' notation; null where it is none. */
export function readDevtoolsLine(line: string): ReadNode | null {
  UID.lastIndex = 0;
  const head = UID.exec(line);
  if (head === null) return null;
  const [whole, id = '', role = ''] = head;
  const idStart = whole.indexOf('uid=') + 4;
  let at = whole.length;
  const named = line.startsWith(' "', at) ? readPythonString(line, at + 1) : null;
  const name =
    named?.ok === true ? { value: String(named.value.value), start: at + 2, end: named.value.end - 1 } : null;
  if (named?.ok === true) at = named.value.end;
  const attributes: Placed<WebAttribute>[] = [];
  while (/\S/.test(line.slice(at))) {
    DEVTOOLS_ATTRIBUTE.lastIndex = at;
    const match = DEVTOOLS_ATTRIBUTE.exec(line);
    if (match === null) return null;
    const [text, key = '', value] = match;
    const end = at + text.length;
    if (value === undefined) attributes.push({ value: { name: key }, start: end - key.length, end });
    else attributes.push({ value: { name: key, value }, start: end - value.length - 1, end: end - 1 });
    at = end;
  }
  return {
    notation: 'devtools',
    bid: place(id, idStart),
    role: place(role, whole.length - role.length),
    ...(name === null ? {} : { name }),
    attributes,
  };
}
