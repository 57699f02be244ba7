/**
 * Big integers through a library that writes JSON with `JSON.stringify`, which cannot write them.
 *
 * On the way in, each `bigint` of a result becomes a text that starts with a secret mark; on the way out, in the
 * bytes of the answer, each such text becomes its digits. The mark is random per process, so nothing that a world or
 * an agent says can be taken for one. An answer without a big integer passes untouched.
 */
import { randomBytes } from 'node:crypto';
import { isJsonObject, type Json } from '../../core/index.js';

const MARK = randomBytes(16).toString('hex');
const MARKED = new RegExp(`"${MARK}(-?[0-9]+)"`, 'g');

/** A value with every big integer as a marked text; the value itself where it has none. */
export function markNumbers(value: Json): Json {
  if (typeof value === 'bigint') return `${MARK}${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(markNumbers);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, markNumbers(member)] as const);
  return entries.some(([key, member]) => member !== value[key]) ? Object.fromEntries(entries) : value;
}

/** The answer with every marked text as digits. The library writes one message in one piece. */
export function restoreNumbers(response: Response): Response {
  if (response.body === null) return response;
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, control) => control.enqueue(restoreChunk(chunk)),
    }),
  );
  return new Response(body, { status: response.status, headers: response.headers });
}

function restoreChunk(chunk: Uint8Array): Uint8Array {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (bytes.indexOf(MARK) < 0) return chunk;
  return Buffer.from(bytes.toString('utf8').replace(MARKED, '$1'));
}
