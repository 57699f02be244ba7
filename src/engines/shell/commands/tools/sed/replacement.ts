/**
 * Replacements of sed's s command: groups, `&`, line breaks, and case conversions `\U \L \u \l \E`.
 */
import type { RegexMatch } from '../regex/regex.js';
import type { ReplacementPart } from './script.js';

/** Reads a replacement whose delimiters are gone. */
export function parseReplacement(text: string): readonly ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  let literal = '';
  let mode: Pick<ReplacementPart, 'mode' | 'once'> = {};
  const close = (group: number): void => {
    if (literal !== '' || group >= 0 || mode.mode !== undefined || mode.once !== undefined)
      parts.push({ text: literal, group, ...mode });
    literal = '';
    mode = {};
  };
  for (let at = 0; at < text.length; at++) {
    const here = text[at] ?? '';
    if (here === '&') {
      close(0);
      continue;
    }
    if (here !== '\\') {
      literal += here;
      continue;
    }
    const next = text[++at] ?? '\\';
    if (/[0-9]/.test(next)) close(Number(next));
    else if (/[ULEul]/.test(next)) {
      if (literal !== '') close(-1);
      mode = withCase(mode, next);
    } else literal += next === 'n' ? '\n' : next;
  }
  close(-1);
  return parts;
}

function withCase(
  mode: Pick<ReplacementPart, 'mode' | 'once'>,
  letter: string,
): Pick<ReplacementPart, 'mode' | 'once'> {
  if (letter === 'u' || letter === 'l') return { ...mode, once: letter === 'u' ? 'upper' : 'lower' };
  const modes = { U: 'upper', L: 'lower', E: 'plain' } as const;
  return { ...mode, mode: modes[letter as 'U'] };
}

/** Case state while a replacement is written out. */
interface CaseState {
  mode: 'upper' | 'lower' | 'plain';
  once: 'upper' | 'lower' | undefined;
}

/** The replacement of one match. */
export function expandReplacement(
  parts: readonly ReplacementPart[],
  text: string,
  match: RegexMatch,
): string {
  const state: CaseState = { mode: 'plain', once: undefined };
  let out = '';
  for (const part of parts) {
    if (part.mode !== undefined) state.mode = part.mode;
    if (part.once !== undefined) state.once = part.once;
    out += cased(part.text, state);
    if (part.group < 0) continue;
    const [start, end] = [match[2 * part.group] ?? -1, match[2 * part.group + 1] ?? -1];
    if (start >= 0 && end >= start) out += cased(text.slice(start, end), state);
  }
  return out;
}

function cased(text: string, state: CaseState): string {
  if (text === '') return '';
  const apply = (piece: string, how: 'upper' | 'lower' | 'plain'): string =>
    how === 'upper' ? piece.toUpperCase() : how === 'lower' ? piece.toLowerCase() : piece;
  if (state.once === undefined) return apply(text, state.mode);
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  const out = apply(first, state.once) + apply(text.slice(first.length), state.mode);
  state.once = undefined;
  return out;
}
