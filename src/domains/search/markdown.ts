/**
 * Pages as a page extractor gives them: Markdown, read block by block and written back as it was.
 *
 * Blocks: headings, paragraphs, lists (nested by indentation), tables, quotes, fenced code, rules. Every text is some
 * Markdown. Source: CommonMark's blocks as extractors write them; not covered: setext headings, reference definitions, HTML
 * blocks and indented code, which are paragraphs here; marks inside a line stay in its text.
 */
import { type Kept, keptPieces, renderPieces } from '../kept-pieces.js';

/** An item of a list. */
export interface ListItem {
  /** Levels above it. */
  readonly depth: number;
  /** Its number in a numbered list, null for a bullet. */
  readonly number: number | null;
  readonly text: string;
}

/** One block of a page. */
export type MarkdownBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | {
      readonly kind: 'table';
      /** Null where no row of dashes says that the first row is the header. */
      readonly header: readonly string[] | null;
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'rule' };

/** A page; what is between two blocks is kept where it is not an empty line. */
export interface MarkdownPage {
  readonly kind: 'page';
  readonly blocks: readonly Kept<MarkdownBlock>[];
  /** Text behind the last block. */
  readonly tail?: string;
}

/** A line of a block, its white space at the ends left out. */
export interface BlockLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** White space in front of it. */
  readonly width: number;
}

/** A block with its place and lines. */
export interface ReadBlock {
  readonly start: number;
  readonly end: number;
  readonly kind: MarkdownBlock['kind'];
  readonly lines: readonly BlockLine[];
}

const HEADING = /^(#{1,6})(?:\s+(.*))?$/;
const RULE = /^(?:-[ \t]*){3,}$|^(?:\*[ \t]*){3,}$|^(?:_[ \t]*){3,}$/;
const ITEM = /^(?:[-*+•]|(\d{1,9})[.)])(?:\s+(.*))?$/;
const FENCE = /^(`{3,}|~{3,})([^`]*)$/;
const DASHES = /^:?-+:?$/;

/** The blocks of a page with their places. */
export function readBlocks(text: string): readonly ReadBlock[] {
  const lines = blockLines(text);
  const blocks: ReadBlock[] = [];
  for (let i = 0; i < lines.length; ) {
    const line = lines[i] as BlockLine;
    if (line.text === '') {
      i++;
      continue;
    }
    const kind = kindOf(line);
    const end = endOf(lines, i, kind);
    const own = lines.slice(i, end);
    const last = own.at(-1) ?? line;
    blocks.push({ start: line.start, end: last.end, kind, lines: own });
    i = end;
  }
  return blocks;
}

function blockLines(text: string): BlockLine[] {
  const lines: BlockLine[] = [];
  for (let at = 0; at <= text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const raw = text.slice(at, end);
    const width = raw.length - raw.trimStart().length;
    const own = raw.trim();
    lines.push({ start: at + width, end: at + width + own.length, text: own, width });
    at = end + 1;
  }
  return lines;
}

function kindOf({ text }: BlockLine): MarkdownBlock['kind'] {
  if (FENCE.test(text)) return 'code';
  if (HEADING.test(text)) return 'heading';
  if (RULE.test(text)) return 'rule';
  if (text.startsWith('|')) return 'table';
  if (text.startsWith('>')) return 'quote';
  return ITEM.test(text) ? 'list' : 'paragraph';
}

/** The line behind a block that begins at `from`. */
function endOf(lines: readonly BlockLine[], from: number, kind: MarkdownBlock['kind']): number {
  const first = lines[from] as BlockLine;
  if (kind === 'heading' || kind === 'rule') return from + 1;
  if (kind === 'code') {
    const mark = FENCE.exec(first.text)?.[1] ?? '```';
    const close = lines.findIndex((line, i) => i > from && isClosing(line.text, mark));
    return close < 0 ? lines.length : close + 1;
  }
  for (let i = from + 1; i < lines.length; i++) {
    const line = lines[i] as BlockLine;
    if (line.text === '') return i;
    const next = kindOf(line);
    const goesOn =
      kind === 'list' ? next === 'list' || (next === 'paragraph' && line.width > first.width) : next === kind;
    if (!goesOn) return i;
  }
  return lines.length;
}

function isClosing(line: string, mark: string): boolean {
  return line.length >= mark.length && line === mark.charAt(0).repeat(line.length);
}

