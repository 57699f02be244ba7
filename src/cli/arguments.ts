/**
 * Reads a command line against the command table, on top of `node:util` parseArgs.
 *
 * parseArgs cuts the words into tokens; what is unknown, missing or of the wrong kind is judged here, so that every
 * message can name the nearest known flag. Failures are values. The function that finds a nearest name is handed in,
 * because it lives in a room that is too heavy for the fast path.
 */
import { parseArgs } from 'node:util';
import type { CommandSpec, FlagSpec, FlagValues } from './command.js';
import type { Failure } from './failure.js';

/** What a command line asks for. */
export type Request =
  | {
      readonly ask: 'run';
      readonly command: CommandSpec;
      readonly flags: FlagValues;
      readonly words: readonly string[];
      readonly dashed: boolean;
    }
  | { readonly ask: 'help'; readonly path: readonly string[] }
  | { readonly ask: 'version' }
  | { readonly ask: 'usage'; readonly failure: Failure };

/** The end of a message: the nearest known name, or nothing. */
type Suggest = (name: string, known: readonly string[], prefix?: string) => string;

function usage(message: string, data: Record<string, unknown> = {}, code = 'usage/bad-argument'): Request {
  return { ask: 'usage', failure: { code, message, data } };
}

/** Finds the known name nearest to an unknown one, if one is near. */
export type FindNearest = (name: string, known: readonly string[]) => string | undefined;

/** Reads the words after `umwelt`. Without `findNearest`, messages suggest nothing. */
export function readArguments(
  argv: readonly string[],
  table: readonly CommandSpec[],
  findNearest: FindNearest = () => undefined,
): Request {
  const suggest: Suggest = (name, known, prefix = '') => {
    const near = findNearest(name, known);
    return near === undefined ? '' : `; did you mean ${prefix}${near}?`;
  };
  const [first, second] = argv;
  if (first === undefined || first === '--help' || first === '-h') return { ask: 'help', path: [] };
  if (first === '--version' || first === '-v') return { ask: 'version' };
  if (first === 'help') return { ask: 'help', path: argv.slice(1) };
  // The longest that fits: `bench parity` is not `bench` with a word behind it.
  const [command] = table
    .filter((one) => one.path.every((word, index) => argv[index] === word))
    .sort((a, b) => b.path.length - a.path.length);
  if (command !== undefined) return readCommand(command, argv.slice(command.path.length), suggest);
  const group = table.filter((one) => one.path.length > 1 && one.path[0] === first);
  if (group.length > 0) return readGroup([first, second], group, suggest);
  return unknownCommand(first, table, suggest);
}

function readGroup(
  [group, word]: readonly [string, string | undefined],
  rows: readonly CommandSpec[],
  suggest: Suggest,
): Request {
  if (word === '--help' || word === '-h') return { ask: 'help', path: [group] };
  const known = rows.map((row) => row.path[1] ?? '');
  const wanted = `one of: ${known.join(', ')}`;
  if (word === undefined || word.startsWith('-')) {
    return usage(`umwelt ${group} needs a subcommand, ${wanted}`, { wanted: known });
  }
  const hint = suggest(word, known, `umwelt ${group} `);
  return usage(
    `unknown command "umwelt ${group} ${word}"${hint || `; wanted ${wanted}`}`,
    { seen: word, wanted: known },
    'usage/unknown-name',
  );
}

function unknownCommand(word: string, table: readonly CommandSpec[], suggest: Suggest): Request {
  const known = [...new Set(table.map((row) => row.path[0] ?? ''))];
  if (word.startsWith('-')) {
    return usage(`unknown flag ${word} before a command; flags come behind it, see umwelt --help`, {
      seen: word,
    });
  }
  const hint = suggest(word, known, 'umwelt ') || `; wanted one of: ${known.join(', ')}`;
  return usage(`unknown command "${word}"${hint}`, { seen: word, wanted: known }, 'usage/unknown-name');
}

function readCommand(command: CommandSpec, argv: readonly string[], suggest: Suggest): Request {
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([name, flag]) => [
      name,
      { type: flag.type === 'boolean' ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  // who asks for help gets it, whatever else is wrong with the line
  if (tokens.some((token) => token.kind === 'option' && token.name === 'help')) {
    return { ask: 'help', path: command.path };
  }
  const flags: Record<string, string | number | boolean> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const read = readFlag(command, token, suggest);
    if (typeof read === 'object') return read;
    const before = command.flags[token.name]?.many === true ? flags[token.name] : undefined;
    flags[token.name] = before === undefined ? read : `${before},${read}`;
  }
  const { min, max } = command.words;
  if (positionals.length < min || positionals.length > max) return wordCount(command, positionals);
  const dashed = tokens.some((token) => token.kind === 'option-terminator');
  return { ask: 'run', command, flags, words: positionals, dashed };
}

function wordCount(command: CommandSpec, words: readonly string[]): Request {
  const name = `umwelt ${command.path.join(' ')}`;
  const wanted = command.words.usage === '' ? 'no further words' : command.words.usage;
  const seen = words.length === 0 ? 'nothing' : words.map((word) => `"${word}"`).join(' ');
  return usage(`${name} takes ${wanted}, but got ${seen}; see ${name} --help`, { seen: words });
}

interface FlagToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function readFlag(
  command: CommandSpec,
  token: FlagToken,
  suggest: Suggest,
): string | number | boolean | Request {
  const { rawName } = token;
  const flag = Object.hasOwn(command.flags, token.name) ? command.flags[token.name] : undefined;
  const known = [...Object.keys(command.flags), 'help'];
  if (flag === undefined) {
    const hint = suggest(token.name, known, '--') || `; see umwelt ${command.path.join(' ')} --help`;
    const data = { seen: rawName, wanted: known.map((name) => `--${name}`) };
    return usage(
      `umwelt ${command.path.join(' ')} has no flag ${rawName}${hint}`,
      data,
      'usage/unknown-name',
    );
  }
  if (flag.type === 'boolean') {
    if (token.value === undefined) return true;
    return usage(`${rawName} takes no value, but got "${token.value}"`, { seen: token.value });
  }
  if (token.value === undefined)
    return usage(`${rawName} needs a value: ${rawName} ${flag.value ?? 'VALUE'}`);
  const looksLikeFlag = token.inlineValue !== true && known.some((name) => token.value === `--${name}`);
  if (looksLikeFlag || token.value === '') {
    return usage(`${rawName} needs a value, but got "${token.value}"`, { seen: token.value });
  }
  return readValue({ rawName, value: token.value }, flag, suggest);
}

function readValue(
  { rawName, value }: { readonly rawName: string; readonly value: string },
  flag: FlagSpec,
  suggest: Suggest,
): string | number | Request {
  if (flag.choices !== undefined && !flag.choices.includes(value)) {
    const hint = suggest(value, flag.choices);
    const message = `${rawName} is "${value}", wanted one of: ${flag.choices.join(', ')}${hint}`;
    return usage(message, { seen: value, wanted: flag.choices });
  }
  if (flag.type === 'string') return value;
  const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
  const min = flag.min ?? 0;
  if (Number.isSafeInteger(number) && number >= min) return number;
  return usage(`${rawName} is "${value}", wanted a whole number from ${min} to ${Number.MAX_SAFE_INTEGER}`, {
    seen: value,
  });
}
