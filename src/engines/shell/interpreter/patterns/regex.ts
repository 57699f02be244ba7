/**
 * Extended regular expressions of `[[ … =~ … ]]`, matched in time linear in text times expression.
 *
 * The idea: a Thompson machine whose threads carry their groups (Pike); the leftmost match wins, and of those the
 * longest, as POSIX asks. Groups of equally long matches follow the order of alternatives, which differs
 * from POSIX in rare nested cases. Not covered: back-references. Source: POSIX, ERE, and glibc's `\w \s \b \< \>`.
 */
import { type BracketSet, matchesSet, readBracketSet } from './brackets.js';

type Step =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'set'; readonly set: BracketSet }
  | { readonly kind: 'split'; readonly first: number; readonly second: number }
  | { readonly kind: 'jump'; readonly to: number }
  | { readonly kind: 'save'; readonly slot: number }
  | { readonly kind: 'assert'; readonly what: '^' | '$' | 'b' | 'B' | '<' | '>' }
  | { readonly kind: 'match' };

type Tree =
  | { readonly kind: 'atom'; readonly step: Step }
  | { readonly kind: 'empty' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Tree[] }
  | { readonly kind: 'group'; readonly index: number; readonly inner: Tree }
  | { readonly kind: 'repeat'; readonly inner: Tree; readonly min: number; readonly max: number };

const MAX_STEPS = 20_000;
const MAX_REPEAT = 32_767;

/** An expression that is none. */
export class RegexError extends Error {
  override readonly name = 'RegexError';
}

/** Reads an expression into a tree. */
class RegexReader {
  groups = 0;
  private at = 0;

  constructor(private readonly source: string) {}

  readAll(): Tree {
    const tree = this.readChoice(0);
    if (this.at < this.source.length) throw new RegexError('Unmatched ) or \\)');
    return tree;
  }

  private readChoice(depth: number): Tree {
    if (depth > 100) throw new RegexError('Regular expression too big');
    const parts = [this.readSequence(depth)];
    while (this.source[this.at] === '|') {
      this.at += 1;
      parts.push(this.readSequence(depth));
    }
    return parts.length === 1 ? (parts[0] as Tree) : { kind: 'choice', parts };
  }

  private readSequence(depth: number): Tree {
    const parts: Tree[] = [];
    while (this.at < this.source.length) {
      const char = this.source[this.at];
      if (char === '|' || (char === ')' && depth > 0)) break;
      parts.push(this.readRepeated(depth));
    }
    return { kind: 'sequence', parts };
  }

  private readRepeated(depth: number): Tree {
    let tree = this.readAtom(depth);
    for (;;) {
      const char = this.source[this.at];
      const bounds =
        char === '{' ? /^\{(\d*)(,?)(\d*)\}/.exec(this.source.slice(this.at, this.at + 16)) : null;
      if (char === '*') tree = { kind: 'repeat', inner: tree, min: 0, max: Number.POSITIVE_INFINITY };
      else if (char === '+') tree = { kind: 'repeat', inner: tree, min: 1, max: Number.POSITIVE_INFINITY };
      else if (char === '?') tree = { kind: 'repeat', inner: tree, min: 0, max: 1 };
      else if (bounds !== null) {
        const min = Number(bounds[1] ?? 0);
        const max = bounds[2] === '' ? min : bounds[3] === '' ? Number.POSITIVE_INFINITY : Number(bounds[3]);
        if (min > max || min > MAX_REPEAT) throw new RegexError('Invalid content of \\{\\}');
        tree = { kind: 'repeat', inner: tree, min, max };
        this.at += bounds[0].length;
        continue;
      } else return tree;
      this.at += 1;
    }
  }

