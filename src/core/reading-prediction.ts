/**
 * Reading a world model's reply: the predicted observation, the thinking, or why there is none.
 *
 * The observation stands in the last `<predicted_observation>` outside thinking; one newline next to each tag is
 * removed and nothing else. A reply without that tag is the observation itself. Text is never lost (`raw` is always
 * kept) or invented. Source: hard cases P-OUT-1 and P-OUT-2; the rules are in `reading-answer.ts`.
 */
import type { FinishReason } from './language-model.js';
import { type SplitText, splitAnswer, THINK_TAG, withoutEdgeNewlines } from './reading-answer.js';
import { createTagScanner, joinTexts, type TagToken } from './reading-tags.js';
import { fail, ok, type Result } from './result.js';

/** The tag that holds a prediction. */
export const OBSERVATION_TAG = 'predicted_observation';

/** What is known about a reply beside its text. */
export interface ReplyFacts {
  /** Why the reply ended; leave it out where nobody knows. */
  readonly finishReason?: FinishReason;
  /** Reasoning that the provider sent apart from the text. It is never searched for an answer. */
  readonly reasoning?: string | null;
}

/** A prediction that was read. */
export interface PredictionReading {
  /** The observation; `""` is a valid one. */
  readonly observation: string;
  /** All thinking, pieces joined with a newline, or null. */
  readonly thinking: string | null;
  /** The observation stood in a tag. */
  readonly tagged: boolean;
  /** The tag was closed (true for a plain reply). An unclosed one is read if the reply was not cut. */
  readonly closed: boolean;
  /** The whole text as it came. */
  readonly raw: string;
}

/** Why a reply holds no observation. */
export interface PredictionFailure {
  /** `truncated` the reply was cut before the answer was complete · `empty_answer` it ended without an answer. */
  readonly cause: 'truncated' | 'empty_answer';
  readonly message: string;
  readonly thinking: string | null;
  readonly raw: string;
}

/** Reads a whole reply. Never throws. */
export function readPrediction(
  text: string,
  facts: ReplyFacts = {},
): Result<PredictionReading, PredictionFailure> {
  const reader = createPredictionReader();
  reader.push(text);
  return reader.end(facts);
}

/** What is certain after a piece of a reply. */
export interface PredictionProgress {
  /** `thinking` inside an explicit thinking tag · `undecided` the text may still turn out to be thinking. */
  readonly phase: 'thinking' | 'undecided';
  /** New text that is certainly thinking. */
  readonly thinking: string;
}

/** Reads a reply that arrives in pieces. */
export interface PredictionReader {
  /**
   * Takes the next piece. It never gives observation text: until the end a later tag can still turn all of it into
   * thinking, or replace it.
   */
  push(chunk: string): PredictionProgress;
  /** The final values: the same as {@link readPrediction} of the whole text. Call it once. */
  end(facts?: ReplyFacts): Result<PredictionReading, PredictionFailure>;
}

/** Makes a reader for one reply. */
export function createPredictionReader(): PredictionReader {
  const scanner = createTagScanner([THINK_TAG, OBSERVATION_TAG]);
  const chunks: string[] = [];
  const tokens: TagToken[] = [];
  let depth = 0;
  return {
    push(chunk) {
      chunks.push(chunk);
      let thinking = '';
      for (const token of scanner.push(chunk)) {
        tokens.push(token);
        if (token.kind !== 'text' && token.tag === THINK_TAG) {
          depth = Math.max(0, depth + (token.kind === 'open' ? 1 : -1));
        } else if (depth > 0) thinking += token.raw;
      }
      return { phase: depth > 0 ? 'thinking' : 'undecided', thinking };
    },
    end(facts = {}) {
      tokens.push(...scanner.end());
      return judge(splitAnswer(joinTexts(tokens), OBSERVATION_TAG), chunks.join(''), facts);
    },
  };
}

function judge(
  split: SplitText,
  raw: string,
  facts: ReplyFacts,
): Result<PredictionReading, PredictionFailure> {
  const thinking = joinThinking([facts.reasoning ?? '', ...split.thinking]);
  const cut = facts.finishReason === 'length';
  const failed = (cause: PredictionFailure['cause'], message: string) =>
    fail({ cause, message, thinking, raw });
  if (split.block === null) {
    if (split.unclosedThinking) {
      const ended = facts.finishReason !== undefined && !cut;
      return ended
        ? failed('empty_answer', 'the model stopped inside its thinking and gave no answer')
        : failed('truncated', 'the reply ends inside the thinking, before any answer');
    }
    if (split.plain.trim() === '') {
      return cut
        ? failed('truncated', 'the reply was cut by its length limit before any answer')
        : failed('empty_answer', 'the reply holds no answer');
    }
    if (cut) return failed('truncated', 'the answer was cut by its length limit');
    const observation = split.thinking.length > 0 ? withoutLeadingLines(split.plain) : split.plain;
    return ok({ observation, thinking, tagged: false, closed: true, raw });
  }
  const { text, closed } = split.block;
  if (!closed && split.unclosedThinking) {
    return failed(cut ? 'truncated' : 'empty_answer', 'the model went on thinking inside its answer');
  }
  if (!closed && cut) return failed('truncated', 'the answer was cut by its length limit');
  return ok({ observation: withoutEdgeNewlines(text), thinking, tagged: true, closed, raw });
}

/** The empty lines between thinking and a plain answer belong to neither; indentation is kept. */
function withoutLeadingLines(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, '');
}

/** Joins pieces of thinking with newlines; a piece that says the same as one before it is left out. */
export function joinThinking(pieces: readonly string[]): string | null {
  const kept: string[] = [];
  for (const piece of pieces) {
    const text = piece.trim();
    if (text !== '' && !kept.includes(text)) kept.push(text);
  }
  return kept.length === 0 ? null : kept.join('\n');
}
