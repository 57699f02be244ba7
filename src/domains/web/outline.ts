/**
 * The outline of a page: fields, tabs and nodes as parts with places, and what is no line of a page as problems.
 */
import { OBSERVATION_MARKER } from '../../core/index.js';
import type { ObservationOutline, ObservationPart, OutlineProblem, PartValue } from '../domain-format.js';
import { type HtmlPlace, htmlOutline, htmlPlace } from './html-page.js';
import { plainAttribute, plainName, plainRole } from './normalise.js';
import { readPageLine } from './page-lines.js';
import type { Placed, ReadNode } from './read-node.js';
import { type ReadItem, type ReadLine, type ReadPage, readPage } from './read-page.js';

/** Problems told of one text. */
const PROBLEMS = 100;
const WANTED = `wanted: [bid] role 'name', attributes`;

/** Reads a page as parts with places. */
export function outlineWebPage(text: string): ObservationOutline {
  const page = readPage(text);
  const html = page.tree.length === 0 ? htmlPlace(text) : null;
  if (html !== null) return outlineHtmlPage(text, html, page);
  const problems = new Problems(page);
  const before = page.before.flatMap(linePart);
  const tree = nodeParts(page.tree, problems);
  const after = page.after.flatMap(linePart);
  const parts = [...before, ...tree, ...after];
  const isPage = tree.length > 0 || parts.some((part) => part.kind !== 'text');
  if (!isPage && text.trim() !== '') {
    problems.add({
      start: 0,
      end: text.length,
      message: `there is no line of a page and no tree; ${WANTED}`,
    });
  }
  return { parts, problems: problems.found.sort((a, b) => a.start - b.start) };
}

/** The document between the lines around it. */
function outlineHtmlPage(text: string, place: HtmlPlace, page: ReadPage): ObservationOutline {
  const { parts, problems } = htmlOutline(text, place);
  const before = page.before.filter((line) => line.end <= place.start).flatMap(linePart);
  const after = page.before.filter((line) => line.start >= place.end).flatMap(linePart);
  return { parts: [...before, ...parts, ...after], problems };
}

class Problems {
  readonly found: OutlineProblem[] = [];
  readonly bids = new Set<string>();

  constructor(readonly page: ReadPage) {}

  add(problem: OutlineProblem): void {
    if (this.found.length < PROBLEMS) this.found.push(problem);
  }
}

/** A line around the tree as a part; headings and blank lines are none. */
function linePart(line: ReadLine): ObservationPart[] {
  const read = readPageLine(line.text);
  const start = line.start + line.text.length - line.text.trimStart().length;
  const end = line.start + line.text.trimEnd().length;
  if (read.kind === 'tabs' || read.kind === 'tree' || end <= start) return [];
  if (line.text.trim() === OBSERVATION_MARKER) return [];
  const valueAt = (name: string, value: string): PartValue => {
    const at = value === '' ? -1 : line.text.lastIndexOf(value);
    const from = at < 0 ? end : line.start + at;
    return { name, value: plainName(value), start: from, end: Math.min(end, from + value.length) };
  };
  if (read.kind === 'text') {
    return [{ kind: 'text', start, end, values: [valueAt('text', read.text.trim())], parts: [] }];
  }
  if (read.kind === 'tab') {
    const url = read.url === null ? [] : [valueAt('url', read.url)];
    const active = read.active ? [valueAt('active', '')].map((one) => ({ ...one, value: 'true' })) : [];
    const values = [valueAt('title', read.title), ...url, ...active];
    return [{ kind: 'tab', id: String(read.index), start, end, values, parts: [] }];
  }
  return [{ kind: read.kind, start, end, values: [valueAt('text', read.value)], parts: [] }];
}

/** A part while the ones below it are still being made; its end grows with them. */
interface OpenPart {
  kind: string;
  id?: string;
  start: number;
  end: number;
  values: PartValue[];
  parts: OpenPart[];
}

/** Nodes as parts. Children are made after their parent, so ends are set at the end, from the last part to the first. */
function nodeParts(items: readonly ReadItem[], problems: Problems): readonly ObservationPart[] {
  const root: OpenPart = { kind: 'root', start: 0, end: 0, values: [], parts: [] };
  const adopting = new Set<OpenPart>();
  const made: { readonly part: OpenPart; readonly above: OpenPart }[] = [];
  const todo: { readonly items: readonly ReadItem[]; readonly above: OpenPart }[] = [{ items, above: root }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    for (const item of next.items) {
      const part = item.node === null ? textPart(item, problems) : nodePart(item, item.node, problems);
      // A property of an aria snapshot is a value of the node above it.
      const isProperty = item.node !== null && part.kind.startsWith('/') && next.above !== root;
      if (isProperty)
        next.above.values.push(...part.values.map((value) => ({ ...value, name: part.kind.slice(1) })));
      else if (part.end > part.start) next.above.parts.push(part);
      made.push({ part, above: next.above });
      const isLeftOut = isProperty || part.end <= part.start;
      if (isLeftOut && item.children.length > 0) adopting.add(next.above);
      todo.push({ items: item.children, above: isLeftOut ? next.above : part });
    }
  }
  for (const { part, above } of made.reverse()) above.end = Math.max(above.end, part.end);
  // What stood under a line that is no part of its own came behind the lines after it.
  for (const part of adopting) part.parts.sort((a, b) => a.start - b.start);
  return root.parts;
}

function textPart(item: ReadItem, problems: Problems): OpenPart {
  const value = item.text.trim();
  const start = item.start + item.text.length - item.text.trimStart().length;
  const end = start + value.length;
  if (value !== '') {
    const seen = JSON.stringify(value.slice(0, 60));
    problems.add({ start, end, message: `${seen} is no node of the tree around it; ${WANTED}` });
  }
  return {
    kind: 'text',
    start,
    end,
    values: [{ name: 'text', value: plainName(value), start, end }],
    parts: [],
  };
}

function nodePart(item: ReadItem, node: ReadNode, problems: Problems): OpenPart {
  const start = item.start + item.text.length - item.text.trimStart().length;
  const end = item.start + item.text.trimEnd().length;
  const values: PartValue[] = [];
  const add = <T>(name: string, placed: Placed<T>, value: string): void => {
    // A folded scalar is shorter than its lines: its places are near, and never outside.
    const from = Math.min(end, item.start + placed.start);
    values.push({ name, value, start: from, end: Math.min(end, Math.max(from, item.start + placed.end)) });
  };
  if (node.name !== undefined) add('name', node.name, plainName(node.name.value));
  if (node.text !== undefined) add('text', node.text, plainName(node.text.value));
  for (const attribute of node.attributes) {
    const plain = plainAttribute(attribute.value);
    if (plain !== null) add(plain.name, attribute, plain.value);
  }
  const bid = node.bid?.value;
  if (bid !== undefined && problems.bids.has(bid)) {
    problems.add({
      start,
      end,
      message: `the id ${JSON.stringify(bid)} is on an earlier node of the tree too`,
    });
  }
  if (bid !== undefined) problems.bids.add(bid);
  return {
    kind: plainRole(node.role.value),
    ...(bid === undefined ? {} : { id: bid }),
    start,
    end,
    values,
    parts: [],
  };
}
