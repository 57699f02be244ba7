/**
 * A page's text read into lines with places and nesting: the one reading from which the page's value and its outline are
 * made.
 *
 * The notation of the tree is the one in which most lines can be read; the tree goes from the first to the last of these,
 * and what cannot be read in between stays as text. Nesting follows indentation. A name that goes on over several lines
 * is put together.
 */
import type { TreeNotation } from './page.js';
import { readAriaLine } from './read-aria.js';
import { isMark, readMarkLine } from './read-mark.js';
import { isUnfinished, type ReadNode, readBracketLine, readDevtoolsLine } from './read-node.js';

/** A line of the text; `end` is behind its last character, the line end left out. */
export interface ReadLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly node: ReadNode | null;
}

/** A line of the tree with what is nested under it. */
export interface ReadItem extends ReadLine {
  /** Nodes above it. */
  readonly depth: number;
  readonly children: ReadItem[];
}

/** A page as it was read. */
export interface ReadPage {
  readonly notation: TreeNotation;
  readonly indent: string;
  readonly before: readonly ReadLine[];
  readonly tree: readonly ReadItem[];
  readonly after: readonly ReadLine[];
}

/** Stands for a line end while a name is read, since a text of Python's ends with its line; of the same length. */
const LINE_END = '\0';
/** Lines over which one name may go. */
const NAME_LINES = 30;
/** A line that begins as one of a tree, whether or not the rest of it can be read. */
const TREE_START = /^[ \t]*(?:\[[\w-]*(?:\]|$)|- |uid=|[A-Z][A-Za-z]+ ['"])/;

type Family = 'bracket' | 'aria' | 'devtools' | 'marks';

/** Reads a text as a page. Every text is some page: without a tree all lines stand in front of it. */
export function readPage(text: string): ReadPage {
  const physical = splitLines(text);
  const { family, nodes } = bestReading(physical);
  const lines = family === null ? physical : joinedLines(physical, nodes, family);
  const first = lines.findIndex((line) => line.node !== null);
  if (family === null || first < 0) {
    return { notation: 'browsergym', indent: '\t', before: lines, tree: [], after: [] };
  }
  let last = lines.findLastIndex((line) => line.node !== null);
  while (TREE_START.test(lines[last + 1]?.text ?? '')) last++;
  const inside = lines.slice(first, last + 1);
  return {
    notation: notationOf(inside, family),
    indent: indentOf(inside) ?? (family === 'bracket' ? '\t' : '  '),
    before: lines.slice(0, first),
    tree: nest(inside),
    after: lines.slice(last + 1),
  };
}

function splitLines(text: string): ReadLine[] {
  const lines: ReadLine[] = [];
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    lines.push({ start, end, text: text.slice(start, end), node: null });
    start = end + 1;
  }
  return lines;
}

/** The notation family in which most lines can be read, and what they say in it. */
function bestReading(lines: readonly ReadLine[]): {
  readonly family: Family | null;
  readonly nodes: readonly (ReadNode | null)[];
} {
  const counts = new Map<Family, number>();
  const read = lines.map(({ text }) => {
    const family = familyOf(text);
    const node = readIn(family, text);
    if (node !== null || (family === 'bracket' && isUnfinished(text)))
      counts.set(family, (counts.get(family) ?? 0) + 1);
    return { family, node };
  });
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  const family = best?.[0] ?? null;
  return { family, nodes: read.map((one) => (one.family === family ? one.node : null)) };
}

function familyOf(text: string): Family {
  if (/^[ \t]*uid=/.test(text)) return 'devtools';
  if (/^[ \t]*- /.test(text)) return 'aria';
  return isMark(text) ? 'marks' : 'bracket';
}

function readIn(family: Family, text: string): ReadNode | null {
  if (family === 'aria') return readAriaLine(text);
  if (family === 'marks') return readMarkLine(text);
  return family === 'devtools' ? readDevtoolsLine(text) : readBracketLine(text);
}

/** The lines with what they say; those of one name are put together. */
function joinedLines(
  physical: readonly ReadLine[],
  nodes: readonly (ReadNode | null)[],
  family: Family,
): ReadLine[] {
  const lines: ReadLine[] = [];
  for (let i = 0; i < physical.length; i++) {
    const line = physical[i] as ReadLine;
    const node = nodes[i] ?? null;
    const joined = joinLines(physical, i, { family, node });
    lines.push(joined?.line ?? { ...line, node });
    i += joined?.more ?? 0;
  }
  return lines;
}

/** A line put together with the next ones that belong to what it says; null where none do. */
function joinLines(
  lines: readonly ReadLine[],
  at: number,
  { family, node }: { readonly family: Family; readonly node: ReadNode | null },
): { readonly line: ReadLine; readonly more: number } | null {
  if (family === 'bracket') return node === null ? joinName(lines, at) : null;
  return family === 'aria' ? joinScalar(lines, at, node) : null;
}

/** Lines of one scalar of a snapshot that a YAML writer folded. */
const SCALAR_LINES = 200;

/** A line of a snapshot with the deeper lines below it that begin no item: they go on with its text or its key. */
function joinScalar(
  lines: readonly ReadLine[],
  at: number,
  node: ReadNode | null,
): { readonly line: ReadLine; readonly more: number } | null {
  const first = lines[at] as ReadLine;
  if (!/^[ \t]*- /.test(first.text) || (node !== null && node.text === undefined)) return null;
  const width = widthOf(first.text);
  let more = 0;
  while (more < SCALAR_LINES && isFurther(lines[at + more + 1]?.text, width)) more++;
  if (more === 0) return null;
  const inner = lines.slice(at + 1, at + more + 1);
  const text = [first, ...inner].map((line) => line.text).join('\n');
  const read = readAriaLine(foldedScalar(first.text, inner));
  const end = inner.at(-1)?.end ?? first.end;
  return read === null ? null : { line: { start: first.start, end, text, node: read }, more };
}

function isFurther(text: string | undefined, width: number): boolean {
  return text !== undefined && text.trim() !== '' && widthOf(text) > width && !/^[ \t]*- /.test(text);
}

/** One line that says what a folded scalar says: block scalars keep or fold their line ends, others fold them. */
function foldedScalar(first: string, inner: readonly ReadLine[]): string {
  const block = /^(.*:) ([|>])[+-]?[ \t\r]*$/.exec(first);
  if (block !== null) {
    const words = inner.map((line) => line.text.trim()).join(block[2] === '|' ? '\n' : ' ');
    return `${block[1]} ${JSON.stringify(words)}`;
  }
  return inner.reduce(
    (sofar, line) =>
      sofar.endsWith('\\') ? sofar.slice(0, -1) + line.text.trim() : `${sofar.trimEnd()} ${line.text.trim()}`,
    first,
  );
}

/** A node whose name goes on over the next lines; none of them may begin a node of its own. */
function joinName(
  lines: readonly ReadLine[],
  at: number,
): { readonly line: ReadLine; readonly more: number } | null {
  const first = lines[at] as ReadLine;
  if (!isUnfinished(first.text)) return null;
  let text = first.text;
  for (let more = 1; more <= NAME_LINES; more++) {
    const next = lines[at + more];
    if (next === undefined || /^[ \t]*\[[^\]\s]+\] [A-Za-z]/.test(next.text) || isUnfinished(next.text))
      return null;
    text += `\n${next.text}`;
    const node = /['"]/.test(next.text) ? readBracketLine(text.replaceAll('\n', LINE_END)) : null;
    if (node !== null)
      return { line: { start: first.start, end: next.end, text, node: withLineEnds(node) }, more };
  }
  return null;
}

function withLineEnds(node: ReadNode): ReadNode {
  if (node.name === undefined) return node;
  return { ...node, name: { ...node.name, value: node.name.value.replaceAll(LINE_END, '\n') } };
}

function notationOf(lines: readonly ReadLine[], family: Family): TreeNotation {
  if (family !== 'bracket') return family;
  return lines.find(({ node }) => node !== null && node.notation !== null)?.node?.notation ?? 'browsergym';
}

function widthOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** What the first line that is deeper than the one above it has in front of it, more than that one. */
function indentOf(lines: readonly ReadLine[]): string | null {
  const nodes = lines.filter(({ node }) => node !== null);
  for (const [i, { text }] of nodes.entries()) {
    const above = nodes[i - 1]?.text ?? text;
    if (widthOf(text) > widthOf(above)) return text.slice(widthOf(above), widthOf(text));
  }
  return null;
}

/** Nests nodes by indentation. A line that is no node stands under the one above it and opens nothing. */
function nest(lines: readonly ReadLine[]): ReadItem[] {
  const roots: ReadItem[] = [];
  const open: { readonly width: number; readonly item: ReadItem }[] = [];
  for (const line of lines) {
    const width = widthOf(line.text);
    while (line.node !== null && (open.at(-1)?.width ?? -1) >= width) open.pop();
    const item: ReadItem = { ...line, depth: open.length, children: [] };
    (open.at(-1)?.item.children ?? roots).push(item);
    if (line.node !== null) open.push({ width, item });
  }
  return roots;
}
