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
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  renderJson,
  type ToolCall,
  traced,
} from '../../core/index.js';
import {
  type CallTrial,
  createToolsEngine,
  inferService,
  type Plan,
  type ServiceModel,
  type ToolWorldSpec,
  tryCall,
} from '../../engines/index.js';
import { changesBetween, type PlacedRow, type Rows, rowKey, rowsOfView } from './rows-of-view.js';
import type { TwinCall } from './twin-source.js';

/** What a call changed, as a world file says it. */
export interface Effects {
  readonly writes?: readonly { readonly collection: string; readonly row: JsonObject }[];
  readonly deletes?: readonly { readonly collection: string; readonly key: Json }[];
}

/** A recorded call with what was learned of it. */
export interface LearnedCall {
  readonly call: TwinCall;
  readonly plan: Plan | undefined;
  /** What the engine makes of the call in the same state. */
  readonly trial: CallTrial;
  /** Rows before and after. */
  readonly before: Rows;
  readonly after: Rows;
  readonly reads: readonly string[];
  readonly effects: Effects | undefined;
}

/** What the walk found. */
export interface LearnedState {
  readonly start: Readonly<Record<string, readonly JsonObject[]>>;
  readonly sessions: readonly (readonly LearnedCall[])[];
  readonly conflicts: readonly string[];
}

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
  const memory: Memory = { start: new Map(), made: new Map(), patches: new Map() };
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
}

interface Provisional extends PlacedRow {
  readonly by: TwinCall;
}

