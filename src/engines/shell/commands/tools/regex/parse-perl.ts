/**
 * Reads Perl-compatible regular expressions for `grep -P`: classes, lazy and possessive repetition, named groups,
 * look-around, atomic groups, inline options, `\K`, `\G`, `\Q…\E`, back-references.
 *
 * Not covered: recursion, conditionals, callouts, verbs, branch reset, `\X`; they are refused by name. Messages are
 * PCRE2's. Matching counts its steps (see `backtrack.ts`), so no pattern runs away.
 */
import { type CharSet, CharSetBuilder, inClass, isClassName, isWord, singleChar } from './char-set.js';
import { type Assertion, type RegexNode, RegexSyntaxError, type RegexTree } from './regex-tree.js';

/** Reads a pattern. Raises {@link RegexSyntaxError}. */
export function parsePerl(pattern: string, ignoreCase: boolean): RegexTree {
  return new PerlParser([...pattern], ignoreCase).parse();
}

interface Modes {
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
  extended: boolean;
}

const SHORTHANDS: Readonly<Record<string, (code: number) => boolean>> = {
  d: (code) => code >= 48 && code <= 57,
  w: isWord,
  s: (code) => code === 32 || (code >= 9 && code <= 13),
  h: (code) => code === 32 || code === 9 || code === 0xa0,
  v: (code) => (code >= 10 && code <= 13) || code === 0x85 || code === 0x2028 || code === 0x2029,
};
const CONTROLS: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, e: 27, a: 7 };
const ANCHORS: Readonly<Record<string, Assertion>> = {
  b: 'wordBoundary',
  B: 'notWordBoundary',
  A: 'textStart',
  z: 'textEnd',
  Z: 'lastLineEnd',
  G: 'searchStart',
};

class PerlParser {
  private at = 0;
  private groups = 0;
  private readonly names = new Map<string, number>();
  private modes: Modes;
  private depth = 0;

  constructor(
    private readonly text: readonly string[],
    ignoreCase: boolean,
  ) {
    this.modes = { ignoreCase, multiline: true, dotAll: false, extended: false };
  }

  parse(): RegexTree {
    const node = this.alternatives();
    if (this.at < this.text.length) throw new RegexSyntaxError('unmatched closing parenthesis');
    return {
      node,
      groups: this.groups,
      needsBacktracking: true,
      longest: false,
      names: this.names,
      warnings: [],
    };
  }

  private looking(words: string): boolean {
    return this.text.slice(this.at, this.at + words.length).join('') === words;
  }

  private take(words: string): boolean {
    if (!this.looking(words)) return false;
    this.at += words.length;
    return true;
  }

  private alternatives(): RegexNode {
    const saved = { ...this.modes };
    const nodes = [this.branch()];
    while (this.take('|')) nodes.push(this.branch());
    this.modes = saved;
    const [only] = nodes;
    return nodes.length === 1 && only !== undefined ? only : { kind: 'alternatives', nodes };
  }

  private branch(): RegexNode {
    const nodes: RegexNode[] = [];
    while (this.at < this.text.length && !this.looking('|') && !this.looking(')')) {
      if (this.modes.extended && this.skipsSpace()) continue;
      if (this.take('\\Q')) nodes.push(...this.quoted());
      else nodes.push(this.repeated(this.atom()));
    }
    return { kind: 'concat', nodes };
  }

  private skipsSpace(): boolean {
    const here = this.text[this.at] ?? '';
    if (/\s/.test(here)) {
      this.at++;
      return true;
    }
    if (here !== '#') return false;
    while (this.at < this.text.length && this.text[this.at] !== '\n') this.at++;
    return true;
  }

  private quoted(): RegexNode[] {
    const nodes: RegexNode[] = [];
    while (this.at < this.text.length && !this.take('\\E'))
      nodes.push(this.literal(this.text[this.at++] ?? ''));
    return nodes;
  }

  private literal(character: string): RegexNode {
    const code = character.codePointAt(0) ?? 0;
    const folded = this.modes.ignoreCase;
    return { kind: 'set', set: singleChar(code, folded), ...(!folded && { literal: code }) };
  }

