/**
 * The argument of `env -S`: words, quotes, escapes and `${NAME}`.
 *
 * Source: env(1), "-S/--split-string usage in scripts" in the manual of coreutils.
 */
import type { Tool } from '../../program/tool.js';

const ESCAPES: Readonly<Record<string, string>> = {
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '#': '#',
  $: '$',
  '"': '"',
  "'": "'",
  '\\': '\\',
};

/** Splits the text into words; wrong texts end the program. */
export function splitEnvString(tool: Tool, text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (quote === '' && /[ \t\n\v\f\r]/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (character === '#' && word === null && quote === '') break;
    else if ((character === '"' || character === "'") && (quote === '' || quote === character)) {
      quote = quote === '' ? character : '';
      word ??= '';
    } else if (character === '$' && quote !== "'") {
      const name = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}/.exec(text.slice(at));
      if (name === null) tool.die(`only \${VARNAME} expansion is supported, error at: ${text.slice(at)}`);
      word = (word ?? '') + (tool.env(name?.[1] ?? '') ?? '');
      at += (name?.[0].length ?? 1) - 1;
    } else if (character === '\\' && quote !== "'") {
      const next = text[at + 1];
      at += 1;
      if (next === undefined) tool.die('invalid backslash at end of string in -S');
      if (next === 'c') {
        if (quote !== '') tool.die("'\\c' must not appear in double-quoted -S string");
        break;
      }
      if (next === '_' && quote === '') {
        if (word !== null) words.push(word);
        word = null;
        continue;
      }
      const escaped = next === '_' ? ' ' : ESCAPES[next ?? ''];
      if (escaped === undefined) tool.die(`invalid sequence '\\${next}' in -S`);
      word = (word ?? '') + (escaped ?? '');
    } else if (character === '\\' && quote === "'" && (text[at + 1] === "'" || text[at + 1] === '\\')) {
      word = (word ?? '') + text[at + 1];
      at += 1;
    } else word = (word ?? '') + character;
  }
  if (quote !== '') tool.die('no terminating quote in -S string');
  if (word !== null) words.push(word);
  return words;
}
