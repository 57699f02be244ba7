/** Random calls, valid and not, over worlds of several kinds: what must hold after every one of them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, type EngineSession, isNullStatus, type JsonObject } from '../../../core/index.js';
import { drive, gapIn, toolCall } from '../../engine.contract.js';
import {
  collection,
  engineOf,
  field,
  type TestWorld,
  testWorld,
  ticketWorld,
} from '../engine-worlds.contract.js';
import { keyOf } from '../store/store.js';

const text = { type: 'string' };

/** Scoped, counted rows with unique names, in a world of projects. */
function issueWorld(): TestWorld {
  const scope = { owner: 'owner', project: 'project' };
  const where = { owner: text, project: text };
  const number = { type: 'integer' };
  return testWorld({
    id: 'issues',
    collections: [
      collection('projects', [field('owner'), field('project'), field('stars', { initial: 0 })], {
        idStyle: { kind: 'given' },
        key: ['owner', 'project'],
      }),
      collection(
        'issues',
        [
          field('number'),
          field('owner', { required: true }),
          field('project', { required: true }),
          field('title', { unique: true }),
          field('blocks', { refersTo: 'issues' }),
          field('labels', { initial: [] }),
          field('changed', { stamp: 'updated' }),
        ],
        { idStyle: { kind: 'number', start: 1 }, key: ['number'], scope: ['owner', 'project'] },
      ),
    ],
    tools: [
      { name: 'project_put', input: where, plan: { op: 'upsert', collection: 'projects', writes: scope } },
      {
        name: 'issue_create',
        input: { ...where, title: text, blocks: number },
        required: ['owner', 'project', 'title'],
        plan: {
          op: 'create',
          collection: 'issues',
          filters: scope,
          writes: { title: 'title', blocks: 'blocks' },
        },
      },
      {
        name: 'issue_rename',
        input: { ...where, number, title: text },
        required: ['number'],
        plan: {
          op: 'update',
          collection: 'issues',
          filters: scope,
          key: { number: 'number' },
          writes: { title: 'title' },
        },
      },
      {
        name: 'issue_delete',
        input: { ...where, numbers: { type: 'array', items: number } },
        required: ['numbers'],
        plan: {
          op: 'delete',
          collection: 'issues',
          filters: scope,
          key: { numbers: 'number' },
          batch: { argument: 'numbers', items: 'keys' },
        },
      },
      {
        name: 'issue_list',
        input: { ...where, page: number },
        plan: {
          op: 'list',
          collection: 'issues',
          filters: scope,
          paging: { style: 'page', at: 'page', defaultSize: 5, maxSize: 5 },
        },
      },
      { name: 'issue_count', input: where, plan: { op: 'count', collection: 'issues', filters: scope } },
      {
        name: 'issue_label',
        input: { ...where, number, label: text, method: { enum: ['add', 'remove', 'list'] } },
        required: ['method'],
        plan: {
          op: 'unknown',
          cases: {
            argument: 'method',
            plans: Object.fromEntries(
              (['append', 'remove'] as const).map((op) => [
                op === 'append' ? 'add' : 'remove',
                {
                  tool: 'issue_label',
                  why: 'test',
                  op,
                  collection: 'issues',
                  filters: scope,
                  key: { number: 'number' },
                  writes: { label: 'labels' },
                  listField: 'labels',
                },
              ]),
            ),
          },
        },
      },
      { name: 'dump', plan: { op: 'dump', collections: ['projects', 'issues'] } },
      { name: 'now', plan: { op: 'clock' } },
    ],
  });
}

const worlds = [ticketWorld(), issueWorld()];
const words = [
  'T-7',
  'T-8',
  'T-9',
  'a',
  'b',
  'red',
  '__proto__',
  'constructor',
  '',
  'open',
  'add',
  'remove',
  'list',
  '🙂',
];
const values = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...words) },
  { weight: 4, arbitrary: fc.integer({ min: -1, max: 4 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.bigInt() },
  { weight: 2, arbitrary: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.record({ id: fc.constantFrom(...words), tag: fc.constantFrom(...words) })),
  },
);

