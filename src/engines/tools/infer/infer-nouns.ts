/**
 * The nouns of a server: which kinds of things its tools keep.
 *
 * A noun counts as known when there is enough evidence: a tool that creates, deletes or lists it, or one that reads
 * it by its id; names of given data always count. Other tools' objects are resolved to known nouns where they mean
 * them (`history` of a channel, `nodes` of a graph).
 */

import { bestKey, explicitKey, keyStrength } from './infer-keys.js';
import type { Property } from './infer-schema.js';
import { objectLists, speaksOfMany, type ToolFacts } from './infer-tool.js';
import {
  endsWith,
  isPlural,
  pluralWords,
  singularOf,
  singularWords,
  splitWords,
  startsWith,
} from './words.js';

/** What is known of one noun. */
export interface Noun {
  /** Singular words: pull, request. */
  readonly words: readonly string[];
  /** The collection's name where data or corrections give it. */
  readonly name?: string;
  weight: number;
  /** Tools that make one. */
  creators: number;
  /** Arguments or item properties of the tools that make one. */
  readonly made: Map<string, Property>;
}

/** Words that say nothing of what is meant; they stand for the server's main noun. */
const GENERIC = new Set([
  'node',
  'item',
  'record',
  'resource',
  'object',
  'entry',
  'element',
  'document',
  'result',
  'thing',
  'row',
]);
/** Words at the end of an object that mean the row itself: ticket details. */
const DESCRIPTIVE = new Set([
  'detail',
  'details',
  'info',
  'information',
  'metadata',
  'profile',
  'record',
  'overview',
  'data',
  'object',
  'resource',
  'detailed',
  'full',
  'by',
  'id',
  'entry',
  'summary',
]);

const KNOWN_WEIGHT = 2;

/** The nouns of one server. */
export class Nouns {
  readonly entries = new Map<string, Noun>();

  /** Adds evidence for a noun. */
  add(words: readonly string[], weight: number, name?: string): Noun {
    const key = words.join(' ');
    const noun = this.entries.get(key) ?? {
      words,
      weight: 0,
      creators: 0,
      made: new Map<string, Property>(),
      ...(name === undefined ? {} : { name }),
    };
    noun.weight += weight;
    this.entries.set(key, noun);
    return noun;
  }

  /** The entry of exactly these words, if it is known. */
  known(words: readonly string[]): Noun | undefined {
    const noun = this.entries.get(words.join(' '));
    return noun !== undefined && noun.weight >= KNOWN_WEIGHT ? noun : undefined;
  }

  /** The known noun that these words mean: exactly, or the only one that ends or starts with them. */
  resolve(words: readonly string[]): Noun | undefined {
    if (words.length === 0) return undefined;
    const exact = this.known(words);
    if (exact !== undefined) return exact;
    const all = this.all();
    const longer = all.filter((noun) => endsWith(noun.words, words));
    if (longer.length === 1) return longer[0];
    const tails = all.filter((noun) => endsWith(words, noun.words));
    if (tails.length > 0) return tails.reduce((a, b) => (b.words.length > a.words.length ? b : a));
    const heads = all.filter((noun) => startsWith(noun.words, words));
    return heads.length === 1 ? heads[0] : undefined;
  }

  /** All known nouns, in the order found. */
  all(): Noun[] {
    return [...this.entries.values()].filter((noun) => noun.weight >= KNOWN_WEIGHT);
  }

  /** The noun with the most evidence; undefined when there is none or (with `alone`) when two are alike. */
  main(alone = true): Noun | undefined {
    const sorted = this.all().sort((a, b) => b.weight - a.weight);
    const [first, second] = sorted;
    return first !== undefined && (!alone || first.weight > (second?.weight ?? 0)) ? first : undefined;
  }

