/**
 * The environment of programs: exported variables in the order of bash's own table, and `_`.
 */
import { printFunction } from '../../syntax/printer.js';
import type { Shell } from '../shell.js';
import { hashOrder } from './arrays.js';
import { ATTRIBUTE } from './variable.js';

const VARIABLE_BUCKETS = 1024;

/** What a program gets as its environment. */
export function exportedEnvironment(shell: Shell, path: string): ReadonlyMap<string, string> {
  collectExports(shell);
  const environment = new Map(shell.exportsCache);
  environment.delete('_');
  environment.set('_', path);
  return environment;
}

/** Collects what is exported, so that subshells need not do it again. */
export function collectExports(shell: Shell): void {
  if (shell.exportsRevision === shell.variables.revision) return;
  shell.exportsCache = collect(shell);
  shell.exportsRevision = shell.variables.revision;
}

function collect(shell: Shell): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const name of shell.variables.names()) {
    const variable = shell.variables.findPlain(name);
    if (variable?.has(ATTRIBUTE.exported) !== true || variable.isArray) continue;
    const special = shell.variables.specials.get(name)?.read();
    const value = typeof special === 'string' ? special : variable.text;
    if (value !== undefined) values.set(name, value);
  }
  const out = new Map<string, string>();
  for (const name of hashOrder([...values.keys()], VARIABLE_BUCKETS)) out.set(name, values.get(name) ?? '');
  for (const [name, definition] of shell.functions)
    if (definition.isExported)
      out.set(`BASH_FUNC_${name}%%`, printFunction(definition.definition).slice(name.length + 1));
  return out;
}
