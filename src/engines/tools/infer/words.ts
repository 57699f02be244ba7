/**
 * Words of tool and argument names: splitting, singular and plural.
 *
 * The idea: names are the best evidence of what a tool does, but every server writes them differently
 * (`create_issue`, `createIssue`, `issues.create`, `API-post-issue`, `pullNumber`, `commitID`). Everything here turns
 * them into the same lower-case words. Plural rules come from the library `inflection`, with the exceptions that it
 * gets wrong for the words servers use. Not covered: languages other than English have no plural rules, their words
 * stay as they are.
 */
import { pluralize, singularize } from 'inflection';

/** Names longer than this are cut before splitting, in UTF-16 units. */
const NAME_CHARS = 256;

const WORD = /\p{Lu}+s?(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}|\p{N}+/gu;

/**
 * Splits a name into lower-case words. Snake, kebab, dots, slashes, camel case and acronyms all split alike:
 * `pullNumber` → pull, number; `commitID` → commit, id; `URLs` → urls; `HTTPServer` → http, server.
 */
export function splitWords(name: string): string[] {
  const words = SPLIT.get(name) ?? remember(SPLIT, name, split(name));
  return [...words];
}

function split(name: string): readonly string[] {
  return (name.slice(0, NAME_CHARS).match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** Answers remembered at most; then all are forgotten. They depend on the name alone. */
const MOST_REMEMBERED = 5000;
const SPLIT = new Map<string, readonly string[]>();
const SINGULARS = new Map<string, string>();

function remember<T>(known: Map<string, T>, name: string, value: T): T {
  if (known.size >= MOST_REMEMBERED) known.clear();
  if (name.length <= NAME_CHARS) known.set(name, value);
  return value;
}

/** Words that are their own plural, or that have none. */
const UNCOUNTABLE = new Set([
  'data',
  'media',
  'metadata',
  'news',
  'series',
  'species',
  'info',
  'information',
  'details',
  'history',
  'status',
  'content',
  'inventory',
  'feedback',
  'software',
  'weather',
  'traffic',
  'access',
  'progress',
  'analytics',
  'statistics',
  'stats',
  'settings',
  'preferences',
  'me',
  'balance',
  'time',
  'whereabouts',
  'logs',
  'this',
  'us',
  'its',
  'does',
  'has',
  'was',
  'is',
  'sms',
  'dns',
  'css',
  'https',
  'os',
  'ms',
  'js',
  'aws',
  'gps',
  'pos',
]);

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['basis', 'bases'],
  ['lens', 'lenses'],
  ['gas', 'gases'],
  ['cache', 'caches'],
  ['leaf', 'leaves'],
  ['hero', 'heroes'],
  ['index', 'indexes'],
  ['analysis', 'analyses'],
  ['bus', 'buses'],
  ['canvas', 'canvases'],
  ['atlas', 'atlases'],
  ['alias', 'aliases'],
  ['bias', 'biases'],
  ['campus', 'campuses'],
  ['bonus', 'bonuses'],
  ['movie', 'movies'],
  ['cookie', 'cookies'],
  ['person', 'people'],
  ['child', 'children'],
  ['criterion', 'criteria'],
  ['save', 'saves'],
  ['leave', 'leaves'],
  ['menu', 'menus'],
]);
// Words such as menus end like bonus; they are named here.
const IRREGULAR_PLURALS = new Map([...IRREGULAR].map(([one, many]) => [many, one]));
const PLURAL_ALIASES = new Map([
  ['indices', 'index'],
  ['persons', 'person'],
  ['bases', 'base'],
  ['matrices', 'matrix'],
]);

/** Endings that are no plural: bonus, prometheus; but menus. */
const NOT_PLURAL = /(?:ous|eus|ius|tus|nus|pus|rus)$/;

/** The singular of one lower-case word; a word that is no plural stays. */
export function singularOf(word: string): string {
  return SINGULARS.get(word) ?? remember(SINGULARS, word, singular(word));
}

function singular(word: string): string {
  const known = PLURAL_ALIASES.get(word) ?? IRREGULAR_PLURALS.get(word);
  if (known !== undefined) return known;
  if (UNCOUNTABLE.has(word) || IRREGULAR.has(word) || word.length <= 2 || NOT_PLURAL.test(word)) return word;
  if (!word.endsWith('s') && !IRREGULAR_ENDINGS.test(word)) return word;
  return singularize(word);
}

/** Words without a final s that may still be plurals: people, men, criteria, feet. */
const IRREGULAR_ENDINGS = /(?:people|men|feet|teeth|geese|mice|children|criteria)$/;

/** The plural of one lower-case word; a word that is a plural already stays. */
export function pluralOf(word: string): string {
  if (UNCOUNTABLE.has(word)) return word;
  const one = singularOf(word);
  const known = IRREGULAR.get(one);
  if (known !== undefined) return known;
  return one === word ? pluralize(word) : word;
}

/** True for a word that names several things, for example `users`; false for `status` and `data`. */
export function isPlural(word: string): boolean {
  return !UNCOUNTABLE.has(word) && singularOf(word) !== word;
}

/** The same words with the last one in the singular: pull, requests → pull, request. */
export function singularWords(words: readonly string[]): string[] {
  return words.map((word, i) => (i === words.length - 1 ? singularOf(word) : word));
}

/** The same words with the last one in the plural: pull, request → pull, requests. */
export function pluralWords(words: readonly string[]): string[] {
  return words.map((word, i) => (i === words.length - 1 ? pluralOf(word) : word));
}

/** True if `words` ends with all of `tail`, and `tail` is not empty. */
export function endsWith(words: readonly string[], tail: readonly string[]): boolean {
  if (tail.length === 0 || tail.length > words.length) return false;
  return tail.every((word, i) => words[words.length - tail.length + i] === word);
}

/** True if `words` starts with all of `head`, and `head` is not empty. */
export function startsWith(words: readonly string[], head: readonly string[]): boolean {
  if (head.length === 0 || head.length > words.length) return false;
  return head.every((word, i) => words[i] === word);
}
