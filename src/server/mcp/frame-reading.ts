/**
 * One line of a stdio connection, read into a JSON-RPC message or into the error that answers it.
 *
 * Nothing is dropped without a word where a request might be waiting: what is no JSON is answered with a parse error
 * (id null, as JSON-RPC says), what is JSON but no message with an invalid request and its id.
 */
import { isJsonObject, type Json, type JsonObject, LIMITS, parseJson } from '../../core/index.js';

/** What a line holds. */
export type Frame =
  | { readonly kind: 'message'; readonly message: JsonObject; readonly text: string }
  | { readonly kind: 'fault'; readonly reply: JsonObject }
  | { readonly kind: 'empty' };

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** Reads a line. A list of messages, which revision 2025-03-26 allows, gives several frames. */
export function readFrames(bytes: Uint8Array): readonly Frame[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    return [fault(null, PARSE_ERROR, 'Parse error: the line is not UTF-8')];
  }
  if (text === '') return [{ kind: 'empty' }];
  const json = parseJson(text);
  if (!json.ok) return [fault(idAnyway(text), PARSE_ERROR, `Parse error: ${json.error.message}`)];
  const { value } = json;
  if (!Array.isArray(value)) return [frameOf(value, text)];
  if (value.length === 0) return [fault(null, INVALID_REQUEST, 'Invalid request: an empty list')];
  return (value as readonly Json[]).map((one) => frameOf(one, ''));
}

/** The reply to a line that was dropped. */
export function tooLongReply(): JsonObject {
  const message = `Invalid request: a line is longer than ${LIMITS.lineBytes} bytes (limit lineBytes)`;
  return replyOf(null, INVALID_REQUEST, message);
}

function frameOf(value: Json, text: string): Frame {
  if (!isJsonObject(value)) return fault(null, INVALID_REQUEST, 'Invalid request: a message is an object');
  const { id, jsonrpc, method } = value;
  const known = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
  const isAnswer = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
  if (jsonrpc !== '2.0' || (typeof method !== 'string' && !isAnswer)) {
    return fault(known ? id : null, INVALID_REQUEST, 'Invalid request: wanted jsonrpc "2.0" and a method');
  }
  if (Object.hasOwn(value, 'id') && !known) {
    return fault(null, INVALID_REQUEST, 'Invalid request: an id is a text or a whole number below 2^53');
  }
  return { kind: 'message', message: value, text };
}

/** The id of a message that is JSON, but nests too deep or holds a number that cannot be. */
function idAnyway(text: string): string | number | null {
  try {
    const value: unknown = JSON.parse(text);
    const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : null;
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  } catch {
    return null;
  }
}

function fault(id: string | number | null, code: number, message: string): Frame {
  return { kind: 'fault', reply: replyOf(id, code, message) };
}

function replyOf(id: string | number | null, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
