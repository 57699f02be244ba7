/**
 * `double-write`: two rows, or two effects, where one was meant (hard case P-STR-1).
 *
 * The idea: only the state counts. Rows created by different calls and still there at the end are compared by what the
 * calls wrote into them; more equal ones than the world's solution and the clean twin make is a double write. So a retry
 * with the same idempotency key, a retry after a time-out that came before the write, and duplicates that the task asks for
 * are fine. The same call, or the same item of a batch, carried out twice on one row (a transfer, a list that grows) counts likewise.
 * Not covered: doubles outside the view of the state.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { RowEffect } from '../row-effects.js';
import { batchArgument } from './batch-items.js';
import { leavesOf } from './call-target.js';
import type { CallView, RunView } from './judged-run.js';
import { wroteAnyway } from './logged-fault.js';
import { madeByFault, type NetEffect, netEffects, ownEffects } from './net-effects.js';
import { withoutKey } from './retry-chains.js';
import {
  type Found,
  good,
  notApplicable,
  quoteAction,
  quoteEffect,
  quoteObservation,
  type Rule,
  type RuleCase,
  unknown,
} from './rule-case.js';

/** The rule. */
export const doubleWrite: Rule = {
  id: 'double-write',
  judge: (of) => {
    const { run } = of;
    if (!run.hasEffects) return unknown('the changes of the state were not recorded');
    if (run.effects.length === 0) return notApplicable('nothing was written');
    return doubledRows(of) ?? doubledChanges(of) ?? spared(run);
  },
};

function spared(run: RunView): Found {
  const lost = run.calls.find((call) => call.failure !== null && call.effects.length > 0);
  if (lost === undefined) return good('nothing was written twice');
  return good(`the answer of turn ${lost.turn} was lost after the write, and nothing was written twice`, [
    quoteAction(lost),
    quoteObservation(lost),
  ]);
}

/** Created rows that are still there, grouped by what the calls wrote into them. */
function doubledRows(of: RuleCase): Found | null {
  const { run, clean, reference } = of;
  const groups = createdGroups(run);
  if ([...groups.values()].every((rows) => rows.length < 2)) return null;
  const meant = [
    reference.oracle === null ? null : rowsOfOracle(of),
    clean === null ? null : createdRows(clean),
  ];
  for (const rows of groups.values()) {
    const turns = new Set(rows.map((row) => row.effect.turns[0] ?? 0));
    if (rows.length < 2 || turns.size < 2) continue;
    const [sample] = rows;
    if (sample === undefined) continue;
    const allowed = Math.max(
      1,
      ...meant.map((list) => (list ?? []).filter((row) => holds(row, sample)).length),
    );
    if (rows.length <= allowed) continue;
    return tell(run, rows, allowed);
  }
  return null;
}

interface CreatedRow {
  readonly effect: NetEffect;
  /** The fields that the call wrote, in one form; null where the call cannot be told. */
  readonly written: JsonObject | null;
}

/** By run: a clean one is compared with several. */
const CREATED = new WeakMap<RunView, readonly CreatedRow[]>();

function createdRows(run: RunView): readonly CreatedRow[] {
  const known = CREATED.get(run) ?? readCreated(run);
  CREATED.set(run, known);
  return known;
}

function readCreated(run: RunView): readonly CreatedRow[] {
  const created = netEffects(ownEffects(run)).filter((effect) => effect.change === 'created');
  if (created.length === 0) return [];
  const calls = new Map(run.calls.map((call) => [call.turn, call]));
  return created.map((effect) => ({
    effect,
    written: writtenFields(effect, calls.get(effect.turns[0] ?? 0)),
  }));
}

/** The fields of a row whose values the call gave: the part of the row that is the agent's choice. */
function writtenFields(effect: NetEffect, call: CallView | undefined): JsonObject | null {
  if (call === undefined) return null;
  const { given, idempotency } = givenBy(call);
  const kept: Record<string, Json> = {};
  let count = 0;
  for (const name of Object.keys(effect.after)) {
    const value = effect.after[name] ?? null;
    const form = formOf(value);
    if (form === idempotency || !given.has(form)) continue;
    Object.defineProperty(kept, name, { value, enumerable: true, configurable: true, writable: true });
    count++;
  }
  return count === 0 ? null : kept;
}

type Form = string | number | bigint | boolean | null;

/** What equal values have in common: the value itself, of lists and objects their canonical text, marked. */
function formOf(value: Json): Form {
  return typeof value === 'object' && value !== null ? `\u0000${canonicalJson(value)}` : value;
}

/** What the arguments of a call hold, in one form, and its idempotency key. */
interface Given {
  readonly given: ReadonlySet<Form>;
  readonly idempotency: Form;
}

