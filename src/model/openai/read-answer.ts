/**
 * Reads the body of an endpoint's answer: an error, a completion as JSON, or a stream of server-sent events.
 *
 * What came decides, not what was asked: a server may answer a stream with one JSON document, or the other way round.
 * Comments, pings, empty data, `data: null` and chunks without choices are passed over; an error anywhere is a failure,
 * also one that stands in the stream without `data:`; a stream is complete when every choice has said why it ended or
 * `[DONE]` came. Events that lack the empty line between them are taken line by line. The framing is eventsource-parser's.
 * Source: WHATWG server-sent events; hard cases P-API-1 and P-API-2.
 */
import { createParser } from 'eventsource-parser';
import { fail, isJsonObject, type JsonObject, ok, parseJson, type Result } from '../../core/index.js';
import { type CallFailure, errorText, failureInside, isRetryableStatus } from './call-failure.js';
import { type ChatReply, createReplyBuilder, type ReplyBuilder } from './chat-reply.js';
import type { AnswerHead, BodyReader } from './exchange.js';

/** Makes the reader that an answer's head asks for. `asked` is the model's name as it was asked for. */
export function answerReader(head: AnswerHead, asked: string): BodyReader<ChatReply> {
  if (head.status < 200 || head.status > 299) return errorReader(head);
  if (/event-stream/i.test(head.contentType)) return streamReader(asked, head);
  return wholeReader(asked, head);
}

const SHOWN_CHARS = 500;
/** How a body of events begins, whatever its content type says. */
const EVENT_LINE = /^\ufeff?\s*(?:data|event|id|retry)?:/;
/** A line that brings something, also where the event that it belongs to has no end yet. */
const DATA_LINE = /^data:[ \t]*\S/m;
/** Names of events that only say that the server is there. */
const PING = /^(?:ping|heartbeat|keep-?alive)$/i;

/** Reads an error answer; its words are evidence, whatever they are. */
function errorReader(head: AnswerHead): BodyReader<ChatReply> {
  const texts: string[] = [];
  return {
    done: false,
    complete: false,
    push: (text) => {
      texts.push(text);
      return text !== '';
    },
    partialText: () => '',
    end: () => {
      const body = texts.join('');
      const json = parseJson(body);
      const said = (json.ok ? errorText(json.value) : body).trim().slice(0, SHOWN_CHARS);
      const { status } = head;
      const moved =
        status >= 300 && status < 400 ? `; it points to ${head.location ?? 'nowhere'}, use that address` : '';
      const failure: CallFailure = {
        kind: 'http',
        status,
        message: `the server answered ${status}${said === '' ? ' without a word' : `: ${said}`}${moved}`,
        retryable: isRetryableStatus(status),
        ...(head.retryAfter === undefined ? {} : { retryAfter: head.retryAfter }),
      };
      return fail(failure);
    },
  };
}

/** Reads one JSON document; a body that turns out to be a stream is read as one. */
function wholeReader(asked: string, head: AnswerHead): BodyReader<ChatReply> {
  const texts: string[] = [];
  return {
    done: false,
    complete: false,
    push: (text) => {
      texts.push(text);
      return text !== '';
    },
    partialText: () => '',
    end: () => {
      const body = texts.join('');
      const json = parseJson(body);
      if (json.ok && isJsonObject(json.value)) {
        const builder = createReplyBuilder();
        const failure = takeChunk(builder, json.value, 'error-in-body');
        if (failure !== undefined) {
          const { retryAfter } = head;
          return fail(retryAfter === undefined ? failure : { ...failure, retryAfter });
        }
        return finished(builder, { asked, warnings: [], body });
      }
      if (EVENT_LINE.test(body)) {
        const stream = streamReader(asked, head);
        stream.push(body);
        return stream.end();
      }
      const shown = body.trim().slice(0, SHOWN_CHARS);
      const what = shown === '' ? 'an empty body' : `a body that is no JSON object: ${shown}`;
      const message = `the server answered ${head.status} with ${what}`;
      return fail({ kind: 'bad-body', message, retryable: true });
    },
  };
}

