/**
 * The parser of the rules language: a Pratt parser (operator precedence climbing) with bounded depth.
 *
 * Grammar and precedence after CEL (github.com/google/cel-spec): `?:`, `||`, `&&`, comparisons and `in`, `+ -`,
 * `* / %`, unary `! -`, then `.name`, `[key]` and calls. The parser knows macros, but not which functions and names
 * exist; that is checked when the tree is compiled. Not covered: message literals, bytes, optional types.
 */
import { LIMITS } from '../core/index.js';
import { type ChainPart, MACROS, type MacroName, type Node, type NodeShape } from './ast.js';
import { type Range, syntaxFault } from './fault.js';
import { nextToken, type Token } from './lexer.js';

/** Binding powers of the binary operators, weakest first. */
const POWERS: ReadonlyMap<string, number> = new Map([
  ['?', 1],
  ['||', 2],
  ['&&', 3],
  ...['==', '!=', '<', '<=', '>', '>=', 'in'].map((op) => [op, 4] as const),
  ['+', 5],
  ['-', 5],
  ...['*', '/', '%'].map((op) => [op, 6] as const),
]);
const WORD_HINTS: ReadonlyMap<string, string> = new Map([
  ['and', 'write &&'],
  ['or', 'write ||'],
  ['not', 'write !'],
  ['is', 'write =='],
]);

/** A parsed expression and the offset where it stopped. */
export interface Parsed {
  readonly node: Node;
  readonly end: number;
}

/** Parses the whole of `source` as one expression. Throws a syntax fault. */
export function parseExpression(source: string): Node {
  const parser = new Parser(source, 0);
  const node = parser.expression();
  parser.finish();
  return node;
}

/** Parses an expression that starts at `from` and is closed by `}`; `end` is the offset after the brace. */
export function parseBraced(source: string, from: number): Parsed {
  const parser = new Parser(source, from);
  const node = parser.expression();
  return { node, end: parser.endAt('}') };
}

class Parser {
  private token: Token;
  private nesting = 0;

  constructor(
    private readonly source: string,
    from: number,
  ) {
    this.token = nextToken(source, from);
  }

  expression(power = 0): Node {
    if (++this.nesting > LIMITS.ruleDepth) throw this.tooDeep(this.token);
    let left = this.unary();
    for (;;) {
      const op = this.token.kind === 'op' || this.token.text === 'in' ? this.token.text : '';
      const opPower = POWERS.get(op) ?? 0;
      if (opPower <= power) break;
      left = this.binary(left, op, opPower);
    }
    this.nesting--;
    return left;
  }

  finish(): void {
    if (this.token.kind !== 'end') throw this.unexpected('an operator or the end');
  }

  /** The offset after the closing mark; what follows it is not read, because it need not be an expression. */
  endAt(text: string): number {
    if (!this.at(text)) throw this.unexpected(`an operator, or "${text}" to close the expression`);
    return this.token.end;
  }

  expect(text: string, why: string): Token {
    const token = this.token;
    if (token.kind !== 'op' || token.text !== text) throw this.unexpected(`"${text}" ${why}`);
    this.advance();
    return token;
  }

  private binary(left: Node, op: string, power: number): Node {
    if (op === '?') return this.choice(left);
    if (op === '&&' || op === '||') {
      const parts = [left];
      while (this.takes(op)) parts.push(this.expression(power));
      return this.node({ kind: op === '&&' ? 'and' : 'or', parts }, parts);
    }
    if (power === 4) {
      this.advance();
      const right = this.expression(power);
      return this.node({ kind: 'compare', op: op as '==', left, right }, [left, right]);
    }
    const rest: ChainPart[] = [];
    while (this.token.kind === 'op' && POWERS.get(this.token.text) === power) {
      const { at, end, text } = this.token;
      this.advance();
      rest.push({ op: text as '+', value: this.expression(power), at, end });
    }
    return this.node({ kind: 'chain', first: left, rest }, [left, ...rest.map((part) => part.value)]);
  }

  private choice(test: Node): Node {
    this.advance();
    const yes = this.expression();
    this.expect(':', 'between the two values of ?:');
    const no = this.expression();
    return this.node({ kind: 'choice', test, yes, no }, [test, yes, no]);
  }

  private unary(): Node {
    const start = this.token;
    if (start.kind !== 'op' || (start.text !== '!' && start.text !== '-')) return this.postfix();
    this.advance();
    if (++this.nesting > LIMITS.ruleDepth) throw this.tooDeep(this.token);
    const value = this.unary();
    this.nesting--;
    const kind = start.text === '!' ? 'not' : 'negate';
    return this.node({ kind, value }, [value], start);
  }

  private postfix(): Node {
    let node = this.primary();
    for (;;) {
      if (this.takes('.')) node = this.member(node);
      else if (this.takes('[')) {
        const key = this.expression();
        const close = this.expect(']', 'to close the index');
        node = this.node({ kind: 'index', target: node, key }, [node, key], { at: node.at, end: close.end });
      } else return node;
    }
  }

