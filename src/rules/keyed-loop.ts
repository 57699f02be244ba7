/**
 * Which elements of a list a macro must look at: those that may hold the value its condition asks for.
 *
 * A condition such as `x.owner == args.id && x.open` is false, whatever its other parts say or fail at, for every
 * element whose field holds another plain value: `&&` is false when one part is (cel-spec, "Logical Operators"). So
 * the value is computed once, and only elements that hold it, or where it cannot be told, are looked at. The same
 * goes for `x.lines.exists(l, l.sku == v)`, and for `x.f != v || …` in `all`. A list that is used again and cannot
 * change (frozen, with its elements) gets an index by that field. Steps are one for each element (and each part of
 * the list inside it) up to the last one looked at, and what those looked at take: the same with and without an index. Not covered:
 * `in`, values that are lists or maps, which are all looked at.
 */
import type { Json } from '../core/index.js';
import { type MacroName, type Node, partsOf } from './ast.js';
import { RuleFault } from './fault.js';
import type { Run } from './run.js';
import type { Code } from './scope.js';
import { isList, isMap, ownValue } from './values.js';

/** A plain value that a field must hold: `field` of the element, or `inner` of one of the elements of `field`. */
interface Key {
  readonly field: string;
  readonly inner?: string;
  /** The expression for the value; does not use the element. */
  readonly value: Node;
}

/** A key ready to run. */
export interface KeyedLoop extends Omit<Key, 'value'> {
  readonly value: Code;
}

/** Shorter lists are looked at whole. */
const SHORTEST_LIST = 4;
/** An index is made when a list is asked for the same field this many times. */
const USES_FOR_INDEX = 2;

type Plain = string | number | boolean | null;

/** The key of a macro's condition; undefined where it has none. `compile` compiles outside the loop. */
export function keyedLoop(
  macro: MacroName,
  loop: { readonly variable: string; readonly condition: Node },
  compile: (node: Node) => Code,
): KeyedLoop | undefined {
  const { variable, condition } = loop;
  const [joined, op] = macro === 'all' ? (['or', '!='] as const) : (['and', '=='] as const);
  for (const part of condition.kind === joined ? condition.parts : [condition]) {
    const key = compared(part, variable, op) ?? (op === '==' ? comparedInside(part, variable) : undefined);
    if (key !== undefined) return { ...key, value: compile(key.value) };
  }
  return undefined;
}

/** `x.field == value`, in either order. */
function compared(part: Node, variable: string, op: '==' | '!='): Key | undefined {
  if (part.kind !== 'compare' || part.op !== op) return undefined;
  for (const [side, value] of [
    [part.left, part.right],
    [part.right, part.left],
  ] as const) {
    const field = fieldRead(side, variable);
    if (field !== undefined && isApart(value, [variable])) return { field, value };
  }
  return undefined;
}

/** `x.field.exists(y, y.inner == value && …)`. */
function comparedInside(part: Node, variable: string): Key | undefined {
  if (part.kind !== 'macro' || part.macro !== 'exists') return undefined;
  const field = fieldRead(part.target, variable);
  const [condition] = part.bodies;
  if (field === undefined || condition === undefined) return undefined;
  for (const inner of condition.kind === 'and' ? condition.parts : [condition]) {
    const key = compared(inner, part.variable, '==');
    if (key !== undefined && isApart(key.value, [variable])) return { ...key, field, inner: key.field };
  }
  return undefined;
}

function fieldRead(node: Node, variable: string): string | undefined {
  const isRead = node.kind === 'field' && node.target.kind === 'name' && node.target.name === variable;
  return isRead ? node.name : undefined;
}

/** The node uses none of the names, and has no loops and patterns, which are not to be paid twice. */
function isApart(node: Node, names: readonly string[]): boolean {
  if (node.kind === 'name') return !names.includes(node.name);
  if (node.kind === 'macro' || (node.kind === 'call' && node.name === 'matches')) return false;
  return partsOf(node).every((part) => isApart(part, names));
}

/** A list with the plain value that its elements are asked for. */
interface Asked {
  readonly list: readonly Json[];
  readonly key: KeyedLoop;
  readonly value: Plain;
}

/**
 * Goes over the elements to look at, in order, until `each` is true, and pays for those passed over. False, with
 * nothing looked at, where all must be: in a short list, and where the value is no plain one or cannot be computed.
 */
export function goOverKeyed(
  run: Run,
  { list, key }: { readonly list: readonly Json[]; readonly key: KeyedLoop },
  each: (element: Json) => boolean,
): boolean {
  if (list.length < SHORTEST_LIST) return false;
  const value = wantedBy(run, key);
  if (value === undefined) return false;
  const index = indexOf(list, key);
  if (index === undefined) scan(run, { list, key, value }, each);
  else lookUp(run, { list, index, value }, each);
  return true;
}

