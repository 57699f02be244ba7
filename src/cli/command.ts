/**
 * What a command is: a declared row of flags, words and examples, and a lazily loaded body.
 *
 * The row alone is enough for parsing and `--help`, so neither loads anything else of the package.
 */
import type { Output } from './output.js';

/** One flag of a command. A `boolean` takes no value; an `integer` is checked against `min`. */
export interface FlagSpec {
  readonly type: 'boolean' | 'string' | 'integer';
  /** What stands for the value in the help, for example `FILE`. */
  readonly value?: string;
  readonly about: string;
  /** The only values allowed. */
  readonly choices?: readonly string[];
  /** The smallest integer allowed; default 0. */
  readonly min?: number;
  /** A string flag that may be given several times; its values are joined with commas. */
  readonly many?: boolean;
}

/** The values of a command line after parsing: flags by name, absent ones missing. */
export type FlagValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** What a command's body is given. */
export interface CommandInput {
  readonly flags: FlagValues;
  /** The words that are no flags, in order; their number is already checked. */
  readonly words: readonly string[];
  /** The words stood behind `--`: they are a program and its arguments. */
  readonly dashed: boolean;
  readonly output: Output;
}

/** A command's body. Resolves to the exit code; throws `UmweltError` for anything the user has to read. */
export interface CommandModule {
  run(input: CommandInput): Promise<number>;
}

/** One command as declared. */
export interface CommandSpec {
  /** Its words, for example `['world', 'show']`. */
  readonly path: readonly string[];
  readonly summary: string;
  /** The words it takes, for example `WORLD…`. */
  readonly words: { readonly usage: string; readonly min: number; readonly max: number };
  readonly flags: Readonly<Record<string, FlagSpec>>;
  /** Paragraphs for `--help`, each a line of plain text. */
  readonly details: readonly string[];
  /** Whole command lines that work. */
  readonly examples: readonly string[];
  readonly load: () => Promise<CommandModule>;
}

/** A string flag's value, or undefined. */
export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** An integer flag's value, or undefined. */
export function integerFlag(flags: FlagValues, name: string): number | undefined {
  const value = flags[name];
  return typeof value === 'number' ? value : undefined;
}
