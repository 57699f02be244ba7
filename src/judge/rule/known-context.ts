/**
 * What is known before an observation comes: the values of its action and of the observations before it.
 *
 * What is known must be right wherever it stands, also where its form is that of a time or an id.
 */
import { type Json, stripObservationMarker } from '../../core/index.js';
import type { BenchRow, ContentContext, DomainFormat, ObservationPart } from '../../domains/index.js';

/** Earlier observations whose values count as known. */
const KNOWN_OBSERVATIONS = 3;
/** Values that are taken out of one of them. */
const KNOWN_VALUES = 300;

/** What the action and the latest observations hold is known, so it must be right wherever it stands. */
export function knownContext(row: BenchRow, format: DomainFormat): ContentContext {
  const known: Json[] = [];
  for (const { observation } of row.history.slice(-KNOWN_OBSERVATIONS)) {
    const values: string[] = [];
    for (const part of format.outline(stripObservationMarker(observation)).parts) takeValues(part, values);
    known.push(values);
  }
  return { action: format.parseAction(row.action), state: known };
}

function takeValues({ values, parts }: ObservationPart, into: string[]): void {
  for (const { value } of values) {
    if (into.length >= KNOWN_VALUES) return;
    if (value.length > 0 && value.length <= 200) into.push(value);
  }
  for (const part of parts) takeValues(part, into);
}
