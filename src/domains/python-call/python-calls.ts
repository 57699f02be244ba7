/**
 * Lines of Python calls with literal arguments, read and never executed.
 *
 * What is read: `module.name(1, -2.5, 'text', key=[…])`, `import` lines with their other names, assignments of a literal
 * to a name (the name then stands for it) and to an attribute, comments, several statements on a line. What has to be
 * computed (arithmetic, f-strings, calls in arguments, loops, conditions, definitions) is refused with a reason that
 * names it. Bounded in depth and number; linear in the text.
 */
import { fail, type Json, ok, type Result } from '../../core/index.js';
import { type PythonProblem, PythonReadError, type PythonToken, pythonTokens } from './python-tokens.js';

/** A name that stands for something that is not known here, for example `pyautogui.easeInQuad`. */
export interface PythonName {
  readonly pythonName: string;
}

/** A literal; tuples are lists. */
export type PythonValue = null | boolean | number | string | readonly PythonValue[] | PythonName | PythonDict;

/** A dictionary with texts as keys. */
export interface PythonDict {
  readonly entries: ReadonlyMap<string, PythonValue>;
}

/** One call. */
export interface PythonCall {
  readonly kind: 'call';
  /** The dotted name as it is after imports: `pg.click` behind `import pyautogui as pg` is `pyautogui.click`. */
  readonly callee: string;
  readonly args: readonly PythonValue[];
  readonly keywords: ReadonlyMap<string, PythonValue>;
  readonly at: number;
}

/** A value given to an attribute, for example `pyautogui.PAUSE = 0.5`. */
export interface PythonSetting {
  readonly kind: 'set';
  readonly name: string;
  readonly value: PythonValue;
  readonly at: number;
}

/** A name alone on its line, for example `DONE`. */
export interface PythonWord {
  readonly kind: 'word';
  readonly name: string;
  readonly at: number;
}

/** What a statement does, of those that do something. */
export type PythonStatement = PythonCall | PythonSetting | PythonWord;

/** True for a name that stands for something unknown. */
export function isPythonName(value: PythonValue): value is PythonName {
  return typeof value === 'object' && value !== null && 'pythonName' in value;
}

/** Nesting of brackets in a value. */
const MAX_DEPTH = 50;
const BLOCK_WORDS = new Set(
  (
    'for while if elif else try except finally with def class return lambda async await yield raise assert del ' +
    'global nonlocal match break continue'
  ).split(' '),
);

/** Reads all statements, or says what the first one is that cannot be read. */
export function parsePythonCalls(text: string): Result<readonly PythonStatement[], PythonProblem> {
  try {
    return ok(new Reader(pythonTokens(text)).run());
  } catch (error) {
    if (error instanceof PythonReadError) return fail({ message: error.message, at: error.at });
    throw error;
  }
}

class Reader {
  private next = 0;
  private readonly modules = new Map<string, string>();
  private readonly constants = new Map<string, PythonValue>();
  private readonly statements: PythonStatement[] = [];
  private indent: number | undefined;

  constructor(private readonly tokens: readonly PythonToken[]) {}

  run(): readonly PythonStatement[] {
    while (this.next < this.tokens.length) {
      if (this.peek().kind === 'end') this.next += 1;
      else this.statement();
    }
    return this.statements;
  }

  private peek(ahead = 0): PythonToken {
    return this.tokens[this.next + ahead] ?? { kind: 'end', text: '', at: this.tokens.at(-1)?.at ?? 0 };
  }

  private take(): PythonToken {
    const token = this.peek();
    this.next += 1;
    return token;
  }

  private isSign(text: string): boolean {
    const token = this.peek();
    return token.kind === 'sign' && token.text === text;
  }

  private refuse(message: string, at = this.peek().at): never {
    throw new PythonReadError(message, at);
  }

  private statement(): void {
    const first = this.peek();
    if (first.indent !== undefined) {
      this.indent ??= first.indent;
      if (first.indent !== this.indent) this.refuse('an indented block; only calls in a row are read');
    }
    if (first.kind !== 'name') this.refuse(`a statement that begins with ${shown(first)}; calls are read`);
    if (first.text === 'import') this.importModules();
    else if (first.text === 'from') this.importNames();
    else if (first.text === 'pass') this.next += 1;
    else if (BLOCK_WORDS.has(first.text) && !this.isSpecial(1)) {
      this.refuse(`"${first.text}" has to be computed; only calls in a row are read`);
    } else this.callOrSetting();
    const after = this.peek();
    if (after.kind !== 'end')
      this.refuse(`${shown(after)} behind the statement; one call for each statement`);
  }

  /** True where the word at hand is used as an ordinary name. */
  private isSpecial(ahead: number): boolean {
    const token = this.peek(ahead);
    return token.kind === 'sign' && (token.text === '=' || token.text === '.');
  }

