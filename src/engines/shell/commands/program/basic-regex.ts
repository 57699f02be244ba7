/**
 * POSIX basic regular expressions as JavaScript ones, for commands that take one as a small part of their work
 * (`expr`, `nl`, `csplit`, `tac`): bytes or text, GNU's `\+ \? \| \w \s \b \< \>` included.
 *
 * Not covered: longest instead of first alternative, collating symbols and equivalence classes.
 */

const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: ' \\t\\n\\v\\f\\r',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  print: ' -~',
  graph: '!-~',
  cntrl: '\\0-\\x1f\\x7f',
  xdigit: '0-9A-Fa-f',
};

/** What is wrong with an expression, in the words of the C library. */
export class RegexError extends Error {}

function bracket(source: string, at: number): { text: string; next: number } {
  let index = at + 1;
  let text = '[';
  if (source[index] === '^') {
    text += '^';
    index += 1;
  }
  let isFirst = true;
  for (;;) {
    const character = source[index];
    if (character === undefined) throw new RegexError('Unmatched [, [^, [:, [., or [=');
    if (character === ']' && !isFirst) return { text: `${text}]`, next: index + 1 };
    isFirst = false;
    if (character === '[' && source[index + 1] === ':') {
      const end = source.indexOf(':]', index + 2);
      const members = end < 0 ? undefined : CLASSES[source.slice(index + 2, end)];
      if (members === undefined) throw new RegexError('Invalid character class name');
      text += members;
      index = end + 2;
      continue;
    }
    text += character === '-' ? '-' : /[\\\]^[&]/.test(character) ? `\\${character}` : character;
    index += 1;
  }
}

const ESCAPED: Readonly<Record<string, string>> = {
  '(': '(',
  ')': ')',
  '|': '|',
  '+': '+',
  '?': '?',
  w: '[A-Za-z0-9_]',
  W: '[^A-Za-z0-9_]',
  s: '[ \\t\\n\\v\\f\\r]',
  S: '[^ \\t\\n\\v\\f\\r]',
  b: '\\b',
  B: '\\B',
  '<': '\\b(?=\\w)',
  '>': '\\b(?<=\\w)',
  '`': '^',
  "'": '$',
};

/** Makes the expression. Raises {@link RegexError} with the C library's sentence. */
export function basicRegex(source: string, flags = ''): RegExp {
  let text = '';
  let index = 0;
  let depth = 0;
  let canRepeat = false;
  while (index < source.length) {
    const character = source[index] as string;
    const next = source[index + 1];
    if (character === '[') {
      const set = bracket(source, index);
      text += set.text;
      index = set.next;
      canRepeat = true;
      continue;
    }
    if (character === '\\') {
      if (next === undefined) throw new RegexError('Trailing backslash');
      if (next === '(') depth += 1;
      if (next === ')') {
        depth -= 1;
        if (depth < 0) throw new RegexError('Unmatched ) or \\)');
      }
      if (next === '{') {
        const end = source.indexOf('\\}', index + 2);
        const bounds = source.slice(index + 2, end);
        if (end < 0) throw new RegexError('Unmatched \\{');
        if (!/^\d*(,\d*)?$/.test(bounds) || bounds === '') throw new RegexError('Invalid content of \\{\\}');
        text += `{${bounds.startsWith(',') ? `0${bounds}` : bounds}}`;
        index = end + 2;
        continue;
      }
      text += ESCAPED[next] ?? (/[1-9]/.test(next) ? `\\${next}` : escaped(next));
      canRepeat = next !== '(' && next !== '|';
      index += 2;
      continue;
    }
    const isStart = text === '' || text.endsWith('(') || text.endsWith('|');
    const isEnd = next === undefined || (next === '\\' && /[)|]/.test(source[index + 2] ?? ''));
    if (character === '*') text += canRepeat ? '*' : '\\*';
    else if (character === '^' && isStart) text += '^';
    else if (character === '$' && isEnd) text += '$';
    else if (character === '.') text += '[^\\0]';
    else text += escaped(character);
    canRepeat = character !== '^' || !isStart;
    index += 1;
  }
  if (depth > 0) throw new RegexError('Unmatched ( or \\(');
  try {
    return new RegExp(text, flags);
  } catch {
    throw new RegexError('Invalid regular expression');
  }
}

function escaped(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
