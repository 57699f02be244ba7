/**
 * A client of a service's environment API, for programs that do not run the service themselves.
 *
 * A step gets an id of its own and is sent again under it when the connection breaks or the service is busy: it acts
 * once, however often it is sent. A step without an observation is a result with its status, as in process; every
 * other refusal is an error with the service's code. Needs nothing but `fetch`. Source: contracts, "The service".
 */
import { type Json, type JsonObject, parseJson, renderJson, ServiceError } from '../core/index.js';
import { readReply, type StepReply, stepReplyOf } from './replies.js';

/** Where the service is and how to speak with it. */
export interface ClientOptions {
  /** For example `http://127.0.0.1:7077`. */
  readonly url: string;
  /** Sent as Bearer: the control token, an agent's, or an episode's. */
  readonly token?: string;
  /** How often a request that may be sent again is sent at most. Default 4. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt, doubled for each further one. Default 200. */
  readonly pauseMs?: number;
}

/** What decides an episode; all but `world` needs the control token. */
export interface OpenOptions {
  readonly seed?: number;
  /** As in a world file. */
  readonly faults?: readonly Json[];
  readonly route?: 'grounded' | 'engine' | 'model';
  readonly maxTurns?: number;
  readonly clock?: 'action' | 'live';
  readonly private?: boolean;
}

/** A client of one service. */
export interface ServiceClient {
  /**
   * Opens an episode of a world that the service has, or (with the control token) of a world file as JSON. Never sent
   * twice. Rejects with `ServiceError`: `service/…`, `world/…` and the like become `service/bad-request`,
   * `service/not-found` or what the service said.
   */
  open(world: string | JsonObject, options?: OpenOptions): Promise<EpisodeClient>;
  /** An episode that is there, by its id. Nothing is sent. */
  episode(id: string): EpisodeClient;
}

/** One episode of a service. All methods reject with `ServiceError`. */
export interface EpisodeClient {
  readonly id: string;
  /** Its MCP address. */
  readonly mcpUrl: string;
  /** The token that opens this episode only; where the service told it. */
  readonly token: string | undefined;
  /** What the service tells of it: task, tools, turns, clock, end. */
  look(): Promise<JsonObject>;
  /** Answers one action, once. `turn` is the number that it must get. */
  step(action: string | JsonObject, options?: { readonly turn?: number }): Promise<StepReply>;
  /** Ends the episode and scores it. */
  finish(answer?: string): Promise<StepReply>;
  /** The turns after the given number. */
  turns(after?: number): Promise<readonly StepReply[]>;
  /** An episode that begins where this one is. Needs the control token. */
  fork(): Promise<EpisodeClient>;
  /** The recording as JSON lines. Needs the control token. */
  trajectory(): Promise<string>;
  /** Lets the episode go. Needs the control token. */
  remove(): Promise<void>;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: JsonObject;
  /** Sending it twice is as good as once. */
  readonly repeatable: boolean;
}

const BUSY: ReadonlySet<number> = new Set([429, 503]);

/** Makes a client. Nothing is sent until it is used. */
export function createServiceClient(options: ClientOptions): ServiceClient {
  const base = options.url.replace(/\/+$/, '');
  const call = (one: Call): Promise<string> => send(base, options, one);
  const json = async (one: Call): Promise<JsonObject> => readReply(await call(one));
  const episode = (id: string, token?: string): EpisodeClient => {
    const path = `/episodes/${encodeURIComponent(id)}`;
    const act = async (what: 'step' | 'finish', body: JsonObject): Promise<StepReply> => {
      const sent = { ...body, request_id: globalThis.crypto.randomUUID() };
      return stepReplyOf(
        await json({ method: 'POST', path: `${path}/${what}`, body: sent, repeatable: true }),
      );
    };
    return {
      id,
      mcpUrl: `${base}${path}/mcp`,
      token,
      look: () => json({ method: 'GET', path, repeatable: true }),
      step: (action, { turn } = {}) => act('step', { action, ...(turn !== undefined && { turn }) }),
      finish: (answer) => act('finish', answer === undefined ? {} : { answer }),
      turns: async (after = 0) => {
        const { events } = await json({
          method: 'GET',
          path: `${path}/events?after=${after}`,
          repeatable: true,
        });
        return Array.isArray(events) ? (events as readonly JsonObject[]).map(stepReplyOf) : [];
      },
      fork: async () => opened(await json({ method: 'POST', path: `${path}/fork`, repeatable: false })),
      trajectory: () => call({ method: 'GET', path: `${path}/trajectory`, repeatable: true }),
      remove: async () => {
        await call({ method: 'DELETE', path, repeatable: false });
      },
    };
  };
  const opened = ({ id, token }: JsonObject): EpisodeClient =>
    episode(String(id), typeof token === 'string' ? token : undefined);
  return {
    open: async (world, how = {}) => {
      const body = { world, ...how } as JsonObject;
      return opened(await json({ method: 'POST', path: '/episodes', body, repeatable: false }));
    },
    episode: (id) => episode(id),
  };
}

async function send(base: string, options: ClientOptions, call: Call): Promise<string> {
  const attempts = call.repeatable ? (options.attempts ?? 4) : 1;
  for (let attempt = 1; ; attempt++) {
    const last = attempt >= attempts;
    try {
      const response = await fetch(`${base}${call.path}`, requestOf(options, call));
      const text = await response.text();
      if (response.ok || isStep(text)) return text;
      if (last || !BUSY.has(response.status)) throw refusal(response.status, text);
    } catch (cause) {
      if (ServiceError.isInstance(cause)) throw cause;
      if (last) throw unreachable(base, cause);
    }
    await pause((options.pauseMs ?? 200) * 2 ** (attempt - 1));
  }
}

function requestOf({ token }: ClientOptions, { method, body }: Call): RequestInit {
  return {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: renderJson(body) }),
  };
}

/** A step without an observation comes with a status of HTTP that is no success, and is a result all the same. */
function isStep(text: string): boolean {
  const json = parseJson(text);
  return json.ok && typeof (json.value as JsonObject | null)?.turn === 'number';
}

function refusal(status: number, text: string): ServiceError {
  const json = parseJson(text);
  const error = json.ok ? (json.value as JsonObject | null)?.error : undefined;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const words = typeof message === 'string' ? message : `the service answered ${status}`;
  const known = typeof code === 'string' && code.startsWith('service/');
  return new ServiceError(words, {
    code: known
      ? (code as ServiceError['code'])
      : status === 404
        ? 'service/not-found'
        : 'service/bad-request',
    data: { status, code: code ?? null },
  });
}

function unreachable(base: string, cause: unknown): ServiceError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const why = inner instanceof Error ? inner.message : String(inner);
  return new ServiceError(`no answer from ${base}: ${why}; is the service running there?`, {
    code: 'service/not-started',
    cause,
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
