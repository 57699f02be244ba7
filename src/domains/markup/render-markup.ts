/**
 * Elements written as XML in one of two layouts: all on one line, or one element a line.
 */
import { encodeAttribute, encodeText } from './entities.js';
import { elementsOf, type MarkupNode } from './markup-node.js';

/** How XML is laid out. */
export interface MarkupLayout {
  /** Spaces for each level; 0 is one line. */
  readonly indent: number;
  /** How an element without children ends. */
  readonly emptyEnd: '/>' | ' />';
}

/** An element to be written. */
export interface WrittenElement {
  readonly tag: string;
  readonly attributes: readonly (readonly [string, string])[];
  /** Text in front of its children. */
  readonly content: string;
  readonly children: readonly WrittenElement[];
}

/** Writes elements. */
export function renderMarkup(elements: readonly WrittenElement[], layout: MarkupLayout): string {
  return elements.map((element) => renderElement(element, layout, 0)).join(layout.indent > 0 ? '\n' : '');
}

function renderElement(element: WrittenElement, layout: MarkupLayout, depth: number): string {
  const attributes = element.attributes.map(([name, value]) => ` ${name}="${encodeAttribute(value)}"`);
  const open = `<${element.tag}${attributes.join('')}`;
  const content = encodeText(element.content);
  if (element.children.length === 0 && content === '') return `${open}${layout.emptyEnd}`;
  const pad = (level: number): string => (layout.indent > 0 ? `\n${' '.repeat(layout.indent * level)}` : '');
  const children = element.children.map((child) => pad(depth + 1) + renderElement(child, layout, depth + 1));
  const end = element.children.length > 0 ? pad(depth) : '';
  return `${open}>${content}${children.join('')}${end}</${element.tag}>`;
}

/** The layout in which a text was written. */
export function layoutOf(nodes: readonly MarkupNode[], text: string): MarkupLayout {
  return {
    indent: indentOf(nodes),
    emptyEnd: / \/>/.test(text) || !text.includes('/>') ? ' />' : '/>',
  };
}

/** Spaces for each level: those before the first element that stands on a line of its own in another one. */
function indentOf(nodes: readonly MarkupNode[]): number {
  for (const root of elementsOf(nodes)) {
    const [first] = root.children;
    if (first?.kind !== 'text' || root.children.length < 2) continue;
    const spaces = /\r?\n( {1,16})$/.exec(first.text)?.[1];
    if (spaces !== undefined) return spaces.length;
  }
  return 0;
}

/**
 * The text of an element. In one without elements inside it stands as it is; else texts are joined, and white space
 * that is layout is left out.
 */
export function contentOf(children: readonly MarkupNode[], { indent }: Pick<MarkupLayout, 'indent'>): string {
  const texts = children.flatMap((child) => (child.kind === 'text' ? [child.text] : []));
  const whole = texts.join('');
  if (whole.trim() === '') return texts.length < children.length || whole.includes('\n') ? '' : whole;
  if (indent === 0 || texts.length === children.length) return whole;
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ');
}

/** Texts that stand outside of all elements, as they are written; those of white space only are left out. */
export function strayText(nodes: readonly MarkupNode[], text: string): string {
  const texts = nodes.flatMap((node) => (node.kind === 'text' ? [text.slice(node.start, node.end)] : []));
  return texts.filter((one) => one.trim() !== '').join('');
}
