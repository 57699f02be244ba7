/**
 * The compound commands: loops, conditions, groups, functions and coprocesses.
 */
import type { CaseClause, Command, Word } from './ast.js';
import { parseConditional } from './conditional.js';
import { readBrackets } from './matching.js';
import type { Parser } from './parser.js';
import { ShellSyntaxError } from './syntax-error.js';
import type { Place, Token } from './token.js';

const ARGUMENT: Place = { isCommand: false, mayAssign: false };
const COMMAND: Place = { isCommand: true, mayAssign: true };
const COMPOUND_STARTS: ReadonlySet<string> = new Set([
  'if',
  'while',
  'until',
  'for',
  'case',
  'select',
  '{',
  '[[',
]);

/** Parses the compound command whose first word or parenthesis comes next. */
export function parseCompound(parser: Parser): Command {
  const { line, text } = parser.peek(COMMAND);
  switch (text) {
    case '(':
      return parseParenthesis(parser, line);
    case '{': {
      parser.take();
      const body = parser.parseBody();
      parser.expectWord('}');
      return { kind: 'group', line, redirects: [], body };
    }
    case '[[':
      return parseConditional(parser);
    case 'if':
      parser.take();
      return parseIf(parser, line);
    case 'while':
    case 'until': {
      parser.take();
      const test = parser.parseBody();
      return { kind: text, line, redirects: [], test, body: parseDo(parser) };
    }
    case 'for':
    case 'select':
      return parseFor(parser, text);
    case 'case':
      return parseCase(parser);
    case 'coproc':
      return parseCoproc(parser);
    default: {
      parser.take();
      const name = parser.take();
      if (name.word === undefined) throw parser.lexer.unexpected(name);
      return parseFunctionTail(parser, name, line);
    }
  }
}

/** `( … )` or `(( … ))`; what looks like arithmetic and is not is read again as two subshells. */
function parseParenthesis(parser: Parser, line: number): Command {
  parser.take();
  const { lexer } = parser;
  if (lexer.input.peek() === '(') {
    const mark = lexer.mark();
    lexer.input.next();
    const expression = readBrackets(lexer, '(', ')');
    if (lexer.input.peek() === ')') {
      lexer.input.next();
      return { kind: 'arithmetic', line, redirects: [], expression: expression.slice(0, -1) };
    }
    lexer.input.reset(mark);
  }
  const body = parser.parseBody();
  if (!parser.isOperator(')')) throw lexer.unexpected(parser.peek());
  parser.take();
  return { kind: 'subshell', line, redirects: [], body };
}

function parseIf(parser: Parser, line: number): Command {
  const test = parser.parseBody();
  parser.expectWord('then');
  const then = parser.parseBody();
  if (parser.isWord('elif')) {
    const elif = parser.take();
    const otherwise = parseIf(parser, elif.line);
    return { kind: 'if', line, redirects: [], test, then, otherwise };
  }
  if (parser.isWord('else')) {
    parser.take();
    const otherwise = parser.parseBody();
    parser.expectWord('fi');
    return { kind: 'if', line, redirects: [], test, then, otherwise };
  }
  parser.expectWord('fi');
  return { kind: 'if', line, redirects: [], test, then };
}

/** `do … done`, or `{ … }` in its place. */
function parseDo(parser: Parser): Command {
  if (parser.isWord('{')) {
    parser.take();
    const body = parser.parseBody();
    parser.expectWord('}');
    return body;
  }
  parser.expectWord('do');
  const body = parser.parseBody();
  parser.expectWord('done');
  return body;
}

function parseFor(parser: Parser, kind: 'for' | 'select'): Command {
  const { line } = parser.take();
  if (kind === 'for' && parser.isOperator('(', ARGUMENT) && parser.lexer.input.peek() === '(')
    return parseArithmeticFor(parser, line);
  const name = parser.take(ARGUMENT);
  if (name.word === undefined) throw parser.lexer.unexpected(name);
  let words: Word[] | undefined;
  if (parser.isOperator(';')) {
    parser.take();
    parser.skipNewlines();
  } else {
    parser.skipNewlines();
    if (parser.isWord('in')) {
      parser.take();
      words = [];
      for (;;) {
        const token = parser.peek(ARGUMENT);
        if (token.word === undefined) break;
        words.push(token.word);
        parser.take();
      }
      if (!parser.isOperator(';') && parser.peek().kind !== 'newline')
        throw parser.lexer.unexpected(parser.peek());
      parser.take();
      parser.skipNewlines();
    }
  }
  const body = parseDo(parser);
  return { kind, line, redirects: [], name: name.word, body, ...(words === undefined ? {} : { words }) };
}

