/**
 * Elements, attributes and texts of XML and HTML, with their places in the text they were read from.
 */
import type { OutlineProblem } from '../domain-format.js';

/** One attribute. `value` is decoded; null for one without a value (`<input checked>`). */
export interface MarkupAttribute {
  readonly name: string;
  readonly value: string | null;
  /** Place of the written value without its quotes, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** One element with what is in it. */
export interface MarkupElement {
  readonly kind: 'element';
  readonly tag: string;
  readonly attributes: readonly MarkupAttribute[];
  readonly children: readonly MarkupNode[];
  /** From `<` to behind its end tag. */
  readonly start: number;
  readonly end: number;
}

/** Text between elements, decoded; a CDATA section is text. */
export interface MarkupText {
  readonly kind: 'text';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What stands in an element. */
export type MarkupNode = MarkupElement | MarkupText;

/** A text read as markup. Every text can be read; what is wrong with it is in `problems`. */
export interface MarkupReading {
  readonly nodes: readonly MarkupNode[];
  readonly problems: readonly OutlineProblem[];
  /** The text of `<?xml …?>`, marks included, where there is one. */
  readonly declaration: string | null;
}

/** Elements of one text that are read. */
export const MARKUP_ELEMENTS = 200_000;
/** Elements that may stand in one another; deeper ones become siblings. */
export const MARKUP_DEPTH = 300;

/** The value of an attribute, or undefined where it is not there or has none. */
export function attributeOf(element: MarkupElement, name: string): string | undefined {
  return element.attributes.find((one) => one.name === name)?.value ?? undefined;
}

/** The elements among children. */
export function elementsOf(nodes: readonly MarkupNode[]): readonly MarkupElement[] {
  return nodes.filter((node) => node.kind === 'element');
}
