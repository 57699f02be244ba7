/**
 * Faults of time and of others: rows change, appear or vanish between two turns, and the clock jumps.
 */
import { z } from 'zod';
import {
  canonicalJson,
  type ForeignChange,
  isJsonObject,
  type Json,
  type JsonObject,
  type RandomStream,
} from '../../core/index.js';
import { defineTurnFault } from '../fault-kind.js';
import { GET } from './example-calls.js';

const PLACE = {
  family: 'world',
  phases: ['before'],
  operations: ['tool.call'],
} as const;

const TWICE = [...GET, ...GET];

/** The kind `world-change`. */
export const worldChangeFault = defineTurnFault({
  ...PLACE,
  name: 'world-change',
  description:
    'Another actor changes, adds or deletes rows between two turns. `when` counts turns; with `when: {clock: …}` it happens at a time.',
  remedy: 'Read again before acting on what was read a while ago; check before the last step.',
  parameters: z
    .strictObject({
      collection: z.string().min(1).describe('The collection whose rows change.'),
      change: z.enum(['update', 'add', 'delete']).default('update').describe('What the other actor does.'),
      where: z
        .record(z.string(), z.json())
        .optional()
        .describe('Fields that a row must have, with their values. Default: any row.'),
      count: z
        .int()
        .min(1)
        .max(1000)
        .default(1)
        .describe('How many rows at most; the seed chooses among those that fit.'),
      set: z.record(z.string(), z.json()).optional().describe('For `update`: fields and their new values.'),
      row: z.record(z.string(), z.json()).optional().describe('For `add`: the new row, with its key.'),
    })
    .refine((value) => value.change !== 'update' || value.set !== undefined, {
      message: 'an update needs `set`',
    })
    .refine((value) => value.change !== 'add' || value.row !== undefined, {
      message: 'an addition needs `row`',
    }),
  domains: ['mcp'],
  permanently: 'recovers',
  example: {
    fault: {
      when: { turns: 2 },
      with: { collection: 'tickets', where: { id: 'T-1' }, set: { status: 'closed' } },
    },
    calls: TWICE,
  },
  strike: ({ collection, change, where = {}, count, set = {}, row = {} }, { view, random }) => {
    if (change === 'add')
      return { do: 'world', changes: [{ collection, change: 'created', row: row as JsonObject }] };
    const rows = rowsOf(view(), collection).filter((one) => fits(one, where as JsonObject));
    const wanted = change === 'delete' ? rows : rows.filter((one) => !fits(one, set as JsonObject));
    if (wanted.length === 0)
      return { do: 'skip', why: `no row of ${collection} fits, or all are so already` };
    const changes = chosen(wanted, count, random()).map(
      (one): ForeignChange =>
        change === 'delete'
          ? { collection, change: 'deleted', row: one }
          : { collection, change: 'updated', row: one, set: set as JsonObject },
    );
    return { do: 'world', changes };
  },
  tookEffect: ({ view, cleanView }) => canonicalJson(view) !== canonicalJson(cleanView),
});

function rowsOf(view: Json, collection: string): readonly JsonObject[] {
  const data = isJsonObject(view) ? view.data : undefined;
  const rows = isJsonObject(data) && Object.hasOwn(data, collection) ? data[collection] : undefined;
  return Array.isArray(rows) ? (rows as readonly Json[]).filter(isJsonObject) : [];
}

function fits(row: JsonObject, where: JsonObject): boolean {
  return Object.entries(where).every(
    ([field, value]) =>
      Object.hasOwn(row, field) && canonicalJson(row[field] ?? null) === canonicalJson(value),
  );
}

/** So many of a list, in its order, chosen by the seed. */
function chosen<T>(items: readonly T[], count: number, random: RandomStream): readonly T[] {
  if (items.length <= count) return items;
  const left = items.map((_, index) => index);
  const taken = Array.from(
    { length: count },
    () => left.splice(random.integer(0, left.length - 1), 1)[0] ?? 0,
  );
  return taken.sort((a, b) => a - b).flatMap((index) => items[index] ?? []);
}

/** The kind `clock-jump`. */
export const clockJumpFault = defineTurnFault({
  ...PLACE,
  name: 'clock-jump',
  description:
    'The clock of the world jumps forwards or backwards between two turns, as after a wrong time server.',
  remedy: 'Do not measure waiting times by the clock of the service alone.',
  parameters: z.strictObject({
    seconds: z
      .number()
      .min(-31_622_400)
      .max(31_622_400)
      .default(86_400)
      .describe('Simulated seconds; negative is backwards.'),
  }),
  domains: ['mcp', 'terminal', 'swe'],
  permanently: 'recovers',
  example: { fault: { when: { turns: 2 }, with: { seconds: 86_400 } }, calls: TWICE },
  strike: ({ seconds }) => {
    const jumpMs = Math.round(seconds * 1000);
    if (jumpMs === 0) return { do: 'skip', why: 'the jump is of no length' };
    return { do: 'clock', jumpMs, note: { detail: `${seconds} seconds` } };
  },
  tookEffect: ({ note }) => note.detail !== undefined,
});
