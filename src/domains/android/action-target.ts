/**
 * Where on the screen an Android action happens: an element's index, a point, or a way from point to point.
 *
 * Points come as `x` and `y`, as lists, as rectangles (their centre counts), or in the boxes of grounding models:
 * `(120,340)`, `<point>120 340</point>`, `<|box_start|>(120,340)<|box_end|>`.
 */
import type { Json, JsonObject } from '../../core/index.js';

/** A place; `unit` is `fraction` where numbers are parts of the screen, from 0 to 1. */
export type Target =
  | { readonly index: number }
  | { readonly x: number; readonly y: number; readonly unit?: 'fraction' }
  | {
      readonly x: number;
      readonly y: number;
      readonly end_x: number;
      readonly end_y: number;
      readonly unit?: 'fraction';
    };

const INDEX = ['index', 'element_index', 'idx', 'element_id', 'target_index'];
const POINT = [
  'coordinate',
  'coordinates',
  'point',
  'position',
  'touch_point',
  'start_box',
  'start_point',
  'start',
];
const AREA = ['element', 'bounds', 'bbox', 'box'];
const END = ['coordinate2', 'end_box', 'end_point', 'end_coordinate', 'end', 'lift_point'];
const LARGEST = 100_000;

/** The place in an action's fields, null where it gives none, or what is wrong with it. */
export function readTarget(fields: JsonObject): Target | null | string {
  const given = (names: readonly string[]): Json | undefined =>
    names.map((name) => (Object.hasOwn(fields, name) ? fields[name] : undefined)).find(isGiven);
  const rawIndex = given(INDEX);
  const start = startOf(given);
  if (typeof start === 'string') return start;
  if (isGiven(rawIndex)) {
    const index = wholeNumber(rawIndex);
    if (index === null)
      return `"index" is ${JSON.stringify(rawIndex)?.slice(0, 60)}, not a whole number from 0`;
    if (start !== null) return 'both "index" and a point; one of them says where';
    return { index };
  }
  if (start === null) return null;
  const [x, y] = start;
  const unit = fields.unit === 'fraction' ? ({ unit: 'fraction' } as const) : {};
  const end = endOf(given);
  if (typeof end === 'string') return end;
  if (end === null) return { x, y, ...unit };
  return { x, y, end_x: end[0], end_y: end[1], ...unit };
}

type Point = readonly [number, number];

function isGiven(value: Json | undefined): value is Exclude<Json, null> {
  return value !== undefined && value !== null && value !== '';
}

function startOf(given: (names: readonly string[]) => Json | undefined): Point | null | string {
  const x = given(['x', 'x1', 'start_x', 'startX']);
  const y = given(['y', 'y1', 'start_y', 'startY']);
  if (isGiven(x) || isGiven(y)) {
    return (
      pair(x ?? null, y ?? null) ??
      `"x" and "y" are ${JSON.stringify([x ?? null, y ?? null], bigText)}, not two numbers`
    );
  }
  const point = given(POINT) ?? given(AREA);
  if (!isGiven(point)) return null;
  const read = readPoint(point);
  // A name or a description of an element says nothing about where it is.
  if (read !== null || !Array.isArray(point)) return read;
  return `${JSON.stringify(point, bigText).slice(0, 80)} is no point`;
}

function endOf(given: (names: readonly string[]) => Json | undefined): Point | null | string {
  const x = given(['end_x', 'x2', 'endX', 'to_x']);
  const y = given(['end_y', 'y2', 'endY', 'to_y']);
  if (isGiven(x) || isGiven(y)) return pair(x ?? null, y ?? null) ?? 'the end of the way is not two numbers';
  const point = given(END);
  if (!isGiven(point)) return null;
  return readPoint(point) ?? `the end ${JSON.stringify(point, bigText).slice(0, 80)} is no point`;
}

function bigText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

function pair(x: Json, y: Json): Point | null {
  const first = coordinate(x);
  const second = coordinate(y);
  return first === null || second === null ? null : [first, second];
}

function coordinate(value: Json): number | null {
  const number =
    typeof value === 'string' && /^\s*-?\d{1,6}(?:\.\d{1,12})?\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Math.abs(number) <= LARGEST ? number + 0 : null;
}

function wholeNumber(value: Json): number | null {
  const number = coordinate(value);
  return number !== null && Number.isInteger(number) && number >= 0 ? number : null;
}

/** A list of two numbers, the centre of four, or the numbers in a text of a box. */
function readPoint(value: Json): Point | null {
  if (typeof value === 'string') {
    const numbers =
      value
        .slice(0, 200)
        .match(/-?\d{1,6}(?:\.\d{1,12})?/g)
        ?.map(Number) ?? [];
    return /[([<,]/.test(value) || /^\s*-?[\d.]+\s+-?[\d.]+\s*$/.test(value) ? readPoint(numbers) : null;
  }
  if (!Array.isArray(value)) return null;
  const items = value as readonly Json[];
  if (items.length === 2 && Array.isArray(items[0])) {
    return readPoint([
      ...(items[0] as readonly Json[]),
      ...(Array.isArray(items[1]) ? (items[1] as readonly Json[]) : []),
    ]);
  }
  const numbers = items.map(coordinate);
  if (numbers.includes(null)) return null;
  const [a = 0, b = 0, c = 0, d = 0] = numbers as readonly number[];
  if (numbers.length === 2) return [a, b];
  return numbers.length === 4 ? [(a + c) / 2, (b + d) / 2] : null;
}
