/**
 * The state as rules see it: plain lists of rows, computed fields included.
 *
 * Computed fields are never stored. A collection's rule may use the computed fields of the row (those above it),
 * and of collections that are worked out before it: a collection comes after those that its rules name. In a circle
 * the later ones see stored fields only. Rows and lists are kept per version of what they depend on, so that rules
 * over many rows stay cheap: a row by itself where its rules do not look at `state`, with the versions of the
 * collections that they name where all looks are of the form `state.data.NAME`, else per state.
 *
 * Computed fields of one row, and of one whole state, take at most `LIMITS.stepWork`; what is beyond stays as
 * stored, and is said to be missing. What is kept also keeps what it cost, and a call pays that whether the value
 * had to be made or not: whether a step ends within its budget must not depend on what ran before it.
 */
import { type Json, type JsonObject, LIMITS, type Origin, type Result } from '../../../core/index.js';
import type { Meter } from '../../../rules/index.js';
import { registerOrigins } from '../result/result-origins.js';
import type { Collection, ServiceModel, StoredRow } from '../service.js';
import { type Rows, rowsOf, type StoreState } from './store.js';
import { sizeOf } from './value-size.js';

/** Evaluates a rule with names and takes its steps from the meter; a failure is a message. */
export type EvaluateRule = (
  rule: string,
  names: Readonly<Record<string, Json>>,
  meter: Meter,
) => Result<Json, string>;

/** Who pays for computed fields: a call in progress. */
export interface Payer {
  /** Pays for work; may raise. */
  spend(work: number): void;
  /** Pays for work on a thing that is kept, the first time this payer uses it; may raise. */
  spendOnce(kept: object, work: number): void;
}

interface Plan {
  readonly collection: Collection;
  readonly computed: readonly { readonly field: string; readonly rule: string }[];
  /** A rule looks at other rows. */
  readonly usesState: boolean;
  /** The collections that its values depend on beside the row; null where that cannot be told from the rules. */
  readonly dependsOn: readonly string[] | null;
}

/** A row with its computed fields, and what went wrong in computing them. */
export interface CompleteRow {
  readonly row: JsonObject;
  /** `field: message` of the first rule that failed; the field is then absent. */
  readonly problem?: string;
}

/** A row, what went wrong, and the work it takes. */
interface CostedRow extends CompleteRow {
  readonly cost: number;
}

/** A value, and the versions of the collections that it was made from. */
interface Kept<Value> {
  readonly from: readonly Rows[];
  readonly value: Value;
}

/** The rows of one collection in one state, and the work of all computed fields up to it. */
interface CostedList {
  readonly rows: readonly JsonObject[];
  readonly cost: number;
  readonly problem?: string;
}

/** A view, and the work of its computed fields. */
interface CostedView {
  readonly view: JsonObject;
  readonly cost: number;
  readonly problem?: string;
}

/** Makes views of states; one per world, shared by all its sessions. */
export class StoreView {
  private readonly plans: readonly Plan[];
  private readonly places: ReadonlyMap<string, { readonly plan: Plan; readonly index: number }>;
  private readonly stored = new WeakMap<Rows, readonly JsonObject[]>();
  private readonly lists = new WeakMap<StoreState, CostedList[]>();
  private readonly partial = new WeakMap<StoreState, Map<number, CostedView>>();
  private readonly rows = new WeakMap<StoredRow, Kept<CostedRow>>();
  private readonly versions = new WeakMap<Rows, Kept<CostedList> & { readonly before: CostedList }>();

  constructor(
    model: ServiceModel,
    private readonly evaluate: EvaluateRule,
  ) {
    this.plans = inOrder(model);
    this.places = new Map(this.plans.map((plan, index) => [plan.collection.name, { plan, index }]));
  }

  /** `{ data: { collection: rows } }` with computed fields. A field whose rule fails is absent. */
  view(state: StoreState): JsonObject {
    return this.viewUpTo(state, this.plans.length).view;
  }

  /** {@link view} for a rule of a call, which pays for it. Raises an error when it takes too much work. */
  ruleView(state: StoreState, payer: Payer): JsonObject {
    const { view, cost, problem } = this.viewUpTo(state, this.plans.length);
    payer.spendOnce(view, cost);
    if (problem !== undefined) throw new Error(problem);
    return view;
  }

