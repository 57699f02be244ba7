/**
 * What differs between a prediction and the real observation, counted by what it means.
 *
 * Everything a grade rests on is a share of 0 to 1 with the units behind it. A unit weighs 1 whatever its length, so a
 * long paragraph does not hide a wrong number beside it; a unit whose words are all runtime metadata weighs a quarter.
 * Not covered: whether content that nobody could know is plausible beyond its form.
 */
import { type DomainFormat, type ObservationPart, pairParts } from '../../domains/index.js';
import { type ForeignWords, foreignWords } from './foreign-words.js';
import {
  type ObservationUnit,
  type ObservationUnits,
  observationUnits,
  REST_KIND,
  type SpansOf,
  shapeOf,
} from './observation-units.js';
import { type OutcomeSigns, outcomeSigns } from './outcome-signs.js';

/** What is compared, and with what known. */
export interface Comparison {
  readonly format: DomainFormat;
  readonly real: string;
  readonly said: string;
  /** The observation before, or null on the first turn. */
  readonly before: string | null;
  readonly spansOf: SpansOf;
}

/** One unit that is not as it should be. */
export interface UnitFault {
  readonly what: 'changed' | 'missing' | 'extra' | 'moved' | 'stale' | 'metadata';
  /** The real words; empty for what is extra. */
  readonly real: string;
  /** The predicted words; empty for what is missing. */
  readonly said: string;
  readonly unit: ObservationUnit;
}

/** What was found. */
export interface Differences {
  /** Units with words, of the real observation. */
  readonly units: number;
  /** Share of the real structure that the prediction has, with nothing else in it. */
  readonly structure: number;
  /** Share of the units with words that are right. */
  readonly right: number;
  /** Share of what is new since the observation before that is right; null where nothing is. */
  readonly news: number | null;
  /** Share of what stayed from the observation before that stayed; null where nothing did. */
  readonly kept: number | null;
  /** The prediction repeats the observation before although the real one differs from it. */
  readonly isStale: boolean;
  /** Share of the prediction's units that the real observation does not have. */
  readonly invented: number;
  /** Words before or after the value that the real observation is alone; null where there are none. */
  readonly around: string | null;
  /** Places that cannot be read as the domain's form, beyond those of the real observation. */
  readonly unreadable: number;
  readonly foreign: readonly ForeignWords[];
  readonly outcome: { readonly real: OutcomeSigns; readonly said: OutcomeSigns };
  readonly faults: readonly UnitFault[];
}

/** Weight of a unit that is runtime metadata alone. */
const METADATA_WEIGHT = 0.25;

/** Compares a prediction with a real observation that it does not equal. */
export function compareObservations(comparison: Comparison): Differences {
  const { format, real, said, before, spansOf } = comparison;
  const a = observationUnits(format, real, spansOf);
  const { value, around } = bareValue(format, real, said);
  const b = observationUnits(format, value, spansOf);
  const { pairs, missing, extra } = pairedUnits(a, b);
  const earlier = before === null ? [] : observationUnits(format, before, spansOf).units;
  const normal = (text: string): string => format.normaliseObservation(text);
  const faults = faultsOf(pairs, { missing, extra, earlier });
  const wrong = new Set(faults.filter(({ what }) => what !== 'metadata').map(({ unit }) => unit));
  const words = a.units.filter(({ chars }) => chars > 0);
  return {
    units: words.length,
    structure: structureShare(a, b, { pairs, missing, extra }),
    right: rightShare(words, wrong, extra),
    ...sinceBefore(words, wrong, earlier),
    isStale: before !== null && normal(said) === normal(before),
    invented: b.units.length === 0 ? 0 : extra.length / b.units.length,
    around,
    unreadable: Math.max(0, b.problems - a.problems),
    foreign: foreignWords(said, real),
    outcome: { real: outcomeSigns(real), said: outcomeSigns(said) },
    faults,
  };
}

/** Two units that stand for one another. */
interface UnitPair {
  readonly real: ObservationUnit;
  readonly said: ObservationUnit;
  /** It stands at another place among the others. */
  readonly moved: boolean;
}

/** Units paired as the domains pair the parts that they are of, and what is beyond their bound as one. */
function pairedUnits(real: ObservationUnits, said: ObservationUnits) {
  const found = pairParts(real.parts, said.parts);
  const unitsOf = (parts: readonly ObservationPart[], of: ObservationUnits): readonly ObservationUnit[] =>
    parts.flatMap((part) => of.unitOf.get(part) ?? []);
  const pairs = found.pairs.flatMap(({ expected, predicted, moved }): UnitPair[] => {
    const [a, b] = [real.unitOf.get(expected), said.unitOf.get(predicted)];
    return a === undefined || b === undefined ? [] : [{ real: a, said: b, moved }];
  });
  const missing = unitsOf(found.missing, real);
  const extra = unitsOf(found.extra, said);
  const [a, b] = [real, said].map(({ units }) => units.findLast(({ kind }) => kind === REST_KIND));
  if (a !== undefined && b !== undefined)
    return { pairs: [...pairs, { real: a, said: b, moved: false }], missing, extra };
  return {
    pairs,
    missing: a === undefined ? missing : [...missing, a],
    extra: b === undefined ? extra : [...extra, b],
  };
}

