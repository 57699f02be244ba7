/**
 * Learns what was in a service at the start and what each recorded call changed, by living through the recording.
 *
 * Each answer is absorbed by the engine; the difference of the states is the call's effect. A row that a read shows and
 * the state lacks was there from the start, unless it is a row that an earlier call made under an id that nobody had
 * seen yet: then that call gets it, and the walk begins again. A field that a read shows otherwise than the state had
 * it belongs to the last writer of the row. So the effects hold the ids and times of the recording.
 * Not covered: what other users of the service changed meanwhile; it is told as a conflict.
 */
import {
  canonicalJson,
  type EngineSession,
  type Json,
  type JsonObject,
  parseJson,
  renderJson,
  type ToolCall,
} from '../../core/index.js';
import {
  createToolsEngine,
  inferService,
  type ServiceModel,
  type ToolWorldSpec,
  tryCall,
} from '../../engines/index.js';
import {
  agrees,
  argumentValues,
  collectionsOf,
  holds,
  isPartial,
  planOf,
  readsOf,
  shownJson,
  toldId,
} from './call-reading.js';
import type { Cascade, Effects, LearnedCall, LearnedState } from './learned-state.js';
import { changesBetween, type PlacedRow, rowKey, rowsOfView } from './rows-of-view.js';
import { underSeenIds } from './seen-ids.js';
import { looksFailed } from './soft-failures.js';
import type { TwinCall } from './twin-source.js';
import { apply, inEngineOrder, type StepOf } from './walk-step.js';

/** Walks of one recording at most; each finds at least one more made row. */
const WALKS = 12;
const READS = new Set(['get', 'list', 'search', 'count', 'dump', 'clock']);

/** Lives through all sessions. `spec` has the tools and corrections; its data is not used. */
export function learnState(
  spec: ToolWorldSpec,
  sessions: readonly (readonly TwinCall[])[],
  continues: boolean,
): LearnedState {
  const model = inferService(spec);
  const memory: Memory = {
    start: new Map(),
    made: new Map(),
    patches: new Map(),
    gone: new Map(),
    unseen: new Map(),
  };
  let walk = new Walk(spec, model, memory).run(sessions, continues);
  for (let count = 1; count < WALKS && walk.learned; count++) {
    walk = new Walk(spec, model, memory).run(sessions, continues);
  }
  return walk;
}

/** What walks tell the next one. */
interface Memory {
  /** Collection → key → row that was there at the start. */
  readonly start: Map<string, Map<string, JsonObject>>;
  /** Call → rows that it made, as they were seen later. */
  readonly made: Map<TwinCall, PlacedRow[]>;
  /** Call → key → fields that its row had, as they were seen later. */
  readonly patches: Map<TwinCall, Map<string, JsonObject>>;
  /** Call → rows that went with what it took away, as later reads show. */
  readonly gone: Map<TwinCall, PlacedRow[]>;
  /** Call → rows that it made without saying so. */
  readonly unseen: Map<TwinCall, PlacedRow[]>;
}

interface Provisional extends PlacedRow {
  readonly by: TwinCall;
}

class Walk {
  private readonly conflicts: string[] = [];
  private readonly provisional = new Map<string, Provisional>();
  private readonly writer = new Map<string, TwinCall>();
  private readonly listed = new Set<string>();
  private readonly cascades = new Map<string, Cascade>();
  private lastDelete: { readonly call: TwinCall; readonly rows: readonly PlacedRow[] } | undefined;
  private lastWrite: TwinCall | undefined;
  private empty: EngineSession | undefined;
  /** Collection → how many writing calls there were when it was listed as a whole last. */
  private readonly listedAt = new Map<string, number>();
  private readonly writers: TwinCall[] = [];
  private readonly nowListed = new Set<string>();
  private learned = false;
  private calls: readonly TwinCall[] = [];

  constructor(
    private readonly spec: ToolWorldSpec,
    private readonly model: ServiceModel,
    private readonly memory: Memory,
  ) {}

