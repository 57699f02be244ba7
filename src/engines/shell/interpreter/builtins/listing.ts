/**
 * Variables as `declare -p`, `export`, `readonly` and `set` list them.
 */
import type { Shell } from '../shell.js';
import { declaredKey, declaredValue, setValue } from '../state/quoting.js';
import type { Variable } from '../state/variable.js';

function elements(variable: Variable): string {
  const items = (variable.array?.entries() ?? []).map(
    ([key, value]) => `[${variable.isAssociative ? declaredKey(key) : key}]=${declaredValue(value)}`,
  );
  return `(${items.join(' ')}${variable.isAssociative && items.length > 0 ? ' ' : ''})`;
}

/** `declare -x name="value"`, with a newline. */
export function declareLine(name: string, variable: Variable): string {
  const letters = variable.letters();
  const head = `declare -${letters === '' ? '-' : letters} ${name}`;
  if (!variable.isSet) return `${head}\n`;
  if (variable.isArray) return `${head}=${elements(variable)}\n`;
  return `${head}=${declaredValue(variable.text ?? '')}\n`;
}

/** `name=value` as `set` shows it, with a newline; empty for variables without a value. */
export function setLine(name: string, variable: Variable): string {
  if (!variable.isSet) return '';
  if (variable.isArray) return `${name}=${elements(variable)}\n`;
  return `${name}=${setValue(variable.text ?? '')}\n`;
}

/** A computed variable as a line of `set`. */
export function specialLine(shell: Shell, name: string): string {
  const value = shell.variables.specials.get(name)?.read();
  if (value === undefined) return '';
  if (typeof value === 'string') return `${name}=${setValue(value)}\n`;
  return `${name}=(${value.map((one, index) => `[${index}]=${declaredValue(one)}`).join(' ')})\n`;
}

/** A computed variable as `declare -p` shows it. */
export function specialDeclaration(shell: Shell, name: string): string | undefined {
  const value = shell.variables.specials.get(name)?.read();
  if (value === undefined) return undefined;
  const integer = /^(RANDOM|SRANDOM|SECONDS|LINENO|BASHPID|EPOCHSECONDS|HISTCMD)$/.test(name) ? '-i' : '--';
  if (typeof value === 'string') return `declare ${integer} ${name}=${declaredValue(value)}\n`;
  return `declare -a ${name}=(${value.map((one, index) => `[${index}]=${declaredValue(one)}`).join(' ')})\n`;
}