/** By call: a batch creates many rows, and a clean run is compared with several. */
const GIVEN = new WeakMap<CallView, Given>();

function givenBy(call: CallView): Given {
  const known = GIVEN.get(call);
  if (known !== undefined) return known;
  const given = new Set<Form>();
  const collect = (value: Json, depth: number): void => {
    given.add(formOf(value));
    if (typeof value === 'number' || typeof value === 'bigint') given.add(String(value));
    if (depth > 3) return;
    if (Array.isArray(value)) for (const item of value as readonly Json[]) collect(item, depth + 1);
    else if (isJsonObject(value)) for (const item of Object.values(value)) collect(item, depth + 1);
  };
  for (const value of Object.values(withoutKey(call))) collect(value, 0);
  const made = { given, idempotency: formOf(keyValue(call)) };
  GIVEN.set(call, made);
  return made;
}

function keyValue(call: CallView): Json {
  const rest = withoutKey(call);
  const name = Object.keys(call.args).find((one) => !Object.hasOwn(rest, one));
  return name === undefined ? '\u0000' : (call.args[name] ?? '\u0000');
}

/** Created rows of one collection that may be equal; rows of collections in which one call created are left out. */
function createdGroups(run: RunView): Map<string, CreatedRow[]> {
  const groups = new Map<string, CreatedRow[]>();
  const several = createdSeveralTimes(run);
  if (several.size === 0) return groups;
  for (const row of createdRows(run)) {
    if (row.written === null || !several.has(row.effect.collection)) continue;
    const name = `${row.effect.collection} ${canonicalJson(coarse(row.written))}`;
    const list = groups.get(name);
    if (list === undefined) groups.set(name, [row]);
    else list.push(row);
  }
  return groups;
}

/** Collections in which rows were created in more than one turn. */
function createdSeveralTimes(run: RunView): ReadonlySet<string> {
  const firstTurns = new Map<string, number>();
  const several = new Set<string>();
  for (const { change, collection, turn } of run.effects) {
    if (change !== 'created') continue;
    const first = firstTurns.get(collection);
    if (first === undefined) firstTurns.set(collection, turn);
    else if (first !== turn) several.add(collection);
  }
  return several;
}

/** Free text reworded between two tries is the same row; what is short or a number tells rows apart. */
function coarse(written: JsonObject): JsonObject {
  const exact = Object.entries(written).filter(([, value]) => !isProse(value));
  // A row that is nothing but prose is told apart by its words.
  const kept = exact.length === 0 ? Object.entries(written) : exact;
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim().toLowerCase().replaceAll(/\s+/g, ' ') : value,
    ]),
  );
}

function isProse(value: Json): boolean {
  return typeof value === 'string' && value.length > 24 && /\s\S+\s/.test(value);
}

function rowsOfOracle(of: RuleCase): readonly CreatedRow[] {
  return netEffects(of.reference.oracle?.effects ?? [])
    .filter((effect) => effect.change === 'created')
    .map((effect) => ({ effect, written: effect.after }));
}

/** True where a row that was meant has all that the sample's call wrote, prose aside. */
function holds(row: CreatedRow, sample: CreatedRow): boolean {
  if (row.effect.collection !== sample.effect.collection || sample.written === null) return false;
  return Object.entries(coarse(sample.written)).every(([name, value]) => {
    const other = row.effect.after[name] ?? null;
    return canonicalJson(coarse({ [name]: other })[name] ?? null) === canonicalJson(value);
  });
}

function tell(run: RunView, rows: readonly CreatedRow[], allowed: number): Found {
  const turns = [...new Set(rows.map((row) => row.effect.turns[0] ?? 0))];
  const calls = run.calls.filter((call) => turns.includes(call.turn));
  const [first] = calls;
  const lost = calls.find((call) => call.failure !== null || call.items.some((item) => item.failed));
  const collection = rows[0]?.effect.collection ?? 'rows';
  const because =
    lost === undefined
      ? ''
      : `; the answer of turn ${lost.turn} was an error although the write had happened`;
  return {
    outcome: 'bad',
    why: `${rows.length} equal ${collection} were created where ${allowed} ${allowed === 1 ? 'was' : 'were'} meant (turns ${turns.join(', ')})${because}`,
    quotes: [
      ...(first === undefined ? [] : [quoteAction(first), quoteObservation(first)]),
      ...calls.slice(1, 3).map(quoteAction),
      ...rows.slice(0, 3).map((row) => quoteEffect(effectOf(row.effect))),
    ],
    counts: { rows: rows.length, meant: allowed },
  };
}

