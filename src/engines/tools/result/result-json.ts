/**
 * JSON text in which every character has an origin.
 *
 * The text is exactly that of `renderJson(value, 2)`, or in another layout where one is given; a value's text carries the origin of the value, brackets,
 * commas, keys and spaces are `computed`. Spans are in order, do not overlap and cover the whole text.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Origin,
  renderJson,
  type TracedText,
  TracedTextBuilder,
} from '../../../core/index.js';
import { originOfField } from './result-origins.js';

/** Tells the origin of a member: its object, its name, and the origin that the object itself has. */
export type OriginOf = (object: JsonObject, field: string, inherited: Origin) => Origin;

/** How JSON is laid out. */
export interface JsonLayout {
  /** Spaces a level; 0 puts everything on one line. */
  readonly indent: number;
  /** On one line: a space after each comma and colon. */
  readonly spaced?: boolean;
}

const TWO_SPACES: JsonLayout = { indent: 2 };

/** Renders a value as JSON, two spaces a level, with origins from `originOf` (default: the marks on objects). */
export function renderTracedJson(
  value: Json,
  originOf: OriginOf = originOfField,
  base: Origin = 'computed',
): TracedText {
  return renderLaidOutJson(value, TWO_SPACES, { originOf, base });
}

/** Renders a value as JSON in a given layout. */
export function renderLaidOutJson(
  value: Json,
  layout: JsonLayout,
  how: { readonly originOf?: OriginOf; readonly base?: Origin } = {},
): TracedText {
  const { originOf = originOfField, base = 'computed' } = how;
  const builder = new TracedTextBuilder();
  write(builder, { value, origin: base, pad: '', layout }, originOf);
  return builder.done();
}

interface Node {
  readonly layout: JsonLayout;
  readonly value: Json;
  readonly origin: Origin;
  readonly pad: string;
}

function write(to: TracedTextBuilder, node: Node, originOf: OriginOf): void {
  const { value, origin, pad, layout } = node;
  const colon = layout.indent > 0 || layout.spaced === true ? ': ' : ':';
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => ({ lead: '', value: item, origin }));
    writeParts(to, { open: '[', close: ']', pad, layout, items }, originOf);
  } else if (isJsonObject(value)) {
    const names = Object.keys(value).filter((name) => value[name] !== undefined);
    const items = names.map((name) => ({
      lead: `${JSON.stringify(name)}${colon}`,
      value: value[name] as Json,
      origin: originOf(value, name, origin),
    }));
    writeParts(to, { open: '{', close: '}', pad, layout, items }, originOf);
  } else {
    to.add(renderJson(value), origin);
  }
}

interface Parts {
  readonly open: string;
  readonly close: string;
  readonly pad: string;
  readonly layout: JsonLayout;
  readonly items: readonly { readonly lead: string; readonly value: Json; readonly origin: Origin }[];
}

function writeParts(to: TracedTextBuilder, parts: Parts, originOf: OriginOf): void {
  const { layout } = parts;
  if (parts.items.length === 0) {
    to.add(parts.open + parts.close, 'computed');
    return;
  }
  const pad = parts.pad + ' '.repeat(layout.indent);
  const line = layout.indent > 0 ? '\n' : '';
  const comma = layout.indent > 0 ? ',\n' : layout.spaced === true ? ', ' : ',';
  to.add(parts.open + line, 'computed');
  parts.items.forEach((item, index) => {
    to.add(`${index === 0 ? '' : comma}${pad}${item.lead}`, 'computed');
    write(to, { value: item.value, origin: item.origin, pad, layout }, originOf);
  });
  to.add(`${line}${line === '' ? '' : parts.pad}${parts.close}`, 'computed');
}
