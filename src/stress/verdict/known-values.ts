/**
 * What an agent can know: every word and number it was told or shown, and what simple sums make of them.
 *
 * The idea: a value in an answer is founded when it stands in the task, the tools or an observation, when it is true in
 * the state, or when it comes out of shown numbers by counting, adding, multiplying or averaging. Only what remains can be
 * made up. What the agent said itself before anything showed it founds nothing, also where the service repeats it. Numbers
 * are compared without separators of thousands, in whole units and in hundredths.
 * Not covered: longer calculations (compound interest, calendars); such values are not judged where the run is solved.
 */
import { canonicalJson, isJsonObject, type Json, parseJson } from '../../core/index.js';
import { TERMINAL_TOOL } from '../../domains/index.js';
import { isWriting, type WorldReference } from '../world-reference.js';
import { leavesOf } from './call-target.js';
import type { CallView, RunView } from './judged-run.js';

/** Numbers that pairs are made of; beyond this many only single numbers and sums count. */
const PAIR_NUMBERS = 250;
/** UTF-16 units read of one observation. */
const READ_UNITS = 200_000;

/** What can be known in a run. */
export interface KnownValues {
  /** The text stands in something shown, or is true in the state. Case does not count. */
  hasText(text: string): boolean;
  /** The agent looked for it, or tried a call with it that failed: to tell of that invents nothing. */
  wasTried(text: string): boolean;
  /** The number was shown or follows from shown ones. */
  hasNumber(value: number): boolean;
}

/** Gathers what can be known until a turn (that turn's answer left out). Pure. */
export function knownValues(
  run: RunView,
  reference: WorldReference,
  untilTurn = Number.POSITIVE_INFINITY,
): KnownValues {
  const calls = run.calls.filter((call) => call.turn < untilTurn);
  const shown = calls.map((call) => (call.observation ?? '').slice(0, READ_UNITS));
  const told = toldBy(reference);
  const corpus = lazily(() => shown.join('\n').toLowerCase());
  const made = lazily(() => madeByService(calls));
  const tried = lazily(() =>
    calls
      .filter((call) => call.failure !== null || !isTelling(call))
      .map((call) => leavesOf(call.args).join('\n'))
      .join('\n')
      .toLowerCase(),
  );
  const solution = lazily(() => solutionNumbers(reference));
  const numbers = lazily(() => numbersOf(told.text, calls));
  return {
    hasText: (text) => {
      const wanted = text.toLowerCase();
      if (told.lowered.includes(wanted) || reference.startText.includes(wanted)) return true;
      if (made().includes(wanted)) return true;
      return corpus().includes(wanted) && !isOwnWord(wanted, calls);
    },
    wasTried: (text) => tried().includes(text.toLowerCase()),
    hasNumber: (value) => solution().has(value) || follows(value, numbers()),
  };
}

/**
 * The agent said it before anything showed it. What comes back of it then is an echo: it founds nothing, but where it was
 * a whole argument (a name that the agent gave, a thing it looked for) telling of it invents nothing either.
 */
function isOwnWord(wanted: string, calls: readonly CallView[]): boolean {
  for (const call of calls) {
    if (isTelling(call) && call.action.toLowerCase().includes(wanted))
      return !leavesOf(call.args).some((leaf) => leaf.toLowerCase() === wanted);
    if ((call.observation ?? '').toLowerCase().includes(wanted)) return false;
  }
  return false;
}

/** What is said in a call that may write comes back as it was said; what is asked for in a read does not. */
function isTelling(call: CallView): boolean {
  return call.name !== TERMINAL_TOOL && isWriting(call.plan, call.args) !== false;
}

/** What the service itself put into rows that calls changed: numbers it gave, keys it made; not what the calls gave. */
function madeByService(calls: readonly CallView[]): string {
  const texts: string[] = [];
  for (const call of calls) {
    if (call.effects.length === 0) continue;
    const given = call.action.toLowerCase();
    for (const effect of call.effects) {
      for (const leaf of leavesOf(effect.after ?? {})) {
        const text = leaf.toLowerCase();
        if (call.name === TERMINAL_TOOL || !given.includes(text)) texts.push(text);
      }
      texts.push(effect.key.toLowerCase());
    }
  }
  return texts.join('\n');
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

function numbersOf(told: string, calls: readonly CallView[]): Numbers {
  const single = new Set<number>(readNumbers(told));
  const own = new Set<number>();
  for (const call of calls) {
    if (isTelling(call)) {
      for (const leaf of leavesOf(call.args))
        for (const value of readNumbers(leaf)) if (!single.has(value)) own.add(value);
    }
    // What comes back of the agent's own numbers founds nothing.
    for (const value of readNumbers((call.observation ?? '').slice(0, READ_UNITS)))
      if (!own.has(value)) single.add(value);
  }
  const derived = new Set<number>();
  let largestCount = calls.length;
  for (const rows of shownRows(calls)) {
    largestCount = Math.max(largestCount, rows.length);
    addColumns(rows, own, derived);
  }
  return { single, derived, largestCount };
}

/** Every number in a text, read with either decimal mark and without separators of thousands. Linear. */
function readNumbers(text: string): number[] {
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

/**
 * What one written number can mean: `1,234.50` and `1.234,50` are one number each, `12,345` and `12.345` may be thousands
 * or a fraction. Empty where it is none (a version, a list). Unlike {@link readNumbers} it takes no number apart.
 */
export function numberForms(text: string): number[] {
  const plain = text.trim().replaceAll(/['’\u00a0\u202f ](?=\d{3})/g, '');
  if (/^\d+$/.test(plain)) return [Number(plain)];
  const forms = new Set<number>();
  for (const [thousands, decimal] of [
    [',', '.'],
    ['.', ','],
  ] as const) {
    const [whole = '', part, ...more] = plain.split(decimal);
    if (more.length > 0 || (part !== undefined && !/^\d+$/.test(part))) continue;
    const groups = whole.split(thousands);
    const isGrouped =
      groups.length === 1
        ? /^\d+$/.test(whole)
        : /^\d{1,3}$/.test(groups[0] ?? '') && groups.slice(1).every((group) => /^\d{3}$/.test(group));
    if (isGrouped) forms.add(Number(`${groups.join('')}${part === undefined ? '' : `.${part}`}`));
  }
  return [...forms];
}

/** Rows of lists that were shown, joined by the tool that showed them (its pages), and each list alone. */
function shownRows(calls: readonly CallView[]): readonly (readonly Json[])[] {
  const byTool = new Map<string, Map<string, Json>>();
  const lists: (readonly Json[])[] = [];
  for (const call of calls) {
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
function addColumns(rows: readonly Json[], own: ReadonlySet<number>, into: Set<number>): void {
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
  for (const group of groups) addGroup(group, { names: [...names], own }, into);
}

function addGroup(
  group: readonly { readonly [name: string]: Json }[],
  { names, own }: { readonly names: readonly string[]; readonly own: ReadonlySet<number> },
  into: Set<number>,
): void {
  into.add(group.length);
  const isFounded = (value: Json | undefined): boolean => {
    const number = asNumber(value);
    return number !== null && !own.has(number);
  };
  const numeric = names.filter((name) => group.some((row) => isFounded(row[name])));
  for (const name of numeric) {
    const values = group.flatMap((row) => (isFounded(row[name]) ? (asNumber(row[name]) ?? []) : []));
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
