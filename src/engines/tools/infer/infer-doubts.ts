/**
 * Second thoughts about what tools mean: where the list as a whole contradicts what one name suggests, nobody knows.
 *
 * A confident wrong answer is worse than none, so an intent is taken back (`unknown`) when its rows could never be
 * there (a search of things that no other tool keeps, a list by a reference that nobody writes), when its name is
 * read against its neighbours (`request_planning` beside `list_requests`), or when an argument says what is meant
 * (`resourceType`). A world that gives rows for the collection has no such doubt.
 * Not covered: doubts that need examples or recordings.
 */
import type { Json } from '../../../core/index.js';
import { isJsonObject } from '../../../core/index.js';
import type { Intent } from './infer-intent-types.js';
import { own, type Property } from './infer-schema.js';
import { pluralWords, singularOf, splitWords } from './words.js';

/** Verbs that are things more often than deeds. */
const THINGS = new Set(['request', 'place', 'order', 'issue', 'plan', 'project', 'note', 'file', 'record']);
/** Arguments that say what kind of thing is meant. */
const KINDS = new Set([
  'resource type',
  'resource kind',
  'object type',
  'entity type',
  'sobject',
  'sobject name',
  'kind',
]);
/** Arguments that hold prose, which names no row. */
const PROSE = new Set([
  'instructions',
  'instruction',
  'prompt',
  'question',
  'message',
  'text',
  'content',
  'body',
]);
/** Words for rows that hang on another of their kind. */
const RELATED = new Set([
  'child',
  'sub',
  'descendant',
  'nested',
  'related',
  'linked',
  'similar',
  'dependent',
]);
/** Arguments that say where something new belongs. */
const PARENTS = new Set(['parent', 'target', 'container', 'destination']);
const OUTSIDE =
  /\b(?:the web|the internet|real[- ]time|around the world|arxiv|pubmed|wikipedia|google|bing|duckduckgo|tavily|brave search|search engine|linkedin)\b/i;

const KEEPS: ReadonlySet<Intent['op']> = new Set([
  'create',
  'upsert',
  'get',
  'list',
  'update',
  'delete',
  'append',
  'remove',
  'count',
]);

/** What the list as a whole says, gathered once. */
interface Neighbours {
  /** Collection → its intents. */
  readonly byName: ReadonlyMap<string, readonly Intent[]>;
  /** Nouns of all intents, singular. */
  readonly nouns: ReadonlySet<string>;
  /** Nouns that some tool makes or lists. */
  readonly kept: ReadonlySet<string>;
  /** Nouns of which some tool reads or changes one row. */
  readonly named: ReadonlySet<string>;
  /** First word of tool names → how many tools begin with it. */
  readonly servers: ReadonlyMap<string, number>;
}

/** The intents, those taken back that the others contradict. `given`: collections that the world has rows or words for. */
export function withDoubts(
  intents: ReadonlyMap<string, Intent>,
  given: ReadonlySet<string>,
): ReadonlyMap<string, Intent> {
  const around = neighboursOf([...intents.values()]);
  return new Map(
    [...intents].map(([id, intent]): [string, Intent] => {
      const why = given.has(nameOf(intent)) ? undefined : doubt(intent, around);
      return [id, why === undefined ? intent : { facts: intent.facts, op: 'unknown', why }];
    }),
  );
}

function neighboursOf(all: readonly Intent[]): Neighbours {
  const byName = new Map<string, Intent[]>();
  const servers = new Map<string, number>();
  const [nouns, kept, named] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const intent of all) {
    const first = splitWords(intent.facts.tool)[0] ?? '';
    servers.set(first, (servers.get(first) ?? 0) + 1);
    const name = nameOf(intent);
    if (name === '') continue;
    const noun = (intent.noun ?? []).join(' ');
    nouns.add(noun);
    if (intent.op === 'create' || intent.op === 'list') kept.add(noun);
    if (intent.op === 'get' || intent.op === 'update' || intent.op === 'delete') named.add(noun);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [intent]);
    else same.push(intent);
  }
  return { byName, nouns, kept, named, servers };
}

function nameOf({ noun }: Intent): string {
  return noun === undefined || noun.length === 0 ? '' : pluralWords(noun).join('_');
}

function doubt(intent: Intent, around: Neighbours): string | undefined {
  if (intent.noun === undefined || intent.noun.length === 0) return undefined;
  const same = around.byName.get(nameOf(intent)) ?? [];
  return (
    doubtedThing(intent, around) ??
    doubtedKind(intent, around) ??
    doubtedSearch(intent, same) ??
    doubtedScope(intent, same, around) ??
    doubtedChange(intent, around)
  );
}

