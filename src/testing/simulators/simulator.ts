/**
 * A language model in the place of a world's model, whose character is known: what it is asked is read, what it says is code.
 *
 * For tests of worlds and guards: the same question gets the same answer, and no network is needed. It sees what a real
 * model would see, the messages, and nothing else.
 */
import {
  findJson,
  hashText,
  isJsonObject,
  type JsonObject,
  type LanguageModel,
  type Message,
  ok,
} from '../../core/index.js';

/** A question as a simulator reads it. */
export interface AskedQuestion {
  /** The last user message that asks for an action, whole. */
  readonly text: string;
  /** The call that is asked, where the action is one. */
  readonly call: { readonly name: string; readonly arguments: JsonObject } | null;
  /** What the engine computed for the call, where the question tells it. */
  readonly draft: string | null;
  /** The question is about one program inside a shell. */
  readonly isProgram: boolean;
  /** How often this question was answered before and sent back, from 0. */
  readonly rejections: number;
  /** A number of the question's own, 0 to 2^32 − 1: the same question, the same number. */
  readonly chance: number;
}

/** Makes a model out of what it says. */
export function createSimulator(name: string, say: (question: AskedQuestion) => string): LanguageModel {
  return {
    name,
    generate: async (request) => {
      const text = say(readQuestion(request.messages));
      const sample = { text, reasoning: null, finishReason: 'stop' } as const;
      return ok({
        samples: Array.from({ length: request.n ?? 1 }, () => sample),
        usage: { promptTokens: null, completionTokens: null },
        model: name,
      });
    },
  };
}

const SENT_BACK = 'That answer cannot be used';
const DRAFT = 'The state alone gives this answer; say nothing that differs from it:\n';

function readQuestion(messages: readonly Message[]): AskedQuestion {
  const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const rejections = asked.filter((content) => content.startsWith(SENT_BACK)).length;
  const text = asked.filter((content) => !content.startsWith(SENT_BACK)).at(-1) ?? '';
  const at = text.lastIndexOf('**Action:**');
  const action = at < 0 ? '' : text.slice(at);
  const draftAt = text.indexOf(DRAFT);
  const draft = draftAt < 0 ? null : text.slice(draftAt + DRAFT.length, text.lastIndexOf('\n\n### Turn'));
  return {
    text,
    call: callIn(action),
    draft,
    isProgram: text.startsWith('A program runs inside the terminal.'),
    rejections,
    chance: Number.parseInt(hashText(action || text).slice(0, 8), 16),
  };
}

function callIn(action: string): AskedQuestion['call'] {
  for (const { value } of findJson(action)) {
    if (!isJsonObject(value) || typeof value.name !== 'string') continue;
    const args = value.arguments;
    return { name: value.name, arguments: isJsonObject(args ?? null) ? (args as JsonObject) : {} };
  }
  return null;
}
