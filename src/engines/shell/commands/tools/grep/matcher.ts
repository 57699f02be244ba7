/**
 * Turns the patterns of one run of grep into one matcher of lines.
 *
 * Fixed strings without options are searched as strings; everything else becomes one regular expression whose
 * alternatives are the patterns. `-x` and `-w` are assertions around them.
 */

import { singleChar } from '../regex/char-set.js';
import { parsePerl } from '../regex/parse-perl.js';
import { parsePosix } from '../regex/parse-posix.js';
import { Regex } from '../regex/regex.js';
import { type Assertion, type RegexNode, RegexSyntaxError, type RegexTree } from '../regex/regex-tree.js';

/** What the matcher is made of. */
export interface MatcherSettings {
  readonly kind: 'basic' | 'extended' | 'fixed' | 'perl';
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
  readonly wholeLine: boolean;
}

/** Finds matches in lines. */
export interface LineMatcher {
  /** What to tell the user once. */
  readonly warnings: readonly string[];
  test(line: string): boolean;
  /** Start and end of the first match at or after `from`. */
  find(line: string, from: number): readonly [number, number] | null;
}

/** Builds the matcher. Raises `RegexSyntaxError`. */
export function createMatcher(patterns: readonly string[], settings: MatcherSettings): LineMatcher {
  const { kind, ignoreCase, wholeLine, wholeWord } = settings;
  const [only] = patterns;
  if (patterns.length === 0) return { warnings: [], test: () => false, find: () => null };
  if (
    kind === 'fixed' &&
    !ignoreCase &&
    !wholeLine &&
    !wholeWord &&
    patterns.length === 1 &&
    only !== undefined
  )
    return fixedMatcher(only);
  const regex = new Regex(joined(patterns, settings));
  return {
    warnings: regex.warnings,
    test: (line) => regex.test(line),
    find: (line, from) => {
      const found = kind === 'perl' ? regex.search(line, from) : regex.span(line, from);
      return found === null ? null : [found[0] ?? 0, found[1] ?? 0];
    },
  };
}

function fixedMatcher(wanted: string): LineMatcher {
  return {
    warnings: [],
    test: (line) => line.includes(wanted),
    find: (line, from) => {
      const at = line.indexOf(wanted, from);
      return at < 0 ? null : [at, at + wanted.length];
    },
  };
}

/** One tree of all patterns. */
function joined(patterns: readonly string[], settings: MatcherSettings): RegexTree {
  if (settings.kind === 'perl' && patterns.length > 1)
    throw new RegexSyntaxError('the -P option only supports a single pattern');
  const trees: RegexTree[] = [];
  let groups = 0;
  for (const pattern of patterns) {
    const tree = treeOf(pattern, settings);
    trees.push({ ...tree, node: shifted(tree.node, groups) });
    groups += tree.groups;
  }
  const nodes = trees.map((tree) => tree.node);
  const [first] = nodes;
  const node: RegexNode = nodes.length === 1 && first !== undefined ? first : { kind: 'alternatives', nodes };
  return {
    node: bounded(node, settings),
    groups,
    needsBacktracking: trees.some((tree) => tree.needsBacktracking),
    longest: settings.kind !== 'perl',
    warnings: trees.flatMap((tree) => tree.warnings),
  };
}

function treeOf(pattern: string, { kind, ignoreCase }: MatcherSettings): RegexTree {
  if (kind === 'perl') return parsePerl(pattern, ignoreCase);
  if (kind === 'fixed') {
    const nodes = [...pattern].map((one): RegexNode => {
      const code = one.codePointAt(0) ?? 0;
      return { kind: 'set', set: singleChar(code, ignoreCase), ...(!ignoreCase && { literal: code }) };
    });
    return {
      node: { kind: 'concat', nodes },
      groups: 0,
      needsBacktracking: false,
      longest: true,
      warnings: [],
    };
  }
  return parsePosix(pattern, {
    extended: kind === 'extended',
    danglingRepeat: 'skip',
    literalBadInterval: true,
    literalRightParen: true,
    ignoreCase,
  });
}

/** Numbers the groups of a later pattern after those of earlier ones. */
function shifted(node: RegexNode, by: number): RegexNode {
  if (by === 0) return node;
  switch (node.kind) {
    case 'concat':
    case 'alternatives':
      return { ...node, nodes: node.nodes.map((one) => shifted(one, by)) };
    case 'group':
      return { ...node, index: node.index + by, node: shifted(node.node, by) };
    case 'backreference':
      return { ...node, index: node.index + by };
    case 'repeat':
    case 'look':
    case 'atomic':
      return { ...node, node: shifted(node.node, by) };
    default:
      return node;
  }
}

function bounded(node: RegexNode, { wholeLine, wholeWord }: MatcherSettings): RegexNode {
  const assert = (what: Assertion): RegexNode => ({ kind: 'assert', what, multiline: false });
  const around = (before: Assertion, after: Assertion): RegexNode => {
    return { kind: 'concat', nodes: [assert(before), { kind: 'group', node, index: 0 }, assert(after)] };
  };
  if (wholeLine) return around('lineStart', 'lineEnd');
  return wholeWord ? around('noWordBefore', 'noWordAfter') : node;
}
