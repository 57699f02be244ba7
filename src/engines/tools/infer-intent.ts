/**
 * What one tool means to do: an operation on a noun, before arguments are bound to fields.
 *
 * Read from the verb first, then corrected by the arguments: a "create" verb with the id of its own object is a
 * change (`pay_invoice(invoice_id)`), an "add" whose object is an argument appends to a list (`add_label`), a "get"
 * of a plural is a list. Every decision says why. Files are read in `infer-files.ts`, list changes in
 * `infer-lists.ts`. Not covered: tools whose meaning is only in their prose.
 */
import { fileIntent } from './infer-files.js';
import { bestKey, explicitKey, keyStrength, keyWordsOf } from './infer-keys.js';
import { listChange } from './infer-lists.js';
import { browserReason, liveReason, tellsTime } from './infer-live.js';
import { isChildren, isGeneric, isVague, MASS, type Nouns, withoutDescription } from './infer-nouns.js';
import { roleOf } from './infer-roles.js';
import type { Property } from './infer-schema.js';
import { DISPATCH_NAMES, isScalarList, objectLists, speaksOfMany, type ToolFacts } from './infer-tool.js';
import type { PlanOp } from './service.js';
import { singularOf, singularWords, splitWords } from './words.js';
import type { Verb } from './words-verbs.js';

/** The list argument of a batch and the properties of its items. */
export interface BatchIntent {
  readonly argument: Property;
  readonly items: 'objects' | 'keys';
  readonly properties: readonly Property[];
}

/** What a tool means to do. */
export interface Intent {
  readonly facts: ToolFacts;
  readonly op: PlanOp;
  /** Singular words of what it acts on. */
  readonly noun?: readonly string[];
  /** The argument that names the row, when it is already known. */
  readonly keyArgument?: Property;
  /** The field that the key argument speaks of, when not the collection's key. */
  readonly keyField?: string;
  readonly batch?: BatchIntent;
  /** For append and remove. */
  readonly listField?: string;
  readonly value?: Property;
  readonly only?: string;
  readonly transition?: Verb;
  /** Acts on every row that the filters match. */
  readonly all?: boolean;
  /** A folder argument: rows below it. */
  readonly under?: { readonly argument: string; readonly deep: boolean };
  readonly files?: boolean;
  /** Fixed values. */
  readonly sets?: Readonly<Record<string, string>>;
  /** Argument → field, where the argument names a row of another kind: the e-mail that is replied to. */
  readonly renames?: Readonly<Record<string, string>>;
  /** A state that all rows meant have. */
  readonly state?: Verb;
  /** A read of the one row there is. */
  readonly singleton?: boolean;
  readonly why: string;
}

/** What intents are decided with. */
export interface IntentContext {
  readonly nouns: Nouns;
  /** Arguments that most tools of the server require (owner, repo, org). */
  readonly shared: ReadonlySet<string>;
  readonly tools: readonly ToolFacts[];
}

/** Decides what a tool means to do. */
export function intentOf(facts: ToolFacts, context: IntentContext): Intent {
  const { verb } = facts.parsed;
  if (tellsTime(facts)) return { facts, op: 'clock', why: 'it tells the time' };
  const driven = browserReason(facts, context.nouns);
  if (driven !== undefined) return unknown(facts, driven);
  const file = fileIntent(facts, context);
  if (file !== undefined) return file;
  const live = liveReason(facts, context.nouns);
  if (live !== undefined) return { facts, op: 'unknown', why: live };
  const dump = dumpIntent(facts, context);
  if (dump !== undefined) return dump;
  if (verb === undefined) return bareIntent(facts);
  if (isVague(facts) && context.nouns.resolve(withoutDescription(facts.object)) === undefined)
    return unknown(facts, 'it speaks of things of several kinds');
  const change = listChange(facts, context);
  return change ?? byKind(facts, verb, context);
}

function unknown(facts: ToolFacts, why: string): Intent {
  return { facts, op: 'unknown', why };
}

/** A name without any verb: a read if the tool says that it only reads and takes nothing, else unknown. */
function bareIntent(facts: ToolFacts): Intent {
  if (facts.readOnly === true && facts.args.length === 0 && facts.object.length > 0) {
    return {
      facts,
      op: 'get',
      noun: withoutDescription(facts.object),
      singleton: true,
      why: 'it only reads and takes no arguments: one row',
    };
  }
  return unknown(facts, 'neither its name nor its description says an operation on kept things');
}

