/**
 * Desktop screens as parts with places, and which parts can be demanded exactly.
 *
 * Roles, states and the nesting follow from action and state; names, texts, values and places are content of the
 * application unless an earlier screen, the state or the action holds them; the clock of a panel is runtime metadata.
 */
import type {
  ContentContext,
  ContentSpan,
  ObservationOutline,
  ObservationPart,
  PartValue,
} from '../domain-format.js';
import { attributeOf, elementsOf, type MarkupElement, type MarkupNode } from '../markup/markup-node.js';
import { jsonOutline, lineOutline, markerLength } from '../outline-text.js';
import { screenTreeContentTypes } from '../screen-content.js';
import { parseDesktopScreen, readDesktopMarkup, tableStart } from './desktop-screen.js';
import { readRows } from './table.js';
import { parseTreeLine } from './tree-lines.js';

/** A screen as parts with places. */
export function outlineDesktopScreen(text: string): ObservationOutline {
  const offset = markerLength(text);
  const markup = readDesktopMarkup(text, offset);
  if (markup !== null) return { parts: partsOf(markup.reading.nodes), problems: markup.reading.problems };
  const body = text.slice(offset);
  const { form } = parseDesktopScreen(body);
  if (form === 'table') return tableOutline(body, offset);
  if (form === 'tree') return { parts: lineParts(body, offset), problems: [] };
  return jsonOutline(text) ?? lineOutline(text, 'line');
}

function partsOf(nodes: readonly MarkupNode[]): readonly ObservationPart[] {
  return elementsOf(nodes).map(partOf);
}

function partOf(element: MarkupElement): ObservationPart {
  const id = attributeOf(element, 'AutomationId') ?? attributeOf(element, 'attr:id') ?? '';
  const values = element.attributes.map(
    ({ name, value, start, end }): PartValue => ({ name, value: value?.trim() ?? '', start, end }),
  );
  const texts = element.children.flatMap((child): readonly PartValue[] =>
    child.kind === 'text' && child.text.trim() !== ''
      ? [{ name: 'text', value: child.text.trim(), start: child.start, end: child.end }]
      : [],
  );
  return {
    kind: element.tag,
    ...(id !== '' && { id }),
    start: element.start,
    end: element.end,
    values: [...values, ...texts],
    parts: partsOf(element.children),
  };
}

interface OpenLine {
  readonly indent: number;
  readonly part: ObservationPart & { end: number; parts: ObservationPart[] };
}

/** Lines of a tree, nested by their indentation; other lines are parts of their own. */
function lineParts(body: string, offset: number): readonly ObservationPart[] {
  const roots: ObservationPart[] = [];
  const open: OpenLine[] = [];
  let at = offset;
  for (const line of body.split('\n')) {
    const start = at;
    at += line.length + 1;
    if (line.trim() === '') continue;
    const read = parseTreeLine(line);
    const indent = read?.indent ?? line.length - line.trimStart().length;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    const end = start + line.length;
    const begin = start + line.length - line.trimStart().length;
    const values =
      read === null
        ? [{ name: 'text', value: line.trim(), start: begin, end }]
        : read.values.map((value) => ({ ...value, start: start + value.start, end: start + value.end }));
    const id = read?.node.extra?.id;
    const kind = read?.node.role ?? 'heading';
    const part = {
      kind,
      ...(id !== undefined && { id }),
      start: begin,
      end,
      values,
      parts: [] as ObservationPart[],
    };
    (open.at(-1)?.part.parts ?? roots).push(part);
    for (const parent of open) parent.part.end = end;
    if (open.length < 200) open.push({ indent, part });
  }
  return roots;
}

function tableOutline(body: string, offset: number): ObservationOutline {
  const header = tableStart(body);
  if (header === null) return lineOutline(body, 'line');
  const columns = body.slice(header.start, header.end).split('\t');
  const base = header.end + 1;
  const parts: ObservationPart[] = [];
  const problems: { start: number; end: number; message: string }[] = [];
  for (const { row, start, end } of readRows(body.slice(base), columns)) {
    const place = { start: offset + base + start, end: offset + base + end };
    if (row.kind === 'text') {
      if (row.text.trim() !== '')
        problems.push({ ...place, message: `no row of ${columns.length} cells between tabs` });
      continue;
    }
    const written = body.slice(base + start, base + end);
    let from = 0;
    const values = row.cells.map((cell, index): PartValue => {
      const name = (columns[index] ?? '').trim().split(' ')[0] ?? '';
      const found = cell === '' ? -1 : written.indexOf(cell.replaceAll('"', '""'), from);
      const plain = found < 0 && cell !== '' ? written.indexOf(cell, from) : found;
      if (plain < 0) return { name, value: cell.trim(), start: place.start, end: place.start };
      from = plain + cell.length;
      return { name, value: cell.trim(), start: place.start + plain, end: place.start + from };
    });
    parts.push({ kind: row.cells[0] || 'row', ...place, values, parts: [] });
  }
  return { parts, problems: problems.slice(0, 100) };
}

const DETERMINED: ReadonlySet<string> = new Set([
  'states',
  'tag',
  'role',
  'type',
  'id',
  'index',
  'ControlType',
]);
const WORDS: ReadonlySet<string> = new Set([
  'name',
  'text',
  'Name',
  'value',
  'title',
  'description',
  'val:value',
]);

/** What of a screen can be demanded exactly. */
export function desktopContentTypes(text: string, context: ContentContext = {}): readonly ContentSpan[] {
  return screenTreeContentTypes(text, context, {
    outline: outlineDesktopScreen,
    determined: DETERMINED,
    words: WORDS,
    isClock: () => false,
    isDetermined: (name) => /^(?:st:|Is[A-Z]|Has[A-Z]|xmlns)/.test(name),
  });
}