  run(
    sessions: readonly (readonly TwinCall[])[],
    continues: boolean,
  ): LearnedState & { readonly learned: boolean } {
    const engine = createToolsEngine();
    this.calls = sessions.flat();
    const data = Object.fromEntries(
      Object.keys(this.model.collections).map((name) => [
        name,
        [...(this.memory.start.get(name)?.values() ?? [])],
      ]),
    );
    const spec = { ...this.spec, data };
    let session = engine.open(spec, 1);
    const nothing = Object.fromEntries(Object.keys(data).map((name) => [name, []]));
    this.empty = engine.open({ ...this.spec, data: nothing }, 1);
    const walked = sessions.map((calls, index) => {
      if (index > 0 && !continues) {
        session = engine.open(spec, 1);
        this.writer.clear();
        this.provisional.clear();
        this.listedAt.clear();
      }
      return calls.map((call, turn) => this.step(session, call, turn + 1));
    });
    const start = Object.fromEntries(
      Object.keys(this.model.collections).map((name) => [
        name,
        [...(this.memory.start.get(name)?.values() ?? [])],
      ]),
    );
    const cascades = [...this.cascades.values()];
    return { start, sessions: walked, conflicts: this.conflicts, cascades, learned: this.learned };
  }

  private step(session: EngineSession, call: TwinCall, turn: number): LearnedCall {
    const action: ToolCall = { kind: 'tool-call', name: call.tool, arguments: call.args };
    const context = { nowMs: call.atMs ?? this.spec.startMs + turn * 1000, turn };
    const trial = tryCall(session, action, context);
    const plan = planOf(this.model, call);
    const before = rowsOfView(session.view(), this.model);
    const effects = call.isError
      ? undefined
      : plan?.override !== undefined
        ? this.ownEffects(call, { action, context, plan, before, trial })
        : this.effectsOf(session, call, { action, context, plan, before, trial });
    if (effects !== undefined) apply(session, { action, context, effects });
    const after = rowsOfView(session.view(), this.model);
    return { call, plan, trial, before, after, reads: readsOf(this.model, plan), effects };
  }

  /** What a tool that was found out does by itself, under the ids that the recording shows. */
  private ownEffects(call: TwinCall, { before, trial, plan }: StepOf): Effects | undefined {
    if (looksFailed(call) || READS.has(plan?.override?.op ?? '')) return undefined;
    if (trial.failure !== null) {
      this.conflicts.push(`${call.tool} succeeded there and would fail here: ${trial.failure.message}`);
      return undefined;
    }
    this.writers.push(call);
    const changes = changesBetween(before, rowsOfView(trial.after.view(), this.model));
    return this.writeEffects(call, { ...changes, added: underSeenIds(changes.added, call, this.model) });
  }

  private effectsOf(session: EngineSession, call: TwinCall, of: StepOf): Effects | undefined {
    if (isPartial(of.plan, call)) return undefined;
    const fork = session.fork();
    const report = fork.absorb(of.action, shownJson(call, of.plan), { ...of.context, origin: 'recorded' });
    const { added, changed, removed } = changesBetween(of.before, rowsOfView(fork.view(), this.model));
    const op = of.plan?.op ?? 'unknown';
    if (!READS.has(op)) this.writers.push(call);
    if (READS.has(op)) {
      this.conflicts.push(...report.conflicts.map((conflict) => `${call.tool}: ${conflict}`));
      const effects = this.readEffects(call, { added, changed, op, gone: this.unseen(call, of) });
      for (const name of this.nowListed) this.listedAt.set(name, this.writers.length);
      this.nowListed.clear();
      return effects;
    }
    this.lateRows(call, of, { added, op });
    return this.writeEffects(call, { added: inEngineOrder(added, of, this.model), changed, removed });
  }

