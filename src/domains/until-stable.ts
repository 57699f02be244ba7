/**
 * A text brought into a plain form until that changes nothing more.
 *
 * Folding white space may make something else of a text: a line that could not be read becomes one that can. A form for
 * comparing has to be the same when it is made again.
 */

/** Seldom more than two are needed; bounds the work on hostile text. */
const PASSES = 6;

/** Repeats `onePass` until it gives back what it was given. */
export function untilStable(text: string, onePass: (text: string) => string): string {
  let current = text;
  for (let pass = 0; pass < PASSES; pass++) {
    const plain = onePass(current);
    if (plain === current) break;
    current = plain;
  }
  return current;
}
