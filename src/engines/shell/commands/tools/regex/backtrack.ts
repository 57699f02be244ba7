/**
 * Runs a program by backtracking: for groups' places, back-references and Perl's constructs.
 *
 * With a fixed end and no back-references, a place that failed once is never tried again, so the work is bounded by
 * instructions times characters. Else steps are counted and a match that takes too many is given up with
 * {@link RegexBudgetError}. Choices are taken in order, greedy first; iterations do not forget the groups of earlier
 * ones, as in the C library.
 */
import { isWord, otherCases } from './char-set.js';
import type { Instruction, Program } from './program.js';
import { type Assertion, RegexBudgetError } from './regex-tree.js';

/** The most steps that one match may take. */
const MAX_STEPS = 3_000_000;
/** The most bits that remember failed places. */
const MAX_MEMORY = 1 << 27;

/** How to run. */
export interface BacktrackOptions {
  /** The match must end here; the memory of failures is then used. */
  readonly end?: number;
  /** Look on for the longest match. */
  readonly longest?: boolean;
  /** Where the search began, for `\G`. */
  readonly searchStart?: number;
}

/** Places by slot: start and end of the match, then of each group; -1 for none. Null where nothing matches. */
export function backtrack(
  program: Program,
  text: string,
  from: number,
  options: BacktrackOptions = {},
): Int32Array | null {
  return new Backtracker(program, text, options).run(from);
}

class Backtracker {
  private readonly slots: Int32Array;
  private readonly steps = { left: MAX_STEPS };
  private readonly failed: Uint8Array | undefined;
  private kept = -1;

  constructor(
    private readonly program: Program,
    private readonly text: string,
    private readonly options: BacktrackOptions,
  ) {
    this.slots = new Int32Array(program.slots).fill(-1);
    const bits = options.end === undefined ? 0 : program.code.length * (text.length + 1);
    if (bits > MAX_MEMORY) throw new RegexBudgetError('memory exhausted');
    if (bits > 0) this.failed = new Uint8Array((bits >> 3) + 1);
  }

  run(from: number): Int32Array | null {
    const { longest, end } = this.options;
    let best: Int32Array | null = null;
    this.explore(this.program, { pc: 0, at: from }, (at) => {
      if (end !== undefined && at !== end) return false;
      if (best === null || at > (best[1] ?? -1)) {
        best = this.slots.slice();
        best[0] = this.kept >= 0 ? this.kept : from;
        best[1] = at;
      }
      return !longest || at === this.text.length;
    });
    return best;
  }

  /** Tries paths in order until `accept` is content; true then. Slots keep what the accepted path saved. */
  private explore(
    program: Program,
    start: { readonly pc: number; readonly at: number },
    accept: (at: number) => boolean,
  ): boolean {
    // Each entry: kind (-1 a place to try, else a slot to put back), two numbers.
    const stack: number[] = [-1, start.pc, start.at];
    while (stack.length > 0) {
      const second = stack.pop() ?? 0;
      const first = stack.pop() ?? 0;
      const kind = stack.pop() ?? 0;
      if (kind >= 0) {
        this.slots[kind] = first;
        continue;
      }
      if (this.follow(program, { pc: first, at: second, stack }, accept)) return true;
    }
    return false;
  }

  /** Follows one path until it fails or is accepted; alternatives go on the stack. */
  private follow(
    program: Program,
    path: { pc: number; at: number; readonly stack: number[] },
    accept: (at: number) => boolean,
  ): boolean {
    const main = program === this.program;
    for (;;) {
      if (--this.steps.left < 0) throw new RegexBudgetError('exceeded the limit of backtracking');
      if (main && this.failed !== undefined && this.seen(path.pc, path.at)) return false;
      const one = program.code[path.pc];
      if (one === undefined) return false;
      if (one.op === 'match') return accept(path.at);
      if (!this.advance(one, path)) return false;
    }
  }

  private seen(pc: number, at: number): boolean {
    const { failed } = this;
    if (failed === undefined) return false;
    const bit = pc * (this.text.length + 1) + at;
    const byte = failed[bit >> 3] ?? 0;
    const mask = 1 << (bit & 7);
    if ((byte & mask) !== 0) return true;
    failed[bit >> 3] = byte | mask;
    return false;
  }

