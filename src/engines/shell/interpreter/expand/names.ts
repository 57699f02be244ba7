/**
 * Reading and writing variables by name, with subscripts, attributes and special parameters.
 *
 * Source: bash manual, Shell Parameters; messages as observed in bash 5.2.
 */
import { ArithmeticError, evaluateArithmetic } from '../arithmetic/evaluate.js';
import { ShellFailure } from '../failures.js';
import type { Shell } from '../shell.js';
import { AssociativeArray, IndexedArray } from '../state/arrays.js';
import { ATTRIBUTE, type Variable } from '../state/variable.js';
import { CircularReference } from '../state/variables.js';
import { expandArithmeticText, expandSubscript } from './expander.js';
import { joined } from './sinks.js';

/** The elements of `$@`, `$*` or an array under `@` or `*`. */
export interface ListValue {
  readonly values: readonly string[];
  readonly isStar: boolean;
}

/** What a name gives. */
export type NameValue = string | undefined | ListValue;

/** A special parameter such as `$?`; undefined for names. */
export function specialParameter(shell: Shell, name: string): NameValue | null {
  switch (name) {
    case '@':
    case '*':
      return { values: shell.positional, isStar: name === '*' };
    case '#':
      return String(shell.positional.length);
    case '?':
      return String(shell.lastStatus);
    case '$':
      return String(shell.pid);
    case '!':
      return shell.lastBackground === undefined ? undefined : String(shell.lastBackground);
    case '-':
      return flagLetters(shell);
    case '0':
      return shell.name;
    default:
      if (/^\d+$/.test(name)) return shell.positional[Number(name) - 1];
      return null;
  }
}

const FLAGS: readonly (readonly [string, string])[] = [
  ['a', 'allexport'],
  ['b', 'notify'],
  ['e', 'errexit'],
  ['f', 'noglob'],
  ['h', 'hashall'],
  ['i', ''],
  ['k', 'keyword'],
  ['m', 'monitor'],
  ['n', 'noexec'],
  ['p', 'privileged'],
  ['t', 'onecmd'],
  ['u', 'nounset'],
  ['v', 'verbose'],
  ['x', 'xtrace'],
  ['B', 'braceexpand'],
  ['C', 'noclobber'],
  ['E', 'errtrace'],
  ['H', 'histexpand'],
  ['P', 'physical'],
  ['T', 'functrace'],
];

/** The letters of `$-`. */
function flagLetters(shell: Shell): string {
  let out = '';
  for (const [letter, option] of FLAGS)
    if (option === '' ? shell.isInteractive : shell.options.has(option)) out += letter;
  if (shell.isCommandString) out += 'c';
  else if (shell.scriptSource === '') out += 's';
  return out;
}

/** Runs `work`, giving arithmetic and reference errors their place in the shell. */
export function guarded<T>(shell: Shell, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ArithmeticError) {
      const name = shell.commandName === '' ? '' : `${shell.commandName}: `;
      throw new ShellFailure(`${name}${error.message}`);
    }
    if (error instanceof CircularReference)
      throw new ShellFailure(`warning: ${error.message}: circular name reference`);
    throw error;
  }
}

/** Evaluates an expression with the variables of the shell; the text is not expanded. */
export function evaluate(shell: Shell, text: string): bigint {
  return guarded(shell, () =>
    evaluateArithmetic(text, {
      read: (name, subscript) => {
        const value = readName(shell, name, subscript);
        if (value === undefined && shell.is('nounset'))
          throw unbound(shell, subscript === undefined ? name : `${name}[${subscript}]`);
        return typeof value === 'object' ? value.values.join(' ') : value;
      },
      write: (name, subscript, value) => writeName(shell, { name, subscript, value }),
    }),
  );
}

/** The error of `set -u`. */
export function unbound(shell: Shell, name: string): ShellFailure {
  const status = shell.isCommandString ? 127 : 1;
  return new ShellFailure(`${name}: unbound variable`, 'exit', status);
}