const WHOLE = new Set([
  'graph',
  'state',
  'everything',
  'database',
  'memory',
  'snapshot',
  'dump',
  'export',
  'knowledge',
  'knowledge graph',
  'store',
  'db',
  'world',
]);

/** read_graph(), export_state(): everything at once. */
function dumpIntent(facts: ToolFacts, context: IntentContext): Intent | undefined {
  const kind = facts.parsed.verb?.kind;
  const values = facts.args.filter((argument) => roleOf(argument, 'many') === 'value');
  if ((kind !== 'get' && kind !== 'list') || values.length > 0) return undefined;
  const what = facts.object.join(' ');
  if (!WHOLE.has(what) && !(what === '' && facts.parsed.all)) return undefined;
  if (context.nouns.known(facts.object) !== undefined || context.nouns.all().length === 0) return undefined;
  return { facts, op: 'dump', why: 'it reads everything the service keeps' };
}

function byKind(facts: ToolFacts, verb: Verb, context: IntentContext): Intent {
  switch (verb.kind) {
    case 'create':
    case 'add':
      return createIntent(facts, verb, context);
    case 'reply':
      return replyIntent(facts, context);
    case 'get':
      return readIntent(facts, context);
    case 'list':
    case 'search':
    case 'count':
      return manyIntent(facts, verb, context);
    case 'copy':
      return unknown(facts, 'it makes a copy, which rows alone do not tell how');
    case 'transition':
      return transitionIntent(facts, verb, context);
    case 'upsert':
      return upsertIntent(facts, context);
    case 'delete':
    case 'drop':
      return deleteIntent(facts, context);
    case 'update':
    case 'move':
      return updateIntent(facts, context);
    default:
      return unknown(facts, `nobody can compute what "${verb.word}" gives`);
  }
}

/** The row that a tool is about: its noun, and words of the object that are an attribute of it. */
interface Target {
  readonly noun: readonly string[] | undefined;
  readonly attribute: readonly string[];
  readonly key: Property | undefined;
}

/** Finds the noun whose row the arguments name: the whole object, a part of it in front, or another known noun. */
function targetOf(facts: ToolFacts, context: IntentContext, weak = true): Target {
  const { nouns } = context;
  const object = withoutDescription(facts.object);
  const whole = object.length === 0 ? undefined : explicitKey(facts.args, object);
  if (whole !== undefined && (object.length === 1 || keyStrength(whole, object) === 3))
    return { noun: meaning(object, nouns, false), attribute: [], key: whole };
  for (let length = object.length - 1; length > 0; length--) {
    const part = singularWords(object.slice(0, length));
    const key = explicitKey(facts.args, part);
    if (key !== undefined && (whole === undefined || keyStrength(key, part) === 3)) {
      if (nouns.known(object) !== undefined && bestKey(facts.args, [], false) !== undefined) break;
      return { noun: meaning(part, nouns, true), attribute: object.slice(length), key };
    }
  }
  if (object.length === 0) return fromElsewhere(facts, context);
  if (whole !== undefined) return { noun: meaning(object, nouns, false), attribute: [], key: whole };
  return { noun: meaning(object, nouns, true), attribute: [], key: bestKey(facts.args, object, weak) };
}

/** The noun's own words, a known noun that they mean, or the main noun for words such as `nodes`. */
function meaning(words: readonly string[], nouns: Nouns, tails: boolean): readonly string[] {
  if (isGeneric(words) && nouns.known(words) === undefined) return nouns.main(false)?.words ?? words;
  const resolved = nouns.resolve(words);
  if (resolved === undefined) return words;
  const shorter = resolved.words.length < words.length;
  return shorter && !tails ? words : resolved.words;
}

/** A name with only a verb: the noun after a preposition, of an id argument, or the only one there is. */
function fromElsewhere(facts: ToolFacts, context: IntentContext): Target {
  const { nouns } = context;
  for (const link of facts.parsed.links) {
    const words = singularWords(link.object);
    if (link.word !== 'by' && link.word !== 'with') {
      return { noun: meaning(words, nouns, true), attribute: [], key: bestKey(facts.args, words) };
    }
  }
  const named = nouns.all().find((noun) => explicitKey(facts.args, noun.words) !== undefined);
  const [single, second] = nouns.all();
  const told = nouns.mentioned(facts.description, []);
  const only =
    second === undefined && (facts.description === '' || facts.prefix.length === 0) ? single : undefined;
  const noun = named ?? told ?? only;
  if (noun === undefined) return { noun: undefined, attribute: [], key: undefined };
  return { noun: noun.words, attribute: [], key: bestKey(facts.args, noun.words) };
}

