/**
 * Reads CSV: a header and records of text, each record knowing where it stands.
 *
 * Source: RFC 4180. Quotes may hold separators, line ends and doubled quotes; line ends are CRLF, LF or CR. The
 * separator is the one of comma, semicolon and tab that the header has most of, outside quotes. Time is linear in the
 * text. Not covered: comments, other quote characters, files without a header.
 */
import { fail, ok, type Result } from '../core/index.js';
import type { Position } from './source-document.js';

/** One thing wrong in a CSV text. */
export interface CsvProblem extends Position {
  readonly message: string;
}

/** A CSV text that was read. */
export interface CsvTable {
  readonly header: readonly string[];
  /** Cells of each record as text; a cell is null where nothing is written, also not `""`. */
  readonly records: readonly (readonly (string | null)[])[];
  /** Where a cell of a record stands (the record itself for -1). */
  positionOf(record: number, cell: number): Position;
}

/** Problems that are told of one file. */
const PROBLEMS = 50;

interface Record_ {
  readonly cells: readonly (string | null)[];
  readonly offset: number;
  readonly line: number;
}

/** Reads a CSV text without byte-order mark. Fails with every problem, up to 50. */
export function parseCsv(text: string): Result<CsvTable, CsvProblem[]> {
  const scanner = new CsvScanner(text, separatorOf(text));
  const first = scanner.next();
  if (first === null)
    return fail([
      { line: 1, column: 1, message: 'is empty; wanted a header line with the names of the fields' },
    ]);
  const header = first.cells.map((cell) => (cell ?? '').trim());
  const problems: CsvProblem[] = [
    ...scanner.problems,
    ...headerProblems(header, (cell) => scanner.placeOf(first, cell)),
  ];
  scanner.problems.length = 0;
  const records: Record_[] = [];
  for (let record = scanner.next(); record !== null; record = scanner.next()) {
    if (record.cells.length === 1 && record.cells[0] === null) continue;
    if (record.cells.length !== header.length) {
      const message = `has ${record.cells.length} fields; the header has ${header.length}`;
      if (problems.length < PROBLEMS) problems.push({ ...scanner.placeOf(record, 0), message });
    }
    records.push(record);
    if (scanner.problems.length > PROBLEMS) break;
  }
  problems.push(...scanner.problems);
  if (problems.length > 0) return fail(problems.slice(0, PROBLEMS));
  return ok({
    header,
    records: records.map(({ cells }) => cells),
    positionOf: (record, cell) => {
      const found = records[record];
      return found === undefined ? { line: 1, column: 1 } : scanner.placeOf(found, Math.max(0, cell));
    },
  });
}

function headerProblems(header: readonly string[], placeOf: (cell: number) => Position): CsvProblem[] {
  const seen = new Set<string>();
  return header.flatMap((name, cell): CsvProblem[] => {
    const twice = seen.has(name);
    seen.add(name);
    if (name === '') return [{ ...placeOf(cell), message: `column ${cell + 1} of the header has no name` }];
    if (name === '__proto__') return [{ ...placeOf(cell), message: 'a column cannot be called __proto__' }];
    return twice ? [{ ...placeOf(cell), message: `two columns are called ${JSON.stringify(name)}` }] : [];
  });
}

/** The separator that the header has most of; a comma where it has none. */
function separatorOf(text: string): string {
  const counts = new Map([
    [',', 0],
    [';', 0],
    ['\t', 0],
  ]);
  let quoted = false;
  for (const unit of text) {
    if (unit === '"') quoted = !quoted;
    else if (!quoted && (unit === '\n' || unit === '\r')) break;
    else if (!quoted) {
      const count = counts.get(unit);
      if (count !== undefined) counts.set(unit, count + 1);
    }
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best?.[0] ?? ',';
}

/** Walks over a text record by record. */
class CsvScanner {
  readonly problems: CsvProblem[] = [];
  private at = 0;
  private line = 1;
  private lineStart = 0;

  constructor(
    private readonly text: string,
    private readonly separator: string,
  ) {}

  /** The next record; null at the end. */
  next(): Record_ | null {
    if (this.at >= this.text.length) return null;
    const { at: offset, line } = this;
    const cells: (string | null)[] = [];
    for (;;) {
      cells.push(this.cell());
      if (this.text[this.at] !== this.separator) break;
      this.at += 1;
    }
    this.endLine();
    return { cells, offset, line };
  }

  /** Where a cell of a record stands; found by reading the record again. */
  placeOf(record: Record_, cell: number): Position {
    const again = new CsvScanner(this.text, this.separator);
    again.at = record.offset;
    again.line = record.line;
    again.lineStart = record.offset;
    for (let i = 0; i < cell; i++) {
      again.cell();
      if (this.text[again.at] !== this.separator) break;
      again.at += 1;
    }
    return again.place(again.at);
  }

  private place(offset: number): Position {
    return { line: this.line, column: offset - this.lineStart + 1 };
  }

  private cell(): string | null {
    if (this.text[this.at] === '"') return this.quoted();
    const start = this.at;
    let end = start;
    for (; end < this.text.length; end++) {
      const unit = this.text[end];
      if (unit === this.separator || unit === '\n' || unit === '\r') break;
    }
    this.at = end;
    return end === start ? null : this.text.slice(start, end);
  }

  private quoted(): string {
    const opened = this.place(this.at);
    const parts: string[] = [];
    let start = this.at + 1;
    for (;;) {
      const end = this.text.indexOf('"', start);
      if (end === -1) {
        this.problem(opened, 'the quote that opens here is never closed');
        this.at = this.text.length;
        return parts.join('"');
      }
      parts.push(this.text.slice(start, end));
      start = end + 1;
      if (this.text[start] !== '"') break;
      start += 1;
    }
    this.at = start;
    const value = parts.join('"');
    const ends = lineEnds(value);
    if (ends > 0) {
      this.line += ends;
      // the cell holds a line end, so this stops inside of it
      let start = this.at;
      while (start > 0 && this.text[start - 1] !== '\n' && this.text[start - 1] !== '\r') start -= 1;
      this.lineStart = start;
    }
    const unit = this.text[this.at];
    if (unit !== undefined && unit !== this.separator && unit !== '\n' && unit !== '\r') {
      this.problem(
        this.place(this.at),
        'text stands behind a closing quote; a quote inside a quoted field is doubled',
      );
      while (this.at < this.text.length && !`${this.separator}\n\r`.includes(this.text[this.at] ?? ''))
        this.at += 1;
    }
    return value;
  }

  private problem(at: Position, message: string): void {
    this.problems.push({ ...at, message });
  }

  private endLine(): void {
    if (this.text[this.at] === '\r') this.at += 1;
    if (this.text[this.at] === '\n') this.at += 1;
    this.line += 1;
    this.lineStart = this.at;
  }
}

function lineEnds(value: string): number {
  return value.includes('\n') || value.includes('\r') ? value.split(/\r\n|\n|\r/).length - 1 : 0;
}
