/**
 * The parameters that a request cannot do without, checked before the library sees it.
 *
 * The library answers a missing `protocolVersion` or tool name as an internal error with its own words; the protocol
 * wants `Invalid params` (hard case P-MCP-1). What else is wrong is left to it.
 */
import { isJsonObject, type JsonObject } from '../../core/index.js';

type Wanted = Readonly<Record<string, 'text' | 'object' | 'object?'>>;

const WANTED: Readonly<Record<string, Wanted>> = {
  initialize: { protocolVersion: 'text', capabilities: 'object', clientInfo: 'object' },
  'tools/call': { name: 'text', arguments: 'object?' },
  'resources/read': { uri: 'text' },
  'prompts/get': { name: 'text', arguments: 'object?' },
};

const INVALID_PARAMS = -32_602;

/** The reply to a request that lacks what it needs, or undefined. */
export function invalidParams(message: JsonObject): JsonObject | undefined {
  const { id, method } = message;
  if (id === undefined || typeof method !== 'string' || !Object.hasOwn(WANTED, method)) return undefined;
  const params = isJsonObject(message.params) ? message.params : {};
  for (const [key, kind] of Object.entries(WANTED[method] ?? {})) {
    const value = params[key];
    const fits = kind === 'text' ? typeof value === 'string' : isJsonObject(value);
    if (fits || (kind === 'object?' && value === undefined)) continue;
    const wanted = kind === 'text' ? 'a text' : 'an object';
    const text = `Invalid params: ${key} of ${method} must be ${wanted}`;
    return { jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message: text } };
  }
  return undefined;
}