/** Nouns that a weak verb makes: book → a booking. */
const MADE_BY: Readonly<Record<string, readonly string[]>> = {
  book: ['booking', 'appointment', 'reservation'],
  reserve: ['reservation', 'booking'],
  schedule: ['appointment', 'meeting', 'event', 'schedule'],
  order: ['order'],
  buy: ['order', 'purchase'],
  purchase: ['purchase', 'order'],
  pay: ['payment', 'transaction'],
  refund: ['refund'],
  charge: ['charge', 'payment'],
  transfer: ['transfer', 'transaction'],
  deposit: ['deposit', 'transaction'],
  withdraw: ['withdrawal', 'transaction'],
  review: ['review'],
  comment: ['comment'],
  request: ['request'],
  register: ['registration'],
  enroll: ['enrollment'],
  invite: ['invitation', 'invite'],
  apply: ['application'],
  log: ['log', 'entry'],
  report: ['report'],
  hire: ['hire', 'employee'],
  send: ['message', 'email', 'mail'],
  message: ['message'],
  email: ['email', 'message'],
  mail: ['mail', 'message', 'email'],
};

/** The known noun that a verb makes, for example bookings for `book_room`. */
function madeBy(verb: Verb, object: readonly string[], nouns: Nouns): readonly string[] | undefined {
  for (const word of MADE_BY[verb.word] ?? []) {
    const full = nouns
      .all()
      .find(
        (noun) =>
          noun.words.at(-1) === word && object.length > 0 && object.every((w, i) => noun.words[i] === w),
      );
    const exact = full ?? nouns.known([word]);
    if (exact !== undefined) return exact.words;
  }
  return undefined;
}

function createIntent(facts: ToolFacts, verb: Verb, context: IntentContext): Intent {
  const { nouns } = context;
  const object = withoutDescription(facts.object);
  const bare = verb.strong
    ? undefined
    : facts.args.find((argument) => argument.required && keyStrength(argument, object) === 2);
  const own =
    object.length > 0
      ? (explicitKey(facts.args, object) ?? (nouns.known(object) === undefined ? undefined : bare))
      : undefined;
  const many = objectBatch(facts, object);
  const made =
    verb.strong && verb.kind === 'create' && verb.word !== 'send' ? undefined : madeBy(verb, object, nouns);
  if (own !== undefined && SENT.has(verb.word)) return transitionIntent(facts, participleOf(verb), context);
  if (own !== undefined && CHILD_MAKERS.has(verb.word) && many === undefined)
    return childIntent(facts, { verb, object, own }, nouns);
  if (verb.word === 'request' && nouns.known([...object, 'request']) !== undefined) {
    return { facts, op: 'create', noun: [...object, 'request'], why: 'a request is made' };
  }
  if (made !== undefined && nouns.known(object) === undefined)
    return {
      facts,
      op: 'create',
      noun: made,
      ...(many === undefined ? {} : { batch: many }),
      why: `"${verb.word}" makes a ${made.join(' ')}`,
    };
  if (own !== undefined && verb.word !== 'create' && verb.word !== 'add' && many === undefined) {
    if (made !== undefined)
      return {
        facts,
        op: 'create',
        noun: made,
        why: `"${verb.word}" makes a ${made.join(' ')} of the ${object.join(' ')} named by ${own.name}`,
      };
    if (!(keyWordsOf(own).word === '' || keyWordsOf(own).word === 'name'))
      return transitionIntent(facts, participleOf(verb), context);
  }
  const noun = createdNoun(facts, verb, context);
  if (noun === undefined) return unknown(facts, `nothing says what "${verb.word}" makes`);
  return {
    facts,
    op: 'create',
    noun,
    ...(many === undefined ? {} : { batch: many }),
    why: `"${verb.word}" makes a ${noun.join(' ')}`,
  };
}

