/**
 * Reads awk programs as mawk 1.3.4 does, with its messages: `line 1: syntax error at or near }`.
 *
 * Source: POSIX awk, its grammar, and mawk's wording. Not covered: mawk's check of types of names.
 */
import type { AwkExpression, AwkFunction, AwkProgram, AwkRedirect, AwkRule, AwkStatement } from './ast.js';
import { AwkExpressionParser } from './expression-parser.js';
import { isKeyword } from './lexer.js';
import { AwkSyntaxError } from './syntax-error.js';

/** Reads a program. Raises {@link AwkSyntaxError}. */
export function parseAwk(text: string): AwkProgram {
  return new AwkParser(text).parse();
}

class AwkParser extends AwkExpressionParser {
  private readonly functions = new Map<string, AwkFunction>();
  private inFunction = false;
  private inRule = false;
  private loops = 0;

  parse(): AwkProgram {
    const begin: AwkStatement[] = [];
    const end: AwkStatement[] = [];
    const rules: AwkRule[] = [];
    this.skipTerminators();
    while (this.token.kind !== 'end') {
      this.item({ begin, end, rules });
      this.skipTerminators();
    }
    for (const { name } of this.calls)
      if (!this.functions.has(name))
        throw new AwkSyntaxError(`line ${this.lastLine()}: function ${name} never defined`, undefined);
    return { begin, rules, end, functions: this.functions };
  }

  // ---- items ----

  private item(out: { begin: AwkStatement[]; end: AwkStatement[]; rules: AwkRule[] }): void {
    if (this.is('function')) {
      this.functionItem();
      return;
    }
    if (this.is('BEGIN') || this.is('END')) {
      const list = this.advance().text === 'BEGIN' ? out.begin : out.end;
      if (!this.is('{')) this.unexpected();
      this.inRule = false;
      list.push(this.block());
      return;
    }
    this.inRule = true;
    if (this.is('}')) {
      const { line } = this.token;
      const message = `line ${line}: extra '}'`;
      this.advance();
      const near =
        this.token.kind === 'end' || this.token.kind === 'newline' ? 'end of line' : this.token.text;
      throw new AwkSyntaxError(message, line, `line ${line}: syntax error at or near ${near}`);
    }
    if (this.is('{')) {
      out.rules.push({ body: this.block() });
      return;
    }
    const pattern = this.expression();
    let rangeEnd: AwkExpression | undefined;
    if (this.accept(',')) {
      this.skipNewlines();
      rangeEnd = this.expression();
    }
    const body = this.is('{') ? this.block() : undefined;
    if (body === undefined && this.token.kind !== 'newline' && this.token.kind !== 'end' && !this.is(';'))
      this.unexpected();
    out.rules.push({
      pattern,
      ...(rangeEnd !== undefined && { rangeEnd }),
      ...(body !== undefined && { body }),
    });
  }

  private functionItem(): void {
    this.advance();
    const { text, kind } = this.token;
    if (kind !== 'word' && kind !== 'call') this.unexpected();
    this.advance();
    this.expect('(');
    const parameters: string[] = [];
    while (!this.is(')')) {
      if (this.token.kind !== 'word' || isKeyword(this.token.text)) this.unexpected();
      const name = this.token.text;
      if (parameters.includes(name))
        throw new AwkSyntaxError(
          `line ${this.token.line}: ${name} is duplicated in argument list`,
          undefined,
        );
      parameters.push(name);
      this.advance();
      if (!this.accept(',')) break;
      this.skipNewlines();
    }
    this.expect(')');
    this.skipNewlines();
    this.inFunction = true;
    const body = this.block();
    this.inFunction = false;
    this.functions.set(text, { name: text, parameters, body });
  }

  private block(): AwkStatement {
    this.expect('{');
    this.depth++;
    const body: AwkStatement[] = [];
    this.skipTerminators();
    while (!this.is('}')) {
      body.push(this.statement());
      this.skipTerminators();
    }
    this.depth--;
    this.advance();
    return { kind: 'block', body };
  }

  // ---- statements ----

  private statement(): AwkStatement {
    if (this.is('{')) return this.block();
    switch (this.token.kind === 'word' ? this.token.text : '') {
      case 'if':
        return this.ifStatement();
      case 'while':
        return this.whileStatement();
      case 'do':
        return this.doStatement();
      case 'for':
        return this.forStatement();
      default: {
        const simple = this.simple();
        this.endStatement();
        return simple;
      }
    }
  }

  private endStatement(): void {
    if (this.accept(';') || this.token.kind === 'newline') return;
    if (!this.is('}')) this.unexpected();
  }

  /** A body: a statement, or `;` for nothing. */
  private body(): AwkStatement {
    this.skipNewlines();
    if (this.accept(';') || this.is('}')) return { kind: 'block', body: [] };
    return this.statement();
  }

  private ifStatement(): AwkStatement {
    this.advance();
    this.expect('(');
    const test = this.nested();
    this.expect(')');
    const yes = this.body();
    this.skipTerminators();
    if (!this.is('else')) return { kind: 'if', test, yes };
    this.advance();
    return { kind: 'if', test, yes, no: this.body() };
  }

