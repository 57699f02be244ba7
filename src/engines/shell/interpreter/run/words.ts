/**
 * Expanding the words of a command, with the outputs they need.
 */
import type { Running } from '../../kernel/index.js';
import type { Word } from '../../syntax/ast.js';
import { expandFields } from '../expand/expander.js';
import { ShellFailure } from '../failures.js';
import { BraceLimitError, countBraces, eachBraces } from '../patterns/braces.js';
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

/** From so many texts on a word with braces is expanded in pieces, so that others run meanwhile. */
const MANY = 2_000;
/** Texts that are fields as they are. */
const PLAIN = /^[\w.,:@%+/-]+$/;

/** Adds the fields of a word whose braces stand for many texts, and lets others run. */
function* expandMany(shell: Shell, word: Word, out: string[]): Running<void> {
  let count = 0;
  for (const text of eachBraces(word.text)) {
    if (PLAIN.test(text)) out.push(text);
    else yield* expandOne(shell, { ...word, text, parsed: {} }, out);
    count += 1;
    if (count % 256 === 0 && shell.process.tick(100)) yield* shell.process.pause();
  }
}

function isMany(shell: Shell, text: string): boolean {
  // A cheap look first: words of loops come here again and again.
  if (!text.includes('{') || !/\.\.|,/.test(text) || !shell.is('braceexpand')) return false;
  try {
    return countBraces(text) > MANY;
  } catch (error) {
    if (error instanceof BraceLimitError) throw new ShellFailure(error.message);
    throw error;
  }
}

/** Adds the fields of one word. */
export function* expandWordInto(shell: Shell, word: Word, out: string[]): Running<void> {
  if (isMany(shell, word.text)) yield* expandMany(shell, word, out);
  else yield* expandOne(shell, word, out);
}

function* expandOne(shell: Shell, word: Word, out: string[]): Running<void> {
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