  private readAtom(depth: number): Tree {
    const { source } = this;
    const char = String.fromCodePoint(source.codePointAt(this.at) ?? 0);
    if (char === '*' || char === '+' || char === '?') {
      if (char === '*' && this.at === 0) {
        this.at += 1;
        return { kind: 'atom', step: { kind: 'char', char } };
      }
      throw new RegexError('Invalid preceding regular expression');
    }
    if (char === '(') {
      this.groups += 1;
      const index = this.groups;
      this.at += 1;
      const inner = this.readChoice(depth + 1);
      if (source[this.at] !== ')') throw new RegexError('Unmatched ( or \\(');
      this.at += 1;
      return { kind: 'group', index, inner };
    }
    if (char === '[') {
      const found = readBracketSet(source, this.at, true);
      if (found === undefined) throw new RegexError('Unmatched [, [^, [:, [., or [=');
      this.at = found.end;
      return { kind: 'atom', step: { kind: 'set', set: found.set } };
    }
    this.at += char.length;
    if (char === '.') return { kind: 'atom', step: { kind: 'any' } };
    if (char === '^' || char === '$') return { kind: 'atom', step: { kind: 'assert', what: char } };
    if (char === '\\') return this.readEscape();
    return { kind: 'atom', step: { kind: 'char', char } };
  }

  private readEscape(): Tree {
    if (this.at >= this.source.length) throw new RegexError('Trailing backslash');
    const char = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0);
    this.at += char.length;
    if (char === 'b' || char === 'B' || char === '<' || char === '>')
      return { kind: 'atom', step: { kind: 'assert', what: char } };
    const named = { w: '[[:word:]]', W: '[^[:word:]]', s: '[[:space:]]', S: '[^[:space:]]' }[char];
    const found = named === undefined ? undefined : readBracketSet(named, 0, true);
    if (found !== undefined) return { kind: 'atom', step: { kind: 'set', set: found.set } };
    return { kind: 'atom', step: { kind: 'char', char } };
  }
}

/** A compiled expression. */
export class Regex {
  private readonly steps: Step[] = [];
  readonly groups: number;

  /** @throws RegexError */
  constructor(
    source: string,
    private readonly ignoreCase = false,
  ) {
    const reader = new RegexReader(source);
    const tree = reader.readAll();
    this.groups = reader.groups;
    this.emit(tree);
    this.add({ kind: 'match' });
  }

  private add(step: Step): number {
    if (this.steps.length >= MAX_STEPS) throw new RegexError('Regular expression too big');
    this.steps.push(step);
    return this.steps.length - 1;
  }

  private emit(tree: Tree): void {
    if (tree.kind === 'atom') this.add(tree.step);
    else if (tree.kind === 'sequence') for (const part of tree.parts) this.emit(part);
    else if (tree.kind === 'group') {
      this.add({ kind: 'save', slot: tree.index * 2 });
      this.emit(tree.inner);
      this.add({ kind: 'save', slot: tree.index * 2 + 1 });
    } else if (tree.kind === 'choice') this.emitChoice(tree.parts);
    else if (tree.kind === 'repeat') this.emitRepeat(tree);
  }

  private emitChoice(parts: readonly Tree[]): void {
    const jumps: number[] = [];
    parts.forEach((part, index) => {
      if (index === parts.length - 1) {
        this.emit(part);
        return;
      }
      const split = this.add({ kind: 'match' });
      this.emit(part);
      jumps.push(this.add({ kind: 'match' }));
      this.steps[split] = { kind: 'split', first: split + 1, second: this.steps.length };
    });
    for (const jump of jumps) this.steps[jump] = { kind: 'jump', to: this.steps.length };
  }

  private emitRepeat({ inner, min, max }: Tree & { kind: 'repeat' }): void {
    for (let count = 0; count < min; count += 1) this.emit(inner);
    if (max === Number.POSITIVE_INFINITY) {
      const split = this.add({ kind: 'match' });
      this.emit(inner);
      this.add({ kind: 'jump', to: split });
      this.steps[split] = { kind: 'split', first: split + 1, second: this.steps.length };
      return;
    }
    const splits: number[] = [];
    for (let count = min; count < max; count += 1) {
      splits.push(this.add({ kind: 'match' }));
      this.emit(inner);
    }
    for (const split of splits)
      this.steps[split] = { kind: 'split', first: split + 1, second: this.steps.length };
  }

