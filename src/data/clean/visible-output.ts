/**
 * What raw terminal output shows: escape sequences act, carriage returns write over, colours go.
 *
 * The idea: styling that moves nothing is taken out. If controls are left, lines that move only inside themselves are
 * shown one by one on a screen of one row, so length is no matter; output that moves between lines is shown on one screen
 * of this package's terminal, as large as the places that it names. Source: hard case P-TTY-3. Not covered: the size of
 * the recorded terminal where no place beyond 80 by 40 was named; output without a line end of more than 100,000 columns.
 */
import { Screen } from '../../domains/index.js';

/** Sequences without effect on where text stands: colours, titles, private modes but the alternate screen, charsets, keypad. */
const STYLING =
  /\x1b\[[0-9;:]{0,200}m|\x1b\](?:[^\x07\x1b]{0,4000})(?:\x07|\x1b\\)|\x1b\[\?(?!(?:47|1047|1049)[hl])[0-9;]{0,40}[hl]|\x1b\[[<=>][0-9;]{0,40}[a-zA-Z]|\x1b\[[0-9]{0,4} q|\x1b[()][AB12]|\x1b[=>]|\x1b\[[0-9;]{0,8}[cnt]/g;
/** Sequences that move between lines. */
const BETWEEN_LINES = /\x1b(?:\[[0-9;?]{0,20}[ABEFHJLMSTdefr]|\[\?(?:47|1047|1049)[hl]|[DEMc78])|\x0b|\x0c/;
const ABSOLUTE = /\x1b\[(\d{0,4})(?:;(\d{0,4}))?[Hfdr]|\x1b\[(\d{1,4})[G`]/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/;
const CONTROLS_ALL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
const BROKEN_SEQUENCE = /\x1b(?:\[[0-9;?]{0,40}[@-~]?|\][^\x07\x1b\n]{0,400}|.)?/g;

/** Most rows of one screen; longer output is shown in parts. */
const PART_ROWS = 1_000;
const MOST_COLUMNS = 4_096;
const ROW_COLUMNS = 100_000;
const encoder = new TextEncoder();

/** How to read output. */
export interface OutputChoices {
  /** Carriage return and line feed are one line end (terminals); else they stay (text of files). */
  readonly joinsLineEnds: boolean;
}

/** True if a text has anything that a terminal would act on. */
export function hasControls(text: string): boolean {
  return CONTROLS.test(text);
}

/** The visible text. Without controls the text itself; showing it twice changes nothing. */
export function visibleOutput(raw: string, { joinsLineEnds }: OutputChoices): string {
  if (!CONTROLS.test(raw)) return raw;
  const plain = raw.replace(STYLING, '');
  const text = joinsLineEnds ? plain.replace(/\r+\n/g, '\n') : plain;
  if (!CONTROLS.test(text.replace(/\r\n/g, '\n'))) {
    // A terminal shows tabs as the columns that they reach; a file has them.
    return joinsLineEnds && text.includes('\t') && raw.includes('\x1b') ? byLines(text, /\t/) : text;
  }
  const shown = BETWEEN_LINES.test(text) ? onScreens(text) : byLines(text);
  return shown
    .replace(BROKEN_SEQUENCE, '')
    .replace(CONTROLS_ALL, '')
    .replace(/\r(?!\n)/g, '');
}

function byLines(text: string, needs = CONTROLS): string {
  return text
    .split('\n')
    .map((line) => {
      const body = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (!needs.test(body)) return line;
      return oneRow(body) + line.slice(body.length);
    })
    .join('\n');
}

function oneRow(line: string): string {
  // Text between two returns is the widest that the row can get, tabs and movements aside.
  const widest = Math.max(...line.split('\r').map((part) => part.length + 8 * (part.split('\t').length - 1)));
  if (widest > ROW_COLUMNS) return line;
  const screen = new Screen(Math.min(ROW_COLUMNS, 2 * widest + 88), 2);
  screen.write(encoder.encode(line));
  return screen.text();
}

function onScreens(text: string): string {
  let rows = 0;
  let columns = 0;
  for (const [, first = '', second = '', column = ''] of text.matchAll(ABSOLUTE)) {
    rows = Math.max(rows, Number(first), 1);
    columns = Math.max(columns, Number(second), Number(column));
  }
  const lines = text.split('\n');
  if (rows > 0)
    return onScreen(text, Math.max(80, Math.min(columns, MOST_COLUMNS)), Math.max(40, Math.min(rows, 500)));
  const parts: string[] = [];
  for (let at = 0; at < lines.length; at += PART_ROWS) {
    const part = lines.slice(at, at + PART_ROWS);
    const longest = Math.max(
      ...part.map((line) => Math.max(...line.split('\r').map(({ length }) => length))),
    );
    const shown = onScreen(
      part.join('\n'),
      Math.min(MOST_COLUMNS, Math.max(80, longest + 8)),
      part.length + 1,
    );
    parts.push(shown);
  }
  return parts.join('\n');
}

function onScreen(text: string, columns: number, rows: number): string {
  const screen = new Screen(columns, rows);
  screen.write(encoder.encode(text.replace(/\r?\n/g, '\r\n')));
  return screen.text();
}
