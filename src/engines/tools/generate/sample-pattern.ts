/**
 * A text that matches a simple regular expression, read as text and never run.
 *
 * Literals, classes, `\d \w \s .`, groups, alternatives and counts are generated; a pattern with anything else
 * (look-around, back references, Unicode properties) gives undefined and the caller goes on without. Repetitions
 * without an upper bound add at most three; the whole is bounded in length.
 */
import type { RandomStream } from '../../../core/index.js';

const MOST_CHARS = 400;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

interface Reader {
  readonly pattern: string;
  readonly random: RandomStream;
  at: number;
  depth: number;
}

/** A text that the pattern matches; undefined if the pattern is not simple enough. */
export function samplePattern(pattern: string, random: RandomStream): string | undefined {
  if (pattern.length > 500) return undefined;
  const reader: Reader = { pattern, random, at: 0, depth: 0 };
  const text = readAlternatives(reader);
  return text === undefined || reader.at < pattern.length || text.length > MOST_CHARS ? undefined : text;
}

function readAlternatives(reader: Reader): string | undefined {
  if (++reader.depth > 20) return undefined;
  const choices: string[] = [];
  for (;;) {
    const text = readSequence(reader);
    if (text === undefined) return undefined;
    choices.push(text);
    if (reader.pattern[reader.at] !== '|') break;
    reader.at++;
  }
  reader.depth--;
  return reader.random.pick(choices);
}

function readSequence(reader: Reader): string | undefined {
  let text = '';
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern[reader.at] ?? '')) {
    const start = reader.at;
    if (!readAtom(reader)) return undefined;
    const end = reader.at;
    const count = readCount(reader);
    if (count === undefined) return undefined;
    const after = reader.at;
    for (let i = 0; i < count && text.length <= MOST_CHARS; i++) {
      reader.at = start;
      const piece = readAtom(reader);
      if (!piece) return undefined;
      text += piece.text;
    }
    reader.at = Math.max(end, after);
  }
  return text;
}

/** One atom; the reader stands behind it. */
function readAtom(reader: Reader): { readonly text: string } | undefined {
  const { pattern, random } = reader;
  const char = pattern[reader.at++] ?? '';
  if (char === '^' || char === '$') return { text: '' };
  if (char === '.') return { text: random.pick([...LETTERS]) };
  if (char === '[') return readClass(reader);
  if (char === '(') return readGroup(reader);
  if (char === '\\') return escaped(pattern[reader.at++] ?? '', random);
  if ('*+?{'.includes(char)) return undefined;
  return { text: char };
}

function readGroup(reader: Reader): { readonly text: string } | undefined {
  if (reader.pattern.startsWith('?:', reader.at)) reader.at += 2;
  else if (reader.pattern[reader.at] === '?') return undefined;
  const text = readAlternatives(reader);
  if (text === undefined || reader.pattern[reader.at] !== ')') return undefined;
  reader.at++;
  return { text };
}

function escaped(char: string, random: RandomStream): { readonly text: string } | undefined {
  if (char === 'd') return { text: random.pick([...DIGITS]) };
  if (char === 'w') return { text: random.pick([...LETTERS]) };
  if (char === 's') return { text: ' ' };
  if (/[A-Za-z0-9]/.test(char) || char === '') return undefined;
  return { text: char };
}

function readClass(reader: Reader): { readonly text: string } | undefined {
  const { pattern, random } = reader;
  const close = pattern.indexOf(']', reader.at + 1);
  if (close === -1) return undefined;
  const inner = pattern.slice(reader.at, close);
  reader.at = close + 1;
  const negated = inner.startsWith('^');
  const members = membersOf(negated ? inner.slice(1) : inner);
  if (members === undefined) return undefined;
  const allowed = negated ? [...LETTERS, ...DIGITS].filter((char) => !members.has(char)) : [...members];
  return allowed.length === 0 ? undefined : { text: random.pick(allowed) };
}

function membersOf(inner: string): Set<string> | undefined {
  const members = new Set<string>();
  for (let i = 0; i < inner.length; i++) {
    const char = inner[i] ?? '';
    if (char === '\\') {
      const next = inner[++i] ?? '';
      if (next === 'd') for (const digit of DIGITS) members.add(digit);
      else if (next === 'w') for (const one of LETTERS + DIGITS) members.add(one);
      else if (/[A-Za-z0-9]/.test(next)) return undefined;
      else members.add(next);
    } else if (inner[i + 1] === '-' && i + 2 < inner.length) {
      const last = inner.charCodeAt(i + 2);
      for (let code = char.charCodeAt(0); code <= last && members.size < 300; code++)
        members.add(String.fromCharCode(code));
      i += 2;
    } else members.add(char);
  }
  return members;
}

/** How often the atom before is repeated; undefined for a count that is not one. */
function readCount(reader: Reader): number | undefined {
  const { pattern, random } = reader;
  const char = pattern[reader.at] ?? '';
  let count: number | undefined = 1;
  if (char === '?') count = random.integer(0, 1);
  else if (char === '*') count = random.integer(0, 3);
  else if (char === '+') count = random.integer(1, 4);
  else if (char === '{') return readBraces(reader);
  else return 1;
  reader.at++;
  if (pattern[reader.at] === '?') reader.at++;
  return count;
}

function readBraces(reader: Reader): number | undefined {
  const close = reader.pattern.indexOf('}', reader.at);
  const match = /^(\d{1,3})(,(\d{0,3}))?$/.exec(reader.pattern.slice(reader.at + 1, close));
  if (close === -1 || match === null) return undefined;
  reader.at = close + 1;
  const least = Number(match[1]);
  if (match[2] === undefined) return least;
  const most = match[3] === '' || match[3] === undefined ? least + 3 : Number(match[3]);
  return most < least ? undefined : reader.random.integer(least, Math.min(most, least + 10));
}
