/**
 * Mistakes in the rules of a service are told when the world loads, each at its place.
 */
import { expect, test } from 'vitest';
import { loadWorld } from './load-world.js';

const HEAD = `world: 1
name: shop
domain: mcp
state:
  data:
    orders: [{id: o1, number: 7, owner: ada}, {id: o2, number: 7, owner: Ada}]
tools:
  - name: create_order
    inputSchema: {type: object, properties: {number: {type: integer}, request_key: {type: string}}}
  - {name: list_orders, inputSchema: {type: object, properties: {}}}
`;

/** `line path: message` of every problem. */
function problems(rest: string): string[] {
  const result = loadWorld(HEAD + rest);
  if (result.ok) return [];
  const { problems: found } = result.error.data as {
    problems: { line: number; path: string; message: string }[];
  };
  return found.map(({ line, path, message }) => `${line} ${path}: ${message}`);
}

test('rules, templates, arguments and collections that cannot be are told with their place', () => {
  const found = problems(`quotas:
  - {on: create_order, max: 2, perSeconds: 60, by: row.owner}
idempotency:
  - {on: create_order, argument: request_kye}
effects:
  - {collection: ordesr, after: [create], do: [{op: update, collection: orders, set: {a: "1"}}]}
logins:
  - {on: list_orders}
answers:
  tools: {list_ordres: {not-found: "{nobody}"}}
`);
  expect(found.map((text) => text.split(':')[0]).sort()).toEqual([
    '12 quotas[0].by',
    '14 idempotency[0].argument',
    '16 effects[0].collection',
    '16 effects[0].do[0]',
    '18 logins[0]',
    '20 answers.tools.list_ordres',
    '20 answers.tools.list_ordres.not-found',
  ]);
  expect(found).toContain(
    '14 idempotency[0].argument: no argument is called "request_kye"; nearest: request_key',
  );
});

test('rows of the file keep to the uniqueness and the limits that it says', () => {
  const entity = (text: string): string => `entities:\n  orders: {${text}}\n`;
  expect(problems(entity('unique: [{fields: [number]}]'))).toEqual([
    '6 state.data.orders[1]: is row 2 of orders with this number; unique allows 1',
  ]);
  expect(problems(entity('unique: [{fields: [owner]}]'))).toEqual([]);
  expect(problems(entity('unique: [{fields: [owner], ignoreCase: true}]'))).toHaveLength(1);
  expect(problems(entity("unique: [{fields: [number], among: row.owner == 'ada'}]"))).toEqual([]);
  expect(problems(entity('limits: [{max: 1}]'))).toHaveLength(1);
  expect(problems(entity('transitions: [{at: row.due}]'))).toEqual([
    expect.stringContaining('does nothing; give it `set` or `delete: true`'),
  ]);
});

test('a field that nothing knows, in uniqueness or a limit, is told with the nearest one, and so is an argument', () => {
  const entity = (text: string): string[] => problems(`entities:\n  orders: {${text}}\n`);
  expect(entity('unique: [{fields: [number, ownr], among: "row.number > 9"}]')).toEqual([
    '12 entities.orders.unique[0].fields[1]: no field of orders is called "ownr"; nearest: owner',
  ]);
  expect(entity('limits: [{by: [onwer], max: 9}]')).toEqual([
    '12 entities.orders.limits[0].by[0]: no field of orders is called "onwer"; nearest: owner',
  ]);
  expect(entity('limits: [{by: [place], max: 9}], transitions: [{at: row.due, set: {place: "1"}}]')).toEqual(
    [],
  );
  expect(entity('version: {field: rev, argument: request_kee}')).toEqual([
    '12 entities.orders.version.argument: no argument is called "request_kee"; nearest: request_key',
  ]);
});
