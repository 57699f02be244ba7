/**
 * Pages as HTML: BrowserGym's pruned document (`<button bid="a51">`) and Mind2Web's cleaned one (`<button id=0 label>`).
 *
 * Elements are nodes with their tag as role; the id by which actions name one is `bid`, `backend_node_id`, or an `id` that is
 * a number; texts are `StaticText`. Lines around the document are read as around any tree. Written back as it stood. Not
 * covered: scripts and styles are elements like others.
 */

import type { ObservationOutline, ObservationPart, PartValue } from '../domain-format.js';
import { encodeAttribute, encodeText } from '../markup/entities.js';
import { attributeOf, type MarkupElement, type MarkupNode } from '../markup/markup-node.js';
import { readMarkup } from '../markup/read-markup.js';
import type { TreeItem, WebAttribute, WebNode } from './page.js';

/** Where a document stands in a text. */
export interface HtmlPlace {
  readonly start: number;
  readonly end: number;
}

const OPENING =
  /^[ \t]*<(?:!doctype|html|body|div|main|form|section|header|nav|ul|table|a|button|span|p|select|input)\b/im;

/** The document of a text, or null where it holds none. */
export function htmlPlace(text: string): HtmlPlace | null {
  const opening = OPENING.exec(text);
  const end = text.lastIndexOf('>') + 1;
  return opening === null || end <= opening.index ? null : { start: opening.index, end };
}

/** The id by which actions name an element. */
function bidOf(element: MarkupElement): string | undefined {
  const own = attributeOf(element, 'bid') ?? attributeOf(element, 'backend_node_id');
  if (own !== undefined) return own;
  const id = attributeOf(element, 'id');
  return id !== undefined && /^\d{1,12}$/.test(id) ? id : undefined;
}

/** The elements and texts of a document. Depth is bounded by the reader of markup. */
export function htmlTree(text: string, place: HtmlPlace): readonly TreeItem[] {
  return readMarkup(text, 'html', { from: place.start, to: place.end }).nodes.flatMap(itemOf);
}

function itemOf(node: MarkupNode): readonly TreeItem[] {
  if (node.kind === 'text') {
    const name = node.text.trim();
    return name === '' ? [] : [{ kind: 'node', role: 'StaticText', name, attributes: [], children: [] }];
  }
  const bid = bidOf(node);
  const item: WebNode = {
    kind: 'node',
    role: node.tag.toLowerCase(),
    ...(bid === undefined ? {} : { bid }),
    attributes: node.attributes.map(
      ({ name, value }): WebAttribute => (value === null ? { name } : { name, value }),
    ),
    children: node.children.flatMap(itemOf),
  };
  return [item];
}

/** The document as parts with places, and what is wrong with its markup. */
export function htmlOutline(text: string, place: HtmlPlace): ObservationOutline {
  const read = readMarkup(text, 'html', { from: place.start, to: place.end });
  return { parts: read.nodes.flatMap(partOf), problems: read.problems };
}

function partOf(node: MarkupNode): readonly ObservationPart[] {
  const { start, end } = node;
  if (node.kind === 'text') {
    const value = node.text.replace(/\s+/g, ' ').trim();
    return value === ''
      ? []
      : [{ kind: 'StaticText', start, end, values: [{ name: 'name', value, start, end }], parts: [] }];
  }
  const bid = bidOf(node);
  const values = node.attributes.map(
    ({ name, value, start: from, end: to }): PartValue => ({
      name,
      value: value === null ? 'true' : value.replace(/\s+/g, ' ').trim(),
      start: from,
      end: to,
    }),
  );
  const parts = node.children.flatMap(partOf);
  return [
    { kind: node.tag.toLowerCase(), ...(bid === undefined ? {} : { id: bid }), start, end, values, parts },
  ];
}

/** A document made by code. */
export function renderHtmlTree(items: readonly TreeItem[]): string {
  return items.map(renderItem).join('');
}

function renderItem(item: TreeItem): string {
  if (item.kind === 'text') return encodeText(item.text);
  if (item.role === 'StaticText') return encodeText(item.name ?? '');
  const hasBid = item.attributes.some(({ name }) => ['bid', 'backend_node_id', 'id'].includes(name));
  const own = item.bid === undefined || hasBid ? [] : [{ name: 'bid', value: item.bid }];
  const attributes = [...own, ...item.attributes].map(({ name, value }) =>
    value === undefined ? ` ${name}` : ` ${name}="${encodeAttribute(String(value))}"`,
  );
  return `<${item.role}${attributes.join('')}>${renderHtmlTree(item.children)}</${item.role}>`;
}
