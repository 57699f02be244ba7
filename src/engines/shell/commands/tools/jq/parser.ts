/**
 * Reads jq programs.
 *
 * Source: the manual of jq 1.6; its grammar's precedence: `|`, `,`, `//`, assignments, `or`, `and`, comparisons, `+ -`,
 * `* / %`. Messages are jq's. Not covered: modules (`import`, `include`), `?//`, `limit` of nesting beyond 1,000.
 */
import type { JqDefinition, JqNode, JqPattern } from './ast.js';
import { JqLexer, KEYWORDS } from './lexer.js';
import type { JqValue } from './values.js';

const IDENTITY: JqNode = { kind: 'identity' };

/** Reads a program. Raises {@link JqSyntaxError}. */
export function parseJq(text: string): JqNode {
  return new JqParser(text).program();
}

/** Reads definitions only, for the library. */
export function parseDefinitions(text: string): JqDefinition[] {
  return new JqParser(text).definitions();
}

class JqParser extends JqLexer {
  protected override interpolated(): JqNode {
    this.at += 2;
    const outer = this.token;
    this.token = this.read();
    const node = this.pipe();
    if (!this.is(')')) this.unexpected();
    this.token = outer;
    return node;
  }

  program(): JqNode {
    if (this.token.kind === 'end') return IDENTITY;
    const definitions = this.definitions();
    let body: JqNode = this.kind() === 'end' ? IDENTITY : this.pipe();
    if (this.kind() !== 'end') this.unexpected('$end');
    for (const definition of definitions.reverse()) body = { kind: 'define', definition, body };
    return body;
  }

  definitions(): JqDefinition[] {
    const list: JqDefinition[] = [];
    while (this.is('def')) list.push(this.definition());
    return list;
  }

  // ---- filters ----

  private definition(): JqDefinition {
    this.expect('def');
    if (this.token.kind !== 'name') this.unexpected();
    const name = this.advance().text;
    const parameters: string[] = [];
    if (this.accept('(')) {
      do {
        const kind = this.kind();
        const { text } = this.token;
        if (kind !== 'name' && kind !== 'variable') this.unexpected();
        this.advance();
        parameters.push(kind === 'variable' ? `$${text}` : text);
      } while (this.accept(';'));
      this.expect(')');
    }
    this.expect(':');
    const body = this.pipe();
    this.expect(';');
    return { name, parameters, body };
  }

  private pipe(): JqNode {
    if (++this.depth > 1_000) return this.fail('syntax error, memory exhausted');
    try {
      if (this.is('def')) {
        const definition = this.definition();
        return { kind: 'define', definition, body: this.pipe() };
      }
      if (this.accept('label')) {
        const name = this.advance().text;
        this.expect('|');
        return { kind: 'label', name, body: this.pipe() };
      }
      const left = this.comma();
      if (this.accept('as')) {
        const pattern = this.pattern();
        if (!this.accept('|')) this.unexpected('|');
        return { kind: 'bind', source: left, pattern, body: this.pipe() };
      }
      if (!this.accept('|')) return left;
      return { kind: 'pipe', left, right: this.pipe() };
    } finally {
      this.depth--;
    }
  }

  private pattern(): JqPattern {
    if (this.token.kind === 'variable') return { kind: 'name', name: this.advance().text };
    if (this.accept('[')) {
      const items = [this.pattern()];
      while (this.accept(',')) items.push(this.pattern());
      this.expect(']');
      return { kind: 'array', items };
    }
    this.expect('{');
    const entries: { key: JqNode; name?: string; value?: JqPattern }[] = [];
    do {
      const kind = this.kind();
      const { text } = this.token;
      if (kind === 'variable') {
        this.advance();
        const entry = { key: { kind: 'literal', value: text } as const, name: text };
        entries.push(this.accept(':') ? { ...entry, value: this.pattern() } : entry);
        continue;
      }
      const key = kind === 'operator' ? this.parenthesised() : this.keyName();
      this.expect(':');
      entries.push({ key, value: this.pattern() });
    } while (this.accept(','));
    this.expect('}');
    return { kind: 'object', entries };
  }

  private keyName(): JqNode {
    if (this.token.kind === 'string') return this.stringNode(undefined);
    if (this.token.kind !== 'name') this.unexpected();
    return { kind: 'literal', value: this.advance().text };
  }

