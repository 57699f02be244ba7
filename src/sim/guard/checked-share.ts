/**
 * How much of an observation was checked: parts that no model said, and parts of its words that something known confirms.
 *
 * Formula: checked = (units computed, pinned, recorded or put there by a fault + units of a model's words that are values
 * of the arguments, of known rows or of a computed draft, or the punctuation and names that a schema demands) / all units.
 * Filler is not checked. An empty observation has no share.
 */
import { canonicalJson, type Json, parseJson, type Span, type TracedText } from '../../core/index.js';

/** Units that are checked, of units in all. */
export interface CheckedShare {
  readonly checkedUnits: number;
  readonly units: number;
}

/** A share as a fraction 0–1; null for nothing at all. */
export function fractionOf({ checkedUnits, units }: CheckedShare): number | null {
  return units === 0 ? null : Math.round((checkedUnits / units) * 10_000) / 10_000;
}

const CHECKED: ReadonlySet<Span['origin']> = new Set(['pinned', 'computed', 'recorded', 'fault']);

/** The share of a text with origins; `confirmed` gives the checked units of a piece that a model said. */
export function shareOf(text: TracedText, confirmed: (piece: string) => number): CheckedShare {
  let checkedUnits = 0;
  for (const { start, end, origin } of text.origins) {
    if (CHECKED.has(origin)) checkedUnits += end - start;
    else if (origin === 'predicted')
      checkedUnits += Math.min(end - start, confirmed(text.text.slice(start, end)));
  }
  return { checkedUnits, units: text.text.length };
}

/** Counts the units of a JSON text whose values are confirmed; with a schema that fits, also its structure. */
export function confirmedUnits(
  piece: string,
  confirmed: ReadonlySet<string>,
  hasFittingSchema: boolean,
): number {
  const json = parseJson(piece.trim());
  if (!json.ok) return unitsOfWords(piece, confirmed);
  let known = 0;
  let unknown = 0;
  const walk = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value as readonly Json[]) walk(item);
    else if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value)) walk(part as Json);
    else if (confirmed.has(canonicalJson(value))) known += canonicalJson(value).length;
    else unknown += canonicalJson(value).length;
  };
  walk(json.value);
  return hasFittingSchema ? Math.max(known, piece.length - unknown) : known;
}

/** In prose a confirmed value counts where it stands as a whole word. */
function unitsOfWords(piece: string, confirmed: ReadonlySet<string>): number {
  let units = 0;
  const words = new Set(piece.split(/[\s,;:()[\]{}"'`]+/));
  for (const value of confirmed) {
    const text = value.startsWith('"') ? value.slice(1, -1) : value;
    if (text.length >= 2 && (words.has(text) || (text.includes(' ') && piece.includes(text))))
      units += text.length;
  }
  return units;
}
