/**
 * JSON text in which every character has an origin.
 *
 * The text is exactly that of `renderJson(value, 2)`; a value's text carries the origin of the value, brackets,
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

const INDENT = '  ';

/** Renders a value as JSON, two spaces a level, with origins from `originOf` (default: the marks on objects). */
export function renderTracedJson(
  value: Json,
  originOf: OriginOf = originOfField,
  base: Origin = 'computed',
): TracedText {
  const builder = new TracedTextBuilder();
  write(builder, { value, origin: base, pad: '' }, originOf);
  return builder.done();
}

interface Node {
  readonly value: Json;
  readonly origin: Origin;
  readonly pad: string;
}

function write(to: TracedTextBuilder, node: Node, originOf: OriginOf): void {
  const { value, origin, pad } = node;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => ({ lead: '', value: item, origin }));
    writeParts(to, { open: '[', close: ']', pad, items }, originOf);
  } else if (isJsonObject(value)) {
    const names = Object.keys(value).filter((name) => value[name] !== undefined);
    const items = names.map((name) => ({
      lead: `${JSON.stringify(name)}: `,
      value: value[name] as Json,
      origin: originOf(value, name, origin),
    }));
    writeParts(to, { open: '{', close: '}', pad, items }, originOf);
  } else {
    to.add(renderJson(value), origin);
  }
}

interface Parts {
  readonly open: string;
  readonly close: string;
  readonly pad: string;
  readonly items: readonly { readonly lead: string; readonly value: Json; readonly origin: Origin }[];
}

function writeParts(to: TracedTextBuilder, parts: Parts, originOf: OriginOf): void {
  if (parts.items.length === 0) {
    to.add(parts.open + parts.close, 'computed');
    return;
  }
  const pad = parts.pad + INDENT;
  to.add(`${parts.open}\n`, 'computed');
  parts.items.forEach((item, index) => {
    to.add(`${index === 0 ? '' : ',\n'}${pad}${item.lead}`, 'computed');
    write(to, { value: item.value, origin: item.origin, pad }, originOf);
  });
  to.add(`\n${parts.pad}${parts.close}`, 'computed');
}
