/**
 * The inside of `${…}`: name, subscript, operator and its words.
 *
 * Source: bash manual, Shell Parameter Expansion. What is none of its forms keeps `form: 'bad'` and its text.
 */
import type { Part } from './word-parts.js';

/** An expansion of a parameter. */
export interface ParameterPart {
  readonly kind: 'parameter';
  readonly name: string;
  readonly subscript?: string;
  /** `value`; `length` is `${#x}`; `indirect` `${!x}`; `prefix` `${!x*}`; `keys` `${!x[@]}`; `bad` is none of them. */
  readonly form: 'value' | 'length' | 'indirect' | 'prefix' | 'keys' | 'bad';
  /** '' or one of the operators; `:` is the slice. */
  readonly operator: string;
  /** The words of the operator as written. */
  readonly argument?: string;
  readonly second?: string;
  readonly quoted: boolean;
  /** The whole expansion as written. */
  readonly source: string;
  /** Parts of `argument` and `second`, found at the first expansion. */
  argumentParts?: readonly Part[];
  secondParts?: readonly Part[];
}

const NAME = /^([A-Za-z_]\w*|\d+|[@*#?$!-])/;
const OPERATORS = [
  ':-',
  ':=',
  ':?',
  ':+',
  '-',
  '=',
  '?',
  '+',
  '##',
  '#',
  '%%',
  '%',
  '//',
  '/#',
  '/%',
  '/',
  '^^',
  '^',
  ',,',
  ',',
  '~~',
  '~',
  '@',
  ':',
];

/** Where a bracket that opens at `from` closes, quotes and nesting respected; -1 where it does not. */
function closingBracket(text: string, from: number): number {
  let depth = 0;
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === '\\') at += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '[') depth += 1;
    else if (char === ']') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** A name with an optional subscript at the beginning of a text. */
function readReference(text: string): { name: string; subscript?: string; length: number } | undefined {
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return undefined;
  if (text[name.length] !== '[' || !/^[A-Za-z_]/.test(name)) return { name, length: name.length };
  const close = closingBracket(text, name.length);
  if (close === -1) return { name, length: name.length };
  return { name, subscript: text.slice(name.length + 1, close), length: close + 1 };
}

/** Splits at the first separator outside quotes, brackets and nested expansions. */
function splitAt(text: string, separator: string): [string, string | undefined] {
  let depth = 0;
  let questions = 0;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === '\\') at += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if ((char === '$' && '({'.includes(text[at + 1] ?? ' ')) || (char === '(' && separator === ':')) {
      depth += 1;
      if (char === '$') at += 1;
    } else if (depth > 0 && (char === ')' || char === '}')) depth -= 1;
    else if (depth > 0 && (char === '(' || char === '{')) depth += 1;
    else if (separator === ':' && char === '?' && depth === 0) questions += 1;
    else if (char === separator && depth === 0) {
      if (questions > 0) questions -= 1;
      else return [text.slice(0, at), text.slice(at + 1)];
    }
  }
  return [text, undefined];
}

/** Reads what stands between the braces. */
export function parseParameter(body: string, quoted: boolean): ParameterPart {
  const source = `\${${body}}`;
  const bad: ParameterPart = { kind: 'parameter', name: '', form: 'bad', operator: '', quoted, source };
  if (body.length > 1 && body[0] === '#') {
    const target = readReference(body.slice(1));
    if (target !== undefined && target.length === body.length - 1)
      return { ...bad, ...pick(target), form: 'length' };
    if (target !== undefined && !/^#[-:=?+#%/@^,~]/.test(body)) return bad;
  }
  if (body.length > 1 && body[0] === '!') {
    const target = readReference(body.slice(1));
    if (target !== undefined) {
      const rest = body.slice(1 + target.length);
      const isName = /^[A-Za-z_]/.test(target.name);
      if ((rest === '*' || rest === '@') && isName && target.subscript === undefined)
        return { ...bad, name: target.name, form: 'prefix', operator: rest };
      if (rest === '' && (target.subscript === '@' || target.subscript === '*'))
        return { ...bad, ...pick(target), form: 'keys' };
      return withOperator({ ...bad, ...pick(target), form: 'indirect' }, rest, bad);
    }
  }
  const target = readReference(body);
  if (target === undefined) return bad;
  return withOperator({ ...bad, ...pick(target), form: 'value' }, body.slice(target.length), bad);
}

function pick(target: { name: string; subscript?: string }): { name: string; subscript?: string } {
  return target.subscript === undefined
    ? { name: target.name }
    : { name: target.name, subscript: target.subscript };
}

function withOperator(part: ParameterPart, rest: string, bad: ParameterPart): ParameterPart {
  if (rest === '') return part;
  const operator = OPERATORS.find((one) => rest.startsWith(one));
  if (operator === undefined) return bad;
  const argument = rest.slice(operator.length);
  if (operator === '@') return /^[A-Za-z]$/.test(argument) ? { ...part, operator, argument } : bad;
  if (operator === ':') {
    if (argument === '') return bad;
    const [offset, length] = splitAt(argument, ':');
    return { ...part, operator, argument: offset, ...(length === undefined ? {} : { second: length }) };
  }
  if (operator.startsWith('/')) {
    // A slash as the first character belongs to the pattern.
    const first = operator === '/' && argument.startsWith('/') ? 1 : 0;
    const [pattern, replacement] = splitAt(argument.slice(first), '/');
    const whole = argument.slice(0, first) + pattern;
    return {
      ...part,
      operator,
      argument: whole,
      ...(replacement === undefined ? {} : { second: replacement }),
    };
  }
  return { ...part, operator, argument };
}