/** The index that a subscript of an indexed array means. */
export function indexOf(
  shell: Shell,
  variable: Variable | undefined,
  name: string,
  subscript: string,
  display = name,
): number {
  const value = evaluate(shell, expandArithmeticText(shell, subscript));
  let index = Number(value);
  if (index < 0) {
    const array = variable?.array;
    const highest = array instanceof IndexedArray ? array.highest : variable?.text === undefined ? -1 : 0;
    index += highest + 1;
  }
  if (index < 0 || !Number.isSafeInteger(index)) throw new ShellFailure(`${display}: bad array subscript`);
  return index;
}

/** Reads a variable or element. */
export function readName(shell: Shell, name: string, subscript?: string): NameValue {
  if (subscript === undefined) {
    const special = shell.variables.specials.get(name);
    if (special !== undefined && shell.variables.scopes.length === 0) return firstOf(special.read());
    const variable = shell.variables.findPlain(name);
    if (variable === undefined) {
      if (special !== undefined) return firstOf(special.read());
      return specialParameter(shell, name) ?? undefined;
    }
    if (!variable.has(ATTRIBUTE.reference))
      return special !== undefined ? firstOf(special.read()) : variable.value;
    const target = shell.variables.target(name);
    if (target.name === name) return variable.text;
    return readName(shell, target.name, target.subscript);
  }
  return readElement(shell, name, subscript);
}

function firstOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value[0];
}

function readElement(shell: Shell, name: string, subscript: string): NameValue {
  const target = shell.variables.target(name).name;
  const variable = shell.variables.find(target);
  const isAll = subscript === '@' || subscript === '*';
  const special = variable === undefined ? shell.variables.specials.get(target)?.read() : undefined;
  if (special !== undefined) {
    const values = typeof special === 'string' ? [special] : special;
    if (isAll) return { values, isStar: subscript === '*' };
    return values[indexOf(shell, undefined, name, subscript)];
  }
  if (isAll) {
    if (variable === undefined) return { values: [], isStar: subscript === '*' };
    const values = variable.isArray
      ? (variable.array?.values() ?? [])
      : variable.text === undefined
        ? []
        : [variable.text];
    return { values, isStar: subscript === '*' };
  }
  if (variable?.isAssociative === true) {
    const array = variable.array;
    return array instanceof AssociativeArray ? array.get(expandSubscript(shell, subscript)) : undefined;
  }
  let index: number;
  try {
    index = indexOf(shell, variable, name, subscript);
  } catch (error) {
    if (!(error instanceof ShellFailure) || !error.message.endsWith('bad array subscript')) throw error;
    shell.error(error.message);
    return undefined;
  }
  if (variable?.array instanceof IndexedArray) return variable.array.get(index);
  return index === 0 ? variable?.text : undefined;
}

/** The keys of an array, for `${!name[@]}`. */
export function keysOf(shell: Shell, name: string): readonly string[] {
  const variable = shell.variables.find(name);
  if (variable === undefined) {
    const special = shell.variables.specials.get(name)?.read();
    if (special === undefined) return [];
    return typeof special === 'string' ? ['0'] : special.map((_, index) => String(index));
  }
  if (variable.isArray) return variable.array?.keys() ?? [];
  return variable.text === undefined ? [] : ['0'];
}

/** An assignment. */
export interface Assignment {
  readonly name: string;
  readonly subscript?: string | undefined;
  readonly value: string;
  readonly append?: boolean;
  /** The subscript needs no expansion. */
  readonly isLiteralKey?: boolean;
}

/** Gives a text the shape that the attributes of a variable ask for. */
function shaped(shell: Shell, variable: Variable, value: string): string {
  if (variable.has(ATTRIBUTE.integer)) return evaluate(shell, value).toString();
  if (variable.has(ATTRIBUTE.lower)) return value.toLowerCase();
  if (variable.has(ATTRIBUTE.upper)) return value.toUpperCase();
  if (variable.has(ATTRIBUTE.capitalised))
    return value.slice(0, 1).toUpperCase() + value.slice(1).toLowerCase();
  return value;
}

function added(shell: Shell, variable: Variable, old: string | undefined, value: string): string {
  if (!variable.has(ATTRIBUTE.integer)) return shaped(shell, variable, joined(old ?? '', value));
  return BigInt.asIntN(64, evaluate(shell, old ?? '') + evaluate(shell, value)).toString();
}

