/** Collections large enough to be indexed answer as a look at every row would. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EngineSession, Json, JsonObject } from '../../../core/index.js';
import { drive, toolCall } from '../../engine.contract.js';
import { createToolsEngine } from '../engine.js';

const ROWS = 2100;
const OWNERS = ['ada', 'bo', 'cy', '7'];
const text = { type: 'string' };

function tool(name: string, properties: JsonObject, required: readonly string[] = []) {
  return { name, inputSchema: { type: 'object', required: [...required], properties } };
}

const SPEC = {
  id: 'parcels',
  tools: [
    tool('list_parcels', {
      owner: text,
      weight: { type: 'integer' },
      limit: { type: 'integer' },
      cursor: text,
    }),
    tool('create_parcel', { owner: text, weight: { type: 'integer' } }, ['owner']),
    tool('update_parcel', { id: text, owner: text }, ['id']),
    tool('delete_depot', { id: text }, ['id']),
    tool('seal_parcel', { code: text }, ['code']),
    tool('list_sealed', { owner: text, limit: { type: 'integer' }, cursor: text }, ['owner']),
  ],
  data: {
    depots: Array.from({ length: 40 }, (_none, at): JsonObject => ({ id: `d${at}` })),
    parcels: Array.from(
      { length: ROWS },
      (_none, at): JsonObject => ({
        id: `p${at}`,
        code: `c-${at}`,
        owner: OWNERS[at % 4] ?? '',
        weight: at % 3,
        sealed: false,
        ...(at % 5 === 0 ? {} : { depot: `d${at % 40}` }),
      }),
    ),
  },
  entities: { parcels: { fields: { depot: { refersTo: 'depots' } } } },
  overrides: {
    seal_parcel: {
      op: 'update' as const,
      collection: 'parcels',
      match: 'row.code == args.code',
      set: { sealed: 'true' },
    },
    list_sealed: {
      op: 'list' as const,
      collection: 'parcels',
      match: 'row.sealed && row.owner == args.owner',
    },
  },
  strict: true,
  startMs: 0,
};

function call(session: EngineSession, name: string, args: JsonObject): Json {
  const outcome = drive(session, toolCall(name, args));
  const { answer } = outcome;
  if (answer === null || answer.isError) return answer?.text.text ?? null;
  return answer.value ?? JSON.parse(answer.text.text);
}

function parcels(session: EngineSession): JsonObject[] {
  return (session.view() as { data: { parcels: JsonObject[] } }).data.parcels;
}

/** All pages of a list, one after the other. */
function pages(session: EngineSession, name: string, args: JsonObject): Json[] {
  const ids: Json[] = [];
  let cursor: Json | undefined;
  do {
    const page = call(session, name, { ...args, limit: 370, ...(cursor === undefined ? {} : { cursor }) });
    const found = Object.values(page as JsonObject).find((part) => Array.isArray(part)) as JsonObject[];
    ids.push(...found.map((row) => row.id ?? null));
    cursor = Object.entries(page as JsonObject).find(([key]) => /cursor/i.test(key))?.[1];
  } while (typeof cursor === 'string');
  return ids;
}

const step = fc.oneof(
  fc.record({ do: fc.constant('create'), owner: fc.constantFrom(...OWNERS), at: fc.nat(ROWS - 1) }),
  fc.record({ do: fc.constant('update'), owner: fc.constantFrom(...OWNERS), at: fc.nat(ROWS - 1) }),
  fc.record({ do: fc.constant('seal'), owner: fc.constantFrom(...OWNERS), at: fc.nat(ROWS + 5) }),
  fc.record({ do: fc.constant('depot'), owner: fc.constantFrom(...OWNERS), at: fc.nat(45) }),
);

test('lists, matches and references over many rows give what a look at every row gives, after any changes', () => {
  const start = createToolsEngine().open(SPEC, 1);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const session = start.fork();
      for (const { do: what, owner, at } of steps) {
        if (what === 'create') call(session, 'create_parcel', { owner, weight: at % 3 });
        if (what === 'update') call(session, 'update_parcel', { id: `p${at}`, owner });
        if (what === 'seal') {
          const before = parcels(session);
          call(session, 'seal_parcel', { code: `c-${at}` });
          const expected = before.map((row) => (row.code === `c-${at}` ? { ...row, sealed: true } : row));
          // A row that was made later has no code: then the rule fails and nothing changes.
          const fails = before.some((row) => row.code === undefined);
          expect(parcels(session)).toEqual(fails ? before : expected);
        }
        if (what === 'depot') {
          call(session, 'delete_depot', { id: `d${at}` });
          expect(parcels(session).filter((row) => row.depot === `d${at}`)).toEqual([]);
        }
        const rows = parcels(session);
        const of = (test: (row: JsonObject) => boolean) => rows.filter(test).map((row) => row.id);
        expect(pages(session, 'list_parcels', {})).toEqual(of(() => true));
        expect(pages(session, 'list_parcels', { owner })).toEqual(of((row) => row.owner === owner));
        expect(pages(session, 'list_parcels', { owner, weight: 1 })).toEqual(
          of((row) => row.owner === owner && row.weight === 1),
        );
        if (rows.some((row) => row.sealed === undefined)) continue;
        expect(pages(session, 'list_sealed', { owner })).toEqual(
          of((row) => row.owner === owner && row.sealed === true),
        );
      }
    }),
    { numRuns: 6 },
  );
});
