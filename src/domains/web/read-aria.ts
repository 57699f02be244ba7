/**
 * Lines of aria snapshots: the subset of YAML that Playwright writes, read line by line into parts with places.
 *
 * `- role "name" [attribute] [attribute=value]: text`, with the key as a whole in single or double quotes where it holds
 * a colon; `- text: …`; `- /url: …`; names as regular expressions `/…/`; marks of changes (`<changed>`) in front of the
 * role. Source: playwright.dev, aria snapshots. Not covered: block scalars, flow lists, comments.
 */

import type { WebAttribute } from './page.js';
import type { Placed, ReadNode } from './read-node.js';

const ITEM = /[ \t]*- (?:<[a-z]{1,20}> )?/y;
const ROLE = /\/?[a-z][\w-]{0,60}/y;
const BRACKET = / \[([A-Za-z][\w-]{0,40})(?:=([^\]]{0,200}))?\]/y;
const NAME = / (?:"([^"\\]*(?:\\.[^"\\]*)*)"|\/([^/\\]*(?:\\.[^/\\]*)*)\/)/y;
/** What stands behind a whole key: the end, a colon, or a colon and a text. */
const REST = /(?::(?: (.*))?)?[ \t\r]*$/y;

/** Reads a line of an aria snapshot; null where it is none. */
export function readAriaLine(line: string): ReadNode | null {
  ITEM.lastIndex = 0;
  if (!ITEM.test(line)) return null;
  const start = ITEM.lastIndex;
  const quote = line[start];
  if (quote !== "'" && quote !== '"') return readKey(line, { start, text: line, isQuoted: false });
  const end = endOfScalar(line, start);
  if (end === null) return null;
  const key = scalarValue(line.slice(start, end));
  return key === null ? null : readKey(line, { start, text: key, isQuoted: true, end });
}

interface Key {
  readonly start: number;
  /** The line, or the unquoted key. */
  readonly text: string;
  readonly isQuoted: boolean;
  /** Where a quoted key ends. */
  readonly end?: number;
}

/** Role, name and attributes; of a quoted key the places are those of the key as a whole. */
function readKey(line: string, key: Key): ReadNode | null {
  const { text } = key;
  let at = key.isQuoted ? 0 : key.start;
  const placed = <T>(value: T, start: number, end: number): Placed<T> =>
    key.isQuoted ? { value, start: key.start, end: key.end ?? key.start } : { value, start, end };
  ROLE.lastIndex = at;
  const role = ROLE.exec(text)?.[0];
  if (role === undefined) return null;
  const rolePlace = placed(role, at, at + role.length);
  at += role.length;
  NAME.lastIndex = at;
  const named = NAME.exec(text);
  const name =
    named === null
      ? undefined
      : placed(
          named[1] === undefined ? `/${named[2]}/` : unescapeName(named[1]),
          at + 2,
          at + named[0].length - 1,
        );
  at += named?.[0].length ?? 0;
  const attributes: Placed<WebAttribute>[] = [];
  let bid: Placed<string> | undefined;
  for (;;) {
    BRACKET.lastIndex = at;
    const match = BRACKET.exec(text);
    if (match === null) break;
    const [whole, attribute = '', value] = match;
    const end = at + whole.length - 1;
    const from = end - (value ?? attribute).length;
    if (attribute === 'ref' && bid === undefined && value !== undefined && /^[^\s[\]]+$/.test(value))
      bid = placed(value, from, end);
    else
      attributes.push(
        placed(value === undefined ? { name: attribute } : { name: attribute, value }, from, end),
      );
    at += whole.length;
  }
  if (key.isQuoted && at !== text.length) return null;
  const rest = readRest(line, key.isQuoted ? (key.end ?? 0) : at);
  if (rest === null) return null;
  return {
    notation: 'aria',
    role: rolePlace,
    ...(bid === undefined ? {} : { bid }),
    ...(name === undefined ? {} : { name }),
    attributes,
    ...(rest.text === undefined ? {} : { text: rest.text }),
  };
}

/** The text behind the colon, where there is one. */
function readRest(line: string, at: number): { readonly text?: Placed<string> } | null {
  REST.lastIndex = at;
  const match = REST.exec(line);
  if (match === null) return null;
  const raw = match[1]?.trimEnd();
  if (raw === undefined || raw === '') return {};
  const start = at + 2;
  const value = scalarValue(raw);
  return value === null ? null : { text: { value, start, end: start + raw.length } };
}

/** Where a quoted scalar that begins at `start` ends; null where it does not. */
function endOfScalar(line: string, start: number): number | null {
  const quote = line[start];
  for (let i = start + 1; i < line.length; i++) {
    if (quote === '"' && line[i] === '\\') i++;
    else if (line[i] === quote) {
      if (quote === "'" && line[i + 1] === "'") i++;
      else return i + 1;
    }
  }
  return null;
}

/** The value of a YAML scalar on one line; null where its quotes do not close. */
function scalarValue(raw: string): string | null {
  const quote = raw[0];
  if (quote !== '"' && quote !== "'") return raw;
  if (endOfScalar(raw, 0) !== raw.length) return null;
  const inner = raw.slice(1, -1);
  return quote === "'" ? inner.replaceAll("''", "'") : unescapeName(inner);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['0', '\0'],
]);

/** Escapes of JSON and YAML strings. */
function unescapeName(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g,
    (_whole, hex: string | undefined, unicode: string | undefined, char: string | undefined) => {
      const code = hex ?? unicode;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return ESCAPES.get(char ?? '') ?? char ?? '';
    },
  );
}
