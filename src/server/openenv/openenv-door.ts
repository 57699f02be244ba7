/**
 * A world as an OpenEnv environment: plain requests, and sessions over sockets.
 *
 * Plain `reset` and `step` hold no session: each has a fresh episode that is let go at once, as OpenEnv does it. A
 * trainer uses a socket, or a JSON-RPC session by its id. Sessions that were silent long make room for new ones.
 * Source: OpenEnv `core/env_server/http_server.py`.
 */
import { randomUUID } from 'node:crypto';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
  parseJson,
  UmweltError,
} from '../../core/index.js';
import { readText } from '../read-request.js';
import { errorReply, jsonReply } from '../reply.js';
import { metadata, openApi, schemas } from './openenv-description.js';
import { readRpc, rpcFailure } from './openenv-rpc.js';
import { check, describe, type OpenEnvContext, OpenEnvFailure, OpenEnvSession } from './openenv-session.js';
import { StepRequestSchema } from './openenv-step-request.js';

interface RpcSession {
  readonly session: OpenEnvSession;
  seenMs: number;
}

const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

/** The OpenEnv door of one world. */
export class OpenEnvDoor {
  readonly #context: OpenEnvContext;
  readonly #nowMs: () => number;
  readonly #maxSessions: number;
  readonly #rpcSessions = new Map<string, RpcSession>();
  #sockets = 0;

  constructor(context: OpenEnvContext, how: { readonly nowMs: () => number; readonly maxSessions: number }) {
    this.#context = context;
    this.#nowMs = how.nowMs;
    this.#maxSessions = how.maxSessions;
  }

  /** Answers one request; `path` is what stands behind the world's name, for example `/reset`. */
  async fetch(path: string, request: Request): Promise<Response> {
    const { world } = this.#context;
    const asked = `${request.method} ${path}`;
    if (asked === 'GET /health') return jsonReply({ status: 'healthy' });
    if (asked === 'GET /metadata') return jsonReply(metadata(world));
    if (asked === 'GET /schema') return jsonReply(schemas());
    if (asked === 'GET /openapi.json') return jsonReply(openApi(world));
    if (asked === 'POST /mcp') return jsonReply(await this.#mcp(await readText(request)));
    if (!['POST /reset', 'POST /step', 'GET /state'].includes(asked)) {
      const known = '/ws, /reset, /step, /state, /schema, /metadata, /health, /openapi.json, /mcp';
      return jsonReply({ detail: `Not Found; known are ${known}` }, 404);
    }
    const session = new OpenEnvSession(this.#context);
    try {
      if (path === '/state') return jsonReply({ ...session.state(), episode_id: null });
      const body = bodyOf(await readText(request));
      if (path === '/reset') return jsonReply(await session.reset(body));
      const { action } = check(StepRequestSchema, body, 'step');
      return jsonReply(await session.step(action as Json));
    } catch (error) {
      return failureReply(error);
    } finally {
      await session.close();
    }
  }

  /** A session for a socket, or the error message that a socket gets when there are too many. */
  openSocket(): OpenEnvSession | { readonly full: JsonObject } {
    if (this.#sockets >= this.#maxSessions) {
      const counts = { active_sessions: this.#sockets, max_sessions: this.#maxSessions };
      const message = `all ${this.#maxSessions} sessions are in use (limit openEnvSessions)`;
      return { full: { type: 'error', data: { message, code: 'CAPACITY_REACHED', ...counts } } };
    }
    this.#sockets++;
    return new OpenEnvSession(this.#context);
  }

  /** Ends a socket's session. */
  async closeSocket(session: OpenEnvSession): Promise<void> {
    this.#sockets--;
    await session.close();
  }

  async #mcp(text: string): Promise<JsonObject> {
    const json = parseJson(text);
    if (!json.ok) return rpcFailure(null, PARSE_ERROR, `the body is not JSON: ${json.error.message}`);
    const read = readRpc(json.value);
    if ('reply' in read) return read.reply;
    const { id, method, params } = read;
    if (method === 'openenv/session/create') return this.#create(id);
    const name = params.session_id;
    const found = typeof name === 'string' ? this.#rpcSessions.get(name) : undefined;
    if (method === 'openenv/session/close') return this.#closeRpc(id, name);
    if (name !== undefined && found === undefined)
      return rpcFailure(id, SERVER_ERROR, 'there is no such session');
    if (found !== undefined) {
      found.seenMs = this.#nowMs();
      return found.session.rpc(json.value);
    }
    const session = new OpenEnvSession(this.#context);
    try {
      return await session.rpc(json.value);
    } catch (error) {
      return rpcFailure(id, SERVER_ERROR, String(describe(error).message));
    } finally {
      await session.close();
    }
  }

  async #create(id: Json): Promise<JsonObject> {
    const sinceMs = this.#nowMs() - LIMITS.sessionIdleMs;
    for (const [name, { session, seenMs }] of this.#rpcSessions) {
      if (seenMs >= sinceMs) continue;
      this.#rpcSessions.delete(name);
      await session.close();
    }
    if (this.#rpcSessions.size >= this.#maxSessions) {
      return rpcFailure(id, SERVER_ERROR, 'all sessions are in use (limit openEnvSessions)');
    }
    const name = randomUUID();
    this.#rpcSessions.set(name, { session: new OpenEnvSession(this.#context), seenMs: this.#nowMs() });
    return { jsonrpc: '2.0', id, result: { session_id: name } };
  }

  async #closeRpc(id: Json, name: Json | undefined): Promise<JsonObject> {
    const found = typeof name === 'string' ? this.#rpcSessions.get(name) : undefined;
    if (found === undefined) return rpcFailure(id, SERVER_ERROR, 'there is no such session');
    this.#rpcSessions.delete(String(name));
    await found.session.close();
    return { jsonrpc: '2.0', id, result: { session_id: String(name), closed: true } };
  }
}

/** HTTP status of a step without an observation. */
const NULL_STATUS: Readonly<Record<string, number>> = { abstained: 422, limit: 429, 'model-failed': 502 };

/** An empty body is an empty object. */
function bodyOf(text: string): Json {
  if (text.trim() === '') return {};
  const json = parseJson(text);
  if (!json.ok) throw new OpenEnvFailure('VALIDATION_ERROR', `the body is not JSON: ${json.error.message}`);
  return json.value;
}

/** 422 with a list of what does not fit, as these clients expect it; other failures with their own status. */
function failureReply(error: unknown): Response {
  if (!(error instanceof OpenEnvFailure)) {
    return UmweltError.isInstance(error) ? errorReply(error) : jsonReply({ detail: 'failed inside' }, 500);
  }
  const listed = error.more.errors;
  const detail = Array.isArray(listed)
    ? listed
        .filter(isJsonObject)
        .map((one) => ({ ...one, loc: ['body', ...((one.loc ?? []) as readonly Json[])] }))
    : [{ type: error.code.toLowerCase(), loc: ['body'], msg: error.message }];
  const unanswered: Json | undefined = error.more.status;
  const status = error.code === 'VALIDATION_ERROR' ? 422 : (NULL_STATUS[String(unanswered)] ?? 500);
  return jsonReply({ detail, ...error.more }, status);
}