  private atom(): RegexNode {
    const here = this.text[this.at++] ?? '';
    const { multiline } = this.modes;
    switch (here) {
      case '(':
        return this.group();
      case '[':
        return { kind: 'set', set: this.bracket() };
      case '.': {
        const none = new CharSetBuilder();
        if (!this.modes.dotAll) none.add(10);
        return { kind: 'set', set: none.negate().build() };
      }
      case '^':
        return { kind: 'assert', what: 'lineStart', multiline };
      case '$':
        return { kind: 'assert', what: 'lineEnd', multiline };
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
        throw new RegexSyntaxError('quantifier does not follow a repeatable item');
      default:
        return this.literal(here);
    }
  }

  private repeated(atom: RegexNode): RegexNode {
    let node = atom;
    for (;;) {
      const counts = this.counts();
      if (counts === undefined) return node;
      const mode = this.take('?') ? 'lazy' : this.take('+') ? 'possessive' : 'greedy';
      node = { kind: 'repeat', node, ...counts, mode };
    }
  }

  private counts(): { readonly min: number; readonly max: number } | undefined {
    if (this.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.take('?')) return { min: 0, max: 1 };
    const found = /^\{(\d+)(,(\d*))?\}/.exec(this.text.slice(this.at, this.at + 16).join(''));
    if (found === null) return undefined;
    this.at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (min > 65_535 || (max > 65_535 && max !== Number.POSITIVE_INFINITY))
      throw new RegexSyntaxError('number too big in {} quantifier');
    if (max < min) throw new RegexSyntaxError('numbers out of order in {} quantifier');
    return { min, max };
  }

  private group(): RegexNode {
    if (++this.depth > 250) throw new RegexSyntaxError('parentheses are too deeply nested');
    const node = this.groupBody();
    this.depth--;
    return node;
  }

  private groupBody(): RegexNode {
    const look = (behind: boolean, negated: boolean): RegexNode => {
      return { kind: 'look', node: this.inside(), behind, negated };
    };
    if (this.take('?:')) return this.inside();
    if (this.take('?=')) return look(false, false);
    if (this.take('?!')) return look(false, true);
    if (this.take('?<=')) return look(true, false);
    if (this.take('?<!')) return look(true, true);
    if (this.take('?>')) return { kind: 'atomic', node: this.inside() };
    if (this.take('?#')) {
      while (this.at < this.text.length && !this.take(')')) this.at++;
      return { kind: 'empty' };
    }
    if (this.looking('*')) throw new RegexSyntaxError('(*VERB) not recognized or malformed');
    if (this.take('?')) return this.named() ?? this.options();
    return this.capture();
  }

  private inside(): RegexNode {
    const node = this.alternatives();
    if (!this.take(')')) throw new RegexSyntaxError('missing closing parenthesis');
    return node;
  }

  private capture(): RegexNode {
    const index = ++this.groups;
    return { kind: 'group', node: this.inside(), index };
  }

  /** `(?<name>…)`, `(?'name'…)`, `(?P<name>…)`, `(?P=name)`; undefined for another `(?`. */
  private named(): RegexNode | undefined {
    const rest = this.text.slice(this.at, this.at + 70).join('');
    const found = /^(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/.exec(rest);
    if (found !== null) {
      this.at += found[0].length;
      this.names.set(found[1] ?? found[2] ?? '', this.groups + 1);
      return this.capture();
    }
    const back = /^P=([A-Za-z_]\w*)\)/.exec(rest);
    if (back === null) return undefined;
    this.at += back[0].length;
    return this.nameReference(back[1] ?? '');
  }

  private nameReference(name: string): RegexNode {
    const index = this.names.get(name);
    if (index === undefined) throw new RegexSyntaxError('reference to non-existent subpattern');
    return { kind: 'backreference', index, ignoreCase: this.modes.ignoreCase };
  }

