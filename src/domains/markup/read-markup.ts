/**
 * Reads XML and lenient HTML: elements, attributes, texts, with places and with what was wrong.
 *
 * Tolerated: attributes without quotes or value, quotes inside a quoted value, end tags that are missing or too many, a
 * text that is cut anywhere. Comments, processing instructions and document types are passed over; nothing is fetched
 * or expanded. One pass; bounded in elements and depth.
 */
import type { OutlineProblem } from '../domain-format.js';
import { decodeEntities } from './entities.js';
import {
  MARKUP_DEPTH,
  MARKUP_ELEMENTS,
  type MarkupAttribute,
  type MarkupElement,
  type MarkupNode,
  type MarkupReading,
} from './markup-node.js';

/** Which of the two languages; they differ in elements without an end tag. */
export type MarkupLanguage = 'xml' | 'html';

/** Elements of HTML that have no end tag. */
const VOID = new Set(['br', 'img', 'input', 'hr', 'meta', 'link', 'wbr', 'col', 'source', 'area', 'base']);
const TAG_NAME = /[A-Za-z_][\w.:$-]*/y;
const ATTRIBUTE_NAME = /[^\s=>"'/<]+/y;
const UNQUOTED = /[^\s>"']+/y;
const NEXT_ATTRIBUTE = /[\s>/?]|[A-Za-z_][\w:.-]{0,80}\s{0,4}=\s{0,4}["']/y;
/** Quotes inside one value that are looked at before the first is taken as its end. */
const QUOTES = 20;
/** Problems that are told of one text. */
const PROBLEMS = 100;

interface OpenElement {
  readonly tag: string;
  readonly attributes: readonly MarkupAttribute[];
  readonly children: MarkupNode[];
  readonly start: number;
}

/** Reads a text. `from` and `to` bound the part that is markup; places count from the start of the whole text. */
export function readMarkup(
  text: string,
  language: MarkupLanguage,
  { from = 0, to = text.length }: { readonly from?: number; readonly to?: number } = {},
): MarkupReading {
  return new MarkupReader(text.slice(0, to), language, from).run();
}

class MarkupReader {
  private at: number;
  private elements = 0;
  private declaration: string | null = null;
  private readonly roots: MarkupNode[] = [];
  private readonly open: OpenElement[] = [];
  private readonly problems: OutlineProblem[] = [];

  constructor(
    private readonly text: string,
    private readonly language: MarkupLanguage,
    from: number,
  ) {
    this.at = from;
  }

  run(): MarkupReading {
    while (this.at < this.text.length) {
      const next = this.text.indexOf('<', this.at);
      const end = next < 0 ? this.text.length : next;
      this.addText(this.at, end);
      this.at = end;
      if (next < 0) break;
      this.mark();
      if (this.elements > MARKUP_ELEMENTS) {
        this.problem(
          this.at,
          this.text.length,
          `more than ${MARKUP_ELEMENTS} elements; the rest is not read`,
        );
        break;
      }
    }
    while (this.open.length > 0) {
      const { tag } = this.open.at(-1) ?? { tag: '' };
      if (this.language === 'xml')
        this.problem(this.text.length, this.text.length, `<${tag}> has no end; is the text cut?`);
      this.close(this.text.length);
    }
    return { nodes: this.roots, problems: this.problems, declaration: this.declaration };
  }

  private problem(start: number, end: number, message: string): void {
    if (this.problems.length < PROBLEMS) this.problems.push({ start, end, message });
  }

  private into(): MarkupNode[] {
    return this.open.at(-1)?.children ?? this.roots;
  }

  private addText(start: number, end: number, isRaw = false): void {
    if (end <= start) return;
    const raw = this.text.slice(start, end);
    this.into().push({ kind: 'text', text: isRaw ? raw : decodeEntities(raw), start, end });
  }

  private mark(): void {
    const { text, at } = this;
    const next = text[at + 1] ?? '';
    if (next === '/') this.endTag();
    else if (next === '?') this.instruction();
    else if (next === '!') this.declared();
    else this.openOrText();
  }

  private openOrText(): void {
    const { text, at } = this;
    TAG_NAME.lastIndex = at + 1;
    const tag = TAG_NAME.exec(text)?.[0];
    if (tag === undefined) {
      this.problem(at, at + 1, '"<" that begins no element; wanted: &lt;');
      this.addText(at, at + 1);
      this.at += 1;
      return;
    }
    this.startTag(tag);
  }

  private instruction(): void {
    const end = this.through('?>');
    const written = this.text.slice(this.at, end);
    if (written.startsWith('<?xml')) this.declaration ??= written;
    this.at = end;
  }

  private declared(): void {
    const { text, at } = this;
    if (text.startsWith('<!--', at)) this.at = this.through('-->');
    else if (text.startsWith('<![CDATA[', at)) {
      const end = this.through(']]>');
      this.addText(at + 9, text.startsWith(']]>', end - 3) ? Math.max(end - 3, at + 9) : end, true);
      this.at = end;
    } else {
      // A document type; its definitions stand in brackets.
      const close = text.indexOf('>', at);
      const hasDefinitions = close >= 0 && text.slice(at, close).includes('[');
      this.at = hasDefinitions ? this.through(']>') : this.through('>');
    }
  }

  /** The place behind the next `mark`, or the end where there is none. */
  private through(mark: string): number {
    const end = this.text.indexOf(mark, this.at + 2);
    if (end >= 0) return end + mark.length;
    this.problem(this.at, this.text.length, `"${mark}" is missing; is the text cut?`);
    return this.text.length;
  }

  private endTag(): void {
    const { text, at } = this;
    const close = text.indexOf('>', at);
    const end = close < 0 ? text.length : close + 1;
    const tag = text.slice(at + 2, close < 0 ? text.length : close).trim();
    this.at = end;
    if (close < 0) this.problem(at, end, 'an end tag without ">"; is the text cut?');
    const index = this.open.findLastIndex((one) => this.isSame(one.tag, tag));
    if (index < 0) {
      if (!(this.language === 'html' && VOID.has(tag.toLowerCase())))
        this.problem(at, end, `</${tag.slice(0, 80)}> ends nothing`);
      return;
    }
    while (this.open.length > index + 1) {
      if (this.language === 'xml')
        this.problem(at, end, `<${this.open.at(-1)?.tag ?? ''}> has no end before </${tag.slice(0, 80)}>`);
      this.close(at);
    }
    this.close(end);
  }

  private isSame(a: string, b: string): boolean {
    return a === b || (this.language === 'html' && a.toLowerCase() === b.toLowerCase());
  }

  private close(end: number): void {
    const done = this.open.pop();
    if (done === undefined) return;
    const element: MarkupElement = { kind: 'element', ...done, end };
    this.into().push(element);
  }

  private startTag(tag: string): void {
    const { text } = this;
    const start = this.at;
    this.at += 1 + tag.length;
    const attributes = new Map<string, MarkupAttribute>();
    let isEmpty = false;
    for (;;) {
      this.skipSpace();
      const char = text[this.at];
      if (char === undefined || char === '<') {
        this.problem(start, this.at, `<${tag} has no ">"; is the text cut?`);
        break;
      }
      if (char === '>') {
        this.at += 1;
        break;
      }
      if (char === '/' || char === '?') {
        isEmpty = char === '/' && text[this.at + 1] === '>';
        this.at += 1;
        continue;
      }
      const attribute = this.attribute();
      if (attributes.has(attribute.name))
        this.problem(attribute.start, attribute.end, `the attribute "${attribute.name}" is given twice`);
      else attributes.set(attribute.name, attribute);
    }
    this.elements += 1;
    const isVoid = this.language === 'html' && VOID.has(tag.toLowerCase());
    if (this.open.length >= MARKUP_DEPTH && !isEmpty && !isVoid) {
      this.problem(start, this.at, `elements stand deeper in one another than ${MARKUP_DEPTH}`);
      this.close(start);
    }
    this.open.push({ tag, attributes: [...attributes.values()], children: [], start });
    if (isEmpty || isVoid) this.close(this.at);
  }

  private skipSpace(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
  }

  private attribute(): MarkupAttribute {
    const { text } = this;
    const begin = this.at;
    ATTRIBUTE_NAME.lastIndex = begin;
    const name = ATTRIBUTE_NAME.exec(text)?.[0] ?? text[begin] ?? '';
    this.at = begin + name.length;
    const afterName = this.at;
    this.skipSpace();
    if (text[this.at] !== '=') {
      this.at = afterName;
      return { name, value: null, start: begin, end: afterName };
    }
    this.at += 1;
    this.skipSpace();
    const quote = text[this.at] ?? '';
    if (quote !== '"' && quote !== "'") {
      UNQUOTED.lastIndex = this.at;
      let value = UNQUOTED.exec(text)?.[0] ?? '';
      if (value.endsWith('/') && text[this.at + value.length] === '>') value = value.slice(0, -1);
      const start = this.at;
      this.at += value.length;
      return { name, value: decodeEntities(value), start, end: this.at };
    }
    const start = this.at + 1;
    const end = this.endOfValue(start, quote);
    this.at = Math.min(end + 1, text.length);
    return { name, value: decodeEntities(text.slice(start, end)), start, end };
  }

  /** The quote that ends a value: one that stands before white space, the end of the tag or a next attribute. */
  private endOfValue(start: number, quote: string): number {
    const { text } = this;
    const first = text.indexOf(quote, start);
    if (first < 0) {
      this.problem(start, text.length, 'a value without its closing quote; is the text cut?');
      return text.length;
    }
    let end = first;
    for (let tried = 0; tried < QUOTES && end >= 0; tried++) {
      NEXT_ATTRIBUTE.lastIndex = end + 1;
      if (end + 1 >= text.length || NEXT_ATTRIBUTE.test(text)) {
        if (end !== first) this.problem(start, end, `${quote} inside a value; wanted: a reference`);
        return end;
      }
      end = text.indexOf(quote, end + 1);
    }
    return first;
  }
}
