/**
 * Reads POSIX basic and extended regular expressions with GNU's additions (`\w \W \s \S \b \B \< \> \` \' \+ \? \|`).
 *
 * Where programs differ (a `*` with nothing before it, `{` that is no interval, an unmatched `)`), a dialect says
 * which way. Messages are the C library's. Not covered: collating elements of more than one character.
 */
import { CharSetBuilder, isWord, singleChar } from './char-set.js';
import { readBracket } from './parse-bracket.js';
import { type RegexNode, RegexSyntaxError, type RegexTree } from './regex-tree.js';

/** How one program reads patterns. */
export interface PosixDialect {
  /** Extended syntax: `+ ? | ( ) { }` are operators without a backslash. */
  readonly extended: boolean;
  /** What a repetition with nothing to repeat means in extended syntax: nothing, an error, or the character. */
  readonly danglingRepeat: 'skip' | 'error' | 'literal';
  /** An interval that is none (`a{x`) stands for itself in extended syntax. */
  readonly literalBadInterval: boolean;
  /** `{n,m}` is an operator. Default true. */
  readonly intervals?: boolean;
  /** A `)` without `(` stands for itself in extended syntax. */
  readonly literalRightParen: boolean;
  /** A backslash escapes inside brackets (awk). */
  readonly bracketEscapes?: boolean;
  /** Characters are bytes: classes hold ASCII only. */
  readonly bytes?: boolean;
  /** GNU's additions are known. Default true. */
  readonly gnu?: boolean;
  /** In basic syntax `+` and `?` are operators without a backslash (emacs, the default of find). */
  readonly plainPlus?: boolean;
  /** `^` and `$` hold at line breaks inside the text, too. */
  readonly multiline?: boolean;
  /** `.` and negated brackets do not match a line break. */
  readonly newlineStops?: boolean;
  readonly ignoreCase: boolean;
}

/** The highest count of an interval. */
const MAX_REPEAT = 32_767;

/** Reads a pattern. Raises {@link RegexSyntaxError}. */
export function parsePosix(pattern: string, dialect: PosixDialect): RegexTree {
  return new PosixParser([...pattern].map(codeOf), dialect).parse();
}

function codeOf(text: string): number {
  return text.codePointAt(0) ?? 0;
}

const code = (character: string): number => character.charCodeAt(0);
const [BACKSLASH, STAR, PLUS, QUESTION, BAR] = ['\\', '*', '+', '?', '|'].map(code) as [
  number,
  number,
  number,
  number,
  number,
];
const [OPEN, CLOSE, BRACE, END_BRACE, BRACKET] = ['(', ')', '{', '}', '['].map(code) as [
  number,
  number,
  number,
  number,
  number,
];
const [CARET, DOLLAR, DOT, COMMA] = ['^', '$', '.', ','].map(code) as [number, number, number, number];

/** The operator that stands at a place, once backslashes are seen through. */
type Operator = 'star' | 'plus' | 'question' | 'bar' | 'open' | 'close' | 'brace';

class PosixParser {
  private at = 0;
  private groups = 0;
  private readonly closed = new Set<number>();
  private depth = 0;
  private backtracks = false;
  private readonly warnings: string[] = [];

  constructor(
    private readonly codes: readonly number[],
    private readonly dialect: PosixDialect,
  ) {}

  parse(): RegexTree {
    const node = this.alternatives();
    if (this.at < this.codes.length) throw new RegexSyntaxError('Unmatched ) or \\)');
    return {
      node,
      groups: this.groups,
      needsBacktracking: this.backtracks,
      longest: true,
      warnings: this.warnings,
    };
  }

  private operator(at = this.at): { readonly name: Operator; readonly width: number } | undefined {
    const { extended, plainPlus, gnu } = this.dialect;
    const escaped = this.codes[at] === BACKSLASH;
    const here = escaped ? this.codes[at + 1] : this.codes[at];
    const width = escaped ? 2 : 1;
    if (here === STAR) return escaped ? undefined : { name: 'star', width };
    const isOperator = escaped !== extended;
    if (here === PLUS || here === QUESTION) {
      const counts = plainPlus ? !escaped : isOperator;
      if (!counts || (!extended && gnu === false)) return undefined;
      return { name: here === PLUS ? 'plus' : 'question', width };
    }
    if (!isOperator) return undefined;
    if (here === BAR) return !extended && gnu === false ? undefined : { name: 'bar', width };
    if (here === OPEN) return { name: 'open', width };
    if (here === CLOSE) return { name: 'close', width };
    if (here === BRACE && this.dialect.intervals !== false && !plainPlus) return { name: 'brace', width };
    return undefined;
  }