/** Verbs that change the row they name into sent. */
const SENT = new Set(['send', 'submit', 'post', 'publish']);
/** Verbs that make a row below the one they name: comment on a card, share a file. */
const CHILD_MAKERS = new Set([
  'comment',
  'note',
  'review',
  'log',
  'report',
  'share',
  'invite',
  'rate',
  'vote',
  'message',
  'email',
]);

function childIntent(
  facts: ToolFacts,
  of: { readonly verb: Verb; readonly object: readonly string[]; readonly own: Property },
  nouns: Nouns,
): Intent {
  const word = of.verb.word === 'rate' ? 'rating' : of.verb.word;
  const noun = nouns.known([...of.object, word])?.words ??
    nouns.known([word])?.words ??
    madeBy(of.verb, of.object, nouns) ?? [...of.object, word];
  const bare = keyWordsOf(of.own).stem.length === 0;
  const renames = bare
    ? { renames: { [of.own.name]: [...of.object, keyWordsOf(of.own).word].join('_') } }
    : {};
  return {
    facts,
    op: 'create',
    noun,
    ...renames,
    why: `"${of.verb.word}" makes a ${noun.join(' ')} of the ${of.object.join(' ')} that ${of.own.name} names`,
  };
}

function createdNoun(facts: ToolFacts, verb: Verb, context: IntentContext): readonly string[] | undefined {
  const { nouns } = context;
  const object = withoutDescription(facts.object);
  const link = facts.parsed.links[0];
  if (
    MASS.has(object.join(' ')) &&
    MADE_BY[verb.word]?.[0] !== undefined &&
    nouns.known(object) === undefined
  ) {
    return [MADE_BY[verb.word]?.[0] ?? verb.word];
  }
  if (isGeneric(object) && nouns.known(object) === undefined && link !== undefined) {
    const holder = singularWords(link.object);
    return nouns.known([...holder, ...object])?.words ?? nouns.known(holder)?.words ?? [...holder, ...object];
  }
  if (object.length > 0) return nouns.known(object)?.words ?? nouns.resolve(object)?.words ?? object;
  const target = fromElsewhere(facts, context);
  return target.noun ?? (MADE_BY[verb.word]?.[0] === undefined ? undefined : [MADE_BY[verb.word]?.[0] ?? '']);
}

/** `refund` as a change of state: refunded. */
function participleOf(verb: Verb): Verb {
  const irregular: Readonly<Record<string, string>> = {
    send: 'sent',
    pay: 'paid',
    make: 'made',
    submit: 'submitted',
    ship: 'shipped',
    buy: 'bought',
    withdraw: 'withdrawn',
    transfer: 'transferred',
  };
  const regular = /[^aeiou]y$/.test(verb.word)
    ? `${verb.word.slice(0, -1)}ied`
    : `${verb.word}${verb.word.endsWith('e') ? 'd' : 'ed'}`;
  return { ...verb, kind: 'transition', participle: irregular[verb.word] ?? regular };
}

/** reply_to_thread: one more of what the thread is made of. */
function replyIntent(facts: ToolFacts, context: IntentContext): Intent {
  const { nouns } = context;
  const choice = facts.args.some((argument) => argument.choices.length > 0);
  if (choice && nouns.all().some((noun) => explicitKey(facts.args, noun.words) !== undefined))
    return updateIntent(facts, context);
  const link = singularWords(facts.parsed.links[0]?.object ?? facts.object);
  const reply = nouns.all().find((noun) => noun.words.at(-1) === 'reply' || noun.words.at(-1) === 'comment');
  const noun = reply?.words ??
    nouns.known(link)?.words ??
    nouns.mentioned(facts.description, [link])?.words ?? ['reply'];
  const answered =
    explicitKey(facts.args, noun) ??
    facts.args.find((argument) => keyStrength(argument, noun) === 2 && argument.required);
  const camel = /[a-z][A-Z]/.test(answered?.name ?? '');
  const renames =
    answered === undefined ? {} : { renames: { [answered.name]: camel ? 'inReplyTo' : 'in_reply_to' } };
  return { facts, op: 'create', noun, ...renames, why: `a reply is one more ${noun.join(' ')}` };
}

/** A batch: a list of objects, or of keys, that is what the tool is about. */
export function batchOf(facts: ToolFacts, noun: readonly string[]): BatchIntent | undefined {
  return objectBatch(facts, noun) ?? keyBatch(facts, noun);
}

