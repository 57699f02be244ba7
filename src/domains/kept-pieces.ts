/**
 * Pieces of a text as values that are written back as they were.
 *
 * A piece whose usual text is not what stood there keeps it in `written`; what stood between two pieces is kept in `gap`
 * where it was not one empty line. So writing what was read gives back every character, and values made by code are
 * written the usual way.
 */

/** A value with what its writing needs beyond it. To change the value, leave `written` out. */
export type Kept<T> = T & {
  /** What stands in front of it; by default nothing for the first and an empty line for others. */
  readonly gap?: string;
  /** Its text, where that is not the usual one. */
  readonly written?: string;
};

/** The usual gap between two pieces. */
const GAP = '\n\n';

/** Values with their places, in order, turned into kept ones; `tail` is what stands behind the last. */
export function keptPieces<T extends object>(
  text: string,
  pieces: readonly { readonly start: number; readonly end: number; readonly value: T }[],
  usual: (value: T) => string,
): { readonly kept: readonly Kept<T>[]; readonly tail: string } {
  let at = 0;
  const kept = pieces.map(({ start, end, value }, i): Kept<T> => {
    const gap = text.slice(at, start);
    const own = text.slice(start, end);
    at = end;
    return {
      ...value,
      ...(gap === (i === 0 ? '' : GAP) ? {} : { gap }),
      ...(usual(value) === own ? {} : { written: own }),
    };
  });
  return { kept, tail: text.slice(at) };
}

/** Writes kept values one after another. */
export function renderPieces<T extends object>(
  pieces: readonly Kept<T>[],
  usual: (value: T) => string,
): string {
  return pieces
    .map((piece, i) => (piece.gap ?? (i === 0 ? '' : GAP)) + (piece.written ?? usual(piece)))
    .join('');
}
