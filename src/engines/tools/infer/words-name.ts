/**
 * Reads a tool's name as a short sentence: verb, object, and what follows a preposition.
 *
 * `add_item_to_cart` → add, [item], to [cart]; `issues.list` → list, [issues]; `get_release_by_tag` → get, [release],
 * by [tag]. Where the name holds no verb, the first word of the description is tried (`git_branch`: "List Git
 * branches"). Not covered: names in other languages than English, which give no verb.
 */

import { isPlural, splitWords } from './words.js';
import type { Verb } from './words-verbs.js';
import { markVerbOf, plainVerbOf, verbOf } from './words-verbs.js';

/** A tool's name, read. */
export interface ParsedName {
  readonly verb: Verb | undefined;
  /** Words of what is acted on, as written; empty when the name has only a verb. */
  readonly object: readonly string[];
  /** The object is named in the plural. */
  readonly plural: boolean;
  /** What follows each preposition. */
  readonly links: readonly { readonly word: string; readonly object: readonly string[] }[];
  /** The name holds `all`, `every`, `entire`. */
  readonly all: boolean;
  /** True if the verb came from the description. */
  readonly fromDescription: boolean;
}

const PREPOSITIONS = new Set([
  'by',
  'for',
  'to',
  'from',
  'in',
  'into',
  'of',
  'with',
  'on',
  'at',
  'as',
  'without',
  'and',
  'or',
  'via',
  'using',
  'if',
  'per',
  'between',
]);
const MODIFIERS = new Set([
  'all',
  'every',
  'entire',
  'many',
  'multiple',
  'bulk',
  'batch',
  'a',
  'an',
  'the',
  'new',
  'my',
  'available',
  'existing',
  'api',
  'specific',
  'single',
  'mass',
  'pending',
  'current',
  'latest',
  'recent',
  'active',
]);
const ALL = new Set(['all', 'every', 'entire']);

const SHOWING = new Set(['show', 'view', 'display', 'head', 'dump']);

/** Reads a name whose server prefix has been dropped (see {@link commonPrefix}). */
export function parseName(words: readonly string[], description: string): ParsedName {
  const at = verbPosition(words);
  const all = words.some((word) => ALL.has(word));
  if (at === undefined) return withoutVerb(words, description, all);
  const found = verbAt(words, at);
  const rest = [...words.slice(0, at), ...words.slice(at + found.length)];
  if (rest.length === 0 && !found.verb.strong && !SHOWING.has(found.verb.word)) {
    // `log`: "Shows the commit logs". A weak verb alone is a noun if the description starts with another verb.
    const told = withoutVerb(words, description, all);
    if (told.verb !== undefined) return told;
  }
  // An HTTP verb in front of the real one, as in `post-search`, says nothing.
  const told = at > 0 && found.verb.strong && rest[0] === 'post' ? rest.slice(1) : rest;
  return { verb: found.verb, ...objectOf(told, found.verb), all, fromDescription: false };
}

function withoutVerb(words: readonly string[], description: string, all: boolean): ParsedName {
  const first = splitWords(description.slice(0, 60))[0];
  const verb = first === undefined ? undefined : verbOf(first);
  const kept = verb === undefined || verb.kind === 'act' || verb.kind === 'transition' ? undefined : verb;
  return { verb: kept, ...objectOf(words, kept), all, fromDescription: kept !== undefined };
}

function objectOf(
  words: readonly string[],
  verb: Verb | undefined,
): Pick<ParsedName, 'object' | 'plural' | 'links'> {
  const parts: { word: string; object: string[] }[] = [{ word: '', object: [] }];
  for (const word of words) {
    if (PREPOSITIONS.has(word) && (parts.length > 1 || parts[0]?.object.length !== 0 || takesLink(verb))) {
      parts.push({ word, object: [] });
    } else if (!MODIFIERS.has(word)) parts.at(-1)?.object.push(word);
  }
  const object = parts[0]?.object ?? [];
  return {
    object,
    plural: isPlural(object.at(-1) ?? ''),
    links: parts.slice(1).filter((p) => p.object.length > 0),
  };
}

/** Verbs after which a preposition may come at once: add_to_cart, reply_to_thread, search_in_files. */
function takesLink(verb: Verb | undefined): boolean {
  return verb !== undefined;
}

/** Weak verbs that are nouns when they come last: transition_issue. */
const NOUNS_AT_END = new Set([
  'issue',
  'draft',
  'order',
  'plan',
  'record',
  'report',
  'request',
  'mail',
  'email',
  'message',
  'log',
  'stage',
  'call',
  'build',
  'test',
  'run',
  'index',
  'check',
]);

