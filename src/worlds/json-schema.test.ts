/**
 * An editor shows what each key of a world file is for.
 */
import { expect, test } from 'vitest';
import { worldJsonSchema } from './index.js';

interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node;
  readonly anyOf?: readonly Node[];
}

/** The branch that holds content itself, and not the file it stands in. */
function inline(node: Node | undefined): Node | undefined {
  return node?.anyOf?.find(({ properties }) => properties?.from === undefined);
}

function undescribed(node: Node | undefined): string[] {
  const properties = Object.entries(node?.properties ?? {});
  return properties.filter(([, { description = '' }]) => description === '').map(([key]) => key);
}

test('every key of an entity, a field and an override is described in the published schema', () => {
  const schema = worldJsonSchema() as Node;
  const entity = inline(schema.properties?.entities)?.additionalProperties;
  const field = entity?.properties?.fields?.additionalProperties;
  const override = inline(schema.properties?.overrides)?.additionalProperties;
  const effect = override?.properties?.also?.items;
  const places = [
    entity,
    entity?.properties?.id,
    field,
    override,
    override?.properties?.require?.items,
    effect,
  ];
  expect(places.map((place) => Object.keys(place?.properties ?? {}).length)).toEqual([12, 6, 10, 14, 3, 7]);
  expect(places.map(undescribed)).toEqual([[], [], [], [], [], []]);
});

test('every key of a world file, a budget and a fault is described in the published schema', () => {
  const schema = worldJsonSchema() as Node;
  const fault = inline(schema.properties?.faults)?.items;
  expect(Object.keys(fault?.properties?.when?.properties ?? {})).toHaveLength(7);
  const places = [schema, schema.properties?.budget, fault, fault?.properties?.when];
  expect(places.map(undescribed)).toEqual([[], [], [], []]);
});
