/**
 * What a sed script is after reading: commands with addresses, in one flat list whose braces are jumps.
 */
import type { Regex } from '../regex/regex.js';

/** An address of a command. A `regex` without an expression means the last one used. */
export type SedAddress =
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'step'; readonly first: number; readonly step: number }
  | { readonly kind: 'last' }
  | { readonly kind: 'regex'; readonly regex: Regex | undefined }
  /** As second address: `+N` lines further, or up to the next line number that `N` divides. */
  | { readonly kind: 'plus'; readonly count: number }
  | { readonly kind: 'multiple'; readonly of: number };

/** A piece of a replacement: text, or a group (0 for all), and how letters' case changes from here on. */
export interface ReplacementPart {
  readonly text: string;
  /** A group to insert after the text; -1 for none. */
  readonly group: number;
  /** Case of what follows: upper, lower, as it is, or unchanged mode. */
  readonly mode?: 'upper' | 'lower' | 'plain';
  /** Case of the next character only. */
  readonly once?: 'upper' | 'lower';
}

/** A substitution. */
export interface Substitution {
  readonly regex: Regex | undefined;
  readonly parts: readonly ReplacementPart[];
  readonly global: boolean;
  /** Which match is the first to be replaced, from 1. */
  readonly number: number;
  readonly print: number;
  readonly evaluate: boolean;
  readonly file: string | undefined;
}

/** One command. */
export interface SedCommand {
  readonly name: string;
  readonly first?: SedAddress | undefined;
  readonly second?: SedAddress | undefined;
  readonly negated: boolean;
  /** Text of a, i, c; a file name of r, R, w, W; a label; the shell command of e. */
  readonly text?: string;
  /** Exit code, or line length of l. */
  readonly number?: number;
  readonly substitution?: Substitution;
  /** Characters of y, from and to. */
  readonly table?: ReadonlyMap<string, string>;
  /** Where a jump goes: the index of the command that follows. */
  target?: number;
}

/** A script with its first-line switch. */
export interface SedScript {
  readonly commands: readonly SedCommand[];
  /** The script starts with `#n`. */
  readonly quiet: boolean;
  /** Files that w commands open at the start. */
  readonly outputs: readonly string[];
}

/** A script that is none: the whole message after `sed: `, and the exit code. */
export class SedScriptError extends Error {
  constructor(
    message: string,
    readonly status = 1,
  ) {
    super(message);
  }
}
