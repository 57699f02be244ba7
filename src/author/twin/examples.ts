/**
 * Examples that a rule is learned from, and the pool of expressions that may say what an answer shows.
 *
 * The idea: what an answer holds is mostly there already, in the arguments, the rows and the counts. Each such place is
 * an expression of the rules language; an expression is right if it gives the wanted value in every example. Rules
 * are generated and tested, never trusted.
 */
import { isJsonObject, type Json, type JsonObject, renderJson } from '../../core/index.js';
import { compileRule, type Rule } from '../../rules/index.js';
import type { NestedNames } from './nested-names.js';

/** What the rules of a shape see in one call; `clock` is the time of the call. */
export type Scope = Readonly<Record<string, Json>>;

/** A scope and what is wanted in it. */
export interface Example<Wanted extends Json = Json> {
  readonly scope: Scope;
  readonly wanted: Wanted;
}

/** Names that rules may use; `r`, `s` and `t` are the variables of lists in lists. */
const NAMES = ['args', 'row', 'rows', 'result', 'state', 'clock', 'text', 'r', 's', 't'];
const RULES = new Map<string, Rule | null>();
/** Compiled rules that are kept. */
const KEPT_RULES = 20_000;

/** The value of a rule in a scope; undefined where it cannot be evaluated. */
export function ruleValue(source: string, scope: Scope): Json | undefined {
  let rule = RULES.get(source);
  if (rule === undefined) {
    const compiled = compileRule(source, { names: NAMES });
    rule = compiled.ok ? compiled.value : null;
    if (RULES.size > KEPT_RULES) RULES.clear();
    RULES.set(source, rule);
  }
  if (rule === null) return undefined;
  const value = rule.evaluate(scope);
  return value.ok ? value.value : undefined;
}

/** True if two values are written the same; the order of members counts. */
function sameText(a: Json | undefined, b: Json | undefined): boolean {
  return a !== undefined && b !== undefined && renderJson(a) === renderJson(b);
}

/** True if a rule gives what is wanted in every example. */
export function explains(source: string, examples: readonly Example[]): boolean {
  return examples.every(({ scope, wanted }) => sameText(ruleValue(source, scope), wanted));
}

/** A literal of the rules language. */
export function literal(value: Json): string {
  return renderJson(value);
}

/** A field of an expression, as the language writes it. */
function member(of: string, name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name)
    ? `${of}.${name}`
    : `${of}[${JSON.stringify(name)}]`;
}

const RESERVED = new Set(['in', 'true', 'false', 'null', 'size', 'map', 'filter', 'all', 'exists']);

/** A place in a scope. */
export interface Place {
  readonly source: string;
  readonly value: Json;
}

/** Roots in the order in which they are preferred. */
const ROOTS = ['t', 's', 'r', 'row', 'args', 'rows', 'result', 'clock'];
const PLACES = 600;
const DEPTH = 4;

/** Every place in a scope, nearest first: fields of rows and arguments, counts, lists. */
export function placesOf(scope: Scope): readonly Place[] {
  const found: Place[] = [];
  for (const root of ROOTS) {
    const value = scope[root];
    if (value !== undefined) collect(found, { source: root, value }, 0);
  }
  const ties = scope[TIES] === undefined ? [] : tiedPlaces(scope, found);
  return [...found, ...ties, ...reckoned(asObject(scope.args))];
}

/** The member of a scope that says how things and their parts are kept (`NestedNames`); no rule can name it. */
export const TIES = '#ties';

/** The parts of each thing in a scope, their counts and the first of them by yes and no, and the thing of each part. */
function tiedPlaces(scope: Scope, places: readonly Place[]): readonly Place[] {
  const ties = scope[TIES] as unknown as NestedNames;
  const data = asObject(asObject(scope.state).data);
  const parts = (data[ties.parts] ?? []) as readonly JsonObject[];
  const flags = [
    ...new Set(parts.flatMap((part) => Object.keys(part).filter((name) => typeof part[name] === 'boolean'))),
  ];
  const found: Place[] = [];
  const all = `state.data[${JSON.stringify(ties.parts)}]`;
  for (const { source, value } of places.filter((one) => OWNERS.test(one.source)).slice(0, 3)) {
    if (!isJsonObject(value)) continue;
    const isPart = Object.hasOwn(value, ties.partKey) && Object.hasOwn(value, ties.ref);
    const field = isPart ? ties.ref : source === 'args' ? ties.ref : ties.wholeKey;
    const id = value[field];
    if (id === undefined || typeof id === 'object') continue;
    const mine = `k[${JSON.stringify(ties.ref)}] == ${member(source, field)}`;
    const tests = [
      mine,
      ...flags.flatMap((name) => [`${mine} && ${member('k', name)}`, `${mine} && !${member('k', name)}`]),
    ];
    for (const test of tests) {
      const list = `${all}.filter(k, ${test})`;
      const rows = ruleValue(list, scope);
      if (!Array.isArray(rows)) continue;
      if (test === mine) found.push({ source: list, value: rows });
      found.push({ source: `size(${list})`, value: rows.length });
      const [first] = rows as readonly Json[];
      if (test === mine || !isJsonObject(first)) continue;
      for (const [name, part] of Object.entries(first))
        found.push({ source: member(`first(${list})`, name), value: part });
    }
    if (!isPart) continue;
    const whole = `first(state.data[${JSON.stringify(ties.wholes)}].filter(k, ${member('k', ties.wholeKey)} == ${member(source, ties.ref)}))`;
    for (const [name, part] of Object.entries(asObject(ruleValue(whole, scope))))
      found.push({ source: member(whole, name), value: part });
  }
  return found;
}

const OWNERS = /^(?:row|args|r|s)$/;

/** What two numbers among the arguments give together. */
function reckoned(args: JsonObject): readonly Place[] {
  const numbers = Object.entries(args).flatMap(([name, value]): [string, number][] =>
    typeof value === 'number' ? [[member('args', name), value]] : [],
  );
  const [first, second] = numbers;
  if (first === undefined || second === undefined || numbers.length > 2) return [];
  const [a, x] = first;
  const [b, y] = second;
  return [
    { source: `${a} + ${b}`, value: x + y },
    { source: `${a} * ${b}`, value: x * y },
    { source: `${a} - ${b}`, value: x - y },
  ];
}

function collect(found: Place[], place: Place, depth: number): void {
  if (found.length >= PLACES || depth > DEPTH) return;
  const { source, value } = place;
  if (source !== 'result') found.push(place);
  if (typeof value === 'string' && value.includes('/') && value.length < 1_000) {
    found.push({ source: `last(${source}.split("/"))`, value: value.split('/').at(-1) ?? '' });
  }
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    found.push({ source: `size(${source})`, value: list.length });
    const [only] = list;
    if (only !== undefined && list.length === 1)
      collect(found, { source: `${source}[0]`, value: only }, depth + 1);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, part] of Object.entries(value)) {
    collect(found, { source: member(source, name), value: part }, depth + 1);
  }
}

/** The lists in a scope that an answer may run through. */
export function listsOf(scope: Scope): readonly (Place & { readonly value: readonly Json[] })[] {
  return placesOf(scope).flatMap((place) =>
    Array.isArray(place.value) ? [{ source: place.source, value: place.value as readonly Json[] }] : [],
  );
}

/** A value as an answer shows it in a text. */
export function shownText(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** A scope with one more name. */
export function withName(scope: Scope, name: string, value: Json): Scope {
  return { ...scope, [name]: value };
}

/** An object as a scope value. */
export function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
