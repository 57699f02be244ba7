/**
 * The parser: printing is stable, and texts that end too early say so and never break it.
 */
import { expect, test } from 'vitest';
import { Parser } from './parser.js';
import { printCommandText } from './printer.js';
import { ShellSyntaxError } from './syntax-error.js';

const SCRIPTS = [
  'for x in a b; do echo "$x"; done | sort > out 2>&1',
  'if [[ -f a && $x =~ ^(a b|c)+$ ]]; then ((x++)); elif a; then b; else c; fi',
  'case $x in a|b) echo 1;; (c) ;& *) echo 3;;& esac',
  'f() { local a=(1 "2 3" [5]=x); echo "$@" `b` $(c; d) $((1 + 2)); } 2>&1',
  'cat <<-"B" && c | d\n\t2 $x\n\tB\n',
  'coproc NAME { a; }; select y in 1 2; do break; done; time -p ! a | b &',
  'while read -r l; do :; done < <(sort file) 3>&- {fd}<>x <<<"a b"',
];

function reprint(text: string): string {
  const command = new Parser(text).next();
  return command === undefined ? '' : printCommandText(command);
}

test('what is printed reads back to the same text', () => {
  const once = SCRIPTS.map(reprint);
  expect(once.map(reprint)).toEqual(once);
});

test('a text that is cut anywhere is complete, wants more, or is told as wrong', () => {
  const strange: string[] = [];
  for (const script of SCRIPTS) {
    for (let length = 0; length < script.length; length += 1) {
      try {
        new Parser(script.slice(0, length)).next();
      } catch (error) {
        if (!(error instanceof ShellSyntaxError)) strange.push(script.slice(0, length));
      }
    }
  }
  expect(strange).toEqual([]);
});

test('a text that ends inside a command wants more lines', () => {
  const wants = (text: string): boolean => {
    try {
      new Parser(text).next();
      return false;
    } catch (error) {
      return error instanceof ShellSyntaxError && error.isIncomplete;
    }
  };
  expect(
    ['if a', 'echo "b', 'a &&', 'f() {', 'case x in', 'echo $(', 'a |', '( b', 'echo `c'].map(wants),
  ).toEqual(Array(9).fill(true));
  expect(['echo )', 'fi', 'a && ;', 'done', 'f() echo'].map(wants)).toEqual(Array(5).fill(false));
});

test('nesting that is too deep is an error of the script', () => {
  for (const open of ['( ', '$(', '"$(', '${x:-', '[[ ( ', 'if ', '{ '])
    expect(() => new Parser(open.repeat(5000)).next()).toThrow(ShellSyntaxError);
});
