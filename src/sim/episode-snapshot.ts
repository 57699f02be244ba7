/**
 * An episode as bytes: everything that decides its future, in one versioned, checked container.
 *
 * Layout: `UMWEPI` and a version byte; CRC-32 of all that follows (4 bytes, big-endian); length of the JSON part (4
 * bytes, big-endian); the JSON part (UTF-8): world hash, options, turns, ledger, fault counters, clock, end; then the
 * engine's own snapshot to the end. The checksum finds damage, not malice: restore only what you trust. A language
 * model's own state is not in it.
 */
import { crc32 } from 'node:zlib';
import type { FaultCounters, FaultSpec } from '../control/index.js';
import { EngineError, type Json, type JsonObject, parseJson, renderJson, type Turn } from '../core/index.js';
import type { World } from '../worlds/index.js';
import { toolList } from './begin-turn.js';
import type { EpisodeOptions, EpisodeSetup, Route } from './episode-setup.js';
import { type BegunFaults, type EpisodeEnd, type EpisodeState, NOTHING_BEGUN } from './episode-state.js';
import { Ledger } from './ledger.js';
import { RecordedProgress } from './recorded-answers.js';
import { TurnList } from './turn-list.js';

const MAGIC = [0x55, 0x4d, 0x57, 0x45, 0x50, 0x49] as const;
const VERSION = 1;
const HEAD_BYTES = MAGIC.length + 1 + 8;

/** What the JSON part holds. */
interface SnapshotFields {
  readonly world: string;
  readonly hash: string;
  readonly seed: number;
  readonly route: Route;
  readonly maxTurns: number;
  readonly faults: readonly FaultSpec[];
  readonly counters: FaultCounters;
  readonly turns: readonly Turn[];
  readonly ledger: Json;
  /** Only for worlds with a recording. */
  readonly recorded?: Json;
  readonly nowMs: number;
  /** Absent in snapshots that were made before agents could wait. */
  readonly waitedMs?: number;
  readonly revision: number;
  readonly tokens: number;
  readonly end: EpisodeEnd | null;
  /** Earlier sessions in base64, where faults look at them. */
  readonly past?: readonly string[];
  readonly begun?: BegunFaults;
}

/** Writes the snapshot. Equal episodes give equal bytes. */
export function encodeEpisode(setup: EpisodeSetup, state: EpisodeState): Uint8Array {
  const fields: SnapshotFields = {
    world: setup.world.name,
    hash: setup.world.hash,
    seed: setup.seed,
    route: setup.route,
    maxTurns: setup.budget.maxTurns,
    faults: setup.faults,
    counters: state.faults,
    turns: state.turns.toArray(),
    ledger: state.ledger.encode(),
    ...(setup.recorded.size > 0 && { recorded: state.recorded.encode() }),
    nowMs: state.nowMs,
    ...(state.waitedMs > 0 && { waitedMs: state.waitedMs }),
    revision: state.revision,
    tokens: state.tokens,
    end: state.end,
    ...(state.past.length > 0 && {
      past: state.past.map((session) => Buffer.from(session.snapshot()).toString('base64')),
    }),
    ...(state.begun !== NOTHING_BEGUN && { begun: state.begun }),
  };
  const json = new TextEncoder().encode(renderJson(fields as unknown as Json));
  const engine = state.session.snapshot();
  const bytes = new Uint8Array(HEAD_BYTES + json.length + engine.length);
  bytes.set([...MAGIC, VERSION]);
  const view = new DataView(bytes.buffer);
  view.setUint32(MAGIC.length + 5, json.length);
  bytes.set(json, HEAD_BYTES);
  bytes.set(engine, HEAD_BYTES + json.length);
  view.setUint32(MAGIC.length + 1, crc32(bytes.subarray(MAGIC.length + 5)));
  return bytes;
}

/** A snapshot that was read and belongs to this world. */
export interface DecodedEpisode {
  /** The options to build the setup with. */
  readonly options: EpisodeOptions;
  /** The state, once the setup is there. Raises `engine/bad-snapshot`. */
  readonly restore: (setup: EpisodeSetup) => EpisodeState;
}

/** Reads a snapshot. Raises `engine/bad-snapshot` for damaged bytes, another version or another world. */
export function decodeEpisode(world: World, bytes: Uint8Array): DecodedEpisode {
  const { fields, engine } = readContainer(bytes);
  if (fields.hash !== world.hash) {
    throw badSnapshot(
      `it is of world '${fields.world}' (hash ${fields.hash}), not of '${world.name}' (hash ${world.hash})`,
    );
  }
  const { seed, route, maxTurns, faults } = fields;
  return {
    options: { seed, route, maxTurns, faults },
    restore: (setup) => ({
      session: setup.engine.restore(setup.spec, seed, engine),
      ledger: Ledger.decode(fields.ledger),
      recorded: RecordedProgress.decode(fields.recorded),
      faults: fields.counters,
      turns: TurnList.of(fields.turns),
      nowMs: fields.nowMs,
      waitedMs: fields.waitedMs ?? 0,
      revision: fields.revision,
      tokens: fields.tokens,
      end: fields.end,
      past: (fields.past ?? []).map((text) =>
        setup.engine.restore(setup.spec, seed, new Uint8Array(Buffer.from(text, 'base64'))),
      ),
      begun: fields.begun ?? NOTHING_BEGUN,
      tools: toolList(setup, { faults: fields.counters, tools: null }),
    }),
  };
}

function readContainer(bytes: Uint8Array): { fields: SnapshotFields; engine: Uint8Array } {
  if (bytes.length < HEAD_BYTES || MAGIC.some((byte, index) => bytes[index] !== byte)) {
    throw badSnapshot('the bytes are not an episode snapshot, or were cut');
  }
  const version = bytes[MAGIC.length];
  if (version !== VERSION)
    throw badSnapshot(`it has version ${version}; this package reads version ${VERSION}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const jsonBytes = view.getUint32(MAGIC.length + 5);
  const sum = crc32(bytes.subarray(MAGIC.length + 5));
  if (sum !== view.getUint32(MAGIC.length + 1) || HEAD_BYTES + jsonBytes > bytes.length) {
    throw badSnapshot('the bytes are damaged: the checksum differs');
  }
  const text = new TextDecoder().decode(bytes.subarray(HEAD_BYTES, HEAD_BYTES + jsonBytes));
  const json = parseJson(text);
  if (!json.ok) throw badSnapshot(`its JSON part cannot be read: ${json.error.message}`);
  const fields = json.value as JsonObject as unknown as SnapshotFields;
  return { fields, engine: bytes.slice(HEAD_BYTES + jsonBytes) };
}

function badSnapshot(why: string): EngineError {
  return new EngineError(`the snapshot cannot be restored: ${why}`, { code: 'engine/bad-snapshot' });
}
