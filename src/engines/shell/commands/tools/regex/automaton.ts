/**
 * Runs a program as a deterministic automaton whose states are made when they are first needed.
 *
 * A state is a set of instructions plus what stood before it (text start, line break, word character, other), so that
 * assertions are decided when the next character is known. Work is linear in the text for any expression; the states
 * kept are bounded, and all are dropped when they grow too many. Source: R. Cox, "Regular expression matching can be
 * simple and fast". Not covered: back-references and Perl's constructs (see `backtrack.ts`).
 */
import { isWord } from './char-set.js';
import type { Program } from './program.js';
import type { Assertion } from './regex-tree.js';

/** What stands beside a place. */
const EDGE = 0;
const BREAK = 1;
const WORD = 2;
const OTHER = 3;
type Beside = 0 | 1 | 2 | 3;

/** The most states kept. */
const MAX_STATES = 2_000;

interface State {
  readonly pcs: readonly number[];
  readonly before: Beside;
  readonly ascii: (State | undefined)[];
  readonly wide: Map<number, State>;
  /** For each kind of next character: the instructions after jumps and assertions, and whether a match ends here. */
  readonly closures: ({ readonly sets: readonly number[]; readonly matches: boolean } | undefined)[];
  readonly dead: boolean;
}

/** The kind of character, as assertions see it. */
function kindOf(code: number): Beside {
  if (code === 10) return BREAK;
  return isWord(code) ? WORD : OTHER;
}

/** True if an assertion holds between two neighbours. */
function holds(what: Assertion, multiline: boolean, [before, after]: readonly [Beside, Beside]): boolean {
  switch (what) {
    case 'lineStart':
      return before === EDGE || (multiline && before === BREAK);
    case 'lineEnd':
      return after === EDGE || (multiline && after === BREAK);
    case 'textStart':
      return before === EDGE;
    case 'textEnd':
      return after === EDGE;
    case 'wordBoundary':
      return (before === WORD) !== (after === WORD);
    case 'notWordBoundary':
      return (before === WORD) === (after === WORD);
    case 'wordStart':
      return before !== WORD && after === WORD;
    case 'wordEnd':
      return before === WORD && after !== WORD;
    case 'noWordBefore':
      return before !== WORD;
    case 'noWordAfter':
      return after !== WORD;
    default:
      return false;
  }
}

/** An automaton over code points, forwards or backwards. */
export class Automaton {
  private states = new Map<string, State>();
  private starts: (State | undefined)[] = [];
  private readonly marks: Uint32Array;
  private mark = 0;

  /** `unanchored`: the expression may start at any place, as if `.*` stood before it. */
  constructor(
    private readonly program: Program,
    private readonly unanchored: boolean,
  ) {
    this.marks = new Uint32Array(program.code.length);
  }

  /** The furthest end of a match that starts at `from`, or -1. */
  longest(text: string, from: number): number {
    let state = this.start(text, from);
    let best = -1;
    let at = from;
    while (at < text.length) {
      const code = text.codePointAt(at) ?? 0;
      if (this.matchesBefore(state, code)) best = at;
      state = this.step(state, code);
      if (state.dead) return best;
      at += code > 0xffff ? 2 : 1;
    }
    return this.closure(state, EDGE).matches ? at : best;
  }

  /** True if a match ends anywhere at or after `from`. */
  found(text: string, from: number): boolean {
    let state = this.start(text, from);
    for (let at = from; at < text.length; ) {
      const code = text.codePointAt(at) ?? 0;
      if (this.matchesBefore(state, code)) return true;
      state = this.step(state, code);
      if (state.dead) return false;
      at += code > 0xffff ? 2 : 1;
    }
    return this.closure(state, EDGE).matches;
  }

  /** Reads backwards from the end; marks every place where the (backwards) program can end, i.e. a match can start. */
  marksFromEnd(text: string): Uint8Array {
    const marked = new Uint8Array(text.length + 1);
    let state = this.startState(EDGE);
    let at = text.length;
    while (at > 0) {
      const low = text.charCodeAt(at - 1);
      const pair = low >= 0xdc00 && low <= 0xdfff && at > 1 ? (text.codePointAt(at - 2) ?? 0) : 0;
      const code = pair > 0xffff ? pair : low;
      if (this.matchesBefore(state, code)) marked[at] = 1;
      state = this.step(state, code);
      at -= code > 0xffff ? 2 : 1;
    }
    if (this.closure(state, EDGE).matches) marked[0] = 1;
    return marked;
  }

  private start(text: string, from: number): State {
    if (from === 0 || !this.program.hasAssertions) return this.startState(EDGE);
    const low = text.charCodeAt(from - 1);
    const pair = low >= 0xdc00 && low <= 0xdfff && from > 1 ? (text.codePointAt(from - 2) ?? 0) : 0;
    return this.startState(kindOf(pair > 0xffff ? pair : low));
  }

  private startState(before: Beside): State {
    const known = this.starts[before];
    if (known !== undefined) return known;
    const made = this.state([0], before);
    this.starts[before] = made;
    return made;
  }

  private matchesBefore(state: State, code: number): boolean {
    return this.closure(state, this.program.hasAssertions ? kindOf(code) : OTHER).matches;
  }

  private state(pcs: readonly number[], before: Beside): State {
    const key = `${before}:${pcs.join(',')}`;
    const known = this.states.get(key);
    if (known !== undefined) return known;
    if (this.states.size >= MAX_STATES) {
      this.states = new Map();
      this.starts = [];
    }
    const made: State = { pcs, before, ascii: [], wide: new Map(), closures: [], dead: pcs.length === 0 };
    this.states.set(key, made);
    return made;
  }

  private closure(
    state: State,
    after: Beside,
  ): { readonly sets: readonly number[]; readonly matches: boolean } {
    const known = state.closures[after];
    if (known !== undefined) return known;
    const sets: number[] = [];
    let matches = false;
    const { code } = this.program;
    const stack = [...state.pcs].reverse();
    this.mark++;
    while (stack.length > 0) {
      const pc = stack.pop() ?? 0;
      if (this.marks[pc] === this.mark) continue;
      this.marks[pc] = this.mark;
      const one = code[pc];
      if (one === undefined) continue;
      if (one.op === 'set') sets.push(pc);
      else if (one.op === 'match') matches = true;
      else if (one.op === 'split') stack.push(one.second, one.first);
      else if (one.op === 'jump') stack.push(one.to);
      else if (one.op === 'assert') {
        if (holds(one.what, one.multiline, [state.before, after])) stack.push(pc + 1);
      } else if (one.op !== 'fail') stack.push(pc + 1);
    }
    const made = { sets, matches };
    state.closures[after] = made;
    return made;
  }

  private step(state: State, code: number): State {
    const known = code < 128 ? state.ascii[code] : state.wide.get(code);
    if (known !== undefined) return known;
    const kind = this.program.hasAssertions ? kindOf(code) : OTHER;
    const next = new Set<number>();
    for (const pc of this.closure(state, kind).sets) {
      const one = this.program.code[pc];
      if (one?.op === 'set' && one.set.has(code)) next.add(pc + 1);
    }
    if (this.unanchored) next.add(0);
    const made = this.state(
      [...next].sort((a, b) => a - b),
      kind,
    );
    if (code < 128) state.ascii[code] = made;
    else if (state.wide.size < 4_000) state.wide.set(code, made);
    return made;
  }
}