function callsOf(world: TestWorld) {
  const call = fc.constantFrom(...world.spec.tools, undefined).chain((tool) => {
    const names = Object.keys((tool?.inputSchema.properties ?? {}) as JsonObject);
    const args = fc.record(Object.fromEntries(names.map((name) => [name, values])), { requiredKeys: [] });
    return args.map((given) => toolCall(tool?.name ?? 'no_such_tool', given));
  });
  return fc.array(call, { maxLength: 25 });
}

/** Every row by collection, from the view. */
function rowsIn(session: EngineSession): Record<string, JsonObject[]> {
  return (session.view() as { data: Record<string, JsonObject[]> }).data;
}

function checkState(world: TestWorld, session: EngineSession): void {
  const data = rowsIn(session);
  for (const one of Object.values(world.model.collections)) {
    const rows = data[one.name] ?? [];
    expect(new Set(rows.map((row) => keyOf(one, row))).size).toBe(rows.length);
    for (const { name, refersTo } of Object.values(one.fields)) {
      const target = refersTo === undefined ? undefined : world.model.collections[refersTo];
      const keyField = target?.key[0];
      if (target === undefined || keyField === undefined) continue;
      for (const row of rows) {
        if (row[name] === undefined || row[name] === null) continue;
        const there = data[target.name]?.some((other) => String(other[keyField]) === String(row[name]));
        expect(there).toBe(true);
      }
    }
  }
}

for (const world of worlds) {
  const engine = engineOf(world);

  test(`${world.spec.id}: after any call the answer is whole, failures change nothing, keys and references hold`, () => {
    fc.assert(
      fc.property(callsOf(world), (calls) => {
        const session = engine.open(world.spec, 3);
        calls.forEach((call, index) => {
          const before = canonicalJson(session.view());
          const outcome = drive(session, call, { turn: index + 1, nowMs: 1_700_000_000_000 + index * 1000 });
          expect(isNullStatus(outcome.status)).toBe(false);
          if (outcome.answer === null) throw new Error('no answer');
          expect(gapIn(outcome.answer)).toBeNull();
          if (outcome.answer.isError) expect(canonicalJson(session.view())).toBe(before);
          checkState(world, session);
        });
      }),
      { numRuns: 150 },
    );
  });

  test(`${world.spec.id}: a fork, a restored snapshot and a fresh run have the same future`, () => {
    fc.assert(
      fc.property(callsOf(world), fc.nat(25), (calls, at) => {
        const trunk = engine.open(world.spec, 3);
        const cut = Math.min(at, calls.length);
        calls.slice(0, cut).forEach((call, index) => {
          drive(trunk, call, { turn: index + 1 });
        });
        const kept = trunk.snapshot();
        const others = [trunk.fork(), engine.restore(world.spec, 3, kept)];
        const ends = others.map((session) => {
          const answers = calls
            .slice(cut)
            .map((call, index) => drive(session, call, { turn: cut + index + 1 }));
          return { answers, bytes: session.snapshot() };
        });
        expect(ends[0]).toEqual(ends[1]);
        expect(trunk.snapshot()).toEqual(kept);
        const fresh = engine.open(world.spec, 3);
        calls.forEach((call, index) => {
          drive(fresh, call, { turn: index + 1 });
        });
        expect(fresh.snapshot()).toEqual(ends[0]?.bytes);
      }),
      { numRuns: 100 },
    );
  });
}

test('counts agree with lists, page by page', () => {
  const world = issueWorld();
  fc.assert(
    fc.property(callsOf(world), (calls) => {
      const session = engineOf(world).open(world.spec, 3);
      calls.forEach((call, index) => {
        drive(session, call, { turn: index + 1 });
      });
      const json = (name: string, args: JsonObject) =>
        JSON.parse(drive(session, toolCall(name, args)).answer?.text.text ?? '') as JsonObject;
      const { total } = json('issue_count', {});
      const listed: unknown[] = [];
      for (let page = 1; ; page++) {
        const got = json('issue_list', { page });
        listed.push(...(got.issues as unknown[]));
        expect(got.total).toBe(total);
        if (got.hasMore !== true) break;
      }
      expect(listed).toHaveLength(Number(total));
      expect(listed).toEqual(rowsIn(session).issues ?? []);
    }),
    { numRuns: 60 },
  );
});
