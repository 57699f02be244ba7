/**
 * Bodies of requests: bounded in size and depth, UTF-8 only, big integers exact, unknown keys named.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
  nearestName,
  parseJson,
  ServiceError,
} from '../core/index.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a body. Raises `service/too-large` beyond `maxBytes` (as soon as that is known) and
 * `service/bad-request` for what is not UTF-8 or ends too early.
 */
export async function readText(request: Request, maxBytes: number = LIMITS.requestBytes): Promise<string> {
  const length = request.headers.get('content-length');
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  try {
    // A told length bounds the body already; reading it whole spares a web stream, half the time of a small request.
    if (length !== null) return UTF8.decode(await request.arrayBuffer());
    if (request.body === null) return '';
    const parts: Uint8Array[] = [];
    let sizeBytes = 0;
    for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      parts.push(chunk);
    }
    return UTF8.decode(Buffer.concat(parts));
  } catch (cause) {
    if (ServiceError.isInstance(cause)) throw cause;
    const why = cause instanceof TypeError ? 'is not UTF-8 text' : 'ended before its end';
    throw new ServiceError(`the body ${why}`, { code: 'service/bad-request', cause });
  }
}

/** The JSON object in a body; an empty body is `{}`. Raises like {@link readText}, and for what is no object. */
export async function readObject(request: Request): Promise<JsonObject> {
  const text = await readText(request);
  if (text.trim() === '') return {};
  const json = parseJson(text);
  if (!json.ok) throw badRequest(`the body is not JSON: ${json.error.message}`);
  if (!isJsonObject(json.value)) throw badRequest('the body is JSON, but no object');
  return json.value;
}

/** Raises `service/bad-request` for a key that is not known, naming the nearest. Keys that start with `x-` are free. */
export function checkKeys(object: JsonObject, known: readonly string[]): void {
  for (const key of Object.keys(object)) {
    if (known.includes(key) || key.startsWith('x-')) continue;
    const nearest = nearestName(key, known);
    const hint = nearest === undefined ? `; known are ${known.join(', ')}` : `; did you mean ${nearest}?`;
    throw badRequest(`there is no key ${JSON.stringify(key.slice(0, 100))}${hint}`);
  }
}

/** A text of a body, or undefined where it is missing. Raises `service/bad-request` for another type. */
export function textOf(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  if (value === undefined || typeof value === 'string') return value;
  throw badRequest(`${key} must be a text`);
}

/** A whole number of a body, or undefined where it is missing. Raises `service/bad-request` for anything else. */
export function integerOf(object: JsonObject, key: string): number | undefined {
  const value: Json | undefined = object[key];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw badRequest(`${key} must be a whole number below 2^53`);
}

/** A request that makes no sense. */
export function badRequest(message: string): ServiceError {
  return new ServiceError(message, { code: 'service/bad-request' });
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(`the body is longer than ${maxBytes} bytes (limit requestBytes)`, {
    code: 'service/too-large',
    data: { maxBytes },
  });
}
