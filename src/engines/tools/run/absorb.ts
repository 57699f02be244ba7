/**
 * Takes an observation that the engine did not make (a foreign history, a recording, a model's answer) into the
 * state: what it shows is so.
 *
 * Rows are recognised by the key fields of the plan's collection, of collections that a property is named after,
 * and in lists and objects inside. They are merged with the origin of the observation. A success that shows no rows
 * is carried out on the state by the tool's own plan; a "not found" for a row that the state has takes the row away.
 * What the observation contradicts is told in words; the observation wins, but for a model's words about known rows: they win
 * only over rows that the call itself changes. A reference that it shows may lead to a
 * row that was not seen yet: nothing is invented for it.
 */
import {
  type AbsorbContext,
  type AbsorbReport,
  isJsonObject,
  type Json,
  type JsonObject,
  type Origin,
  parseJson,
  renderJson,
  type ToolCall,
} from '../../../core/index.js';
import { keyText, takenMessage } from '../check/messages.js';
import type { ToolWorld } from '../engine-world.js';
import { filesShown } from '../files/absorb-files.js';
import { isFileRead } from '../files/run-files.js';
import { splitWords } from '../infer/words.js';
import { overfullGroup } from '../policy/unique-rows.js';
import type { Collection, Plan, StoredRow } from '../service.js';
import {
  changeRow,
  deepEqual,
  identityFields,
  keyOf,
  makeRow,
  own,
  putRow,
  rowsOf,
  type StoreState,
} from '../store/store.js';
import { rowsLike } from '../store/store-index.js';
import { collectionNamed, deleteWithChildren } from '../store/store-integrity.js';
import { Call, runAlone, StopCall, ToolFailure } from './run-call.js';
import { meantBy } from './run-ops.js';
import { choosePlan, runPlan } from './run-plan.js';
import { findRow } from './run-rows.js';
import { plainName } from './search.js';

/** What absorbing gave: the report and the state after it. */
export interface Absorbed {
  readonly report: AbsorbReport;
  readonly state: StoreState;
}