  private loopBody(): AwkStatement {
    this.loops++;
    const body = this.body();
    this.loops--;
    return body;
  }

  private whileStatement(): AwkStatement {
    this.advance();
    this.expect('(');
    const test = this.nested();
    this.expect(')');
    if (this.accept(';')) return { kind: 'while', test, body: { kind: 'block', body: [] } };
    return { kind: 'while', test, body: this.loopBody() };
  }

  private doStatement(): AwkStatement {
    this.advance();
    const body = this.loopBody();
    this.skipTerminators();
    this.expect('while');
    this.expect('(');
    const test = this.nested();
    this.expect(')');
    this.endStatement();
    return { kind: 'do', body, test };
  }

  private forStatement(): AwkStatement {
    this.advance();
    this.expect('(');
    const start = this.is(';') ? undefined : this.simpleOrIn();
    if (start !== undefined && 'array' in start) {
      this.expect(')');
      return { kind: 'forIn', ...start, body: this.loopBody() };
    }
    this.expect(';');
    this.skipNewlines();
    const test = this.is(';') ? undefined : this.nested();
    this.expect(';');
    this.skipNewlines();
    const step = this.is(')') ? undefined : this.simple();
    this.expect(')');
    const body: AwkStatement = this.accept(';') ? { kind: 'block', body: [] } : this.loopBody();
    return {
      kind: 'for',
      ...(start !== undefined && { start }),
      ...(test !== undefined && { test }),
      ...(step !== undefined && { step }),
      body,
    };
  }

  /** The head of a for: a simple statement, or `name in array`. */
  private simpleOrIn(): AwkStatement | { readonly variable: string; readonly array: string } {
    const first = this.simple();
    if (first.kind !== 'expression' || !this.is(')')) return first;
    const { value } = first;
    const key = value.kind === 'in' ? value.keys[0] : undefined;
    if (value.kind !== 'in' || value.keys.length !== 1 || key?.kind !== 'variable') return this.unexpected();
    return { variable: key.name, array: value.name };
  }

  private simple(): AwkStatement {
    const { text, kind, line } = this.token;
    const word = kind === 'word' ? text : '';
    switch (word) {
      case 'print':
      case 'printf':
        return this.print(word);
      case 'break':
      case 'continue':
        this.advance();
        if (this.loops === 0)
          throw new AwkSyntaxError(`line ${line}: ${word} statement outside of loop`, undefined);
        return { kind: word };
      case 'next':
      case 'nextfile':
        this.advance();
        if (!this.inRule && !this.inFunction)
          throw new AwkSyntaxError(`line ${line}: improper use of ${word}`, undefined);
        return { kind: word };
      case 'exit':
      case 'return': {
        this.advance();
        if (word === 'return' && !this.inFunction)
          throw new AwkSyntaxError(`line ${line}: return outside function body`, undefined);
        const ends =
          this.token.kind === 'newline' || this.token.kind === 'end' || this.is(';') || this.is('}');
        return ends ? { kind: word } : { kind: word, value: this.expression() };
      }
      case 'delete':
        return this.deletion();
      default:
        return { kind: 'expression', value: this.expression() };
    }
  }

  private deletion(): AwkStatement {
    this.advance();
    const name = this.token.text;
    if (this.token.kind !== 'word') this.unexpected();
    this.advance();
    if (!this.accept('[')) return { kind: 'delete', name };
    const keys = this.list(']');
    this.expect(']');
    return { kind: 'delete', name, keys };
  }

  private print(word: 'print' | 'printf'): AwkStatement {
    const { line } = this.advance();
    let args: readonly AwkExpression[] = [];
    const empty =
      this.token.kind === 'newline' ||
      this.token.kind === 'end' ||
      ['}', ';', '>', '>>', '|'].some((one) => this.is(one));
    if (!empty) args = this.printArguments();
    if (word === 'printf' && args.length === 0)
      throw new AwkSyntaxError(`line ${line}: no arguments in call to printf`, undefined);
    const to = this.redirect();
    return { kind: word, args, ...(to !== undefined && { to }) };
  }

  /** Expressions without a bare `>`; a list in parentheses is the arguments themselves. */
  private printArguments(): readonly AwkExpression[] {
    this.noGreater++;
    const first = this.is('(') ? this.parenthesised() : undefined;
    if (first !== undefined && first.length > 1) {
      this.noGreater--;
      return first;
    }
    const [only] = first ?? [];
    const args = [only === undefined ? this.expression() : this.continued({ kind: 'group', inner: only })];
    while (this.accept(',')) {
      this.skipNewlines();
      args.push(this.expression());
    }
    this.noGreater--;
    return args;
  }

  private redirect(): AwkRedirect | undefined {
    for (const how of ['>', '>>', '|'] as const) {
      if (!this.is(how)) continue;
      this.advance();
      this.noGreater++;
      const target = this.concatenation();
      this.noGreater--;
      return { how, target };
    }
    return undefined;
  }
}