function objectBatch(facts: ToolFacts, noun: readonly string[]): BatchIntent | undefined {
  const many = speaksOfMany(facts);
  const lists = objectLists(facts);
  const [list] = lists;
  const others = facts.args.filter((argument) => argument !== list?.argument && argument.required);
  if (list !== undefined && lists.length === 1) {
    const words = splitWords(list.argument.name).map(singularOf);
    const named = words.at(-1) === noun.at(-1) || isGeneric([words.at(-1) ?? '']);
    if (
      (many && (named || others.length === 0)) ||
      (named && others.length === 0 && facts.args.length === 1)
    ) {
      return { argument: list.argument, items: 'objects', properties: list.items };
    }
  }
  return undefined;
}

function keyBatch(facts: ToolFacts, noun: readonly string[]): BatchIntent | undefined {
  const keys = facts.args.find((argument) => {
    if (!isScalarList(argument, facts.inputRoot)) return false;
    const words = keyWordsOf(argument);
    if (words.stem.length === 0)
      return words.word !== '' && !facts.args.some((a) => a !== argument && bestKey([a], noun, false));
    return (
      (words.word !== '' && words.stem.at(-1) === noun.at(-1)) ||
      (words.word === '' && words.stem.join(' ') === noun.join(' '))
    );
  });
  return keys === undefined ? undefined : { argument: keys, items: 'keys', properties: [] };
}

function readIntent(facts: ToolFacts, context: IntentContext): Intent {
  const { nouns } = context;
  const target = targetOf(facts, context);
  const noun = target.noun;
  if (noun === undefined && facts.parsed.verb?.word === 'whoami') {
    return { facts, op: 'get', noun: ['current', 'user'], singleton: true, why: 'it reads who is signed in' };
  }
  if (noun === undefined) return unknown(facts, 'nothing says what it reads');
  if (target.attribute.length > 0) return attributeIntent(facts, target, context);
  const of = holderOfValue(facts, noun, context);
  if (of !== undefined) return of;
  const batch = keyBatch(facts, noun);
  if (batch !== undefined && (target.key === undefined || target.key === batch.argument)) {
    return {
      facts,
      op: 'get',
      noun,
      batch,
      why: `it reads the ${noun.join(' ')} of each of ${batch.argument.name}`,
    };
  }
  const roles = facts.args.map((argument) => [argument, roleOf(argument, 'many')] as const);
  const pages = roles.some(
    ([, role]) => role === 'cursor' || role === 'page' || role === 'size' || role === 'offset',
  );
  const key = target.key ?? onlyRequired(facts, context);
  const keyIsOwn =
    key !== undefined &&
    (explicitKey([key], noun) !== undefined || key.required) &&
    !(pages && facts.parsed.plural);
  if (facts.parsed.verb?.word === 'open' && key === undefined)
    return createIntent(facts, facts.parsed.verb, context);
  if (facts.parsed.plural && !keyIsOwn)
    return { facts, op: 'list', noun, why: `a plural is read: a list of ${noun.join(' ')} rows` };
  if (
    facts.parsed.plural &&
    key !== undefined &&
    explicitKey([key], noun) === undefined &&
    keyWordsOf(key).stem.length > 0
  )
    return { facts, op: 'list', noun, why: `a plural is read, by ${key.name}` };
  if (key !== undefined)
    return {
      facts,
      op: 'get',
      noun,
      keyArgument: key,
      why: `it reads the ${noun.join(' ')} that ${key.name} names`,
    };
  if (pages) return { facts, op: 'list', noun, why: 'it reads in pages' };
  const required = facts.args.filter((argument) => argument.required && !context.shared.has(argument.name));
  if (required.length > 0) return unknown(facts, `no argument names one ${noun.join(' ')}`);
  const made = nouns.known(noun);
  if (made !== undefined && (made.creators > 0 || made.weight >= 4))
    return { facts, op: 'list', noun, why: `it reads what is kept of ${noun.join(' ')} without naming one` };
  return {
    facts,
    op: 'get',
    noun,
    singleton: true,
    why: 'it takes nothing that names a row: there is only one',
  };
}