/** The value that elements must hold; undefined where it is not plain or fails. */
function wantedBy(run: Run, key: KeyedLoop): Plain | undefined {
  try {
    const value = key.value(run);
    return isPlain(value) ? value : undefined;
  } catch (thrown) {
    if (!(thrown instanceof RuleFault) || thrown.code !== 'rules/evaluation') throw thrown;
    return undefined;
  }
}

function scan(run: Run, { list, key, value }: Asked, each: (element: Json) => boolean): void {
  let due = 0;
  for (const element of list) {
    due += workOn(element, key);
    if (!mayHold(element, key, value)) continue;
    run.spend(due);
    due = 0;
    if (each(element)) return;
  }
  run.spend(due);
}

function lookUp(
  run: Run,
  { list, index, value }: { list: readonly Json[]; index: FieldIndex; value: Plain },
  each: (element: Json) => boolean,
): void {
  let paid = 0;
  for (const at of index.at(value)) {
    const due = index.workTo[at] ?? 0;
    run.spend(due - paid);
    paid = due;
    if (each(list[at] as Json)) return;
  }
  run.spend((index.workTo.at(-1) ?? 0) - paid);
}

/** Steps for passing over an element: one, and one for each part of the list inside it. */
function workOn(element: Json, { field, inner }: KeyedLoop): number {
  if (inner === undefined || !isMap(element)) return 1;
  const held = ownValue(element, field);
  return held !== undefined && isList(held) ? 1 + held.length : 1;
}

function isPlain(value: Json): value is Plain {
  return value === null || (typeof value !== 'object' && typeof value !== 'bigint');
}

/** False where the condition is false for the element, for certain. */
function mayHold(element: Json, { field, inner }: KeyedLoop, value: Plain): boolean {
  const held = isMap(element) ? ownValue(element, field) : undefined;
  if (held === undefined) return true;
  if (inner === undefined) return isPlain(held) ? held === value : typeof held === 'bigint';
  if (!isList(held)) return true;
  for (const item of held) {
    const one = isMap(item) ? ownValue(item, inner) : undefined;
    if (one === undefined || typeof one === 'bigint' || one === value) return true;
  }
  return false;
}

/** The positions of the elements that hold a value. */
class FieldIndex {
  private readonly places = new Map<Plain, number[]>();
  /** Elements of which it cannot be told, in order. */
  private readonly odd: number[] = [];
  /** For each position, the steps for passing over all elements up to it, itself included. */
  readonly workTo: number[] = [];

  constructor(list: readonly Json[], key: KeyedLoop) {
    const { field, inner } = key;
    let work = 0;
    for (const [at, element] of list.entries()) {
      work += workOn(element, key);
      this.workTo.push(work);
      const held = isMap(element) ? ownValue(element, field) : undefined;
      const values = inner === undefined ? [held] : insideOf(held, inner);
      if (values === undefined || values.some((one) => one === undefined || typeof one === 'bigint')) {
        this.odd.push(at);
      } else for (const one of values) this.add(one as Json, at);
    }
  }

  /** The positions where the value may be, in order. */
  at(value: Plain): readonly number[] {
    const places = this.places.get(value) ?? NOWHERE;
    if (this.odd.length === 0) return places;
    return [...places, ...this.odd].sort((a, b) => a - b);
  }

  private add(value: Json, at: number): void {
    if (!isPlain(value)) return;
    const places = this.places.get(value);
    if (places === undefined) this.places.set(value, [at]);
    else if (places.at(-1) !== at) places.push(at);
  }
}

const NOWHERE: readonly number[] = [];

function insideOf(held: Json | undefined, inner: string): readonly (Json | undefined)[] | undefined {
  if (held === undefined || !isList(held)) return undefined;
  return held.map((item) => (isMap(item) ? ownValue(item, inner) : undefined));
}

/** What is known of a list: how often a field was asked for, or its index; false where the list may change. */
type Known = number | FieldIndex | false;

const INDEXES = new WeakMap<readonly Json[], Map<string, Known>>();

function indexOf(list: readonly Json[], key: KeyedLoop): FieldIndex | undefined {
  if (!Object.isFrozen(list)) return undefined;
  let fields = INDEXES.get(list);
  if (fields === undefined) {
    fields = new Map();
    INDEXES.set(list, fields);
  }
  const name = key.inner === undefined ? key.field : JSON.stringify([key.field, key.inner]);
  const known = fields.get(name) ?? 0;
  if (typeof known === 'object') return known;
  if (known === false) return undefined;
  if (known + 1 < USES_FOR_INDEX) {
    fields.set(name, known + 1);
    return undefined;
  }
  const made = list.every((element) => staysAsItIs(element, key)) && new FieldIndex(list, key);
  fields.set(name, made);
  return made === false ? undefined : made;
}

/** The element, and what the key reads inside it, is frozen. */
function staysAsItIs(element: Json, { field, inner }: KeyedLoop): boolean {
  if (!Object.isFrozen(element)) return false;
  const held = inner === undefined || !isMap(element) ? undefined : ownValue(element, field);
  return (
    held === undefined ||
    !isList(held) ||
    (Object.isFrozen(held) && held.every((item) => Object.isFrozen(item)))
  );
}