  /** The first known noun that a description's first sentence speaks of and that tools make, except some. */
  mentioned(description: string, except: readonly (readonly string[])[]): Noun | undefined {
    const sentence = splitWords((description.split(/[.\n]/)[0] ?? '').slice(0, 250)).map(singularOf);
    const skip = new Set(except.map((words) => words.join(' ')));
    const found = this.all()
      .filter((noun) => noun.creators > 0 && !skip.has(noun.words.join(' ')))
      .map((noun) => ({ noun, at: indexOfWords(sentence, noun.words) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at || b.noun.words.length - a.noun.words.length);
    return found[0]?.noun;
  }
}

function indexOfWords(text: readonly string[], words: readonly string[]): number {
  return text.findIndex((_, at) => words.every((word, i) => text[at + i] === word));
}

/** True for a word such as node or item that only stands for the server's main noun. */
export function isGeneric(words: readonly string[]): boolean {
  return words.length === 1 && GENERIC.has(words[0] ?? '');
}

/** An object without describing words at its end: ticket, details → ticket. */
export function withoutDescription(words: readonly string[]): readonly string[] {
  let end = words.length;
  while (end > 1 && DESCRIPTIVE.has(words[end - 1] ?? '')) end--;
  return words.slice(0, end);
}

/** Collects the nouns of all tools. `given` are collection names of data and corrections. */
export function gatherNouns(tools: readonly ToolFacts[], given: readonly string[]): Nouns {
  const nouns = new Nouns();
  for (const name of given) nouns.add(singularWords(splitWords(name)), 10, name);
  for (const facts of tools) gather(facts, nouns);
  return nouns;
}

function gather(facts: ToolFacts, nouns: Nouns): void {
  const kind = facts.parsed.verb?.kind;
  const words = withoutDescription(facts.object);
  if (words.length === 0) gatherLink(facts, nouns);
  if (kind === 'add' && appends(facts)) gatherHolder(facts, nouns);
  if (kind === undefined || words.length === 0 || isVague(facts)) return;
  if (facts.parsed.verb?.strong === false && MASS.has(words.join(' '))) return;
  const exact = givenNoun(words, nouns);
  const noun = exact ?? words;
  const list = objectLists(facts)[0];
  if (kind === 'create' || kind === 'upsert' || (kind === 'add' && !appends(facts))) {
    if (facts.parsed.verb?.strong !== true && explicitKey(facts.args, words) !== undefined) return;
    const entry = nouns.add(noun, isGeneric(words) ? 2 : 3);
    entry.creators++;
    const made = list !== undefined && speaksOfMany(facts) ? list.items : facts.args;
    for (const property of made) if (!entry.made.has(property.name)) entry.made.set(property.name, property);
  } else if (kind === 'delete' || kind === 'list') nouns.add(noun, isGeneric(words) ? 1 : 2);
  else if (kind === 'search' && !isGeneric(words)) nouns.add(noun, facts.parsed.plural ? 2 : 1);
  else if (kind === 'get' || kind === 'update' || kind === 'transition') {
    const named = explicitKey(facts.args, words);
    const sure = named !== undefined && (words.length === 1 || keyStrength(named, words) === 3);
    const key = (sure ? named : undefined) ?? (words.length === 1 ? bestKey(facts.args, words) : undefined);
    if (key !== undefined && !isGeneric(words)) nouns.add(noun, 2);
    if (kind === 'update') addPart(facts, nouns);
    else if (kind === 'get' && facts.parsed.plural && !isGeneric(words)) nouns.add(noun, 1);
  }
}

/** Words for money and the like: what a weak verb moves, not a kind of row. */
export const MASS: ReadonlySet<string> = new Set(['money', 'fund', 'funds', 'cash', 'amount', 'fee']);

/** add_tracks_to_playlist(playlist_id, track_ids): playlists have a list of tracks. */
function gatherHolder(facts: ToolFacts, nouns: Nouns): void {
  for (const link of facts.parsed.links) {
    const words = singularWords(link.object);
    if (explicitKey(facts.args, words) === undefined) continue;
    const name = pluralWords(facts.object).join('_');
    const property = {
      name,
      schema: { type: 'array' },
      types: ['array'],
      required: false,
      description: '',
      choices: [],
    };
    nouns.add(words, 0).made.set(name, property);
  }
}

/** add_to_cart(sku): the cart holds rows, unless an argument names one of several carts. */
function gatherLink(facts: ToolFacts, nouns: Nouns): void {
  const [link] = facts.parsed.links;
  if (facts.parsed.verb?.kind !== 'add' || link === undefined) return;
  const words = singularWords(link.object);
  if (explicitKey(facts.args, words) !== undefined) return;
  nouns.add(words, 3).creators++;
}

const VAGUE = new Set(['resource', 'object', 'record', 'entry', 'data', 'item']);

/** search_acme_resources: the last word means things of several kinds. */
export function isVague(facts: ToolFacts): boolean {
  const kept = withoutDescription(facts.object);
  return kept.length < facts.object.length && VAGUE.has(facts.object.at(-1) ?? '');
}

/** update_issue_labels(issue_number, labels): issues are known by their number, and have labels. */
function addPart(facts: ToolFacts, nouns: Nouns): void {
  for (let length = facts.object.length - 1; length > 0; length--) {
    const part = singularWords(facts.object.slice(0, length));
    const key = explicitKey(facts.args, part);
    if (key === undefined || keyStrength(key, part) < 3) continue;
    const entry = nouns.add(part, 2);
    for (const property of facts.args) {
      if (property !== key && !entry.made.has(property.name)) entry.made.set(property.name, property);
    }
    return;
  }
}

/** add_label(issue_number, labels): the object is an argument, and another noun's row is named. */
function appends(given: ToolFacts): boolean {
  const list = objectLists(given)[0];
  const facts = list !== undefined && speaksOfMany(given) ? { ...given, args: list.items } : given;
  const names = [facts.object.join(' '), pluralWords(facts.object).join(' ')];
  const value = facts.args.find((argument) => names.includes(splitWords(argument.name).join(' ')));
  if (value === undefined)
    return (
      facts.parsed.links.some((link) => explicitKey(facts.args, singularWords(link.object)) !== undefined) &&
      facts.args.length <= 2
    );
  return (
    facts.args.some((argument) => argument !== value && bestKey([argument], [], false) !== undefined) ||
    facts.args.length === 2
  );
}

/** The words of a given collection that an object means. */
function givenNoun(words: readonly string[], nouns: Nouns): readonly string[] | undefined {
  for (const noun of nouns.entries.values()) {
    if (noun.name === undefined) continue;
    if (noun.words.join(' ') === words.join(' ') || endsWith(words, noun.words)) return noun.words;
  }
  return undefined;
}

/** The default name of a noun's collection: pull, request → pull_requests. */
export function collectionName(noun: Noun): string {
  return noun.name ?? pluralWords(noun.words).join('_');
}

/** True when an attribute names several child things (comments), not a value of the row (status, content). */
export function isChildren(words: readonly string[], written: readonly string[]): boolean {
  return words.length > 0 && isPlural(written.at(-1) ?? '');
}
