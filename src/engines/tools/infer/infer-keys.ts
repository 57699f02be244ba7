/**
 * Arguments that name a row: `ticket_id`, `pullNumber`, `pipeline_slug`, `name`, `entityNames`.
 *
 * An argument is read as stem + key word (`ticket` + `id`). It names a row of a noun when its stem ends the noun
 * (`queue_id` for a cluster queue); without a stem (`id`, `name`) it names a row of whatever the tool is about.
 */
import type { Property } from './infer-schema.js';
import { endsWith, isPlural, singularOf, singularWords, splitWords } from './words.js';

/** Key words that hardly ever mean anything else. */
const STRONG = new Set([
  'id',
  'uuid',
  'guid',
  'slug',
  'key',
  'identifier',
  'iid',
  'sku',
  'isbn',
  'number',
  'ts',
  'handle',
]);
/** Key words that may also be plain values. */
const WEAK = new Set([
  'name',
  'path',
  'code',
  'email',
  'username',
  'login',
  'url',
  'title',
  'tag',
  'uri',
  'symbol',
  'no',
  'num',
  'index',
  'filename',
  'timestamp',
  'revision',
  'ref',
]);

/** An argument read as a key. */
export interface KeyWords {
  /** Singular words before the key word: `pull` of `pullNumber`; empty for a bare `id`. */
  readonly stem: readonly string[];
  /** The key word, which is the field's name: `id`, `number`; empty for a bare noun such as `channel`. */
  readonly word: string;
  readonly strong: boolean;
  /** The argument holds several keys. */
  readonly many: boolean;
}

/** Reads an argument's name as a key. */
export function keyWordsOf(argument: Property): KeyWords {
  const known = READ.get(argument);
  if (known !== undefined) return known;
  const words = readKeyWords(argument);
  READ.set(argument, words);
  return words;
}

/** What was read of an argument; it depends on the argument alone. */
const READ = new WeakMap<Property, KeyWords>();

function readKeyWords(argument: Property): KeyWords {
  const many = argument.types.includes('array');
  const words = splitWords(argument.name);
  const last = many || isPlural(words.at(-1) ?? '') ? singularOf(words.at(-1) ?? '') : (words.at(-1) ?? '');
  const stem = words.slice(0, -1);
  if (STRONG.has(last)) return { stem, word: last, strong: true, many };
  if (WEAK.has(last)) return { stem, word: last, strong: false, many };
  return { stem: singularWords(words), word: '', strong: false, many };
}

/**
 * How surely an argument names a row of a noun: 3 `ticket_id`, 2 a bare `id`, or the noun itself (`channel`),
 * 1 a bare weak word (`name`), 0 not at all.
 */
export function keyStrength(argument: Property, noun: readonly string[]): 0 | 1 | 2 | 3 {
  if (argument.types.length > 0 && argument.types.every((type) => type === 'boolean' || type === 'object'))
    return 0;
  const { stem, word, strong } = keyWordsOf(argument);
  if (stem.length === 0) return strong ? 2 : word === '' ? 0 : 1;
  if (strong && stem.length === 1 && STAND_INS.has(stem[0] ?? '')) return 2;
  if (!endsNoun(noun, stem) && !isHeadOf(noun, stem)) return 0;
  return word === '' ? 2 : 3;
}

/** `session_id` for a "codegen session", `pull_number` for a "pull request": the stem is one word of the noun. */
function isHeadOf(noun: readonly string[], stem: readonly string[]): boolean {
  return noun.length === 2 && stem.length === 1 && noun[0] === stem[0] && COMPOUND_HEADS.has(noun.join(' '));
}

/** Stems that stand for whatever the tool is about: `resource_id`. */
const STAND_INS = new Set(['resource', 'object', 'record', 'entity', 'target']);

const SHORT: ReadonlyMap<string, string> = new Map([
  ['repo', 'repository'],
  ['org', 'organization'],
  ['organisation', 'organization'],
  ['dir', 'directory'],
  ['doc', 'document'],
  ['msg', 'message'],
  ['env', 'environment'],
  ['db', 'database'],
  ['app', 'application'],
  ['dept', 'department'],
  ['acct', 'account'],
  ['txn', 'transaction'],
  ['config', 'configuration'],
  ['pr', 'pull_request'],
]);

/** The stem ends the noun, as written or with short forms written out. */
function endsNoun(noun: readonly string[], stem: readonly string[]): boolean {
  if (endsWith(noun, stem)) return true;
  const short = stem.some((word) => SHORT.has(word)) || noun.some((word) => SHORT.has(word));
  return short && endsWith(expanded(noun), expanded(stem));
}

/** Words with their usual short forms written out, so that `repo` names a repository. */
function expanded(words: readonly string[]): string[] {
  return words.flatMap((word) => (SHORT.get(word) ?? word).split('_'));
}

/** Compounds that arguments shorten to their first word. */
const COMPOUND_HEADS = new Set([
  'pull request',
  'merge request',
  'event type',
  'leave request',
  'calendar event',
]);

/** The argument that surely names a row of a noun by its stem (`ticket_id` or `ticket` for tickets). */
export function explicitKey(args: readonly Property[], noun: readonly string[]): Property | undefined {
  const surest = args
    .filter((argument) => keyWordsOf(argument).stem.length > 0)
    .sort((a, b) => keyWordsOf(b).stem.length - keyWordsOf(a).stem.length);
  return (
    surest.find((argument) => keyStrength(argument, noun) === 3 && keyWordsOf(argument).strong) ??
    surest.find((argument) => keyStrength(argument, noun) === 3) ??
    surest.find((argument) => keyStrength(argument, noun) === 2)
  );
}

/** The best argument to name a row of a noun: explicit first, then a bare `id`, then (if allowed) a bare `name`. */
export function bestKey(
  args: readonly Property[],
  noun: readonly string[],
  weak = true,
): Property | undefined {
  const bare = (strength: number) =>
    args.find(
      (argument) => keyWordsOf(argument).stem.length === 0 && keyStrength(argument, noun) === strength,
    );
  return explicitKey(args, noun) ?? bare(2) ?? (weak ? bare(1) : undefined);
}

/** The row's field that a key argument speaks of: `id` for `ticket_id`; the argument's own name for a bare noun. */
export function keyFieldOf(argument: Property): string {
  const { word } = keyWordsOf(argument);
  return word === '' ? argument.name : word;
}
