/**
 * An observation as a flat list of units to compare: each part of its outline, with what of its words is fixed.
 *
 * A unit's `exact` form is compared where everything must be right; in its `masked` form runtime metadata (times, process
 * numbers, request ids) is replaced by its shape, so that two runs of one command are equal. Source: content types of
 * AgentWorldBench (arXiv 2606.24597). Not covered: pixels; a part's place on the screen where its format gives none.
 */
import type { ContentSpan, ContentType, DomainFormat, ObservationPart } from '../../domains/index.js';

/** Units that are compared of one observation; what comes after is compared as one unit. */
const MAX_UNITS = 5_000;

/** Kind of the unit that stands for all parts beyond the bound. */
export const REST_KIND = 'rest';

/** One part of an observation. */
export interface ObservationUnit {
  readonly kind: string;
  /** The format's own name for it; empty where it gives none. */
  readonly id: string;
  /** Kinds and ids of the parts around it. */
  readonly path: string;
  /** Its values as they are. */
  readonly exact: string;
  /** Its values with runtime metadata as shapes. */
  readonly masked: string;
  /** What most of its words are. */
  readonly type: ContentType;
  /** Characters of its values. */
  readonly chars: number;
}

/** The units of an observation in order, with how many of its places could not be read. */
export interface ObservationUnits {
  readonly units: readonly ObservationUnit[];
  readonly problems: number;
  /** The parts at the top, without those beyond the bound, and the unit of each part in the tree. */
  readonly parts: readonly ObservationPart[];
  readonly unitOf: ReadonlyMap<ObservationPart, ObservationUnit>;
}

/** What an observation is compared with: what the action and the earlier turns say is known. */
export type SpansOf = (text: string) => readonly ContentSpan[];

/** Cuts an observation into units. */
export function observationUnits(format: DomainFormat, text: string, spansOf: SpansOf): ObservationUnits {
  const { parts, problems } = format.outline(text);
  const reader = new UnitReader(text, spansOf(text));
  const kept = parts.flatMap((part) => reader.add(part, '') ?? []);
  const last = reader.places.at(-1) ?? 0;
  if (reader.units.length >= MAX_UNITS && last < text.length) reader.addRest(last);
  return { units: reader.units, problems: problems.length, parts: kept, unitOf: reader.unitOf };
}

class UnitReader {
  readonly units: ObservationUnit[] = [];
  readonly places: number[] = [];
  readonly unitOf = new Map<ObservationPart, ObservationUnit>();

  constructor(
    private readonly text: string,
    private readonly spans: readonly ContentSpan[],
  ) {}

  /** Takes in a part with what is under it, and gives it without what is beyond the bound; null where it is itself. */
  add(part: ObservationPart, path: string): ObservationPart | null {
    if (this.units.length >= MAX_UNITS) return null;
    const { kind, id = '', values, parts } = part;
    const read = values.map(({ name, value, start, end }) => {
      const { masked, weights } = this.masked(value, start, end);
      return { exact: `${name}=${value}`, masked: `${name}=${masked}`, weights, chars: value.length };
    });
    const weigh = (type: ContentType): number => read.reduce((sum, one) => sum + one.weights[type], 0);
    const isMeta = weigh('runtime-metadata') > 0 && weigh('deterministic') + weigh('pre-existing') === 0;
    const unit: ObservationUnit = {
      kind,
      id,
      path,
      exact: read.map(({ exact }) => exact).join('\n'),
      masked: read.map(({ masked }) => masked).join('\n'),
      type: isMeta
        ? 'runtime-metadata'
        : weigh('pre-existing') > weigh('deterministic')
          ? 'pre-existing'
          : 'deterministic',
      chars: read.reduce((sum, one) => sum + one.chars, 0),
    };
    this.units.push(unit);
    const kept: ObservationPart[] = [];
    const own: ObservationPart = { ...part, parts: kept };
    this.unitOf.set(own, unit);
    this.places.push(part.end);
    const below = `${path}/${kind}${id === '' ? '' : `:${id}`}`.slice(-200);
    for (const inner of parts) {
      const taken = this.add(inner, below);
      if (taken !== null) kept.push(taken);
    }
    return own;
  }

  addRest(from: number): void {
    const exact = this.text.slice(from);
    this.units.push({
      kind: REST_KIND,
      id: '',
      path: '',
      exact,
      masked: exact,
      type: 'pre-existing',
      chars: exact.length,
    });
  }

  /** A value with its runtime metadata as shapes, and how many of its characters are of which type. */
  private masked(value: string, start: number, end: number) {
    const weights = { deterministic: 0, 'pre-existing': 0, 'runtime-metadata': 0 };
    const inside = this.spansIn(start, end);
    for (const span of inside) weights[span.type] += Math.min(span.end, end) - Math.max(span.start, start);
    const isPlain = this.text.slice(start, end) === value;
    if (weights['runtime-metadata'] === 0) return { masked: value, weights };
    if (!isPlain || weights['runtime-metadata'] === end - start) {
      return { masked: weights['runtime-metadata'] === end - start ? shapeOf(value) : value, weights };
    }
    let masked = '';
    for (const span of inside) {
      const piece = this.text.slice(Math.max(span.start, start), Math.min(span.end, end));
      masked += span.type === 'runtime-metadata' ? shapeOf(piece) : piece;
    }
    return { masked, weights };
  }

  private spansIn(start: number, end: number): readonly ContentSpan[] {
    let low = 0;
    let high = this.spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.spans[middle]?.end ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    const found: ContentSpan[] = [];
    for (let at = low; at < this.spans.length; at++) {
      const span = this.spans[at];
      if (span === undefined || span.start >= end) break;
      found.push(span);
    }
    return found;
  }
}

/** Runs of digits, of hex and of letters as one sign each: `09:41:07` and `10:02:55` have one shape. */
export function shapeOf(text: string): string {
  return text
    .replace(/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{6,}\b/gi, 'h')
    .replace(/\d+/g, '9')
    .replace(/[A-Za-z]+/g, 'a')
    .replace(/ {2,}/g, ' ');
}
