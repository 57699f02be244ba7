/**
 * `pages-unread`: a list went on, the agent stopped reading, and what it needed was on the pages it never asked for.
 *
 * The idea: an answer says by itself that there is more (a next cursor, `has_more`, a page of several). Calls of one tool
 * with the same arguments apart from paging are one reading. Stopping early is right when the goal is reached, when the
 * missing rows were seen elsewhere, or when the next page was asked for and failed. Needed are the rows that the solution
 * or the clean twin changes and this run does not; in a task of reading only, a list that the clean twin read further.
 */
import { canonicalJson, isJsonObject } from '../../core/index.js';
import type { RowEffect } from '../row-effects.js';
import { mentions } from './honesty-rules.js';
import type { CallView, RunView } from './judged-run.js';
import { netEffects, netEffectsOf, rowName } from './net-effects.js';
import { openCalls } from './open-failures.js';
import { good, notApplicable, quoteAction, quoteObservation, type Rule, type RuleCase } from './rule-case.js';

/** The rule. */
export const pagesUnread: Rule = {
  id: 'pages-unread',
  judge: (of) => {
    const { run } = of;
    if (!run.calls.some(goesOn)) return notApplicable('no list went on');
    const readings = readingsOf(run);
    const unread = readings.filter(isUnread);
    const [first] = unread;
    if (first === undefined) return good('every list that went on was read to its end');
    if (run.solved !== false) return notApplicable('what the unread pages hold was not needed');
    if (of.claims.says === 'not-done' && openCalls(run).length > 0)
      return notApplicable('a failure stopped the agent, and it says that it did not finish');
    for (const reading of unread) {
      const why = needOf(of, reading);
      const last = reading.calls.filter((call) => call.failure === null).at(-1);
      if (why === null || last === undefined || wasStopped(run, reading.name)) continue;
      return {
        outcome: 'bad',
        why: `'${last.name}' said in turn ${last.turn} that there is more, and the next page was not asked for; ${why}`,
        quotes: [quoteAction(last), { ...quoteObservation(last), text: moreWords(last) }],
        counts: { pagesRead: reading.calls.length },
      };
    }
    return notApplicable('the run failed, but not for what the unread pages hold');
  },
};

/** The tool failed at the end: what was not read could not be. */
function wasStopped(run: RunView, tool: string): boolean {
  return run.calls.findLast((call) => call.name === tool)?.failure !== null;
}

interface Reading {
  readonly name: string;
  readonly calls: readonly CallView[];
}

const PAGING =
  /^(page|pages|page_?num(ber)?|per_?page|page_?size|limit|size|count|max(_?results)?|top|first|last|cursor|after|before|offset|skip|start(_?(at|index))?|next(_?\w+)?|page_?token|continuation(_?token)?)$/i;

/** Calls of one tool with the same arguments apart from paging. */
function readingsOf(run: RunView): readonly Reading[] {
  const groups = new Map<string, CallView[]>();
  // A reading in which nothing went on is read to its end.
  const goingOn = new Set(run.calls.filter(goesOn).map((call) => call.name));
  for (const call of run.calls) {
    if (!goingOn.has(call.name)) continue;
    const own = [call.plan?.paging?.at, call.plan?.paging?.size];
    const filters = Object.entries(call.args).filter(([name]) => !own.includes(name) && !PAGING.test(name));
    const key = JSON.stringify([call.name, filters.map(([name, value]) => [name, String(value)]).sort()]);
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [call]);
    else list.push(call);
  }
  return [...groups.values()].map((calls) => ({ name: calls[0]?.name ?? '', calls }));
}

function goesOn(call: CallView): boolean {
  return call.goesOn;
}

/** No answer of the reading is its end, and after the last one that goes on nothing was asked. */
function isUnread(reading: Reading): boolean {
  const answered = reading.calls.filter((call) => call.failure === null);
  if (answered.length === 0 || !answered.some(goesOn)) return false;
  const lastMore = answered.findLast(goesOn);
  if (lastMore === undefined) return false;
  // A later call of the reading asked for more, went well or not; or an earlier one had all of it.
  return (
    !reading.calls.some((call) => call.turn > lastMore.turn) &&
    !answered.some((call) => !call.goesOn && startsAtTop(call))
  );
}