  private dotted(): string {
    const parts = [this.name()];
    while (this.isSign('.')) {
      this.next += 1;
      parts.push(this.name());
    }
    return parts.join('.');
  }

  private name(): string {
    const token = this.take();
    if (token.kind !== 'name') this.refuse(`${shown(token)} where a name is wanted`, token.at);
    return token.text;
  }

  private importModules(): void {
    do {
      this.next += 1;
      const module = this.dotted();
      if (this.peek().kind === 'name' && this.peek().text === 'as') {
        this.next += 1;
        this.modules.set(this.name(), module);
      }
    } while (this.isSign(','));
  }

  private importNames(): void {
    this.next += 1;
    const module = this.dotted();
    if (this.name() !== 'import') this.refuse('"from" without "import"');
    const inBrackets = this.isSign('(');
    if (inBrackets) this.next += 1;
    for (;;) {
      if (this.isSign('*')) this.next += 1;
      else {
        const name = this.name();
        const hasOther = this.peek().kind === 'name' && this.peek().text === 'as';
        if (hasOther) this.next += 1;
        this.modules.set(hasOther ? this.name() : name, `${module}.${name}`);
      }
      if (!this.isSign(',')) break;
      this.next += 1;
      if (inBrackets && this.isSign(')')) break;
    }
    if (inBrackets) this.close(')');
  }

  private callOrSetting(): void {
    const { at } = this.peek();
    const targets = [this.dotted()];
    while (this.isSign(',')) {
      this.next += 1;
      targets.push(this.dotted());
    }
    if (this.isSign('=')) {
      this.next += 1;
      this.assign(targets, at);
      return;
    }
    const [name = ''] = targets;
    if (targets.length > 1) this.refuse('a list of names; calls are read', at);
    if (this.isSign('(')) this.statements.push(this.call(name, at));
    else this.statements.push({ kind: 'word', name, at });
  }

  private assign(targets: readonly string[], at: number): void {
    const first = this.peek();
    const start = this.next;
    if (first.kind === 'name') {
      const name = this.dotted();
      if (this.isSign('(')) {
        // What the call gives back is not known; its effect is.
        this.statements.push(this.call(name, at));
        for (const target of targets) this.constants.set(target, { pythonName: target });
        return;
      }
      this.next = start;
    }
    const value = this.tuple();
    const [target = ''] = targets;
    if (targets.length === 1) {
      if (target.includes('.')) this.statements.push({ kind: 'set', name: this.resolved(target), value, at });
      else this.constants.set(target, value);
      return;
    }
    if (!Array.isArray(value) || value.length !== targets.length)
      this.refuse(`${targets.length} names for another number of values`, at);
    for (const [index, name] of targets.entries())
      this.constants.set(name, (value as readonly PythonValue[])[index] ?? null);
  }

  private tuple(): PythonValue {
    const first = this.value(0);
    if (!this.isSign(',')) return first;
    const all = [first];
    while (this.isSign(',')) {
      this.next += 1;
      if (this.peek().kind === 'end') break;
      all.push(this.value(0));
    }
    return all;
  }

  private resolved(name: string): string {
    const dot = name.indexOf('.');
    const head = dot < 0 ? name : name.slice(0, dot);
    const module = this.modules.get(head);
    return module === undefined ? name : `${module}${dot < 0 ? '' : name.slice(dot)}`;
  }

  private call(name: string, at: number): PythonCall {
    this.next += 1;
    const args: PythonValue[] = [];
    const keywords = new Map<string, PythonValue>();
    while (!this.isSign(')')) {
      if (this.isSign('*') || this.isSign('**')) this.spread(args, keywords);
      else if (this.peek().kind === 'name' && this.isEquals(1)) {
        const key = this.name();
        this.next += 1;
        if (keywords.has(key)) this.refuse(`the argument "${key}" is given twice`);
        keywords.set(key, this.value(0));
      } else {
        if (keywords.size > 0) this.refuse('an argument without a name behind one with a name');
        args.push(this.value(0));
      }
      if (!this.isSign(',')) break;
      this.next += 1;
    }
    this.close(')');
    return { kind: 'call', callee: this.resolved(name), args, keywords, at };
  }

  /** `*[…]` gives arguments one by one. */
  private spread(args: PythonValue[], keywords: ReadonlyMap<string, PythonValue>): void {
    const { text, at } = this.take();
    const value = this.value(0);
    if (text !== '*' || !Array.isArray(value) || keywords.size > 0)
      this.refuse(`${text} before arguments is not read; write them out`, at);
    args.push(...(value as readonly PythonValue[]));
  }

  private isEquals(ahead: number): boolean {
    const token = this.peek(ahead);
    return token.kind === 'sign' && token.text === '=';
  }

  private close(sign: string): void {
    if (!this.isSign(sign)) {
      const token = this.peek();
      this.refuse(
        token.kind === 'end' ? `"${sign}" is missing` : `${shown(token)} where "," or "${sign}" is wanted`,
      );
    }
    this.next += 1;
  }

