/**
 * Shell patterns: `*`, `?`, `[…]` and the extended ones, matched in bounded time.
 *
 * The idea: a pattern without groups is matched with the two-pointer method, which is linear in text times pattern.
 * One with groups works on sets of end positions, each computed once per place, so that nothing backtracks. Quoted
 * characters come with a backslash in front. Source: bash manual, Pattern Matching.
 */
import { type BracketSet, matchesSet, readBracketSet } from './brackets.js';

type Node =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | { readonly kind: 'set'; readonly set: BracketSet }
  | {
      readonly kind: 'group';
      readonly operator: string;
      readonly choices: readonly (readonly Node[])[];
    };

/** How a pattern is read and compared. */
export interface PatternOptions {
  readonly extglob?: boolean;
  readonly ignoreCase?: boolean;
}

/** A compiled pattern. */
export class Pattern {
  private readonly nodes: readonly Node[];
  private readonly hasGroups: boolean;
  private readonly ignoreCase: boolean;
  /** The text that a pattern without any magic stands for. */
  readonly literal: string | undefined;

  private mirror: Pattern | undefined;

  constructor(source: string | readonly Node[], options: PatternOptions = {}) {
    this.ignoreCase = options.ignoreCase === true;
    if (typeof source === 'string') {
      this.nodes = new PatternReader(source, options.extglob === true).readAll();
    } else this.nodes = source;
    this.hasGroups = this.nodes.some((node) => node.kind === 'group');
    const plain = !this.ignoreCase && this.nodes.every((node) => node.kind === 'char');
    this.literal = plain
      ? this.nodes.map((node) => (node.kind === 'char' ? node.char : '')).join('')
      : undefined;
  }

  /** The pattern that matches the texts of this one read backwards. */
  get reversed(): Pattern {
    this.mirror ??= new Pattern(reverseNodes(this.nodes), { ignoreCase: this.ignoreCase });
    return this.mirror;
  }

  /** Whether the pattern matches the whole text. */
  test(text: string): boolean {
    if (this.literal !== undefined) return this.literal === text;
    const chars = charsOf(text);
    return this.hasGroups ? this.ends(chars, 0).has(chars.length) : this.matchPlain(chars, 0, chars.length);
  }

  /** The ends of all matches that begin at `start`, in characters. */
  ends(chars: readonly string[], start: number): ReadonlySet<number> {
    if (!this.hasGroups) return this.plainEnds(chars, start);
    return new GroupMatch(chars, this.ignoreCase).sequence(this.nodes, 0, start);
  }

  private one(node: Node, char: string): boolean {
    return matchesOne(node, char, this.ignoreCase);
  }

  private matchPlain(chars: readonly string[], from: number, to: number): boolean {
    const { nodes } = this;
    let at = from;
    let index = 0;
    let starIndex = -1;
    let starAt = 0;
    while (at < to) {
      const node = nodes[index];
      if (node?.kind === 'star') {
        starIndex = index;
        starAt = at;
        index += 1;
      } else if (node !== undefined && this.one(node, chars[at] as string)) {
        index += 1;
        at += 1;
      } else if (starIndex !== -1) {
        index = starIndex + 1;
        starAt += 1;
        at = starAt;
      } else return false;
    }
    while (nodes[index]?.kind === 'star') index += 1;
    return index === nodes.length;
  }

  /** All ends at once: the set of pattern places that each character leads to. */
  private plainEnds(chars: readonly string[], start: number): ReadonlySet<number> {
    const { nodes } = this;
    const found = new Set<number>();
    let active = new Uint8Array(nodes.length + 1);
    active[0] = 1;
    for (let at = start; ; at += 1) {
      for (let index = 0; index < nodes.length; index += 1)
        if (active[index] === 1 && nodes[index]?.kind === 'star') active[index + 1] = 1;
      if (active[nodes.length] === 1) found.add(at);
      if (at >= chars.length) return found;
      const next = new Uint8Array(nodes.length + 1);
      let alive = false;
      for (let index = 0; index < nodes.length; index += 1) {
        if (active[index] !== 1) continue;
        const node = nodes[index] as Node;
        if (node.kind === 'star') next[index] = 1;
        else if (this.one(node, chars[at] as string)) next[index + 1] = 1;
        else continue;
        alive = true;
      }
      if (!alive) return found;
      active = next;
    }
  }
}

function reverseNodes(nodes: readonly Node[]): Node[] {
  return nodes
    .map((node) => (node.kind === 'group' ? { ...node, choices: node.choices.map(reverseNodes) } : node))
    .reverse();
}

/** The characters of a text; whole code points where there are any beyond 16 bits. */
export function charsOf(text: string): readonly string[] {
  return /[\ud800-\udbff]/.test(text) ? [...text] : text.split('');
}

function matchesOne(node: Node, char: string, ignoreCase: boolean): boolean {
  if (node.kind === 'char')
    return node.char === char || (ignoreCase && node.char.toLowerCase() === char.toLowerCase());
  if (node.kind === 'set') return matchesSet(node.set, char, ignoreCase);
  return node.kind === 'any';
}

/** Reads a pattern into nodes. */
class PatternReader {
  private at = 0;

  constructor(
    private readonly source: string,
    private readonly extglob: boolean,
  ) {}

