/**
 * A command as one text, cut into words without a shell: blanks separate, quotes and backslashes keep together.
 *
 * Nothing is expanded (no variables, globs, pipes), so a task that is filled in afterwards is always one word and can
 * start nothing. Placeholders are filled in inside the words.
 */
import { fail, ok, type Result } from '../../core/index.js';

/** The words of a command; fails for a quote that is not closed and for no words. */
export function commandWords(text: string): Result<string[], string> {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charAt(i);
    if (quote !== null) {
      if (unit === quote) quote = null;
      else if (unit === '\\' && quote === '"' && /["\\]/.test(text.charAt(i + 1))) word += text.charAt(++i);
      else word += unit;
    } else if (unit === '"' || unit === "'") {
      quote = unit;
      word ??= '';
    } else if (/\s/.test(unit)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (unit === '\\' && i + 1 < text.length) word = (word ?? '') + text.charAt(++i);
    else word = (word ?? '') + unit;
  }
  if (quote !== null) return fail(`a quote ${quote} is not closed in: ${text}`);
  if (word !== null) words.push(word);
  return words.length === 0 ? fail('the command is empty') : ok(words);
}

/** Fills `{name}` in; what is not among the values stays as it is. A value is never looked at again. */
export function fillPlaceholders(word: string, values: Readonly<Record<string, string>>): string {
  return word.replace(/\{([A-Za-z]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}
