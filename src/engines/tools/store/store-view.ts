/**
 * The state as rules see it: plain lists of rows, computed fields included.
 *
 * Computed fields are never stored. A collection's rule may use the computed fields of the row (those above it),
 * and of collections that are worked out before it: a collection comes after those that its rules name. In a circle
 * the later ones see stored fields only. Lists are kept per version of what they depend on, so that rules over
 * many rows stay cheap: rows by row where rules do not look at `state`, else per state.
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
  private readonly alone = new WeakMap<StoredRow, CostedRow>();

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
    const made = this.completeBy(at.plan, of.row, view);
    of.payer.spend(made.cost);
    return made;
  }

  /** The state that a collection's rules see. */
  private seenBy(state: StoreState, at: { readonly plan: Plan; readonly index: number }): CostedView {
    return at.plan.usesState ? this.viewUpTo(state, at.index) : NOTHING_SEEN;
  }

  private completeBy(plan: Plan, row: StoredRow, state: JsonObject): CostedRow {
    if (plan.usesState) return this.compute(plan, row, state);
    const known = this.alone.get(row);
    if (known !== undefined) return known;
    const made = this.compute(plan, row, state);
    this.alone.set(row, made);
    return made;
  }

  private compute(plan: Plan, stored: StoredRow, state: JsonObject): CostedRow {
    let row = stored.data;
    let problem: string | undefined;
    const meter: Meter = { left: LIMITS.stepWork };
    const origins = new Map<string, Origin>(Object.entries(stored.origins.fields ?? {}));
    for (const { field, rule } of plan.computed) {
      const value = this.evaluate(rule, { row, state }, meter);
      meter.left -= plan.computed.length;
      if (!value.ok) problem ??= `${field}: ${value.error}`;
      else {
        meter.left -= sizeOf(value.value);
        row = { ...row, [field]: value.value };
        origins.set(field, 'computed');
      }
    }
    if (row !== stored.data)
      registerOrigins(row, { base: stored.origins.base, fields: Object.fromEntries(origins) });
    const cost = LIMITS.stepWork - meter.left;
    return problem === undefined ? { row, cost } : { row, cost, problem };
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
    let { cost, problem } = before;
    const seen = this.seenBy(state, at).view;
    const rows = Array.from(rowsOf(state, name).values(), (row) => {
      if (cost <= LIMITS.stepWork) {
        const made = this.completeBy(plan, row, seen);
        cost += made.cost;
        return made.row;
      }
      problem ??= `the computed fields of ${name} take more than ${LIMITS.stepWork} steps (limit stepWork)`;
      return row.data;
    });
    const made = { rows, cost, ...(problem === undefined ? {} : { problem }) };
    kept[index] = made;
    return made;
  }

  private storedRows(state: StoreState, name: string): readonly JsonObject[] {
    const rows = rowsOf(state, name);
    const known = this.stored.get(rows);
    if (known !== undefined) return known;
    const made = Array.from(rows.values(), (row) => row.data);
    this.stored.set(rows, made);
    return made;
  }
}

const NOTHING_SEEN: CostedView = { view: { data: {} }, cost: 0 };

/** The collections, each after those that its rules name; circles keep the model's order. */
function inOrder(model: ServiceModel): readonly Plan[] {
  const plans = Object.values(model.collections).map((collection): Plan => {
    const computed = Object.values(collection.fields).flatMap((field) =>
      field.computed === undefined ? [] : [{ field: field.name, rule: field.computed }],
    );
    return { collection, computed, usesState: computed.some(({ rule }) => rule.includes('state')) };
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
  return ordered;
}
