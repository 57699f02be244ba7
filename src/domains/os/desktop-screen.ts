/**
 * Desktop observations: the form a screen is given in, read into a typed value and written back.
 *
 * Forms: `Screen:`, `Windows:`, `Focused:` and a tree of indented lines; AT-SPI trees as XML (OSWorld) and trees of Windows UI
 * Automation as XML; linearised tables; JSON; any other text. What is not of the form stays in the value as text.
 */
import { type Json, parseJson, renderJson, stripObservationMarker } from '../../core/index.js';
import { elementsOf, type MarkupElement, type MarkupReading } from '../markup/markup-node.js';
import { readMarkup } from '../markup/read-markup.js';
import {
  contentOf,
  layoutOf,
  type MarkupLayout,
  renderMarkup,
  strayText,
  type WrittenElement,
} from '../markup/render-markup.js';
import {
  attributesOfNode,
  type DesktopDialect,
  type DesktopNode,
  fieldsOfAttributes,
} from './desktop-node.js';
import { type DesktopTable, isTableHeader, readRows, renderTable } from './table.js';
import { parseTree, parseTreeLine, renderTree, type TreeLine } from './tree-lines.js';

/** A window in the list of windows. */
export interface DesktopWindow {
  readonly title: string;
  readonly isActive: boolean;
  readonly program?: string;
}

/** Windows, focus and a tree of lines. */
export interface TreeScreen {
  readonly form: 'tree';
  readonly size: { readonly width: number; readonly height: number } | null;
  /** Null where there is no list. */
  readonly windows: readonly DesktopWindow[] | null;
  readonly focused: { readonly role: string; readonly name: string } | null;
  /** Lines in front of the tree that are none of these, in order. */
  readonly notes: readonly string[];
  /** True where the line `Accessibility tree:` stands in front of the tree. */
  readonly hasHeading: boolean;
  readonly nodes: readonly DesktopNode[];
}

/** A tree as XML. */
export interface XmlScreen extends MarkupLayout {
  readonly form: 'xml';
  readonly dialect: DesktopDialect;
  readonly declaration: string | null;
  readonly before: string;
  readonly after: string;
  readonly nodes: readonly DesktopNode[];
}

/** A screen in one of its forms. */
export type DesktopScreen =
  | TreeScreen
  | XmlScreen
  | ({ readonly form: 'table'; readonly before: string } & DesktopTable)
  | { readonly form: 'json'; readonly value: Json }
  | { readonly form: 'text'; readonly text: string };

const XML_START =
  /<\?xml\b|<(?:desktop(?:-frame)?|application|frame|window|pane)(?=[\s>/])|<[A-Z][A-Za-z]*(?=\s[^>]*\b(?:ControlType|AutomationId|BoundingRectangle|ClassName|RuntimeId|IsEnabled|LocalizedControlType)=)/;

/** A text's XML, or null. */
export function readDesktopMarkup(
  text: string,
  offset = 0,
): { readonly reading: MarkupReading; readonly from: number; readonly dialect: DesktopDialect } | null {
  const start = text.slice(offset).search(XML_START);
  if (start < 0) return null;
  const from = offset + start;
  const reading = readMarkup(text, 'xml', { from });
  if (elementsOf(reading.nodes).length === 0) return null;
  return { reading, from, dialect: dialectOf(reading) };
}

function dialectOf({ nodes }: MarkupReading): DesktopDialect {
  const todo = [...elementsOf(nodes)];
  for (let seen = 0; seen < 20; seen++) {
    const element = todo.shift();
    if (element === undefined) break;
    if (element.attributes.some(({ name }) => name === 'Name' || name === 'AutomationId')) return 'uia';
    if (element.attributes.some(({ name }) => name.startsWith('st:') || name === 'name')) return 'atspi';
    todo.push(...elementsOf(element.children));
  }
  return 'atspi';
}

