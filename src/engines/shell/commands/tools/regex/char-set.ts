/**
 * Sets of characters for regular expressions: ranges of code points, POSIX classes, negation and case folding.
 *
 * Membership below 128 is a table; above, ranges and Unicode properties decide, as in the C.UTF-8 locale. Bytes that
 * are no UTF-8 stand in texts as U+DC80 to U+DCFF; only a set that names them contains them (`.` does not).
 */

/** A set of code points. */
export interface CharSet {
  has(code: number): boolean;
}

/** The POSIX classes by name, for code points. */
const CLASSES: Readonly<Record<string, (code: number) => boolean>> = {
  alpha: (code) => (code < 128 ? isAsciiLetter(code) : matches(/^[\p{L}\p{Nl}\p{Nd}]$/u, code)),
  digit: (code) => code >= 48 && code <= 57,
  alnum: (code) =>
    code < 128 ? isAsciiLetter(code) || (code >= 48 && code <= 57) : matches(/^[\p{L}\p{Nl}\p{Nd}]$/u, code),
  upper: (code) => (code < 128 ? code >= 65 && code <= 90 : matches(/^[\p{Lu}\p{Lt}]$/u, code)),
  lower: (code) => (code < 128 ? code >= 97 && code <= 122 : matches(/^\p{Ll}$/u, code)),
  space: (code) =>
    code < 128
      ? code === 32 || (code >= 9 && code <= 13)
      : code !== 0xa0 && matches(/^[\p{Zs}\u2028\u2029]$/u, code),
  blank: (code) => code === 32 || code === 9 || (code > 128 && code !== 0xa0 && matches(/^\p{Zs}$/u, code)),
  punct: (code) =>
    code < 128
      ? code > 32 && code < 127 && !isAsciiLetter(code) && !(code >= 48 && code <= 57)
      : matches(/^[\p{P}\p{S}\p{M}]$/u, code),
  print: (code) => (code < 128 ? code >= 32 && code < 127 : !matches(/^[\p{C}\p{Zl}\p{Zp}]$/u, code)),
  graph: (code) => (code < 128 ? code > 32 && code < 127 : !matches(/^[\p{C}\p{Z}]$/u, code)),
  cntrl: (code) => code < 32 || (code >= 127 && code < 160),
  xdigit: (code) => (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102),
};

/** True for a POSIX class name, such as `alpha`. */
export function isClassName(name: string): boolean {
  return Object.hasOwn(CLASSES, name);
}

/** True if a code point is in a POSIX class; false for unknown classes. */
export function inClass(name: string, code: number): boolean {
  return CLASSES[name]?.(code) ?? false;
}

/** True for letters, digits and the underscore: what `\w` means. */
export function isWord(code: number): boolean {
  if (code < 128) return code === 95 || isAsciiLetter(code) || (code >= 48 && code <= 57);
  return !isRawByte(code) && inClass('alnum', code);
}

/** True for the stand-in of a byte that is no UTF-8. */
function isRawByte(code: number): boolean {
  return code >= 0xdc80 && code <= 0xdcff;
}

function isAsciiLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function matches(pattern: RegExp, code: number): boolean {
  return !isRawByte(code) && pattern.test(String.fromCodePoint(code));
}

/** The other cases of a code point, itself left out; folds that change the length are left out too. */
export function otherCases(code: number): readonly number[] {
  if (code < 128) {
    if (code >= 65 && code <= 90) return [code + 32];
    return code >= 97 && code <= 122 ? [code - 32] : [];
  }
  if (isRawByte(code)) return [];
  const text = String.fromCodePoint(code);
  const found = new Set<number>();
  for (const other of [text.toLowerCase(), text.toUpperCase()]) {
    const folded = other.codePointAt(0);
    const single = folded !== undefined && String.fromCodePoint(folded).length === other.length;
    if (single && folded !== code) found.add(folded);
  }
  return [...found];
}

/** Builds a set piece by piece. */
export class CharSetBuilder {
  private readonly table = new Uint8Array(128);
  private readonly ranges: [number, number][] = [];
  private readonly tests: ((code: number) => boolean)[] = [];
  private folded = false;
  private negated = false;

  /** Adds a code point. */
  add(code: number): this {
    return this.addRange(code, code);
  }

  /** Adds the code points from `low` to `high`, both included. */
  addRange(low: number, high: number): this {
    for (let code = low; code <= high && code < 128; code++) this.table[code] = 1;
    if (high >= 128) this.ranges.push([Math.max(low, 128), high]);
    return this;
  }

  /** Adds all code points that pass a test, for example a class. */
  addTest(test: (code: number) => boolean): this {
    for (let code = 0; code < 128; code++) if (test(code)) this.table[code] = 1;
    this.tests.push(test);
    return this;
  }

  /** Makes the set hold every case of its members. */
  fold(): this {
    for (let code = 0; code < 128; code++)
      if (this.table[code] === 1)
        for (const other of otherCases(code)) if (other < 128) this.table[other] = 1;
    this.folded = true;
    return this;
  }

  /** Makes the set hold exactly what it did not hold, raw bytes left out. */
  negate(): this {
    this.negated = !this.negated;
    return this;
  }

  /** The finished set. */
  build(): CharSet {
    const { ranges, tests, folded, negated } = this;
    const table = this.table.map((bit) => (negated ? 1 - bit : bit));
    const above = (code: number): boolean =>
      ranges.some(([low, high]) => code >= low && code <= high) || tests.some((test) => test(code));
    const wide = (code: number): boolean =>
      above(code) ||
      (folded && otherCases(code).some((other) => (other < 128 ? this.table[other] === 1 : above(other))));
    return {
      has: (code) => {
        if (code < 128) return table[code] === 1;
        if (negated) return !isRawByte(code) && !wide(code);
        return wide(code);
      },
    };
  }
}

/** The set of one code point, with its other cases if `ignoreCase`. */
export function singleChar(code: number, ignoreCase: boolean): CharSet {
  const builder = new CharSetBuilder().add(code);
  return (ignoreCase ? builder.fold() : builder).build();
}