  readAll(): readonly Node[] {
    return this.readSequence(0);
  }

  private readSequence(depth: number): Node[] {
    const nodes: Node[] = [];
    const { source } = this;
    while (this.at < source.length) {
      const char = String.fromCodePoint(source.codePointAt(this.at) ?? 0);
      if (depth > 0 && (char === '|' || char === ')')) return nodes;
      if (this.extglob && '?*+@!'.includes(char) && source[this.at + 1] === '(' && depth < 60) {
        const group = this.readGroup(char, depth);
        if (group !== undefined) {
          nodes.push(group);
          continue;
        }
      }
      if (char === '\\' && this.at + 1 < source.length) {
        const next = String.fromCodePoint(source.codePointAt(this.at + 1) ?? 0);
        nodes.push({ kind: 'char', char: next });
        this.at += 1 + next.length;
        continue;
      }
      const set = char === '[' ? readBracketSet(source, this.at) : undefined;
      if (set !== undefined) {
        nodes.push({ kind: 'set', set: set.set });
        this.at = set.end;
        continue;
      }
      this.at += char.length;
      if (char === '*') {
        if (nodes[nodes.length - 1]?.kind !== 'star') nodes.push({ kind: 'star' });
      } else nodes.push(char === '?' ? { kind: 'any' } : { kind: 'char', char });
    }
    return nodes;
  }

  private readGroup(operator: string, depth: number): Node | undefined {
    const start = this.at;
    this.at += 2;
    const choices: Node[][] = [];
    for (;;) {
      choices.push(this.readSequence(depth + 1));
      const end = this.source[this.at];
      this.at += 1;
      if (end === ')') return { kind: 'group', operator, choices };
      if (end === undefined) {
        this.at = start;
        return undefined;
      }
    }
  }
}

/** Matching with groups: for each node list and place the set of ends, computed once. */
class GroupMatch {
  private readonly known = new Map<readonly Node[], Map<number, ReadonlySet<number>>>();

  constructor(
    private readonly chars: readonly string[],
    private readonly ignoreCase: boolean,
  ) {}

  sequence(nodes: readonly Node[], index: number, start: number): ReadonlySet<number> {
    const kept = index === 0 ? this.known.get(nodes)?.get(start) : undefined;
    if (kept !== undefined) return kept;
    let places: Set<number> = new Set([start]);
    for (let at = index; at < nodes.length && places.size > 0; at += 1) {
      const node = nodes[at] as Node;
      const next = new Set<number>();
      if (node.kind === 'star') {
        const first = Math.min(...places);
        for (let end = first; end <= this.chars.length; end += 1) next.add(end);
      } else if (node.kind === 'group') {
        for (const place of places) for (const end of this.group(node, place)) next.add(end);
      } else {
        for (const place of places)
          if (place < this.chars.length && matchesOne(node, this.chars[place] as string, this.ignoreCase))
            next.add(place + 1);
      }
      places = next;
    }
    if (index === 0) {
      const byStart = this.known.get(nodes) ?? new Map<number, ReadonlySet<number>>();
      byStart.set(start, places);
      this.known.set(nodes, byStart);
    }
    return places;
  }

  private group(node: Node & { kind: 'group' }, start: number): ReadonlySet<number> {
    const once = (from: number): Set<number> => {
      const ends = new Set<number>();
      for (const choice of node.choices) for (const end of this.sequence(choice, 0, from)) ends.add(end);
      return ends;
    };
    if (node.operator === '@') return once(start);
    if (node.operator === '?') return once(start).add(start);
    if (node.operator === '!') {
      const matched = once(start);
      const ends = new Set<number>();
      for (let end = start; end <= this.chars.length; end += 1) if (!matched.has(end)) ends.add(end);
      return ends;
    }
    const ends = node.operator === '*' ? new Set([start]) : new Set<number>();
    const seen = new Set([start]);
    const queue = [start];
    for (let from = queue.pop(); from !== undefined; from = queue.pop()) {
      for (const end of once(from)) {
        ends.add(end);
        if (!seen.has(end)) {
          seen.add(end);
          queue.push(end);
        }
      }
    }
    return ends;
  }
}

const compiled = new Map<string, Pattern>();

/** Compiles a pattern, keeping the ones that were used lately. */
export function patternOf(source: string, options: PatternOptions = {}): Pattern {
  const key = `${options.extglob === true ? 'x' : ''}${options.ignoreCase === true ? 'i' : ''}/${source}`;
  const kept = compiled.get(key);
  if (kept !== undefined) return kept;
  if (compiled.size > 500) compiled.clear();
  const pattern = new Pattern(source, options);
  compiled.set(key, pattern);
  return pattern;
}

/** Whether a text has characters that make it a pattern; `\` quotes. */
export function hasMagic(source: string, extglob: boolean): boolean {
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at] as string;
    if (char === '\\') at += 1;
    else if (char === '*' || char === '?') return true;
    else if (char === '[' && source.indexOf(']', at + 2) !== -1) return true;
    else if (extglob && '+@!'.includes(char) && source[at + 1] === '(') return true;
  }
  return false;
}

/** Puts a backslash before every character that a pattern would take for magic. */
export function quotePattern(text: string): string {
  return text.replace(/[\\*?[\]()|+@!^-]/g, '\\$&');
}
