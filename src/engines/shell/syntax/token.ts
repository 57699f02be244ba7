/**
 * Tokens of the shell language, and what the parser tells the lexer about the place it reads at.
 */
import type { Word } from './ast.js';

/** A token; `text` is the operator, the word as written, or the number before a redirection. */
export interface Token {
  readonly kind: 'word' | 'operator' | 'newline' | 'end' | 'number' | 'variable';
  readonly text: string;
  readonly line: number;
  readonly word?: Word;
  /** No character of the word was quoted, so it can be a keyword. */
  readonly isBare?: boolean;
}

/** Where the next token stands. */
export interface Place {
  /** A command may begin here: aliases are looked up and `((` opens arithmetic. */
  readonly isCommand: boolean;
  /** `name=…` is an assignment here. */
  readonly mayAssign: boolean;
  /** Inside `[[ … ]]`: `plain` for most words, `regex` after `=~`, `pattern` after `==`. */
  readonly condition?: 'plain' | 'regex' | 'pattern';
  /** Inside `name=( … )`: a word may begin with a subscript. */
  readonly isArrayItem?: boolean;
}

/** The operators, longest first. */
export const OPERATORS: readonly string[] = [
  '&>>',
  '<<<',
  '<<-',
  ';;&',
  '&&',
  '||',
  ';;',
  ';&',
  '|&',
  '>>',
  '>&',
  '>|',
  '<<',
  '<&',
  '<>',
  '&>',
  '&',
  '|',
  ';',
  '(',
  ')',
  '<',
  '>',
];

/** The operators that begin a redirection. */
export const REDIRECTIONS: ReadonlySet<string> = new Set([
  '<',
  '>',
  '>>',
  '>|',
  '<>',
  '<<',
  '<<-',
  '<<<',
  '<&',
  '>&',
  '&>',
  '&>>',
]);
