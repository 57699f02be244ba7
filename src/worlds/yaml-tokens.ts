/**
 * How deep a YAML or JSON text nests, found without recursion and before anything is built.
 *
 * The YAML composer is recursive: a text of 5,000 open brackets ends the whole process, not just the parse. So depth
 * is measured first: flow brackets with the (iterative) lexer, block collections by their indentation. The measure
 * never falls short of the real depth; it may exceed it for odd text in block scalars.
 */
import { type CST, Lexer, Parser } from 'yaml';

/** Thrown (as a `RangeError`) by {@link readTokens} for a text that nests too deep. */
const TOO_DEEP = 'nests too deep';

/**
 * The concrete syntax of a text, in one pass that counts how deep it nests. Raises a `RangeError` as soon as it may
 * nest deeper than `limit` levels. Time is linear in the text.
 */
export function readTokens(text: string, limit: number, onNewLine: (offset: number) => void): CST.Token[] {
  onNewLine(0); // the first line starts before the first token
  const parser = new Parser(onNewLine);
  const tokens: CST.Token[] = [];
  const spare = limit - blockDepth(text, limit);
  let depth = 0;
  if (spare < 0) throw new RangeError(TOO_DEEP);
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === '[' || lexeme === '{') depth += 1;
    else if (lexeme === ']' || lexeme === '}') depth = Math.max(0, depth - 1);
    if (depth > spare) throw new RangeError(TOO_DEEP);
    tokens.push(...parser.next(lexeme));
  }
  tokens.push(...parser.end());
  return tokens;
}

function blockDepth(text: string, limit: number): number {
  const columns: number[] = [];
  let deepest = 0;
  let start = 0;
  while (start < text.length && deepest <= limit) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    deepest = Math.max(deepest, enterLine(text, { start, end }, columns));
    start = end + 1;
  }
  return deepest;
}

/** Updates the stack of open columns with one line and gives its greatest size. */
function enterLine(text: string, line: { start: number; end: number }, columns: number[]): number {
  let deepest = 0;
  let at = line.start;
  for (;;) {
    while (at < line.end && (text[at] === ' ' || text[at] === '\t')) at += 1;
    if (at >= line.end) return deepest;
    const column = at - line.start;
    while ((columns.at(-1) ?? -1) >= column) columns.pop();
    columns.push(column);
    deepest = Math.max(deepest, columns.length);
    const indicator = text[at];
    const after = text[at + 1];
    const opens = indicator === '-' || indicator === '?' || indicator === ':';
    if (!opens || (after !== ' ' && after !== '\t')) return deepest;
    at += 1;
  }
}
