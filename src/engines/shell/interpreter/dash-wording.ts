/**
 * The messages of `sh` (dash) where they differ from bash's.
 *
 * Only the common ones; everything else keeps bash's words. Source: as observed in dash 0.5.12.
 */

const RULES: readonly (readonly [RegExp, string])[] = [
  [/^(.*): command not found$/s, '$1: not found'],
  [/^cd: (.*): (?:No such file or directory|Not a directory|Permission denied)$/s, "cd: can't cd to $1"],
  [/^(\w+): unbound variable$/, '$1: parameter not set'],
  [/^(\w+): readonly variable$/, '$1: is read only'],
  [/^(?:\(\(: )?(.*): division by 0 \(error token is .*$/s, 'arithmetic expression: division by zero: "$1"'],
  [
    /^(?:\(\(: )?(.*): syntax error: operand expected \(error token is .*$/s,
    'arithmetic expression: expecting primary: "$1"',
  ],
  [/^syntax error near unexpected token `newline'$/, 'Syntax error: newline unexpected'],
  [/^syntax error near unexpected token `([()|&;<>]+)'$/, 'Syntax error: "$1" unexpected'],
  [/^syntax error near unexpected token `(.*)'$/s, 'Syntax error: word unexpected'],
  [/^syntax error: unexpected end of file$/, 'Syntax error: end of file unexpected'],
  [/^unexpected EOF while looking for matching `(["'`])'$/, 'Syntax error: Unterminated quoted string'],
  [
    /^unexpected EOF while looking for matching `\)'$/,
    'Syntax error: end of file unexpected (expecting ")")',
  ],
  [/^unexpected EOF while looking for matching `}'$/, "Syntax error: Missing '}'"],
  [/^.*: bad substitution$/s, 'Bad substitution'],
  [/^shift: .*$/, "shift: can't shift that many"],
];

/** A message in dash's words. */
export function dashWording(message: string): string {
  for (const [pattern, words] of RULES) if (pattern.test(message)) return message.replace(pattern, words);
  return message;
}
