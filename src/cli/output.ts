/**
 * Where a command prints: facts on standard output, progress and problems on standard error.
 *
 * Colour only where a person looks: `FORCE_COLOR` (not `0`) turns it on, `NO_COLOR` (not empty) off, else it
 * follows the terminal. Text from worlds, models and agents is made visible before it is printed, so that no
 * escape sequence or direction override of theirs reaches the terminal.
 */

/** The styles used; each maps to its SGR code. */
const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** One of the styles. */
export type Style = keyof typeof STYLES;

/** Prints lines and styles text. */
export interface Output {
  /** True with `--json`: facts are JSON lines and nothing else. */
  readonly json: boolean;
  /** Writes one line of facts to standard output. */
  line(text: string): void;
  /** Writes one line to standard error. */
  note(text: string): void;
  /** Wraps a text in a style, if standard output shows colour. */
  style(text: string, style: Style): string;
}

/** True if a stream should get colour under the given environment. */
export function wantsColour(environment: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  const force = environment.FORCE_COLOR;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if (environment.NO_COLOR !== undefined && environment.NO_COLOR !== '') return false;
  return isTerminal && environment.TERM !== 'dumb';
}

/** Opens the output of this process. */
export function openOutput(json: boolean): Output {
  const colour = wantsColour(process.env, process.stdout.isTTY === true) && !json;
  return {
    json,
    line: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    style: (text, style) => (colour ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text),
  };
}

/**
 * A text with control characters (but line feed and tab), direction overrides and lone surrogates written as
 * `\u{…}`. For showing only: the stored text is never changed.
 */
export function visible(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu,
    (unit) => `\\u{${(unit.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
