/**
 * Compiles a regular expression's tree to a program of simple instructions, forwards or backwards.
 *
 * The program is the classic one (sets, splits, jumps, saves, assertions). Backwards, concatenations are turned
 * round and assertions look the other way, so that one pass from the end of a text finds every place where a match
 * can start. Counted repetitions are unrolled.
 */
import type { CharSet } from './char-set.js';
import { type Assertion, MAX_INSTRUCTIONS, type RegexNode, RegexSyntaxError } from './regex-tree.js';

/** One instruction. */
export type Instruction =
  | { readonly op: 'set'; readonly set: CharSet }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'assert'; readonly what: Assertion; readonly multiline: boolean }
  | { readonly op: 'backreference'; readonly index: number; readonly ignoreCase: boolean }
  /** Remembers where an iteration starts, and refuses one that took nothing. */
  | { readonly op: 'loopStart'; readonly slot: number }
  | { readonly op: 'loopCheck'; readonly slot: number }
  /** Runs a program of its own at this place: look-around, or an atomic group (which moves on). */
  | {
      readonly op: 'look';
      readonly program: Program;
      readonly behind: boolean;
      readonly negated: boolean;
      readonly atomic: boolean;
    }
  | { readonly op: 'keep' }
  | { readonly op: 'fail' }
  | { readonly op: 'match' };

/** A compiled expression. */
export interface Program {
  readonly code: readonly Instruction[];
  /** Save slots: two for each group, then loop registers. */
  readonly slots: number;
  readonly hasAssertions: boolean;
}

/** What to compile for. */
export interface CompileOptions {
  readonly groups: number;
  readonly backwards?: boolean;
  /** Emit checks against empty iterations, which backtracking needs. */
  readonly checkLoops?: boolean;
  /** Leave saves out, for automata. */
  readonly withoutSaves?: boolean;
}

/** Compiles a tree. Raises {@link RegexSyntaxError} where it grows too big. */
export function compileProgram(node: RegexNode, options: CompileOptions): Program {
  const compiler = new Compiler(options);
  compiler.emit(node);
  compiler.push({ op: 'match' });
  return { code: compiler.code, slots: compiler.slots, hasAssertions: compiler.hasAssertions };
}

const FLIPPED: Partial<Record<Assertion, Assertion>> = {
  lineStart: 'lineEnd',
  lineEnd: 'lineStart',
  textStart: 'textEnd',
  textEnd: 'textStart',
  wordStart: 'wordEnd',
  wordEnd: 'wordStart',
  noWordBefore: 'noWordAfter',
  noWordAfter: 'noWordBefore',
};

class Compiler {
  readonly code: Instruction[] = [];
  slots: number;
  hasAssertions = false;

  constructor(private readonly options: CompileOptions) {
    this.slots = 2 * (options.groups + 1);
  }

  push(instruction: Instruction): number {
    if (this.code.length >= MAX_INSTRUCTIONS) throw new RegexSyntaxError('Regular expression too big');
    this.code.push(instruction);
    return this.code.length - 1;
  }

  emit(node: RegexNode): void {
    switch (node.kind) {
      case 'empty':
        return;
      case 'fail':
        this.push({ op: 'fail' });
        return;
      case 'set':
        this.push({ op: 'set', set: node.set });
        return;
      case 'concat': {
        const nodes = this.options.backwards ? [...node.nodes].reverse() : node.nodes;
        for (const one of nodes) this.emit(one);
        return;
      }
      case 'alternatives':
        this.alternatives(node.nodes);
        return;
      case 'repeat':
        this.repeat(node);
        return;
      case 'group':
        this.group(node.node, node.index);
        return;
      case 'assert':
        this.hasAssertions = true;
        this.push({
          op: 'assert',
          what: this.options.backwards ? (FLIPPED[node.what] ?? node.what) : node.what,
          multiline: node.multiline,
        });
        return;
      case 'backreference':
        this.push({ op: 'backreference', index: node.index, ignoreCase: node.ignoreCase });
        return;
      case 'look':
      case 'atomic':
        this.inner(node);
        return;
      case 'keep':
        this.push({ op: 'keep' });
        return;
    }
  }

  private inner(node: RegexNode & { kind: 'look' | 'atomic' }): void {
    const behind = node.kind === 'look' && node.behind;
    const program = compileProgram(node.node, { ...this.options, checkLoops: true });
    const negated = node.kind === 'look' && node.negated;
    this.push({ op: 'look', program, behind, negated, atomic: node.kind === 'atomic' });
    this.slots = Math.max(this.slots, program.slots);
  }

  private alternatives(nodes: readonly RegexNode[]): void {
    const jumps: { op: 'jump'; to: number }[] = [];
    nodes.forEach((node, at) => {
      if (at === nodes.length - 1) {
        this.emit(node);
        return;
      }
      const split = this.split();
      split.first = this.code.length;
      this.emit(node);
      const jump: { op: 'jump'; to: number } = { op: 'jump', to: 0 };
      this.push(jump);
      jumps.push(jump);
      split.second = this.code.length;
    });
    for (const jump of jumps) jump.to = this.code.length;
  }

  private group(node: RegexNode, index: number): void {
    if (this.options.withoutSaves || this.options.backwards || index === 0) {
      this.emit(node);
      return;
    }
    this.push({ op: 'save', slot: 2 * index });
    this.emit(node);
    this.push({ op: 'save', slot: 2 * index + 1 });
  }

  private repeat(node: RegexNode & { kind: 'repeat' }): void {
    if (node.mode === 'possessive') {
      const greedy: RegexNode = { ...node, mode: 'greedy' };
      this.inner({ kind: 'atomic', node: greedy });
      return;
    }
    for (let i = 0; i < node.min; i++) this.emit(node.node);
    const lazy = node.mode === 'lazy';
    if (node.max === Number.POSITIVE_INFINITY) {
      this.loop(node.node, lazy);
      return;
    }
    const splits: { op: 'split'; first: number; second: number }[] = [];
    for (let i = node.min; i < node.max; i++) {
      splits.push(this.split());
      this.emit(node.node);
    }
    for (const split of splits) this.target(split, { at: this.code.length, lazy });
  }

  private split(): { op: 'split'; first: number; second: number } {
    const split: { op: 'split'; first: number; second: number } = { op: 'split', first: 0, second: 0 };
    const at = this.push(split);
    split.first = at + 1;
    return split;
  }

  /** Where a split goes when the repetition is left; lazily that is tried first. */
  private target(
    split: { first: number; second: number },
    { at, lazy }: { readonly at: number; readonly lazy: boolean },
  ): void {
    split.second = at;
    if (lazy) [split.first, split.second] = [split.second, split.first];
  }

  private loop(node: RegexNode, lazy: boolean): void {
    const start = this.code.length;
    const split = this.split();
    const slot = this.options.checkLoops ? this.slots++ : -1;
    if (slot >= 0) this.push({ op: 'loopStart', slot });
    this.emit(node);
    if (slot >= 0) this.push({ op: 'loopCheck', slot });
    this.push({ op: 'jump', to: start });
    this.target(split, { at: this.code.length, lazy });
  }
}