  /** A stored row with its computed fields. */
  complete(
    state: StoreState,
    collection: Collection,
    of: { readonly row: StoredRow; readonly payer: Payer },
  ): CompleteRow {
    const at = this.places.get(collection.name);
    if (at === undefined || at.plan.computed.length === 0) return { row: of.row.data };
    const { view, cost } = this.seenBy(state, at);
    if (at.plan.usesState) of.payer.spendOnce(view, cost);
    const made = this.completeBy(at.plan, of.row, { state, view });
    of.payer.spend(made.cost);
    return made;
  }

  /** The state that a collection's rules see. */
  private seenBy(state: StoreState, at: { readonly plan: Plan; readonly index: number }): CostedView {
    return at.plan.usesState ? this.viewUpTo(state, at.index) : NOTHING_SEEN;
  }

  private completeBy(
    plan: Plan,
    row: StoredRow,
    seen: { readonly state: StoreState; readonly view: JsonObject },
  ): CostedRow {
    const from = versionsOf(seen.state, plan);
    if (from === null) return this.compute(plan, row, seen.view);
    const known = this.rows.get(row);
    if (known !== undefined && sameVersions(known.from, from)) return known.value;
    const value = this.compute(plan, row, seen.view);
    this.rows.set(row, { from, value });
    return value;
  }

  private compute(plan: Plan, stored: StoredRow, state: JsonObject): CostedRow {
    // rules see the row as it grows; what they give is a copy, so no copy of the row is needed for each
    const row: Record<string, Json> = { ...stored.data };
    const names = { row, state };
    const done: string[] = [];
    let problem: string | undefined;
    const meter: Meter = { left: LIMITS.stepWork };
    for (const { field, rule } of plan.computed) {
      const value = this.evaluate(rule, names, meter);
      meter.left -= plan.computed.length;
      if (!value.ok) problem ??= `${field}: ${value.error}`;
      else {
        meter.left -= sizeOf(value.value);
        setOwn(row, field, value.value);
        done.push(field);
      }
    }
    const cost = LIMITS.stepWork - meter.left;
    const complete = done.length === 0 ? stored.data : Object.freeze(marked(row, stored, done));
    return problem === undefined ? { row: complete, cost } : { row: complete, cost, problem };
  }

  /** The view in which the first `count` collections are complete and the others as stored. */
  private viewUpTo(state: StoreState, count: number): CostedView {
    const kept = this.partial.get(state) ?? new Map<number, CostedView>();
    this.partial.set(state, kept);
    const known = kept.get(count);
    if (known !== undefined) return known;
    const made = this.makeView(state, count);
    kept.set(count, made);
    return made;
  }

  private makeView(state: StoreState, count: number): CostedView {
    let last: CostedList = { rows: [], cost: 0 };
    const lists: [string, readonly JsonObject[]][] = [];
    for (const [index, plan] of this.plans.entries()) {
      const { name } = plan.collection;
      if (index < count) last = this.completeList(state, { plan, index }, last);
      lists.push([name, index < count ? last.rows : this.storedRows(state, name)]);
    }
    const extra = [...state.rows.keys()].filter((name) => !this.places.has(name)).sort();
    for (const name of extra) lists.push([name, this.storedRows(state, name)]);
    const { cost, problem } = last;
    return { view: { data: Object.fromEntries(lists) }, cost, ...(problem === undefined ? {} : { problem }) };
  }

