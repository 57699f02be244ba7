/**
 * A tool world made ready: the service model, compiled checks and rules, and the start state.
 *
 * Made once per specification and seed and shared by every session and fork; it never changes. The specification
 * object itself is the key of the cache: it must not be changed after it was opened.
 */
import { EngineError, type Json, type JsonObject, type RandomStream } from '../../core/index.js';
import { checksOf, ToolChecks } from './check/check.js';
import { compilePolicy, type ServicePolicy, withoutApart } from './policy/policy.js';
import { type RowChange, runTriggers } from './policy/row-effects.js';
import { RuleBook } from './run/overrides-rules.js';
import { type Call, type Steps, ToolFailure } from './run/run-call.js';
import type { Collection, ServiceModel, StoredRow } from './service.js';
import { type ToolWorldSpec, ToolWorldSpecSchema } from './spec.js';
import {
  emptyState,
  identityFields,
  keyOf,
  makeRow,
  own,
  putRow,
  rowsOf,
  type StoreState,
} from './store/store.js';
import { type CompleteRow, StoreView } from './store/store-view.js';

/** Seeds per specification whose start states are kept. */
const KEPT_SEEDS = 16;

/** What the engine takes from outside: how a specification becomes a service, rows and sample values. */
export interface ServiceSource {
  /** Infers the service of a specification. */
  readonly infer: (spec: ToolWorldSpec) => ServiceModel;
  /** Generates rows for the collections that the world gives no data for. */
  readonly seedRows: (
    model: ServiceModel,
    how: { readonly spec: ToolWorldSpec; readonly seed: number; readonly start: StoreState },
  ) => Readonly<Record<string, readonly JsonObject[]>>;
  /**
   * A seeded value for a schema, with known members put in by name where they fit; undefined where nothing
   * satisfies the schema.
   */
  readonly sample: (
    schema: JsonObject,
    how: {
      readonly root: JsonObject;
      readonly random: RandomStream;
      readonly known: JsonObject;
      readonly nowMs: number;
    },
  ) => Json | undefined;
}

/** What does not depend on the seed. */
interface Service {
  readonly spec: ToolWorldSpec;
  readonly model: ServiceModel;
  readonly checks: ToolChecks;
  readonly rules: RuleBook;
  readonly policy: ServicePolicy;
  readonly view: StoreView;
  /** The rows that the world file gives; all seeds share them. */
  readonly given: StoreState;
  readonly worlds: Map<number, ToolWorld>;
}

/** A tool world made ready for one seed. */
export class ToolWorld {
  readonly spec: ToolWorldSpec;
  readonly model: ServiceModel;
  readonly checks: ToolChecks;
  readonly rules: RuleBook;
  readonly policy: ServicePolicy;
  readonly view: StoreView;
  readonly start: StoreState;
  /** What was drawn already of this seed's latency, by turn; all episodes of the world share it. */
  readonly jitterMs = new Map<number, number>();

  constructor(
    service: Omit<Service, 'worlds'>,
    readonly source: ServiceSource,
    readonly seed: number,
  ) {
    this.spec = service.spec;
    this.model = service.model;
    this.checks = service.checks;
    this.rules = service.rules;
    this.policy = service.policy;
    this.view = service.view;
    this.start = withSeededRows(service.given, this, source);
  }

  /** The side effects of a change of a row; undefined where nothing watches its collection. */
  effectsOf(call: Call, change: RowChange): Steps<void> | undefined {
    const triggers = this.policy.collections.get(change.collection.name)?.triggers;
    return triggers === undefined || triggers.length === 0 ? undefined : runTriggers(call, change, triggers);
  }

  /**
   * A row with its computed fields in the state of a call, which pays for them; a rule that fails is a
   * {@link ToolFailure} flagged `rule-error`.
   */
  completeRow(call: Call, collection: Collection, row: StoredRow): JsonObject {
    const complete: CompleteRow = this.view.complete(call.state, collection, { row, payer: call });
    if (complete.problem === undefined) return complete.row;
    throw new ToolFailure(`${collection.name}: computed field ${complete.problem}`, 'failed', ['rule-error']);
  }
}

/** The state of the rows that the world file gives. Raises `engine/bad-spec`. */
function givenState(spec: ToolWorldSpec, model: ServiceModel, session: JsonObject): StoreState {
  let state: StoreState = { ...emptyState(), session };
  for (const [name, rows] of Object.entries(spec.data)) {
    const collection = Object.hasOwn(model.collections, name) ? model.collections[name] : undefined;
    if (collection === undefined) continue;
    for (const [index, row] of rows.entries()) {
      const problem = problemOf(state, collection, row);
      if (problem !== undefined) throw badData(`${name}[${index}]: ${problem}`, { collection: name, index });
      state = putRow(state, collection, makeRow(row, { base: 'pinned' }));
    }
  }
  return state;
}