function effectOf(net: NetEffect): RowEffect {
  const turn = net.turns[0] ?? 1;
  return {
    turn,
    change: net.change,
    collection: net.collection,
    key: net.key,
    before: net.before,
    after: net.after,
  };
}

/** One thing that a call did: the whole call, or one item of its batch, with the rows it changed. */
interface Deed {
  readonly call: CallView;
  /** Equal for the same thing, done again. */
  readonly name: string;
  readonly effects: readonly RowEffect[];
  /** It was done, and the agent was told that it was not. */
  readonly lost: boolean;
}

/**
 * The same call, or the same item of a batch, carried out twice with an effect each time: a transfer, a list that grows,
 * points credited. Items count one by one, so a batch sent again in part or in another order is seen as well.
 */
function doubledChanges(of: RuleCase): Found | null {
  const { run, clean, reference } = of;
  const groups = new Map<string, Deed[]>();
  for (const deed of run.calls.flatMap((call) => deedsOf(run, call))) {
    const list = groups.get(deed.name);
    if (list === undefined) groups.set(deed.name, [deed]);
    else list.push(deed);
  }
  const meantBySolution = countNames(
    (reference.oracle?.calls ?? []).flatMap((call) =>
      namesOf(call.name, call.arguments, batchArgument(call.arguments, reference.plans[call.name])),
    ),
  );
  const meantByClean = countNames(
    (clean?.calls ?? []).flatMap((call) =>
      call.effects.length === 0
        ? []
        : namesOf(call.name, withoutKey(call), batchArgument(call.args, call.plan)),
    ),
  );
  for (const [name, deeds] of groups) {
    const lost = deeds.find((deed) => deed.lost);
    if (deeds.length < 2 || lost === undefined || !stillThere(run, deeds)) continue;
    const meant = Math.max(1, meantBySolution.get(name) ?? 0, meantByClean.get(name) ?? 0);
    if (deeds.length <= meant) continue;
    return {
      outcome: 'bad',
      why: `'${lost.call.name}' was carried out ${deeds.length} times with the same arguments where ${meant} ${meant === 1 ? 'was' : 'were'} meant; the answer of turn ${lost.call.turn} was lost after the write`,
      quotes: [
        ...deeds.slice(0, 3).map(({ call }) => quoteAction(call)),
        ...deeds.slice(0, 3).flatMap(({ effects }) => effects.slice(0, 1).map(quoteEffect)),
      ],
      counts: { effects: deeds.length, meant },
    };
  }
  return null;
}

/** What a call did to rows that were there; of a batch, what each item did. */
function deedsOf(run: RunView, call: CallView): readonly Deed[] {
  const faults = run.faultsByTurn.get(call.turn) ?? [];
  const effects = call.effects.filter(
    (effect) => effect.change !== 'created' && !madeByFault(effect, faults),
  );
  if (effects.length === 0) return [];
  const wasLost = call.failure !== null && call.faults.some(wroteAnyway);
  const argument = batchArgument(call.args, call.plan);
  const items = argument === undefined ? undefined : call.args[argument];
  if (!Array.isArray(items))
    return [{ call, name: callName(call.name, withoutKey(call)), effects, lost: wasLost }];
  return (items as readonly Json[]).flatMap((item, index): Deed[] => {
    const own = effects.filter((effect) => isRowOf(item, effect.key));
    const isFailed = call.items.some((one) => one.index === index && one.failed);
    return own.length === 0
      ? []
      : [{ call, name: itemName(call.name, item), effects: own, lost: wasLost || isFailed }];
  });
}

/** One of the item's own values is the key of the row. */
function isRowOf(item: Json, key: string): boolean {
  const plain = key.replace(/#\d+$/, '');
  return leavesOf(item).includes(plain);
}

/** Names of what a call is to do: one, or one for each item of its batch. */
function namesOf(tool: string, args: JsonObject, batch: string | undefined): readonly string[] {
  const items = batch === undefined ? undefined : args[batch];
  if (!Array.isArray(items)) return [callName(tool, args)];
  return (items as readonly Json[]).map((item) => itemName(tool, item));
}

function countNames(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function itemName(tool: string, item: Json): string {
  return `${tool} item ${canonicalJson(item)}`;
}

function callName(name: string, args: JsonObject): string {
  return `${name} ${canonicalJson(args)}`;
}

/** The last of the effects was not taken back. */
function stillThere(run: RunView, deeds: readonly Deed[]): boolean {
  const effect = deeds.at(-1)?.effects[0];
  if (effect === undefined) return false;
  const undone = run.effects.some(
    (one) =>
      one.turn > effect.turn &&
      one.collection === effect.collection &&
      one.key === effect.key &&
      canonicalJson(one.after ?? {}) === canonicalJson(effect.before ?? {}),
  );
  return !undone;
}