/** A value (JSON) with text around it is compared as the value, and the text is told. */
function bareValue(
  format: DomainFormat,
  real: string,
  said: string,
): { readonly value: string; readonly around: string | null } {
  const isValue = (text: string): boolean => format.outline(text).parts[0]?.kind === 'value';
  const whole = { value: said, around: null };
  if (/^\s*[{[]/.test(said) && /[}\]]\s*$/.test(said.slice(-20))) return whole;
  if (!isValue(real) || isValue(said)) return whole;
  const start = said.search(/[{[]/);
  const open = said[start];
  if (open === undefined) return whole;
  const last = said.lastIndexOf(open === '{' ? '}' : ']');
  // What follows may have brackets of its own: its end is looked for line by line, a few times.
  const ends = [last, ...lineEnds(said, start)].filter((end) => end > start).slice(0, MAX_ENDS);
  const end = ends.find((at) => isValue(said.slice(start, at + 1)));
  if (end === undefined) return whole;
  const value = said.slice(start, end + 1);
  return { value, around: `${said.slice(0, start)} ${said.slice(end + 1)}`.trim().slice(0, 200) };
}

/** Places where a value may end that is looked for. */
const MAX_ENDS = 20;

function lineEnds(text: string, from: number): readonly number[] {
  const found: number[] = [];
  for (
    let at = text.indexOf('\n', from);
    at >= 0 && found.length < MAX_ENDS;
    at = text.indexOf('\n', at + 1)
  ) {
    found.push(at - 1);
  }
  return found;
}

function faultsOf(
  pairs: readonly UnitPair[],
  rest: {
    readonly missing: readonly ObservationUnit[];
    readonly extra: readonly ObservationUnit[];
    readonly earlier: readonly ObservationUnit[];
  },
): readonly UnitFault[] {
  const old = new Set(rest.earlier.map(wordsKey));
  const changed = pairs.flatMap(({ real, said, moved }): UnitFault[] => {
    const fault = { real: real.exact, said: said.exact, unit: real };
    // Two names are two things, whatever the value: a member that was renamed is missed by who reads it.
    if (real.id !== said.id) return [{ what: 'changed', ...fault }];
    if (real.masked === said.masked) return moved ? [{ what: 'moved', ...fault }] : [];
    if (real.type === 'runtime-metadata') {
      return shapeOf(real.exact) === shapeOf(said.exact) ? [] : [{ what: 'metadata', ...fault }];
    }
    return [{ what: old.has(wordsKey(said)) ? 'stale' : 'changed', ...fault }];
  });
  return [
    ...changed,
    ...rest.missing
      .filter(({ chars }) => chars > 0)
      .map((unit): UnitFault => ({ what: 'missing', real: unit.exact, said: '', unit })),
    ...rest.extra
      .filter(({ chars }) => chars > 0)
      .map(
        (unit): UnitFault => ({
          what: old.has(wordsKey(unit)) ? 'stale' : 'extra',
          real: '',
          said: unit.exact,
          unit,
        }),
      ),
  ];
}

const wordsKey = ({ kind, masked }: ObservationUnit): string => `${kind}\u0000${masked}`;

function weightOf({ type }: ObservationUnit): number {
  return type === 'runtime-metadata' ? METADATA_WEIGHT : 1;
}

function shareOf(part: readonly ObservationUnit[], whole: readonly ObservationUnit[]): number {
  const sum = (units: readonly ObservationUnit[]): number =>
    units.reduce((total, unit) => total + weightOf(unit), 0);
  const all = sum(whole);
  return all === 0 ? 1 : sum(part) / all;
}

function rightShare(
  words: readonly ObservationUnit[],
  wrong: ReadonlySet<ObservationUnit>,
  extra: readonly ObservationUnit[],
): number {
  const right = words.filter((unit) => !wrong.has(unit));
  return shareOf(right, [...words, ...extra.filter(({ chars }) => chars > 0)]);
}

/** What is new and what stayed, against the observation before. */
function sinceBefore(
  words: readonly ObservationUnit[],
  wrong: ReadonlySet<ObservationUnit>,
  earlier: readonly ObservationUnit[],
): Pick<Differences, 'news' | 'kept'> {
  if (earlier.length === 0) return { news: null, kept: null };
  const old = new Set(earlier.map(wordsKey));
  const stayed = words.filter((unit) => old.has(wordsKey(unit)));
  const fresh = words.filter((unit) => !old.has(wordsKey(unit)));
  const right = (units: readonly ObservationUnit[]): number | null =>
    units.length === 0
      ? null
      : shareOf(
          units.filter((unit) => !wrong.has(unit)),
          units,
        );
  return { news: right(fresh), kept: right(stayed) };
}

/** Kinds whose number is content, not form: rows of a screen, lines of a text, items of a list. */
const OPEN_KINDS = new Set(['row', 'line', 'item', 'result', 'paragraph', REST_KIND]);

function structureShare(
  real: ObservationUnits,
  said: ObservationUnits,
  {
    missing,
    extra,
  }: {
    readonly pairs: readonly UnitPair[];
    readonly missing: readonly ObservationUnit[];
    readonly extra: readonly ObservationUnit[];
  },
): number {
  if (real.units.length === 0) return said.units.length === 0 ? 1 : 0;
  if (said.units.length === 0) return 0;
  const kinds = new Set(real.units.map(({ kind }) => kind));
  const saidKinds = new Set(said.units.map(({ kind }) => kind));
  const weigh = (units: readonly ObservationUnit[], foreign: (unit: ObservationUnit) => boolean): number =>
    units.reduce((sum, unit) => sum + (foreign(unit) ? 1 : OPEN_KINDS.has(unit.kind) ? 0 : 0.5), 0);
  const lost = weigh(missing, ({ kind }) => !saidKinds.has(kind));
  const added = weigh(extra, ({ kind }) => !kinds.has(kind));
  return Math.max(0, 1 - (lost + added) / Math.max(real.units.length, said.units.length));
}