/** get_balance(account_id), get_child_pages(page_id): a value, or the children, of the row that is named. */
function holderOfValue(
  facts: ToolFacts,
  noun: readonly string[],
  context: IntentContext,
): Intent | undefined {
  const { nouns } = context;
  const words = noun.join(' ');
  if (CHILD.has(facts.object[0] ?? '') && facts.parsed.plural) {
    const of = nouns.known(facts.object.slice(1));
    const key = of === undefined ? undefined : explicitKey(facts.args, of.words);
    if (of === undefined || key === undefined) return undefined;
    const field = [...of.made.keys()].find((name) => splitWords(name)[0] === 'parent') ?? 'parent_id';
    return {
      facts,
      op: 'list',
      noun: of.words,
      renames: { [key.name]: field },
      why: `it lists the ${words} rows of the one that ${key.name} names`,
    };
  }
  if (
    facts.parsed.plural ||
    (nouns.known(noun)?.creators ?? 0) > 0 ||
    explicitKey(facts.args, noun) !== undefined
  )
    return undefined;
  const held = nouns
    .all()
    .find((other) => other.words.join(' ') !== words && isExactKey(facts.args, other.words));
  if (
    held === undefined ||
    facts.args.some((argument) => ['page', 'cursor', 'size', 'offset'].includes(roleOf(argument, 'many')))
  )
    return undefined;
  const key = explicitKey(facts.args, held.words);
  if (key === undefined || !key.required || bestKey(facts.args, [], false) !== undefined) return undefined;
  const field = facts.object.join('_');
  return {
    facts,
    op: 'get',
    noun: held.words,
    keyArgument: key,
    only: field,
    why: `it reads the ${words} of the ${held.words.join(' ')} that ${key.name} names`,
  };
}

const CHILD = new Set(['child', 'sub', 'nested', 'descendant']);

function isExactKey(args: readonly Property[], noun: readonly string[]): boolean {
  const key = explicitKey(args, noun);
  return (
    key !== undefined && keyStrength(key, noun) === 3 && keyWordsOf(key).stem.join(' ') === noun.join(' ')
  );
}

/**
 * What a lookup goes by when nothing is named like the noun: the only required argument that the whole server does
 * not share, or the only one of several that is surely a key.
 */
function onlyRequired(facts: ToolFacts, context: IntentContext): Property | undefined {
  const left = facts.args.filter(
    (argument) =>
      argument.required &&
      !context.shared.has(argument.name) &&
      !DISPATCH_NAMES.has(argument.name.toLowerCase()) &&
      roleOf(argument, 'many') === 'value' &&
      !argument.types.some((type) => type === 'array' || type === 'object' || type === 'boolean'),
  );
  if (left.length <= 1) return left[0];
  const keys = left.filter((argument) => keyWordsOf(argument).strong);
  return keys.length === 1 ? keys[0] : undefined;
}

/** get_issue_comments(issue_number): children of a row; get_job_logs(job_id): one value of it. */
function attributeIntent(facts: ToolFacts, target: Target, context: IntentContext): Intent {
  const { nouns } = context;
  const noun = target.noun ?? [];
  const object = withoutDescription(facts.object);
  const listed = facts.args.some((argument) =>
    ['cursor', 'page', 'size', 'offset'].includes(roleOf(argument, 'many')),
  );
  const by = target.key === undefined ? '' : `, by ${target.key.name}`;
  if (isChildren(target.attribute, facts.parsed.object) || listed) {
    const child =
      nouns.known(object) ?? nouns.mentioned(facts.description, [noun]) ?? nouns.known(target.attribute);
    const words = child?.words ?? object;
    return {
      facts,
      op: 'list',
      noun: words,
      why: `it lists the ${words.join(' ')} rows of one ${noun.join(' ')}${by}`,
    };
  }
  const attribute = target.attribute.join('_');
  return {
    facts,
    op: 'get',
    noun,
    ...(target.key === undefined ? {} : { keyArgument: target.key }),
    only: attribute,
    why: `it reads the ${target.attribute.join(' ')} of one ${noun.join(' ')}${by}`,
  };
}

