/**
 * `$name` and `${…}` with all operators.
 *
 * Source: bash manual, Shell Parameter Expansion; messages as observed in bash 5.2.
 */
import type { ParameterPart } from '../../syntax/parameter.js';
import { type Part, parseParts } from '../../syntax/word-parts.js';
import { ShellFailure } from '../failures.js';
import { charsOf, patternOf } from '../patterns/pattern.js';
import type { Shell } from '../shell.js';
import { ATTRIBUTE } from '../state/variable.js';
import { addList, expandArithmeticText, expandParts, once } from './expander.js';
import {
  evaluate,
  keysOf,
  type ListValue,
  type NameValue,
  readName,
  specialParameter,
  unbound,
  writeName,
} from './names.js';
import { PatternSink, type Sink, TextSink } from './sinks.js';
import { changeCase, removeMatch, replaceMatch } from './string-operators.js';
import { transform } from './transform.js';

/** Expands one parameter into a sink. */
export function expandParameter(shell: Shell, part: ParameterPart, sink: Sink): void {
  if (part.form === 'value' && part.operator === '') {
    addPlain(shell, part, sink);
    return;
  }
  if (part.form === 'bad') throw new ShellFailure(`${part.source}: bad substitution`);
  if (part.form === 'length') {
    addOne(sink, part, String(lengthOf(shell, part)));
    return;
  }
  if (part.form === 'prefix' || part.form === 'keys') {
    const values = part.form === 'keys' ? keysOf(shell, part.name) : prefixed(shell, part.name);
    const star = part.form === 'keys' ? part.subscript === '*' : part.operator === '*';
    addList(shell, { values, isStar: star }, { sink, quoted: part.quoted });
    return;
  }
  const target = part.form === 'indirect' ? indirect(shell, part, sink) : part;
  if (target === undefined) return;
  if (target.operator === '') addPlain(shell, target, sink);
  else withOperator(shell, target, sink);
}

function addOne(sink: Sink, part: ParameterPart, value: string): void {
  if (part.quoted) sink.quoted(value);
  else sink.split(value);
}

/** The value of a parameter, special ones included. */
function parameterValue(shell: Shell, part: ParameterPart): NameValue {
  const { name, subscript } = part;
  if (subscript === undefined) {
    const special = specialParameter(shell, name);
    if (special !== null) return special;
    if ((name === 'RANDOM' || name === 'SRANDOM') && shell.outputs !== undefined)
      return once(shell, part, () => String(readName(shell, name) ?? ''));
  }
  return readName(shell, name, subscript);
}

function addPlain(shell: Shell, part: ParameterPart, sink: Sink): void {
  const value = parameterValue(shell, part);
  if (typeof value === 'string') addOne(sink, part, value);
  else if (value === undefined) {
    if (shell.is('nounset')) throw unbound(shell, nameShown(part));
    addOne(sink, part, '');
  } else addList(shell, value, { sink, quoted: part.quoted });
}

function nameShown(part: ParameterPart): string {
  if (/^\d+$/.test(part.name) || part.name === '!') return `$${part.name}`;
  return part.subscript === undefined ? part.name : `${part.name}[${part.subscript}]`;
}

function prefixed(shell: Shell, prefix: string): string[] {
  const names = new Set([...shell.variables.names(), ...shell.variables.specials.keys()]);
  return [...names].filter((name) => name.startsWith(prefix)).sort();
}

function lengthOf(shell: Shell, part: ParameterPart): number {
  const array =
    part.subscript === '@' || part.subscript === '*' ? shell.variables.find(part.name)?.array : undefined;
  if (array !== undefined) return array.size;
  const value = parameterValue(shell, part);
  if (value === undefined) {
    if (shell.is('nounset')) throw unbound(shell, nameShown(part));
    return 0;
  }
  if (typeof value === 'object') return value.values.length;
  return /[\ud800-\udbff]/.test(value) ? [...value].length : value.length;
}

