/**
 * Outlines of JSON and of plain lines, which several domains answer with.
 *
 * JSON: a member of an object is a `field` with its key as id, an entry of a list an `item` with the id that the entry
 * itself holds, where it does. Lines: one part for each line that is not blank. Not covered: JSON that does not parse is
 * read as lines.
 */
import { OBSERVATION_MARKER, parseJson } from '../core/index.js';
import type { ObservationOutline, ObservationPart, PartValue } from './domain-format.js';
import { type JsonToken, jsonTokens } from './json-tokens.js';

/** Members that name an entry of a list, the strongest first. */
const ID_KEYS = ['id', 'key', 'uuid', 'path', 'url', 'name'];

/** A part while it is being read; `end` grows. */
interface OpenPart {
  readonly kind: string;
  id?: string;
  readonly start: number;
  end: number;
  readonly values: PartValue[];
  readonly parts: ObservationPart[];
}

/** Characters in front of an observation that are its marker and white space, and no part of it. */
export function markerLength(text: string): number {
  const before = text.length - text.trimStart().length;
  if (!text.startsWith(OBSERVATION_MARKER, before)) return 0;
  return text.length - text.slice(before + OBSERVATION_MARKER.length).trimStart().length;
}

/** The outline of a text that is JSON, or null where it is not. A scalar alone is one `value`. */
export function jsonOutline(text: string): ObservationOutline | null {
  const offset = markerLength(text);
  const body = text.slice(offset);
  if (!/^\s*[{["]/.test(body) || !parseJson(body).ok) return null;
  const root: OpenPart = { kind: 'root', start: 0, end: text.length, values: [], parts: [] };
  const open: OpenPart[] = [];
  let field: OpenPart | null = null;
  let isKey = false;
  for (const token of jsonTokens(body)) {
    const at = { ...token, index: token.index + offset };
    if (token.token === ':') isKey = false;
    else if (token.token === ',') isKey = token.inObject;
    else if (token.token === '}' || token.token === ']') {
      const done = open.pop();
      if (done !== undefined) close(done, at);
      isKey = false;
    } else if (isKey) {
      field = startPart('field', at);
      field.id = String(JSON.parse(token.token));
      (open.at(-1) ?? root).parts.push(field);
    } else {
      const part: OpenPart = field ?? startPart(open.length === 0 ? 'value' : 'item', at);
      if (field === null) (open.at(-1) ?? root).parts.push(part);
      field = null;
      isKey = token.token === '{';
      if (token.token === '{' || token.token === '[') open.push(part);
      else addValue(part, at);
    }
  }
  return { parts: root.parts, problems: [] };
}

function startPart(kind: string, { index, token }: JsonToken): OpenPart {
  return { kind, start: index, end: index + token.length, values: [], parts: [] };
}

/** Ends a container; an entry of a list takes its id from what it holds. */
function close(part: OpenPart, { index }: JsonToken): void {
  part.end = index + 1;
  if (part.kind !== 'item') return;
  for (const key of ID_KEYS) {
    const held = part.parts.find((inner) => inner.id === key)?.values[0]?.value;
    if (held === undefined) continue;
    part.id = held;
    return;
  }
}

function addValue(part: OpenPart, { index, token }: JsonToken): void {
  const quote = token.startsWith('"') ? 1 : 0;
  const value = quote === 1 ? String(JSON.parse(token)) : plainNumber(token);
  part.values.push({ name: 'value', value, start: index + quote, end: index + token.length - quote });
  part.end = index + token.length;
}

/** `1.0`, `1e0` and `1` are one number; big integers keep their digits. */
function plainNumber(token: string): string {
  return /^-?\d+$|^[a-z]+$/.test(token) ? token : String(Number(token));
}

/** One part for each line that is not blank, without the white space at its ends; `comparedOf` gives what is compared. */
export function lineOutline(
  text: string,
  kind: string,
  comparedOf: (line: string) => string = (line) => line.trim(),
): ObservationOutline {
  const parts: ObservationPart[] = [];
  let at = markerLength(text);
  for (const line of text.slice(at).split('\n')) {
    const start = at + line.length - line.trimStart().length;
    const end = at + line.trimEnd().length;
    if (end > start) {
      const value = { name: 'text', value: comparedOf(line), start, end };
      parts.push({ kind, start, end, values: [value], parts: [] });
    }
    at += line.length + 1;
  }
  return { parts, problems: [] };
}
