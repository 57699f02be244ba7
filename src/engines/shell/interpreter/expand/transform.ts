/**
 * `${name@operator}`: quoting, escapes, prompts, attributes and declarations of a value.
 */
import { decodeEscapes } from '../../syntax/ansi-c.js';
import type { ParameterPart } from '../../syntax/parameter.js';
import { ShellFailure } from '../failures.js';
import { renderPrompt } from '../prompt.js';
import type { Shell } from '../shell.js';
import { ansiQuoted, declaredKey, declaredValue, needsAnsiQuotes, singleQuoted } from '../state/quoting.js';
import { keysOf, type ListValue, type NameValue } from './names.js';

function quoted(text: string): string {
  if (text === '') return "''";
  return needsAnsiQuotes(text) ? ansiQuoted(text) : singleQuoted(text);
}

/** Applies a transformation to a value. */
export function transform(shell: Shell, part: ParameterPart, value: NameValue): NameValue {
  const operator = part.argument ?? '';
  if (operator === 'A') return declaration(shell, part, value);
  if (operator === 'a') return attributes(shell, part, value);
  if (operator === 'k' || operator === 'K') return keyValue(shell, part, value);
  const change = changeOf(shell, operator);
  if (change === undefined) throw new ShellFailure(`${part.source}: bad substitution`);
  if (value === undefined) return undefined;
  if (typeof value === 'string') return change(value);
  return { ...value, values: value.values.map(change) };
}

function changeOf(shell: Shell, operator: string): ((text: string) => string) | undefined {
  switch (operator) {
    case 'Q':
      return quoted;
    case 'E':
      return (text) => decodeEscapes(text, 'quote').text;
    case 'P':
      return (text) => renderPrompt(shell, text);
    case 'U':
      return (text) => text.toUpperCase();
    case 'u':
      return (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
    case 'L':
      return (text) => text.toLowerCase();
    default:
      return undefined;
  }
}

function letters(shell: Shell, name: string): string {
  return shell.variables.find(name)?.letters() ?? '';
}

function attributes(shell: Shell, part: ParameterPart, value: NameValue): NameValue {
  const own = letters(shell, part.name);
  if (typeof value === 'object') return { ...value, values: value.values.map(() => own) };
  if (shell.variables.find(part.name) === undefined) return value === undefined ? undefined : '';
  return own;
}

function declaration(shell: Shell, part: ParameterPart, value: NameValue): NameValue {
  if (part.name === '@' || part.name === '*') {
    const values = typeof value === 'object' ? value.values : [];
    return values.length === 0
      ? ''
      : { values: ['set', '--', ...values.map(quoted)], isStar: part.name === '*' };
  }
  const variable = shell.variables.find(part.name);
  if (variable === undefined)
    return value === undefined ? undefined : `${part.name}=${quoted(String(value))}`;
  const flags = variable.letters();
  const head = flags === '' ? '' : `declare -${flags} `;
  if (typeof value === 'object') {
    if (!variable.isArray) return `${head}${part.name}=${quoted(variable.text ?? '')}`;
    const items = (variable.array?.entries() ?? []).map(
      ([key, text]) => `[${variable.isAssociative ? declaredKey(key) : key}]=${declaredValue(text)}`,
    );
    return `${head}${part.name}=(${items.join(' ')}${variable.isAssociative && items.length > 0 ? ' ' : ''})`;
  }
  if (value === undefined) return head === '' ? undefined : `${head}${part.name}`;
  return `${head}${part.name}=${quoted(value)}`;
}

function keyValue(shell: Shell, part: ParameterPart, value: NameValue): NameValue {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return quoted(value);
  const keys = part.name === '@' || part.name === '*' ? [] : keysOf(shell, part.name);
  if (keys.length === 0) return { ...value, values: value.values.map(quoted) };
  if (part.argument === 'k')
    return { ...value, values: value.values.flatMap((text, index) => [keys[index] ?? '', text]) };
  const isAssociative = shell.variables.find(part.name)?.isAssociative === true;
  const text = value.values
    .map(
      (one, index) => `${isAssociative ? declaredKey(keys[index] ?? '') : keys[index]} ${declaredValue(one)}`,
    )
    .join(' ');
  return {
    values: [isAssociative && text !== '' ? `${text} ` : text],
    isStar: value.isStar,
  } satisfies ListValue;
}
