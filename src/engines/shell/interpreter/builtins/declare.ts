/**
 * `declare`, `typeset`, `local`, `export`, `readonly` and `unset`.
 */
import type { Running } from '../../kernel/index.js';
import { assignmentHead } from '../../syntax/lexer.js';
import { printFunction } from '../../syntax/printer.js';
import { writeVariable } from '../expand/names.js';
import { ShellFailure } from '../failures.js';
import { assignItems, type ExpandedAssignment } from '../run/assignments.js';
import { withOutputs } from '../run/substitution.js';
import type { Shell, ShellFunction } from '../shell.js';
import { ATTRIBUTE, Variable } from '../state/variable.js';
import type { Scope } from '../state/variables.js';
import { type Builtin, type BuiltinCall, fail, invalidName, isName, readOptions } from './call.js';
import { declareLine, specialDeclaration } from './listing.js';

const BITS: Readonly<Record<string, number>> = {
  a: ATTRIBUTE.indexed,
  A: ATTRIBUTE.associative,
  c: ATTRIBUTE.capitalised,
  i: ATTRIBUTE.integer,
  l: ATTRIBUTE.lower,
  n: ATTRIBUTE.reference,
  r: ATTRIBUTE.readonly,
  t: ATTRIBUTE.traced,
  u: ATTRIBUTE.upper,
  x: ATTRIBUTE.exported,
};

/** What a declaration asks for. */
interface Wish {
  readonly on: number;
  readonly off: number;
  readonly isGlobal: boolean;
  readonly isLocal: boolean;
  readonly functions: 'no' | 'bodies' | 'names';
  readonly inherits: boolean;
}

function attributesOf(options: readonly { letter: string; isOff: boolean }[]): { on: number; off: number } {
  let on = 0;
  let off = 0;
  for (const { letter, isOff } of options) {
    const bit = BITS[letter];
    if (bit === undefined) continue;
    if (isOff) off |= bit;
    else on |= bit;
    if (!isOff && letter === 'u') on &= ~ATTRIBUTE.lower;
    if (!isOff && letter === 'l') on &= ~ATTRIBUTE.upper;
  }
  return { on, off };
}

/** `declare`, `typeset` and `local`. */
export const declareNames: Builtin = (call): number | Running<number> => {
  const { shell } = call;
  const isLocal = call.name === 'local';
  if (isLocal && shell.variables.functionScope() === undefined)
    return fail(call, 'can only be used in a function');
  const read = readOptions(call, '+aAcfFgiIlnprtux');
  if (read === undefined) return 2;
  const has = (letter: string) => read.options.some((one) => one.letter === letter && !one.isOff);
  const wish: Wish = {
    ...attributesOf(read.options),
    isGlobal: has('g'),
    isLocal: isLocal || (shell.variables.functionScope() !== undefined && !has('g')),
    functions: has('F') ? 'names' : has('f') ? 'bodies' : 'no',
    inherits: has('I'),
  };
  if (wish.functions !== 'no') return declareFunctions(call, wish, read.rest);
  if (has('p')) return printNames(call, read.rest, wish);
  if (read.rest.length === 0) return listNames(call, wish, isLocal);
  return declareAll(call, wish, read);
};

function listNames(call: BuiltinCall, wish: Wish, isLocal: boolean): number {
  const { shell } = call;
  if (isLocal) {
    const scope = shell.variables.functionScope();
    for (const [name, variable] of [...(scope?.variables ?? [])].sort((one, other) =>
      one[0] < other[0] ? -1 : 1,
    ))
      if (wish.on === 0 || (variable.attributes & wish.on) !== 0) shell.out(declareLine(name, variable));
    return 0;
  }
  for (const [name, variable] of withComputed(shell)) {
    if (wish.on === 0) {
      if (variable.isSet)
        shell.out(
          declareLine(name, variable)
            .replace(/^declare -\S+ /, '')
            .replace(/^([^=]*)="(.*)"$/s, (_all, left, value) => `${left}=${plainValue(value)}`),
        );
    } else if ((variable.attributes & wish.on) === wish.on) shell.out(declareLine(name, variable));
  }
  if (wish.on === 0)
    for (const definition of sortedFunctions(shell)) shell.out(`${printFunction(definition.definition)}\n`);
  return 0;
}

/** Computed variables that listings by attribute show, with their attributes; the numbers have no value there. */
const COMPUTED: readonly (readonly [string, number])[] = [
  ['BASHOPTS', ATTRIBUTE.readonly],
  ['BASHPID', ATTRIBUTE.integer],
  ['HISTCMD', ATTRIBUTE.integer],
  ['RANDOM', ATTRIBUTE.integer],
  ['SHELLOPTS', ATTRIBUTE.readonly],
  ['SRANDOM', ATTRIBUTE.integer],
];

