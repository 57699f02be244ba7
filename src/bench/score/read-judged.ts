/**
 * Reads a file of judged rows for scoring: what a score needs of each row, nothing else held.
 *
 * Of several lines of one key the first counts, as everywhere; lines that are none are told.
 */
import { isJsonObject } from '../../core/index.js';
import { readFileLines } from '../files/file-lines.js';
import { type JudgedRow, readJudged } from './judged-record.js';

/** The rows of a file, and what was wrong with it. */
export interface JudgedFile {
  readonly rows: readonly JudgedRow[];
  readonly problems: readonly string[];
}

/** Reads the file. Raises what the system says where it cannot be read. */
export function readJudgedFile(path: string): JudgedFile {
  const rows: JudgedRow[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  let repeated = 0;
  const lines = readFileLines(path, ({ line, message }) => problems.push(`line ${line}: ${message}`));
  for (const { value, line } of lines) {
    const row = isJsonObject(value) ? readJudged(value, line) : undefined;
    if (row === undefined) {
      problems.push(`line ${line}: no judged row of a known domain, for it has no task or no verdict`);
      continue;
    }
    if (row.isKeyed && seen.has(row.key)) {
      repeated += 1;
      continue;
    }
    seen.add(row.key);
    rows.push(row);
  }
  if (repeated > 0) problems.push(`${repeated} rows are there more than once; the first of each counts`);
  return { rows, problems };
}