  private parenthesised(): JqNode {
    this.expect('(');
    const node = this.pipe();
    this.expect(')');
    return node;
  }

  private comma(): JqNode {
    let left = this.alternative();
    while (this.accept(',')) left = { kind: 'comma', left, right: this.alternative() };
    return left;
  }

  private alternative(): JqNode {
    const left = this.assignment();
    if (!this.accept('//')) return left;
    return { kind: 'alternative', left, right: this.alternative() };
  }

  private assignment(): JqNode {
    const left = this.or();
    const { kind, text } = this.token;
    if (kind !== 'operator' || !['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='].includes(text)) return left;
    this.advance();
    return { kind: 'assign', operator: text, left, right: this.alternative() };
  }

  private or(): JqNode {
    let left = this.and();
    while (this.accept('or')) left = { kind: 'or', left, right: this.and() };
    return left;
  }

  private and(): JqNode {
    let left = this.comparison();
    while (this.accept('and')) left = { kind: 'and', left, right: this.comparison() };
    return left;
  }

  private comparison(): JqNode {
    const left = this.additive();
    const { kind, text } = this.token;
    if (kind !== 'operator' || !['==', '!=', '<', '<=', '>', '>='].includes(text)) return left;
    this.advance();
    return { kind: 'binary', operator: text, left, right: this.additive() };
  }

  private additive(): JqNode {
    let left = this.multiplicative();
    while (this.is('+') || this.is('-'))
      left = { kind: 'binary', operator: this.advance().text, left, right: this.multiplicative() };
    return left;
  }

  private multiplicative(): JqNode {
    let left = this.unary();
    while (this.is('*') || this.is('/') || this.is('%'))
      left = { kind: 'binary', operator: this.advance().text, left, right: this.unary() };
    return left;
  }

  private unary(): JqNode {
    if (this.accept('-')) return { kind: 'negate', of: this.unary() };
    if (this.is('reduce') || this.is('foreach')) return this.fold();
    if (this.is('if')) return this.postfix(this.conditional());
    if (this.accept('try')) {
      const body = this.postTry();
      return this.accept('catch') ? { kind: 'try', body, handler: this.postTry() } : { kind: 'try', body };
    }
    return this.postfix(this.primary());
  }

  private postTry(): JqNode {
    return this.is('if') || this.is('try') || this.is('reduce') ? this.unary() : this.postfix(this.primary());
  }

  private fold(): JqNode {
    const kind = this.advance().text as 'reduce' | 'foreach';
    const source = this.postfix(this.primary());
    this.expect('as');
    const pattern = this.pattern();
    this.expect('(');
    const start = this.pipe();
    this.expect(';');
    const update = this.pipe();
    const extract = kind === 'foreach' && this.accept(';') ? this.pipe() : undefined;
    this.expect(')');
    if (kind === 'reduce') return this.postfix({ kind, source, pattern, start, update });
    return this.postfix({ kind, source, pattern, start, update, ...(extract !== undefined && { extract }) });
  }

  private conditional(): JqNode {
    this.advance();
    this.openIfs++;
    const test = this.pipe();
    this.expect('then');
    const yes = this.pipe();
    if (this.is('elif')) {
      this.openIfs--;
      return { kind: 'if', test, yes, no: this.conditional() };
    }
    if (!this.accept('else')) this.unexpected();
    const no = this.pipe();
    this.expect('end');
    this.openIfs--;
    return { kind: 'if', test, yes, no };
  }

  private postfix(start: JqNode): JqNode {
    let node = start;
    for (;;) {
      if (this.token.kind === 'field')
        node = { kind: 'index', of: node, key: { kind: 'literal', value: this.advance().text } };
      else if (this.is('[')) node = this.bracket(node);
      else if (this.accept('?')) node = { kind: 'try', body: node };
      else if (this.is('.')) {
        this.advance();
        if (this.token.kind === 'string') node = { kind: 'index', of: node, key: this.stringNode(undefined) };
        else if (this.is('[')) node = this.bracket(node);
        else this.unexpected();
      } else return node;
    }
  }

