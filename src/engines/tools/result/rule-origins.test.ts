import { expect, test } from 'vitest';
import { drive, toolCall } from '../../engine.contract.js';
import { createToolsEngine } from '../engine.js';
import type { OverrideSpec } from '../spec.js';
import { ToolWorldSpecSchema } from '../spec.js';

/** The origins of the answer's words, as `origin:words`, for one rule over a pinned or a generated person. */
function originsOf(more: Partial<OverrideSpec>, data: Record<string, { id: string; name: string }[]>) {
  const spec = ToolWorldSpecSchema.parse({
    id: 'people',
    tools: [{ name: 'person_show', inputSchema: { type: 'object', properties: { id: { type: 'string' } } } }],
    data,
    entities: { people: { generate: 1, fields: { name: { schema: { type: 'string' } } } } },
    overrides: { person_show: { op: 'get', collection: 'people', match: 'true', ...more } },
    startMs: 0,
  });
  const session = createToolsEngine().open(spec, 1);
  const { people } = (session.view() as { data: { people: { name: string }[] } }).data;
  const text = drive(session, toolCall('person_show', {})).answer?.text;
  const name = people[0]?.name ?? '';
  const originAt = (at: number) => text?.origins.find(({ start, end }) => start <= at && at < end)?.origin;
  const found = text?.text.toLowerCase().indexOf(name.toLowerCase()) ?? -1;
  return [originAt(found), new Set(text?.origins.map(({ origin }) => origin)).has('computed')];
}

const RULES: readonly Partial<OverrideSpec>[] = [
  { text: 'Name: {row.name}!' },
  { text: 'Names: {state.data.people[0].name}!' },
  { returns: '{"n": row.name, "size": size(row.name)}' },
  { returns: '{"all": state.data.people.map(p, p.name), "count": 1}' },
  { returns: '{"loud": upper(row.name)}' },
];

test('what filler made stays generated when a rule or template hands it out', () => {
  expect(RULES.map((rule) => originsOf(rule, {}))).toEqual(RULES.map(() => ['generated', true]));
  expect(originsOf({ returns: 'row.name' }, {})).toEqual(['generated', false]);
});

test('what a rule gives over pinned rows is computed', () => {
  const data = { people: [{ id: 'p1', name: 'Ada Byron' }] };
  expect(RULES.map((rule) => originsOf(rule, data)[0])).toEqual(RULES.map(() => 'computed'));
});