  /** The complete rows of a collection; stored ones from where the work becomes too much. */
  private completeList(
    state: StoreState,
    at: { readonly plan: Plan; readonly index: number },
    before: CostedList,
  ): CostedList {
    const { plan, index } = at;
    const { name } = plan.collection;
    if (plan.computed.length === 0) return { ...before, rows: this.storedRows(state, name) };
    const kept = this.lists.get(state) ?? [];
    this.lists.set(state, kept);
    const known = kept[index];
    if (known !== undefined) return known;
    const from = versionsOf(state, plan);
    const stored = rowsOf(state, name);
    const version = from === null ? undefined : this.versions.get(stored);
    if (version !== undefined && from !== null && sameVersions(version.from, from)) {
      if (version.before.cost === before.cost && version.before.problem === before.problem) {
        kept[index] = version.value;
        return version.value;
      }
    }
    let { cost, problem } = before;
    const { view } = this.seenBy(state, at);
    const rows = Array.from(stored.values(), (row) => {
      if (cost <= LIMITS.stepWork) {
        const made = this.completeBy(plan, row, { state, view });
        cost += made.cost;
        return made.row;
      }
      problem ??= `the computed fields of ${name} take more than ${LIMITS.stepWork} steps (limit stepWork)`;
      return row.data;
    });
    const made = { rows: Object.freeze(rows), cost, ...(problem === undefined ? {} : { problem }) };
    if (from !== null) this.versions.set(stored, { from, value: made, before });
    kept[index] = made;
    return made;
  }

  private storedRows(state: StoreState, name: string): readonly JsonObject[] {
    const rows = rowsOf(state, name);
    const known = this.stored.get(rows);
    if (known !== undefined) return known;
    const made = Object.freeze(Array.from(rows.values(), (row) => row.data));
    this.stored.set(rows, made);
    return made;
  }
}

function setOwn(row: Record<string, Json>, field: string, value: Json): void {
  if (field !== '__proto__') row[field] = value;
  else Object.defineProperty(row, field, { value, enumerable: true, configurable: true, writable: true });
}

/** The row, with the origins of the stored one for all but the computed fields. */
function marked(row: JsonObject, { origins }: StoredRow, computed: readonly string[]): JsonObject {
  const own = computed.map((field): [string, Origin] => [field, 'computed']);
  registerOrigins(row, { base: origins.base, fields: { ...origins.fields, ...Object.fromEntries(own) } });
  return row;
}

const NOTHING_SEEN: CostedView = { view: { data: {} }, cost: 0 };

/** The versions of what a collection's values depend on; null where that is not known. */
function versionsOf(state: StoreState, plan: Plan): readonly Rows[] | null {
  return plan.dependsOn?.map((name) => rowsOf(state, name)) ?? null;
}

function sameVersions(one: readonly Rows[], other: readonly Rows[]): boolean {
  return one.length === other.length && one.every((rows, index) => rows === other[index]);
}

/** The collections, each after those that its rules name; circles keep the model's order. */
function inOrder(model: ServiceModel): readonly Plan[] {
  const plans = Object.values(model.collections).map((collection): Plan => {
    const computed = Object.values(collection.fields).flatMap((field) =>
      field.computed === undefined ? [] : [{ field: field.name, rule: field.computed }],
    );
    const usesState = computed.some(({ rule }) => rule.includes('state'));
    return { collection, computed, usesState, dependsOn: null };
  });
  const ordered: Plan[] = [];
  const visiting = new Set<string>();
  const visit = (plan: Plan): void => {
    if (visiting.has(plan.collection.name)) return;
    visiting.add(plan.collection.name);
    for (const other of plans) {
      const named = plan.computed.some(({ rule }) => rule.includes(other.collection.name));
      if (other !== plan && named) visit(other);
    }
    ordered.push(plan);
  };
  for (const plan of plans) visit(plan);
  return ordered.map((plan) => ({ ...plan, dependsOn: dependenciesOf(plan, plans) }));
}

/** The collections that a plan's rules name, and what those depend on in their turn. */
function dependenciesOf(plan: Plan, plans: readonly Plan[]): readonly string[] | null {
  const found = new Set<string>();
  const open = [plan];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const { rule } of one.computed) {
      const names = namesIn(rule);
      if (names === null) return null;
      for (const name of names) {
        if (found.has(name)) continue;
        found.add(name);
        open.push(...plans.filter(({ collection }) => collection.name === name));
      }
    }
  }
  return [...found];
}

/** The names after `state.data.` in a rule; null where the rule looks at the state in another way. */
function namesIn(rule: string): readonly string[] | null {
  const looks = rule.match(/\bstate\b/g) ?? [];
  const names = [...rule.matchAll(/(?<![.\w])state\.data\.([A-Za-z_]\w*)/g)].map(([, name = '']) => name);
  return names.length === looks.length ? names : null;
}
