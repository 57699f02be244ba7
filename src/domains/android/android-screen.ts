/**
 * Android observations: the form a screen is given in, read into a typed value and written back.
 *
 * Forms: a UIAutomator hierarchy as XML (also several windows, Appium's classes as tags, text of the shell around it), HTML
 * lines, a list of numbered elements, JSON (DroidBot's views), and any other text. What is not of the form stays in the
 * value as text. Layout (`indent`, how empty elements end) is kept, so a dump of UIAutomator is written back as it was.
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
import { type AndroidNode, attributesOfNode, fieldsOfAttributes } from './android-node.js';
import { isElementList, type ListedElement, parseElementList, renderElementList } from './element-list.js';
import { type HtmlNode, htmlOfMarkup, renderHtml } from './html-node.js';

/** A view hierarchy as XML. */
export interface HierarchyScreen extends MarkupLayout {
  readonly form: 'xml';
  /** `<?xml …?>`, or null. */
  readonly declaration: string | null;
  /** Text in front of the XML and behind it, as it stands; mostly of the shell that made the dump. */
  readonly before: string;
  readonly after: string;
  readonly nodes: readonly AndroidNode[];
}

/** A screen in one of its forms. */
export type AndroidScreen =
  | HierarchyScreen
  | { readonly form: 'html'; readonly nodes: readonly HtmlNode[] }
  | { readonly form: 'list'; readonly elements: readonly ListedElement[] }
  | { readonly form: 'json'; readonly value: Json }
  | { readonly form: 'text'; readonly text: string };

const XML_START =
  /<\?xml\b|<(?:hierarchy|displays?|windows?|node|android-?screen)(?=[\s>/])|<(?:android|androidx|com)\.[\w.$]+(?=[\s>/])/;
const HTML_START = /^\s*(?:<!doctype html|<!--|<[A-Za-z][\w-]{0,30}(?=[\s>/]))/i;

/** The language and reading of a text that is markup, or null. */
export function readScreenMarkup(
  text: string,
  offset = 0,
): { readonly form: 'xml' | 'html'; readonly reading: MarkupReading; readonly from: number } | null {
  const start = text.slice(offset).search(XML_START);
  if (start >= 0) {
    const reading = readMarkup(text, 'xml', { from: offset + start });
    if (elementsOf(reading.nodes).length > 0) return { form: 'xml', reading, from: offset + start };
  }
  if (!HTML_START.test(text.slice(offset, offset + 2_000))) return null;
  const reading = readMarkup(text, 'html', { from: offset });
  return elementsOf(reading.nodes).length > 0 ? { form: 'html', reading, from: offset } : null;
}

/** Reads a screen. Never throws. */
export function parseAndroidScreen(given: string): AndroidScreen {
  const text = stripObservationMarker(given);
  const markup = readScreenMarkup(text);
  if (markup?.form === 'xml') return hierarchy(text, markup.reading, markup.from);
  if (markup?.form === 'html') return { form: 'html', nodes: htmlOfMarkup(markup.reading.nodes) };
  if (isElementList(text)) return { form: 'list', elements: parseElementList(text) };
  const json = /^\s*[[{]/.test(text) ? parseJson(text) : null;
  if (json?.ok === true) return { form: 'json', value: json.value };
  return { form: 'text', text };
}

function hierarchy(text: string, { nodes, declaration }: MarkupReading, from: number): HierarchyScreen {
  const after = strayText(nodes, text);
  const layout = layoutOf(nodes, text);
  return {
    form: 'xml',
    declaration,
    ...layout,
    before: text.slice(0, from),
    after,
    nodes: elementsOf(nodes).map((element) => nodeOfElement(element, layout)),
  };
}

function nodeOfElement(element: MarkupElement, layout: MarkupLayout): AndroidNode {
  const content = contentOf(element.children, layout);
  return {
    tag: element.tag,
    ...fieldsOfAttributes(element.attributes),
    ...(content !== '' && { content }),
    children: elementsOf(element.children).map((child) => nodeOfElement(child, layout)),
  };
}

/** Writes a screen as the agent sees it. */
export function renderAndroidScreen(screen: AndroidScreen): string {
  if (screen.form === 'text') return screen.text;
  if (screen.form === 'json') return renderJson(screen.value);
  if (screen.form === 'list') return renderElementList(screen.elements);
  if (screen.form === 'html') return renderHtml(screen.nodes);
  const head = screen.declaration === null ? '' : `${screen.declaration}${screen.indent > 0 ? '\n' : ''}`;
  return `${screen.before}${head}${renderMarkup(screen.nodes.map(written), screen)}${screen.after}`;
}

function written(node: AndroidNode): WrittenElement {
  const { tag, content = '', children } = node;
  return { tag, attributes: attributesOfNode(node), content, children: children.map(written) };
}
