/**
 * Two observations compared by structure: what of the expected one the predicted one has, lacks, adds and changes, counted
 * for each content type.
 *
 * Parts are paired (see `pair-parts.ts`); of paired parts the values are compared by name. Deterministic values and
 * content match when they are equal in the domain's compared form; runtime metadata matches when its form is the same
 * (`10:30:00` and `11:02:59`). No meaning is weighed here: whether changed content is plausible is for a judge to say.
 * Source: content types of AgentWorldBench (arXiv 2606.24597).
 */
import {
  CONTENT_TYPES,
  type ContentContext,
  type ContentSpan,
  type ContentType,
  type DomainFormat,
  type ObservationPart,
  type OutlineProblem,
  type PartValue,
} from './domain-format.js';
import { addTo, pairParts, partLabel } from './pair-parts.js';

/** How many of something were found equal, different, lacking or added. */
export interface ComparisonCount {
  readonly matched: number;
  readonly changed: number;
  readonly missing: number;
  readonly extra: number;
}

/** One difference. */
export interface ObservationDifference {
  readonly how: 'changed' | 'missing' | 'extra' | 'moved';
  readonly type: ContentType;
  /** Kind of the part, for example `button` or `result`. */
  readonly kind: string;
  readonly id?: string;
  /** Name of the value; absent where the whole part is meant. */
  readonly value?: string;
  readonly expected?: string;
  readonly predicted?: string;
}

/** What comparing found. */
export interface ObservationComparison {
  /** Parts: nodes, results, rows. A part that only stands elsewhere is matched, and told as `moved`. */
  readonly parts: ComparisonCount;
  readonly moved: number;
  /** Values of parts, those of missing and extra parts included, by content type. */
  readonly values: Readonly<Record<ContentType, ComparisonCount>>;
  /** The first differences, in order of the expected observation, extra ones behind. */
  readonly differences: readonly ObservationDifference[];
  /** Differences that are not listed. */
  readonly furtherDifferences: number;
  /** Places of the predicted observation that are not in the domain's format. */
  readonly problems: readonly OutlineProblem[];
}

/** Differences that are listed at most, by default. */
const LISTED = 100;

/** Compares a predicted observation with the expected one, both as texts of the domain. */
export function compareObservations(
  format: DomainFormat,
  texts: { readonly expected: string; readonly predicted: string },
  options: { readonly context?: ContentContext; readonly listed?: number } = {},
): ObservationComparison {
  const expected = format.outline(texts.expected);
  const predicted = format.outline(texts.predicted);
  const tally = new Tally(options.listed ?? LISTED, {
    expected: format.contentTypes(texts.expected, options.context),
    predicted: format.contentTypes(texts.predicted, options.context),
  });
  const { pairs, missing, extra } = pairParts(expected.parts, predicted.parts);
  for (const pair of [...pairs].sort((a, b) => a.expected.start - b.expected.start)) {
    const changed = compareValues(pair.expected, pair.predicted, tally);
    tally.part(changed ? 'changed' : 'matched');
    if (pair.moved) tally.move(pair.expected);
  }
  for (const part of missing) tally.wholePart('missing', part);
  for (const part of extra) tally.wholePart('extra', part);
  return tally.done(predicted.problems);
}

/** The share of values of a type that match, of all that are there or should be; null where there are none. */
export function matchedShare(count: ComparisonCount): number | null {
  const all = count.matched + count.changed + count.missing + count.extra;
  return all === 0 ? null : count.matched / all;
}

type Mutable = { -readonly [K in keyof ComparisonCount]: number };

function noCount(): Mutable {
  return { matched: 0, changed: 0, missing: 0, extra: 0 };
}

class Tally {
  private readonly parts = noCount();
  private readonly values: Record<ContentType, Mutable>;
  private readonly differences: ObservationDifference[] = [];
  private found = 0;
  private moved = 0;

  constructor(
    private readonly listed: number,
    private readonly spans: {
      readonly expected: readonly ContentSpan[];
      readonly predicted: readonly ContentSpan[];
    },
  ) {
    const entries = CONTENT_TYPES.map((type) => [type, noCount()] as const);
    this.values = Object.fromEntries(entries) as Record<ContentType, Mutable>;
  }

