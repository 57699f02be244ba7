/**
 * Command lines as the C library's `getopt_long` reads them: options anywhere among the operands, several letters in
 * one word, long names that may be shortened, and its wording of errors.
 *
 * A table is one string of words. A word is the names of one option separated by commas (the first is its key),
 * with `:` for an argument and `::` for an optional one: `a,all w,width: color::`.
 * Source: getopt(3), glibc 2.36. Not covered: `W;`, options after `POSIXLY_CORRECT` in the environment.
 */

type Arity = 0 | 1 | 2;

interface LongOption {
  readonly name: string;
  readonly key: string;
  readonly arity: Arity;
}

/** A command's options, ready to read command lines with. */
export interface OptionTable {
  readonly short: ReadonlyMap<string, { readonly key: string; readonly arity: Arity }>;
  readonly long: readonly LongOption[];
}

/** One option on a command line: its key, its argument, and whether it was written as a letter. */
export interface OptionHit {
  readonly key: string;
  readonly value: string | undefined;
  readonly isShort: boolean;
}

/** What a command line says. An `error` stands after the options before it; its text has no program name. */
export interface ParsedLine {
  readonly hits: readonly OptionHit[];
  readonly operands: readonly string[];
  readonly error: string | undefined;
}

/** Makes a table from its text; `--help` and `--version` are added. */
export function defineOptions(text: string, standard = 'help version'): OptionTable {
  const short = new Map<string, { key: string; arity: Arity }>();
  const long: LongOption[] = [];
  for (const word of `${text} ${standard}`.split(/\s+/)) {
    if (word === '') continue;
    const names = word.replace(/:+$/, '');
    const arity = (word.length - names.length) as Arity;
    const [key = '', ...others] = names.split(',');
    for (const name of [key, ...others]) {
      if (name.length === 1) short.set(name, { key, arity });
      else long.push({ name, key, arity });
    }
  }
  return { short, long };
}

/** Reads a command line. With `stopAtOperand` the first operand ends the options, as for commands that run others. */
export function parseLine(args: readonly string[], table: OptionTable, stopAtOperand = false): ParsedLine {
  const hits: OptionHit[] = [];
  const operands: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index] as string;
    if (word === '--') {
      operands.push(...args.slice(index + 1));
      break;
    }
    if (word.length < 2 || word[0] !== '-') {
      if (stopAtOperand) {
        operands.push(...args.slice(index));
        break;
      }
      operands.push(word);
      continue;
    }
    const read =
      word[1] === '-' ? readLong(word, args[index + 1], table) : readShort(word, args[index + 1], table);
    hits.push(...read.hits);
    if (read.error !== undefined) return { hits, operands, error: read.error };
    if (read.tookNext) index += 1;
  }
  return { hits, operands, error: undefined };
}

interface ReadWord {
  readonly hits: OptionHit[];
  readonly tookNext: boolean;
  readonly error?: string;
}

function failed(error: string, hits: OptionHit[] = []): ReadWord {
  return { hits, tookNext: false, error };
}

function readLong(word: string, next: string | undefined, table: OptionTable): ReadWord {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
  const exact = table.long.find((option) => option.name === name);
  const candidates = exact ? [exact] : table.long.filter((option) => option.name.startsWith(name));
  const first = candidates[0];
  if (first === undefined) return failed(`unrecognized option '${word}'`);
  if (candidates.some((option) => option.key !== first.key)) {
    const list = candidates.map((option) => ` '--${option.name}'`).join('');
    return failed(`option '${word}' is ambiguous; possibilities:${list}`);
  }
  let value = equals < 0 ? undefined : word.slice(equals + 1);
  if (value !== undefined && first.arity === 0)
    return failed(`option '--${first.name}' doesn't allow an argument`);
  let tookNext = false;
  if (value === undefined && first.arity === 1) {
    if (next === undefined) return failed(`option '--${first.name}' requires an argument`);
    value = next;
    tookNext = true;
  }
  return { hits: [{ key: first.key, value, isShort: false }], tookNext };
}

function readShort(word: string, next: string | undefined, table: OptionTable): ReadWord {
  const hits: OptionHit[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] as string;
    const option = table.short.get(letter);
    if (option === undefined) return failed(`invalid option -- '${letter}'`, hits);
    if (option.arity === 0) {
      hits.push({ key: option.key, value: undefined, isShort: true });
      continue;
    }
    const rest = word.slice(at + 1);
    if (rest !== '' || option.arity === 2) {
      hits.push({ key: option.key, value: rest === '' ? undefined : rest, isShort: true });
      return { hits, tookNext: false };
    }
    if (next === undefined) return failed(`option requires an argument -- '${letter}'`, hits);
    hits.push({ key: option.key, value: next, isShort: true });
    return { hits, tookNext: true };
  }
  return { hits, tookNext: false };
}