  /** What a read shows: rows that were there, or that an earlier call made; fields that were otherwise. */
  private readEffects(
    call: TwinCall,
    seen: Pick<ReturnType<typeof changesBetween>, 'added' | 'changed'> & {
      readonly op: string;
      readonly gone: readonly PlacedRow[];
    },
  ): Effects | undefined {
    for (const placed of seen.gone) this.wentEarlier(placed);
    for (const placed of seen.added) {
      const made = this.provisionalFor(placed);
      const maker = this.makerOf(placed);
      if (made !== undefined) this.madeBy(made, placed);
      else if (maker !== undefined) this.madeUnseen(maker, placed);
      else if (this.isImplied(placed)) continue;
      else this.knownFromStart(placed);
    }
    for (const { collection, key, fields } of seen.changed) {
      const by = this.writer.get(`${collection} ${key}`);
      if (by === undefined) this.knownFromStart({ collection, key, row: fields });
      else this.patch(by, `${collection} ${key}`, fields);
    }
    if (['list', 'search', 'dump'].includes(seen.op))
      for (const name of collectionsOf(this.model, planOf(this.model, call))) this.listed.add(name);
    const writes = [...seen.added, ...seen.changed].map(({ collection, row }) => ({ collection, row }));
    const deletes = seen.gone.map(({ collection, row }) => ({
      collection,
      key: this.keyValue(collection, row),
    }));
    // The state of this walk goes on with what was seen; the next walk has it from the start.
    if (writes.length === 0 && deletes.length === 0) return undefined;
    return { ...(writes.length > 0 && { writes }), ...(deletes.length > 0 && { deletes }) };
  }

  /** Rows that the state has and a whole list does not show. */
  private unseen(call: TwinCall, of: StepOf): readonly PlacedRow[] {
    const { plan, trial, action, context } = of;
    const isWhole =
      plan?.op === 'dump' ||
      (plan?.op === 'list' && plan.paging === undefined && Object.keys(call.args).length === 0);
    const json = shownJson(call);
    if (
      !isWhole ||
      plan.file !== undefined ||
      plan === undefined ||
      trial.scope === null ||
      this.empty === undefined ||
      !parseJson(json).ok
    )
      return [];
    for (const name of collectionsOf(this.model, plan)) this.nowListed.add(name);
    const fork = this.empty.fork();
    fork.absorb(action, json, { ...context, origin: 'recorded' });
    const shown = rowsOfView(fork.view(), this.model);
    return collectionsOf(this.model, plan).flatMap((collection) =>
      [...(of.before.get(collection) ?? [])].flatMap(([key, row]) =>
        shown.get(collection)?.has(key) === true || this.isShownLater(call, collection, row)
          ? []
          : [{ collection, key, row }],
      ),
    );
  }

  /** True if a later read shows the row again: a list that leaves it out does not say that it is gone. */
  private isShownLater(call: TwinCall, collection: string, row: JsonObject): boolean {
    const [field] = this.model.collections[collection]?.key ?? [];
    const id = field === undefined ? undefined : row[field];
    if (id === undefined || typeof id === 'object') return false;
    const calls = this.calls;
    return calls.slice(calls.indexOf(call) + 1).some((later) => {
      const op = planOf(this.model, later)?.op ?? 'unknown';
      return READS.has(op) && !looksFailed(later) && holds(later.text, id);
    });
  }

  /** A row that is gone went with the last row that was taken away and that it names, else by the last write. */
  private wentEarlier(placed: PlacedRow): void {
    const { lastDelete } = this;
    const holder = lastDelete?.rows.flatMap((gone) => this.cascadeOf(placed, gone) ?? []) ?? [];
    for (const one of holder) this.cascades.set(`${one.collection} ${one.field} ${one.of}`, one);
    const by = holder.length > 0 ? lastDelete?.call : this.lastWrite;
    if (by === undefined) {
      this.conflicts.push(
        `a row of ${placed.collection} is not shown although it was there: ${renderJson(placed.row).slice(0, 120)}`,
      );
      return;
    }
    this.memory.gone.set(by, [...(this.memory.gone.get(by) ?? []), placed]);
    this.learned = true;
  }

  private cascadeOf(placed: PlacedRow, gone: PlacedRow): Cascade[] | undefined {
    const key = this.model.collections[gone.collection]?.key ?? [];
    const [field] = key;
    if (key.length !== 1 || field === undefined || gone.collection === placed.collection) return undefined;
    const id = gone.row[field] ?? null;
    return Object.entries(placed.row).flatMap(([name, value]): Cascade[] =>
      canonicalJson(value) === canonicalJson(id)
        ? [{ collection: placed.collection, field: name, of: gone.collection }]
        : [],
    );
  }

