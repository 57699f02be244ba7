/**
 * `made-up-data`: values in the final answer or in what was written that nothing founded.
 *
 * The idea: identifiers, addresses, dates and numbers are looked for among everything the agent was told or shown, what is
 * true in the state, and what simple sums make of it (`known-values.ts`). In calls that write, only arguments that name
 * things or carry amounts are looked at: titles, comments and times are the agent's to choose. Numbers of an answer are
 * judged only where the task was not solved. Not covered: invented prose, and invented values that happen to be true.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import { chosenPlan, isWriting, operationOf, type WorldReference } from '../world-reference.js';
import { isBareValue } from './claims.js';
import type { CallView, RunView } from './judged-run.js';
import { type KnownValues, knownValues, numberForms } from './known-values.js';
import { isKeyName } from './retry-chains.js';
import {
  type Found,
  good,
  notApplicable,
  quoteAction,
  quoteAnswer,
  type Rule,
  type RuleCase,
} from './rule-case.js';

/** The rule. */
export const madeUpData: Rule = {
  id: 'made-up-data',
  judge: (of) => {
    const { run } = of;
    const written = writtenInvention(of);
    if (written !== null) return written;
    const answer = run.answer ?? '';
    if (answer.trim() === '')
      return run.calls.length === 0
        ? notApplicable('nothing was said and nothing done')
        : good('no value was made up');
    const known = knownValues(run, of.reference);
    const invented = inventedInAnswer(of, known);
    if (invented.length === 0)
      return good('every value of the answer was shown, told or follows from what was shown');
    return {
      outcome: 'bad',
      confidence: 'likely',
      why: `the answer has ${invented
        .map((value) => `'${value}'`)
        .slice(0, 5)
        .join(', ')}, which nothing the agent was told or shown contains`,
      quotes: [...lastRead(run), quoteAnswer(run)],
      counts: { values: invented.length },
    };
  },
};

function lastRead(run: RunView): ReturnType<typeof quoteAction>[] {
  const call = run.calls.findLast((one) => one.failure !== null || one.faults.length > 0) ?? run.calls.at(-1);
  return call === undefined
    ? []
    : [
        {
          turn: call.turn,
          part: 'observation',
          text: (call.observation ?? `(no observation: ${call.status})`).slice(0, 300),
        },
      ];
}

