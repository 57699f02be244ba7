/**
 * Expanding the words of a command, with the outputs they need.
 */
import type { Running } from '../../kernel/index.js';
import type { Word } from '../../syntax/ast.js';
import { expandFields } from '../expand/expander.js';
import type { Shell } from '../shell.js';
import { withOutputs } from './substitution.js';

/** Whether a word may need the output of a command. */
function needsCommands(text: string): boolean {
  return text.includes('$') || text.includes('`') || text.includes('(');
}

/** The fields of words, one after another. */
export function* expandWords(shell: Shell, words: readonly Word[]): Running<string[]> {
  const out: string[] = [];
  for (const word of words) yield* expandWordInto(shell, word, out);
  return out;
}

/** Adds the fields of one word. */
export function* expandWordInto(shell: Shell, word: Word, out: string[]): Running<void> {
  if (!needsCommands(word.text)) {
    expandFields(shell, word, out);
    return;
  }
  const { length } = out;
  yield* withOutputs(shell, () => {
    out.length = length;
    expandFields(shell, word, out);
  });
}
