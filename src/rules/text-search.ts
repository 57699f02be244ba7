/**
 * Finding a text in a text in linear time.
 *
 * The native search is quick but quadratic on adversarial input (a long needle that nearly matches everywhere), so
 * needles longer than {@link NATIVE_UNITS} use the Knuth–Morris–Pratt algorithm: a table of the needle's borders
 * lets the scan never go back.
 */

/** Needles up to this many UTF-16 units are searched natively. */
const NATIVE_UNITS = 32;

/** A search for one needle: the offset of the first match at or after `from`, or −1. */
export type TextSearch = (text: string, from: number) => number;

/** Prepares a search; takes time linear in the needle. */
export function createTextSearch(needle: string): TextSearch {
  if (needle.length <= NATIVE_UNITS) return (text, from) => text.indexOf(needle, from);
  const borders = bordersOf(needle);
  return (text, from) => {
    let matched = 0;
    for (let i = from; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
      if (needle.charCodeAt(matched) === unit) matched++;
      if (matched === needle.length) return i + 1 - matched;
    }
    return -1;
  };
}

/** For each prefix of the needle, the length of its longest proper border (prefix that is also a suffix). */
function bordersOf(needle: string): Int32Array {
  const borders = new Int32Array(needle.length);
  let length = 0;
  for (let i = 1; i < needle.length; i++) {
    const unit = needle.charCodeAt(i);
    while (length > 0 && needle.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (needle.charCodeAt(length) === unit) length++;
    borders[i] = length;
  }
  return borders;
}
