/**
 * The tools of a session by JSON-RPC, as OpenEnv has it: `tools/list` and `tools/call`. It is not full MCP.
 */
import { isJsonObject, type Json, type JsonObject, renderJson, UmweltError } from '../../core/index.js';
import type { HostedEpisode } from '../hosted-episode.js';
import { callAnswer } from '../mcp/call-result.js';
import { listTools } from '../mcp/mcp-server.js';

const INVALID_REQUEST = -32_600;
const UNKNOWN_METHOD = -32_601;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** A reply with an error. */
export function rpcFailure(id: Json, code: number, message: string, data?: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

/** The parts of a request, or the reply to what is none. */
export function readRpc(
  request: Json,
): { id: Json; method: string; params: JsonObject } | { reply: JsonObject } {
  if (!isJsonObject(request)) return { reply: rpcFailure(null, INVALID_REQUEST, 'a request is an object') };
  const { id = null, jsonrpc, method, params = {} } = request;
  if (jsonrpc !== '2.0' || typeof method !== 'string') {
    return { reply: rpcFailure(id, INVALID_REQUEST, 'wanted jsonrpc "2.0" and a method') };
  }
  if (!isJsonObject(params)) return { reply: rpcFailure(id, INVALID_PARAMS, 'params must be an object') };
  return { id, method, params };
}

/** Answers one request in an episode. Never rejects. */
export async function answerRpc(request: Json, hosted: HostedEpisode): Promise<JsonObject> {
  const read = readRpc(request);
  if ('reply' in read) return read.reply;
  const { id, method, params } = read;
  if (method === 'tools/list') return { jsonrpc: '2.0', id, result: { tools: listTools(hosted) } };
  if (method !== 'tools/call')
    return rpcFailure(id, UNKNOWN_METHOD, `there is no method ${method.slice(0, 100)}`);
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string' || !isJsonObject(args)) {
    return rpcFailure(id, INVALID_PARAMS, 'tools/call needs a name, and arguments that are an object');
  }
  try {
    const step = await hosted.step(renderJson({ name, arguments: args }));
    const answer = callAnswer(step, { structured: true, revision: undefined });
    if (answer.kind === 'result') return { jsonrpc: '2.0', id, result: answer.result };
    return rpcFailure(id, answer.code, answer.message, answer.data);
  } catch (error) {
    if (!UmweltError.isInstance(error)) return rpcFailure(id, INTERNAL_ERROR, 'the world failed inside');
    return rpcFailure(id, INTERNAL_ERROR, error.message, { code: error.code });
  }
}
