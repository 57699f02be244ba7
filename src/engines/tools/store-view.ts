/**
 * The state as rules see it: plain lists of rows, computed fields included.
 *
 * Computed fields are never stored. A collection's rule may use the computed fields of the row (those above it),
 * and of collections that are worked out before it: a collection comes after those that its rules name. In a circle
 * the later ones see stored fields only. Lists are kept per version of what they depend on, so that rules over
 * many rows stay cheap: rows by row where rules do not look at `state`, else per state.
 */
import type { Json, JsonObject, Origin, Result } from '../../core/index.js';
import { registerOrigins } from './result-origins.js';
import type { Collection, ServiceModel, StoredRow } from './service.js';
import { type Rows, rowsOf, type StoreState } from './store.js';

/** Evaluates a rule with names; a failure is a message. */
export type EvaluateRule = (rule: string, names: Readonly<Record<string, Json>>) => Result<Json, string>;

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

/** Makes views of states; one per world, shared by all its sessions. */
export class StoreView {
  private readonly plans: readonly Plan[];
  private readonly places: ReadonlyMap<string, { readonly plan: Plan; readonly index: number }>;
  private readonly whole = new WeakMap<StoreState, JsonObject>();
  private readonly stored = new WeakMap<Rows, readonly JsonObject[]>();
  private readonly partial = new WeakMap<StoreState, Map<number, JsonObject>>();
  private readonly alone = new WeakMap<StoredRow, CompleteRow>();

  constructor(
    model: ServiceModel,
    private readonly evaluate: EvaluateRule,
  ) {
    this.plans = inOrder(model);
    this.places = new Map(this.plans.map((plan, index) => [plan.collection.name, { plan, index }]));
  }

  /** `{ data: { collection: rows } }` with computed fields. A field whose rule fails is absent. */
  view(state: StoreState): JsonObject {
    const known = this.whole.get(state);
    if (known !== undefined) return known;
    const made = this.viewUpTo(state, this.plans.length);
    this.whole.set(state, made);
    return made;
  }

  /** A stored row with its computed fields. */
  complete(state: StoreState, collection: Collection, row: StoredRow): CompleteRow {
    const at = this.places.get(collection.name);
    return at === undefined ? { row: row.data } : this.completeBy(state, at, row);
  }

  private completeBy(
    state: StoreState,
    at: { readonly plan: Plan; readonly index: number },
    row: StoredRow,
  ): CompleteRow {
    if (at.plan.computed.length === 0) return { row: row.data };
    if (at.plan.usesState) return this.compute(at.plan, row, this.viewUpTo(state, at.index));
    const known = this.alone.get(row);
    if (known !== undefined) return known;
    const made = this.compute(at.plan, row, { data: {} });
    this.alone.set(row, made);
    return made;
  }

  private compute(plan: Plan, stored: StoredRow, state: JsonObject): CompleteRow {
    let row = stored.data;
    let problem: string | undefined;
    const origins = new Map<string, Origin>(Object.entries(stored.origins.fields ?? {}));
    for (const { field, rule } of plan.computed) {
      const value = this.evaluate(rule, { row, state });
      if (!value.ok) problem ??= `${field}: ${value.error}`;
      else {
        row = { ...row, [field]: value.value };
        origins.set(field, 'computed');
      }
    }
    if (row !== stored.data)
      registerOrigins(row, { base: stored.origins.base, fields: Object.fromEntries(origins) });
    return problem === undefined ? { row } : { row, problem };
  }

  /** The view in which the first `count` collections are complete and the others as stored. */
  private viewUpTo(state: StoreState, count: number): JsonObject {
    const kept = this.partial.get(state) ?? new Map<number, JsonObject>();
    this.partial.set(state, kept);
    const known = kept.get(count);
    if (known !== undefined) return known;
    const lists = this.plans.map((plan, index): [string, readonly JsonObject[]] => {
      const { name } = plan.collection;
      return [name, index < count ? this.completeRows(state, plan, index) : this.storedRows(state, name)];
    });
    const extra = [...state.rows.keys()].filter((name) => !lists.some(([has]) => has === name)).sort();
    for (const name of extra) lists.push([name, this.storedRows(state, name)]);
    const view = { data: Object.fromEntries(lists) };
    kept.set(count, view);
    return view;
  }

  private completeRows(state: StoreState, plan: Plan, index: number): readonly JsonObject[] {
    if (plan.computed.length === 0) return this.storedRows(state, plan.collection.name);
    const rows = [...rowsOf(state, plan.collection.name).values()];
    return rows.map((row) => this.completeBy(state, { plan, index }, row).row);
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
