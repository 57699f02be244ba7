/**
 * The operators of `test`, `[` and `[[`: files, texts, numbers, options and variables.
 */
import { type Inode, SystemError } from '../../kernel/index.js';
import { evaluate } from '../expand/names.js';
import type { Shell } from '../shell.js';
import { IndexedArray } from '../state/arrays.js';
import { ATTRIBUTE } from '../state/variable.js';

/** Operators with one operand. */
export const UNARY_OPERATORS = /^-[abcdefghkLnNoOprRsStuvwxzG]$/;
/** Operators with two operands. */
export const BINARY_OPERATORS = /^(=|==|!=|<|>|=~|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;

function inodeOf(shell: Shell, path: string, follow = true): Inode | undefined {
  try {
    const device = /^\/dev\/fd\/(\d+)$/.exec(path);
    if (device !== null) return shell.process.fstat(Number(device[1]));
    return follow ? shell.process.stat(path) : shell.process.lstat(path);
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}

function mayAccess(shell: Shell, path: string, bits: number): boolean {
  try {
    shell.process.access(path, bits);
    return true;
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

function isSetVariable(shell: Shell, text: string): boolean {
  const match = /^([A-Za-z_]\w*)(?:\[([\s\S]*)\])?$/.exec(text);
  if (match === null)
    return /^\d+$/.test(text) && Number(text) <= shell.positional.length && Number(text) > 0;
  const [, name = '', subscript] = match;
  const variable = shell.variables.find(name);
  if (variable === undefined) return shell.variables.specials.get(name)?.read() !== undefined;
  if (subscript === undefined) return variable.value !== undefined;
  if (subscript === '@' || subscript === '*')
    return (variable.array?.size ?? (variable.text === undefined ? 0 : 1)) > 0;
  if (variable.isAssociative) return variable.array?.get(subscript as never) !== undefined;
  const index = Number(evaluate(shell, subscript));
  if (variable.array instanceof IndexedArray)
    return variable.array.get(index < 0 ? variable.array.highest + 1 + index : index) !== undefined;
  return index === 0 && variable.text !== undefined;
}

/** A test with one operand. */
export function unaryTest(shell: Shell, operator: string, operand: string): boolean {
  switch (operator) {
    case '-n':
      return operand !== '';
    case '-z':
      return operand === '';
    case '-v':
      return isSetVariable(shell, operand);
    case '-R':
      return shell.variables.findPlain(operand)?.has(ATTRIBUTE.reference) === true;
    case '-o':
      return shell.is(operand);
    case '-t':
      return /^\d+$/.test(operand.trim()) && shell.process.isatty(Number(operand));
    case '-r':
      return mayAccess(shell, operand, 4);
    case '-w':
      return mayAccess(shell, operand, 2);
    case '-x':
      return mayAccess(shell, operand, 1);
    default:
      return operand !== '' && fileTest(shell, operator, operand);
  }
}

function fileTest(shell: Shell, operator: string, path: string): boolean {
  const isLink = operator === '-L' || operator === '-h';
  const inode = inodeOf(shell, path, !isLink);
  if (inode === undefined) return false;
  switch (operator) {
    case '-a':
    case '-e':
      return true;
    case '-f':
      return inode.kind === 'file';
    case '-d':
      return inode.kind === 'directory';
    case '-L':
    case '-h':
      return inode.kind === 'symlink';
    case '-p':
      return inode.kind === 'fifo';
    case '-S':
      return inode.kind === 'socket';
    case '-b':
      return inode.kind === 'block';
    case '-c':
      return inode.kind === 'char';
    case '-s':
      return inode.kind === 'directory' || (inode.content?.size ?? 0) > 0;
    case '-g':
      return (inode.mode & 0o2000) !== 0;
    case '-u':
      return (inode.mode & 0o4000) !== 0;
    case '-k':
      return (inode.mode & 0o1000) !== 0;
    case '-O':
      return inode.uid === shell.process.uid;
    case '-G':
      return inode.gid === shell.process.gid;
    case '-N':
      return inode.mtimeUs > inode.atimeUs;
    default:
      return false;
  }
}

/** A test of two operands that are no patterns. `number` reads numbers and raises what is wrong with them. */
export function binaryTest(
  shell: Shell,
  test: { operator: string; left: string; right: string; number: (text: string) => bigint },
): boolean {
  const { operator, left, right, number } = test;
  if (operator === '-nt' || operator === '-ot') {
    const [one, other] = [inodeOf(shell, left), inodeOf(shell, right)];
    if (operator === '-nt') return one !== undefined && (other === undefined || one.mtimeUs > other.mtimeUs);
    return other !== undefined && (one === undefined || one.mtimeUs < other.mtimeUs);
  }
  if (operator === '-ef') {
    const [one, other] = [inodeOf(shell, left), inodeOf(shell, right)];
    return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
  }
  if (operator === '=' || operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (operator === '<') return left < right;
  if (operator === '>') return left > right;
  const [one, other] = [number(left), number(right)];
  switch (operator) {
    case '-eq':
      return one === other;
    case '-ne':
      return one !== other;
    case '-lt':
      return one < other;
    case '-le':
      return one <= other;
    case '-gt':
      return one > other;
    default:
      return one >= other;
  }
}
