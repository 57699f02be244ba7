/**
 * Which recorded answer a call gets, if the recording determines it.
 *
 * Key: tool and canonical arguments. Per key the answers come first in, first out; between keys order is free. An
 * answer is determined only while the state that it depends on is the recorded one: for every collection that it
 * reads, the writes of this episode so far are exactly the writes that the recording had made before it, in any
 * order. Writes are compared by a sum of hashes per collection, so the check costs the same however long a recording
 * is; a write that the engine computed counts as one that no recording made. Source: hard case P-SIM-4, decision 0101.
 */
import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import { type Answer, canonicalJson, hashJson, type Json, type JsonObject, traced } from '../core/index.js';
import type { RecordedCall } from '../worlds/index.js';

/** Sums are taken modulo this, so that they stay exact. */
const MODULUS = 2 ** 48;

/** The writes to one collection, whatever their order. */
interface WriteSum {
  readonly count: number;
  readonly sum: number;
}

const NO_WRITES: WriteSum = { count: 0, sum: 0 };

/** How far an episode has used the recording. Immutable. */
export class RecordedProgress {
  /** Nothing used, nothing written. */
  static readonly start = new RecordedProgress(PersistentSet(), PersistentMap());

  private constructor(
    private readonly used: PersistentSet<number>,
    private readonly writes: PersistentMap<string, WriteSum>,
  ) {}

  /** True if the answer was given already. */
  hasUsed(index: number): boolean {
    return this.used.has(index);
  }

  /** The writes to a collection so far. */
  writesTo(collection: string): WriteSum {
    return this.writes.get(collection) ?? NO_WRITES;
  }

  /** Remembers that an answer was given. */
  use(index: number): RecordedProgress {
    return new RecordedProgress(this.used.add(index), this.writes);
  }

  /** Remembers a write; `hash` is the recorded call's, or null for one that no recording made. */
  write(collection: string, hash: number | null): RecordedProgress {
    return new RecordedProgress(
      this.used,
      this.writes.set(collection, added(this.writesTo(collection), hash)),
    );
  }

  /** As a JSON value, for snapshots. */
  encode(): Json {
    const writes = [...this.writes.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      used: [...this.used].sort((a, b) => a - b),
      writes: writes.map(([name, sum]) => [name, { ...sum }]),
    };
  }

  /** From the value that `encode` gave. */
  static decode(value: Json | undefined): RecordedProgress {
    if (value === undefined) return RecordedProgress.start;
    const { used, writes } = value as unknown as {
      readonly used: readonly number[];
      readonly writes: readonly (readonly [string, WriteSum])[];
    };
    return new RecordedProgress(PersistentSet(used), PersistentMap(writes));
  }
}

/** A sum with one more write; a write of nobody's makes it unlike every recorded sum. */
function added({ count, sum }: WriteSum, hash: number | null): WriteSum {
  return { count: count + 1, sum: hash === null ? -1 : sum < 0 ? sum : (sum + hash) % MODULUS };
}

interface Entry {
  readonly call: RecordedCall;
  readonly hash: number;
  readonly written: readonly string[];
  /** Collection read → the writes that the recording had made to it before. */
  readonly needs: readonly (readonly [string, WriteSum])[];
}

/** A recorded answer that was found for a call. */
export interface RecordedMatch {
  readonly index: number;
  readonly answer: Answer;
}

/** The recorded calls of a world, ready to be looked up. Never changes. */
export class RecordedAnswers {
  private readonly entries: Entry[] = [];
  private readonly byKey = new Map<string, number[]>();
  private readonly writesOf = new Map<string, Set<string>>();
  private readonly readSomewhere = new Set<string>();

  constructor(calls: readonly RecordedCall[]) {
    const sessions = new Map<string, Map<string, WriteSum>>();
    const hidden = hiddenWrites(calls);
    for (const [index, call] of calls.entries()) {
      const sums = sessions.get(call.session ?? '') ?? new Map<string, WriteSum>();
      sessions.set(call.session ?? '', sums);
      const key = keyOf(call.tool, call.arguments as JsonObject);
      const hash = Number.parseInt(hashJson(key).slice(0, 12), 16);
      const needs = (call.reads ?? []).map((name) => [name, sums.get(name) ?? NO_WRITES] as const);
      const written = [...new Set([...collectionsWritten(call), ...(hidden.get(index) ?? [])])];
      for (const [name] of needs) this.readSomewhere.add(name);
      const known = this.writesOf.get(call.tool) ?? new Set<string>();
      for (const name of written) known.add(name);
      this.writesOf.set(call.tool, known);
      for (const name of written) sums.set(name, added(sums.get(name) ?? NO_WRITES, hash));
      this.entries.push({ call, hash, written, needs });
      const list = this.byKey.get(key);
      if (list === undefined) this.byKey.set(key, [index]);
      else list.push(index);
    }
  }