function manyIntent(facts: ToolFacts, verb: Verb, context: IntentContext): Intent {
  const { nouns } = context;
  const object = withoutDescription(facts.object);
  const op = verb.kind === 'search' ? 'search' : verb.kind === 'count' ? 'count' : 'list';
  let noun: readonly string[] | undefined = object;
  if (object.length === 0) {
    const all = nouns.all();
    noun = all.length === 1 ? all[0]?.words : (fromElsewhere(facts, context).noun ?? undefined);
  } else if (isGeneric(object) && nouns.known(object) === undefined)
    noun = nouns.main(false)?.words ?? object;
  else
    noun =
      nouns.known(object)?.words ??
      (op === 'list'
        ? nouns.resolve(object)?.words.at(-1) === object.at(-1)
          ? nouns.resolve(object)?.words
          : object
        : (nouns.resolve(object)?.words ?? object));
  if (noun === undefined) return unknown(facts, `nothing says what it would ${verb.word}`);
  const query = facts.args.some((argument) => roleOf(argument, 'many') === 'query');
  const text = facts.args.some((argument) => argument.types.includes('string'));
  if (op === 'search' && !query && !text)
    return { facts, op: 'list', noun, why: 'it finds rows by values only' };
  return {
    facts,
    op,
    noun,
    why: `"${verb.word}" answers ${op === 'count' ? 'how many' : 'the'} ${noun.join(' ')} rows${op === 'count' ? ' there are' : ''}`,
  };
}

function transitionIntent(facts: ToolFacts, verb: Verb, context: IntentContext): Intent {
  const target = targetOf(facts, context);
  const { noun } = target;
  if (noun === undefined) return unknown(facts, `nothing says what it would ${verb.word}`);
  const batch = keyBatch(facts, noun);
  const common = { facts, noun, transition: verb };
  if (batch !== undefined && (target.key === undefined || target.key === batch.argument)) {
    return {
      ...common,
      op: 'update',
      batch,
      why: `each of ${batch.argument.name} becomes ${verb.participle}`,
    };
  }
  const key = target.key ?? onlyRequired(facts, context);
  if (key !== undefined) {
    const keyed = { ...common, op: 'update' as const, keyArgument: key };
    if (target.attribute.length === 0)
      return { ...keyed, why: `the ${noun.join(' ')} becomes ${verb.participle}` };
    return {
      ...keyed,
      why: `the ${target.attribute.join(' ')} of the ${noun.join(' ')} becomes ${verb.participle}`,
    };
  }
  if (facts.parsed.all || facts.parsed.plural)
    return { ...common, op: 'update', all: true, why: `all become ${verb.participle}` };
  const readById = context.tools.some(
    (other) =>
      other !== facts &&
      other.object.join(' ') === facts.object.join(' ') &&
      bestKey(other.args, noun, false) !== undefined,
  );
  if (readById && ['start', 'begin', 'raise'].includes(verb.word))
    return { facts, op: 'create', noun, why: `to ${verb.word} one makes it; the others name it by its id` };
  return unknown(facts, `no argument says which ${noun.join(' ')} is meant`);
}

function upsertIntent(facts: ToolFacts, context: IntentContext): Intent {
  const target = targetOf(facts, context);
  const noun = target.noun ?? (facts.object.length > 0 ? facts.object : undefined);
  if (noun === undefined) return unknown(facts, 'nothing says what it writes');
  const batch = batchOf(facts, noun);
  if (batch?.items === 'objects')
    return { facts, op: 'upsert', noun, batch, why: `each of ${batch.argument.name} is written` };
  if (target.key === undefined)
    return { facts, op: 'create', noun, why: 'it writes a row and no argument names an old one' };
  return {
    facts,
    op: 'upsert',
    noun,
    keyArgument: target.key,
    why: `it writes the row that ${target.key.name} names, new or not`,
  };
}

function deleteIntent(facts: ToolFacts, context: IntentContext): Intent {
  const target = targetOf(facts, context);
  const { noun } = target;
  if (noun === undefined) return unknown(facts, 'nothing says what it would delete');
  const batch = batchOf(facts, noun);
  const words = noun.join(' ');
  if (batch !== undefined && (target.key === undefined || target.key === batch.argument)) {
    return { facts, op: 'delete', noun, batch, why: `each of ${batch.argument.name} is deleted` };
  }
  if (target.attribute.length > 0) {
    const object = withoutDescription(facts.object);
    const child = context.nouns.known(object)?.words ?? context.nouns.known(target.attribute)?.words;
    if (child === undefined)
      return unknown(facts, `the ${target.attribute.join(' ')} of a ${words} are no rows of their own`);
    const renames = target.key === undefined ? {} : { renames: { [target.key.name]: target.key.name } };
    return {
      ...renames,
      facts,
      op: 'delete',
      noun: child,
      all: true,
      why: `all ${child.join(' ')} rows of one ${words} are deleted`,
    };
  }
  const key = target.key ?? onlyRequired(facts, context);
  if (key !== undefined)
    return {
      facts,
      op: 'delete',
      noun,
      keyArgument: key,
      why: `the ${words} that ${key.name} names is deleted`,
    };
  const values = facts.args.filter((argument) => argument.required && !context.shared.has(argument.name));
  if (facts.parsed.all || facts.parsed.plural || facts.parsed.verb?.word === 'clear')
    return { facts, op: 'delete', noun, all: true, why: `all ${words} rows are deleted` };
  if (values.length > 1)
    return { facts, op: 'delete', noun, why: `the ${words} with these ${values.length} values is deleted` };
  return unknown(facts, `no argument says which ${words} is meant`);
}

