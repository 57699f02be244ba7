/**
 * Learns the parts of a text from examples: fixed words, values of places, and runs through lists.
 *
 * The longest example is taken apart: a list whose items stand in the text one after another becomes one part, then
 * values of the scope that stand in it as whole words become parts. The result is kept if it gives the text of every
 * example. A part with several possible sources keeps those that fit everywhere. Linear scans, bounded candidates.
 */
import type { Json } from '../../core/index.js';
import {
  asObject,
  type Example,
  listsOf,
  placesOf,
  ruleValue,
  type Scope,
  shownText,
  withName,
} from './examples.js';

/** A fixed text, or expressions of which each gives the text of this part. */
export type TextPart = string | { readonly sources: readonly string[] };

const LONGEST = 200_000;

/** The parts of the text; null where the examples have no common form. */
export function learnParts(examples: readonly Example<string>[], depth = 0): readonly TextPart[] | null {
  const [fullest] = [...examples].sort((a, b) => b.wanted.length - a.wanted.length);
  if (fullest === undefined || fullest.wanted.length > LONGEST) return null;
  for (const parts of attempts(fullest, examples, depth)) {
    const fitted = fitAll(parts, examples);
    if (fitted !== null) return fitted;
  }
  return null;
}

/** The parts as an expression that gives a text. */
export function expressionOf(parts: readonly TextPart[]): string {
  const terms = parts.flatMap((part, index) => {
    if (part === '') return [];
    return [
      typeof part === 'string' ? JSON.stringify(part) : `string(${bestOf(part.sources, parts[index - 1])})`,
    ];
  });
  const [only] = terms;
  if (only === undefined) return '""';
  return terms.length === 1 ? only : terms.join(' + ');
}

/** The parts as a template. */
export function templateOf(parts: readonly TextPart[]): string {
  return parts
    .map((part, index) =>
      typeof part === 'string'
        ? part.replace(/[{}]/g, (brace) => brace + brace)
        : `{${bestOf(part.sources, parts[index - 1])}}`,
    )
    .join('');
}

/** The first source, or the one whose name is the word before the part: `size: 12`. */
function bestOf(sources: readonly string[], before?: TextPart): string {
  const label =
    typeof before === 'string' ? /([A-Za-z_]\w*)["'`]?\s*[:=]\s*["'`]?$/.exec(before)?.[1] : undefined;
  const named = label === undefined ? undefined : sources.find((one) => one.endsWith(`.${label}`));
  // A path is echoed as it was given, not as it was understood.
  const given = sources[0] === 'row.path' ? sources.find((one) => /^args\.\w+$/.test(one)) : undefined;
  return named ?? given ?? sources[0] ?? '""';
}

function* attempts(
  fullest: Example<string>,
  examples: readonly Example<string>[],
  depth: number,
): Generator<readonly TextPart[]> {
  const plain = slots(fullest.wanted, fullest.scope);
  // A place that holds several lines of the text explains more than lists that hold words of them.
  const isOfLines = placesOf(fullest.scope).some(
    ({ source, value }) =>
      isBlock(value, fullest.wanted) &&
      plain.some((part) => typeof part !== 'string' && part.sources.includes(source)),
  );
  if (isOfLines) yield plain;
  if (depth < 2) yield* listAttempts(fullest, examples, depth);
  yield plain;
  // Short values are found by chance; without them the fixed words may be right.
  yield slots(fullest.wanted, fullest.scope, 3);
  yield [fullest.wanted];
}

const BLOCK = 10;

function isBlock(value: Json, text: string): boolean {
  return typeof value === 'string' && value.length >= BLOCK && value.includes('\n') && text.includes(value);
}

interface Slot {
  readonly start: number;
  readonly end: number;
  readonly sources: readonly string[];
}

/** Cuts a text at the values of its scope that stand in it as whole words, longest first. */
function slots(text: string, scope: Scope, shortest = 1): readonly TextPart[] {
  const bySource = new Map<string, string[]>();
  for (const { source, value } of placesOf(scope)) {
    const shown = typeof value === 'object' ? undefined : shownText(value);
    if (
      shown === undefined ||
      shown.length < shortest ||
      source === 'result.op' ||
      source === 'result.message'
    )
      continue;
    if (typeof value === 'boolean') continue;
    bySource.set(shown, [...(bySource.get(shown) ?? []), source]);
  }
  const found: Slot[] = [];
  const values = [...bySource].sort(([a], [b]) => b.length - a.length).slice(0, 400);
  for (const [shown, sources] of values) {
    for (let at = text.indexOf(shown); at >= 0; at = text.indexOf(shown, at + Math.max(1, shown.length))) {
      const end = at + shown.length;
      if (shown !== '' && isWhole(text, at, end) && !found.some((one) => at < one.end && end > one.start)) {
        found.push({ start: at, end, sources });
      }
    }
  }
  return cut(text, found);
}

function cut(text: string, found: readonly Slot[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { start, end, sources } of [...found].sort((a, b) => a.start - b.start)) {
    parts.push(text.slice(at, start), { sources });
    at = end;
  }
  return [...parts, text.slice(at)];
}

const WORD = /[\p{L}\p{N}_]/u;

function isWhole(text: string, start: number, end: number): boolean {
  const inner = (index: number) => WORD.test(text[index] ?? ' ');
  return !(inner(start) && inner(start - 1)) && !(inner(end - 1) && inner(end));
}

/** Keeps of each part the sources that fit in every example; null where a text does not come out. */
function fitAll(
  parts: readonly TextPart[],
  examples: readonly Example<string>[],
): readonly TextPart[] | null {
  let kept = parts;
  for (const example of examples) {
    const narrowed = fitted(kept, example);
    if (narrowed === null) return null;
    kept = narrowed;
  }
  return kept;
}

function fitted(parts: readonly TextPart[], { scope, wanted }: Example<string>): readonly TextPart[] | null {
  const kept: TextPart[] = [];
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') {
      if (!wanted.startsWith(part, at)) return null;
      at += part.length;
      kept.push(part);
      continue;
    }
    const next = parts[index + 1];
    const follows = typeof next === 'string' ? next : '';
    const texts = part.sources.flatMap((source): (readonly [string, string])[] => {
      const value = ruleValue(source, scope);
      const shown = value === undefined ? undefined : shownText(value);
      const fits =
        shown !== undefined && wanted.startsWith(shown, at) && wanted.startsWith(follows, at + shown.length);
      return fits ? [[source, shown]] : [];
    });
    // The longest reading is taken; sources that give another text are no sources of this part.
    const longest = texts.reduce((most, [, shown]) => Math.max(most, shown.length), -1);
    const sources = texts.filter(([, shown]) => shown.length === longest).map(([source]) => source);
    if (sources.length === 0) return null;
    at += longest;
    kept.push({ sources });
  }
  return at === wanted.length ? kept : null;
}

