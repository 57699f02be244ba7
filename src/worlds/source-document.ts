/**
 * Reads YAML or JSON text into a JSON value whose every part still knows its line and column.
 *
 * YAML 1.2 core schema only (JSON is read as the subset it is): no merge keys, no tags beyond the core ones, no
 * second document, no duplicate keys. Integers beyond 2^53 become `bigint`. Aliases are expanded, a bounded number
 * of times. Source: YAML 1.2.2. Not covered: comments are lost; YAML 1.1 files are refused.
 */
import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  type YAMLError,
  YAMLParseError,
} from 'yaml';
import { fail, type Json, type JsonObject, LIMITS, ok, type Result } from '../core/index.js';
import { readPlainJson, type TakenOut, takeOutJsonItems } from './one-line-json.js';
import { type PathPart, renderPath, type WorldProblem } from './world-problem.js';
import { readTokens } from './yaml-tokens.js';

/** A place in a text. Line and column count from 1; columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A value read from text, with the places of its parts. */
export interface SourceDocument {
  readonly json: Json;
  /** Where the value at a path stands; for a path that is not there, the nearest part above it. */
  positionOf(path: readonly PathPart[]): Position;
  /** Where the key at the end of a path stands; for a list item, its value. */
  keyPositionOf(path: readonly PathPart[]): Position;
}

/** How to read. */
export interface ReadOptions {
  /**
   * Read JSON, and one-line JSON items of YAML, quickly; places inside of them are then only as good as the whole.
   * Default: false.
   */
  readonly fast?: boolean;
}

const START: Position = { line: 1, column: 1 };

type Tree = Document.Parsed;

const CORE_TAGS: ReadonlySet<string> = new Set(
  ['map', 'seq', 'str', 'int', 'float', 'bool', 'null'].map((name) => `tag:yaml.org,2002:${name}`),
);

/**
 * Reads a text. Every problem has line and column. Line ends may be LF or CRLF; a byte-order mark must have been
 * taken away before.
 */
export function parseSource(text: string, options: ReadOptions = {}): Result<SourceDocument, WorldProblem[]> {
  const plain = text.replaceAll('\r\n', '\n');
  if (options.fast !== true) return parseText({ text: plain, values: new Map() });
  const json = readPlainJson(plain);
  if (json !== undefined) return ok({ json, positionOf: () => START, keyPositionOf: () => START });
  const taken = takeOutJsonItems(plain);
  const fast = parseText(taken);
  return fast.ok && fast.value.met === taken.values.size ? fast : parseSource(text);
}

interface FastDocument extends SourceDocument {
  /** How many of the items taken out were met as items. */
  readonly met: number;
}