/** Reads a stream of events; a body that holds none is read as a document. */
function streamReader(asked: string, head: AnswerHead): BodyReader<ChatReply> {
  const builder = createReplyBuilder();
  const warnings: string[] = [];
  const unread: string[] = [];
  let failure: CallFailure | undefined;
  let done = false;
  let events = 0;
  const parser = createParser({
    onEvent: ({ event, data }) => {
      events += 1;
      unread.length = 0;
      for (const text of piecesOf(data)) {
        if (failure !== undefined || done) return;
        if (/^"?\[DONE\]"?$/.test(text)) done = true;
        else failure = takeEvent(builder, event, text);
      }
    },
    onError: ({ line }) => {
      const json = line === undefined ? null : parseJson(line);
      if (json?.ok !== true || !isJsonObject(json.value) || failure !== undefined) return;
      failure = errorIn(json.value, 'stream-error');
    },
  });
  const push = (text: string): boolean => {
    const before = events;
    if (events === 0) unread.push(text);
    parser.feed(text);
    return events > before || DATA_LINE.test(text);
  };
  return {
    push,
    get done() {
      return done || failure !== undefined;
    },
    get complete() {
      return builder.finished;
    },
    partialText: () => builder.partialText(),
    end: () => {
      // A last event without its empty line still counts.
      if (!done && failure === undefined) push('\n\n');
      const body = unread.join('');
      if (events === 0 && failure === undefined && body.trim() !== '' && !EVENT_LINE.test(body)) {
        const whole = wholeReader(asked, head);
        whole.push(body);
        return whole.end();
      }
      if (failure !== undefined) return fail(withPartial(failure, builder));
      if (!done && builder.finished) warnings.push('the stream ended without [DONE]');
      if (done && builder.size > 0 && !builder.finished)
        warnings.push('no reason was given why the answer ended');
      if (!done && !builder.finished) {
        const message = 'the stream ended before the answer was complete: no finish reason and no [DONE]';
        return fail(withPartial({ kind: 'truncated', message, retryable: true }, builder));
      }
      return finished(builder, { asked, warnings, body: '' });
    },
  };
}

/** What an event says: one document, or, where that cannot be read, one in each of its lines. */
function piecesOf(data: string): readonly string[] {
  const text = data.trim();
  const pieces = text.includes('\n') && !parseJson(text).ok ? text.split('\n') : [text];
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '' && piece !== 'null');
}

function takeEvent(builder: ReplyBuilder, event: string | undefined, text: string): CallFailure | undefined {
  const json = parseJson(text);
  if (event === 'error') return failureInside('stream-error', json.ok ? json.value : text);
  if (json.ok && isJsonObject(json.value)) return takeChunk(builder, json.value, 'stream-error');
  if (event !== undefined && PING.test(event)) return undefined;
  const message = `the stream holds an event that is no JSON object: ${text.slice(0, SHOWN_CHARS)}`;
  return { kind: 'bad-body', message, retryable: true };
}

/** Takes a chunk or a whole body, or tells the error that it is. */
function takeChunk(
  builder: ReplyBuilder,
  value: JsonObject,
  kind: 'error-in-body' | 'stream-error',
): CallFailure | undefined {
  const failure = errorIn(value, kind);
  if (failure === undefined) builder.add(value);
  return failure;
}

/** The error that a chunk or a body is: a member of its own, the whole of it (older vLLM), or one of a choice. */
function errorIn(value: JsonObject, kind: 'error-in-body' | 'stream-error'): CallFailure | undefined {
  const { error, object, choices } = value;
  const isError = error !== undefined && error !== null && error !== '' && error !== false;
  if (isError || object === 'error') return failureInside(kind, value);
  for (const choice of Array.isArray(choices) ? (choices as readonly unknown[]) : []) {
    if (!isJsonObject(choice)) continue;
    const { error: own, finish_reason: finish } = choice;
    if (isJsonObject(own) || (typeof own === 'string' && own !== '')) return failureInside(kind, choice);
    // What came before is no answer: the server stopped for a reason of its own.
    if (finish === 'error' || finish === 'abort')
      return failureInside(kind, `the answer broke off (finish_reason "${finish}")`);
  }
  return undefined;
}

function finished(
  builder: ReplyBuilder,
  of: { readonly asked: string; readonly warnings: readonly string[]; readonly body: string },
): Result<ChatReply, CallFailure> {
  if (builder.size > 0) return ok(builder.build(of.asked, of.warnings));
  const shown = of.body.trim().slice(0, SHOWN_CHARS);
  const message = `the answer holds no choice${shown === '' ? '' : `: ${shown}`}`;
  return fail({ kind: 'no-choice', message, retryable: true });
}

function withPartial(failure: CallFailure, builder: ReplyBuilder): CallFailure {
  const partialText = builder.partialText();
  return partialText === '' ? failure : { ...failure, partialText };
}
