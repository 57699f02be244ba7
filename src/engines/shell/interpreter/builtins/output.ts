/**
 * `echo` and `printf`.
 */
import type { Running } from '../../kernel/index.js';
import { decodeEscapes } from '../../syntax/ansi-c.js';
import { writeName } from '../expand/names.js';
import { type Builtin, fail, isName, usage } from './call.js';
import { formatText } from './printf-format.js';

/** `echo`. */
export const echo: Builtin = (call) => {
  const { shell, args } = call;
  let index = 0;
  let newline = true;
  let escapes = shell.shopt('xpg_echo') || shell.isPosixSh;
  for (; index < args.length; index += 1) {
    const arg = args[index] as string;
    if (!/^-[neE]+$/.test(arg) || (shell.isPosixSh && arg !== '-n')) break;
    if (arg.includes('n')) newline = false;
    for (const letter of arg) {
      if (letter === 'e') escapes = true;
      else if (letter === 'E') escapes = false;
    }
  }
  const text = args.slice(index).join(' ');
  if (!escapes) {
    shell.out(newline ? `${text}\n` : text);
    return 0;
  }
  const decoded = decodeEscapes(text, 'echo');
  shell.out(decoded.text + (newline && !decoded.stopped ? '\n' : ''));
  return 0;
};

/** `printf`. */
export const printFormatted: Builtin = (call): number | Running<number> => {
  const { shell } = call;
  let args = call.args;
  let variable: string | undefined;
  if (args[0] === '-v') {
    variable = args[1];
    if (variable === undefined) {
      fail(call, '-v: option requires an argument');
      return usage(call);
    }
    args = args.slice(2);
    if (!isName(variable) && !/^[A-Za-z_]\w*\[.+\]$/.test(variable))
      return fail(call, `\`${variable}': not a valid identifier`, 2);
  } else if (args[0]?.startsWith('-v') === true && args[0].length > 2) {
    variable = args[0].slice(2);
    args = args.slice(1);
  } else if (args[0] !== undefined && /^-[^-]/.test(args[0])) {
    fail(call, `-${args[0][1]}: invalid option`);
    return usage(call);
  }
  if (args[0] === '--') args = args.slice(1);
  const [format, ...values] = args;
  if (format === undefined) return usage(call);
  const result = formatText(shell, format, values);
  let shown = 0;
  for (const { message, at } of result.messages) {
    // Whole lines have been written when the message comes; the rest of a line comes after it.
    const end = Math.max(shown, result.text.lastIndexOf('\n', at - 1) + 1);
    if (variable === undefined) shell.out(result.text.slice(shown, end));
    shown = end;
    fail(call, message);
  }
  if (variable === undefined) shell.out(result.text.slice(shown));
  if (variable !== undefined) {
    const match = /^([A-Za-z_]\w*)(?:\[([\s\S]*)\])?$/.exec(variable);
    writeName(shell, { name: match?.[1] ?? variable, subscript: match?.[2], value: result.text });
  }
  return result.messages.length > 0 ? 1 : 0;
};
