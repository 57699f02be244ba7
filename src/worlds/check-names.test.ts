import { expect, test } from 'vitest';
import { loadWorld } from './load-world.js';
import type { WorldProblem } from './world-problem.js';

/** Line, column, path and nearest of every problem. */
function places(text: string): unknown[] {
  const result = loadWorld(text);
  if (result.ok) throw new Error('loaded');
  return (result.error.data.problems as readonly WorldProblem[]).map(({ line, column, path, nearest }) =>
    nearest === undefined ? [line, column, path] : [line, column, path, nearest],
  );
}

test('rows without the key that their entity names, and two rows of one key, are told with their place', () => {
  const file = `world: 1
name: keys
domain: mcp
tools: [{name: list_doors, inputSchema: {type: object}}]
entities: {doors: {key: id}, seats: {key: [row, place], scope: [hall]}}
state:
  data:
    doors:
      - {id: d1}
      - {name: d2}
      - {id: d1}
    seats: [{row: 1, place: 1, hall: a}, {row: 1, place: 1, hall: b}]
`;
  expect(places(file)).toEqual([
    [10, 9, 'state.data.doors[1]'],
    [11, 14, 'state.data.doors[2].id'],
  ]);
});

test('a computed field has no clock: it depends on the state alone', () => {
  const start = 'world: 1\nname: w\ndomain: mcp\ntools: [{name: list_doors, inputSchema: {type: object}}]\n';
  expect(places(`${start}entities: {doors: {fields: {age: {computed: clock}}}}\n`)).toEqual([
    [5, 45, 'entities.doors.fields.age.computed'],
  ]);
});

test('an override names arguments of its tool, and a slip is told with the nearest one', () => {
  const file = `world: 1
name: doors
domain: mcp
tools:
  - {name: open_door, inputSchema: {type: object, properties: {door_id: {type: string}}}}
  - {name: anything, inputSchema: {type: object}}
state: {data: {doors: [{id: d1}]}}
overrides:
  open_door:
    op: update
    collection: doors
    key: {door_ids: id}
    batch: doors
  anything: {op: get, collection: doors, key: {whatever: id}}
`;
  expect(places(file.replace('    batch: doors\n', ''))).toEqual([
    [12, 11, 'overrides.open_door.key.door_ids', 'door_id'],
  ]);
  expect(places(file)).toEqual([[13, 12, 'overrides.open_door.batch', 'door_id']]);
  const whole = file.replace('batch: doors', 'batch: door_id').replace('door_ids: id', 'door_id: id');
  expect(places(whole)).toEqual([[12, 11, 'overrides.open_door.key.door_id', 'item']]);
});