const FAILED = /^\s*(?:\{\s*"error"|mcp error|error\b|failed\b|exception\b|traceback|input validation)/i;
const MISSING = /\bnot found\b|\bdoes not exist\b|\bno such\b|\b404\b/i;

const WRAPPERS = new Set(
  'data result results items rows records nodes node edges list entries values matches response item record'.split(
    ' ',
  ),
);

/** Takes one observation in. */
export function absorbObservation(
  world: ToolWorld,
  state: StoreState,
  given: { readonly action: ToolCall; readonly observation: string; readonly context: AbsorbContext },
): Absorbed {
  const { action, observation } = given;
  const checked = world.checks.check(action.name, action.arguments);
  if (!checked.ok) return { state, report: { absorbed: 0, conflicts: [] } };
  const call = new Call(world, state, checked.tool, checked.args, given.context);
  const plans = world.model.plans;
  const plan = choosePlan(Object.hasOwn(plans, action.name) ? plans[action.name] : undefined, call.args);
  const work = new Absorption(call, plan, given.context.origin ?? 'recorded');
  work.take(observation, given.context.isError === true);
  return { state: call.state, report: { absorbed: work.absorbed, conflicts: work.conflicts } };
}

class Absorption {
  absorbed = 0;
  readonly conflicts: string[] = [];
  private readonly collection: Collection | undefined;

  constructor(
    private readonly call: Call,
    private readonly plan: Plan | undefined,
    private readonly origin: Origin,
  ) {
    this.collection = collectionNamed(call.world.model, plan?.override?.collection ?? plan?.collection);
  }

  /** `isError`: marked as an error, whatever its words are. */
  take(observation: string, isError: boolean): void {
    if (isError || FAILED.test(observation) || (MISSING.test(observation) && observation.length < 500)) {
      this.takeFailure(observation);
      return;
    }
    if (this.plan?.file !== undefined && isFileRead(this.plan.file.does)) {
      const shown = filesShown(this.call, { plan: this.plan, tool: this.plan.file, text: observation });
      for (const row of shown) if (this.collection !== undefined) this.merge(this.collection, row);
      return;
    }
    if (this.removes()) {
      this.carryOut();
      return;
    }
    if (this.plan?.op === 'get' && this.plan.only !== undefined) {
      this.takeOnly(this.plan.only, observation);
      return;
    }
    const parsed = parseJson(observation);
    const value = parsed.ok ? parsed.value : undefined;
    const shows = value === undefined ? 0 : this.walk(value, { collection: this.collection, depth: 0 });
    if (shows === 0 && this.writes()) this.carryOut();
  }

  private writes(): boolean {
    const op = this.plan?.override?.op ?? this.plan?.op ?? 'unknown';
    return ['create', 'update', 'upsert', 'append', 'remove', 'compute'].includes(op);
  }

  private removes(): boolean {
    return (this.plan?.override?.op ?? this.plan?.op) === 'delete';
  }

  /** Runs the tool's own plan with a Host that lets everything pass; a failure leaves the state alone. */
  private carryOut(): void {
    const { call, plan } = this;
    if (plan === undefined) return;
    const before = call.state;
    try {
      const steps = runPlan(call, plan);
      if (steps !== undefined) runAlone(steps);
      if (call.state !== before) this.absorbed += 1;
    } catch (thrown) {
      if (!(thrown instanceof ToolFailure) && !(thrown instanceof StopCall)) throw thrown;
      call.state = before;
      const why = thrown instanceof ToolFailure ? thrown.message : 'it takes too many operations';
      this.conflicts.push(`${call.tool.name} succeeded there and would fail here: ${why}`);
    }
  }

  private takeFailure(observation: string): void {
    const { call, collection, plan } = this;
    if (collection === undefined || plan === undefined || !MISSING.test(observation)) return;
    if (!['get', 'delete', 'update'].includes(plan.op) || plan.batch !== undefined) return;
    const row = this.meantRow(collection, plan);
    if (row === undefined) return;
    this.conflicts.push(
      `${collection.singular} ${keyText(collection, row.data)} was not found there; the state had it`,
    );
    if (this.origin === 'predicted') return;
    call.state = deleteWithChildren(call.state, call.world.model, { collection, row });
    this.absorbed += 1;
  }

  private meantRow(collection: Collection, plan: Plan) {
    try {
      return findRow(this.call, collection, meantBy({ plan, collection, args: this.call.args }));
    } catch (thrown) {
      if (thrown instanceof ToolFailure) return undefined;
      throw thrown;
    }
  }

  private takeOnly(field: string, observation: string): void {
    const { collection, plan } = this;
    if (collection === undefined || plan === undefined) return;
    const meant = meantBy({ plan, collection, args: this.call.args });
    this.merge(collection, { ...meant.values, [field]: observation });
  }

  /** Takes every row in a value; answers how many it showed. */
  private walk(
    value: Json,
    at: { readonly collection: Collection | undefined; readonly depth: number },
  ): number {
    if (at.depth > 12 || typeof value !== 'object' || value === null) return 0;
    if (Array.isArray(value)) {
      return value.reduce(
        (sum: number, item: Json) => sum + this.walk(item, { ...at, depth: at.depth + 1 }),
        0,
      );
    }
    if (!isJsonObject(value)) return 0;
    const here = at.collection;
    const isShown = here !== undefined && isRow(here, value) && this.merge(here, this.withGiven(here, value));
    let shown = isShown ? 1 : 0;
    for (const [name, part] of Object.entries(value)) {
      const collection = this.namedAfter(name) ?? (!isShown && isWrapper(name, value) ? here : undefined);
      shown += this.walk(part, { collection, depth: at.depth + 1 });
    }
    return shown;
  }

  private namedAfter(name: string): Collection | undefined {
    const plain = plainName(name);
    const { collections } = this.call.world.model;
    return Object.values(collections).find(
      (one) => plainName(one.name) === plain || plainName(one.singular) === plain,
    );
  }

  /** A row as shown, with the scope (and, for a row just made or changed, the values) that the arguments gave. */
  private withGiven(collection: Collection, shown: JsonObject): JsonObject {
    const { plan, call } = this;
    if (plan === undefined || collection !== this.collection) return shown;
    const given = new Map<string, Json>();
    const pairs = {
      ...(plan.filters ?? {}),
      ...(this.writes() && plan.batch === undefined ? (plan.writes ?? {}) : {}),
    };
    for (const [argument, field] of Object.entries(pairs)) {
      const value = own(call.args, argument);
      const refers =
        Object.hasOwn(collection.fields, field) && collection.fields[field]?.refersTo !== undefined;
      const belongs =
        refers || collection.scope.includes(field) || Object.hasOwn(plan.writes ?? {}, argument);
      if (belongs && value !== undefined && value !== null) given.set(field, value);
    }
    return { ...Object.fromEntries(given), ...shown };
  }

  private merge(collection: Collection, row: JsonObject): boolean {
    if (identityFields(collection).some((field) => (own(row, field) ?? null) === null)) return false;
    const known = Object.entries(row).filter(
      ([field]) =>
        !Object.hasOwn(collection.fields, field) || collection.fields[field]?.computed === undefined,
    );
    const data = Object.fromEntries(known);
    const old = rowsOf(this.call.state, collection.name).get(keyOf(collection, data));
    if (old !== undefined) this.compare(collection, old.data, data);
    const seen = old === undefined ? data : onlyNew(old.data, data);
    const differs =
      old === undefined || this.mayChange(collection, old.data) ? seen : unknownIn(old.data, seen);
    if (old !== undefined && Object.keys(differs).length === 0) return true;
    const next =
      old === undefined ? makeRow(data, { base: this.origin }) : changeRow(old, differs, this.origin);
    const state = putRow(this.call.state, collection, next);
    const taken = this.taken(state, collection, next);
    if (taken !== undefined) this.conflicts.push(taken);
    // what a recording shows is so; a model's row that others leave no room for stays out
    if (taken !== undefined && this.origin === 'predicted') return true;
    this.call.state = state;
    this.absorbed += 1;
    return true;
  }

  /**
   * A model's words may change only rows that the call itself is about: those of a tool that changes, named by an argument.
   * What it says otherwise of a known row cannot be told from a slip of memory.
   */
  private mayChange(collection: Collection, old: JsonObject): boolean {
    const { origin, plan, call } = this;
    if (origin !== 'predicted') return true;
    const op = plan?.override?.op ?? plan?.op ?? 'unknown';
    if (op === 'create') return false;
    if (this.writes()) return true;
    if (op !== 'unknown' || onlyReads(call.tool)) return false;
    const named = new Set(Object.values(call.args).map((value) => renderJson(value)));
    return collection.key.some((field) => named.has(renderJson(own(old, field) ?? null)));
  }

  /** What the row shares with others and must not, in words. */
  private taken(state: StoreState, collection: Collection, { data }: StoredRow): string | undefined {
    const rows = rowsOf(state, collection.name);
    const unique = Object.values(collection.fields).filter((field) => field.unique === true);
    for (const { name } of unique) {
      const value = own(data, name) ?? null;
      const scope = collection.scope.filter((one) => one !== name);
      if (value !== null && rowsLike(rows, [name, ...scope], data).size > 1)
        return takenMessage(collection, value, name);
    }
    const { groups } = this.call.world.policy.collections.get(collection.name) ?? {};
    return overfullGroup(groups, collection, { rows, data });
  }

  private compare(collection: Collection, old: JsonObject, seen: JsonObject): void {
    if (this.writes()) return;
    for (const [field, value] of Object.entries(seen)) {
      const had = own(old, field);
      if (had === undefined || deepEqual(had, value)) continue;
      const name = `${collection.singular} ${keyText(collection, old)}`;
      this.conflicts.push(`${name}: ${field} is ${brief(value)} there; the state had ${brief(had)}`);
    }
  }
}

/** True for members that wrap rows of no name of their own: `items`, `data`, or the only list there is. */
function isWrapper(name: string, of: JsonObject): boolean {
  if (WRAPPERS.has(plainName(name))) return true;
  return Array.isArray(of[name]) && Object.values(of).filter((part) => Array.isArray(part)).length === 1;
}

function isRow(collection: Collection, value: JsonObject): boolean {
  return collection.key.every((field) => {
    const part = own(value, field);
    return part !== undefined && part !== null && typeof part !== 'object';
  });
}

const READING = new Set(
  'get list search find read fetch show query describe count check lookup view summarize summarise translate explain compute calculate analyze analyse recommend estimate forecast predict compare'.split(
    ' ',
  ),
);

/** True where a tool's hints or name say that it changes nothing. */
function onlyReads({ name, annotations }: Call['tool']): boolean {
  if (annotations?.readOnlyHint !== undefined) return annotations.readOnlyHint === true;
  const words = splitWords(name);
  return [words[0], words.at(-1)].some((word) => word !== undefined && READING.has(word));
}

/** The fields of which the row had nothing. */
function unknownIn(old: JsonObject, seen: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(seen).filter(([field]) => (own(old, field) ?? null) === null));
}

function onlyNew(old: JsonObject, seen: JsonObject): JsonObject {
  const differing = Object.entries(seen).filter(([field, value]) => {
    const had = own(old, field);
    return had === undefined || !deepEqual(had, value);
  });
  return Object.fromEntries(differing);
}

function brief(value: Json): string {
  const text = renderJson(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
