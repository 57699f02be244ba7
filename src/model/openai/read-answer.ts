/**
 * Reads the body of an endpoint's answer: an error, a completion as JSON, or a stream of server-sent events.
 *
 * What came decides, not what was asked: a server may answer a stream with one JSON document, or the other way round.
 * Comments, empty data, `data: null` and chunks without choices are passed over; an error anywhere is a failure; a
 * stream is complete when every choice has said why it ended or `[DONE]` came. The framing is eventsource-parser's.
 * Source: WHATWG server-sent events; hard cases P-API-1 and P-API-2.
 */
import { createParser } from 'eventsource-parser';
import { fail, isJsonObject, ok, parseJson, type Result } from '../../core/index.js';
import { type CallFailure, errorText, failureInside, isRetryableStatus } from './call-failure.js';
import { type ChatReply, createReplyBuilder, type ReplyBuilder } from './chat-reply.js';
import type { AnswerHead, BodyReader } from './exchange.js';

/** Makes the reader that an answer's head asks for. `asked` is the model's name as it was asked for. */
export function answerReader(head: AnswerHead, asked: string): BodyReader<ChatReply> {
  if (head.status < 200 || head.status > 299) return errorReader(head);
  if (/event-stream/i.test(head.contentType)) return streamReader(asked);
  return wholeReader(asked, head);
}

const SHOWN_CHARS = 500;

/** Reads an error answer; its words are evidence, whatever they are. */
function errorReader(head: AnswerHead): BodyReader<ChatReply> {
  const texts: string[] = [];
  return {
    done: false,
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
        return finished(builder, asked, []);
      }
      if (/^(?:data|event|id|retry)?:/.test(body.trimStart())) {
        const stream = streamReader(asked);
        stream.push(body);
        return stream.end();
      }
      const shown = body.trim().slice(0, SHOWN_CHARS);
      const what = shown === '' ? 'an empty body' : `a body that is no JSON object: ${shown}`;
      return fail({ kind: 'bad-body', message: `the server answered 200 with ${what}`, retryable: true });
    },
  };
}

/** Reads a stream of events. */
function streamReader(asked: string): BodyReader<ChatReply> {
  const builder = createReplyBuilder();
  const warnings: string[] = [];
  let failure: CallFailure | undefined;
  let done = false;
  let events = 0;
  const parser = createParser({
    onEvent: ({ event, data }) => {
      events += 1;
      const text = data.trim();
      if (failure !== undefined || done || text === '' || text === 'null') return;
      if (text === '[DONE]') {
        done = true;
        return;
      }
      failure = takeEvent(builder, event, text);
    },
  });
  const push = (text: string): boolean => {
    const before = events;
    parser.feed(text);
    return events > before;
  };
  return {
    push,
    get done() {
      return done || failure !== undefined;
    },
    partialText: () => builder.partialText(),
    end: () => {
      // A last event without its empty line still counts.
      if (!done && failure === undefined) push('\n\n');
      if (failure !== undefined) return fail(withPartial(failure, builder));
      if (!done && builder.finished) warnings.push('the stream ended without [DONE]');
      if (done && builder.size > 0 && !builder.finished)
        warnings.push('no reason was given why the answer ended');
      if (!done && !builder.finished) {
        const message = 'the stream ended before the answer was complete: no finish reason and no [DONE]';
        return fail(withPartial({ kind: 'truncated', message, retryable: true }, builder));
      }
      return finished(builder, asked, warnings);
    },
  };
}

function takeEvent(builder: ReplyBuilder, event: string | undefined, text: string): CallFailure | undefined {
  const json = parseJson(text);
  if (event === 'error') return failureInside('stream-error', json.ok ? json.value : text);
  if (json.ok && isJsonObject(json.value)) return takeChunk(builder, json.value, 'stream-error');
  const message = `the stream holds an event that is no JSON object: ${text.slice(0, SHOWN_CHARS)}`;
  return { kind: 'bad-body', message, retryable: true };
}

/** Takes a chunk or a whole body, or tells the error that it is. */
function takeChunk(
  builder: ReplyBuilder,
  value: Parameters<ReplyBuilder['add']>[0],
  kind: 'error-in-body' | 'stream-error',
): CallFailure | undefined {
  const { error } = value;
  if (error !== undefined && error !== null && error !== '' && error !== false)
    return failureInside(kind, value);
  builder.add(value);
  return undefined;
}

function finished(
  builder: ReplyBuilder,
  asked: string,
  warnings: readonly string[],
): Result<ChatReply, CallFailure> {
  if (builder.size > 0) return ok(builder.build(asked, warnings));
  return fail({ kind: 'no-choice', message: 'the answer holds no choice', retryable: true });
}

function withPartial(failure: CallFailure, builder: ReplyBuilder): CallFailure {
  const partialText = builder.partialText();
  return partialText === '' ? failure : { ...failure, partialText };
}
