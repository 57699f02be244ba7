/**
 * The fields of a chat message that carry the answer and the reasoning, under all their names.
 *
 * Servers say `reasoning_content`, `reasoning` or `thinking`; some send two at once. A value is taken once; a field
 * that looks like reasoning but is unknown is named, never added to the answer. Source: hard case P-OUT-3.
 * Thinking that stands inside the content is the business of `reading-prediction.ts`.
 */
import { isJsonObject } from './json.js';
import { joinThinking } from './reading-prediction.js';

/** The known names of the reasoning field, in the order in which they are looked at. */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'thinking'] as const;

/** What a message says, with its field names resolved. */
export interface MessageFields {
  /** The text of the answer; null if the message has none. */
  readonly content: string | null;
  /** The reasoning, once; null if there is none or it is empty. */
  readonly reasoning: string | null;
  /** The field this server uses, for sending reasoning back; null if it sent none. */
  readonly reasoningField: (typeof REASONING_FIELDS)[number] | null;
  /** Fields that look like reasoning and are not known, for one log line. */
  readonly unknownFields: readonly string[];
}

/** Reads a whole message (not a delta). Values of unexpected types count as absent. */
export function readMessage(message: unknown): MessageFields {
  const reader = createMessageReader();
  reader.push(message);
  return reader.end();
}

/** Reads a message that arrives as deltas in the same fields; null fields add nothing. */
export interface MessageReader {
  push(delta: unknown): void;
  /** The same values as {@link readMessage} of the whole message. */
  end(): MessageFields;
}

/** Makes a reader for the deltas of one message. */
export function createMessageReader(): MessageReader {
  const contents: string[] = [];
  const inlineThinking: string[] = [];
  const reasoning = new Map<string, string>();
  const unknown = new Set<string>();
  return {
    push(delta) {
      if (!isJsonObject(delta)) return;
      readContent(delta.content, contents, inlineThinking);
      for (const field of REASONING_FIELDS) {
        const value = Object.hasOwn(delta, field) ? delta[field] : undefined;
        if (typeof value === 'string') reasoning.set(field, (reasoning.get(field) ?? '') + value);
      }
      for (const key of Object.keys(delta)) {
        const known = (REASONING_FIELDS as readonly string[]).includes(key);
        if (!known && /reason|think|thought/i.test(key) && delta[key] !== null) unknown.add(key);
      }
    },
    end() {
      const used = REASONING_FIELDS.filter((field) => (reasoning.get(field) ?? '').trim() !== '');
      const pieces = used.map((field) => reasoning.get(field) ?? '');
      return {
        content: contents.length === 0 ? null : contents.join(''),
        reasoning: joinThinking([...pieces, inlineThinking.join('')]),
        reasoningField: used[0] ?? null,
        unknownFields: [...unknown].sort(),
      };
    },
  };
}

/** Content is a text, or a list of parts of which texts are answer and thinking parts are thinking. */
function readContent(content: unknown, texts: string[], thinking: string[]): void {
  if (typeof content === 'string') texts.push(content);
  if (!Array.isArray(content)) return;
  for (const part of content as readonly unknown[]) {
    if (!isJsonObject(part)) continue;
    if (typeof part.text === 'string' && part.type !== 'reasoning') texts.push(part.text);
    if (typeof part.thinking === 'string') thinking.push(part.thinking);
    if (typeof part.text === 'string' && part.type === 'reasoning') thinking.push(part.text);
  }
}
