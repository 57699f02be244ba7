/**
 * Web observations: a page's text read into a value and written back, word for word.
 */
import { type HtmlPlace, htmlPlace, htmlTree, renderHtmlTree } from './html-page.js';
import type { PageLine, TreeItem, TreeNotation, WebNode, WebPage } from './page.js';
import { readPageLine, renderPageLine } from './page-lines.js';
import type { ReadNode } from './read-node.js';
import { type ReadItem, readPage } from './read-page.js';
import { renderNodeLine } from './render-node.js';

/** Reads a page. Every text is some page; lines that are no page's stand in it as text. */
export function parseWebPage(text: string): WebPage {
  const read = readPage(text);
  const html = read.tree.length === 0 ? htmlPlace(text) : null;
  if (html !== null) return parseHtmlPage(text, html);
  const style = { notation: read.notation, indent: read.indent };
  return {
    ...style,
    before: read.before.map((line): PageLine => readPageLine(line.text)),
    tree: toTree(read.tree, style),
    after: read.after.map((line): PageLine => readPageLine(line.text)),
  };
}

/** The lines in front of the document, the document, and what is behind it, its first line on the document's last. */
function parseHtmlPage(text: string, place: HtmlPlace): WebPage {
  const before = place.start === 0 ? [] : text.slice(0, place.start - 1).split('\n');
  return {
    notation: 'html',
    indent: '',
    before: before.map(readPageLine),
    tree: htmlTree(text, place),
    after: text.slice(place.end).split('\n').map(readPageLine),
    source: text.slice(place.start, place.end),
  };
}

function renderHtmlPage({ before, tree, after, source }: WebPage): string {
  const [first, ...rest] = after.map(renderPageLine);
  const document = (source ?? renderHtmlTree(tree)) + (first ?? '');
  return [...before.map(renderPageLine), document, ...rest].join('\n');
}

interface Style {
  readonly notation: TreeNotation;
  readonly indent: string;
}

/** A stack of its own instead of recursion, since a tree may be as deep as a text is long. */
function toTree(items: readonly ReadItem[], style: Style): readonly TreeItem[] {
  const roots: TreeItem[] = [];
  const todo: { readonly items: readonly ReadItem[]; readonly into: TreeItem[] }[] = [{ items, into: roots }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    for (const item of next.items) {
      const children: TreeItem[] = [];
      todo.push({ items: item.children, into: children });
      const made: TreeItem =
        item.node === null ? { kind: 'text', text: item.text } : toNode(item, item.node, { style, children });
      next.into.push(made);
    }
  }
  return roots;
}

function toNode(
  item: ReadItem,
  read: ReadNode,
  { style, children }: { readonly style: Style; readonly children: readonly TreeItem[] },
): WebNode {
  const node: WebNode = {
    kind: 'node',
    role: read.role.value,
    ...(read.bid === undefined ? {} : { bid: read.bid.value }),
    ...(read.name === undefined ? {} : { name: read.name.value }),
    attributes: read.attributes.map((attribute) => attribute.value),
    ...(read.text === undefined ? {} : { text: read.text.value }),
    children,
  };
  const line = renderNodeLine(node, style.notation, item.children.length > 0);
  return `${style.indent.repeat(item.depth)}${line}` === item.text ? node : { ...node, written: item.text };
}

/** Writes a page. */
export function renderWebPage(page: WebPage): string {
  if (page.notation === 'html') return renderHtmlPage(page);
  const lines = page.before.map(renderPageLine);
  const todo: { readonly item: TreeItem; readonly depth: number }[] = [];
  const push = (items: readonly TreeItem[], depth: number): void => {
    for (const item of [...items].reverse()) todo.push({ item, depth });
  };
  push(page.tree, 0);
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { item, depth } = next;
    if (item.kind === 'text') {
      lines.push(item.text);
      continue;
    }
    const line = renderNodeLine(item, page.notation, item.children.length > 0);
    lines.push(item.written ?? `${page.indent.repeat(depth)}${line}`);
    push(item.children, depth + 1);
  }
  return [...lines, ...page.after.map(renderPageLine)].join('\n');
}