  private value(depth: number): PythonValue {
    if (depth > MAX_DEPTH) this.refuse(`values nest deeper than ${MAX_DEPTH}`);
    const token = this.take();
    const value = this.simple(token, depth);
    const after = this.peek();
    const isPart = after.kind !== 'sign' || [',', ')', ']', '}', ':', '='].includes(after.text);
    const isWordSign = after.kind === 'name' || after.kind === 'string' || after.kind === 'number';
    if (!isPart || isWordSign) this.refuse(`${shown(after)}: a value that has to be computed; write it out`);
    return value;
  }

  private simple(token: PythonToken, depth: number): PythonValue {
    if (token.kind === 'string') return this.joined(token.text);
    if (token.kind === 'number') return this.number(token, 1);
    if (token.kind === 'name') return this.named(token);
    if (token.text === '-' || token.text === '+') {
      const digits = this.take();
      if (digits.kind !== 'number') this.refuse('a sign without a number', token.at);
      return this.number(digits, token.text === '-' ? -1 : 1);
    }
    if (token.text === '[') return this.list(']', depth).items;
    if (token.text === '(') {
      const { items, hasComma } = this.list(')', depth);
      return items.length === 1 && !hasComma ? (items[0] ?? null) : items;
    }
    if (token.text === '{') return this.dict(depth);
    return this.refuse(
      token.kind === 'end' ? 'the call has no end' : `${shown(token)} where a value is wanted`,
      token.at,
    );
  }

  /** Strings that stand side by side are one. */
  private joined(first: string): string {
    let text = first;
    while (this.peek().kind === 'string') text += this.take().text;
    return text;
  }

  private number({ text, at }: PythonToken, sign: 1 | -1): number {
    const plain = text.replaceAll('_', '');
    if (/^0\d/.test(plain) && !/[.eE]/.test(plain) && Number(plain) !== 0)
      this.refuse(`${text} is no number in Python`, at);
    const value = sign * Number(plain);
    if (
      !Number.isFinite(value) ||
      (Number.isInteger(value) && !Number.isSafeInteger(value) && !/[.eE]/.test(plain))
    )
      this.refuse(`the number ${text.slice(0, 40)} is beyond a double`, at);
    return value === 0 ? 0 : value;
  }

  private named({ text, at }: PythonToken): PythonValue {
    if (text === 'True') return true;
    if (text === 'False') return false;
    if (text === 'None') return null;
    const known = this.constants.get(text);
    if (known !== undefined && !this.isSign('.')) return known;
    if (text === 'lambda' || text === 'not' || text === 'await')
      this.refuse(`"${text}" has to be computed`, at);
    let name = text;
    while (this.isSign('.')) {
      this.next += 1;
      name += `.${this.name()}`;
    }
    if (this.isSign('('))
      this.refuse(`the call ${name}(…) inside a call has to be computed; write its value`, at);
    return { pythonName: this.resolved(name) };
  }

  private list(
    end: string,
    depth: number,
  ): { readonly items: readonly PythonValue[]; readonly hasComma: boolean } {
    const items: PythonValue[] = [];
    let hasComma = false;
    while (!this.isSign(end)) {
      items.push(this.value(depth + 1));
      if (!this.isSign(',')) break;
      hasComma = true;
      this.next += 1;
    }
    this.close(end);
    return { items, hasComma };
  }

  private dict(depth: number): PythonValue {
    const entries = new Map<string, PythonValue>();
    while (!this.isSign('}')) {
      const { at } = this.peek();
      const key = this.value(depth + 1);
      if (typeof key !== 'string' && typeof key !== 'number')
        this.refuse('a key that is neither text nor number', at);
      if (!this.isSign(':')) this.refuse('":" is missing behind a key; sets are not read');
      this.next += 1;
      entries.set(String(key), this.value(depth + 1));
      if (!this.isSign(',')) break;
      this.next += 1;
    }
    this.close('}');
    return { entries };
  }
}

function shown(token: PythonToken): string {
  if (token.kind === 'end') return 'the end';
  return JSON.stringify(token.text.length > 40 ? `${token.text.slice(0, 40)}…` : token.text);
}

/** A value as JSON, or null-marked undefined where it holds a name that is not known. */
export function pythonJson(value: PythonValue): Json | undefined {
  if (typeof value !== 'object' || value === null) return value;
  if (isPythonName(value)) return undefined;
  if ('entries' in value && value.entries instanceof Map) {
    const pairs: [string, Json][] = [];
    for (const [key, item] of value.entries) {
      const json = pythonJson(item);
      if (json === undefined) return undefined;
      pairs.push([key, json]);
    }
    return Object.fromEntries(pairs);
  }
  const items = (value as readonly PythonValue[]).map(pythonJson);
  return items.some((item) => item === undefined) ? undefined : (items as readonly Json[]);
}
