/**
 * The help texts, rendered from the command table: all commands, a group, or one command with its examples.
 */
import type { CommandSpec, FlagSpec } from './command.js';

const WIDTH = 96;

/** Cuts a text into lines of at most {@link WIDTH} characters at spaces. */
function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(indent + line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, indent + line];
}

function column(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 4;
  return rows.flatMap(([left, right]) => {
    const [head = '', ...rest] = wrap(right, ' '.repeat(width));
    return [`  ${left}`.padEnd(width) + head.trimStart(), ...rest];
  });
}

/** The help of everything, or of one group when the rows are one group's. */
export function renderOverview(rows: readonly CommandSpec[], group?: string): string {
  const title =
    group === undefined
      ? ['umwelt: simulated worlds for agents, computed where they can be and repeatable']
      : [`umwelt ${group}: see umwelt ${group} COMMAND --help`];
  const names = rows.map((row) => [`${row.path.join(' ')} ${row.words.usage}`.trim(), row.summary] as const);
  const end =
    group === undefined
      ? ['', 'umwelt COMMAND --help shows flags and examples. umwelt --version prints the version.']
      : [];
  const example = rows[0]?.examples.slice(0, 2).map((line) => `  ${line}`) ?? [];
  return [...title, '', 'Commands', ...column(names), '', 'Examples', ...example, ...end].join('\n');
}

function flagRow([name, flag]: readonly [string, FlagSpec]): readonly [string, string] {
  return [`--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`, flag.about];
}

/** The help of one command; `below` are the commands whose names begin with its own. */
export function renderCommandHelp(command: CommandSpec, below: readonly CommandSpec[] = []): string {
  const name = `umwelt ${command.path.join(' ')}`;
  const also = below.map((row) => `See also: umwelt ${row.path.join(' ')} (${row.summary})`);
  return [
    `${name}: ${command.summary}`,
    '',
    `Usage: ${`${name} ${command.words.usage}`.trim()} [flags]`,
    '',
    ...command.details.flatMap((text) => wrap(text, '')),
    '',
    'Flags',
    ...column([...Object.entries(command.flags).map(flagRow), ['--help', 'this text']]),
    '',
    'Examples',
    ...command.examples.map((line) => `  ${line}`),
    ...(also.length === 0 ? [] : ['', ...also]),
  ].join('\n');
}
