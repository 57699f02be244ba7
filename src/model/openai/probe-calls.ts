/**
 * Single questions to an endpoint for a probe: what came back, both as it is and as it was read.
 *
 * One attempt each, no retries: a probe wants to see what happens. Nothing of the key is kept.
 */
import {
  fail,
  isJsonObject,
  type Json,
  type JsonObject,
  ok,
  parseJson,
  type Result,
  renderJson,
} from '../../core/index.js';
import type { CallFailure } from './call-failure.js';
import type { ChatReply } from './chat-reply.js';
import { type AnswerHead, type BodyReader, type ExchangeLimits, exchange } from './exchange.js';
import { answerReader } from './read-answer.js';

/** Where a probe asks. */
export interface ProbeTarget {
  /** The address of chat completions. */
  readonly url: URL;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: ExchangeLimits;
  readonly signal?: AbortSignal | undefined;
}

/** What one question gave. */
export interface ProbedCall {
  readonly status: number;
  readonly contentType: string;
  /** The body as it came, at most {@link RAW_CHARS}. */
  readonly raw: string;
  /** Pieces in which the body came. */
  readonly pieces: number;
  /** Milliseconds until the first piece, and in all. */
  readonly firstMs: number;
  readonly totalMs: number;
  /** The answer as this package reads it, or why it is none. */
  readonly read: Result<ChatReply, CallFailure>;
}

/** A body is kept up to here. */
const RAW_CHARS = 200_000;

/** Asks once. Fails only where no answer came at all. Rejects with the signal's reason on an abort. */
export async function askOnce(
  target: ProbeTarget,
  body: JsonObject,
): Promise<Result<ProbedCall, CallFailure>> {
  const { url, headers, limits, signal, model } = target;
  const startedAt = performance.now();
  const seen = { status: 0, contentType: '', raw: '', pieces: 0, firstMs: 0 };
  let inner: BodyReader<ChatReply> | undefined;
  const readerFor = (head: AnswerHead): BodyReader<ProbedCall> => {
    const reader = answerReader(head, model);
    inner = reader;
    seen.status = head.status;
    seen.contentType = head.contentType;
    return {
      get done() {
        return reader.done;
      },
      get complete() {
        return reader.complete;
      },
      push: (text) => {
        if (text !== '') {
          if (seen.pieces === 0) seen.firstMs = Math.round(performance.now() - startedAt);
          seen.pieces += 1;
          if (seen.raw.length < RAW_CHARS) seen.raw += text;
        }
        return reader.push(text);
      },
      partialText: () => reader.partialText(),
      end: () => ok({ ...seen, totalMs: Math.round(performance.now() - startedAt), read: reader.end() }),
    };
  };
  const request = { url, headers, limits, signal, body: renderJson({ ...body, model }) };
  const result = await exchange(request, readerFor);
  if (result.ok || inner === undefined || seen.status === 0) return result;
  // The answer began and broke: that is an answer as well.
  return ok({ ...seen, totalMs: Math.round(performance.now() - startedAt), read: fail(result.error) });
}

/** The JSON messages in a body: of a whole answer, or the deltas of a stream. */
export function messagesIn(raw: string): readonly JsonObject[] {
  const whole = parseJson(raw);
  const documents: readonly Json[] = whole.ok ? [whole.value] : eventsOf(raw);
  return documents.flatMap((document) => {
    const choices =
      isJsonObject(document) && Array.isArray(document.choices) ? (document.choices as readonly Json[]) : [];
    return choices.flatMap((choice) => {
      const message = isJsonObject(choice) ? (choice.message ?? choice.delta) : undefined;
      return isJsonObject(message ?? null) ? [message as JsonObject] : [];
    });
  });
}

function eventsOf(raw: string): readonly Json[] {
  return raw.split(/\r\n|\r|\n/).flatMap((line) => {
    const data = /^data: ?(.*)$/.exec(line)?.[1];
    const json = data === undefined ? undefined : parseJson(data);
    return json?.ok === true ? [json.value] : [];
  });
}
