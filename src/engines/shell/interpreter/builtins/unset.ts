/**
 * `unset`: variables, elements, functions and references.
 */
import { removeElement } from '../expand/names.js';
import { withOutputs } from '../run/substitution.js';
import { ATTRIBUTE, type Variable } from '../state/variable.js';
import { type Builtin, type BuiltinCall, fail, invalidName, isName, readOptions } from './call.js';

/** `unset`. */
export const unsetNames: Builtin = function* (call) {
  const { shell } = call;
  const read = readOptions(call, 'fnv');
  if (read === undefined) return 2;
  const has = (letter: string) => read.options.some((one) => one.letter === letter);
  if (has('f') && has('v')) return fail(call, 'cannot simultaneously unset a function and a variable');
  let status = 0;
  for (const text of read.rest) {
    const result = yield* withOutputs(shell, () => unsetOne(call, text, has));
    if (result !== 0) status = result;
  }
  return status;
};

function unsetOne(call: BuiltinCall, text: string, has: (letter: string) => boolean): number {
  const { shell } = call;
  if (has('f')) return unsetFunction(call, text);
  const match = /^([A-Za-z_]\w*)\[([\s\S]*)\]$/.exec(text);
  const name = match?.[1] ?? text;
  if (!isName(name)) {
    return has('v') || match !== null ? invalidName(call, text) : unsetFunction(call, text);
  }
  const plain = shell.variables.findPlain(name);
  if (has('n')) {
    if (plain?.has(ATTRIBUTE.reference) === true) shell.variables.unset(name);
    return 0;
  }
  const target = shell.variables.target(name);
  const variable = shell.variables.findPlain(target.name);
  if (variable === undefined) {
    if (shell.variables.specials.has(name)) shell.variables.unset(name);
    else if (!has('v') && match === null && shell.functions.has(name)) return unsetFunction(call, name);
    return 0;
  }
  if (variable.has(ATTRIBUTE.readonly)) return fail(call, `${name}: cannot unset: readonly variable`);
  const subscript = match?.[2] ?? target.subscript;
  if (subscript === undefined) {
    shell.variables.unset(target.name);
    if (target.name === 'PATH') shell.hashTable.clear();
    return 0;
  }
  return unsetElement(call, { variable, name: target.name, subscript });
}

function unsetFunction(call: BuiltinCall, name: string): number {
  const { shell } = call;
  if (shell.functions.get(name)?.isReadonly === true)
    return fail(call, `${name}: cannot unset: readonly function`);
  shell.functions.delete(name);
  shell.variables.revision += 1;
  return 0;
}

function unsetElement(
  call: BuiltinCall,
  target: { variable: Variable; name: string; subscript: string },
): number {
  const { variable, name, subscript } = target;
  const { shell } = call;
  if (!variable.isArray) {
    if (subscript === '0' || subscript === '@' || subscript === '*') shell.variables.unset(name);
    else return fail(call, `${name}: not an array variable`);
    return 0;
  }
  if ((subscript === '@' || subscript === '*') && !variable.isAssociative) {
    shell.variables.unset(name);
    return 0;
  }
  removeElement(shell, variable, { name, subscript });
  return 0;
}
