/**
 * The outline of a search observation: results (in batches where there are several), blocks of a page under their
 * headings, keys of the memory.
 *
 * Problems are told of result lists only: an address or a title that is missing, numbers that do not count up. A page has
 * no rules that could be broken.
 */
import { type Json, renderJson } from '../../core/index.js';
import type { ObservationOutline, ObservationPart, OutlineProblem, PartValue } from '../domain-format.js';
import { jsonOutline, markerLength } from '../outline-text.js';
import { blockValue, cellsOf, isDashes, listItems, type ReadBlock, readBlocks } from './markdown.js';
import { parseMemory } from './memory.js';
import { foldSpace, plainAddress, plainDate } from './normalise.js';
import type { Placed } from './placed.js';
import { type ReadResult, readResults } from './result-list.js';

/** Reads an observation as parts with places. */
export function outlineSearchObservation(text: string): ObservationOutline {
  const offset = markerLength(text);
  const body = text.slice(offset);
  const outline = outlineBody(body);
  return offset === 0 ? outline : moved(outline, offset);
}

function outlineBody(text: string): ObservationOutline {
  const memory = parseMemory(text);
  if (memory !== null)
    return memoryOutline(
      text,
      memory.kind === 'memory' ? memory.keys : memory.pairs,
      memory.kind === 'memory' ? memory.done : null,
    );
  const results = readResults(text);
  return results.length > 0 ? resultOutline(results) : { parts: pageParts(text), problems: [] };
}

/** The same outline in a text that has more in front. */
function moved(outline: ObservationOutline, by: number): ObservationOutline {
  const move = <T extends { readonly start: number; readonly end: number }>(one: T): T => ({
    ...one,
    start: one.start + by,
    end: one.end + by,
  });
  const movePart = (part: ObservationPart): ObservationPart => ({
    ...move(part),
    values: part.values.map(move),
    parts: part.parts.map(movePart),
  });
  return { parts: outline.parts.map(movePart), problems: outline.problems.map(move) };
}

function memoryOutline(
  text: string,
  said: readonly string[] | { readonly [key: string]: unknown },
  done: string | null,
): ObservationOutline {
  const json = done === null ? jsonOutline(text) : null;
  if (json !== null) return json;
  const start = text.length - text.trimStart().length;
  const end = Math.max(start, text.trimEnd().length);
  const value = (name: string, shown: string): PartValue => {
    const at = shown === '' ? -1 : text.indexOf(shown, start);
    return at < 0
      ? { name, value: shown, start: end, end }
      : { name, value: shown, start: at, end: at + shown.length };
  };
  const values = Array.isArray(said)
    ? said.map((key) => value('key', key as string))
    : Object.entries(said).map(([key, held]) =>
        value(key, typeof held === 'string' ? held : renderJson(held as Json)),
      );
  const kind = done === null ? 'pairs' : 'memory';
  const own = done === null ? [] : [value('done', done)];
  return { parts: [{ kind, start, end, values: [...own, ...values], parts: [] }], problems: [] };
}

function resultOutline(results: readonly ReadResult[]): ObservationOutline {
  const batches: ReadResult[][] = [];
  const problems: OutlineProblem[] = [];
  let last = 0;
  for (const result of results) {
    const open = batches.at(-1);
    const { value } = result.number;
    if (open === undefined || value <= last) batches.push([result]);
    else open.push(result);
    const isNext = value === last + 1 || (value === 1 && last > 0);
    if (!isNext)
      problems.push(
        problemOf(
          result,
          `result [${value}] follows [${last}]; wanted: [${last + 1}], or [1] for the next query`,
        ),
      );
    const missing =
      result.url === null ? 'an address behind its number' : result.title === null ? 'a "Title:" line' : null;
    if (missing !== null)
      problems.push(
        problemOf(result, `result [${value}] has no ${missing.replace(/^an? /, '')}; wanted: ${missing}`),
      );
    last = value;
  }
  const parts = batches.map((batch) => batch.map(resultPart));
  const [only = []] = parts;
  if (parts.length === 1) return { parts: only, problems };
  return {
    parts: parts.map((inner, i) => ({
      kind: 'batch',
      id: String(i + 1),
      start: inner[0]?.start ?? 0,
      end: inner.at(-1)?.end ?? 0,
      values: [],
      parts: inner,
    })),
    problems,
  };
}