/** place_details(place_id), request_planning(tasks) beside list_requests: the verb is a thing here. */
function doubtedThing({ facts, noun }: Intent, around: Neighbours): string | undefined {
  const word = facts.parsed.verb?.word ?? '';
  if (!THINGS.has(word) || noun?.join(' ') === word) return undefined;
  const isThing = around.nouns.has(word);
  const named = facts.args.some(({ name }) => splitWords(name).join(' ') === `${word} id`);
  return isThing || named ? `"${word}" is a thing here, not what is done` : undefined;
}

/** kubectl_get(resourceType, name): what is meant stands in an argument. */
function doubtedKind({ facts, noun }: Intent, around: Neighbours): string | undefined {
  const kind = facts.args.find(
    (argument) => KINDS.has(splitWords(argument.name).join(' ')) && argument.choices.length === 0,
  );
  if (kind === undefined) return undefined;
  const [first = ''] = splitWords(facts.tool);
  const server = around.servers.get(first) ?? 0;
  const isServer = noun?.[0] === first && server > 2;
  if (!kind.required && !isServer) return undefined;
  return `its argument ${kind.name} says what it is about`;
}

/** search(query) of things that no tool makes, reads or lists: they are outside. */
function doubtedSearch({ op, facts, noun = [] }: Intent, same: readonly Intent[]): string | undefined {
  if (op !== 'search') return undefined;
  if (!same.some((one) => KEEPS.has(one.op)))
    return `no tool keeps ${noun.join(' ')} rows, it only finds them`;
  const isMade = same.some((one) => one.op === 'create' || one.op === 'upsert');
  if (isMade || !OUTSIDE.test(facts.description.slice(0, 200))) return undefined;
  return 'it searches outside of what the service keeps';
}

/** Lists whose question the rows cannot answer. */
function doubtedScope(intent: Intent, same: readonly Intent[], around: Neighbours): string | undefined {
  const { op, facts, noun = [] } = intent;
  if ((op !== 'list' && op !== 'search' && op !== 'get') || intent.singleton === true) return undefined;
  if (facts.words.includes('next')) return 'which one is next, rows alone do not tell';
  if (facts.object.length === 0 && kindsIn(facts.description, noun, around) > 0)
    return 'it speaks of things of several kinds';
  if (op === 'get') return undefined;
  const required = facts.args.filter((argument) => argument.required);
  const ownKey = required.find(({ name }) => splitWords(name).join(' ') === `${noun.join(' ')} id`);
  if (ownKey !== undefined && !facts.words.some((word) => RELATED.has(singularOf(word))))
    return `it lists what is inside the ${noun.join(' ')} that ${ownKey.name} names`;
  const makers = same.filter((one) => one.op === 'create');
  const nested = makers.some((one) =>
    one.facts.args.some((argument) => PARENTS.has(argument.name) && isObject(argument)),
  );
  const loose = required.find(
    ({ name }) =>
      splitWords(name).at(-1) === 'id' &&
      !makers.some((one) => one.facts.args.some((arg) => arg.name === name)),
  );
  return nested && loose !== undefined ? `no tool writes the ${loose.name} that it lists by` : undefined;
}

/** How many other kept things a description speaks of. */
function kindsIn(description: string, noun: readonly string[], around: Neighbours): number {
  const words = splitWords(description.slice(0, 300)).map(singularOf);
  const said = new Set([...words, ...words.map((word, at) => `${words[at - 1] ?? ''} ${word}`)]);
  said.delete(noun.join(' '));
  return [...said].filter((name) => around.kept.has(name)).length;
}

/** Changes of rows that nobody could have named. */
function doubtedChange(intent: Intent, around: Neighbours): string | undefined {
  const { op, facts } = intent;
  if (op === 'update' && facts.args.some((arg) => arg.required && PROSE.has(arg.name))) {
    const named = facts.args.some((argument) =>
      ['id', 'name', 'key', 'number', 'path'].includes(splitWords(argument.name).at(-1) ?? ''),
    );
    if (!named) return 'it names no row to change';
  }
  if (op !== 'append' || intent.value === undefined || !holdsObjects(intent.value)) return undefined;
  const kind = singularOf(splitWords(intent.value.name).join(' '));
  return around.named.has(kind)
    ? `${intent.value.name} are rows of their own, not a list of this one`
    : undefined;
}

function isObject(argument: Property): boolean {
  return own(argument.schema, 'type') === 'object' || isJsonObject(own(argument.schema, 'properties'));
}

function holdsObjects(argument: Property): boolean {
  const items: Json | undefined = own(argument.schema, 'items');
  return isJsonObject(items) && (own(items, 'type') === 'object' || isJsonObject(own(items, 'properties')));
}