  private alternatives(): RegexNode {
    const nodes = [this.branch()];
    while (this.operator()?.name === 'bar') {
      this.at += this.operator()?.width ?? 1;
      nodes.push(this.branch());
    }
    const [only] = nodes;
    return nodes.length === 1 && only !== undefined ? only : { kind: 'alternatives', nodes };
  }

  private branch(): RegexNode {
    const nodes: RegexNode[] = [];
    let fresh = true;
    while (this.at < this.codes.length) {
      const operator = this.operator();
      if (operator?.name === 'bar') break;
      if (operator?.name === 'close') {
        if (this.depth > 0) break;
        if (!this.dialect.extended || !this.dialect.literalRightParen)
          throw new RegexSyntaxError('Unmatched ) or \\)');
      }
      const atom = this.atom(fresh);
      if (atom === undefined) continue;
      const isAnchor = atom.kind === 'assert' && atom.what === 'lineStart';
      const piece = this.repeated(atom, isAnchor);
      nodes.push(piece);
      fresh = !this.dialect.extended && isAnchor && fresh;
    }
    const [only] = nodes;
    if (only === undefined) return { kind: 'empty' };
    return nodes.length === 1 ? only : { kind: 'concat', nodes };
  }

  private literal(value: number): RegexNode {
    const folded = this.dialect.ignoreCase;
    return { kind: 'set', set: singleChar(value, folded), ...(!folded && { literal: value }) };
  }

  /** One thing that may be repeated; undefined where a dangling repetition was dropped. */
  private atom(fresh: boolean): RegexNode | undefined {
    const operator = this.operator();
    const here = this.codes[this.at] ?? 0;
    if (operator?.name === 'open') return this.group(operator.width);
    if (operator !== undefined && operator.name !== 'close')
      return this.dangling(operator.name, operator.width, fresh);
    if (here === BACKSLASH) return this.escape();
    this.at++;
    if (here === BRACKET) {
      const { set, next } = readBracket(this.codes, this.at, this.dialect);
      this.at = next;
      return { kind: 'set', set };
    }
    if (here === DOT) return { kind: 'set', set: this.anything() };
    const multiline = this.dialect.multiline === true;
    if (here === CARET && (this.dialect.extended || fresh))
      return { kind: 'assert', what: 'lineStart', multiline };
    if (here === DOLLAR && (this.dialect.extended || this.endsBranch()))
      return { kind: 'assert', what: 'lineEnd', multiline };
    return this.literal(here);
  }

  private anything(): ReturnType<CharSetBuilder['build']> {
    const none = new CharSetBuilder();
    if (this.dialect.newlineStops) none.add(10);
    return none.negate().build();
  }

  private endsBranch(): boolean {
    if (this.at >= this.codes.length) return true;
    const name = this.operator()?.name;
    return name === 'bar' || (name === 'close' && this.depth > 0);
  }

  /** A repetition with nothing before it. */
  private dangling(name: Operator, width: number, fresh: boolean): RegexNode | undefined {
    const { extended, danglingRepeat } = this.dialect;
    const shown = name === 'brace' ? '{...}' : String.fromCharCode(this.codes[this.at + width - 1] ?? 0);
    if (!extended) {
      if (name === 'brace' && fresh) throw new RegexSyntaxError('Invalid preceding regular expression');
      this.at += width;
      return this.literal(this.codes[this.at - 1] ?? 0);
    }
    if (danglingRepeat === 'error') throw new RegexSyntaxError('Invalid preceding regular expression');
    if (danglingRepeat === 'literal') {
      this.at += width;
      return this.literal(this.codes[this.at - 1] ?? 0);
    }
    this.warnings.push(`warning: ${shown} at start of expression`);
    if (name !== 'brace') {
      this.at += width;
      return undefined;
    }
    this.at += width;
    if (this.interval() === undefined) return this.literal(BRACE);
    return undefined;
  }

  private group(width: number): RegexNode {
    this.at += width;
    const index = ++this.groups;
    if (this.depth >= 250) throw new RegexSyntaxError('Regular expression too big');
    this.depth++;
    const node = this.alternatives();
    this.depth--;
    const operator = this.operator();
    if (operator?.name !== 'close') throw new RegexSyntaxError('Unmatched ( or \\(');
    this.at += operator.width;
    this.closed.add(index);
    return { kind: 'group', node, index };
  }

  private escape(): RegexNode {
    const next = this.codes[this.at + 1];
    if (next === undefined) throw new RegexSyntaxError('Trailing backslash');
    this.at += 2;
    if (next >= 49 && next <= 57) {
      const index = next - 48;
      if (!this.closed.has(index)) throw new RegexSyntaxError('Invalid back reference');
      this.backtracks = true;
      return { kind: 'backreference', index, ignoreCase: this.dialect.ignoreCase };
    }
    if (this.dialect.gnu === false) return this.literal(next);
    return gnuEscape(next) ?? this.literal(next);
  }

