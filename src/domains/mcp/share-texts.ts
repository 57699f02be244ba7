/**
 * Long texts of a JSON value as parts of the text that the value was read from.
 *
 * What an agent writes is kept with its turn and mostly in the state too. JavaScript engines keep a part of a long text
 * as a reference into it, so it is held once instead of twice. The value is equal to the given one. Not covered: texts
 * with escapes, which do not stand in the source as they are, and more than a few long texts.
 */
import { isJsonObject, type Json } from '../../core/index.js';

/** UTF-16 units from which a text is worth looking for. */
const LONG_TEXT = 2_048;
/** Long texts that are looked for: each look may go through the whole source. */
const LOOKS = 16;
/** UTF-16 units by which the place of a text is found. */
const BEGINNING = 32;

/** An equal value that shares its long texts with the source. */
export function shareTexts(value: Json, source: string): Json {
  return source.length < LONG_TEXT ? value : shared(value, { source, at: 0, left: LOOKS });
}

interface Search {
  readonly source: string;
  /** Texts stand in the order of the value; what is looked for comes after what was found. */
  at: number;
  left: number;
}

function shared(value: Json, search: Search): Json {
  if (typeof value === 'string') return part(value, search);
  if (Array.isArray(value)) return value.map((one: Json) => shared(one, search));
  if (!isJsonObject(value)) return value;
  // Members may have any name, `__proto__` too.
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shared(member, search)]));
}

function part(text: string, search: Search): string {
  if (text.length < LONG_TEXT || search.left === 0) return text;
  search.left -= 1;
  const { source } = search;
  const start = source.indexOf(`"${text.slice(0, BEGINNING)}`, search.at) + 1;
  if (start === 0 || !source.startsWith(text, start)) return text;
  search.at = start + text.length;
  return source.slice(start, search.at);
}
