/**
 * Looks through a program for names that nobody defined, as jq does before it runs anything.
 */
import type { JqNode, JqPattern } from './ast.js';
import { isBuiltin } from './builtins.js';
import { JqSyntaxError } from './lexer.js';
import { library } from './library.js';

/** Checks that every name is known; `variables` are those given from outside. Raises {@link JqSyntaxError}. */
export function checkNames(program: JqNode, source: string, variables: Iterable<string>): void {
  const walk = (node: unknown, names: ReadonlySet<string>): void => {
    if (Array.isArray(node)) {
      for (const one of node) walk(one, names);
      return;
    }
    if (node === null || typeof node !== 'object' || node instanceof Map) return;
    const one = node as Partial<JqNode> & Record<string, unknown>;
    let inner = names;
    const undefinedName = (shown: string): never => {
      throw new JqSyntaxError([`${shown} at <top-level>, line 1:\n${source}`]);
    };
    if (one.kind === 'define') {
      const { definition, body } = one as JqNode & { kind: 'define' };
      const key = `${definition.name}/${definition.parameters.length}`;
      const own = definition.parameters.flatMap((parameter) =>
        parameter.startsWith('$') ? [parameter, `${parameter.slice(1)}/0`] : [`${parameter}/0`],
      );
      walk(definition.body, new Set([...names, key, ...own]));
      walk(body, new Set([...names, key]));
      return;
    }
    if (one.kind === 'bind' || one.kind === 'reduce' || one.kind === 'foreach') {
      const {
        pattern,
        source: from,
        ...rest
      } = one as unknown as { pattern: JqPattern; source: JqNode } & Record<string, unknown>;
      walk(from, names);
      inner = new Set([...names, ...namesOf(pattern).map((name) => `$${name}`)]);
      walk(Object.values(rest), inner);
      return;
    }
    if (one.kind === 'label') inner = new Set([...names, `*${String(one.name)}`]);
    if (one.kind === 'break' && !names.has(`*${String(one.name)}`))
      undefinedName(`$*label-${String(one.name)} is not defined`);
    if (one.kind === 'variable' && !names.has(`$${String(one.name)}`) && one.name !== 'ENV')
      undefinedName(`$${String(one.name)} is not defined`);
    if (
      one.kind === 'binary' &&
      (one.operator === '/' || one.operator === '%') &&
      isLiteral(one.left) &&
      isLiteral(one.right, 0)
    )
      undefinedName('Division by zero?');
    if (one.kind === 'call') {
      const key = `${String(one.name)}/${(one.args as unknown[]).length}`;
      if (!names.has(key) && !library().has(key) && !isBuiltin(key)) undefinedName(`${key} is not defined`);
    }
    walk(Object.values(one), inner);
  };
  walk(program, new Set([...variables].map((name) => `$${name}`)));
}

/** The names that a pattern binds. */
export function namesOf(pattern: JqPattern): string[] {
  if (pattern.kind === 'name') return [pattern.name];
  if (pattern.kind === 'array') return pattern.items.flatMap(namesOf);
  return pattern.entries.flatMap((one) => [
    ...(one.name === undefined ? [] : [one.name]),
    ...(one.value === undefined ? [] : namesOf(one.value)),
  ]);
}

/** True for a number that stands in the program, and for a given one. */
function isLiteral(node: unknown, value?: number): boolean {
  const { kind, value: own } = node as { kind?: string; value?: unknown };
  return kind === 'literal' && typeof own === 'number' && (value === undefined || own === value);
}