  /** `(?i)` and `(?i:…)`. */
  private options(): RegexNode {
    const found = /^([imsx]*)(?:-([imsx]*))?([:)])/.exec(this.text.slice(this.at, this.at + 20).join(''));
    if (found === null) throw new RegexSyntaxError('unrecognized character after (? or (?-');
    this.at += found[0].length;
    const modes = { ...this.modes };
    for (const [letters, value] of [
      [found[1] ?? '', true],
      [found[2] ?? '', false],
    ] as const) {
      if (letters.includes('i')) modes.ignoreCase = value;
      if (letters.includes('m')) modes.multiline = value;
      if (letters.includes('s')) modes.dotAll = value;
      if (letters.includes('x')) modes.extended = value;
    }
    if (found[3] === ')') {
      this.modes = modes;
      return { kind: 'empty' };
    }
    const before = this.modes;
    this.modes = modes;
    const node = this.inside();
    this.modes = before;
    return node;
  }

  private shorthand(letter: string): CharSetBuilder | undefined {
    const test = SHORTHANDS[letter.toLowerCase()];
    if (test === undefined || !Object.hasOwn(SHORTHANDS, letter.toLowerCase())) return undefined;
    const builder = new CharSetBuilder().addTest(test);
    return letter === letter.toLowerCase() ? builder : builder.negate();
  }

  private escape(): RegexNode {
    const letter = this.text[this.at++];
    if (letter === undefined) throw new RegexSyntaxError('\\ at end of pattern');
    const anchor = Object.hasOwn(ANCHORS, letter) ? ANCHORS[letter] : undefined;
    if (anchor !== undefined) return { kind: 'assert', what: anchor, multiline: false };
    if (letter === 'K') return { kind: 'keep' };
    if (letter === 'N') return { kind: 'set', set: new CharSetBuilder().add(10).negate().build() };
    if (letter === 'R')
      return { kind: 'set', set: new CharSetBuilder().addTest(SHORTHANDS.v ?? isWord).build() };
    if (letter === 'p' || letter === 'P') return { kind: 'set', set: this.property(letter === 'P') };
    if (letter === 'k') return this.kReference();
    if (letter === 'g') return this.gReference();
    const set = this.shorthand(letter);
    if (set !== undefined) return { kind: 'set', set: set.build() };
    if (letter >= '1' && letter <= '9') return this.numbered(letter);
    const code = this.control(letter);
    if (code !== undefined) return this.literal(String.fromCodePoint(code));
    if (/[A-Za-z]/.test(letter)) throw new RegexSyntaxError('unrecognized character follows \\');
    return this.literal(letter);
  }

  private numbered(letter: string): RegexNode {
    let digits = letter;
    while (/^[0-9]$/.test(this.text[this.at] ?? '') && digits.length < 3)
      digits += this.text[this.at++] ?? '';
    const index = Number(digits);
    if (index > this.totalGroups()) throw new RegexSyntaxError('reference to non-existent subpattern');
    return { kind: 'backreference', index, ignoreCase: this.modes.ignoreCase };
  }

  private totalGroups(): number {
    const text = this.text.join('');
    return (text.match(/\((?!\?[^<P'])/g) ?? []).length;
  }

  private kReference(): RegexNode {
    const found = /^(?:<(\w+)>|\{(\w+)\}|'(\w+)')/.exec(this.text.slice(this.at, this.at + 70).join(''));
    if (found === null)
      throw new RegexSyntaxError('\\k is not followed by a braced, angle-bracketed, or quoted name');
    this.at += found[0].length;
    return this.nameReference(found[1] ?? found[2] ?? found[3] ?? '');
  }

  private gReference(): RegexNode {
    const found = /^(?:\{(-?\d+|\w+)\}|(-?\d+))/.exec(this.text.slice(this.at, this.at + 70).join(''));
    const name = found?.[1] ?? found?.[2];
    if (found === null || name === undefined)
      throw new RegexSyntaxError('a numbered reference must not be zero');
    this.at += found[0].length;
    if (!/^-?\d+$/.test(name)) return this.nameReference(name);
    const number = Number(name);
    const index = number < 0 ? this.groups + 1 + number : number;
    if (index < 1) throw new RegexSyntaxError('reference to non-existent subpattern');
    return { kind: 'backreference', index, ignoreCase: this.modes.ignoreCase };
  }

  /** Escapes that stand for one character; undefined for others. */
  private control(letter: string): number | undefined {
    if (Object.hasOwn(CONTROLS, letter)) return CONTROLS[letter];
    const rest = this.text.slice(this.at, this.at + 12).join('');
    if (letter === 'x') {
      const found = /^(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{0,2}))/.exec(rest);
      this.at += found?.[0].length ?? 0;
      return Number.parseInt(found?.[1] ?? found?.[2] ?? '0', 16) || 0;
    }
    if (letter === '0') {
      const found = /^[0-7]{0,2}/.exec(rest);
      this.at += found?.[0].length ?? 0;
      return Number.parseInt(found?.[0] || '0', 8);
    }
    return undefined;
  }

  private property(negated: boolean): CharSet {
    const found = /^(?:\{(\^?)([A-Za-z]+)\}|([A-Z]))/.exec(this.text.slice(this.at, this.at + 40).join(''));
    if (found === null) throw new RegexSyntaxError('malformed \\P or \\p sequence');
    this.at += found[0].length;
    const name = found[2] ?? found[3] ?? '';
    let pattern: RegExp;
    try {
      pattern = new RegExp(`^\\p{${name}}$`, 'u');
    } catch {
      throw new RegexSyntaxError('unknown property after \\P or \\p');
    }
    const builder = new CharSetBuilder().addTest((code) => pattern.test(String.fromCodePoint(code)));
    return (negated !== (found[1] === '^') ? builder.negate() : builder).build();
  }

  private bracket(): CharSet {
    const builder = new CharSetBuilder();
    const negated = this.take('^');
    let first = true;
    while (first || !this.looking(']')) {
      if (this.at >= this.text.length)
        throw new RegexSyntaxError('missing terminating ] for character class');
      first = false;
      this.bracketElement(builder);
    }
    this.at++;
    if (this.modes.ignoreCase) builder.fold();
    return (negated ? builder.negate() : builder).build();
  }

  private bracketElement(builder: CharSetBuilder): void {
    const named = /^\[:(\^?)([a-z]+):\]/.exec(this.text.slice(this.at, this.at + 16).join(''));
    if (named !== null) {
      const name = named[2] ?? '';
      if (!isClassName(name) && name !== 'word') throw new RegexSyntaxError('unknown POSIX class name');
      this.at += named[0].length;
      const wanted = named[1] !== '^';
      builder.addTest((code) => (name === 'word' ? isWord(code) : inClass(name, code)) === wanted);
      return;
    }
    const low = this.bracketChar(builder);
    if (low === undefined || this.text[this.at] !== '-' || this.text[this.at + 1] === ']') {
      if (low !== undefined) builder.add(low);
      return;
    }
    this.at++;
    const high = this.bracketChar(builder);
    if (high === undefined) {
      builder.add(low).add(45);
      return;
    }
    if (high < low) throw new RegexSyntaxError('range out of order in character class');
    builder.addRange(low, high);
  }

  /** One character of a bracket; undefined where a shorthand class was added instead. */
  private bracketChar(builder: CharSetBuilder): number | undefined {
    const here = this.text[this.at++] ?? '';
    if (here !== '\\') return here.codePointAt(0) ?? 0;
    const letter = this.text[this.at++] ?? '';
    if (letter === 'b') return 8;
    if (letter === 'p' || letter === 'P') {
      const set = this.property(letter === 'P');
      builder.addTest((code) => set.has(code));
      return undefined;
    }
    const lower = letter.toLowerCase();
    if (Object.hasOwn(SHORTHANDS, lower)) {
      const test = SHORTHANDS[lower] ?? isWord;
      builder.addTest((code) => test(code) === (letter === lower));
      return undefined;
    }
    if (letter >= '1' && letter <= '7') {
      const found = /^[0-7]{0,2}/.exec(this.text.slice(this.at, this.at + 2).join(''));
      this.at += found?.[0].length ?? 0;
      return Number.parseInt(letter + (found?.[0] ?? ''), 8);
    }
    return this.control(letter) ?? letter.codePointAt(0) ?? 0;
  }
}