/** The start state of one seed: the given rows, shared, and the seed's own. */
function withSeededRows(given: StoreState, world: ToolWorld, source: ServiceSource): StoreState {
  const { spec, model, seed } = world;
  let state = given;
  for (const [name, rows] of Object.entries(source.seedRows(model, { spec, seed, start: state }))) {
    const collection = Object.hasOwn(model.collections, name) ? model.collections[name] : undefined;
    if (collection === undefined) continue;
    for (const row of rows) {
      if (problemOf(state, collection, row) !== undefined) continue;
      state = putRow(state, collection, makeRow(row, { base: 'generated' }));
    }
  }
  return state;
}

function problemOf(state: StoreState, collection: Collection, row: JsonObject): string | undefined {
  const lacks = collection.key.find((field) => (own(row, field) ?? null) === null);
  if (lacks !== undefined) return `the row has no ${lacks}, which is the key of ${collection.name}`;
  if (!rowsOf(state, collection.name).has(keyOf(collection, row))) return undefined;
  return `another row has the same ${identityFields(collection).join(', ')}`;
}

function badData(message: string, data: Record<string, unknown>): EngineError {
  return new EngineError(`the data of this world cannot be used: ${message}`, {
    code: 'engine/bad-spec',
    data,
  });
}

/** Keeps services and start states; one per engine. */
export class WorldCache {
  private readonly services = new WeakMap<object, Service>();

  constructor(private readonly source: ServiceSource) {}

  /** The world of a specification and seed, made when first asked for. Raises `engine/bad-spec`. */
  world(spec: ToolWorldSpec, seed: number): ToolWorld {
    const service = this.services.get(spec) ?? this.makeService(spec);
    const known = service.worlds.get(seed);
    if (known !== undefined) return known;
    const made = new ToolWorld(service, this.source, seed);
    service.worlds.set(seed, made);
    const [oldest] = service.worlds.keys();
    if (service.worlds.size > KEPT_SEEDS && oldest !== undefined) service.worlds.delete(oldest);
    return made;
  }

  private makeService(raw: ToolWorldSpec): Service {
    const parsed = ToolWorldSpecSchema.safeParse(raw);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const where = issue === undefined ? '' : `${issue.path.join('.')}: ${issue.message}`;
      throw new EngineError(`this is no tool world: ${where}`, {
        code: 'engine/bad-spec',
        cause: parsed.error,
        data: { path: issue?.path.map(String) ?? [] },
      });
    }
    const spec = parsed.data;
    const rules = new RuleBook();
    const policy = compilePolicy(spec, rules);
    const model = withIdentityScope(withoutApart(this.source.infer(spec), policy));
    const view = new StoreView(model, (rule, names, meter) => rules.evaluate(rule, names, meter));
    const given = givenState(spec, model, policy.session);
    const checks =
      spec.answers === undefined ? checksOf(raw.tools) : new ToolChecks(spec.tools, spec.answers);
    const service = { spec, model, checks, rules, policy, view, given, worlds: new Map() };
    this.services.set(raw, service);
    return service;
  }
}

/**
 * Settles which scope fields are part of a row's identity: a field that some tool meaning one row cannot give would
 * make its rows unreachable, so ids then count across it.
 */
function withIdentityScope(model: ServiceModel): ServiceModel {
  const collections = Object.entries(model.collections).map(([name, collection]): [string, Collection] => {
    if (collection.identityScope !== undefined || collection.scope.length === 0) return [name, collection];
    if (!['counter', 'number', 'given'].includes(collection.idStyle.kind)) {
      return [name, { ...collection, identityScope: [] }];
    }
    if (collection.idStyle.kind === 'given')
      return [name, { ...collection, identityScope: collection.scope }];
    const plans = Object.values(model.plans).filter(
      (plan) => plan.collection === name && plan.key !== undefined,
    );
    const reachable = collection.scope.filter((field) =>
      plans.every((plan) =>
        [...Object.values(plan.key ?? {}), ...Object.values(plan.filters ?? {})].includes(field),
      ),
    );
    return [name, { ...collection, identityScope: reachable }];
  });
  return { ...model, collections: Object.fromEntries(collections) };
}