function problemOf({ start, end }: ReadResult, message: string): OutlineProblem {
  return { start, end, message };
}

function resultPart(result: ReadResult): ObservationPart {
  const value = (
    name: string,
    placed: Placed<string> | null,
    plain: (text: string) => string,
  ): PartValue[] =>
    placed === null ? [] : [{ name, value: plain(placed.value), start: placed.start, end: placed.end }];
  const { number } = result;
  return {
    kind: 'result',
    ...(result.url === null ? {} : { id: plainAddress(result.url.value) }),
    start: result.start,
    end: result.end,
    values: [
      { name: 'number', value: String(number.value), start: number.start, end: number.end },
      ...value('url', result.url, plainAddress),
      ...value('title', result.title, foldSpace),
      ...value('snippet', result.snippet, foldSpace),
      ...value('date', result.date, plainDate),
      ...result.more.flatMap(([label, placed]) => value(label.toLowerCase(), placed, foldSpace)),
    ],
    parts: [],
  };
}

/** A section while what is under its heading is still being read. */
interface Section {
  readonly level: number;
  readonly part: ObservationPart & { end: number; readonly parts: ObservationPart[] };
}

/** Blocks, each under the headings above it. */
function pageParts(text: string): readonly ObservationPart[] {
  const roots: ObservationPart[] = [];
  const open: Section[] = [];
  for (const block of readBlocks(text)) {
    const part = blockPart(block, text);
    const level = block.kind === 'heading' ? Number(part.values[0]?.value) : 7;
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= level) open.pop();
    (open.at(-1)?.part.parts ?? roots).push(part);
    if (block.kind === 'heading') open.push({ level, part: part as Section['part'] });
    for (const section of open) section.part.end = Math.max(section.part.end, part.end);
  }
  return roots;
}

function blockPart(block: ReadBlock, text: string): ObservationPart {
  const { start, end, kind } = block;
  const read = blockValue(block, text);
  const whole = (value: string): PartValue => ({ name: 'text', value, start, end });
  switch (read.kind) {
    case 'heading': {
      const from = Math.max(start, end - read.text.length);
      const level = { name: 'level', value: String(read.level), start, end: start + read.level };
      return {
        kind: 'section',
        start,
        end,
        values: [level, { name: 'text', value: foldSpace(read.text), start: from, end }],
        parts: [],
      };
    }
    case 'list': {
      const items = listItems(block).map(({ item, start: from, end: to }): ObservationPart => {
        const values = [
          { name: 'depth', value: String(item.depth), start: from, end: from },
          { name: 'text', value: foldSpace(item.text), start: from, end: to },
        ];
        return { kind: 'item', start: from, end: to, values, parts: [] };
      });
      return { kind, start, end, values: [], parts: items };
    }
    case 'table':
      return { kind, start, end, values: [], parts: rowParts(block) };
    case 'rule':
      return { kind, start, end, values: [], parts: [] };
    case 'code':
      return { kind, start, end, values: [whole(read.text)], parts: [] };
    case 'quote':
    case 'paragraph':
      return { kind, start, end, values: [whole(foldSpace(read.text))], parts: [] };
  }
}

/** Rows of a table, the row of dashes left out; the header is a kind of its own. */
function rowParts(block: ReadBlock): readonly ObservationPart[] {
  const hasHeader = block.lines.length > 1 && isDashes(cellsOf(block.lines[1]?.text ?? ''));
  return block.lines.flatMap((line, i): ObservationPart[] => {
    if (hasHeader && i === 1) return [];
    let at = line.start;
    const values = cellsOf(line.text).map((cell): PartValue => {
      const found = cell === '' ? -1 : line.text.indexOf(cell, at - line.start);
      const start = found < 0 ? at : line.start + found;
      at = Math.min(line.end, start + cell.length);
      return { name: 'cell', value: foldSpace(cell), start, end: at };
    });
    const kind = hasHeader && i === 0 ? 'header' : 'row';
    return [{ kind, start: line.start, end: line.end, values, parts: [] }];
  });
}
