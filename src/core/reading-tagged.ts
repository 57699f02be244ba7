/**
 * Reading any tagged block out of model text, for example `<final_evaluation>`.
 *
 * The same rules as for predictions (`reading-answer.ts`): the last block outside thinking, drafts in thoughts never.
 */
import { splitAnswer, THINK_TAG, withoutEdgeNewlines } from './reading-answer.js';
import { joinThinking } from './reading-prediction.js';
import { createTagScanner, joinTexts } from './reading-tags.js';

/** A text with its thinking taken out and one kind of block found. */
export interface TaggedReading {
  /** The last block outside thinking, one newline next to each tag removed; null if there is none. */
  readonly block: string | null;
  /** The block had its closing tag. */
  readonly closed: boolean;
  /** All text outside thinking, the tags themselves left out. */
  readonly rest: string;
  readonly thinking: string | null;
  /** Thinking was opened and never closed; what follows it is in `thinking` only. */
  readonly unclosedThinking: boolean;
}

/**
 * Reads the last `<tag>…</tag>` outside thinking. `tag` is a name of letters, digits, `_` and `-`, in any case; other
 * names find nothing.
 */
export function readTagged(text: string, tag: string): TaggedReading {
  const name = tag.toLowerCase();
  const scanner = createTagScanner([THINK_TAG, name]);
  const split = splitAnswer(joinTexts([...scanner.push(text), ...scanner.end()]), name);
  const block = split.block?.closed === false && split.unclosedThinking ? null : split.block;
  return {
    block: block === null ? null : withoutEdgeNewlines(block.text),
    closed: block?.closed ?? false,
    rest: split.plain,
    thinking: joinThinking(split.thinking),
    unclosedThinking: split.unclosedThinking,
  };
}
