/**
 * What an agent can know: every word and number it was told or shown, and what simple sums make of them.
 *
 * The idea: a value in an answer is founded when it stands in the task, the tools or an observation, when it is true in
 * the state, or when it comes out of shown numbers by counting, adding, multiplying or averaging. Only what remains can be
 * made up. Numbers are compared without separators of thousands, in whole units and in hundredths.
 * Not covered: longer calculations (compound interest, calendars); such values are not judged where the run is solved.
 */
import { canonicalJson, isJsonObject, type Json, parseJson } from '../../core/index.js';
import type { WorldReference } from '../world-reference.js';
import type { RunView } from './judged-run.js';

/** Numbers that pairs are made of; beyond this many only single numbers and sums count. */
const PAIR_NUMBERS = 250;
/** UTF-16 units read of one observation. */
const READ_UNITS = 200_000;

/** What can be known in a run. */
export interface KnownValues {
  /** The text stands in something shown, or is true in the state. Case does not count. */
  hasText(text: string): boolean;
  /** The number was shown or follows from shown ones. */
  hasNumber(value: number): boolean;
}

/** Gathers what can be known until a turn (that turn's answer left out). Pure. */
export function knownValues(
  run: RunView,
  reference: WorldReference,
  untilTurn = Number.POSITIVE_INFINITY,
): KnownValues {
  const shown = run.calls
    .filter((call) => call.turn < untilTurn)
    .map((call) => (call.observation ?? '').slice(0, READ_UNITS));
  const told = toldBy(reference);
  const corpus = lazily(() => shown.join('\n').toLowerCase());
  const written = lazily(() =>
    canonicalJson(run.effects.map((effect) => effect.after ?? {}) as unknown as Json).toLowerCase(),
  );
  const solution = lazily(() => solutionNumbers(reference));
  const numbers = lazily(() => numbersOf([told.text, ...shown], run));
  return {
    hasText: (text) => {
      const wanted = text.toLowerCase();
      return (
        told.lowered.includes(wanted) ||
        reference.startText.includes(wanted) ||
        corpus().includes(wanted) ||
        written().includes(wanted)
      );
    },
    hasNumber: (value) => solution().has(value) || follows(value, numbers()),
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

interface Told {
  readonly text: string;
  readonly lowered: string;
}

const TOLD = new WeakMap<WorldReference, Told>();

/** What every agent of a world is told before its first call: task, instructions, tools. */
function toldBy(reference: WorldReference): Told {
  const known = TOLD.get(reference);
  if (known !== undefined) return known;
  const { task, serverInstructions } = reference.world.file;
  const tools = canonicalJson([...reference.tools.values()] as unknown as Json);
  const text = [task ?? '', serverInstructions ?? '', tools].join('\n');
  const made = { text, lowered: text.toLowerCase() };
  TOLD.set(reference, made);
  return made;
}

interface Numbers {
  readonly single: ReadonlySet<number>;
  /** Sums, means and counts of columns of shown rows. */
  readonly derived: ReadonlySet<number>;
  readonly largestCount: number;
}

function numbersOf(texts: readonly string[], run: RunView): Numbers {
  const single = new Set<number>();
  for (const text of texts) for (const value of readNumbers(text)) single.add(value);
  for (const call of run.calls)
    for (const value of readNumbers(call.action)) if (call.failure === null) single.add(value);
  const derived = new Set<number>();
  let largestCount = run.calls.length;
  for (const rows of shownRows(run)) {
    largestCount = Math.max(largestCount, rows.length);
    addColumns(rows, derived);
  }
  return { single, derived, largestCount };
}

/** Every number in a text, read with either decimal mark and without separators of thousands. Linear. */
export function readNumbers(text: string): number[] {
  const found: number[] = [];
  for (const match of text.matchAll(/\d[\d.,'’\u00a0\u202f ]{0,30}\d|\d/g)) {
    for (const form of formsOf(match[0])) found.push(form);
  }
  return found;
}

/** `1,234.50` → 1234.5; `12.300` → 12.3 and 12300; parts of lists are given one by one as well. */
function formsOf(text: string): number[] {
  const plain = text.replaceAll(/['’\u00a0\u202f ]/g, '');
  const forms = [
    plain.replaceAll(',', ''),
    plain.replaceAll('.', '').replaceAll(',', '.'),
    plain.replaceAll(/[.,]/g, ''),
    ...text.split(/[^\d]+/),
    ...text.split(/[^\d.]+/),
  ];
  return [...new Set(forms.filter((form) => /^\d+(\.\d+)?$/.test(form)).map(Number))];
}

/** Rows of lists that were shown, joined by the tool that showed them (its pages), and each list alone. */
function shownRows(run: RunView): readonly (readonly Json[])[] {
  const byTool = new Map<string, Map<string, Json>>();
  const lists: (readonly Json[])[] = [];
  for (const call of run.calls) {
    const parsed = parseJson((call.observation ?? '').slice(0, READ_UNITS));
    if (!parsed.ok) continue;
    for (const list of listsIn(parsed.value, 0)) {
      lists.push(list);
      const rows = byTool.get(call.name) ?? new Map<string, Json>();
      for (const row of list) rows.set(canonicalJson(row), row);
      byTool.set(call.name, rows);
    }
  }
  return [...lists, ...[...byTool.values()].map((rows) => [...rows.values()])];
}

function listsIn(value: Json, depth: number): (readonly Json[])[] {
  if (depth > 4) return [];
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return [list, ...list.slice(0, 200).flatMap((item) => listsIn(item, depth + 1))];
  }
  return isJsonObject(value) ? Object.values(value).flatMap((member) => listsIn(member, depth + 1)) : [];
}

/** Sums and means of each numeric column, of all rows and of the rows that share a value; counts likewise. */
function addColumns(rows: readonly Json[], into: Set<number>): void {
  const objects = rows.filter(isJsonObject).slice(0, 500);
  if (objects.length === 0) return;
  const names = new Set(objects.flatMap((row) => Object.keys(row)).slice(0, 400));
  const groups: (typeof objects)[] = [objects];
  for (const name of names) {
    const byValue = new Map<string, typeof objects>();
    for (const row of objects) {
      const value = row[name];
      if (typeof value === 'object' && value !== null) continue;
      const key = String(value);
      const group = byValue.get(key);
      if (group === undefined) byValue.set(key, [row]);
      else group.push(row);
    }
    if (byValue.size < objects.length && byValue.size <= 40) groups.push(...byValue.values());
  }
  for (const group of groups) addGroup(group, [...names], into);
}

function addGroup(
  group: readonly { readonly [name: string]: Json }[],
  names: readonly string[],
  into: Set<number>,
): void {
  into.add(group.length);
  const numeric = names.filter((name) => group.some((row) => asNumber(row[name]) !== null));
  for (const name of numeric) {
    const values = group.flatMap((row) => asNumber(row[name]) ?? []);
    const sum = values.reduce((total, value) => total + value, 0);
    into.add(rounded(sum));
    into.add(rounded(sum / values.length));
    for (const other of numeric) {
      const products = group.reduce(
        (total, row) => total + (asNumber(row[name]) ?? 0) * (asNumber(row[other]) ?? 0),
        0,
      );
      into.add(rounded(products));
    }
  }
}

function asNumber(value: Json | undefined): number | null {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || value.length > 24 || !/^-?\d[\d.,]*$/.test(value)) return null;
  return Number(value.replaceAll(',', ''));
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function follows(value: number, numbers: Numbers): boolean {
  if (Number.isInteger(value) && value >= 0 && value <= numbers.largestCount) return true;
  const has = (one: number): boolean => numbers.single.has(rounded(one)) || numbers.derived.has(rounded(one));
  for (const scale of [1, 100, 0.01, 1000, 0.001, 60, 1 / 60, 3600, 1 / 3600])
    if (has(value * scale)) return true;
  return followsFromPair(value, [...numbers.single].slice(0, PAIR_NUMBERS), has);
}

function followsFromPair(
  value: number,
  singles: readonly number[],
  has: (value: number) => boolean,
): boolean {
  for (const one of singles) {
    if (one === 0) continue;
    if (has(value - one) || has(one - value) || has(value + one)) return true;
    if (one !== 1 && (has(value / one) || has(value * one))) return true;
    // A percentage of something shown, or what is left after it.
    if (
      one < 100 &&
      (has((value * 100) / one) || has((value * 100) / (100 - one)) || has((value * 100) / (100 + one)))
    )
      return true;
  }
  return false;
}

const SOLUTION = new WeakMap<WorldReference, ReadonlySet<number>>();

/** Numbers of the world's own solution: whoever says them did not make them up. */
function solutionNumbers(reference: WorldReference): ReadonlySet<number> {
  const known = SOLUTION.get(reference);
  if (known !== undefined) return known;
  const { oracle } = reference;
  const text =
    oracle === null
      ? ''
      : `${oracle.calls.map((call) => canonicalJson(call.arguments)).join('\n')}\n${oracle.answer ?? ''}`;
  const made = new Set(readNumbers(text));
  SOLUTION.set(reference, made);
  return made;
}