function updateIntent(facts: ToolFacts, context: IntentContext): Intent {
  const { nouns } = context;
  let target = targetOf(facts, context);
  const object = withoutDescription(facts.object);
  const own = target.noun === undefined ? undefined : explicitKey(facts.args, target.noun);
  const linked = own === undefined && nouns.known(object) === undefined ? linkNoun(facts, nouns) : undefined;
  if (linked !== undefined)
    target = { noun: linked.words, attribute: object, key: bestKey(facts.args, linked.words) };
  if (
    own === undefined &&
    nouns.known(object) === undefined &&
    nouns.known(target.noun ?? []) === undefined
  ) {
    // set_status(ticket_id, status), assign_copilot_to_issue(issue_number): another noun's row is named.
    const other =
      nouns.all().find((noun) => explicitKey(facts.args, noun.words) !== undefined) ?? linkNoun(facts, nouns);
    if (other !== undefined)
      target = { noun: other.words, attribute: object, key: bestKey(facts.args, other.words) };
  }
  const same = sameKey(facts, target, context);
  if (same !== undefined) target = { ...target, noun: same };
  const { noun } = target;
  if (noun === undefined) return unknown(facts, 'nothing says what it would change');
  const batch = batchOf(facts, noun);
  if (batch !== undefined && (target.key === undefined || target.key === batch.argument)) {
    return { facts, op: 'update', noun, batch, why: `each of ${batch.argument.name} is changed` };
  }
  const key = target.key ?? firstRequired(facts, context);
  if (key !== undefined)
    return {
      facts,
      op: 'update',
      noun,
      keyArgument: key,
      why: `the ${noun.join(' ')} that ${key.name} names is changed`,
    };
  const singular =
    !facts.parsed.plural &&
    facts.args.length > 0 &&
    ['settings', 'preferences', 'profile', 'me', 'config', 'configuration'].includes(
      facts.object.at(-1) ?? '',
    );
  if (singular) return { facts, op: 'update', noun, singleton: true, why: 'there is only one row' };
  return unknown(facts, `no argument says which ${noun.join(' ')} is meant`);
}

/** update_inventory(sku) of a server that reads products by sku: the product is changed. */
function sameKey(facts: ToolFacts, target: Target, context: IntentContext): readonly string[] | undefined {
  const { key, noun } = target;
  if (
    key === undefined ||
    noun === undefined ||
    ['id', 'name'].includes(key.name) ||
    context.tools.some((tool) => tool !== facts && tool.object.join(' ') === noun.join(' '))
  )
    return undefined;
  const reader = context.tools.find(
    (tool) =>
      tool.parsed.verb?.kind === 'get' &&
      tool.object.length > 0 &&
      onlyRequired(tool, context)?.name === key.name,
  );
  return reader === undefined ? undefined : context.nouns.known(reader.object)?.words;
}

function linkNoun(facts: ToolFacts, nouns: Nouns): { words: readonly string[] } | undefined {
  for (const link of facts.parsed.links) {
    const words = singularWords(link.object);
    if (bestKey(facts.args, words) !== undefined) return nouns.known(words) ?? { words };
  }
  return undefined;
}

/** update_x(name?, …) without an id: the first required value that is a key word. */
function firstRequired(facts: ToolFacts, context: IntentContext): Property | undefined {
  return facts.args.find(
    (argument) => argument.required && !context.shared.has(argument.name) && keyWordsOf(argument).strong,
  );
}
