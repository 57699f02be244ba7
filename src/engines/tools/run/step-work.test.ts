/** One step is bounded as a whole, however many rules, rows and values a world sets against it. */
import { expect, test } from 'vitest';
import type { EngineOutcome, JsonObject } from '../../../core/index.js';
import { LIMITS } from '../../../core/index.js';
import { drive, toolCall } from '../../engine.contract.js';
import { collection, engineOf, field, testWorld } from '../engine-worlds.contract.js';
import type { OverrideSpec } from '../spec.js';

function outcomeOf(
  override: OverrideSpec,
  more: { rows?: number; fields?: ReturnType<typeof field>[]; scope?: string[] } = {},
): EngineOutcome {
  const rows = Array.from(
    { length: more.rows ?? 1_000 },
    (_, i): JsonObject => ({
      id: `r${i}`,
      v: i,
      ...(more.scope === undefined ? {} : { g: `g${i}` }),
    }),
  );
  const world = testWorld({
    collections: [
      collection('rows', more.fields ?? [field('id'), field('v')], {
        idStyle: { kind: 'given' },
        scope: more.scope ?? [],
      }),
    ],
    tools: [{ name: 'work', input: {}, override }],
    data: { rows },
  });
  const session = engineOf(world).open(world.spec, 1);
  const before = session.view();
  const outcome = drive(session, toolCall('work', {}));
  if (outcome.status === 'limit') expect(session.view()).toEqual(before);
  return outcome;
}

/** Takes about four million steps on 1,000 rows. */
const HEAVY = 'state.data.rows.all(a, state.data.rows.all(b, true))';

const LIMIT = {
  status: 'limit',
  answer: null,
  reason: `work takes more than ${LIMITS.stepWork} steps of rules and rows (limit stepWork)`,
};

test('rules that are each within their own limit share the budget of the step', () => {
  const require = Array.from({ length: 20 }, () => ({ expr: HEAVY, error: 'no' }));
  expect(outcomeOf({ op: 'compute', require: require.slice(0, 2) }).status).toBe('ok');
  expect(outcomeOf({ op: 'compute', require })).toMatchObject(LIMIT);
});

test('effects on all rows, each looking at all rows, end', () => {
  const set = { v: 'state.data.rows.map(r, r.v).max() + 1' };
  const also: OverrideSpec['also'] = [{ op: 'update', collection: 'rows', match: 'true', set }];
  expect(outcomeOf({ op: 'compute', also }, { rows: 50 }).status).toBe('ok');
  expect(outcomeOf({ op: 'compute', also }, { rows: 5_000 })).toMatchObject(LIMIT);
});

test('unique fields of many rows are looked up, not compared with all rows', () => {
  const also: OverrideSpec['also'] = [
    { op: 'update', collection: 'rows', match: 'true', set: { v: 'row.v + 1000000' } },
  ];
  const fields = [field('id'), field('v', { unique: true })];
  expect(outcomeOf({ op: 'compute', also }, { rows: 100, fields }).status).toBe('ok');
  expect(outcomeOf({ op: 'compute', also }, { rows: 6_000, fields }).status).toBe('ok');
});

test('unique fields of many rows that hold one value, each in a scope of its own, are looked up too', () => {
  const also: OverrideSpec['also'] = [{ op: 'update', collection: 'rows', match: 'true', set: { v: '7' } }];
  const fields = [field('id'), field('g'), field('v', { unique: true })];
  expect(outcomeOf({ op: 'compute', also }, { rows: 6_000, fields, scope: ['g'] }).status).toBe('ok');
});

test('computed fields of many rows end, also where no call asks for them', () => {
  const computed = 'range.all(a, range.all(b, true))'.replaceAll('range', JSON.stringify(Array(100).fill(1)));
  const fields = [field('id'), field('v'), field('c', { computed })];
  expect(outcomeOf({ op: 'list', collection: 'rows' }, { rows: 50, fields }).status).toBe('ok');
  expect(outcomeOf({ op: 'list', collection: 'rows' }, { rows: 2_000, fields })).toMatchObject(LIMIT);
});

test('values that rules hand out are paid for by their size', () => {
  const text = `[${Array(300).fill("'0123456789'").join(',')}].join('')`;
  const long = (times: number): string => `[${Array(times).fill(text).join(',')}].join('')`;
  const set = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `f${i}`,
      `[1,2,3,4,5,6,7,8,9].map(a, [1,2,3,4,5,6,7,8,9].map(b, ${long(2)}))`,
    ]),
  );
  const override: OverrideSpec = { op: 'update', collection: 'rows', match: "row.id == 'r1'", set };
  expect(outcomeOf(override, { rows: 2 })).toMatchObject(LIMIT);
});
