import { expect, test } from 'vitest';
import { loadWorld } from './load-world.js';

const TOOLS = [
  { name: 'create_note', inputSchema: { type: 'object', properties: { title: { type: 'string' } } } },
  { name: 'get_note', inputSchema: { type: 'object', properties: { note_id: { type: 'string' } } } },
  {
    name: 'add_tags',
    inputSchema: { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } },
  },
];

/** The warnings of a world with these faults, each with its place in the content. */
function warningsOf(faults: readonly object[], more: object = {}): string[] {
  const loaded = loadWorld(
    JSON.stringify({ world: 1, name: 'notes', domain: 'mcp', tools: TOOLS, faults, ...more }),
  );
  if (!loaded.ok) throw loaded.error;
  return loaded.value.warnings.map(({ path, message }) => `${path}: ${message}`);
}

const BATCH = { overrides: { add_tags: { op: 'create', collection: 'tags', batch: 'tags' } } };

test('a partial failure aimed at a tool without a batch is told when the world loads', () => {
  expect(warningsOf([{ kind: 'partial-failure', on: 'create_note' }], BATCH)).toEqual([
    'faults[0]: can never strike: partial-failure hits the items of a batch, and create_note does not work on one; these do: add_tags',
  ]);
});

test('a partial failure is not told of where one of its tools has a batch', () => {
  expect(warningsOf([{ kind: 'partial-failure', on: '*' }, { kind: 'partial-failure' }], BATCH)).toEqual([]);
});

test('any fault aimed at the items of a batch needs one, whatever its kind', () => {
  expect(
    warningsOf([{ kind: 'error', on: { kind: 'tool.item', tool: '*_note' }, phase: 'after' }], BATCH),
  ).toEqual([
    'faults[0]: can never strike: error hits the items of a batch, and create_note, get_note do not work on one; these do: add_tags',
  ]);
});

test('a fault aimed at a tool that is not there is told when the world loads', () => {
  expect(
    warningsOf([{ kind: 'timeout' }, { kind: 'timeout', on: { tool: 'creat_note', args: { a: 1 } } }]),
  ).toEqual(['faults[1]: can never strike: no tool is called "creat_note"']);
});

test('a change of rows that are not there, a marker that is no tool, and an end that never comes are told', () => {
  expect(
    warningsOf([
      { kind: 'world-change', with: { collection: 'note', set: { title: 'x' } } },
      { kind: 'prompt-injection', with: { tool: 'create_not' } },
      { kind: 'token-expired', when: { until: { called: 'log_in' } } },
      { kind: 'error', on: 'http.request' },
      { kind: 'tool-renamed', on: 'get_tag' },
      { kind: 'world-change', with: { collection: 'notes', set: { title: 'x' } } },
      { kind: 'clock-jump', when: { turns: 2 } },
    ]),
  ).toEqual([
    'faults[0]: can never strike: there is no collection "note"; the nearest is "notes"',
    'faults[1]: asks for a tool that is not there: "create_not"; the nearest is "create_note"',
    'faults[2]: never ends: no tool is called "log_in", which `until` waits for',
    'faults[3]: can never strike: a world of tools has no http.request',
    'faults[4]: can never strike: no tool is called "get_tag"',
  ]);
});

test('a world refuses faults that its domain has nothing for', () => {
  const loaded = loadWorld(
    JSON.stringify({
      world: 1,
      name: 'notes',
      domain: 'mcp',
      tools: TOOLS,
      faults: [{ kind: 'search-empty' }],
    }),
  );
  expect(loaded.ok ? '' : loaded.error.message).toContain(
    "faults[0].kind: a fault of kind 'search-empty' cannot be used here: its engine (search) does not exist yet",
  );
});
