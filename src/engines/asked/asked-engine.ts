/**
 * The engine of worlds that no engine computes: web, android, os, search and swe as long as they have none of their own.
 *
 * A snapshot is one JSON line: format, world, seed, a checksum, and the memory. Source: the engine port.
 */
import {
  type Engine,
  EngineError,
  hashJson,
  isJsonObject,
  type Json,
  parseJson,
  renderJson,
} from '../../core/index.js';
import { ToolChecks } from '../tools/check/check.js';
import { AskedSession, isMemory } from './asked-session.js';
import type { AskedSpec } from './asked-spec.js';
import { NOTHING_SEEN, type SeenMemory } from './seen-memory.js';

const FORMAT = 'umwelt-asked-1';

/** Makes the engine. It keeps nothing between sessions. */
export function createAskedEngine(): Engine<AskedSpec> {
  return {
    name: 'asked',
    open: (spec, seed) => sessionOf(spec, seed, NOTHING_SEEN),
    restore: (spec, seed, bytes) => sessionOf(spec, seed, decodeMemory(spec, seed, bytes)),
  };
}

function sessionOf(spec: AskedSpec, seed: number, memory: SeenMemory): AskedSession {
  const checks = spec.tools.length === 0 ? null : new ToolChecks(spec.tools);
  return new AskedSession({ spec, seed, checks }, memory, (seen) => encodeMemory(spec, seed, seen));
}

function encodeMemory(spec: AskedSpec, seed: number, memory: SeenMemory): Uint8Array {
  const fields = { format: FORMAT, world: spec.id, seed, memory: memory as unknown as Json };
  return new TextEncoder().encode(renderJson({ ...fields, check: hashJson(fields) }));
}

function decodeMemory(spec: AskedSpec, seed: number, bytes: Uint8Array): SeenMemory {
  const json = parseJson(new TextDecoder().decode(bytes));
  const fields = json.ok && isJsonObject(json.value) ? json.value : undefined;
  if (fields === undefined || fields.format !== FORMAT)
    throw bad('the bytes are damaged or of another format');
  const { check, ...rest } = fields;
  if (check !== hashJson(rest)) throw bad('the bytes are damaged: the checksum differs');
  if (fields.world !== spec.id) throw bad(`it is of world '${String(fields.world)}', not of '${spec.id}'`);
  if (fields.seed !== seed) throw bad(`it has seed ${String(fields.seed)}, not ${seed}`);
  const { memory } = fields;
  if (memory === undefined || !isMemory(memory)) throw bad('it holds no memory');
  return memory as unknown as SeenMemory;
}

function bad(why: string): EngineError {
  return new EngineError(`the snapshot cannot be restored: ${why}`, { code: 'engine/bad-snapshot' });
}