/** What a block says. `text` is the whole it was read from. */
export function blockValue(block: ReadBlock, text: string): MarkdownBlock {
  const { lines } = block;
  const first = lines[0]?.text ?? '';
  switch (block.kind) {
    case 'heading': {
      const match = HEADING.exec(first);
      return { kind: 'heading', level: match?.[1]?.length ?? 1, text: match?.[2] ?? '' };
    }
    case 'list':
      return { kind: 'list', items: listItems(block).map(({ item }) => item) };
    case 'table':
      return tableOf(lines.map((line) => cellsOf(line.text)));
    case 'quote':
      return { kind: 'quote', text: lines.map((line) => line.text.replace(/^>\s?/, '')).join('\n') };
    case 'code':
      return codeOf(block, text);
    case 'rule':
      return { kind: 'rule' };
    case 'paragraph':
      return { kind: 'paragraph', text: lines.map((line) => line.text).join('\n') };
  }
}

/** The items of a list with their places; lines without a mark go on with the item above. */
export function listItems(
  block: ReadBlock,
): readonly { readonly item: ListItem; readonly start: number; readonly end: number }[] {
  const items: { item: ListItem; start: number; end: number }[] = [];
  const widths: number[] = [];
  for (const line of block.lines) {
    const match = ITEM.exec(line.text);
    const last = items.at(-1);
    if (match === null && last !== undefined) {
      last.item = { ...last.item, text: `${last.item.text}\n${line.text}` };
      last.end = line.end;
      continue;
    }
    while (widths.length > 0 && (widths.at(-1) ?? 0) >= line.width) widths.pop();
    const number = match?.[1] === undefined ? null : Number(match[1]);
    items.push({
      item: { depth: widths.length, number, text: match?.[2] ?? '' },
      start: line.start,
      end: line.end,
    });
    widths.push(line.width);
  }
  return items;
}

/** The cells of a table's line. A bar behind a backslash is part of a cell. */
export function cellsOf(line: string): readonly string[] {
  const inner = line.replace(/^\|/, '').replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/** True for a table's row of dashes. */
export function isDashes(cells: readonly string[]): boolean {
  return cells.length > 0 && cells.every((cell) => DASHES.test(cell));
}

function tableOf(rows: readonly (readonly string[])[]): MarkdownBlock {
  const hasHeader = rows.length > 1 && isDashes(rows[1] ?? []);
  return hasHeader
    ? { kind: 'table', header: rows[0] ?? [], rows: rows.slice(2) }
    : { kind: 'table', header: null, rows };
}

function codeOf(block: ReadBlock, text: string): MarkdownBlock {
  const [first] = block.lines;
  const fence = FENCE.exec(first?.text ?? '');
  const last = block.lines.at(-1);
  const isClosed = block.lines.length > 1 && isClosing(last?.text ?? '', fence?.[1] ?? '```');
  const inner = block.lines.slice(1, isClosed ? -1 : undefined);
  const lines = inner.map((line) => text.slice(line.start - line.width, lineEnd(text, line.end)));
  return { kind: 'code', language: (fence?.[2] ?? '').trim(), text: lines.join('\n') };
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline < 0 ? text.length : newline;
}

/** Reads a page. Every text is some page. */
export function parseMarkdown(text: string): MarkdownPage {
  const pieces = readBlocks(text).map((block) => ({
    start: block.start,
    end: block.end,
    value: blockValue(block, text),
  }));
  const { kept, tail } = keptPieces<MarkdownBlock>(text, pieces, blockText);
  return { kind: 'page', blocks: kept, ...(tail === '' ? {} : { tail }) };
}

/** Writes a page. */
export function renderMarkdown(page: MarkdownPage): string {
  return renderPieces<MarkdownBlock>(page.blocks, blockText) + (page.tail ?? '');
}

/** One block the usual way. */
export function blockText(block: MarkdownBlock): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`.trimEnd();
    case 'list':
      return block.items.map(itemText).join('\n');
    case 'table': {
      const header = block.header === null ? [] : [block.header, block.header.map(() => '---')];
      return [...header, ...block.rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
    }
    case 'quote':
      return block.text
        .split('\n')
        .map((line) => `> ${line}`.trimEnd())
        .join('\n');
    case 'code':
      return `\`\`\`${block.language}\n${block.text}${block.text === '' ? '' : '\n'}\`\`\``;
    case 'rule':
      return '---';
    case 'paragraph':
      return block.text;
  }
}

function itemText({ depth, number, text }: ListItem): string {
  const indent = '  '.repeat(depth);
  const mark = number === null ? '-' : `${number}.`;
  return `${indent}${mark} ${text.replaceAll('\n', `\n${indent}  `)}`.trimEnd();
}