const JOINTS = [', ', '\n', '\n\n', '; ', ' ', ','];
const VARIABLES = ['r', 's', 't'];

/** Texts that run through a list: items joined by a fixed text, or blocks of lines. */
function* listAttempts(
  fullest: Example<string>,
  examples: readonly Example<string>[],
  depth: number,
): Generator<readonly TextPart[]> {
  const { scope, wanted } = fullest;
  const variable = VARIABLES[depth] ?? 't';
  for (const { source, value } of listsOf(scope)) {
    if (value.length === 0) continue;
    // A list within the text of an item is a list of that item.
    const outer = VARIABLES[depth - 1];
    if (outer !== undefined && !new RegExp(`\\b${outer}\\b`).test(source)) continue;
    const runs = [
      ...inlineRuns(value, { source, variable, wanted }),
      ...blockRuns(value, { source, variable, wanted }),
    ];
    for (const { start, end, expression } of runs) {
      yield surround(fullest, { start, end, expression });
    }
    const block = learnedBlock(value, { source, variable, wanted, scope, examples }, depth);
    if (block !== null) yield surround(fullest, block);
  }
}

interface Run {
  readonly start: number;
  readonly end: number;
  readonly expression: string;
}

function surround({ scope, wanted }: Example<string>, { start, end, expression }: Run): readonly TextPart[] {
  const before = slots(wanted.slice(0, start), scope);
  const after = slots(wanted.slice(end), scope);
  return [...before, { sources: [expression] }, ...after];
}

interface RunOf {
  readonly source: string;
  readonly variable: string;
  readonly wanted: string;
}

/** One field of each item, joined. */
function* inlineRuns(items: readonly Json[], { source, variable, wanted }: RunOf): Generator<Run> {
  if (items.length < 2) return;
  const fields = typeof items[0] === 'object' && items[0] !== null ? Object.keys(items[0]) : [''];
  for (const field of fields) {
    const texts = items.map((item) =>
      shownText(field === '' ? item : ((item as Record<string, Json>)[field] ?? null)),
    );
    if (texts.some((text) => text === undefined)) continue;
    for (const joint of JOINTS) {
      const whole = texts.join(joint);
      const start = wanted.indexOf(whole);
      if (start < 0 || whole.trim() === '') continue;
      const value = field === '' ? variable : `${variable}[${JSON.stringify(field)}]`;
      const mapped = field === '' ? source : `${source}.map(${variable}, ${value})`;
      yield { start, end: start + whole.length, expression: `${mapped}.join(${JSON.stringify(joint)})` };
    }
  }
}

