/**
 * A screen of somebody else's terminal, cut into what was typed and what each command said.
 *
 * What was typed is known from the action, so the echo is looked for by its text: at the end of a row behind a prompt, or
 * broken over rows. Source: the layout of terminal turns in arXiv 2606.24597. Not covered: full-screen programs.
 */
import { readPrompt, type SeenPrompt } from './prompts.js';

/** One command line with what was shown behind it. */
export interface Piece {
  readonly prompt: SeenPrompt;
  readonly line: string;
  /** Rows until the next prompt. */
  readonly output: readonly string[];
  /** A prompt stands behind it: the command had ended. */
  readonly isEnded: boolean;
}

/** What a turn shows. */
export interface Transcript {
  /** The row where the echo of the first typed line stands; -1 where it stands nowhere. */
  readonly echoRow: number;
  readonly pieces: readonly Piece[];
  /** The prompt at the end, where the shell waits. */
  readonly last: SeenPrompt | null;
}

/** The lines that keystrokes type; keys without a text (C-c) are none. */
export function typedLines(keystrokes: readonly string[]): string[] {
  const all = keystrokes
    .filter((keys) => !/^(?:[CM]-.|Escape|Enter|Tab|BSpace|Up|Down|Left|Right)$/.test(keys))
    .join('');
  return all.split(/\r\n|[\n\r]/).filter((line, index, lines) => index < lines.length - 1 || line !== '');
}

/** Rows without trailing spaces, without empty rows at the end. */
export function rowsOf(text: string): string[] {
  const rows = text.split(/\r?\n/).map((row) => row.trimEnd());
  while (rows.length > 0 && rows.at(-1) === '') rows.pop();
  return rows;
}

interface Echo {
  readonly at: number;
  /** Rows that it takes. */
  readonly rows: number;
  readonly prompt: SeenPrompt;
}

/** Reads what a turn shows. */
export function readTranscript(rows: readonly string[], lines: readonly string[]): Transcript {
  const echoes = lines.length === 0 ? null : findEchoes(rows, lines);
  const lastRow = rows.at(-1);
  const end = lastRow === undefined ? null : readPrompt(lastRow);
  const last = end !== null && end.rest === '' ? end : null;
  if (echoes === null) return { echoRow: -1, pieces: [], last };
  const pieces = echoes.map(({ echo, line }, index): Piece => {
    const next = echoes[index + 1]?.echo.at;
    const stop = next ?? (last === null ? rows.length : rows.length - 1);
    return {
      prompt: echo.prompt,
      line,
      output: rows.slice(echo.at + echo.rows, stop),
      isEnded: next !== undefined || last !== null,
    };
  });
  return { echoRow: echoes[0]?.echo.at ?? -1, pieces, last };
}

/** The echoes of lines that begin a command; lines that go on another one (`> `) are part of its output. */
function findEchoes(
  rows: readonly string[],
  lines: readonly string[],
): readonly { readonly echo: Echo; readonly line: string }[] | null {
  const [first = ''] = lines;
  for (let at = rows.length - 1; at >= 0; at--) {
    const echo = echoAt(rows, at, first);
    if (echo === null) continue;
    const found = [{ echo, line: first }];
    let from = at + echo.rows;
    for (const line of lines.slice(1)) {
      for (let row = from; row < rows.length; row++) {
        const next = echoAt(rows, row, line);
        if (next === null) continue;
        found.push({ echo: next, line });
        from = row + next.rows;
        break;
      }
    }
    return found;
  }
  return null;
}

function echoAt(rows: readonly string[], at: number, line: string): Echo | null {
  const prompt = readPrompt(rows[at] ?? '');
  if (prompt === null) return null;
  const wanted = line.trimEnd();
  let seen = prompt.rest;
  if (seen === wanted && (wanted !== '' || at < rows.length)) return { at, rows: 1, prompt };
  for (let count = 1; count < 40 && seen !== '' && wanted.startsWith(seen); count++) {
    const next = rows[at + count];
    if (next === undefined) return null;
    const joined = wanted.startsWith(seen + next) ? seen + next : `${seen} ${next}`;
    if (!wanted.startsWith(joined)) return null;
    seen = joined;
    if (seen === wanted) return { at, rows: count + 1, prompt };
  }
  return null;
}
