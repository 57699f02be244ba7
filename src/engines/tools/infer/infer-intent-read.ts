/**
 * Tools that read: one row, one value of a row, the children of a row, a list, a search, a count.
 *
 * A plural without a key is a list; a value that is no row of its own (`get_balance(account_id)`) is read from the row
 * that is named.
 */
import { createIntent } from './infer-intent-create.js';
import type { Intent, IntentContext } from './infer-intent-types.js';
import { bestKey, explicitKey, keyStrength, keyWordsOf } from './infer-keys.js';
import { isChildren, isGeneric, withoutDescription } from './infer-nouns.js';
import { roleOf } from './infer-roles.js';
import type { Property } from './infer-schema.js';
import { fromElsewhere, keyBatch, onlyRequired, type Target, targetOf, unknown } from './infer-target.js';
import type { ToolFacts } from './infer-tool.js';
import { singularWords, splitWords } from './words.js';
import type { Verb } from './words-verbs.js';

/** Arguments that say what a new thing is about: `open_ticket(title)` makes one, `open_note(name)` reads one. */
const SAID_OF_NEW = new Set(['title', 'subject', 'summary', 'description', 'body', 'message', 'reason']);

/** A tool with a reading verb: one row, a batch, a value or the children of a row, a list, or the one row there is. */
export function readIntent(facts: ToolFacts, context: IntentContext): Intent {
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
  if (facts.parsed.verb?.word === 'open' && (key === undefined || SAID_OF_NEW.has(key.name.toLowerCase())))
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
  const rows = (nouns.known(facts.object)?.creators ?? 0) > 0;
  if (CHILD.has(facts.object[0] ?? '') && facts.parsed.plural && !rows) {
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
    const wanted = singularWords(target.attribute).join(' ');
    const field = [...(nouns.known(noun)?.made.values() ?? [])].find(
      (property) =>
        property.types.includes('array') && singularWords(splitWords(property.name)).join(' ') === wanted,
    );
    if (field !== undefined && target.key !== undefined) {
      const why = `it reads the ${field.name} of one ${noun.join(' ')}${by}`;
      return { facts, op: 'get', noun, keyArgument: target.key, only: field.name, why };
    }
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

/** A tool that lists, searches or counts; a search by exact values only is a list. */
export function manyIntent(facts: ToolFacts, verb: Verb, context: IntentContext): Intent {
  const { nouns } = context;
  const object = withoutDescription(facts.object);
  const op = verb.kind === 'search' ? 'search' : verb.kind === 'count' ? 'count' : 'list';
  let noun: readonly string[] | undefined = object;
  if (object.length === 0) {
    const all = nouns.all();
    const whole = all.length > 1 ? all.find((one) => namedByRequired(facts, one.words)) : undefined;
    if (whole !== undefined)
      return unknown(facts, `it looks inside one ${whole.words.join(' ')}, whose parts are no rows`);
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

/** find(collection, filter): a required bare noun names one row of it, so the rows found are others. */
function namedByRequired(facts: ToolFacts, noun: readonly string[]): boolean {
  const key = explicitKey(facts.args, noun);
  return key?.required === true && keyWordsOf(key).word === '';
}