  private bracket(of: JqNode): JqNode {
    this.expect('[');
    if (this.accept(']')) return { kind: 'iterate', of };
    if (this.accept(':')) {
      const to = this.pipe();
      this.expect(']');
      return { kind: 'slice', of, to };
    }
    const key = this.pipe();
    if (this.accept(':')) {
      if (this.accept(']')) return { kind: 'slice', of, from: key };
      const to = this.pipe();
      this.expect(']');
      return { kind: 'slice', of, from: key, to };
    }
    this.expect(']');
    return { kind: 'index', of, key };
  }

  private stringNode(format: string | undefined): JqNode {
    const { parts = [] } = this.advance();
    const [only] = parts;
    if (parts.length === 1 && typeof only === 'string') return { kind: 'literal', value: only };
    return { kind: 'string', format, parts };
  }

  private primary(): JqNode {
    const { kind, text, line } = this.token;
    switch (kind) {
      case 'number':
        return { kind: 'literal', value: Number(this.advance().text) };
      case 'string':
        return this.stringNode(undefined);
      case 'format':
        this.advance();
        return (this.token.kind as string) === 'string'
          ? this.stringNode(text)
          : { kind: 'format', name: text };
      case 'field':
        this.advance();
        return { kind: 'index', of: IDENTITY, key: { kind: 'literal', value: text } };
      case 'variable':
        this.advance();
        if (text === '__loc__') return { kind: 'location', line };
        return { kind: 'variable', name: text };
      case 'name':
        return this.named(text);
      default:
        return this.sign();
    }
  }

  private named(text: string): JqNode {
    if (KEYWORDS.has(text)) {
      if (text === 'def') {
        const definition = this.definition();
        return { kind: 'define', definition, body: this.pipe() };
      }
      this.unexpected();
    }
    this.advance();
    if (text === 'break' && this.token.kind === 'variable')
      return { kind: 'break', name: this.advance().text };
    const constants: Readonly<Record<string, JqValue>> = { true: true, false: false, null: null };
    if (Object.hasOwn(constants, text)) return { kind: 'literal', value: constants[text] ?? null };
    const args: JqNode[] = [];
    if (this.accept('(')) {
      do args.push(this.pipe());
      while (this.accept(';'));
      this.expect(')');
    }
    return { kind: 'call', name: text, args };
  }

  private sign(): JqNode {
    if (this.is('(')) return this.parenthesised();
    if (this.accept('[')) {
      if (this.accept(']')) return { kind: 'array' };
      const body = this.pipe();
      this.expect(']');
      return { kind: 'array', body };
    }
    if (this.accept('{')) return this.object();
    if (this.accept('..')) return { kind: 'recurse' };
    if (!this.accept('.')) return this.unexpected();
    if (this.token.kind === 'string') return { kind: 'index', of: IDENTITY, key: this.stringNode(undefined) };
    return IDENTITY;
  }

  private object(): JqNode {
    const entries: { key: JqNode; value: JqNode }[] = [];
    while (!this.is('}')) {
      entries.push(this.entry());
      if (!this.accept(',')) break;
    }
    this.expect('}');
    return { kind: 'object', entries };
  }

  private entry(): { key: JqNode; value: JqNode } {
    const { kind, text, line } = this.token;
    if (kind === 'variable') {
      this.advance();
      const value: JqNode =
        text === '__loc__' ? { kind: 'location', line } : { kind: 'variable', name: text };
      return { key: { kind: 'literal', value: text }, value };
    }
    let key: JqNode;
    if (this.is('(')) key = this.parenthesised();
    else if (kind === 'number') this.unexpected();
    else if (kind === 'format') {
      this.advance();
      key = this.stringNode(text);
    } else key = this.keyName();
    if (!this.accept(':')) return { key, value: { kind: 'index', of: IDENTITY, key } };
    return { key, value: this.objectValue() };
  }

  /** A value of an object: terms joined by `|` only. */
  private objectValue(): JqNode {
    let left: JqNode = this.accept('-')
      ? { kind: 'negate', of: this.postfix(this.primary()) }
      : this.is('if') || this.is('reduce') || this.is('foreach') || this.is('try')
        ? this.unary()
        : this.postfix(this.primary());
    while (this.accept('|')) left = { kind: 'pipe', left, right: this.postfix(this.primary()) };
    return left;
  }
}
