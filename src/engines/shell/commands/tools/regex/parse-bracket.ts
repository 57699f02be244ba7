/**
 * Reads bracket expressions: ranges, POSIX classes, equivalence classes, single collating elements.
 */
import { type CharSet, CharSetBuilder, inClass, isClassName } from './char-set.js';
import { RegexSyntaxError } from './regex-tree.js';

/** What of a dialect matters inside brackets. */
export interface BracketDialect {
  readonly ignoreCase: boolean;
  readonly bracketEscapes?: boolean;
  readonly newlineStops?: boolean;
  readonly bytes?: boolean;
}

const UNMATCHED = 'Unmatched [, [^, [:, [., or [=';

/** Reads the bracket expression whose `[` stands before `at`. Raises {@link RegexSyntaxError}. */
export function readBracket(
  codes: readonly number[],
  at: number,
  dialect: BracketDialect,
): { readonly set: CharSet; readonly next: number } {
  return new BracketReader(codes, at, dialect).read();
}

const code = (character: string): number => character.charCodeAt(0);
const [CLOSE, DASH, CARET, OPEN, BACKSLASH] = [']', '-', '^', '[', '\\'].map(code) as [
  number,
  number,
  number,
  number,
  number,
];

class BracketReader {
  private readonly builder = new CharSetBuilder();

  constructor(
    private readonly codes: readonly number[],
    private at: number,
    private readonly dialect: BracketDialect,
  ) {}

  read(): { readonly set: CharSet; readonly next: number } {
    if (this.at >= this.codes.length) throw new RegexSyntaxError('Invalid regular expression');
    const negated = this.codes[this.at] === CARET;
    if (negated) this.at++;
    if (this.at >= this.codes.length) throw new RegexSyntaxError('Invalid regular expression');
    const start = this.at;
    for (;;) {
      const here = this.codes[this.at];
      if (here === undefined) throw new RegexSyntaxError(UNMATCHED);
      if (here === CLOSE && this.at > start) break;
      this.element();
    }
    this.at++;
    this.refuseBareClass(start);
    if (this.dialect.ignoreCase) this.builder.fold();
    if (negated) {
      if (this.dialect.newlineStops) this.builder.add(10);
      this.builder.negate();
    }
    return { set: this.builder.build(), next: this.at };
  }

  /** GNU programs refuse `[:space:]`, which somebody wrote for `[[:space:]]`. */
  private refuseBareClass(start: number): void {
    const inside = this.codes.slice(start, this.at - 1);
    const bare = inside.length > 2 && inside[0] === code(':') && inside[inside.length - 1] === code(':');
    if (bare && this.dialect.bracketEscapes !== true)
      throw new RegexSyntaxError('character class syntax is [[:space:]], not [:space:]');
  }

  private element(): void {
    const special = this.codes[this.at] === OPEN ? this.codes[this.at + 1] : undefined;
    if (special === code(':')) {
      const name = this.named(':');
      if (!isClassName(name)) throw new RegexSyntaxError('Invalid character class name');
      const folded = this.dialect.ignoreCase && (name === 'upper' || name === 'lower') ? 'alpha' : name;
      const { bytes } = this.dialect;
      this.builder.addTest((value) => (bytes !== true || value < 128) && inClass(folded, value));
      return;
    }
    const low = this.single();
    const isRange = this.codes[this.at] === DASH && this.codes[this.at + 1] !== CLOSE;
    if (!isRange || this.at + 1 >= this.codes.length) {
      this.builder.add(low);
      return;
    }
    this.at++;
    const high = this.single();
    if (high < low) throw new RegexSyntaxError('Invalid range end');
    this.builder.addRange(low, high);
  }

  /** One character, also as `[.x.]` or `[=x=]`. */
  private single(): number {
    const here = this.codes[this.at] ?? 0;
    const next = this.codes[this.at + 1];
    if (here === OPEN && (next === code('.') || next === code('='))) {
      const name = [...this.named(next === code('.') ? '.' : '=')];
      const [only] = name;
      if (name.length !== 1 || only === undefined) throw new RegexSyntaxError('Invalid collation character');
      return only.codePointAt(0) ?? 0;
    }
    if (here === BACKSLASH && this.dialect.bracketEscapes && next !== undefined) {
      this.at += 2;
      return next;
    }
    this.at++;
    return here;
  }

  /** Reads `[:name:]` and the like. */
  private named(mark: string): string {
    let name = '';
    for (let i = this.at + 2; i < this.codes.length; i++) {
      const here = this.codes[i] ?? 0;
      if (here === code(mark) && this.codes[i + 1] === CLOSE) {
        this.at = i + 2;
        return name;
      }
      name += String.fromCodePoint(here);
    }
    throw new RegexSyntaxError(UNMATCHED);
  }
}