function withComputed(shell: Shell): [string, Variable][] {
  const computed = COMPUTED.filter(([name]) => shell.variables.specials.has(name)).map(
    ([name, attributes]): [string, Variable] => {
      const value =
        attributes === ATTRIBUTE.readonly ? shell.variables.specials.get(name)?.read() : undefined;
      return [name, new Variable(typeof value === 'string' ? value : undefined, attributes)];
    },
  );
  return [...shell.variables.all(), ...computed].sort((one, other) => (one[0] < other[0] ? -1 : 1));
}

function plainValue(escaped: string): string {
  const text = escaped.replace(/\\(["\\$`])/g, '$1');
  return /^[\w./:@%+,-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function printNames(call: BuiltinCall, names: readonly string[], wish: Wish): number {
  const { shell } = call;
  if (names.length === 0) {
    for (const [name, variable] of shell.variables.all())
      if (wish.on === 0 || (variable.attributes & wish.on) === wish.on)
        shell.out(declareLine(name, variable));
    return 0;
  }
  let status = 0;
  for (const name of names) {
    const variable = shell.variables.findPlain(name);
    const special = specialDeclaration(shell, name);
    if (special !== undefined) shell.out(special);
    else if (variable !== undefined) shell.out(declareLine(name, variable));
    else status = fail(call, `${name}: not found`);
  }
  return status;
}

function sortedFunctions(shell: Shell): ShellFunction[] {
  return [...shell.functions]
    .sort((one, other) => (one[0] < other[0] ? -1 : 1))
    .map(([, definition]) => definition);
}

function declareFunctions(call: BuiltinCall, wish: Wish, names: readonly string[]): number {
  const { shell } = call;
  if (names.length === 0) {
    for (const one of sortedFunctions(shell)) {
      if ((wish.on & ATTRIBUTE.exported) !== 0 && !one.isExported) continue;
      shell.out(
        wish.functions === 'names'
          ? `declare -f${flags(one)} ${one.definition.name}\n`
          : `${printFunction(one.definition)}\n`,
      );
    }
    return 0;
  }
  let status = 0;
  for (const name of names) {
    const one = shell.functions.get(name);
    if (one === undefined) {
      status = 1;
      if (name.includes('=')) fail(call, "cannot use `-f' to make functions");
      continue;
    }
    const changes = (wish.on | wish.off) & (ATTRIBUTE.exported | ATTRIBUTE.readonly | ATTRIBUTE.traced);
    if (changes !== 0) {
      if ((wish.off & ATTRIBUTE.readonly) !== 0 && one.isReadonly) {
        status = fail(call, `${name}: readonly function`);
        continue;
      }
      if ((wish.on & ATTRIBUTE.exported) !== 0) one.isExported = true;
      if ((wish.off & ATTRIBUTE.exported) !== 0) one.isExported = false;
      if ((wish.on & ATTRIBUTE.readonly) !== 0) one.isReadonly = true;
      if ((wish.on & ATTRIBUTE.traced) !== 0) one.isTraced = true;
      shell.variables.revision += 1;
    } else if (wish.functions === 'names') {
      shell.out(
        shell.shopt('extdebug')
          ? `${name} ${one.definition.line + one.lineOffset} ${one.source}\n`
          : `${name}\n`,
      );
    } else shell.out(`${printFunction(one.definition)}\n`);
  }
  return status;
}

function flags(one: ShellFunction): string {
  return `${one.isReadonly ? 'r' : ''}${one.isTraced ? 't' : ''}${one.isExported ? 'x' : ''}`;
}

/** Declares every argument, one after another. */
function* declareAll(
  call: BuiltinCall,
  wish: Wish,
  read: { rest: readonly string[]; used: number },
): Running<number> {
  let status = 0;
  for (const [index, text] of read.rest.entries()) {
    const assignment = call.declared.get(read.used + index + 1) ?? textAssignment(text);
    const name = assignment?.head.name ?? text.replace(/\[.*\]$/, '');
    const hasSubscript = assignment === undefined && /\]$/.test(text) && text.includes('[');
    if (!isName(name)) {
      status = invalidName(call, text);
      continue;
    }
    const result = yield* withOutputs(call.shell, () =>
      declareOne(
        call,
        {
          ...wish,
          on: hasSubscript && (wish.on & ATTRIBUTE.associative) === 0 ? wish.on | ATTRIBUTE.indexed : wish.on,
        },
        { name, assignment },
      ),
    );
    if (result !== 0) status = result;
  }
  return status;
}

/** An argument that was made by expansion: `declare "$name=$value"`. */
function textAssignment(text: string): ExpandedAssignment | undefined {
  const head = assignmentHead(text);
  return head === undefined ? undefined : { head, value: text.slice(head.valueAt) };
}

function scopeFor(shell: Shell, wish: Wish): Scope | undefined {
  return wish.isLocal ? shell.variables.functionScope() : undefined;
}

/** The variable that a declaration is about; made where it does not exist. */
function variableFor(shell: Shell, wish: Wish, name: string): Variable {
  const scope = scopeFor(shell, wish);
  const { variables } = shell;
  if (scope === undefined) {
    if (wish.isGlobal) {
      const found = variables.globals.get(name);
      if (found !== undefined) return found;
      const created = new Variable();
      variables.globals.set(name, created);
      return created;
    }
    return variables.forWriting(name);
  }
  const own = scope.variables.get(name);
  if (own !== undefined) return own;
  const outer = variables.findPlain(name);
  if (outer?.has(ATTRIBUTE.readonly) === true)
    throw new ShellFailure(`${name}: readonly variable`, 'command');
  const inherits = wish.inherits || shell.shopt('localvar_inherit');
  const temporary =
    variables.scopes.at(-1)?.kind === 'command' ? variables.scopes.at(-1)?.variables.get(name) : undefined;
  const created =
    inherits && outer !== undefined
      ? outer.copy()
      : temporary !== undefined
        ? temporary.copy()
        : new Variable();
  scope.variables.set(name, created);
  return created;
}

function declareOne(
  call: BuiltinCall,
  wish: Wish,
  target: { readonly name: string; readonly assignment: ExpandedAssignment | undefined },
): number {
  const { shell } = call;
  const { assignment } = target;
  let { name } = target;
  if ((wish.on & ATTRIBUTE.reference) === 0 && (wish.off & ATTRIBUTE.reference) === 0 && !wish.isLocal)
    name = shell.variables.target(name).name;
  const existing = wish.isLocal
    ? shell.variables.functionScope()?.variables.get(name)
    : shell.variables.findPlain(name);
  if (existing?.has(ATTRIBUTE.readonly) === true) {
    if ((wish.off & ATTRIBUTE.readonly) !== 0 || assignment !== undefined) {
      if (call.name !== 'export' && call.name !== 'readonly') return fail(call, `${name}: readonly variable`);
      shell.error(`${name}: readonly variable`);
      return 1;
    }
  }
  let variable: Variable;
  try {
    variable = variableFor(shell, wish, name);
  } catch (error) {
    if (error instanceof ShellFailure && error.effect === 'command') return fail(call, error.message);
    throw error;
  }
  const problem = changeKind(variable, wish, name);
  if (problem !== undefined) return fail(call, problem);
  if ((wish.on & ATTRIBUTE.reference) !== 0) return makeReference(call, variable, { name, assignment, wish });
  variable.attributes |= wish.on & ~ATTRIBUTE.readonly & ~ATTRIBUTE.indexed & ~ATTRIBUTE.associative;
  if ((wish.on & ATTRIBUTE.upper) !== 0) variable.attributes &= ~ATTRIBUTE.lower;
  if ((wish.on & ATTRIBUTE.lower) !== 0) variable.attributes &= ~ATTRIBUTE.upper;
  variable.attributes &= ~(wish.off & ~ATTRIBUTE.indexed & ~ATTRIBUTE.associative);
  if (assignment !== undefined) assignDeclared(shell, variable, name, assignment);
  variable.attributes |= wish.on & ATTRIBUTE.readonly;
  if (name === 'PATH') shell.hashTable.clear();
  shell.variables.revision += 1;
  return 0;
}

/** Makes an array of a variable where that is asked; the reason when it cannot be one. */
function changeKind(variable: Variable, wish: Wish, name: string): string | undefined {
  if ((wish.off & ATTRIBUTE.indexed) !== 0 && variable.isIndexed)
    return `${name}: cannot destroy array variables in this way`;
  if ((wish.off & ATTRIBUTE.associative) !== 0 && variable.isAssociative)
    return `${name}: cannot destroy array variables in this way`;
  if ((wish.on & ATTRIBUTE.associative) !== 0) {
    if (variable.isIndexed) return `${name}: cannot convert indexed to associative array`;
    variable.becomeArray('associative');
  } else if ((wish.on & ATTRIBUTE.indexed) !== 0) {
    if (variable.isAssociative) return `${name}: cannot convert associative to indexed array`;
    variable.becomeArray('indexed');
  }
  return undefined;
}

function assignDeclared(
  shell: Shell,
  variable: Variable,
  name: string,
  assignment: ExpandedAssignment,
): void {
  const { head, value, items } = assignment;
  if (items !== undefined) assignItems(shell, variable, { name, append: head.append, items });
  else if (
    head.subscript === undefined &&
    variable.isArray &&
    /^\(.*\)$/s.test(value) &&
    head.items === undefined &&
    !head.append
  ) {
    assignItems(shell, variable, { name, append: false, items: splitItems(value) });
  } else if (head.subscript === undefined)
    writeVariable(shell, variable, { name, value, append: head.append });
  else writeVariable(shell, variable, { name, subscript: head.subscript, value, append: head.append });
}

/** `declare -a "x=(1 2)"`: the words between the parentheses, unquoted. */
function splitItems(value: string): { key?: string; append: boolean; value: string }[] {
  const body = value.slice(1, -1).trim();
  const words = body.match(/(?:\\.|"(?:\\.|[^"])*"|'[^']*'|[^\s"'\\])+/g) ?? [];
  return words.map((word) => {
    const plain = word.replace(
      /\\(.)|"((?:\\.|[^"])*)"|'([^']*)'/g,
      (_all, escaped, double, single) => escaped ?? single ?? String(double).replace(/\\(["\\$`])/g, '$1'),
    );
    const head = /^\[([^\]]*)\]=/.exec(plain);
    return head === null
      ? { append: false, value: plain }
      : { key: head[1] as string, append: false, value: plain.slice(head[0].length) };
  });
}

function makeReference(
  call: BuiltinCall,
  variable: Variable,
  how: { readonly name: string; readonly assignment: ExpandedAssignment | undefined; readonly wish: Wish },
): number {
  const { name, assignment, wish } = how;
  if (variable.isArray) return fail(call, `${name}: reference variable cannot be an array`);
  const value = assignment?.value ?? variable.text;
  if (value !== undefined && value !== '' && !/^[A-Za-z_]\w*(\[.+\])?$/.test(value))
    return fail(call, `\`${value}': invalid variable name for name reference`);
  if (value === name && !wish.isLocal)
    return fail(call, `${name}: nameref variable self references not allowed`);
  if (value === name) call.shell.error(`warning: ${name}: circular name reference`);
  if (assignment !== undefined) variable.text = value;
  variable.attributes |=
    ATTRIBUTE.reference | (wish.on & ATTRIBUTE.readonly) | (wish.on & ATTRIBUTE.exported);
  return 0;
}

function attributeBuiltin(bit: number, letters: string): Builtin {
  return (call): number | Running<number> => {
    const { shell } = call;
    const read = readOptions(call, letters);
    if (read === undefined) return 2;
    const has = (letter: string) => read.options.some((one) => one.letter === letter);
    const on = bit | (has('a') ? ATTRIBUTE.indexed : 0) | (has('A') ? ATTRIBUTE.associative : 0);
    if (has('f')) {
      if (read.rest.length === 0) {
        for (const one of sortedFunctions(shell))
          if (bit === ATTRIBUTE.exported ? one.isExported : one.isReadonly)
            shell.out(`${printFunction(one.definition)}\ndeclare -f${flags(one)} ${one.definition.name}\n`);
        return 0;
      }
      return markFunctions(call, { names: read.rest, bit, isOff: has('n') });
    }
    if (read.rest.length === 0) {
      for (const [name, variable] of withComputed(shell))
        if (variable.has(bit) && (on === bit || (variable.attributes & on) === on))
          shell.out(declareLine(name, variable));
      return 0;
    }
    const off = bit === ATTRIBUTE.exported && has('n') ? bit : 0;
    const wish: Wish = {
      on: off === 0 ? on : 0,
      off,
      isGlobal: false,
      isLocal: false,
      functions: 'no',
      inherits: false,
    };
    return declareAll(call, wish, read);
  };
}

function markFunctions(
  call: BuiltinCall,
  how: { names: readonly string[]; bit: number; isOff: boolean },
): number {
  let status = 0;
  for (const name of how.names) {
    const one = call.shell.functions.get(name);
    if (one === undefined) status = fail(call, `${name}: not a function`);
    else if (how.bit === ATTRIBUTE.exported) one.isExported = !how.isOff;
    else one.isReadonly = true;
  }
  call.shell.variables.revision += 1;
  return status;
}

/** `export`. */
export const exportNames = attributeBuiltin(ATTRIBUTE.exported, 'fnp');

/** `readonly`. */
export const readonlyNames = attributeBuiltin(ATTRIBUTE.readonly, 'aAfp');