/** Reads a screen. Never throws. */
export function parseDesktopScreen(given: string): DesktopScreen {
  const text = stripObservationMarker(given);
  const markup = readDesktopMarkup(text);
  if (markup !== null) return xmlScreen(text, markup);
  const table = tableStart(text);
  if (table !== null) return tableScreen(text, table);
  const json = /^\s*[[{]/.test(text) ? parseJson(text) : null;
  if (json?.ok === true) return { form: 'json', value: json.value };
  return isTree(text) ? treeScreen(text) : { form: 'text', text };
}

function xmlScreen(
  text: string,
  {
    reading,
    from,
    dialect,
  }: { readonly reading: MarkupReading; readonly from: number; readonly dialect: DesktopDialect },
): XmlScreen {
  const { nodes, declaration } = reading;
  const after = strayText(nodes, text);
  const layout = layoutOf(nodes, text);
  return {
    form: 'xml',
    dialect,
    declaration,
    ...layout,
    before: text.slice(0, from),
    after,
    nodes: elementsOf(nodes).map((element) => nodeOfElement(element, { ...layout, dialect })),
  };
}

function nodeOfElement(
  element: MarkupElement,
  how: MarkupLayout & { readonly dialect: DesktopDialect },
): DesktopNode {
  const text = contentOf(element.children, how);
  return {
    role: element.tag,
    ...fieldsOfAttributes(element.attributes, how.dialect),
    ...(text !== '' && { text }),
    children: elementsOf(element.children).map((child) => nodeOfElement(child, how)),
  };
}

/** Lines that are looked at for the header of a table. */
const HEADER_LINES = 60;

/** Where the header of a table stands, or null. */
export function tableStart(text: string): { readonly start: number; readonly end: number } | null {
  let at = 0;
  for (const line of text.split('\n', HEADER_LINES)) {
    if (isTableHeader(line)) return { start: at, end: at + line.length };
    at += line.length + 1;
  }
  return null;
}

function tableScreen(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): DesktopScreen {
  const columns = text.slice(start, end).split('\t');
  const rows = readRows(text.slice(end + 1), columns).map(({ row }) => row);
  return { form: 'table', before: text.slice(0, start), columns, rows };
}

const HEADING = /^accessibility tree:?\s*$/i;

/** True where a text has the headings of a screen, or most of its lines are nodes. */
function isTree(text: string): boolean {
  if (/^(?:Screen: \d+x\d+|Windows:|Accessibility tree:)\s*$/m.test(text)) return true;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.filter((line) => parseTreeLine(line) !== null).length * 2 > lines.length;
}

function treeScreen(text: string): TreeScreen {
  const lines = text.split('\n');
  const heading = lines.findIndex((line) => HEADING.test(line));
  const firstNode = lines.findIndex((line) => parseTreeLine(line) !== null && !/^\s*Focused:/.test(line));
  const hasHeading = heading >= 0;
  const start = hasHeading ? heading + 1 : firstNode < 0 ? lines.length : firstNode;
  const head = readHead(lines.slice(0, hasHeading ? heading : start));
  const nodes = parseTree(lines.slice(start).filter((line) => line.trim() !== ''));
  return { form: 'tree', ...head, hasHeading, nodes };
}

type Head = Pick<TreeScreen, 'size' | 'windows' | 'focused' | 'notes'>;

function readHead(lines: readonly string[]): Head {
  let size: Head['size'] = null;
  let windows: DesktopWindow[] | null = null;
  let focused: Head['focused'] = null;
  const notes: string[] = [];
  let isInWindows = false;
  for (const line of lines) {
    const screen: RegExpExecArray | null = size === null ? /^Screen: (\d{1,5})x(\d{1,5})$/.exec(line) : null;
    const window: DesktopWindow | null = isInWindows ? parseWindow(line) : null;
    const focus: TreeLine | null =
      focused === null && line.startsWith('Focused: ') ? parseTreeLine(line.slice('Focused: '.length)) : null;
    isInWindows = window !== null || (windows === null && line.trimEnd() === 'Windows:');
    if (screen !== null) size = { width: Number(screen[1]), height: Number(screen[2]) };
    else if (window !== null) windows?.push(window);
    else if (isInWindows) windows = [];
    else if (focus !== null && isPlain(focus.node))
      focused = { role: focus.node.role, name: focus.node.name ?? '' };
    else if (line.trim() !== '') notes.push(line.trimEnd());
  }
  return { size, windows, focused, notes };
}

function isPlain(node: Omit<DesktopNode, 'children'>): boolean {
  return Object.keys(node).length === 3 && node.states.length === 0;
}

const WINDOW = /^ {2}("(?:[^"\\]|\\.)*")( active)?(?: \(([^()\n]+)\))?$/;

function parseWindow(line: string): DesktopWindow | null {
  const found = WINDOW.exec(line.slice(0, 10_000));
  const title = found === null ? null : parseJson(found[1] ?? '');
  if (found === null || title?.ok !== true || typeof title.value !== 'string') return null;
  return {
    title: title.value,
    isActive: found[2] !== undefined,
    ...(found[3] !== undefined && { program: found[3] }),
  };
}

/** Writes a screen as the agent sees it. */
export function renderDesktopScreen(screen: DesktopScreen): string {
  if (screen.form === 'text') return screen.text;
  if (screen.form === 'json') return renderJson(screen.value);
  if (screen.form === 'table') return `${screen.before}${renderTable(screen)}`;
  if (screen.form === 'xml') {
    const head = screen.declaration === null ? '' : `${screen.declaration}${screen.indent > 0 ? '\n' : ''}`;
    const nodes = screen.nodes.map((node) => written(node, screen.dialect));
    return `${screen.before}${head}${renderMarkup(nodes, screen)}${screen.after}`;
  }
  return renderTreeScreen(screen);
}

function written(node: DesktopNode, dialect: DesktopDialect): WrittenElement {
  return {
    tag: node.role,
    attributes: attributesOfNode(node, dialect),
    content: node.text ?? '',
    children: node.children.map((child) => written(child, dialect)),
  };
}

function renderTreeScreen({ size, windows, focused, notes, hasHeading, nodes }: TreeScreen): string {
  const head = [
    ...(size === null ? [] : [`Screen: ${size.width}x${size.height}`]),
    ...(windows === null ? [] : ['Windows:', ...windows.map(windowLine)]),
    ...(focused === null ? [] : [`Focused: ${focused.role} ${JSON.stringify(focused.name)}`]),
    ...notes,
  ];
  const tree = renderTree(nodes);
  const all = hasHeading
    ? [...head, ...(head.length > 0 ? [''] : []), 'Accessibility tree:', ...tree]
    : [...head, ...tree];
  return all.join('\n');
}

function windowLine({ title, isActive, program }: DesktopWindow): string {
  return `  ${JSON.stringify(title)}${isActive ? ' active' : ''}${program === undefined ? '' : ` (${program})`}`;
}
