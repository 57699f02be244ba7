/**
 * A fast road: files that are plain JSON, and items of YAML lists that are one line of it, are read by `JSON.parse`.
 *
 * A world's rows are often written that way, and the YAML reader takes most of a world's start time for them. Each
 * such line is replaced by a short scalar at the same place; the reader puts the value back where it meets the
 * scalar. Only lines count that JSON writes back to the same characters, so duplicate keys, large integers and odd
 * escapes stay with the YAML reader. A line that turns out to stand inside a longer text is never met as a scalar of
 * its own; the caller then reads the whole again without this road.
 */
import { type Json, parseJson, renderJson } from '../core/index.js';

/** A text with its one-line JSON items taken out. */
export interface TakenOut {
  /** The text with `""` in place of each item; lines stay lines. */
  readonly text: string;
  /** Offset of each `""` in that text → the item's value. */
  readonly values: ReadonlyMap<number, Json>;
}

/** Quoted, so that no following line can continue it, just as none can continue an object. */
const PLACE = '""';
const ITEM = /^( *- +)(\{".*\})$/;

/** Takes the items out. Line ends must be LF. Time is linear in the text. */
export function takeOutJsonItems(text: string): TakenOut {
  const values = new Map<number, Json>();
  const lines: string[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    const short = readItem(line);
    if (short !== null) values.set(offset + short.at, short.value);
    const kept = short === null ? line : line.slice(0, short.at) + PLACE;
    lines.push(kept);
    offset += kept.length + 1;
  }
  return { text: lines.join('\n'), values };
}

function readItem(line: string): { at: number; value: Json } | null {
  const [, head, body] = ITEM.exec(line) ?? [];
  if (head === undefined || body === undefined) return null;
  const json = parseJson(body);
  return json.ok && isWrittenAs(body, renderJson(json.value)) ? { at: head.length, value: json.value } : null;
}

/**
 * The value of a text that is one JSON object and means the same as YAML: JSON writes it back to the same characters,
 * so no key is there twice and no number lost a digit. Undefined for anything else. Time is linear in the text.
 */
export function readPlainJson(text: string): Json | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const json = parseJson(text);
  return json.ok && isWrittenAs(text, renderJson(json.value)) ? json.value : undefined;
}

/** True where JSON text is the compact text but for blanks and line feeds between its tokens. */
function isWrittenAs(json: string, compact: string): boolean {
  let at = 0;
  let inString = false;
  for (let i = 0; i < compact.length; i++, at++) {
    const wanted = compact.charCodeAt(i);
    let unit = json.charCodeAt(at);
    while (!inString && (unit === 0x20 || unit === 0x0a)) unit = json.charCodeAt(++at);
    if (unit !== wanted) return false;
    if (unit === 0x22) inString = !inString;
    // what a backslash escapes does not end the string
    else if (unit === 0x5c && json.charCodeAt(++at) !== compact.charCodeAt(++i)) return false;
  }
  return /^[ \n]*$/.test(json.slice(at));
}