  private repeated(atom: RegexNode, isAnchor: boolean): RegexNode {
    let node = atom;
    for (;;) {
      const operator = this.operator();
      if (operator === undefined) return node;
      const { name, width } = operator;
      if (name !== 'star' && name !== 'plus' && name !== 'question' && name !== 'brace') return node;
      if (isAnchor) {
        if (!this.dialect.extended) return node;
        if (this.dialect.danglingRepeat === 'error')
          throw new RegexSyntaxError('Invalid preceding regular expression');
        if (name !== 'brace') {
          this.warnings.push(
            `warning: ${String.fromCharCode(this.codes[this.at] ?? 0)} at start of expression`,
          );
          this.at += width;
          continue;
        }
      }
      const start = this.at;
      this.at += width;
      if (name === 'brace') {
        const counts = this.interval();
        if (counts === undefined) {
          this.at = start + width;
          node = { kind: 'concat', nodes: [node, this.literal(BRACE)] };
          return node;
        }
        node = { kind: 'repeat', node, ...counts, mode: 'greedy' };
        continue;
      }
      const min = name === 'plus' ? 1 : 0;
      const max = name === 'question' ? 1 : Number.POSITIVE_INFINITY;
      node = { kind: 'repeat', node, min, max, mode: 'greedy' };
    }
  }

  /** Reads `n}`, `n,}`, `,m}` or `n,m}`; undefined where a bad one stands for itself. */
  private interval(): { readonly min: number; readonly max: number } | undefined {
    const bad = (message: string): undefined => {
      if (this.dialect.extended && this.dialect.literalBadInterval && message !== 'too big') return undefined;
      throw new RegexSyntaxError(message === 'too big' ? 'Regular expression too big' : message);
    };
    const low = this.number();
    let high = low;
    if (this.codes[this.at] === COMMA) {
      this.at++;
      high = this.number() ?? Number.POSITIVE_INFINITY;
    } else if (low === undefined)
      return bad(this.at < this.codes.length ? 'Invalid content of \\{\\}' : this.unclosed());
    if (!this.closesInterval())
      return bad(this.at >= this.codes.length ? this.unclosed() : 'Invalid content of \\{\\}');
    const min = low ?? 0;
    const max = high ?? min;
    if (max < min) throw new RegexSyntaxError('Invalid content of \\{\\}');
    if (min > MAX_REPEAT || (max !== Number.POSITIVE_INFINITY && max > MAX_REPEAT)) return bad('too big');
    return { min, max };
  }

  private unclosed(): string {
    return 'Unmatched \\{';
  }

  private closesInterval(): boolean {
    const escaped = !this.dialect.extended;
    if (escaped && this.codes[this.at] === BACKSLASH && this.codes[this.at + 1] === END_BRACE) {
      this.at += 2;
      return true;
    }
    if (!escaped && this.codes[this.at] === END_BRACE) {
      this.at++;
      return true;
    }
    return false;
  }

  private number(): number | undefined {
    let value: number | undefined;
    for (;;) {
      const here = this.codes[this.at];
      if (here === undefined || here < 48 || here > 57) return value;
      value = Math.min((value ?? 0) * 10 + here - 48, 1_000_000);
      this.at++;
    }
  }
}

/** GNU's escapes; undefined for a character that stands for itself. */
function gnuEscape(next: number): RegexNode | undefined {
  const assert = (
    what: 'wordStart' | 'wordEnd' | 'wordBoundary' | 'notWordBoundary' | 'textStart' | 'textEnd',
  ) => ({ kind: 'assert', what, multiline: false }) as const;
  const word = new CharSetBuilder().addTest(isWord);
  const space = new CharSetBuilder().addTest((value) => value === 32 || (value >= 9 && value <= 13));
  switch (String.fromCodePoint(next)) {
    case 'w':
      return { kind: 'set', set: word.build() };
    case 'W':
      return { kind: 'set', set: word.negate().build() };
    case 's':
      return { kind: 'set', set: space.build() };
    case 'S':
      return { kind: 'set', set: space.negate().build() };
    case 'b':
      return assert('wordBoundary');
    case 'B':
      return assert('notWordBoundary');
    case '<':
      return assert('wordStart');
    case '>':
      return assert('wordEnd');
    case '`':
      return assert('textStart');
    case "'":
      return assert('textEnd');
    default:
      return undefined;
  }
}