/** Raises the error of a variable that may not change. */
export function checkWritable(shell: Shell, variable: Variable, name: string): void {
  if (!variable.has(ATTRIBUTE.readonly)) return;
  const prefix = shell.commandName === '' ? '' : '';
  throw new ShellFailure(`${prefix}${name}: readonly variable`, 'discard');
}

/** Assigns to a variable or element where the name is found. */
export function writeName(shell: Shell, assignment: Assignment): void {
  const { variables } = shell;
  let { name, subscript } = assignment;
  let variable = variables.findPlain(name);
  if (
    variable?.has(ATTRIBUTE.reference) === true &&
    subscript === undefined &&
    variable.text !== undefined &&
    variable.text !== ''
  ) {
    const target = guarded(shell, () => variables.target(name));
    name = target.name;
    subscript = target.subscript;
    variable = variables.findPlain(name);
  } else if (variable?.has(ATTRIBUTE.reference) === true && subscript !== undefined) {
    name = guarded(shell, () => variables.target(name)).name;
    variable = variables.findPlain(name);
  }
  const special = variables.specials.get(name);
  if (special !== undefined) {
    if (special.isFixed === true) return;
    special.write?.(assignment.value);
    if (special.write !== undefined) return;
  }
  variable ??= variables.forWriting(name);
  writeVariable(shell, variable, { ...assignment, name, subscript });
}

/** Assigns to a given variable. */
export function writeVariable(shell: Shell, variable: Variable, assignment: Assignment): void {
  const { name, subscript, value, append } = assignment;
  checkWritable(shell, variable, name);
  if (shell.is('allexport')) variable.attributes |= ATTRIBUTE.exported;
  if (variable.has(ATTRIBUTE.exported)) shell.variables.revision += 1;
  if (subscript === undefined && !variable.isArray) {
    if (variable.attributes === 0 && append !== true) variable.text = value;
    else
      variable.text =
        append === true ? added(shell, variable, variable.text, value) : shaped(shell, variable, value);
    if (name === 'IFS' || name === 'PATH') noteChange(shell, name);
    return;
  }
  if (variable.isAssociative) {
    const array = variable.mutableArray() as AssociativeArray;
    const key =
      subscript === undefined
        ? '0'
        : assignment.isLiteralKey === true
          ? subscript
          : expandSubscript(shell, subscript);
    if (key === '') throw new ShellFailure(`${name}[${subscript ?? ''}]: bad array subscript`);
    array.set(
      key,
      append === true ? added(shell, variable, array.get(key), value) : shaped(shell, variable, value),
    );
    return;
  }
  if (subscript === '') throw new ShellFailure(`${name}[]: bad array subscript`);
  const index =
    subscript === undefined ? 0 : indexOf(shell, variable, name, subscript, `${name}[${subscript}]`);
  const shapedValue = append === true ? undefined : shaped(shell, variable, value);
  variable.becomeArray('indexed');
  const array = variable.mutableArray() as IndexedArray;
  array.set(index, shapedValue ?? added(shell, variable, array.get(index), value));
}

/** Removes one element of an array. */
export function removeElement(
  shell: Shell,
  variable: Variable,
  element: { name: string; subscript: string },
): void {
  const { name, subscript } = element;
  const array = variable.mutableArray();
  if (array instanceof AssociativeArray) array.delete(expandSubscript(shell, subscript));
  else array.delete(indexOf(shell, variable, name, subscript, `[${subscript}]`));
}

/** Some variables are looked at when they change. */
function noteChange(shell: Shell, name: string): void {
  if (name === 'PATH') shell.hashTable.clear();
}

/** The characters that split words: undefined for the usual three, '' for none. */
export function splitCharacters(shell: Shell): string | undefined {
  const value = shell.variables.find('IFS');
  if (value === undefined || value.value === undefined) return undefined;
  return value.value === ' \t\n' ? undefined : value.value;
}

/** What joins the elements of `"$*"`. */
export function starJoiner(shell: Shell): string {
  const ifs = shell.variables.find('IFS')?.value;
  return ifs === undefined ? ' ' : ifs.slice(0, 1);
}