class Walk {
  private readonly conflicts: string[] = [];
  private readonly provisional = new Map<string, Provisional>();
  private readonly writer = new Map<string, TwinCall>();
  private readonly listed = new Set<string>();
  private learned = false;

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
    const data = Object.fromEntries(
      Object.keys(this.model.collections).map((name) => [
        name,
        [...(this.memory.start.get(name)?.values() ?? [])],
      ]),
    );
    const spec = { ...this.spec, data };
    let session = engine.open(spec, 1);
    const walked = sessions.map((calls, index) => {
      if (index > 0 && !continues) {
        session = engine.open(spec, 1);
        this.writer.clear();
        this.provisional.clear();
      }
      return calls.map((call, turn) => this.step(session, call, turn + 1));
    });
    const start = Object.fromEntries(
      Object.keys(this.model.collections).map((name) => [
        name,
        [...(this.memory.start.get(name)?.values() ?? [])],
      ]),
    );
    return { start, sessions: walked, conflicts: this.conflicts, learned: this.learned };
  }

  private step(session: EngineSession, call: TwinCall, turn: number): LearnedCall {
    const action: ToolCall = { kind: 'tool-call', name: call.tool, arguments: call.args };
    const context = { nowMs: call.atMs ?? this.spec.startMs + turn * 1000, turn };
    const trial = tryCall(session, action, context);
    const plan = planOf(this.model, call);
    const before = rowsOfView(session.view(), this.model);
    const effects = call.isError
      ? undefined
      : this.effectsOf(session, call, { action, context, plan, before, trial });
    if (effects !== undefined) apply(session, { action, context, effects });
    const after = rowsOfView(session.view(), this.model);
    return { call, plan, trial, before, after, reads: readsOf(this.model, plan), effects };
  }

  private effectsOf(session: EngineSession, call: TwinCall, of: StepOf): Effects | undefined {
    const fork = session.fork();
    const report = fork.absorb(of.action, shownJson(call), { ...of.context, origin: 'recorded' });
    const { added, changed, removed } = changesBetween(of.before, rowsOfView(fork.view(), this.model));
    const op = of.plan?.op ?? 'unknown';
    if (READS.has(op)) {
      this.conflicts.push(...report.conflicts.map((conflict) => `${call.tool}: ${conflict}`));
      return this.readEffects(call, { added, changed, op });
    }
    this.lateRows(call, of, { added, op });
    return this.writeEffects(call, { added, changed, removed });
  }

  /** What a read shows: rows that were there, or that an earlier call made; fields that were otherwise. */
  private readEffects(
    call: TwinCall,
    seen: Pick<ReturnType<typeof changesBetween>, 'added' | 'changed'> & { readonly op: string },
  ): Effects | undefined {
    for (const placed of seen.added) {
      const made = this.provisionalFor(placed);
      if (made === undefined) this.knownFromStart(placed);
      else this.madeBy(made, placed);
    }
    for (const { collection, key, fields } of seen.changed) {
      const by = this.writer.get(`${collection} ${key}`);
      if (by === undefined) this.knownFromStart({ collection, key, row: fields });
      else this.patch(by, `${collection} ${key}`, fields);
    }
    if (['list', 'search', 'dump'].includes(seen.op))
      for (const name of collectionsOf(this.model, planOf(this.model, call))) this.listed.add(name);
    const writes = [...seen.added, ...seen.changed].map(({ collection, row }) => ({ collection, row }));
    // The state of this walk goes on with what was seen; the next walk has it from the start.
    return writes.length === 0 ? undefined : { writes };
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
    if (!changes || of.plan === undefined) return;
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
    const deletes = seen.removed.map(({ collection, row }) => ({
      collection,
      key: this.keyValue(collection, row),
    }));
    if (writes.length === 0 && deletes.length === 0) return undefined;
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

interface StepOf {
  readonly action: ToolCall;
  readonly context: { readonly nowMs: number; readonly turn: number };
  readonly plan: Plan | undefined;
  readonly before: Rows;
  readonly trial: CallTrial;
}

/** Runs the call with an answer that brings the effects. */
function apply(
  session: EngineSession,
  of: { readonly action: ToolCall; readonly context: StepOf['context']; readonly effects: Effects },
): void {
  const answer = {
    text: traced('', 'recorded'),
    isError: false,
    effects: of.effects as unknown as Json,
    effectsOrigin: 'recorded' as const,
  };
  const run = session.run(of.action, of.context);
  let next = run.next();
  while (next.done !== true)
    next = run.next(next.value.phase === 'before' ? { do: 'answer', answer } : { do: 'proceed' });
}

/** What an answer shows, as JSON where it has a structured part. */
function shownJson({ text, value }: TwinCall): string {
  return value === undefined || parseJson(text).ok ? text : renderJson(value);
}

/** The plan of a call; of a tool that chooses by an argument, the chosen one. */
function planOf(model: ServiceModel, { tool, args }: TwinCall): Plan | undefined {
  let plan = Object.hasOwn(model.plans, tool) ? model.plans[tool] : undefined;
  while (plan?.cases !== undefined) {
    const { argument, plans } = plan.cases;
    const name = String(args[argument] ?? '');
    plan = Object.hasOwn(plans, name) ? plans[name] : undefined;
  }
  return plan;
}

function collectionsOf(model: ServiceModel, plan: Plan | undefined): readonly string[] {
  if (plan === undefined || plan.op === 'unknown' || plan.op === 'clock') return [];
  if (plan.op === 'dump') return plan.collections ?? Object.keys(model.collections);
  return plan.collection === undefined ? [] : [plan.collection];
}

/** The collections that an answer depends on: its own, and those that its rows refer to. */
function readsOf(model: ServiceModel, plan: Plan | undefined): readonly string[] {
  const own = collectionsOf(model, plan);
  const referred = own.flatMap((name) =>
    Object.values(model.collections[name]?.fields ?? {}).flatMap((field) => field.refersTo ?? []),
  );
  return [...new Set([...own, ...referred])].filter((name) => Object.hasOwn(model.collections, name));
}

/** Values that the arguments gave to a row, by the row's field. */
function argumentValues(args: JsonObject, row: JsonObject): readonly (readonly [string, Json])[] {
  const given = canonicalJson(args);
  return Object.entries(row).filter(
    ([, value]) => value !== null && value !== '' && given.includes(canonicalJson(value)),
  );
}

function agrees(seen: JsonObject, made: JsonObject, call: TwinCall): boolean {
  return argumentValues(call.args, made).every(
    ([name, value]) => canonicalJson(seen[name] ?? null) === canonicalJson(value),
  );
}

function holds(text: string, id: Json): boolean {
  const shown = typeof id === 'string' ? id : renderJson(id);
  return (
    shown !== '' &&
    new RegExp(
      `(?<![\\p{L}\\p{N}_-])${shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}_-])`,
      'u',
    ).test(text)
  );
}

const ID_AFTER_WORD =
  /\b(?:id|ID|Id|key|number|uuid)\b["'`]?\s*(?:is|was|of)?\s*[:=#(]*\s*["'`]?([A-Za-z0-9][A-Za-z0-9_-]*\d[A-Za-z0-9_-]*|\d+)/;
const ID_LIKE =
  /(?<![\p{L}\p{N}_-])(#?\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[A-Za-z]+[-_][A-Za-z0-9]*\d[A-Za-z0-9]*|[0-9a-f]{12,})(?![\p{L}\p{N}_-])/gu;

/** The id that an answer in words names: after such a word, or the only thing in it that looks like one. */
function toldId(call: TwinCall): string | undefined {
  const given = renderJson(call.args);
  const named = ID_AFTER_WORD.exec(call.text.slice(0, 2_000))?.[1];
  if (named !== undefined && !holds(given, named)) return named;
  const found = [
    ...new Set(
      [...call.text.slice(0, 2_000).matchAll(ID_LIKE)].map((match) => (match[1] ?? '').replace(/^#/, '')),
    ),
  ];
  const fresh = found.filter((one) => !holds(given, one));
  return fresh.length === 1 ? fresh[0] : undefined;
}

/** True for a value that has members. */
export function isContainer(value: Json | undefined): boolean {
  return Array.isArray(value) || isJsonObject(value);
}
