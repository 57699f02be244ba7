/**
 * A session as bytes: the last image, and the events since, which are run once more when the session is needed.
 *
 * Format: one header line (JSON: format, version, world, seed, checksum and length of the body), a line break, the body
 * (JSON). Anything that does not fit is `engine/bad-snapshot`.
 */
import { EngineError, type Json, type JsonObject, parseJson } from '../../../core/index.js';
import { decodeImage, encodeImage } from './image-codec.js';
import { type LoggedEvent, Moment } from './moment.js';

const FORMAT = 'umwelt-shell';
const VERSION = 3;

/** Writes a moment. */
export function encodeMoment(moment: Moment): Uint8Array {
  const { base, events } = moment.since();
  const { spec, seed } = moment.origin;
  const image = base.isStart || base.image === null ? null : encodeImage(base.image, spec, base.resumable);
  const marked = [...base.marked];
  const body = JSON.stringify({ image, events, marked });
  const header = {
    format: FORMAT,
    version: VERSION,
    world: spec.id,
    seed,
    checksum: checksum(body),
    length: body.length,
  };
  return new TextEncoder().encode(`${JSON.stringify(header)}\n${body}`);
}

/** Reads a moment of a world whose start is given; `replayed` makes the moment after logged events. */
export function decodeMoment(
  start: Moment,
  bytes: Uint8Array,
  replayed: (base: Moment, events: readonly LoggedEvent[]) => Moment,
): Moment {
  const text = new TextDecoder().decode(bytes);
  const end = text.indexOf('\n');
  const header = parseJson(end < 0 ? '' : text.slice(0, end));
  const body = text.slice(end + 1);
  if (!header.ok || header.value === null) throw bad('it has no header, or was cut');
  const given = header.value as JsonObject;
  const { spec, seed } = start.origin;
  const wanted: JsonObject = {
    format: FORMAT,
    version: VERSION,
    world: spec.id,
    seed,
    length: body.length,
    checksum: checksum(body),
  };
  for (const [key, value] of Object.entries(wanted)) {
    if (given[key] !== value) throw bad(`its ${key} is ${show(given[key])}, not ${show(value)}`);
  }
  const { image, events, marked } = JSON.parse(body) as {
    image: JsonObject | null;
    events: LoggedEvent[];
    marked: [string, 'predicted' | 'fault'][];
  };
  const base =
    image === null
      ? start
      : Moment.of(start.origin, decodeImage(image, spec, start.resumable), {
          checkpoints: start.resumable,
          marked: new Map(marked),
        });
  return replayed(base, events);
}

function show(value: Json | undefined): string {
  return JSON.stringify(value) ?? 'missing';
}

function bad(why: string): EngineError {
  return new EngineError(`the snapshot cannot be restored: ${why}`, { code: 'engine/bad-snapshot' });
}

/** FNV-1a over UTF-16 units: finds damage, not malice. */
export function checksum(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