  /** How many calls there are. */
  get size(): number {
    return this.entries.length;
  }

  /** The next answer of this call that the recording determines. */
  find(tool: string, args: JsonObject, progress: RecordedProgress): RecordedMatch | undefined {
    const index = this.keyed(tool, args).find((one) => !progress.hasUsed(one) && this.holds(one, progress));
    return index === undefined ? undefined : this.match(index);
  }

  /** What this very call was answered last, or would have been next, whatever the state was; without effects. */
  recall(tool: string, args: JsonObject, progress: RecordedProgress): RecordedMatch | undefined {
    const known = this.keyed(tool, args);
    const index = known.findLast((one) => progress.hasUsed(one)) ?? known[0];
    if (index === undefined) return undefined;
    const { answer } = this.match(index);
    const { effects: _effects, effectsOrigin: _origin, ...rest } = answer;
    return { index, answer: rest };
  }

  /** The progress after an answer was given and its effects came into the state. */
  after(progress: RecordedProgress, index: number): RecordedProgress {
    const entry = this.entries[index];
    if (entry === undefined) return progress;
    return entry.written.reduce((sum, name) => sum.write(name, entry.hash), progress.use(index));
  }

  /**
   * The collections that may have changed after a call of a tool that nobody can compute: none where the recording shows
   * calls of it that changed nothing, else every one that a recorded answer depends on.
   */
  doubtedAfter(tool: string): Iterable<string> {
    const known = this.writesOf.get(tool);
    return known !== undefined && known.size === 0 ? [] : this.readSomewhere;
  }

  /** The collections that calls of a tool changed in the recording. */
  changedBy(tool: string): Iterable<string> {
    return this.writesOf.get(tool) ?? [];
  }

  private keyed(tool: string, args: JsonObject): readonly number[] {
    return this.entries.length === 0 ? [] : (this.byKey.get(keyOf(tool, args)) ?? []);
  }

  private holds(index: number, progress: RecordedProgress): boolean {
    const needs = this.entries[index]?.needs ?? [];
    return needs.every(([name, wanted]) => {
      const had = progress.writesTo(name);
      return had.count === wanted.count && had.sum === wanted.sum;
    });
  }

  private match(index: number): RecordedMatch {
    const { text, value, content, isError, effects } = this.entries[index]?.call ?? { text: '' };
    const answer: Answer = {
      text: traced(text, 'recorded', String(index)),
      isError: isError === true,
      ...(value !== undefined && { value: value as Json }),
      ...(content !== undefined && { content: content as Json }),
      ...(effects !== undefined && { effects: effects as Json, effectsOrigin: 'recorded' as const }),
    };
    return { index, answer };
  }
}

function keyOf(tool: string, args: JsonObject): string {
  return `${tool} ${canonicalJson(args)}`;
}

/**
 * Calls that changed what nobody saw them change, by index: the same read was answered otherwise after them, and no
 * call in between has a known effect on what it reads. Blamed are the calls that nobody can compute (they read nothing
 * that is known).
 */
function hiddenWrites(calls: readonly RecordedCall[]): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, Set<string>>();
  const last = new Map<string, { readonly index: number; readonly text: string }>();
  for (const [index, { session = '', tool, arguments: args, text, reads = [], isError }] of calls.entries()) {
    if (reads.length === 0 || isError === true) continue;
    const key = `${session} ${keyOf(tool, args as JsonObject)}`;
    const before = last.get(key);
    last.set(key, { index, text });
    if (before === undefined || before.text === text) continue;
    const between = [...calls.entries()].slice(before.index + 1, index);
    const own = between.filter(([, one]) => (one.session ?? '') === session);
    if (own.some(([, one]) => collectionsWritten(one).some((name) => reads.includes(name)))) continue;
    for (const [at, one] of own) {
      if ((one.reads ?? []).length > 0 || one.isError === true) continue;
      const names = found.get(at) ?? new Set<string>();
      for (const name of reads) names.add(name);
      found.set(at, names);
    }
  }
  return found;
}

function collectionsWritten({ effects }: RecordedCall): readonly string[] {
  const parts = [...(effects?.writes ?? []), ...(effects?.deletes ?? [])];
  return [...new Set(parts.map(({ collection }) => collection))];
}