/** A strong verb in front, else a strong one at the end, else a strong one anywhere, else a weak one. */
function verbPosition(words: readonly string[]): number | undefined {
  if (words[0] === 'mark') return 0;
  const limit = words.findIndex(
    (word, i) => i > 0 && PREPOSITIONS.has(word) && word !== 'or' && word !== 'and',
  );
  const scope = limit === -1 ? words.length : limit;
  const order = [0, scope - 1, ...words.slice(1, Math.max(1, scope - 1)).map((_, i) => i + 1)];
  const usable = order.filter((i) => i >= 0 && i < scope && isVerbHere(words, i));
  const strong = usable.find((i) => plainVerbOf(words[i] ?? '')?.strong === true);
  if (strong !== undefined) return strong;
  const last = NOUNS_AT_END.has(words[scope - 1] ?? '') ? undefined : usable.find((i) => i === scope - 1);
  return usable.find((i) => i === 0) ?? (scope > 1 ? last : undefined);
}

function isVerbHere(words: readonly string[], at: number): boolean {
  const word = words[at] ?? '';
  if (plainVerbOf(word) === undefined) return false;
  // "code_search_results", "search_index": in the middle only a strong verb counts, and no adjective-like one.
  return (
    at === 0 ||
    at === words.length - 1 ||
    ![
      'new',
      'all',
      'recent',
      'open',
      'test',
      'build',
      'issue',
      'index',
      'draft',
      'change',
      'set',
      'run',
      'format',
      'filter',
      'store',
      'load',
    ].includes(word)
  );
}

/** The verb at a position, with two-word verbs: create_or_update, mark_as_read, check_in, set_up. */
function verbAt(words: readonly string[], at: number): { verb: Verb; length: number } {
  const verb = plainVerbOf(words[at] ?? '');
  if (verb === undefined) throw new RangeError('no verb at this position');
  const next = words[at + 1];
  if (verb.word === 'turn' && (next === 'on' || next === 'off')) return { verb: turned(next), length: 2 };
  const third = words[at + 2];
  if ((next === 'or' || next === 'and') && third !== undefined && plainVerbOf(third) !== undefined) {
    const other = plainVerbOf(third);
    const writes = ['create', 'add', 'update', 'upsert'];
    if (other !== undefined && writes.includes(verb.kind) && writes.includes(other.kind)) {
      return { verb: { word: 'upsert', kind: 'upsert', strong: true }, length: 3 };
    }
    return { verb, length: 3 };
  }
  return markedVerb(words, at, verb) ?? { verb, length: 1 };
}

/** turn_on, turn_off. */
function turned(word: 'on' | 'off'): Verb {
  const on = word === 'on';
  return {
    word: `turn ${word}`,
    kind: 'transition',
    strong: true,
    participle: word,
    before: on ? 'off' : 'on',
  };
}

/** mark_read, mark_as_done; also with the mark at the end, as in mark_all_notifications_read. */
function markedVerb(
  words: readonly string[],
  at: number,
  verb: Verb,
): { verb: Verb; length: number } | undefined {
  if (verb.word !== 'mark') return undefined;
  const next = words[at + 1] === 'as' ? words[at + 2] : words[at + 1];
  const marked = markVerbOf(next ?? '');
  if (marked !== undefined) return { verb: marked, length: words[at + 1] === 'as' ? 3 : 2 };
  const last = markVerbOf(words.at(-1) ?? '');
  return last === undefined ? undefined : { verb: last, length: 1 };
}

/** A mark word at the end of an object is part of the verb: mark_all_notifications_read. */
export function withoutMark(object: readonly string[], verb: Verb | undefined): readonly string[] {
  if (verb?.kind !== 'transition' || object.length < 2) return object;
  return markVerbOf(object.at(-1) ?? '')?.participle === verb.participle ? object.slice(0, -1) : object;
}

/**
 * Words at the front that most names share (a server's name: `slack_`, `browser_`), to be dropped. A word that
 * leaves most names with only a verb is their noun and stays (`ticket_create`, `ticket_get`).
 */
export function commonPrefix(names: readonly (readonly string[])[]): readonly string[] {
  if (names.length < 3) return brandPrefix(names);
  const counts = new Map<string, number>();
  for (const words of names) {
    const first = words[0];
    if (first !== undefined && words.length > 1) counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const [word, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? ['', 0];
  if (count < names.length * 0.6 || plainVerbOf(word)?.strong === true) return [];
  const rests = names.filter((words) => words[0] === word).map((words) => words.slice(1));
  const bare = rests.filter((rest) => rest.every((part) => isBare(part))).length;
  if (bare * 2 >= rests.length) return [];
  return [word, ...(rests.length === names.length ? commonPrefix(rests) : [])];
}

function isBare(word: string): boolean {
  const verb = plainVerbOf(word) ?? markVerbOf(word);
  return (verb?.strong === true && verb.kind !== 'act') || MODIFIERS.has(word) || PREPOSITIONS.has(word);
}

/** With one or two tools: a first word shared by both before strong verbs, as in `slack_post_message`. */
function brandPrefix(names: readonly (readonly string[])[]): readonly string[] {
  const shared = names[0]?.[0];
  if (shared === undefined || plainVerbOf(shared) !== undefined) return [];
  const alike = names.every(
    (words) => words[0] === shared && words.length > 2 && plainVerbOf(words[1] ?? '') !== undefined,
  );
  return alike ? [shared] : [];
}
