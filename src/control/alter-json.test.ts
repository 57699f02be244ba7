import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Answer,
  canonicalJson,
  type Json,
  parseJson,
  renderJson,
  TracedTextBuilder,
  traced,
} from '../core/index.js';
import { alterValue } from './alter-json.js';
import { readJsonNodes } from './json-nodes.js';

function answer(text: string, value?: Json): Answer {
  return { text: traced(text, 'computed'), isError: false, ...(value !== undefined && { value }) };
}

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

test('the nodes of a JSON text are its values', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
      const text = renderJson(value, indent);
      expect(canonicalJson(readJsonNodes(text).value)).toBe(canonicalJson(value));
    }),
  );
});

test('a changed answer says the same in text and value, and its spans cover the text', () => {
  const members = fc.dictionary(fc.string(), json, { minKeys: 1, maxKeys: 5 });
  fc.assert(
    fc.property(members, fc.constantFrom(0, 2), json, (object, indent, other) => {
      const altered = alterValue(answer(renderJson(object, indent), object), 'k', (value) => ({
        ...(value as object),
        changed: other,
      }));
      if (altered === undefined) return;
      const read = parseJson(altered.text.text);
      expect(read.ok && canonicalJson(read.value)).toBe(canonicalJson(altered.value ?? null));
      const ends = altered.text.origins.map(({ start, end }) => [start, end]);
      expect(ends.flat().filter((_, index) => index % 2 === 0)).toEqual([
        0,
        ...ends.slice(0, -1).map(([, end]) => end),
      ]);
      expect(ends.at(-1)?.[1]).toBe(altered.text.text.length);
    }),
  );
});

test('only what changed is the fault’s; the rest keeps its origin', () => {
  const text = new TracedTextBuilder()
    .add('{"a":', 'computed')
    .add('1', 'pinned', 'f')
    .add(',"b":[2,3]}', 'computed')
    .done();
  const altered = alterValue({ text, isError: false }, 'k', (value) => ({ ...(value as object), b: [2, 4] }));
  expect(altered?.text.text).toBe('{"a":1,"b":[2,4]}');
  expect(altered?.text.origins).toEqual([
    { start: 0, end: 5, origin: 'computed' },
    { start: 5, end: 6, origin: 'pinned', ref: 'f' },
    { start: 6, end: 14, origin: 'computed' },
    { start: 14, end: 15, origin: 'fault', ref: 'k' },
    { start: 15, end: 17, origin: 'computed' },
  ]);
});

test('words beside a value become the JSON of the changed value, and big integers stay exact', () => {
  const value = { id: 9_007_199_254_740_993n, title: 'x' };
  const altered = alterValue(answer('Created x.', value), 'k', (old) => ({ ...(old as object), title: 'y' }));
  expect(altered?.text.text).toBe('{\n  "id": 9007199254740993,\n  "title": "y"\n}');
  expect(altered?.value).toEqual({ id: 9_007_199_254_740_993n, title: 'y' });
  expect(alterValue(answer('Created x.'), 'k', () => ({}))).toBeUndefined();
});