/** `${!name}`: the parameter that the value names, with the same operator. */
function indirect(shell: Shell, part: ParameterPart, sink: Sink): ParameterPart | undefined {
  const variable = part.subscript === undefined ? shell.variables.findPlain(part.name) : undefined;
  if (variable?.has(ATTRIBUTE.reference) === true && part.operator === '') {
    addOne(sink, part, variable.text ?? '');
    return undefined;
  }
  const value = parameterValue(shell, part);
  const name = typeof value === 'object' ? value.values.join(' ') : value;
  const isSpecial = specialParameter(shell, part.name) !== null;
  if (name === undefined || name === '') {
    if (/^[:]?[-=?+]$/.test(part.operator) && name === undefined)
      return { ...part, form: 'value', name: '', subscript: '0' };
    if (isSpecial && name === undefined) {
      addOne(sink, part, '');
      return undefined;
    }
    throw new ShellFailure(
      name === undefined ? `${part.name}: invalid indirect expansion` : `${name}: invalid variable name`,
    );
  }
  const match = /^([A-Za-z_]\w*|\d+|[@*#?$!-])(?:\[([\s\S]*)\])?$/.exec(name);
  if (match === null) throw new ShellFailure(`${name}: invalid variable name`);
  const { subscript: _subscript, ...rest } = part;
  const [, target = '', subscript] = match;
  return { ...rest, form: 'value', name: target, ...(subscript === undefined ? {} : { subscript }) };
}

/** The parts of an operator's word. */
function argumentParts(shell: Shell, part: ParameterPart, which: 'argument' | 'second'): readonly Part[] {
  const cached = which === 'argument' ? part.argumentParts : part.secondParts;
  if (cached !== undefined) return cached;
  const text = (which === 'argument' ? part.argument : part.second) ?? '';
  const isWord = /^:?[-=?+]$/.test(part.operator);
  const parts = parseParts(
    text,
    part.quoted && isWord ? 'inner' : isWord ? 'assignment' : 'word',
    shell.readOptions(),
  );
  if (which === 'argument') part.argumentParts = parts;
  else part.secondParts = parts;
  return parts;
}

function withOperator(shell: Shell, part: ParameterPart, sink: Sink): void {
  const { operator } = part;
  if (/^:?[-=?+]$/.test(operator)) {
    orElse(shell, part, sink);
    return;
  }
  const value = parameterValue(shell, part);
  if (operator === ':') {
    slice(shell, part, { sink, value });
    return;
  }
  if (operator === '@') {
    const result = transform(shell, part, value);
    if (typeof result === 'object') addList(shell, result, { sink, quoted: part.quoted });
    else if (result !== undefined) addOne(sink, part, result);
    else if (shell.is('nounset')) throw unbound(shell, nameShown(part));
    else addOne(sink, part, '');
    return;
  }
  if (value === undefined) {
    if (shell.is('nounset')) throw unbound(shell, nameShown(part));
    addOne(sink, part, '');
    return;
  }
  const change = changer(shell, part);
  if (typeof value === 'string') addOne(sink, part, change(value));
  else addList(shell, { ...value, values: value.values.map(change) }, { sink, quoted: part.quoted });
}

/** The function that an operator applies to each element. */
function changer(shell: Shell, part: ParameterPart): (text: string) => string {
  const { operator } = part;
  const patternSink = new PatternSink();
  expandParts(shell, argumentParts(shell, part, 'argument'), patternSink);
  const ignoreCase = operator.startsWith('/') && shell.shopt('nocasematch');
  const pattern = patternOf(patternSink.text, { extglob: shell.shopt('extglob'), ignoreCase });
  if (operator.startsWith('#') || operator.startsWith('%'))
    return (text) => removeMatch(text, pattern, operator);
  if (operator.startsWith('/')) {
    const replacement = replacementOf(shell, part);
    return (text) => replaceMatch(text, pattern, { operator, replacement });
  }
  const wanted = part.argument === '' ? undefined : pattern;
  return (text) => changeCase(text, operator, wanted);
}

function replacementOf(shell: Shell, part: ParameterPart): string {
  if (part.second === undefined) return '';
  const keepsAnd = shell.shopt('patsub_replacement');
  const sink = new PatternSink((text) => text.replace(/[\\&]/g, '\\$&'));
  if (keepsAnd) {
    expandParts(shell, argumentParts(shell, part, 'second'), sink);
    return sink.text;
  }
  const plain = new TextSink();
  expandParts(shell, argumentParts(shell, part, 'second'), plain);
  return plain.text.replace(/[\\&]/g, '\\$&');
}

/** `-`, `=`, `?`, `+` and their forms with a colon. */
function orElse(shell: Shell, part: ParameterPart, sink: Sink): void {
  const value = part.name === '' ? undefined : parameterValue(shell, part);
  const isList = typeof value === 'object';
  const colon = part.operator.startsWith(':');
  const text = isList ? value.values.join(value.isStar ? ' ' : ' ') : value;
  const isNull = isList
    ? colon
      ? text === ''
      : value.values.length === 0
    : text === undefined || (colon && text === '');
  const kind = part.operator.slice(-1);
  if (kind === '+') {
    if (!isNull) addArgument(shell, part, sink);
    else if (part.quoted && !isList) sink.quoted('');
    return;
  }
  if (!isNull) {
    if (isList) addList(shell, value, { sink, quoted: part.quoted });
    else addOne(sink, part, text ?? '');
    return;
  }
  if (kind === '-') addArgument(shell, part, sink);
  else if (kind === '=') assignDefault(shell, part, sink);
  else throw missing(shell, part, colon);
}

function addArgument(shell: Shell, part: ParameterPart, sink: Sink): void {
  const parts = argumentParts(shell, part, 'argument');
  if (part.quoted && parts.length === 0) sink.quoted('');
  expandParts(shell, parts, sink, !part.quoted);
}

function argumentText(shell: Shell, part: ParameterPart): string {
  const sink = new TextSink();
  expandParts(shell, argumentParts(shell, part, 'argument'), sink);
  return sink.text;
}

function assignDefault(shell: Shell, part: ParameterPart, sink: Sink): void {
  const value = argumentText(shell, part);
  if (!/^[A-Za-z_]/.test(part.name)) throw new ShellFailure(`$${part.name}: cannot assign in this way`);
  writeName(shell, { name: part.name, subscript: part.subscript, value });
  const stored = readName(shell, part.name, part.subscript);
  addOne(sink, part, typeof stored === 'string' ? stored : value);
}

function missing(shell: Shell, part: ParameterPart, colon: boolean): ShellFailure {
  const text = argumentText(shell, part);
  const message = part.argument === '' ? (colon ? 'parameter null or not set' : 'parameter not set') : text;
  const name = part.subscript === undefined ? part.name : `${part.name}[${part.subscript}]`;
  const status = shell.isCommandString ? 127 : 1;
  return new ShellFailure(`${name}: ${message}`, 'exit', status);
}

function number(shell: Shell, text: string): number {
  return Number(evaluate(shell, expandArithmeticText(shell, text)));
}

/** `${name:offset:length}`. */
function slice(shell: Shell, part: ParameterPart, how: { sink: Sink; value: NameValue }): void {
  const { sink, value } = how;
  if (typeof value === 'object') {
    addList(shell, { ...value, values: sliceList(shell, part, value) }, { sink, quoted: part.quoted });
    return;
  }
  if (value === undefined && shell.is('nounset')) throw unbound(shell, nameShown(part));
  const chars = charsOf(value ?? '');
  let offset = number(shell, part.argument ?? '');
  if (offset < 0) offset += chars.length;
  if (offset < 0 || offset > chars.length) {
    addOne(sink, part, '');
    return;
  }
  let end = chars.length;
  if (part.second !== undefined) {
    const length = number(shell, part.second);
    end = length < 0 ? chars.length + length : offset + length;
    if (length < 0 && end < offset) throw new ShellFailure(`${part.second.trim()}: substring expression < 0`);
  }
  addOne(sink, part, chars.slice(offset, end).join(''));
}

function sliceList(shell: Shell, part: ParameterPart, value: ListValue): readonly string[] {
  const isPositional = part.name === '@' || part.name === '*';
  let offset = number(shell, part.argument ?? '');
  const length = part.second === undefined ? undefined : number(shell, part.second);
  if (length !== undefined && length < 0)
    throw new ShellFailure(`${part.second?.trim()}: substring expression < 0`);
  let values = value.values;
  if (isPositional) {
    if (offset < 0) offset += values.length + 1;
    if (offset < 0) return [];
    values = [shell.name, ...values];
    return values.slice(offset, length === undefined ? undefined : offset + length);
  }
  const keys = keysOf(shell, part.name).map(Number);
  const isIndexed = shell.variables.find(part.name)?.isAssociative !== true && keys.length === values.length;
  if (!isIndexed) {
    if (offset < 0) offset += values.length;
    return values.slice(Math.max(0, offset), length === undefined ? undefined : offset + length);
  }
  if (offset < 0) offset += (keys[keys.length - 1] ?? -1) + 1;
  if (offset < 0) return [];
  const start = keys.findIndex((key) => key >= offset);
  return start === -1 ? [] : values.slice(start, length === undefined ? undefined : start + length);
}
