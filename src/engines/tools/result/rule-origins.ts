/**
 * Where the words come from that a rule or template hands out.
 *
 * A rule may copy a value that filler or a model made; the engine did not compute that, so it must not say so. A
 * value that equals such a value of a row in scope, or holds its text (of three letters and more, in any case), has
 * its origin; with rules over `state` also a text that equals one in the rows of the world. Everything else that a
 * rule gives is `computed`. Not covered: numbers worked out from generated ones (a sum is computed), error messages,
 * and texts that a rule takes apart.
 */
import { isJsonObject, type Json, type JsonObject, type Origin } from '../../../core/index.js';
import type { RuleScope } from '../run/rule-scope.js';
import type { Call } from '../run/run-call.js';
import type { Rows } from '../store/store.js';
import { mayHaveOrigin, originOfField, TracedObject } from './result-origins.js';

const SHORTEST_PART = 3;
/** Values in scope that are looked for inside a text; beyond them only equal texts count. */
const LOOKED_FOR = 64;

/** Gives the origin of what a rule handed out. */
export class RuleOrigins {
  private readonly near: ReadonlyMap<string, Origin>;
  private readonly parts: readonly (readonly [string, Origin])[];
  private readonly far: readonly ReadonlyMap<string, Origin>[];

  /** `usesState`: the rule looks at other rows than those in scope. */
  constructor(call: Call, scope: RuleScope, usesState: boolean) {
    const near = rowsIn(scope).flatMap((row) => [...weakTexts(row)]);
    this.near = new Map(near);
    this.parts = near
      .filter(([weak]) => weak.length >= SHORTEST_PART && isWord(weak))
      .slice(0, LOOKED_FOR)
      .map(([weak, origin]): [string, Origin] => [weak.toLowerCase(), origin]);
    this.far = usesState ? [...call.state.rows.values()].map((rows) => weakTextsOf(call, rows)) : [];
  }

  /** The origin of one text, or of one number or bool as text. */
  of(text: string): Origin {
    const equal = this.near.get(text);
    if (equal !== undefined) return equal;
    const lower = this.parts.length === 0 ? '' : text.toLowerCase();
    const part = this.parts.find(([weak]) => lower.includes(weak));
    if (part !== undefined) return part[1];
    return this.far.find((texts) => texts.has(text))?.get(text) ?? 'computed';
  }

  /** The value with its objects marked, so that the renderer tells the origins of their members. */
  mark(value: Json): Json {
    if (Array.isArray(value)) return value.map((part: Json) => this.mark(part));
    if (!isJsonObject(value) || originOfField(value, '', 'recorded') !== 'recorded') return value;
    const object = new TracedObject();
    for (const [name, part] of Object.entries(value)) object.set(name, this.mark(part), this.ofValue(part));
    return object.done();
  }

  /** A list has the first origin in it that is not `computed`. */
  private ofValue(value: Json): Origin {
    if (Array.isArray(value)) {
      const origins = value.map((part: Json) => this.ofValue(part));
      return origins.find((origin) => origin !== 'computed') ?? 'computed';
    }
    return value === null || typeof value === 'object' ? 'computed' : this.of(String(value));
  }
}

function isWord(text: string): boolean {
  return /\p{L}/u.test(text);
}

function rowsIn(scope: RuleScope): readonly JsonObject[] {
  const result = Array.isArray(scope.result) ? (scope.result as readonly Json[]) : [scope.result ?? null];
  return [
    ...(scope.row === undefined ? [] : [scope.row]),
    ...(scope.rows ?? []),
    ...result.filter(isJsonObject),
  ];
}

function* weakTexts(row: JsonObject): Iterable<readonly [string, Origin]> {
  if (!mayBeWeak(row)) return;
  for (const [field, value] of Object.entries(row)) {
    const origin = originOfField(row, field, 'computed');
    if (origin === 'computed' || origin === 'pinned') continue;
    if (typeof value === 'string' || typeof value === 'number') yield [String(value), origin];
  }
}

const STRONG: ReadonlySet<Origin> = new Set<Origin>(['computed', 'pinned']);

/** False for a row all of whose values were computed or given by the author. */
function mayBeWeak(row: JsonObject): boolean {
  return mayHaveOrigin(row, (origin) => !STRONG.has(origin));
}

const KEPT = new WeakMap<Rows, ReadonlyMap<string, Origin>>();

/** The texts (numbers left out) that filler or a model made, in one version of a collection's rows. */
function weakTextsOf(call: Call, rows: Rows): ReadonlyMap<string, Origin> {
  call.spendOnce(rows, rows.size);
  const known = KEPT.get(rows);
  if (known !== undefined) return known;
  const made = new Map<string, Origin>();
  for (const { data } of rows.values()) {
    if (!mayBeWeak(data)) continue;
    for (const [text, origin] of weakTexts(data)) if (isWord(text)) made.set(text, origin);
  }
  KEPT.set(rows, made);
  return made;
}