/** Nothing more than what `learnedBlock` finds; kept apart so that a list of plain texts is a block too. */
function* blockRuns(items: readonly Json[], { source, variable, wanted }: RunOf): Generator<Run> {
  if (items.length < 1 || typeof items[0] === 'object') return;
  const texts = items.map((item) => shownText(item) ?? '');
  const first = wanted.indexOf(texts[0] ?? '');
  if (first < 0) return;
  const lead = wanted.slice(wanted.lastIndexOf('\n', first) + 1, first);
  const whole = texts.map((text) => lead + text).join('\n');
  const start = first - lead.length;
  if (lead.length > 20 || !wanted.startsWith(whole, start)) return;
  const expression = `${source}.map(${variable}, ${JSON.stringify(lead)} + string(${variable})).join("\\n")`;
  yield { start, end: start + whole.length, expression };
}

interface BlockOf extends RunOf {
  readonly scope: Scope;
  readonly examples: readonly Example<string>[];
}

/** Blocks of lines, one for each item, with a form of their own that is learned from all of them. */
function learnedBlock(items: readonly Json[], of: BlockOf, depth: number): Run | null {
  for (const field of fieldsOf(items).slice(0, MARKS)) {
    const blocks = blocksOf(items, { field, text: of.wanted });
    const run = blocks === null ? null : blockRun(blocks, { ...of, items, field }, depth);
    if (run !== null) return run;
  }
  return null;
}

/** Fields that may mark where the block of an item begins, at most. */
const MARKS = 12;

function blockRun(
  blocks: Blocks,
  of: BlockOf & { readonly items: readonly Json[]; readonly field: string },
  depth: number,
): Run | null {
  const { source, variable, items, field } = of;
  const { joint } = blocks;
  const inItem = (scope: Scope, item: Json | undefined): Scope =>
    withName(withoutList(scope, source), variable, item ?? null);
  const made = blocks.texts.map(
    (text, index): Example<string> => ({ scope: inItem(of.scope, items[index]), wanted: text }),
  );
  const others = of.examples.flatMap((example): Example<string>[] => {
    if (example.wanted === of.wanted) return [];
    const list = listsOf(example.scope).find((one) => one.source === source)?.value ?? [];
    const found = list.length === 0 ? null : blocksOf(list, { field, text: example.wanted, joint });
    return (found?.texts ?? []).map((text, index) => ({
      scope: inItem(example.scope, list[index]),
      wanted: text,
    }));
  });
  const all = [...made, ...others];
  const parts = learnParts(all, depth + 1);
  const item = parts === null ? byField(all, variable, depth) : expressionOf(parts);
  if (item === null || !new RegExp(`\\b${variable}\\b`).test(item)) return null;
  const expression = `${source}.map(${variable}, ${item}).join(${JSON.stringify(joint)})`;
  return { start: blocks.start, end: blocks.end, expression };
}

/** A scope without a list, so that the form of its items is not found in the list itself. */
function withoutList(scope: Scope, source: string): Scope {
  const [root = '', member, ...deeper] = source.split('.');
  if (member === undefined)
    return Object.fromEntries(Object.entries(scope).filter(([name]) => name !== root));
  if (deeper.length > 0) return scope;
  const rest = Object.entries(asObject(scope[root])).filter(([name]) => name !== member);
  return { ...scope, [root]: Object.fromEntries(rest) };
}

/** Values of one field that tell forms of items apart, at most. */
const CHOICES = 4;

/** Items of several forms that a field of theirs tells apart: `[DIR]` and `[FILE]`, done and open. */
function byField(
  blocks: readonly Example<string>[],
  variable: string,
  depth: number,
  nesting = 0,
): string | null {
  if (nesting > 2) return null;
  for (const { field, groups } of fieldGroups(blocks, variable)) {
    // A value that stands in its own item names the item; items told apart by it are learned by heart.
    if (blocks.every(({ scope, wanted }) => isShown(asObject(scope[variable])[field], wanted))) continue;
    const forms = [...groups].map(([value, group]) => ({
      value,
      of: formOf(group, { variable, depth, nesting }),
    }));
    if (forms.some(({ of }) => of === null)) continue;
    const [last, ...firsts] = forms.reverse();
    const read = `get(${variable}, ${JSON.stringify(field)}, null)`;
    const rest = last?.of ?? '""';
    return `(${firsts
      .reverse()
      .map(({ value, of }) => `${read} == ${value} ? ${of ?? '""'} : `)
      .join('')}${rest})`;
  }
  return null;
}

function isShown(value: Json | undefined, text: string): boolean {
  return typeof value === 'string' && value.length > 1 && findWhole(text, value, 0) >= 0;
}

/** The form of some items; where they have none in common, by another field. */
function formOf(
  group: readonly Example<string>[],
  of: { readonly variable: string; readonly depth: number; readonly nesting: number },
): string | null {
  const parts = learnParts(group, of.depth + 1);
  return parts === null ? byField(group, of.variable, of.depth, of.nesting + 1) : expressionOf(parts);
}

