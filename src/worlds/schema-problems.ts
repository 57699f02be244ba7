/**
 * Turns the complaints of the schema library into problems a person can act on.
 *
 * Each names the value seen, what was wanted and, for names, the nearest known one. In a union the branch that
 * fits best speaks; the others would only add noise.
 */
import type { z } from 'zod';
import { isJsonObject, type Json, nearestName } from '../core/index.js';
import { type PathPart, renderSeen } from './world-problem.js';

/** A problem whose place in the text is still to be looked up. */
export interface Finding {
  readonly path: readonly PathPart[];
  readonly message: string;
  readonly seen?: string;
  readonly wanted?: string;
  readonly nearest?: string;
  /** Point at the key, not at the value. */
  readonly atKey?: boolean;
}

/** A file is read once; compiling the schema for speed would cost more than it gives. */
export const ONCE = { jitless: true } as const;

type Issue = z.core.$ZodIssue;

/** All complaints about a value, unions resolved to their best branch. */
export function schemaFindings(schema: z.ZodType, json: Json): Finding[] {
  const result = schema.safeParse(json, ONCE);
  if (result.success) return [];
  return flatten(result.error.issues, []).flatMap(({ issue, path }) =>
    describe(schema, json, { issue, path }),
  );
}

/**
 * Keys that the schema does not know, as paths, or null for a value that fits; used to take away the user's own `x-`
 * keys.
 */
export function unknownKeys(schema: z.ZodType, json: Json): PathPart[][] | null {
  const result = schema.safeParse(json, ONCE);
  if (result.success) return null;
  return flatten(result.error.issues, []).flatMap(({ issue, path }) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [],
  );
}

interface Placed {
  readonly issue: Issue;
  readonly path: readonly PathPart[];
}

function flatten(issues: readonly Issue[], prefix: readonly PathPart[]): Placed[] {
  return issues.flatMap((issue): Placed[] => {
    const path = [...prefix, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))];
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ issue, path }];
    const branches = issue.errors.map((branch) => flatten(branch, path));
    const best = branches.reduce((a, b) => (rank(b, path.length) < rank(a, path.length) ? b : a));
    const onlyTypes = branches.every((branch) => rank(branch, path.length) >= WRONG_TYPE);
    return onlyTypes ? [{ issue, path }] : best;
  });
}

/** A branch whose outermost type is wrong fits worst; else fewer complaints fit better. */
const WRONG_TYPE = 1_000_000;

function rank(branch: readonly Placed[], depth: number): number {
  const outer = branch.some(
    ({ issue, path }) =>
      path.length === depth && (issue.code === 'invalid_type' || issue.code === 'invalid_value'),
  );
  return (outer ? WRONG_TYPE : 0) + branch.length;
}

function describe(schema: z.ZodType, json: Json, placed: Placed): Finding[] {
  const { issue, path } = placed;
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, path);
    return issue.keys.map((key) => unknownKey([...path, key], known));
  }
  const seen = valueAt(json, path);
  if (seen === undefined) {
    const wanted = wantedOf(schema, issue);
    return [{ path, message: `is missing; wanted ${wanted}`, wanted }];
  }
  const wanted = wantedOf(schema, issue);
  const nearest =
    issue.code === 'invalid_value' && typeof seen === 'string'
      ? nearestName(seen, issue.values.map(String))
      : undefined;
  const hint = nearest === undefined ? '' : `; nearest: ${nearest}`;
  const shown = renderSeen(seen);
  return [
    {
      path,
      message: `is ${shown}; wanted ${wanted}${hint}`,
      seen: shown,
      wanted,
      ...(nearest && { nearest }),
    },
  ];
}

function unknownKey(path: readonly PathPart[], known: readonly string[]): Finding {
  const key = String(path.at(-1));
  const nearest = nearestName(key, known);
  const list = known.length > 0 && known.length <= 12 ? ` (known: ${known.join(', ')})` : '';
  const hint = nearest === undefined ? list : `; did you mean \`${nearest}\`?`;
  const wanted = 'a known key, or one that starts with `x-`';
  const message = `unknown key \`${key}\`${hint}`;
  return { path, message, seen: key, wanted, atKey: true, ...(nearest !== undefined && { nearest }) };
}

/** The value at a path, or undefined where there is none. */
export function valueAt(json: Json, path: readonly PathPart[]): Json | undefined {
  let value: Json | undefined = json;
  for (const part of path) {
    if (Array.isArray(value) && typeof part === 'number') value = value[part];
    else if (isJsonObject(value) && Object.hasOwn(value, part)) value = value[part];
    else return undefined;
  }
  return value;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function wantedOf(schema: z.ZodType, issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_WORDS[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${countOf(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${countOf(issue.maximum, issue.origin)}`;
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'a time such as 2026-01-05T09:00:00Z'
        : issue.message.replace(/^must be /, '');
    case 'invalid_union':
      return unionWords(schema, issue);
    default:
      return issue.message.replace(/^must be /, '');
  }
}

function countOf(bound: number | bigint, origin: string): string {
  const unit = origin === 'string' ? 'character' : origin === 'array' ? 'item' : undefined;
  if (unit === undefined) return String(bound);
  return `${String(bound)} ${unit}${Number(bound) === 1 ? '' : 's'}`;
}

function unionWords(schema: z.ZodType, issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const words = issue.errors.flatMap((branch) =>
    branch.filter((i) => i.path.length === 0).map((i) => wantedOf(schema, i)),
  );
  return words.length === 0 ? issue.message : [...new Set(words)].join(' or ');
}

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

/** The keys that the schema knows at a path, over all branches of unions. */
function knownKeys(schema: z.ZodType, path: readonly PathPart[]): string[] {
  let here: readonly z.ZodType[] = unwrap(schema);
  for (const part of path) here = here.flatMap((branch) => stepInto(branch, part)).flatMap(unwrap);
  return [...new Set(here.flatMap((branch) => Object.keys(defOf(branch).shape ?? {})))];
}

function defOf(schema: z.ZodType): Def {
  return schema._zod.def as unknown as Def;
}

function unwrap(schema: z.ZodType): z.ZodType[] {
  const def = defOf(schema);
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined);
  if (inner !== undefined) return unwrap(inner);
  return def.options === undefined ? [schema] : def.options.flatMap(unwrap);
}

function stepInto(schema: z.ZodType, part: PathPart): z.ZodType[] {
  const def = defOf(schema);
  const shape = def.shape;
  const next =
    typeof part === 'string' && shape !== undefined && Object.hasOwn(shape, part)
      ? shape[part]
      : (def.element ?? def.valueType);
  return next === undefined ? [] : [next];
}
