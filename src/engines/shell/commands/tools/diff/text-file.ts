/**
 * The files that diff compares: lines with or without a last line end, and the keys by which lines count as equal.
 */

/** A file as lines. */
export interface TextFile {
  /** The name that headers show. */
  readonly name: string;
  readonly lines: readonly string[];
  /** The last line has no line end. */
  readonly unended: boolean;
  /** Microseconds since 1970. */
  readonly mtimeUs: number;
}

/** What does not count as a difference. */
export interface Ignoring {
  readonly case: boolean;
  /** All blanks, the amount of blanks, blanks at line ends, or nothing. */
  readonly space: 'all' | 'amount' | 'trailing' | 'none';
  readonly tabs: boolean;
  readonly carriage: boolean;
}

/** Cuts a text into lines. */
export function linesOf(
  text: string,
  separator = '\n',
): { readonly lines: string[]; readonly unended: boolean } {
  if (text === '') return { lines: [], unended: false };
  const lines = text.split(separator);
  const unended = lines[lines.length - 1] !== '';
  if (!unended) lines.pop();
  return { lines, unended };
}

/** The keys of a file's lines; a last line without end differs from one with it unless blanks do not count. */
export function keysOf(file: TextFile, ignoring: Ignoring): string[] {
  const keys = file.lines.map((line) => keyOf(line, ignoring));
  const last = keys.length - 1;
  if (file.unended && last >= 0 && ignoring.space === 'none') keys[last] = `${keys[last] ?? ''}\n`;
  return keys;
}

function keyOf(line: string, { case: ignoreCase, space, tabs, carriage }: Ignoring): string {
  let key = line;
  if (carriage) key = key.replace(/\r$/, '');
  if (tabs) key = expandTabs(key);
  if (space === 'all') key = key.replace(/[ \t\v\f\r]+/g, '');
  else if (space === 'amount') key = key.replace(/[ \t\v\f\r]+/g, ' ').replace(/ $/, '');
  else if (space === 'trailing') key = key.replace(/[ \t\v\f\r]+$/, '');
  return ignoreCase ? key.toLowerCase() : key;
}

/** A line with its tabs as blanks up to the next eighth column. */
export function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let out = '';
  for (const one of line) out += one === '\t' ? ' '.repeat(8 - (out.length % 8)) : one;
  return out;
}