  typeOf(value: PartValue, side: 'expected' | 'predicted'): ContentType {
    return typeAt(this.spans[side], value);
  }

  part(how: 'matched' | 'changed'): void {
    this.parts[how]++;
  }

  value(how: keyof ComparisonCount, difference: Omit<ObservationDifference, 'how'>): void {
    this.values[difference.type][how]++;
    if (how !== 'matched') this.list({ how, ...difference });
  }

  move(part: ObservationPart): void {
    this.moved++;
    this.list({ how: 'moved', type: 'deterministic', ...about(part) });
  }

  /** A part without a partner, with its values. */
  wholePart(how: 'missing' | 'extra', part: ObservationPart): void {
    const side = how === 'missing' ? 'expected' : 'predicted';
    this.parts[how]++;
    for (const value of part.values) this.values[this.typeOf(value, side)][how]++;
    const label = part.values.find((value) => value.value === partLabel(part));
    const type = label === undefined ? 'deterministic' : this.typeOf(label, side);
    this.list({ how, type, ...about(part), [side]: partLabel(part) });
  }

  done(problems: readonly OutlineProblem[]): ObservationComparison {
    const { parts, moved, values, differences } = this;
    return {
      parts,
      moved,
      values,
      differences,
      furtherDifferences: this.found - differences.length,
      problems,
    };
  }

  private list(difference: ObservationDifference): void {
    this.found++;
    if (this.differences.length < this.listed) this.differences.push(difference);
  }
}

function about({ kind, id }: ObservationPart): { readonly kind: string; readonly id?: string } {
  return id === undefined ? { kind } : { kind, id };
}

/** Compares the values of two parts that are the same thing; true where any differs. */
function compareValues(expected: ObservationPart, predicted: ObservationPart, tally: Tally): boolean {
  const waiting = new Map<string, PartValue[]>();
  for (const value of [...predicted.values].reverse()) {
    addTo(waiting, value.name, value);
  }
  let differs = expected.id !== predicted.id;
  if (differs) {
    const ids = { expected: expected.id ?? '', predicted: predicted.id ?? '' };
    tally.value('changed', { type: 'deterministic', ...about(expected), value: 'id', ...ids });
  }
  for (const value of expected.values) {
    const type = tally.typeOf(value, 'expected');
    const other = waiting.get(value.name)?.pop();
    const what = { type, ...about(expected), value: value.name, expected: value.value };
    const how =
      other === undefined ? 'missing' : isSame(type, value.value, other.value) ? 'matched' : 'changed';
    tally.value(how, other === undefined ? what : { ...what, predicted: other.value });
    differs ||= how !== 'matched';
  }
  for (const value of [...waiting.values()].flat()) {
    const type = tally.typeOf(value, 'predicted');
    tally.value('extra', { type, ...about(expected), value: value.name, predicted: value.value });
    differs = true;
  }
  return differs;
}

function isSame(type: ContentType, expected: string, predicted: string): boolean {
  return expected === predicted || (type === 'runtime-metadata' && formOf(expected) === formOf(predicted));
}

/** The form of a time, an id or a duration: every run of digits and of hexadecimal digits as one. */
function formOf(text: string): string {
  return text
    .replace(/[0-9a-f]*\d[0-9a-f]*/gi, '0')
    .replace(/\b[a-f]{4,}\b/gi, '0')
    .replace(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, 'Mon')
    .replace(/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b/g, 'Jan');
}

/** The type that most of a value's text has; a value that the text only implies is deterministic. */
function typeAt(spans: readonly ContentSpan[], { start, end }: PartValue): ContentType {
  if (end <= start) return 'deterministic';
  let low = 0;
  for (let high = spans.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  let best: ContentType = 'deterministic';
  let most = 0;
  for (let i = low; i < spans.length; i++) {
    const span = spans[i] as ContentSpan;
    if (span.start >= end) break;
    const length = Math.min(end, span.end) - Math.max(start, span.start);
    if (length > most) {
      most = length;
      best = span.type;
    }
  }
  return best;
}
