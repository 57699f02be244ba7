/**
 * Reads find's expression: operators, and the tests and actions of `predicates.ts`.
 *
 * Source: find(1), "EXPRESSION"; findutils 4.9's messages.
 */
import { Exit } from '../../../kernel/index.js';
import { type PredicateReader, readPredicate } from './predicates.js';
import type { FindRun, Test } from './visit.js';

/** Reads the words after the starting points. Ends the command where they are wrong. */
export function parseExpression(words: readonly string[], run: FindRun): Test {
  return new ExpressionParser(words, run).parse();
}

class ExpressionParser implements PredicateReader {
  hasAction = false;
  regexType = 'findutils-default';
  dayStart = false;
  private at = 0;
  private previous = '';

  constructor(
    private readonly words: readonly string[],
    readonly run: FindRun,
  ) {}

  parse(): Test {
    if (this.words.length === 0) return this.printing();
    const test = this.comma();
    if (this.at < this.words.length) this.fail("you have too many ')'");
    if (this.hasAction) return test;
    const print = this.printing();
    return function* (visit) {
      return (yield* test(visit)) && (yield* print(visit));
    };
  }

  private printing(): Test {
    const { io } = this.run;
    // biome-ignore lint/correctness/useYield: printing does not wait
    return function* (visit) {
      io.out(`${visit.path}\n`);
      return true;
    };
  }

  fail(message: string): never {
    this.run.io.error(message);
    throw new Exit(1);
  }

  warn(message: string): void {
    this.run.io.error(`warning: ${message}`);
  }

  /** The argument of a predicate. */
  argument(name: string): string {
    const word = this.words[this.at];
    if (word === undefined) return this.fail(`missing argument to \`${name}'`);
    this.at++;
    return word;
  }

  /** The words of a command up to `;` or `{} +`. */
  command(name: string): { readonly words: readonly string[]; readonly together: boolean } {
    const words: string[] = [];
    for (let at = this.at; at < this.words.length; at++) {
      const word = this.words[at] ?? '';
      if (word === ';') {
        this.at = at + 1;
        if (words.length === 0) this.fail(`invalid argument \`;' to \`${name}'`);
        return { words, together: false };
      }
      if (word === '+' && words[words.length - 1] === '{}') {
        this.at = at + 1;
        return { words: words.slice(0, -1), together: true };
      }
      words.push(word);
    }
    return this.fail(`missing argument to \`${name}'`);
  }

  private comma(): Test {
    let left = this.or();
    while (this.words[this.at] === ',') {
      this.operator(',');
      const [first, second] = [left, this.or()];
      left = function* (visit) {
        yield* first(visit);
        return yield* second(visit);
      };
    }
    return left;
  }

  private or(): Test {
    let left = this.and();
    while (this.words[this.at] === '-o' || this.words[this.at] === '-or') {
      this.operator(this.words[this.at] ?? '');
      const [first, second] = [left, this.and()];
      left = function* (visit) {
        return (yield* first(visit)) || (yield* second(visit));
      };
    }
    return left;
  }

  private and(): Test {
    let left = this.negation();
    for (;;) {
      const word = this.words[this.at];
      if (word === undefined || word === ')' || word === ',' || word === '-o' || word === '-or') return left;
      if (word === '-a' || word === '-and') this.operator(word);
      const [first, second] = [left, this.negation()];
      left = function* (visit) {
        return (yield* first(visit)) && (yield* second(visit));
      };
    }
  }

  /** Takes a binary operator; something must follow. */
  private operator(word: string): void {
    this.at++;
    if (this.at >= this.words.length) this.fail(`expected an expression after '${word}'`);
  }

  private negation(): Test {
    const word = this.words[this.at];
    if (word === '!' || word === '-not') {
      this.operator(word);
      const inner = this.negation();
      return function* (visit) {
        return !(yield* inner(visit));
      };
    }
    return this.primary();
  }

  private primary(): Test {
    const word = this.words[this.at] ?? '';
    if (['-o', '-or', '-a', '-and', ','].includes(word))
      this.fail(`invalid expression; you have used a binary operator '${word}' with nothing before it.`);
    if (word === '(') return this.parentheses();
    if (word === ')') {
      if (this.at === 0) this.fail("invalid expression; you have too many ')'");
      this.fail("you have too many ')'");
    }
    this.at++;
    if (!word.startsWith('-') || word === '-') this.misplaced(word);
    const before = this.previous;
    this.previous = word;
    const test = readPredicate(this, word);
    if (test === undefined) {
      this.previous = before;
      this.fail(`unknown predicate \`${word}'`);
    }
    return test;
  }

  private misplaced(word: string): never {
    this.run.io.error(`paths must precede expression: \`${word}'`);
    const { previous } = this;
    const isPattern = /^-(name|iname|path|ipath|regex|iregex|lname|ilname|wholename|iwholename)$/.test(
      previous,
    );
    if (isPattern || this.run.proc.exists(word))
      this.run.io.error(`possible unquoted pattern after predicate \`${previous}'?`);
    throw new Exit(1);
  }

  private parentheses(): Test {
    this.at++;
    if (this.words[this.at] === ')') this.fail('invalid expression; empty parentheses are not allowed.');
    if (this.at >= this.words.length)
      this.fail("invalid expression; I was expecting to find a ')' somewhere but did not see one.");
    const inner = this.comma();
    if (this.words[this.at] !== ')')
      this.fail("invalid expression; I was expecting to find a ')' somewhere but did not see one.");
    this.at++;
    return inner;
  }
}
