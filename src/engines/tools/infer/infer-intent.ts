/**
 * What one tool means to do: an operation on a noun, before arguments are bound to fields.
 *
 * Read from the verb first, then corrected by the arguments: a "create" verb with the id of its own object is a
 * change (`pay_invoice(invoice_id)`), an "add" whose object is an argument appends to a list (`add_label`), a "get"
 * of a plural is a list. Every decision says why. Files are read in `infer-files.ts`, list changes in
 * `infer-lists.ts`. Not covered: tools whose meaning is only in their prose.
 */
import { fileIntent } from './infer-files.js';
import { deleteIntent, transitionIntent, updateIntent } from './infer-intent-change.js';
import { createIntent, replyIntent, upsertIntent } from './infer-intent-create.js';
import { manyIntent, readIntent } from './infer-intent-read.js';
import type { Intent, IntentContext } from './infer-intent-types.js';
import { listChange } from './infer-lists.js';
import { browserReason, liveReason, tellsTime } from './infer-live.js';
import { isVague, withoutDescription } from './infer-nouns.js';
import { roleOf } from './infer-roles.js';
import { unknown } from './infer-target.js';
import type { ToolFacts } from './infer-tool.js';
import type { Verb } from './words-verbs.js';

/** Decides what a tool means to do. */
export function intentOf(facts: ToolFacts, context: IntentContext): Intent {
  const intent = decide(facts, context);
  if (facts.readOnly === true && WRITES.has(intent.op))
    return unknown(facts, `it says that it only reads, though it looks like "${intent.op}"`);
  if (intent.op === 'create' && onlyGives(intent, context))
    return unknown(facts, `it gives a ${(intent.noun ?? []).join(' ')} that no tool keeps`);
  return intent;
}

const KEEPING: ReadonlySet<string> = new Set(['get', 'list', 'search', 'count', 'update', 'delete', 'drop']);

/** generate_password(), random() "Generates random values": made and handed out, and no tool ever sees it again. */
function onlyGives({ facts, noun }: Intent, { tools, nouns }: IntentContext): boolean {
  if (facts.parsed.verb?.word !== 'generate') return false;
  if (nouns.known(noun ?? [])?.name !== undefined) return false;
  const words = (noun ?? []).join(' ');
  return !tools.some(
    (tool) =>
      KEEPING.has(tool.parsed.verb?.kind ?? '') && withoutDescription(tool.object).join(' ') === words,
  );
}

const WRITES: ReadonlySet<Intent['op']> = new Set([
  'create',
  'update',
  'upsert',
  'delete',
  'append',
  'remove',
]);

function decide(facts: ToolFacts, context: IntentContext): Intent {
  const { verb } = facts.parsed;
  if (tellsTime(facts)) return { facts, op: 'clock', why: 'it tells the time' };
  const driven = browserReason(facts, context.nouns);
  if (driven !== undefined) return unknown(facts, driven);
  const file = fileIntent(facts, context);
  if (file !== undefined) return file;
  if (verb !== undefined && dropsRow(facts, verb, context)) return deleteIntent(facts, context);
  const live = liveReason(facts, context.nouns);
  if (live !== undefined) return { facts, op: 'unknown', why: live };
  const dump = dumpIntent(facts, context);
  if (dump !== undefined) return dump;
  if (verb === undefined) return bareIntent(facts);
  if (isVague(facts) && context.nouns.resolve(withoutDescription(facts.object)) === undefined)
    return unknown(facts, 'it speaks of things of several kinds');
  if (saysNotWhat(facts, verb, context)) return unknown(facts, 'it does not say what it means');
  const change = listChange(facts, context);
  return change ?? byKind(facts, verb, context);
}

/**
 * insert_many(collection, documents): the one noun that an argument names holds what is meant, and is not it. So it is
 * with `push(branch)`, which sends away what is there.
 */
function saysNotWhat(facts: ToolFacts, verb: Verb, { nouns }: IntentContext): boolean {
  const many = facts.words.some((word) => ['many', 'one', 'bulk', 'multiple'].includes(word));
  if (
    (!many && verb.word !== 'push') ||
    facts.object.length > 0 ||
    facts.parsed.links.length > 0 ||
    nouns.all().length < 2
  )
    return false;
  return ['create', 'add', 'update', 'upsert', 'delete', 'drop', 'copy'].includes(verb.kind);
}

/** drop_index(index_name): what the server keeps is dropped by name; `drop` alone lets something fall. */
function dropsRow(facts: ToolFacts, verb: Verb, { nouns }: IntentContext): boolean {
  return verb.word === 'drop' && facts.object.length > 0 && nouns.known(facts.object) !== undefined;
}

/** check_status(id) reads; check_item(id) ticks a box where another tool takes the tick away. */
function onlyLooks(facts: ToolFacts, verb: Verb, { tools }: IntentContext): boolean {
  if (verb.word !== 'check' || ['item', 'box', 'todo', 'task'].includes(facts.object.at(-1) ?? ''))
    return false;
  return !tools.some((tool) => tool.parsed.verb?.word === 'uncheck');
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
      return onlyLooks(facts, verb, context)
        ? readIntent(facts, context)
        : transitionIntent(facts, verb, context);
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