function parseText({ text, values }: TakenOut): Result<FastDocument, WorldProblem[]> {
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  try {
    const tree = composeTree(text, lines);
    const syntax = syntaxProblems(tree, at);
    if (syntax.length > 0) return fail(syntax);
    const reader = new TreeReader(tree, at, values);
    const json = reader.read(tree.contents, [], 0);
    if (reader.problems.length > 0) return fail(reader.problems);
    return ok({
      json,
      met: reader.met.size,
      positionOf: (path) => locate(tree, at, { path, key: false }),
      keyPositionOf: (path) => locate(tree, at, { path, key: true }),
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail([problem({ line: 1, column: 1 }, [], `nests deeper than ${LIMITS.jsonDepth} levels`)]);
  }
}

/** What `parseDocument` of the library does, with the depth counted on the way. */
function composeTree(text: string, lines: LineCounter): Tree {
  const tokens = readTokens(text, LIMITS.jsonDepth, lines.addNewLine);
  const composer = new Composer({
    intAsBigInt: true,
    version: '1.2',
    schema: 'core',
    merge: false,
    // the library compares each key with each other one; the reader below does it in linear time
    uniqueKeys: false,
  });
  const [tree, second] = composer.compose(tokens, true, text.length);
  if (tree === undefined) throw new TypeError('the composer gave no document');
  if (second !== undefined) {
    tree.errors.push(new YAMLParseError([second.range[0], second.range[1]], 'MULTIPLE_DOCS', ''));
  }
  return tree as Tree;
}

function problem(at: Position, path: readonly PathPart[], message: string): WorldProblem {
  return { ...at, path: renderPath(path), message };
}

type Locate = (offset: number) => Position;

function syntaxProblems(tree: Tree, at: Locate): WorldProblem[] {
  const found = [...tree.errors, ...tree.warnings].map((error) =>
    problem(at(error.pos[0]), [], explain(error)),
  );
  const yaml = tree.directives.yaml;
  if (yaml.explicit === true && yaml.version !== '1.2') {
    found.push(problem({ line: 1, column: 1 }, [], `is YAML ${yaml.version}; world files are YAML 1.2`));
  }
  return found;
}

function explain(error: YAMLError): string {
  if (error.code === 'MULTIPLE_DOCS')
    return 'has a second document after `---`; put each world in its own file';
  if (error.code === 'TAG_RESOLVE_FAILED') {
    return `${error.message.replace(/^Unresolved tag/, 'unknown tag')}; world files use no tags`;
  }
  return `is not valid YAML or JSON: ${error.message}`;
}

const MAX_PROBLEMS = 1000;

/** Turns YAML nodes into JSON values, counting alias expansions and depth. */
class TreeReader {
  readonly problems: WorldProblem[] = [];
  /** Offsets of the taken-out items that were met. */
  readonly met = new Set<number>();
  private aliases = 0;

  constructor(
    private readonly tree: Tree,
    private readonly at: Locate,
    private readonly values: TakenOut['values'],
  ) {}

  read(node: unknown, path: readonly PathPart[], depth: number): Json {
    if (depth > LIMITS.jsonDepth) throw new RangeError('too deep');
    if (isAlias(node)) {
      this.aliases += 1;
      if (this.aliases > LIMITS.yamlAliases) {
        // said once; a bomb would say it thousands of times
        if (this.aliases > LIMITS.yamlAliases + 1) return null;
        return this.refuse(node, path, `expands more than ${LIMITS.yamlAliases} aliases`);
      }
      const target = node.resolve(this.tree);
      if (target === undefined)
        return this.refuse(node, path, `alias *${node.source} has no anchor before it`);
      return this.read(target, path, depth + 1);
    }
    const tag = (node as Node | null)?.tag;
    if (tag !== undefined && !CORE_TAGS.has(tag)) {
      return this.refuse(node as Node, path, `unknown tag ${tag}; world files use no tags`);
    }
    if (isMap(node)) return this.readMap(node.items, path, depth);
    if (isSeq(node)) return node.items.map((item, index) => this.read(item, [...path, index], depth + 1));
    return isScalar(node) ? this.readScalar(node, path) : null;
  }

  private readMap(pairs: readonly Pair[], path: readonly PathPart[], depth: number): JsonObject {
    const object: Record<string, Json> = {};
    for (const { key, value } of pairs) {
      const name = this.readKey(key, path);
      if (name === null) continue;
      if (Object.hasOwn(object, name)) {
        this.refuse(
          key as Node,
          [...path, name],
          'this key is there twice in one object; remove or rename one',
        );
        continue;
      }
      const json = this.read(value, [...path, name], depth + 1);
      // defineProperty keeps a key such as `__proto__` an ordinary one
      Object.defineProperty(object, name, {
        value: json,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return object;
  }

  private readKey(key: unknown, path: readonly PathPart[]): string | null {
    if (isScalar(key) && key.value === '<<' && key.type === 'PLAIN') {
      this.refuse(
        key as Node,
        [...path, '<<'],
        'a merge key `<<` is not YAML 1.2; write the keys out, or quote it',
      );
      return null;
    }
    if (isScalar(key) && key.value !== null) return keyText(key);
    this.refuse(key as Node, path, 'a key must be a plain text');
    return null;
  }

  private readScalar(node: { value: unknown; range?: unknown }, path: readonly PathPart[]): Json {
    const { value } = node;
    const offset = startOf(node);
    const item = offset === undefined ? undefined : this.values.get(offset);
    if (offset !== undefined && item !== undefined) {
      this.met.add(offset);
      return item;
    }
    if (typeof value === 'bigint') {
      return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
    }
    if (typeof value === 'number') {
      return Number.isFinite(value) ? value : this.refuse(node as Node, path, `${value} is no JSON number`);
    }
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
    return this.refuse(node as Node, path, `a ${typeof value} is no JSON value`);
  }

  private refuse(node: Node | null, path: readonly PathPart[], message: string): null {
    // a thousand messages of a flood are enough
    if (this.problems.length < MAX_PROBLEMS)
      this.problems.push(problem(this.at(node?.range?.[0] ?? 0), path, message));
    return null;
  }
}

/** A key's text: what was written for numbers and the like, the content for strings. */
function keyText(key: { value: unknown; source?: string }): string {
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

function locate(tree: Tree, at: Locate, what: { path: readonly PathPart[]; key: boolean }): Position {
  let node: unknown = tree.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, part] of what.path.entries()) {
    if (isAlias(node)) node = node.resolve(tree);
    const last = index === what.path.length - 1;
    if (isSeq(node) && typeof part === 'number') {
      node = node.items[part];
    } else if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && keyText(item.key) === String(part));
      if (pair === undefined) break;
      node = pair.value;
      const keyOffset = startOf(pair.key);
      if (keyOffset !== undefined && (node === null || (last && what.key))) {
        offset = keyOffset;
        if (last) break;
      }
    } else break;
    offset = startOf(node) ?? offset;
  }
  return at(offset);
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