  /** The oldest row that a call made under an id of the engine's own and that agrees with the one seen. */
  private provisionalFor({ collection, row }: PlacedRow): Provisional | undefined {
    for (const one of this.provisional.values()) {
      if (one.collection !== collection) continue;
      const given = argumentValues(one.by.args, one.row);
      if (given.length === 0) continue;
      if (
        given.every(
          ([name, value]) =>
            Object.hasOwn(row, name) && canonicalJson(row[name] ?? null) === canonicalJson(value),
        )
      )
        return one;
    }
    return undefined;
  }

  /** A row that was not there in an earlier whole list was made since: by the call that gave most of its values. */
  private makerOf({ collection, row }: PlacedRow): TwinCall | undefined {
    const since = this.listedAt.get(collection);
    if (since === undefined) return undefined;
    let best: { readonly call: TwinCall; readonly shared: number } | undefined;
    for (const call of this.writers.slice(since)) {
      const shared = argumentValues(call.args, row).length;
      if (shared > 0 && (best === undefined || shared > best.shared)) best = { call, shared };
    }
    return best?.call;
  }

  /** True for a folder that is there because a file was written into it. */
  private isImplied({ collection, key, row }: PlacedRow): boolean {
    const [field = ''] = this.model.collections[collection]?.key ?? [];
    const path = row[field];
    if (row.type !== 'directory' || typeof path !== 'string') return false;
    const isFileOf = (name: string): boolean =>
      name.startsWith(`${collection} `) && name.includes(`"${path.replace(/\/+$/, '')}/`);
    return [...this.writer.keys()].some((name) => name !== `${collection} ${key}` && isFileOf(name));
  }

  private madeUnseen(by: TwinCall, placed: PlacedRow): void {
    this.memory.unseen.set(by, [...(this.memory.unseen.get(by) ?? []), placed]);
    this.learned = true;
  }

  private madeBy(made: Provisional, { collection, key, row }: PlacedRow): void {
    this.provisional.delete(`${collection} ${made.key}`);
    const known = this.memory.made.get(made.by) ?? [];
    this.memory.made.set(made.by, [...known, { collection, key, row }]);
    this.learned = true;
  }

  private knownFromStart({ collection, key, row }: PlacedRow): void {
    const rows = this.memory.start.get(collection) ?? new Map<string, JsonObject>();
    rows.set(key, { ...rows.get(key), ...row });
    this.memory.start.set(collection, rows);
    this.learned = true;
  }

  private patch(by: TwinCall, key: string, fields: JsonObject): void {
    const patches = this.memory.patches.get(by) ?? new Map<string, JsonObject>();
    patches.set(key, { ...patches.get(key), ...fields });
    this.memory.patches.set(by, patches);
    this.learned = true;
  }

  /** A call that changed or took away a row that was never shown: the row was there. */
  private lateRows(
    call: TwinCall,
    of: StepOf,
    seen: { readonly added: readonly PlacedRow[]; readonly op: string },
  ): void {
    const changes = ['update', 'delete', 'append', 'remove'].includes(seen.op);
    if (!changes || of.plan === undefined || of.plan.file !== undefined) return;
    for (const placed of seen.added) {
      const given = new Set(Object.values(of.plan.writes ?? {}));
      const kept = Object.entries(placed.row).filter(
        ([name]) => !given.has(name) || this.isKey(placed, name),
      );
      this.knownFromStart({ ...placed, row: Object.fromEntries(kept) });
    }
    const { failure } = of.trial;
    const collection = this.model.collections[of.plan.collection ?? ''];
    if (failure?.kind !== 'not-found' || collection === undefined || this.listed.has(collection.name)) return;
    const row = Object.fromEntries(
      Object.entries(of.plan.key ?? {}).flatMap(([argument, field]): [string, Json][] =>
        Object.hasOwn(call.args, argument) && typeof call.args[argument] !== 'object'
          ? [[field, call.args[argument] as Json]]
          : [],
      ),
    );
    if (collection.key.every((name) => Object.hasOwn(row, name))) {
      this.knownFromStart({ collection: collection.name, key: rowKey(collection, row), row });
    }
  }

