/**
 * What an endpoint says of its models (`GET /models`): their names, and the context length under the names that servers use.
 *
 * vLLM and SGLang say `max_model_len`, OpenRouter `context_length` and `top_provider`, llama.cpp `meta.n_ctx_train` (and what
 * it was started with in `GET /props`), LM Studio `max_context_length`. Many say nothing. Not covered: Ollama's own API.
 */
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/index.js';

/** One model of a list. */
export interface ListedModel {
  readonly id: string;
  /** Tokens of prompt and answer together; null where the server does not say. */
  readonly contextTokens: number | null;
}

/** What a GET gave. */
export interface GotAnswer {
  /** 0 where no answer came. */
  readonly status: number;
  readonly json: Json | undefined;
  /** Why there is no answer. */
  readonly problem?: string;
}

const MOST_BYTES = 8 * 1024 * 1024;

/** Gets a JSON document. Never rejects. */
export function getJson(
  url: URL,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<GotAnswer> {
  return new Promise((resolve) => {
    const send = url.protocol === 'https:' ? getHttps : getHttp;
    const none = (problem: string): void => resolve({ status: 0, json: undefined, problem });
    const request = send(url, { headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_BYTES) request.destroy(new Error(`the answer is larger than ${MOST_BYTES} bytes`));
        else chunks.push(chunk);
      });
      answer.on('error', (error) => none(error.message));
      answer.on('end', () => {
        const json = parseJson(Buffer.concat(chunks).toString('utf8'));
        resolve({ status: answer.statusCode ?? 0, json: json.ok ? json.value : undefined });
      });
    });
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    request.on('close', () => clearTimeout(timer));
    request.on('error', (error: NodeJS.ErrnoException) =>
      none(error.code === undefined ? error.message : `${error.message} (${error.code})`),
    );
  });
}

/** Reads the models of a list in any of its forms. */
export function readModelList(json: Json | undefined): readonly ListedModel[] {
  const list = isJsonObject(json ?? null) ? ((json as JsonObject).data ?? (json as JsonObject).models) : json;
  if (!Array.isArray(list)) return [];
  return (list as readonly Json[]).flatMap((one) => {
    if (!isJsonObject(one)) return [];
    const id = [one.id, one.name, one.model].find((name) => typeof name === 'string');
    return typeof id === 'string' ? [{ id, contextTokens: contextOf(one) }] : [];
  });
}

function contextOf(model: JsonObject): number | null {
  const { meta, top_provider: provider } = model;
  const inMeta = isJsonObject(meta ?? null) ? (meta as JsonObject) : {};
  const inProvider = isJsonObject(provider ?? null) ? (provider as JsonObject) : {};
  const said = [
    model.max_model_len,
    model.context_length,
    model.max_context_length,
    model.context_window,
    model.n_ctx,
    inMeta.n_ctx,
    inProvider.context_length,
    inMeta.n_ctx_train,
  ].find((value) => typeof value === 'number' && value > 0);
  return typeof said === 'number' ? said : null;
}
