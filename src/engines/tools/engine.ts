/**
 * The tools engine: any list of tools as a stateful service.
 *
 * Inference says what the tools do (`infer.ts`), the world file corrects it, the runtime executes it (`run.ts`) on a
 * persistent state (`store.ts`), and the Host decides what becomes of each operation. A bare list of tools starts
 * with generated rows in every collection; a world that brings data or overrides gets generated rows only where an
 * entity asks for them (`generate`). Not covered: knowledge that no rows hold; such tools are `unknown` to the Host.
 */
import type { Engine, Json, JsonObject } from '../../core/index.js';
import { createEngineFrom } from './engine-session.js';
import type { ServiceSource } from './engine-world.js';
import { sampleSchema } from './generate/sample.js';
import { seedRows } from './generate/seed.js';
import { inferService } from './infer/infer.js';
import type { ToolWorldSpec } from './spec.js';
import { own, rowsOf } from './store/store.js';

/**
 * Makes the tools engine. Sessions of one specification object share its service, checks and start state; the seed
 * controls generated rows, filler values, ids that are not counted, and latency. `open` raises `engine/bad-spec`,
 * `restore` also `engine/bad-snapshot`.
 */
export function createToolsEngine(): Engine<ToolWorldSpec> {
  return createEngineFrom({ infer: inferService, seedRows: generateRows, sample: sampleValue });
}

const generateRows: ServiceSource['seedRows'] = (model, { spec, seed, start }) => {
  const names = Object.keys(model.collections);
  const given = names.map((name): [string, JsonObject[]] => [
    name,
    Array.from(rowsOf(start, name).values(), (row) => row.data),
  ]);
  const generated = seedRows(model, {
    seed,
    strict: spec.strict,
    startMs: spec.startMs,
    counts: countsOf(spec, names),
    given: Object.fromEntries(given),
  });
  const rows = Object.entries(generated).map(([name, list]): [string, JsonObject[]] => [
    name,
    list.map((row) => row.data),
  ]);
  return Object.fromEntries(rows);
};

/** How many rows to generate by collection; none said means the generator's own default. */
function countsOf(spec: ToolWorldSpec, names: readonly string[]): Record<string, number> {
  const isBare = Object.keys(spec.data).length === 0 && Object.keys(spec.overrides).length === 0;
  return Object.fromEntries(
    names.flatMap((name): [string, number][] => {
      const entity = Object.hasOwn(spec.entities, name) ? spec.entities[name] : undefined;
      if (entity?.generate !== undefined) return [[name, entity.generate]];
      return isBare ? [] : [[name, 0]];
    }),
  );
}

const sampleValue: ServiceSource['sample'] = (schema, { root, random, known, nowMs }): Json | undefined =>
  sampleSchema(schema, {
    root,
    random,
    nowMs,
    known: (path) => {
      const [name, ...deeper] = path;
      return name === undefined || deeper.length > 0 ? undefined : own(known, name);
    },
  });
