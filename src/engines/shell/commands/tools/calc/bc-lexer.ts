/**
 * Tokens of `bc`, one chunk (a line, or as many as a block spans) at a time.
 *
 * Source: bc(1), GNU bc 1.07.1.
 */

/** A token. `line` counts from 1; a line feed belongs to the line behind it, as bc counts. */
export interface BcToken {
  readonly kind: 'number' | 'name' | 'string' | 'operator' | 'newline' | 'end' | 'illegal';
  readonly text: string;
  readonly line: number;
}

/** Words that are no names. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  'auto break continue define else for halt ibase if last length limits obase print quit random read return scale sqrt void warranty while'.split(
    ' ',
  ),
);

const TOKEN =
  /(\/\*[\s\S]*?\*\/|\\\n|[ \t]+|#[^\n]*)|([0-9A-Z]+\.?[0-9A-Z]*(?:\\\n[0-9A-Z.]+)*|\.[0-9A-Z]+(?:\\\n[0-9A-Z]+)*)|([a-z][a-z0-9_]*)|"([^"]*)"|(\+\+|--|&&|\|\||[-+*/%^]=|[=<>!]=|[-+*/%^=<>!(){}[\],;.])|(\n)|([\s\S])/y;

/** Splits a chunk into tokens; `line` is the number of its first line. */
export function bcTokens(text: string, line: number): BcToken[] {
  const out: BcToken[] = [];
  let now = line;
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) break;
    const [all, blank, number, name, string, operator, newline] = match;
    const lines = all.split('\n').length - 1;
    if (newline !== undefined) out.push({ kind: 'newline', text: '\n', line: now + 1 });
    else if (number !== undefined) out.push({ kind: 'number', text: number.replace(/\\\n/g, ''), line: now });
    else if (name !== undefined) out.push({ kind: 'name', text: name, line: now });
    else if (string !== undefined) out.push({ kind: 'string', text: string, line: now + lines });
    else if (operator !== undefined) out.push({ kind: 'operator', text: operator, line: now });
    else if (blank === undefined) out.push({ kind: 'illegal', text: all, line: now });
    now += lines;
  }
  out.push({ kind: 'end', text: '', line: now });
  return out;
}

/** Whether a chunk is whole: its braces, quotes, comments are closed, and no line goes on. */
export function isWholeChunk(text: string): boolean {
  let depth = 0;
  const bare = text.replace(/\/\*[\s\S]*?\*\/|"[^"]*"|#[^\n]*/g, '');
  if (bare.includes('"') || bare.includes('/*') || /\\\n?$/.test(bare)) return false;
  for (const character of bare) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
  }
  if (depth > 0) return false;
  return !(/^\s*define\b/.test(bare) && !bare.includes('{') && /\)\s*$/.test(bare));
}