  /** The groups of the leftmost-longest match, the whole first; undefined when there is none. */
  match(text: string): (string | undefined)[] | undefined {
    const chars = /[\ud800-\udbff]/.test(text) ? [...text] : text.split('');
    const found = new RegexRun(this.steps, chars, this.ignoreCase).run();
    if (found === undefined) return undefined;
    const groups: (string | undefined)[] = [];
    for (let index = 0; index <= this.groups; index += 1) {
      const from = found[index * 2];
      const to = found[index * 2 + 1];
      groups.push(from === undefined || to === undefined ? undefined : chars.slice(from, to).join(''));
    }
    return groups;
  }
}

type Slots = readonly (number | undefined)[];
interface Thread {
  readonly at: number;
  readonly slots: Slots;
}

/** One search. */
class RegexRun {
  private seen = new Int32Array(0);
  private round = 0;

  constructor(
    private readonly steps: readonly Step[],
    private readonly chars: readonly string[],
    private readonly ignoreCase: boolean,
  ) {
    this.seen = new Int32Array(steps.length).fill(-1);
  }

  run(): Slots | undefined {
    let threads: Thread[] = [];
    let best: Slots | undefined;
    for (let at = 0; at <= this.chars.length; at += 1) {
      this.round += 1;
      const current: Thread[] = [];
      for (const thread of threads) this.follow(thread.at, thread.slots, { at, into: current });
      if (best === undefined) this.follow(0, [at], { at, into: current });
      threads = [];
      const char = this.chars[at];
      for (const thread of current) {
        const step = this.steps[thread.at] as Step;
        if (step.kind === 'match') {
          const start = thread.slots[0] as number;
          if (
            best === undefined ||
            start < (best[0] as number) ||
            (start === best[0] && at > (best[1] as number))
          )
            best = [start, at, ...thread.slots.slice(2)];
        } else if (char !== undefined && this.accepts(step, char))
          threads.push({ at: thread.at + 1, slots: thread.slots });
      }
      if (best !== undefined) {
        const first = best[0] as number;
        threads = threads.filter((thread) => (thread.slots[0] as number) <= first);
        if (threads.length === 0) return best;
      }
    }
    return best;
  }

  private accepts(step: Step, char: string): boolean {
    if (step.kind === 'char')
      return step.char === char || (this.ignoreCase && step.char.toLowerCase() === char.toLowerCase());
    if (step.kind === 'set') return matchesSet(step.set, char, this.ignoreCase);
    return step.kind === 'any';
  }

  /** Adds the consuming steps that can be reached without taking a character. */
  private follow(start: number, slots: Slots, place: { at: number; into: Thread[] }): void {
    const stack: Thread[] = [{ at: start, slots }];
    for (let thread = stack.pop(); thread !== undefined; thread = stack.pop()) {
      if (this.seen[thread.at] === this.round) continue;
      this.seen[thread.at] = this.round;
      const step = this.steps[thread.at] as Step;
      if (step.kind === 'jump') stack.push({ at: step.to, slots: thread.slots });
      else if (step.kind === 'split') {
        stack.push({ at: step.second, slots: thread.slots });
        stack.push({ at: step.first, slots: thread.slots });
      } else if (step.kind === 'save') {
        const changed = thread.slots.slice();
        changed[step.slot] = place.at;
        stack.push({ at: thread.at + 1, slots: changed });
      } else if (step.kind === 'assert') {
        if (this.holds(step.what, place.at)) stack.push({ at: thread.at + 1, slots: thread.slots });
      } else place.into.push(thread);
    }
  }

  private holds(what: string, at: number): boolean {
    if (what === '^') return at === 0;
    if (what === '$') return at === this.chars.length;
    const before = at > 0 && /[\p{L}\p{N}_]/u.test(this.chars[at - 1] as string);
    const after = at < this.chars.length && /[\p{L}\p{N}_]/u.test(this.chars[at] as string);
    if (what === 'b') return before !== after;
    if (what === 'B') return before === after;
    return what === '<' ? !before && after : before && !after;
  }
}
