/**
 * `[[ … ]]`: its grammar and bash's words for what is wrong with it.
 *
 * As observed in bash 5.2.15, an error here prints one line and ends the reading with the status there was.
 */
import type { Command, Condition } from './ast.js';
import type { Parser } from './parser.js';
import { ShellSyntaxError } from './syntax-error.js';
import type { Place, Token } from './token.js';

const PLAIN: Place = { isCommand: false, mayAssign: false, condition: 'plain' };
const REGEX: Place = { ...PLAIN, condition: 'regex' };
const PATTERN: Place = { ...PLAIN, condition: 'pattern' };

const UNARY = /^-[abcdefghknoprstuvwxzGLNORS]$/;
const BINARY = /^(=|==|!=|=~|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;

function fail(message: string, token: Token): ShellSyntaxError {
  return new ShellSyntaxError(message, token.line, undefined, token.kind === 'end', 'give-up');
}

function nameOf(token: Token): string {
  return token.kind === 'newline' || token.kind === 'end' ? 'newline' : token.text;
}

/** Parses `[[ … ]]`; `[[` comes next. */
export function parseConditional(parser: Parser): Command {
  const { line } = parser.take();
  const condition = parseOr(parser, 0);
  const close = parser.peek(PLAIN);
  if (!(close.kind === 'word' && close.text === ']]')) {
    if (close.kind === 'end') throw parser.lexer.unexpected(close);
    const isWord = close.word !== undefined;
    const message = `syntax error in conditional expression${isWord ? '' : `: unexpected token \`${nameOf(close)}'`}`;
    throw fail(message, close);
  }
  parser.take();
  return { kind: 'conditional', line, redirects: [], condition };
}

function parseOr(parser: Parser, depth: number): Condition {
  const left = parseAnd(parser, depth);
  if (!parser.isOperator('||', PLAIN)) return left;
  parser.take();
  parser.skipNewlines(PLAIN);
  return { kind: 'or', left, right: parseOr(parser, depth) };
}

function parseAnd(parser: Parser, depth: number): Condition {
  const left = parseTerm(parser, depth);
  parser.skipNewlines(PLAIN);
  if (!parser.isOperator('&&', PLAIN)) return left;
  parser.take();
  parser.skipNewlines(PLAIN);
  return { kind: 'and', left, right: parseAnd(parser, depth) };
}

function parseTerm(parser: Parser, depth: number): Condition {
  parser.skipNewlines(PLAIN);
  const token = parser.take(PLAIN);
  if (depth > 200) throw fail('maximum nesting level exceeded', token);
  if (token.kind === 'operator' && token.text === '(') {
    const inner = parseOr(parser, depth + 1);
    parser.skipNewlines(PLAIN);
    const close = parser.take(PLAIN);
    if (close.kind !== 'operator' || close.text !== ')') {
      throw fail(`unexpected token \`${nameOf(close)}', expected \`)'`, close);
    }
    return { kind: 'group', inner };
  }
  if (token.word === undefined) {
    if (token.kind !== 'end')
      throw fail(`unexpected token \`${nameOf(token)}' in conditional command`, token);
    const message = "unexpected token `EOF' in conditional command";
    throw new ShellSyntaxError(message, parser.lexer.endLine(), undefined, true, 'give-up');
  }
  if (token.text === '!') return { kind: 'not', inner: parseTerm(parser, depth + 1) };
  if (token.isBare === true && token.text === ']]') {
    throw new ShellSyntaxError('', token.line, undefined, false, 'give-up');
  }
  if (token.isBare === true && UNARY.test(token.text)) {
    const operand = parser.take(PLAIN);
    if (operand.word === undefined || (operand.isBare === true && operand.text === ']]'))
      throw fail(`unexpected argument \`${nameOf(operand)}' to conditional unary operator`, operand);
    return { kind: 'unary', operator: token.text, operand: operand.word };
  }
  return parseBinary(parser, token);
}

function parseBinary(parser: Parser, token: Token): Condition {
  const operand = token.word ?? { text: '' };
  const next = parser.peek(PLAIN);
  const isOrder = next.kind === 'operator' && (next.text === '<' || next.text === '>');
  if (isOrder || (next.word !== undefined && next.isBare === true && BINARY.test(next.text))) {
    parser.take();
    const equality = next.text === '==' || next.text === '=' || next.text === '!=';
    const right = parser.take(next.text === '=~' ? REGEX : equality ? PATTERN : PLAIN);
    if (right.word === undefined || (right.isBare === true && right.text === ']]'))
      throw fail(`unexpected argument \`${nameOf(right)}' to conditional binary operator`, right);
    return { kind: 'binary', operator: next.text, left: operand, right: right.word };
  }
  const ends =
    (next.kind === 'word' && next.text === ']]') ||
    (next.kind === 'operator' && (next.text === '&&' || next.text === '||' || next.text === ')'));
  if (ends) return { kind: 'term', operand };
  if (next.word !== undefined) throw fail('conditional binary operator expected', next);
  throw fail(`unexpected token \`${nameOf(next)}', conditional binary operator expected`, next);
}
