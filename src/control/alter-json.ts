/**
 * Changes the structured value of an answer, and its text with it, so that both say the same and every character
 * keeps its origin unless it changed.
 *
 * The idea: the text is read once with the places of its parts; the changed value is written again in the same
 * style, and each part that is still the old one is copied with its origins. What is new or different is `fault`.
 * A text that is no JSON while there is a structured value becomes the JSON of the changed value. Source: Model
 * Context Protocol, server/tools, structured content (the text is the serialised value).
 */
import {
  type Answer,
  canonicalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type Origin,
  parseJson,
  renderJson,
  type Span,
  type TracedText,
  TracedTextBuilder,
  traced,
} from '../core/index.js';
import { type JsonNode, readJsonNodes } from './json-nodes.js';

/** The structured value of an answer: its own, or what its text says as JSON; undefined for plain words. */
export function answerValue(answer: Answer): Json | undefined {
  if (answer.value !== undefined) return answer.value;
  const read = parseJson(answer.text.text);
  return read.ok && typeof read.value === 'object' && read.value !== null ? read.value : undefined;
}

/**
 * The answer with an edited value. `edit` gets the value and returns a changed copy (parts that it leaves alone must
 * be the same objects), or undefined where it finds nothing to change; the result is then undefined too. `kind` is
 * the reference of the spans that changed.
 */
export function alterValue(
  answer: Answer,
  kind: string,
  edit: (value: Json) => Json | undefined,
): Answer | undefined {
  const base = baseOf(answer);
  if (base === undefined) return undefined;
  const value = edit(base.value);
  if (value === undefined || canonicalJson(value) === canonicalJson(base.value)) return undefined;
  const text = writeChanged(value, base, kind);
  // Content blocks say the old words.
  const { content: _content, ...rest } = answer;
  return { ...rest, text, ...(answer.value === undefined ? {} : { value }) };
}

interface Base {
  readonly value: Json;
  readonly text: TracedText;
  readonly nodes: JsonNode;
  readonly indent: number;
}

function baseOf(answer: Answer): Base | undefined {
  const value = answerValue(answer);
  if (value === undefined) return undefined;
  const read = parseJson(answer.text.text);
  const same =
    read.ok && (answer.value === undefined || canonicalJson(read.value) === canonicalJson(answer.value));
  const text = same ? answer.text : traced(renderJson(value, 2), leastKnown(answer.text.origins));
  const nodes = readJsonNodes(text.text);
  return { value: nodes.value, text, nodes, indent: indentOf(text.text) };
}

const DOUBT: readonly Origin[] = ['computed', 'pinned', 'recorded', 'generated', 'predicted', 'fault'];

/** Ignorance is never called computed: words of mixed origin count as the least known of them. */
function leastKnown(spans: readonly Span[]): Origin {
  const worst = Math.max(0, ...spans.map(({ origin }) => DOUBT.indexOf(origin)));
  return DOUBT[worst] ?? 'fault';
}

function indentOf(text: string): number {
  const found = /^\s*[[{]\n( +)/.exec(text)?.[1];
  return found === undefined ? 0 : found.length;
}

interface Writing {
  readonly to: TracedTextBuilder;
  readonly base: Base;
  readonly kind: string;
  readonly known: ReadonlyMap<object, JsonNode>;
}

function writeChanged(value: Json, base: Base, kind: string): TracedText {
  const known = new Map<object, JsonNode>();
  const learn = (node: JsonNode): void => {
    if (typeof node.value === 'object' && node.value !== null) known.set(node.value, node);
    for (const child of node.children) learn(child);
  };
  learn(base.nodes);
  const writing: Writing = { to: new TracedTextBuilder(), base, kind, known };
  write(writing, { value, was: base.nodes, pad: '' });
  return writing.to.done();
}

interface Part {
  readonly value: Json;
  /** What stood here before, as far as it is the same thing. */
  readonly was: JsonNode | undefined;
  readonly pad: string;
}

function write(w: Writing, { value, was, pad }: Part): void {
  const node = typeof value === 'object' && value !== null ? (w.known.get(value) ?? was) : was;
  if (Array.isArray(value)) {
    const before = Array.isArray(node?.value) ? node : undefined;
    writeParts(w, { open: '[', close: ']', pad, node: before }, itemsBefore(w, before, value));
  } else if (isJsonObject(value)) {
    const before = isJsonObject(node?.value) ? node : undefined;
    const names = Object.keys(value).filter((name) => value[name] !== undefined);
    const old = new Map(before?.children.map((child) => [child.name, child]));
    const members = names.map((name) => ({ name, value: value[name] as Json, was: old.get(name) }));
    writeParts(w, { open: '{', close: '}', pad, node: before }, members);
  } else {
    const text = renderJson(value);
    const kept = node !== undefined && renderJson(node.value) === text;
    copy(w, text, kept ? node.start : undefined);
  }
}

/** Items that are the old objects are found by themselves; others by place, or by value in a list of another length. */
function itemsBefore(
  w: Writing,
  before: JsonNode | undefined,
  items: readonly Json[],
): { readonly value: Json; readonly was: JsonNode | undefined }[] {
  const children = before?.children ?? [];
  let byText: Map<string, JsonNode> | undefined;
  return items.map((value, index) => {
    if (before === undefined || (typeof value === 'object' && value !== null && w.known.has(value))) {
      return { value, was: undefined };
    }
    if (children.length === items.length) return { value, was: children[index] };
    byText ??= new Map(children.map((child) => [canonicalJson(child.value), child]));
    return { value, was: byText.get(canonicalJson(value)) };
  });
}

function writeParts(
  w: Writing,
  list: {
    readonly open: string;
    readonly close: string;
    readonly pad: string;
    readonly node: JsonNode | undefined;
  },
  parts: readonly { readonly name?: string; readonly value: Json; readonly was: JsonNode | undefined }[],
): void {
  const { open, close, pad, node } = list;
  const mark = node?.start;
  if (parts.length === 0) {
    copy(w, open + close, mark);
    return;
  }
  const { indent } = w.base;
  const inner = pad + ' '.repeat(indent);
  const line = indent === 0 ? '' : '\n';
  copy(w, `${open}${line}`, mark);
  parts.forEach(({ name, value, was }, index) => {
    copy(w, `${index === 0 ? '' : `,${line}`}${inner}`, mark);
    if (name !== undefined) copy(w, `${JSON.stringify(name)}${indent === 0 ? ':' : ': '}`, was?.keyStart);
    write(w, { value, was, pad: inner });
  });
  copy(w, `${line}${pad}${close}`, mark);
}

/** Adds text with the origin that the old text has at a place; without one it is the fault's. */
function copy(w: Writing, text: string, from: number | undefined): void {
  const span = from === undefined ? undefined : spanAt(w.base.text.origins, from);
  if (span === undefined) w.to.add(text, 'fault', w.kind);
  else w.to.add(text, span.origin, span.ref);
}

function spanAt(spans: readonly Span[], place: number): Span | undefined {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return spans[low];
}

/** An object with some members changed, in place and order; a member of undefined is left out. */
export function withMembers(
  object: JsonObject,
  changed: (name: string, value: Json) => readonly [string, Json][],
): JsonObject {
  return Object.fromEntries(Object.entries(object).flatMap(([name, value]) => changed(name, value)));
}
