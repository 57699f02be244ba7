/**
 * Tools that make rows: create, add, send, book, reply, upsert.
 *
 * A verb that can be a noun (`book`, `comment`) makes a row of that noun where the server keeps such rows; with the id
 * of its own object it changes that object's state, or makes a row below it.
 */
import { transitionIntent, updateIntent } from './infer-intent-change.js';
import type { Intent, IntentContext } from './infer-intent-types.js';
import { explicitKey, keyStrength, keyWordsOf } from './infer-keys.js';
import { isGeneric, MASS, type Nouns, withoutDescription } from './infer-nouns.js';
import type { Property } from './infer-schema.js';
import { batchOf, fromElsewhere, objectBatch, targetOf, unknown } from './infer-target.js';
import type { ToolFacts } from './infer-tool.js';
import { singularWords } from './words.js';
import type { Verb } from './words-verbs.js';

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

/** A tool that makes a row, a batch of rows, a row below the one named, or (`pay_invoice`) changes the one named. */
export function createIntent(facts: ToolFacts, verb: Verb, context: IntentContext): Intent {
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
  if (object.length === 0 && link !== undefined && verb.kind === 'create') return undefined;
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
export function replyIntent(facts: ToolFacts, context: IntentContext): Intent {
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

/** A tool that writes a row whether it is there or not; without a key argument it can only make one. */
export function upsertIntent(facts: ToolFacts, context: IntentContext): Intent {
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
