/**
 * Regular expressions for the commands: one compiled object with a bounded search, leftmost-longest or Perl's.
 *
 * Without back-references a search is an automaton's: linear in the text. Groups' places are found afterwards, inside
 * the match only. Expressions that need backtracking count their steps and raise {@link RegexBudgetError}.
 */
import { Automaton } from './automaton.js';
import { backtrack } from './backtrack.js';
import { compileProgram, type Program } from './program.js';
import type { RegexNode, RegexTree } from './regex-tree.js';

/** Places of a match: start, end, then start and end of each group (-1 for none), in UTF-16 units. */
export type RegexMatch = ArrayLike<number>;

/** A compiled regular expression. */
export class Regex {
  /** The number of capturing groups. */
  readonly groups: number;
  /** What the reader warned of. */
  readonly warnings: readonly string[];
  private readonly forward: Automaton | undefined;
  private readonly anywhere: Automaton | undefined;
  private backward: Automaton | undefined;
  private readonly tree: RegexTree;
  private saving: Program | undefined;
  private readonly prefix: string;
  private readonly anchored: boolean;
  private marks: { readonly text: string; readonly starts: Uint8Array } | undefined;

  /** Compiles a tree. Raises `RegexSyntaxError` where it is too big. */
  constructor(tree: RegexTree) {
    this.tree = tree;
    this.groups = tree.groups;
    this.warnings = tree.warnings;
    this.prefix = literalPrefix(tree.node);
    this.anchored = startsAnchored(tree.node);
    if (tree.needsBacktracking) {
      this.saving = compileProgram(tree.node, { groups: tree.groups, checkLoops: true });
      return;
    }
    const program = compileProgram(tree.node, { groups: tree.groups, withoutSaves: true });
    this.forward = new Automaton(program, false);
    this.anywhere = new Automaton(program, true);
  }

  /** True if the text has a match at or after `from`. */
  test(text: string, from = 0): boolean {
    if (this.anywhere === undefined) return this.search(text, from) !== null;
    if (this.prefix !== '' && text.indexOf(this.prefix, from) < 0) return false;
    return this.anywhere.found(text, from);
  }

  /** Start and end of the leftmost match at or after `from`, without groups; null for none. */
  span(text: string, from = 0): RegexMatch | null {
    const { forward } = this;
    if (forward === undefined) return this.search(text, from);
    if (this.anchored) {
      if (from > 0) return null;
      const end = forward.longest(text, 0);
      return end < 0 ? null : [0, end];
    }
    if (this.prefix === '') return this.scan(text, from);
    let at = text.indexOf(this.prefix, from);
    for (let tries = 0; at >= 0; tries++, at = text.indexOf(this.prefix, at + 1)) {
      // After many failed places the scan, whose work is linear, takes over.
      if (tries >= 40) return this.scan(text, at);
      const end = forward.longest(text, at);
      if (end >= 0) return [at, end];
    }
    return null;
  }

  /** The leftmost match at or after `from` with its groups; null for none. */
  search(text: string, from = 0): RegexMatch | null {
    if (this.forward === undefined) return this.searchBacktracking(text, from);
    const span = this.span(text, from);
    if (span === null || this.groups === 0) return span;
    this.saving ??= compileProgram(this.tree.node, { groups: this.groups });
    const [start = 0, end = 0] = [span[0], span[1]];
    return backtrack(this.saving, text, start, { end }) ?? span;
  }

  /** The match that starts exactly at `at`; null for none. */
  matchAt(text: string, at: number): RegexMatch | null {
    const { forward } = this;
    if (forward === undefined) return this.backtrackAt(text, at, at);
    const end = forward.longest(text, at);
    if (end < 0) return null;
    if (this.groups === 0) return [at, end];
    this.saving ??= compileProgram(this.tree.node, { groups: this.groups });
    return backtrack(this.saving, text, at, { end }) ?? [at, end];
  }

  private scan(text: string, from: number): RegexMatch | null {
    const { forward, anywhere } = this;
    if (forward === undefined || anywhere === undefined) return null;
    if (!anywhere.found(text, from)) return null;
    let at = from;
    for (let tries = 0; tries < 40 && at <= text.length; tries++, at = after(text, at)) {
      const end = forward.longest(text, at);
      if (end >= 0) return [at, end];
    }
    if (this.marks?.text !== text) {
      this.backward ??= new Automaton(
        compileProgram(this.tree.node, { groups: this.groups, backwards: true }),
        true,
      );
      this.marks = { text, starts: this.backward.marksFromEnd(text) };
    }
    const found = this.marks.starts.indexOf(1, at);
    return found < 0 ? null : [found, forward.longest(text, found)];
  }

  private searchBacktracking(text: string, from: number): RegexMatch | null {
    for (let at = from; at <= text.length; at = after(text, at)) {
      const found = this.backtrackAt(text, at, from);
      if (found !== null) return found;
      if (this.anchored) return null;
    }
    return null;
  }

  private backtrackAt(text: string, at: number, searchStart: number): RegexMatch | null {
    const { saving } = this;
    if (saving === undefined) return null;
    return backtrack(saving, text, at, { longest: this.tree.longest, searchStart });
  }
}

/** The place after the character at `at`. */
function after(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

/** Literal text that every match starts with. */
function literalPrefix(node: RegexNode): string {
  if (node.kind === 'set') return node.literal === undefined ? '' : String.fromCodePoint(node.literal);
  if (node.kind === 'group') return literalPrefix(node.node);
  if (node.kind === 'repeat') return node.min > 0 ? literalPrefix(node.node) : '';
  if (node.kind !== 'concat') return '';
  let prefix = '';
  for (const one of node.nodes) {
    prefix += literalPrefix(one);
    if (one.kind !== 'set' || one.literal === undefined) break;
  }
  return prefix;
}

/** True if a match can start at the start of the text only. */
function startsAnchored(node: RegexNode): boolean {
  if (node.kind === 'assert')
    return node.what === 'textStart' || (node.what === 'lineStart' && !node.multiline);
  if (node.kind === 'group') return startsAnchored(node.node);
  if (node.kind === 'concat') return node.nodes[0] !== undefined && startsAnchored(node.nodes[0]);
  if (node.kind === 'alternatives') return node.nodes.length > 0 && node.nodes.every(startsAnchored);
  return false;
}
