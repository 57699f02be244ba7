/**
 * Command lines of git's subcommands.
 *
 * A table is one text: names apart by blanks, a name's forms by `|`, then `=` for a value, `=?` for one that may be left
 * out, `=+` for one that only the end of the line leaves out, nothing for a switch: `m|message= a|all amend abbrev=?`. The last form is what the hit is called. A long switch
 * also has its `no-` form; long names may be shortened. Source: gitcli(7), git's parse-options.
 */
import type { Git } from '../git.js';
import { USAGE_TEXTS } from '../usage-texts.js';

/** What a command line says. */
export interface Parsed {
  readonly hits: readonly { readonly name: string; readonly value: string | undefined }[];
  /** Everything that is no option, what follows `--` included. */
  readonly operands: readonly string[];
  /** Operands before `--`. */
  readonly before: readonly string[];
  /** Operands after `--`; undefined where there was none. */
  readonly after: readonly string[] | undefined;
  has(name: string): boolean;
  /** The last value of an option. */
  value(name: string): string | undefined;
  /** All its values. */
  values(name: string): readonly string[];
}

interface Option {
  readonly name: string;
  readonly takes: 'nothing' | 'value' | 'maybe' | 'next';
}

/** How a line is read besides its table. */
export interface ParseStyle {
  /** Stop at the first operand. */
  readonly stop?: boolean;
  /** What to do with an unknown option; default: told, usage, status 129. Return true where it was taken. */
  readonly unknown?: (argument: string) => boolean;
}

const tables = new Map<string, ReadonlyMap<string, Option>>();

function tableOf(text: string): ReadonlyMap<string, Option> {
  let table = tables.get(text);
  if (table !== undefined) return table;
  const made = new Map<string, Option>();
  for (const item of text.split(/\s+/).filter((one) => one !== '')) {
    const takes = item.endsWith('=?')
      ? 'maybe'
      : item.endsWith('=+')
        ? 'next'
        : item.endsWith('=')
          ? 'value'
          : 'nothing';
    const forms = item.replace(/=[?+]?$/, '').split('|');
    const name = forms[forms.length - 1] ?? '';
    for (const form of forms) made.set(form, { name, takes });
  }
  table = made;
  tables.set(text, table);
  return table;
}

/** Reads a command line. Ends the command where it is wrong. */
export function parseOptions(
  git: Git,
  args: readonly string[],
  text: string,
  style: ParseStyle = {},
): Parsed {
  const table = tableOf(text);
  const hits: { name: string; value: string | undefined }[] = [];
  const before: string[] = [];
  let after: string[] | undefined;
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? '';
    if (argument === '--') {
      after = args.slice(at + 1);
      break;
    }
    if (!argument.startsWith('-') || argument === '-') {
      if (style.stop === true) {
        before.push(...args.slice(at));
        break;
      }
      before.push(argument);
      continue;
    }
    if (argument === '-h' && !table.has('h')) showUsage(git);
    if (argument.startsWith('--')) {
      const equals = argument.indexOf('=');
      const given = equals < 0 ? argument.slice(2) : argument.slice(2, equals);
      const found = findLong(table, given);
      if (found === undefined) {
        if (style.unknown?.(argument) === true) continue;
        unknownOption(git, argument);
      }
      const { option, isNegated } = found;
      if (isNegated) hits.push({ name: `no-${option.name}`, value: undefined });
      else if (option.takes === 'nothing') {
        if (equals >= 0) git.fail(`option \`${option.name}' takes no value`, 129);
        hits.push({ name: option.name, value: undefined });
      } else if (equals >= 0) hits.push({ name: option.name, value: argument.slice(equals + 1) });
      else if (option.takes === 'maybe' || (option.takes === 'next' && at + 1 >= args.length))
        hits.push({ name: option.name, value: undefined });
      else {
        if (at + 1 >= args.length) git.fail(`option \`${option.name}' requires a value`, 129);
        hits.push({ name: option.name, value: args[++at] });
      }
      continue;
    }
    for (let letter = 1; letter < argument.length; letter++) {
      const key = argument[letter] ?? '';
      const option = table.get(key);
      if (option === undefined) {
        if (style.unknown?.(letter === 1 ? argument : `-${argument.slice(letter)}`) === true) break;
        if (key === 'h') showUsage(git);
        unknownOption(git, `-${key}`);
      }
      if (option.takes === 'nothing') {
        hits.push({ name: option.name, value: undefined });
        continue;
      }
      const rest = argument.slice(letter + 1);
      if (rest !== '') hits.push({ name: option.name, value: rest });
      else if (option.takes === 'maybe') hits.push({ name: option.name, value: undefined });
      else {
        if (at + 1 >= args.length) git.fail(`switch \`${key}' requires a value`, 129);
        hits.push({ name: option.name, value: args[++at] });
      }
      break;
    }
  }
  return {
    hits,
    before,
    after,
    operands: [...before, ...(after ?? [])],
    has: (name) => {
      const last = hits.filter((hit) => hit.name === name || hit.name === `no-${name}`).pop();
      return last !== undefined && last.name === name;
    },
    value: (name) => hits.filter((hit) => hit.name === name).pop()?.value,
    values: (name) =>
      hits.flatMap((hit) => (hit.name === name && hit.value !== undefined ? [hit.value] : [])),
  };
}

function findLong(
  table: ReadonlyMap<string, Option>,
  given: string,
): { readonly option: Option; readonly isNegated: boolean } | undefined {
  const exact = table.get(given);
  if (exact !== undefined && given.length > 1) return { option: exact, isNegated: false };
  const positive = given.startsWith('no-') ? table.get(given.slice(3)) : undefined;
  if (positive !== undefined && given.length > 4) return { option: positive, isNegated: true };
  const begins = [...table].filter(([form]) => form.length > 1 && form.startsWith(given));
  const names = new Set(begins.map(([, option]) => option.name));
  const [first] = begins;
  return names.size === 1 && first !== undefined && given !== ''
    ? { option: first[1], isNegated: false }
    : undefined;
}

function unknownOption(git: Git, argument: string): never {
  git.error(
    argument.startsWith('--')
      ? `unknown option \`${argument.slice(2)}'`
      : `unknown switch \`${argument.slice(1)}'`,
  );
  usageError(git);
}

/** The usage of the subcommand on standard error, status 129. */
export function usageError(git: Git): never {
  git.err(`${USAGE_TEXTS[git.verb] ?? `usage: git ${git.verb}\n`}`);
  git.exit(129);
}

/** `-h`: the usage on standard output, status 129. */
function showUsage(git: Git): never {
  git.out(`${USAGE_TEXTS[git.verb] ?? `usage: git ${git.verb}\n`}`);
  git.exit(129);
}