interface FieldGroups {
  readonly field: string;
  readonly groups: ReadonlyMap<string, Example<string>[]>;
}

/** Fields by which blocks fall into a few groups, those that name a kind before those that name single items. */
function fieldGroups(blocks: readonly Example<string>[], variable: string): readonly FieldGroups[] {
  const fields = new Set(blocks.flatMap(({ scope }) => Object.keys(asObject(scope[variable]))));
  const all = [...fields].map((field): FieldGroups => {
    const groups = new Map<string, Example<string>[]>();
    for (const block of blocks) {
      const value = JSON.stringify(asObject(block.scope[variable])[field] ?? null, (_key, part) =>
        typeof part === 'bigint' ? String(part) : part,
      );
      groups.set(value, [...(groups.get(value) ?? []), block]);
    }
    return { field, groups };
  });
  // A yes or no is what such a field mostly is.
  const isYesNo = (field: string): boolean =>
    blocks.every(({ scope }) => typeof asObject(scope[variable])[field] === 'boolean');
  const rank = ({ field, groups }: FieldGroups): number =>
    groups.size +
    (KINDS.test(field) || isYesNo(field) ? 0 : 0.5) +
    (groups.size === blocks.length ? CHOICES : 0);
  return all
    .filter(({ groups }) => groups.size >= 2 && groups.size <= CHOICES)
    .sort((a, b) => rank(a) - rank(b));
}

const KINDS = /^(?:type|kind|status|state)$/i;

interface Blocks {
  readonly start: number;
  readonly end: number;
  readonly joint: string;
  readonly texts: readonly string[];
}

/** Cuts a text into one block of whole lines per item, where every item shows its field in order. */
function blocksOf(
  items: readonly Json[],
  of: { readonly field: string; readonly text: string; readonly joint?: string },
): Blocks | null {
  const { field, text, joint } = of;
  const starts: number[] = [];
  let at = 0;
  for (const item of items) {
    const shown = shownText(field === '' ? item : (asObject(item)[field] ?? null));
    const found = shown === undefined || shown === '' ? -1 : findWhole(text, shown, at);
    if (found < 0) return null;
    starts.push(text.lastIndexOf('\n', found - 1) + 1);
    at = found + (shown ?? '').length;
  }
  if (new Set(starts).size !== starts.length) return null;
  return cutBlocks(text, starts, joint);
}

function fieldsOf(items: readonly Json[]): readonly string[] {
  const [first] = items;
  return typeof first === 'object' && first !== null && !Array.isArray(first) ? Object.keys(first) : [''];
}

function findWhole(text: string, shown: string, from: number): number {
  for (let at = text.indexOf(shown, from); at >= 0; at = text.indexOf(shown, at + 1)) {
    if (isWhole(text, at, at + shown.length)) return at;
  }
  return -1;
}

function cutBlocks(text: string, starts: readonly number[], given?: string): Blocks | null {
  const pieces = starts.slice(0, -1).map((start, index) => text.slice(start, starts[index + 1]));
  const isSpaced = pieces.length > 0 && pieces.every((piece) => piece.endsWith('\n\n'));
  const joint = given ?? ruleBetween(pieces) ?? (isSpaced ? '\n\n' : '\n');
  if (!pieces.every((piece) => piece.endsWith(joint))) return null;
  const texts = pieces.map((piece) => piece.slice(0, -joint.length));
  const last = starts.at(-1) ?? 0;
  if (RULE.test(joint))
    return { start: starts[0] ?? 0, end: text.length, joint, texts: [...texts, text.slice(last)] };
  const lines = Math.max(1, ...texts.map((piece) => piece.split('\n').length));
  const rest = text.slice(last);
  const sameLines = texts.every((piece) => piece.split('\n').length === lines);
  const tail =
    texts.length > 0 && sameLines ? rest.split('\n').slice(0, lines).join('\n') : upTo(rest, joint);
  return { start: starts[0] ?? 0, end: last + tail.length, joint, texts: [...texts, tail] };
}

const RULE = /\n[-=*_#~]{3,}\n$/;

/** The line of dashes and the like that every piece ends in, with the line ends around it. */
function ruleBetween(pieces: readonly string[]): string | undefined {
  const [first] = pieces;
  const rule = RULE.exec(first ?? '')?.[0];
  return rule !== undefined && pieces.every((piece) => piece.endsWith(rule)) ? rule : undefined;
}

/** The rest up to an empty line, or all of it. */
function upTo(rest: string, joint: string): string {
  const end = rest.indexOf(joint === '\n' ? '\n' : '\n\n');
  return end < 0 ? rest.replace(/\n+$/, '') : rest.slice(0, end);
}
