/**
 * Views of a text in which what is hidden by escaping shows: JSON escapes and percent signs undone, wrapped lines joined.
 *
 * The idea: a view remembers for each of its characters which piece of the text it stands for. What is found in a view is
 * written back piece by piece in the same escaping, so the text keeps its length, its JSON stays JSON, and spans over it
 * stay true. Escaping of any depth is undone (`\\\"`, `%2540`). Not covered: HTML entities, compression; base64 is `encoded-secrets.ts`'s.
 */

/** A text as it looks after undoing something; unit `i` stands for `source.slice(starts[i], ends[i])`. */
export interface TextView {
  readonly source: string;
  readonly text: string;
  readonly starts: Uint32Array | undefined;
  readonly ends: Uint32Array | undefined;
}

/** A replacement in a view, in its units; `by` is as long as what it replaces. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

// A longer run of backslashes is no escaping of anything; the bound keeps the search linear.
const ESCAPED = /(?<!\\)\\{1,256}(?:u([0-9a-fA-F]{4})|(["/bfnrt]))|%(?:25){0,8}([2-7][0-9a-fA-F])/g;
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Characters of a line from which on its end may be a wrap and no end. */
const WRAPPED_COLUMNS = 40;
const JOINABLE = /[A-Za-z0-9_+/=.~-]/;

/** The text as it is. */
export function plainView(source: string): TextView {
  return { source, text: source, starts: undefined, ends: undefined };
}

/** The text with JSON escapes and percent signs undone, or undefined where there are none. */
export function decodedView(source: string): TextView | undefined {
  if (!source.includes('\\') && !source.includes('%')) return undefined;
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  let found = false;
  const copy = (end: number): void => {
    parts.push(source.slice(at, end));
    for (; at < end; at++) {
      starts.push(at);
      ends.push(at + 1);
    }
  };
  for (const match of source.matchAll(ESCAPED)) {
    const [all, unicode, letter, percent] = match;
    copy(match.index);
    found = true;
    const code = Number.parseInt(unicode ?? percent ?? '', 16);
    parts.push(letter === undefined ? String.fromCharCode(code) : (CONTROLS[letter] ?? letter));
    starts.push(at);
    at += all.length;
    ends.push(at);
  }
  if (!found) return undefined;
  copy(source.length);
  return { source, text: parts.join(''), starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}

/** The view with lines joined that look wrapped in the middle of a word, or undefined where none does. */
export function joinedView(view: TextView): TextView | undefined {
  const { text } = view;
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let lineStart = 0;
  let from = 0;
  const copy = (end: number): void => {
    parts.push(text.slice(from, end));
    for (let i = from; i < end; i++) {
      starts.push(view.starts?.[i] ?? i);
      ends.push(view.ends?.[i] ?? i + 1);
    }
  };
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1)) {
    const end = text[feed - 1] === '\r' ? feed - 1 : feed;
    const isWrapped =
      end - lineStart >= WRAPPED_COLUMNS &&
      JOINABLE.test(text[end - 1] ?? '') &&
      JOINABLE.test(text[feed + 1] ?? '');
    lineStart = feed + 1;
    if (!isWrapped) continue;
    copy(end);
    from = feed + 1;
  }
  if (from === 0) return undefined;
  copy(text.length);
  return {
    source: view.source,
    text: parts.join(''),
    starts: Uint32Array.from(starts),
    ends: Uint32Array.from(ends),
  };
}

const CHUNK =
  /"(?:text|delta|content|partial_json|chunk|token|keystrokes|arguments|output|data)"\s{0,8}:\s{0,8}"((?:[^"\\]|\\.){1,4000})"/dg;

/** The pieces of a text that came in chunks (`{"text":"ab"}`, `{"text":"cd"}`) as one, or undefined where there are none. */
export function chunkView(view: TextView): TextView | undefined {
  const { text } = view;
  if (!text.includes('":')) return undefined;
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const match of text.matchAll(CHUNK)) {
    const [from = 0, to = 0] = match.indices?.[1] ?? [];
    parts.push(text.slice(from, to));
    for (let i = from; i < to; i++) {
      starts.push(view.starts?.[i] ?? i);
      ends.push(view.ends?.[i] ?? i + 1);
    }
  }
  if (parts.length < 2) return undefined;
  return {
    source: view.source,
    text: parts.join(''),
    starts: Uint32Array.from(starts),
    ends: Uint32Array.from(ends),
  };
}

/** The source with replacements written in; they are in order and do not overlap. As long as before. */
export function writeBack(view: TextView, replacements: readonly Replacement[]): string {
  const { source, text, starts, ends } = view;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, by } of replacements) {
    if (starts === undefined || ends === undefined) {
      parts.push(source.slice(at, start), by);
      at = end;
      continue;
    }
    for (let i = start; i < end; i++) {
      if (text[i] === by[i - start]) continue;
      const from = starts[i] as number;
      const to = ends[i] as number;
      parts.push(source.slice(at, from), inEscaping(source.slice(from, to), by[i - start] as string));
      at = to;
    }
  }
  parts.push(source.slice(at));
  return parts.join('');
}

/** A character in the escaping of the piece that it replaces, as long as it. */
function inEscaping(piece: string, character: string): string {
  if (piece.length === 1) return character;
  const code = character.charCodeAt(0).toString(16);
  if (piece.startsWith('%')) return piece.slice(0, -2) + code.padStart(2, '0');
  const slashes = /^\\+u/.exec(piece)?.[0];
  if (slashes !== undefined) return slashes + code.padStart(4, '0');
  return character.repeat(piece.length);
}
