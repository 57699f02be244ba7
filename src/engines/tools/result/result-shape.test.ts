import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/index.js';
import { createToolsEngine } from '../engine.js';
import type { ShapeSpec, ToolWorldSpec } from '../spec.js';
import { tryCall } from '../try-call.js';

const TOOLS = [
  { name: 'list_books', description: 'List books', inputSchema: { type: 'object', properties: {} } },
  {
    name: 'delete_books',
    description: 'Delete books',
    inputSchema: {
      type: 'object',
      required: ['ids'],
      properties: { ids: { type: 'array', items: { type: 'string' } } },
    },
  },
  {
    name: 'get_book',
    description: 'Get a book',
    inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  },
];

function answer(shapes: Record<string, ShapeSpec>, name: string, args: JsonObject = {}) {
  const spec = {
    id: 'w',
    tools: TOOLS,
    data: {
      books: [
        { id: 'b1', title: 'Deep' },
        { id: 'b2', title: 'High' },
      ],
    },
    entities: { books: { key: 'id' } },
    overrides: {},
    shapes,
    strict: false,
    startMs: 0,
  } as unknown as ToolWorldSpec;
  const session = createToolsEngine().open(spec, 1);
  const { outcome } = tryCall(session, { kind: 'tool-call', name, arguments: args }, { nowMs: 0, turn: 1 });
  const { answer: said } = outcome;
  return {
    text: said?.text.text,
    value: said?.value,
    isError: said?.isError,
    origins: said?.text.origins.map(({ origin }) => origin),
  };
}

test('a template over the rows is the text, and its parts keep where they came from', () => {
  const text = '{rows.map(r, "- " + r.title).join("\\n")}\n{size(rows)} books';
  const { origins, ...said } = answer({ list_books: { answers: [{ text }] } }, 'list_books');
  expect(said).toEqual({ text: '- Deep\n- High\n2 books', value: undefined, isError: false });
  expect(origins?.length).toBeGreaterThan(0);
});

test('JSON text and structured part may differ, in every layout', () => {
  const form = (json: object) =>
    ({ list_books: { answers: [{ returns: "{'books': rows}", json }] } }) as Record<string, ShapeSpec>;
  const value = {
    books: [
      { id: 'b1', title: 'Deep' },
      { id: 'b2', title: 'High' },
    ],
  };
  expect(answer(form({ of: 'rows', indent: 0 }), 'list_books')).toMatchObject({
    text: JSON.stringify(value.books),
    value,
  });
  expect(answer(form({ indent: 4 }), 'list_books').text).toBe(JSON.stringify(value, null, 4));
  expect(answer(form({ of: 'rows[0]', indent: 0, spaced: true }), 'list_books').text).toBe(
    '{"id": "b1", "title": "Deep"}',
  );
});

test('the first form that holds and can be evaluated is used, and without one the answer is the usual one', () => {
  const forms = [{ text: 'none', when: 'size(rows) == 0' }, { text: '{row.pages}' }, { text: '{row.title}' }];
  expect(answer({ get_book: { answers: forms } }, 'get_book', { id: 'b2' }).text).toBe('High');
  expect(answer({ get_book: { answers: forms.slice(0, 2) } }, 'get_book', { id: 'b2' }).text).toBe(
    JSON.stringify({ id: 'b2', title: 'High' }, null, 2),
  );
});

test('failures that a tool passes over are no errors, neither alone nor in a batch', () => {
  const forms = [{ text: 'gone' }];
  const shapes: Record<string, ShapeSpec> = {
    delete_books: { ignores: ['not-found'], answers: forms },
    get_book: { ignores: ['not-found'], answers: [{ text: 'nothing' }] },
  };
  expect(answer(shapes, 'delete_books', { ids: ['b9'] })).toMatchObject({ text: 'gone', isError: false });
  expect(answer(shapes, 'get_book', { id: 'b9' })).toMatchObject({ text: 'nothing', isError: false });
  expect(answer({ delete_books: { answers: forms } }, 'delete_books', { ids: ['b9'] }).isError).toBe(true);
  expect(answer({ get_book: {} }, 'get_book', { id: 'b9' }).isError).toBe(true);
});
