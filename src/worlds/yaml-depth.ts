/**
 * How deep a YAML or JSON text nests, found without recursion and before anything is built.
 *
 * The YAML composer is recursive: a text of 5,000 open brackets ends the whole process, not just the parse. So depth
 * is measured first: flow brackets with the (iterative) lexer, block collections by their indentation. The measure
 * never falls short of the real depth; it may exceed it for odd text in block scalars.
 */
import { CST, Lexer } from 'yaml';

/** True if a text may nest deeper than `limit` levels. Time is linear in the text. */
export function nestsDeeperThan(text: string, limit: number): boolean {
  return blockDepth(text, limit) + flowDepth(text, limit) > limit;
}

function flowDepth(text: string, limit: number): number {
  if (fewBrackets(text, limit / 2)) return 0;
  let depth = 0;
  let deepest = 0;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (type === 'flow-seq-start' || type === 'flow-map-start') deepest = Math.max(deepest, ++depth);
    else if (type === 'flow-seq-end' || type === 'flow-map-end') depth = Math.max(0, depth - 1);
    if (deepest > limit) break;
  }
  return deepest;
}

function fewBrackets(text: string, limit: number): boolean {
  let opens = 0;
  for (let i = 0; i < text.length && opens <= limit; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x5b || unit === 0x7b) opens += 1;
  }
  return opens <= limit;
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
