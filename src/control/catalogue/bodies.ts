/**
 * Faults of bodies: cut, empty, not JSON any more, in the wrong encoding.
 *
 * They come after all other changes. A broken body has no structured form, so the answer's value is left out.
 */
import { z } from 'zod';
import { type Answer, parseJson, TracedTextBuilder, traced } from '../../core/index.js';
import { defineOperationFault, type FaultAction, type FaultEvidence } from '../fault-kind.js';
import { GET } from './example-calls.js';

const PLACE = {
  family: 'bodies',
  phases: ['after'],
  operations: ['tool.call', 'http.request', 'file.read', 'proc.start'],
  domains: ['mcp', 'search', 'terminal', 'swe', 'web'],
  works: 'alters',
  stage: 'text',
  permanently: 'honest-report',
} as const;

/** An answer without its structured form. */
function textOnly(answer: Answer, text: Answer['text']): Answer {
  const { value: _value, content: _content, ...rest } = answer;
  return { ...rest, text };
}

const differs = ({ seen, clean }: FaultEvidence): boolean =>
  seen.text !== clean.text && seen.value === undefined;

/** The kind `body-truncated`. */
export const bodyTruncatedFault = defineOperationFault({
  ...PLACE,
  name: 'body-truncated',
  description: 'The body breaks off: only its first part arrives, and nothing says so.',
  remedy: 'Notice that it does not end; ask again, or for less.',
  parameters: z.strictObject({
    keep: z.number().gt(0).lt(1).default(0.5).describe('Share of the characters that arrive, fraction 0–1.'),
  }),
  example: { fault: { on: 'ticket_get', max: 1 }, calls: GET },
  strike: ({ keep }, { answer }) => {
    const length = answer?.text.text.length ?? 0;
    if (answer === undefined || answer.isError || length < 2)
      return { do: 'skip', why: 'there is nothing to cut' };
    const end = wholeCharacter(answer.text.text, Math.max(1, Math.floor(length * keep)));
    const builder = new TracedTextBuilder();
    for (const span of answer.text.origins) {
      builder.add(answer.text.text.slice(span.start, Math.min(span.end, end)), span.origin, span.ref);
      if (span.end >= end) break;
    }
    return {
      do: 'alter',
      answer: textOnly(answer, builder.done()),
      note: { detail: `${end} of ${length} characters` },
    };
  },
  tookEffect: (evidence) =>
    differs(evidence) &&
    evidence.seen.text.length < evidence.clean.text.length &&
    evidence.clean.text.startsWith(evidence.seen.text),
});

/** A cut never leaves half of a surrogate pair. */
function wholeCharacter(text: string, end: number): number {
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? end - 1 || end + 1 : end;
}

/** The kind `body-empty`. */
export const bodyEmptyFault = defineOperationFault({
  ...PLACE,
  name: 'body-empty',
  description: 'The body is empty and no error is told. What the call did stands.',
  remedy: 'Do not take it for an empty result; ask again, and read back after a write.',
  parameters: z.strictObject({}),
  example: { fault: { on: 'ticket_get', max: 1 }, calls: GET },
  strike: (_parameters, { answer }): FaultAction =>
    answer === undefined || answer.isError || answer.text.text === ''
      ? { do: 'skip', why: 'there is nothing to leave out' }
      : { do: 'alter', answer: textOnly(answer, traced('', 'fault', 'body-empty')) },
  tookEffect: (evidence) => differs(evidence) && evidence.seen.text === '',
});

/** The kind `body-malformed`. */
export const bodyMalformedFault = defineOperationFault({
  ...PLACE,
  name: 'body-malformed',
  description:
    'The body is JSON no more: a comma too many, single quotes, a bracket missing, or an HTML page around it.',
  remedy: 'Ask again; do not guess what was meant.',
  parameters: z.strictObject({
    how: z.enum(['comma', 'quotes', 'bracket', 'html']).default('comma').describe('What is wrong with it.'),
  }),
  example: { fault: { on: 'ticket_get', with: { how: 'quotes' }, max: 1 }, calls: GET },
  strike: ({ how }, { answer }) => {
    const text = answer?.text.text ?? '';
    const read = parseJson(text);
    if (answer === undefined || answer.isError || !read.ok || !/[{[]/.test(text))
      return { do: 'skip', why: 'the body is no JSON' };
    const last = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
    const broken = {
      comma: () => spliced(answer, last, ',', 0),
      bracket: () => spliced(answer, last, '', 1),
      quotes: () => traced(text.replaceAll('"', "'"), 'fault', 'body-malformed'),
      html: () =>
        traced(
          `<!DOCTYPE html>\n<html><body><pre>${escapeHtml(text)}</pre></body></html>`,
          'fault',
          'body-malformed',
        ),
    }[how]();
    if (parseJson(broken.text).ok) return { do: 'skip', why: 'the body is still JSON' };
    return { do: 'alter', answer: textOnly(answer, broken) };
  },
  tookEffect: (evidence) =>
    differs(evidence) && parseJson(evidence.clean.text).ok && !parseJson(evidence.seen.text).ok,
});

function spliced(answer: Answer, at: number, put: string, drop: number): Answer['text'] {
  const builder = new TracedTextBuilder();
  const { text, origins } = answer.text;
  const copy = (from: number, to: number): void => {
    for (const span of origins) {
      const start = Math.max(from, span.start);
      const end = Math.min(to, span.end);
      if (start < end) builder.add(text.slice(start, end), span.origin, span.ref);
    }
  };
  copy(0, at);
  builder.add(put, 'fault', 'body-malformed');
  copy(at + drop, text.length);
  return builder.done();
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The kind `body-misencoded`. */
export const bodyMisencodedFault = defineOperationFault({
  ...PLACE,
  name: 'body-misencoded',
  description:
    'The body is read in the wrong encoding: letters beyond ASCII become two odd ones, or a replacement character; or it begins with a byte order mark.',
  remedy: 'Do not copy the odd letters on; ask again, or say that the text is damaged.',
  parameters: z.strictObject({
    how: z.enum(['latin1', 'replacement', 'bom']).default('latin1').describe('What happened to the bytes.'),
  }),
  example: { fault: { on: 'ticket_get', max: 1 }, calls: GET },
  strike: ({ how }, { answer }) => {
    if (answer === undefined || answer.isError || answer.text.text === '')
      return { do: 'skip', why: 'there is no body' };
    const builder = new TracedTextBuilder();
    if (how === 'bom') builder.add('\uFEFF', 'fault', 'body-misencoded');
    for (const span of answer.text.origins) {
      const text = answer.text.text.slice(span.start, span.end);
      for (const part of how === 'bom' ? [text] : text.split(/([^\p{ASCII}]+)/u)) {
        const ascii = /^\p{ASCII}*$/u.test(part) || how === 'bom';
        builder.add(
          ascii ? part : misread(part, how),
          ascii ? span.origin : 'fault',
          ascii ? span.ref : 'body-misencoded',
        );
      }
    }
    const text = builder.done();
    if (text.text === answer.text.text) return { do: 'skip', why: 'the body has ASCII letters only' };
    return { do: 'alter', answer: textOnly(answer, text) };
  },
  tookEffect: differs,
});

function misread(text: string, how: 'latin1' | 'replacement' | 'bom'): string {
  if (how === 'replacement') return '\uFFFD'.repeat([...text].length);
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}
