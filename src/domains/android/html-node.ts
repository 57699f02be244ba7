/**
 * The HTML form of Android screens: elements with attributes and texts, as in `<button id=3 text='OK'></button>`.
 *
 * Read leniently (no quotes, no values, missing end tags); written with quotes only where they are needed. Text keeps its
 * white space. Source: the HTML-like states of AutoDroid and of other agents on phones.
 */
import { encodeAttribute, encodeText } from '../markup/entities.js';
import type { MarkupNode } from '../markup/markup-node.js';

/** One element. */
export interface HtmlElement {
  readonly tag: string;
  /** In their order; null for one without a value. */
  readonly attributes: readonly (readonly [string, string | null])[];
  readonly children: readonly HtmlNode[];
}

/** An element or a text. Two texts never stand side by side, and none is empty. */
export type HtmlNode = string | HtmlElement;

const VOID = new Set(['br', 'img', 'input', 'hr', 'meta', 'link', 'wbr', 'col', 'source', 'area', 'base']);

/** Nodes without their places. */
export function htmlOfMarkup(nodes: readonly MarkupNode[]): readonly HtmlNode[] {
  const made: HtmlNode[] = [];
  for (const node of nodes) {
    const last = made.at(-1);
    if (node.kind === 'element') {
      const attributes = node.attributes.map(({ name, value }) => [name, value] as const);
      made.push({ tag: node.tag, attributes, children: htmlOfMarkup(node.children) });
    } else if (typeof last === 'string') made[made.length - 1] = last + node.text;
    else made.push(node.text);
  }
  return made;
}

/** Writes nodes. */
export function renderHtml(nodes: readonly HtmlNode[]): string {
  return nodes.map(renderHtmlNode).join('');
}

function renderHtmlNode(node: HtmlNode): string {
  if (typeof node === 'string') return encodeText(node);
  const attributes = node.attributes.map(([name, value]) => {
    if (value === null) return ` ${name}`;
    return ` ${name}=${/^[\w.:#%-]+$/.test(value) ? value : `"${encodeAttribute(value)}"`}`;
  });
  const open = `<${node.tag}${attributes.join('')}>`;
  if (VOID.has(node.tag.toLowerCase()) && node.children.length === 0) return open;
  return `${open}${renderHtml(node.children)}</${node.tag}>`;
}

/** Nodes for comparing: attributes in order of names, white space as one space, texts of white space left out. */
export function normalHtml(nodes: readonly HtmlNode[], isTop = true): readonly HtmlNode[] {
  return nodes.flatMap((node): readonly HtmlNode[] => {
    if (typeof node === 'string') {
      const one = node.replace(/\s+/g, ' ');
      const text = isTop ? one.trim() : one;
      return text.trim() === '' ? [] : [text];
    }
    const attributes = [...node.attributes].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
    const tag = node.tag.toLowerCase();
    return [{ tag, attributes, children: normalHtml(node.children, false) }];
  });
}