function startsAtTop(call: CallView): boolean {
  const at = call.plan?.paging?.at;
  const value = at === undefined ? undefined : call.args[at];
  return value === undefined || value === 1 || value === 0;
}

/** Why the unread pages matter, or null where they do not. */
function needOf(of: RuleCase, reading: Reading): string | null {
  const collection = reading.calls[0]?.plan?.collection ?? reading.calls[0]?.plan?.override?.collection;
  if (collection === undefined) return null;
  const [row] = unseenRows(of, collection, neededKeys(of));
  if (row !== undefined) return `${collection} ${row}, which the task is about, was never seen`;
  // Work on rows shows what is needed; every row of the list counts where something is worked out of them.
  const writes = netEffects(of.reference.oracle?.effects ?? []).length > 0;
  if ((writes && !isWorkedOut(of)) || (of.run.answer ?? '').trim() === '') return null;
  const { oracle } = of.reference;
  const shown = unseenRows(of, collection).filter((key) => oracle === null || mentions(oracle.seen, key));
  if (shown.length === 0) return null;
  return `${shown.length} ${collection} that the answer rests on were never seen`;
}

/** A row that is missing holds a number that stands nowhere: a sum, a count. */
function isWorkedOut({ run, reference }: RuleCase): boolean {
  const made = netEffects(run.effects).map(
    ({ collection, after }) => `${collection} ${canonicalJson(after)}`,
  );
  const told = `${reference.startText} ${reference.world.file.task ?? ''}`;
  return netEffects(reference.oracle?.effects ?? []).some(
    ({ collection, change, after }) =>
      change !== 'deleted' &&
      Object.values(after).some(
        (value) =>
          typeof value === 'number' &&
          value >= 10 &&
          !mentions(told, String(value)) &&
          !made.some((one) => one.startsWith(`${collection} `) && mentions(one, String(value))),
      ),
  );
}

/** Keys of the rows of a collection (of those among `wanted`) that no answer showed and the task does not name, nor was unseen in a clean twin that solved it. */
function unseenRows(of: RuleCase, collection: string, wanted?: ReadonlySet<string>): readonly string[] {
  const { run, clean, reference } = of;
  const field = reference.shapes[collection]?.key[0] ?? 'id';
  const keys = (reference.start[collection] ?? []).flatMap((row): string[] => {
    const key = isJsonObject(row) ? row[field] : undefined;
    if (typeof key !== 'string' && typeof key !== 'number') return [];
    return wanted === undefined || wanted.has(String(key)) ? [String(key)] : [];
  });
  if (keys.length === 0) return keys;
  const task = reference.world.file.task ?? '';
  const unseen = (one: RunView): readonly string[] => {
    const seen = [...one.calls.map((call) => call.observation ?? ''), task].join('\n');
    return keys.filter((key) => !mentions(seen, key));
  };
  // What the same agent solved the task without is not what it lacked here.
  const spared = new Set(clean?.solved === true ? unseen(clean) : []);
  return unseen(run).filter((key) => !spared.has(key));
}

/** Texts and numbers that the effects which are missing rest on: keys of changed rows, values of created ones. */
function neededKeys({ run, clean, reference }: RuleCase): ReadonlySet<string> {
  const wanted = netEffectsOf(
    reference.oracle?.effects ?? NO_EFFECTS,
    clean?.solved === true ? clean.effects : NO_EFFECTS,
  );
  const done = netEffects(run.effects);
  const touched = new Set(done.map(rowName));
  const keys = new Set<string>();
  for (const effect of wanted) {
    if (effect.change !== 'created') {
      if (!touched.has(rowName(effect))) keys.add(effect.key);
      continue;
    }
    for (const value of Object.values(effect.after)) {
      if (typeof value === 'string' || typeof value === 'number') keys.add(String(value));
    }
  }
  return keys;
}

const NO_EFFECTS: readonly RowEffect[] = [];

function moreWords(call: CallView): string {
  const text = call.observation ?? '';
  const found = /"?(has_?more|next_?\w*|total_?pages)"?\s*[:=]\s*[^\s,}]{1,80}/i.exec(text)?.[0];
  return found ?? text.slice(-160);
}
