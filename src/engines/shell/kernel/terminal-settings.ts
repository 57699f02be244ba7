/**
 * Settings of a terminal, as `stty` shows and `tcsetattr` changes them, and the characters that mean something.
 *
 * Source: termios(3). Speeds, parity, flow control and case mapping are not covered.
 */

/** The switches that matter here. */
export interface TerminalSettings {
  /** Lines are edited and given when they are complete. */
  readonly icanon: boolean;
  /** What is typed is shown. */
  readonly echo: boolean;
  /** Erasing shows as erasing. */
  readonly echoe: boolean;
  /** Control characters show as `^C`. */
  readonly echoctl: boolean;
  /** Control characters send signals. */
  readonly isig: boolean;
  /** Carriage return reads as newline. */
  readonly icrnl: boolean;
  /** Output is processed at all. */
  readonly opost: boolean;
  /** Newline is written as carriage return and newline. */
  readonly onlcr: boolean;
  /** Background writers are stopped. */
  readonly tostop: boolean;
}

/** How a terminal starts. */
export const COOKED: TerminalSettings = {
  icanon: true,
  echo: true,
  echoe: true,
  echoctl: true,
  isig: true,
  icrnl: true,
  opost: true,
  onlcr: true,
  tostop: false,
};

/** Control characters of the line discipline. */
export const CONTROL = {
  interrupt: 3,
  endOfFile: 4,
  werase: 23,
  literalNext: 22,
  kill: 21,
  reprint: 18,
  suspend: 26,
  quit: 28,
  erase: 127,
} as const;