  private isKey({ collection }: PlacedRow, name: string): boolean {
    return this.model.collections[collection]?.key.includes(name) === true;
  }

  private writeEffects(call: TwinCall, seen: ReturnType<typeof changesBetween>): Effects | undefined {
    const made = [...(this.memory.made.get(call) ?? [])];
    const writes: { collection: string; row: JsonObject }[] = [];
    for (const placed of seen.added) {
      const at = made.findIndex(
        (one) => one.collection === placed.collection && agrees(one.row, placed.row, call),
      );
      const [known] = at < 0 ? [] : made.splice(at, 1);
      this.write(
        call,
        known === undefined
          ? this.named(call, placed)
          : { ...placed, key: known.key, row: { ...placed.row, ...known.row } },
        writes,
      );
    }
    for (const { collection, key, row, fields } of seen.changed) {
      const keyed = Object.fromEntries(
        (this.model.collections[collection]?.key ?? []).map((name) => [name, row[name] ?? null]),
      );
      const scoped = Object.fromEntries(
        (this.model.collections[collection]?.scope ?? []).flatMap((name) =>
          Object.hasOwn(row, name) ? [[name, row[name] ?? null]] : [],
        ),
      );
      this.write(call, { collection, key, row: { ...scoped, ...keyed, ...fields } }, writes);
    }
    for (const placed of this.memory.unseen.get(call) ?? []) this.write(call, placed, writes);
    const gone = this.memory.gone.get(call) ?? [];
    if (seen.removed.length > 0) this.lastDelete = { call, rows: seen.removed };
    // What went along is told again in each walk, so that the last one knows it too.
    for (const placed of gone) {
      for (const one of seen.removed.flatMap((removed) => this.cascadeOf(placed, removed) ?? []))
        this.cascades.set(`${one.collection} ${one.field} ${one.of}`, one);
    }
    const deletes = [...seen.removed, ...gone].map(({ collection, row }) => ({
      collection,
      key: this.keyValue(collection, row),
    }));
    if (writes.length === 0 && deletes.length === 0) return undefined;
    this.lastWrite = call;
    return { ...(writes.length > 0 && { writes }), ...(deletes.length > 0 && { deletes }) };
  }

  private write(
    call: TwinCall,
    { collection, key, row }: PlacedRow,
    to: { collection: string; row: JsonObject }[],
  ): void {
    const name = `${collection} ${key}`;
    this.writer.set(name, call);
    to.push({ collection, row: { ...row, ...this.memory.patches.get(call)?.get(name) } });
  }

  /** A made row under the id that its answer names; where none is named it waits for being seen. */
  private named(call: TwinCall, placed: PlacedRow): PlacedRow {
    const collection = this.model.collections[placed.collection];
    const [field] = collection?.key ?? [];
    if (collection === undefined || field === undefined || collection.key.length > 1) return placed;
    const id = placed.row[field] ?? null;
    const isTold = holds(call.text, id) || (call.value !== undefined && holds(renderJson(call.value), id));
    if (isTold || collection.idStyle.kind === 'given' || holds(renderJson(call.args), id)) return placed;
    const told = toldId(call);
    if (told === undefined) {
      this.provisional.set(`${placed.collection} ${placed.key}`, { ...placed, by: call });
      return placed;
    }
    const value = typeof id === 'number' && /^\d{1,15}$/.test(told) ? Number(told) : told;
    const row = { ...placed.row, [field]: value };
    return { ...placed, key: rowKey(collection, row), row };
  }

  private keyValue(name: string, row: JsonObject): Json {
    const collection = this.model.collections[name];
    const names = [...new Set([...(collection?.scope ?? []), ...(collection?.key ?? [])])];
    const [only] = names;
    if (names.length === 1 && only !== undefined) return row[only] ?? null;
    return Object.fromEntries(
      names.flatMap((one) => (Object.hasOwn(row, one) ? [[one, row[one] ?? null]] : [])),
    );
  }
}