  private advance(one: Instruction, path: { pc: number; at: number; readonly stack: number[] }): boolean {
    const { text } = this;
    switch (one.op) {
      case 'set': {
        if (path.at >= text.length) return false;
        const code = text.codePointAt(path.at) ?? 0;
        if (!one.set.has(code)) return false;
        path.at += code > 0xffff ? 2 : 1;
        path.pc++;
        return true;
      }
      case 'split':
        path.stack.push(-1, one.second, path.at);
        path.pc = one.first;
        return true;
      case 'jump':
        path.pc = one.to;
        return true;
      case 'save':
      case 'loopStart':
        path.stack.push(one.slot, this.slots[one.slot] ?? -1, 0);
        this.slots[one.slot] = path.at;
        path.pc++;
        return true;
      case 'loopCheck':
        if (this.slots[one.slot] === path.at) return false;
        path.pc++;
        return true;
      case 'assert':
        path.pc++;
        return this.asserted(one.what, one.multiline, path.at);
      case 'backreference':
        path.pc++;
        return this.repeats(one, path);
      case 'look':
        path.pc++;
        return this.look(one, path);
      case 'keep':
        this.kept = path.at;
        path.pc++;
        return true;
      default:
        return false;
    }
  }

  private repeats(one: Instruction & { op: 'backreference' }, path: { at: number }): boolean {
    const [from, to] = [this.slots[2 * one.index] ?? -1, this.slots[2 * one.index + 1] ?? -1];
    if (from < 0 || to < 0) return false;
    const wanted = this.text.slice(from, to);
    const seen = this.text.slice(path.at, path.at + wanted.length);
    if (seen !== wanted && !(one.ignoreCase && sameFolded(seen, wanted))) return false;
    path.at += wanted.length;
    return true;
  }

  private look(one: Instruction & { op: 'look' }, path: { at: number; readonly stack: number[] }): boolean {
    const before = this.slots.slice();
    let end = path.at;
    const starts = one.behind ? lookBehindStarts(path.at) : [path.at];
    let found = false;
    for (const start of starts) {
      found = this.explore(one.program, { pc: 0, at: start }, (at) => {
        end = at;
        return !one.behind || at === path.at;
      });
      if (found) break;
    }
    if (!found || one.negated) this.slots.set(before);
    else
      for (let slot = 0; slot < before.length; slot++)
        if (before[slot] !== this.slots[slot]) path.stack.push(slot, before[slot] ?? -1, 0);
    if (one.atomic && found) path.at = end;
    return found !== one.negated;
  }

  private asserted(what: Assertion, multiline: boolean, at: number): boolean {
    const { text } = this;
    const word = (place: number): boolean =>
      place >= 0 && place < text.length && isWord(text.charCodeAt(place));
    switch (what) {
      case 'lineStart':
        return at === 0 || (multiline && text[at - 1] === '\n');
      case 'lineEnd':
        return at === text.length || (multiline && text[at] === '\n');
      case 'textStart':
        return at === 0;
      case 'textEnd':
        return at === text.length;
      case 'lastLineEnd':
        return at === text.length || (at === text.length - 1 && text[at] === '\n');
      case 'wordBoundary':
        return word(at - 1) !== word(at);
      case 'notWordBoundary':
        return word(at - 1) === word(at);
      case 'wordStart':
        return !word(at - 1) && word(at);
      case 'wordEnd':
        return word(at - 1) && !word(at);
      case 'noWordBefore':
        return !word(at - 1);
      case 'noWordAfter':
        return !word(at);
      case 'searchStart':
        return at === (this.options.searchStart ?? 0);
    }
  }
}

/** Places where a look-behind may start, the nearest first. */
function lookBehindStarts(at: number): readonly number[] {
  return Array.from({ length: Math.min(at, 255) + 1 }, (_, back) => at - back);
}

function sameFolded(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) {
    const [a, b] = [one.charCodeAt(i), other.charCodeAt(i)];
    if (a !== b && !otherCases(a).includes(b)) return false;
  }
  return true;
}