  private member(target: Node): Node {
    const name = this.token;
    if (name.kind !== 'name') throw this.unexpected('a field or method name after "."');
    this.advance();
    const start = { at: target.at, end: name.end };
    if (!this.takes('(')) return this.node({ kind: 'field', target, name: name.text }, [target], start);
    const { args, end } = this.callArguments();
    const range = { at: name.at, end };
    if (isMacro(name.text)) return this.macro(name.text, [target, ...args], range);
    const all = [target, ...args];
    return this.node({ kind: 'call', name: name.text, args: all, method: true }, all, range);
  }

  private macro(macro: MacroName, parts: readonly Node[], range: Range): Node {
    const [target, variable, ...bodies] = parts;
    const wanted = macro === 'map' ? [1, 2] : [1];
    if (target === undefined || variable?.kind !== 'name' || !wanted.includes(bodies.length)) {
      const form = macro === 'map' ? 'map(x, value) or map(x, condition, value)' : `${macro}(x, condition)`;
      throw syntaxFault(range, `the form is list.${form}, where x is a new name for the element`);
    }
    return this.node(
      { kind: 'macro', macro, target, variable: variable.name, bodies },
      [target, ...bodies],
      range,
    );
  }

  private primary(): Node {
    const token = this.token;
    if (token.kind === 'number' || token.kind === 'string') {
      this.advance();
      return this.node({ kind: 'literal', value: token.value }, [], token);
    }
    if (token.kind === 'name' && token.text !== 'in') return this.nameOrCall(token);
    if (this.takes('(')) {
      const node = this.expression();
      this.expect(')', 'to close the bracket');
      return node;
    }
    if (this.takes('[')) return this.list(token);
    if (this.takes('{')) return this.entries(token);
    throw this.unexpected('a value');
  }

  private nameOrCall(token: Token): Node {
    this.advance();
    if (token.text === 'true' || token.text === 'false' || token.text === 'null') {
      const value = token.text === 'null' ? null : token.text === 'true';
      return this.node({ kind: 'literal', value }, [], token);
    }
    if (!this.takes('(')) return this.node({ kind: 'name', name: token.text }, [], token);
    const { args, end } = this.callArguments();
    const range = { at: token.at, end };
    if (token.text === 'has') return this.has(args, range);
    if (isMacro(token.text)) {
      throw syntaxFault(range, `${token.text} is called on a list or map: list.${token.text}(x, …)`);
    }
    return this.node({ kind: 'call', name: token.text, args, method: false }, args, range);
  }

  private has(args: readonly Node[], range: Range): Node {
    const [arg] = args;
    if (args.length !== 1 || (arg?.kind !== 'field' && arg?.kind !== 'index')) {
      throw syntaxFault(range, 'the form is has(a.b) or has(a[key])');
    }
    const key = arg.kind === 'field' ? arg.name : arg.key;
    return this.node({ kind: 'has', target: arg.target, key }, [arg], range);
  }

  private callArguments(): { args: Node[]; end: number } {
    const args: Node[] = [];
    while (!this.at(')')) {
      args.push(this.expression());
      if (!this.takes(',')) break;
    }
    return { args, end: this.expect(')', 'to close the arguments').end };
  }

  private list(open: Token): Node {
    const items: Node[] = [];
    while (!this.at(']')) {
      items.push(this.expression());
      if (!this.takes(',')) break;
    }
    const { end } = this.expect(']', 'to close the list');
    return this.node({ kind: 'list', items }, items, { at: open.at, end });
  }

  private entries(open: Token): Node {
    const entries: [Node, Node][] = [];
    while (!this.at('}')) {
      const key = this.expression();
      this.expect(':', 'after the key of a map');
      entries.push([key, this.expression()]);
      if (!this.takes(',')) break;
    }
    const { end } = this.expect('}', 'to close the map');
    return this.node({ kind: 'entries', entries }, entries.flat(), { at: open.at, end });
  }

  /** Makes a node; its range is the given one, or spans its children. */
  private node(shape: NodeShape, children: readonly Node[], range?: Range): Node {
    let depth = 1;
    let end = range?.end ?? 0;
    for (const child of children) {
      depth = Math.max(depth, child.depth + 1);
      end = Math.max(end, child.end);
    }
    const at = range?.at ?? children[0]?.at ?? 0;
    if (depth > LIMITS.ruleDepth) throw this.tooDeep({ at, end });
    return { ...shape, at, end, depth };
  }

  private at(text: string): boolean {
    return this.token.kind === 'op' && this.token.text === text;
  }

  private takes(text: string): boolean {
    const found = this.at(text);
    if (found) this.advance();
    return found;
  }

  private advance(): void {
    this.token = nextToken(this.source, this.token.end);
  }

  private tooDeep(range: Range) {
    return syntaxFault(
      range,
      `the expression nests deeper than ${LIMITS.ruleDepth} levels; split it into parts`,
    );
  }

  private unexpected(wanted: string) {
    const seen = this.token.kind === 'end' ? 'the end of the text' : `"${this.token.text.slice(0, 40)}"`;
    const hint = WORD_HINTS.get(this.token.text);
    return syntaxFault(
      this.token,
      `expected ${wanted}, found ${seen}${hint === undefined ? '' : `; ${hint}`}`,
    );
  }
}

function isMacro(name: string): name is MacroName {
  return (MACROS as readonly string[]).includes(name);
}