function parseArithmeticFor(parser: Parser, line: number): Command {
  const { lexer } = parser;
  parser.take();
  lexer.input.next();
  const text = readBrackets(lexer, '(', ')').slice(0, -1);
  if (lexer.input.peek() !== ')') throw lexer.unexpected(parser.peek(ARGUMENT));
  lexer.input.next();
  const [init = '', test, step, ...more] = splitTop(text);
  if (test === undefined || step === undefined || more.length > 0) {
    const what = more.length > 0 ? "`;' unexpected" : 'arithmetic expression required';
    const message = `syntax error: ${what}`;
    throw new ShellSyntaxError(message, line, `syntax error: \`((${text}))'`, false, 'stop');
  }
  parser.skipNewlines();
  if (parser.isOperator(';')) parser.take();
  parser.skipNewlines();
  const body = parseDo(parser);
  return {
    kind: 'arithmetic-for',
    line,
    redirects: [],
    init: init.trimStart(),
    test: test.trimStart(),
    step: step.trimStart(),
    body,
  };
}

/** Splits at semicolons that stand in no quotes or brackets. */
function splitTop(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === '\\') at += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '(' || char === '{') depth += 1;
    else if (char === ')' || char === '}') depth -= 1;
    else if (char === ';' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

function parseCase(parser: Parser): Command {
  const { line } = parser.take();
  const subject = parser.take(ARGUMENT);
  if (subject.word === undefined) throw parser.lexer.unexpected(subject);
  parser.skipNewlines();
  parser.expectWord('in');
  const clauses: CaseClause[] = [];
  for (;;) {
    parser.skipNewlines(ARGUMENT);
    if (parser.isWord('esac', ARGUMENT)) break;
    const patterns = parsePatterns(parser);
    parser.skipNewlines();
    const token = parser.peek();
    const isEmpty =
      (token.kind === 'operator' && token.text.startsWith(';')) ||
      (token.isBare === true && token.text === 'esac');
    const body = isEmpty ? undefined : parser.parseBody();
    const end = parser.peek();
    if (end.kind === 'operator' && (end.text === ';;' || end.text === ';&' || end.text === ';;&')) {
      parser.take();
      clauses.push({ patterns, end: end.text, ...(body === undefined ? {} : { body }) });
      continue;
    }
    if (!parser.isWord('esac')) throw parser.lexer.unexpected(end);
    clauses.push({ patterns, end: ';;', ...(body === undefined ? {} : { body }) });
    break;
  }
  parser.take();
  return { kind: 'case', line, redirects: [], word: subject.word, clauses };
}

/** The patterns of one clause up to its `)`. */
function parsePatterns(parser: Parser): Word[] {
  const patterns: Word[] = [];
  if (parser.isOperator('(', ARGUMENT)) parser.take();
  for (;;) {
    const token = parser.take(ARGUMENT);
    if (token.word === undefined) throw parser.lexer.unexpected(token);
    patterns.push(token.word);
    const after = parser.take(ARGUMENT);
    if (after.kind === 'operator' && after.text === '|') continue;
    if (after.kind === 'operator' && after.text === ')') return patterns;
    throw parser.lexer.unexpected(after);
  }
}

/** After the name of a function: `()` where it is written, and the body. */
export function parseFunctionTail(parser: Parser, name: Token, line = name.line): Command {
  if (parser.isOperator('(', ARGUMENT)) {
    parser.take();
    const close = parser.take();
    if (close.kind !== 'operator' || close.text !== ')') throw parser.lexer.unexpected(close);
  }
  parser.skipNewlines();
  const start = parser.peek(COMMAND);
  const isCompound =
    (start.kind === 'operator' && start.text === '(') ||
    (start.kind === 'word' && start.isBare === true && COMPOUND_STARTS.has(start.text));
  if (!isCompound) throw parser.lexer.unexpected(start);
  const body = parser.parseCommand();
  return { kind: 'function', line, redirects: [], name: name.text, body };
}

function parseCoproc(parser: Parser): Command {
  const { line } = parser.take();
  const first = parser.peek(COMMAND);
  if (first.kind === 'word' && !(first.isBare === true && COMPOUND_STARTS.has(first.text))) {
    parser.take();
    const after = parser.peek(COMMAND);
    const isNamed =
      (after.kind === 'operator' && after.text === '(') ||
      (after.kind === 'word' && after.isBare === true && COMPOUND_STARTS.has(after.text));
    const body = isNamed ? parser.parseCommand() : parser.parseSimple(first);
    return { kind: 'coproc', line, redirects: [], name: isNamed ? first.text : 'COPROC', body };
  }
  return { kind: 'coproc', line, redirects: [], name: 'COPROC', body: parser.parseCommand() };
}
