/**
 * What Python prints for a dataclass: `Name(field='text', other=Inner(x=1, y=2.5), flag=None)`.
 *
 * Read as data; nothing is executed. A record inside is an object with its name under `record`.
 */
import type { Json } from '../../core/index.js';
import { PythonReadError, type PythonToken, pythonTokens } from './python-tokens.js';

/** A record with its name. */
export interface PythonRecord {
  readonly name: string;
  readonly fields: Readonly<Record<string, Json>>;
}

const MAX_DEPTH = 20;

/** Reads a text that is one record; undefined for any other text. */
export function parsePythonRecord(text: string): PythonRecord | undefined {
  if (!/^[A-Za-z_]\w*\(/.test(text)) return undefined;
  try {
    const reader = new RecordReader(pythonTokens(text));
    return reader.whole();
  } catch (error) {
    if (error instanceof PythonReadError) return undefined;
    throw error;
  }
}

class RecordReader {
  private next = 0;

  constructor(private readonly tokens: readonly PythonToken[]) {}

  whole(): PythonRecord {
    const { text: name } = this.take();
    const fields = this.fields(0);
    if (this.take().kind !== 'end') throw new PythonReadError('more than one record', 0);
    return { name, fields };
  }

  private take(): PythonToken {
    const token = this.tokens[this.next] ?? { kind: 'end', text: '', at: 0 };
    this.next += 1;
    return token;
  }

  private isSign(text: string): boolean {
    const token = this.tokens[this.next];
    return token?.kind === 'sign' && token.text === text;
  }

  private expect(text: string): void {
    const token = this.take();
    if (token.kind !== 'sign' || token.text !== text)
      throw new PythonReadError(`${text} is missing`, token.at);
  }

  private fields(depth: number): Readonly<Record<string, Json>> {
    if (depth > MAX_DEPTH) throw new PythonReadError('records nest too deep', 0);
    this.expect('(');
    const fields: [string, Json][] = [];
    while (!this.isSign(')')) {
      const { kind, text, at } = this.take();
      if (kind !== 'name') throw new PythonReadError('a field without a name', at);
      this.expect('=');
      fields.push([text, this.value(depth)]);
      if (!this.isSign(',')) break;
      this.next += 1;
    }
    this.expect(')');
    return Object.fromEntries(fields);
  }

  private value(depth: number): Json {
    const token = this.take();
    const { kind, text, at } = token;
    if (kind === 'string') return text;
    if (kind === 'number') return this.number(text, at);
    if (kind === 'name') {
      if (text === 'True' || text === 'False') return text === 'True';
      if (text === 'None') return null;
      if (this.isSign('(')) return { record: text, ...this.fields(depth + 1) };
    }
    if (kind === 'sign' && text === '-') return -this.number(this.take().text, at);
    if (kind === 'sign' && (text === '[' || text === '(')) return this.list(text === '[' ? ']' : ')', depth);
    throw new PythonReadError('a value that is no literal', at);
  }

  private number(text: string, at: number): number {
    const value = Number(text);
    if (!Number.isFinite(value)) throw new PythonReadError('a number that is none', at);
    return value;
  }

  private list(end: string, depth: number): readonly Json[] {
    if (depth > MAX_DEPTH) throw new PythonReadError('lists nest too deep', 0);
    const items: Json[] = [];
    while (!this.isSign(end)) {
      items.push(this.value(depth + 1));
      if (!this.isSign(',')) break;
      this.next += 1;
    }
    this.expect(end);
    return items;
  }
}