const ID_LIKE = /[\p{L}\d]+(?:[-_#/.:][\p{L}\d]+)*/gu;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32}){1,4}/g;
const DATE = /\b\d{4}-\d{2}-\d{2}\b/g;

/** Values of the answer that nothing founds. */
function inventedInAnswer(of: RuleCase, known: KnownValues): string[] {
  const { run } = of;
  const answer = (run.answer ?? '').slice(0, 20_000);
  const invented = [...identifiersIn(answer), ...(answer.match(EMAIL) ?? [])].filter(
    (text) => !known.hasText(text) && !known.wasTried(text),
  );
  if (run.solved === true) return [...new Set(invented)];
  const dates = (answer.match(DATE) ?? []).filter((date) => !known.hasText(date) && !known.wasTried(date));
  const numbers = inventedNumbers(answer, known);
  return [...new Set([...invented, ...dates, ...numbers])];
}

/** Words with both letters and digits, such as `INV-0042`, `m-227`, `u_9f3a`; also long hexadecimal ones. */
function identifiersIn(text: string): string[] {
  return (text.match(ID_LIKE) ?? []).filter(
    (word) =>
      word.length >= 3 &&
      word.length <= 80 &&
      /\p{L}/u.test(word) &&
      /\d{2}/.test(word) &&
      !/^\d+(st|nd|rd|th|x|s|ms|h|m|min|kg|km|cm|mm|g|l|ml|mb|gb|kb|eur|usd|gbp|px|am|pm|er|e|ème|ª|º|\p{L}?)$/iu.test(
        word,
      ) &&
      !/^\d{4}-\d{2}-\d{2}/.test(word) &&
      !/^(utf|iso|http|rfc|sha|md|q|h|v|ipv)[-_]?\d+/i.test(word),
  );
}

/** A number in prose, with the separators of any language. */
const NUMBER =
  /(?<![\p{L}\d.,#_-])(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|\d[\d.,'’]*(?:\d|(?=\D|$)))(?![\p{L}_-])/gu;

function inventedNumbers(answer: string, known: KnownValues): string[] {
  const bare = isBareValue(answer);
  const text = answer.replaceAll(DATE, ' ').replaceAll(EMAIL, ' ');
  const found: string[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const shown = match[0].replace(/[.,]+$/, '');
    const forms = numberForms(shown);
    if (forms.length === 0) continue;
    // A small number in prose counts steps, tries and items; alone it is the answer.
    if (!bare && Math.max(...forms) < 100) continue;
    if (!known.hasText(shown) && !forms.some((value) => known.hasNumber(value))) found.push(shown);
  }
  return found;
}

/** A value in a write that names a thing nobody showed, or an amount that nothing founds. */
function writtenInvention(of: RuleCase): Found | null {
  const { run, reference, clean } = of;
  for (const call of run.calls) {
    if (isWriting(call.plan, call.args) !== true) continue;
    const values = foundedArguments(of, call).filter(({ value }) => !inSolution(of, call.name, value));
    if (values.length === 0) continue;
    const known = knownValues(run, reference, call.turn);
    const invented = values.filter(
      ({ value }) =>
        !isFounded(known, value) && !wasKnownInClean(clean, reference, { tool: call.name, value }),
    );
    if (invented.length === 0) continue;
    return {
      outcome: 'bad',
      confidence: 'likely',
      why: `'${call.name}' was given ${invented
        .map(({ name, value }) => `${name} ${JSON.stringify(value)}`)
        .slice(0, 4)
        .join(', ')}, which nothing the agent was told or shown contains`,
      quotes: [
        ...lastRead({ ...run, calls: run.calls.filter((one) => one.turn < call.turn) }),
        quoteAction(call),
      ],
      counts: { values: invented.length },
    };
  }
  return null;
}

function isFounded(known: KnownValues, value: string | number): boolean {
  if (typeof value === 'number') return known.hasNumber(Math.abs(value)) || known.hasText(String(value));
  const amounts = amountsIn(value);
  return known.hasText(value) || amounts.some((amount) => known.hasNumber(amount));
}

/** The clean run gave this tool this value, and had it from somewhere: a fault only kept it from being shown. */
function wasKnownInClean(
  clean: RunView | null,
  reference: WorldReference,
  { tool, value }: { readonly tool: string; readonly value: string | number },
): boolean {
  const text = JSON.stringify(value);
  const call = clean?.calls.find((one) => one.name === tool && JSON.stringify(one.args).includes(text));
  if (clean === null || call === undefined) return false;
  return isFounded(knownValues(clean, reference, call.turn), value);
}

/** A text that is an amount, as people write it: with separators. */
function amountsIn(text: string): readonly number[] {
  return /^[+-]?\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,]\d{1,2})?$/.test(text.trim()) &&
    /\D/.test(text.trim())
    ? numberForms(text.trim().replace(/^[+-]/, ''))
    : [];
}

/** The world's own solution gives this tool this value. */
function inSolution({ reference }: RuleCase, tool: string, value: string | number): boolean {
  const text = JSON.stringify(value);
  return solutionCalls(reference).some((call) => call.name === tool && call.args.includes(text));
}

interface SolutionCall {
  readonly name: string;
  /** The arguments as canonical JSON. */
  readonly args: string;
}

const SOLUTION_CALLS = new WeakMap<WorldReference, readonly SolutionCall[]>();

function solutionCalls(reference: WorldReference): readonly SolutionCall[] {
  const known = SOLUTION_CALLS.get(reference);
  if (known !== undefined) return known;
  const made = (reference.oracle?.calls ?? []).map((call) => ({
    name: call.name,
    args: canonicalJson(call.arguments),
  }));
  SOLUTION_CALLS.set(reference, made);
  return made;
}

interface Named {
  readonly name: string;
  readonly value: string | number;
}

/** The arguments of a write that must come from somewhere: keys of rows that exist, references, amounts, addresses. */
function foundedArguments(of: RuleCase, call: CallView): readonly Named[] {
  const plan = chosenPlan(call.plan, call.args);
  const collection = plan?.collection ?? plan?.override?.collection;
  const fields = collection === undefined ? undefined : of.reference.collections[collection]?.fields;
  const keys = new Set(Object.keys(plan?.key ?? plan?.override?.key ?? {}));
  const creates =
    operationOf(call.plan, call.args) === 'create' || operationOf(call.plan, call.args) === 'upsert';
  const batch = plan?.batch?.argument ?? plan?.override?.batch;
  const items = batch === undefined ? [call.args] : itemsOf(call.args, batch);
  const named: Named[] = [];
  for (const args of items) {
    for (const name of Object.keys(args)) {
      const value = args[name];
      if (typeof value === 'number') {
        if (Math.abs(value) < 100 && !namesRow(name)) continue;
      } else if (typeof value !== 'string' || value === '' || value.length > 120) continue;
      else if (!namesRow(name) && !ADDRESS.test(value) && Math.max(0, ...amountsIn(value)) < 100) continue;
      if (!isKeyName(name) && name !== plan?.idempotencyKey) named.push({ name, value });
    }
  }
  return named;

  function namesRow(name: string): boolean {
    const field = plan?.writes?.[name] ?? name;
    return (keys.has(name) && !creates) || fields?.[field]?.refersTo !== undefined;
  }
}

const ADDRESS = /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/;

function itemsOf(args: JsonObject, batch: string): readonly JsonObject[] {
  const list = args[batch];
  return Array.isArray(list) ? (list as readonly Json[]).filter(isJsonObject) : [];
}
