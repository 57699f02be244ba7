/**
 * A benchmark's data set: which rows there are, which are invalid, and where each stands.
 *
 * The idea: the files are read once to check and index them, and each row is read again when it is asked, so that a
 * set of any size fits in memory. Two rows of one key and different content are refused before anything is called; equal
 * ones count once. Source: hard cases P-EVAL-1 and P-EVAL-4.
 */
import { openSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DataError, type Domain, hashJson, hashText, type JsonObject, UsageError } from '../../core/index.js';
import { type BenchRow, benchKey, readBenchRow } from '../../domains/index.js';
import { estimateTokens } from '../../text/index.js';
import { readFileLines, readValueAt, type ValuePlace } from './file-lines.js';

/** A row as the index knows it. */
export interface IndexedRow extends ValuePlace {
  readonly key: string;
  readonly domain: Domain;
  readonly trajectory: string;
  /** SHA-256 of the row's canonical JSON. */
  readonly hash: string;
  /** Tokens of system prompt, history and action, and of the real observation; estimates. */
  readonly promptTokens: number;
  readonly truthTokens: number;
  readonly file: string;
}

/** A row that cannot be used. */
export interface InvalidRow {
  readonly file: string;
  readonly line: number;
  /** Task, id and turn as far as they are known. */
  readonly key: string | null;
  readonly reason: string;
}

/** A data set. */
export interface DataSet {
  /** In the order of the files. */
  readonly rows: readonly IndexedRow[];
  readonly invalid: readonly InvalidRow[];
  /** What is odd, one sentence each. */
  readonly warnings: readonly string[];
  /** SHA-256 over keys and contents of the valid rows, whatever their order. */
  readonly fingerprint: string;
  /** Reads one row whole. */
  read(row: IndexedRow): BenchRow;
}

/** How to open a data set. */
export interface DataSetOptions {
  /** What a second row of one key with other contents is: refused (default), or left out, the first counting. */
  readonly repeated?: 'refuse' | 'first';
}

/**
 * Opens the rows of files; a folder stands for its `*_test.jsonl`. Raises
 * `usage/unknown-name` for what is not there and `data/invalid` for one key with two contents.
 */
export function openDataSet(paths: readonly string[], options: DataSetOptions = {}): DataSet {
  const reading = new Reading(options.repeated ?? 'refuse');
  for (const file of paths.flatMap(filesOf)) reading.file(file);
  return reading.done();
}

function filesOf(path: string): readonly string[] {
  const about = statSync(path, { throwIfNoEntry: false });
  if (about === undefined) {
    throw new UsageError(`there is no ${path}; wanted a folder with *_test.jsonl, or such files`, {
      code: 'usage/unknown-name',
      data: { path },
    });
  }
  if (!about.isDirectory()) return [path];
  const files = readdirSync(path)
    .filter((name) => name.endsWith('_test.jsonl'))
    .sort();
  if (files.length > 0) return files.map((name) => join(path, name));
  throw new UsageError(`the folder ${path} holds no *_test.jsonl; name the files, or their folder`, {
    code: 'usage/unknown-name',
    data: { path },
  });
}

const SHOWN_WARNINGS = 20;

class Reading {
  private readonly rows: IndexedRow[] = [];
  private readonly invalid: InvalidRow[] = [];
  private readonly warnings: string[] = [];
  private readonly byKey = new Map<string, IndexedRow>();
  private repeated = 0;
  private readonly others: string[] = [];
  private odd = 0;

  constructor(private readonly repeats: 'refuse' | 'first') {}

  file(file: string): void {
    const name = basename(file);
    const lines = readFileLines(file, ({ line, message }) =>
      this.invalid.push({ file: name, line, key: null, reason: message }),
    );
    for (const { value, line, start, length, part } of lines) {
      const read = readBenchRow(value);
      if (!read.ok) {
        const key = benchKey(value as JsonObject) ?? null;
        this.invalid.push({ file: name, line, key, reason: read.error });
        continue;
      }
      const row = read.value;
      for (const warning of row.warnings) this.warn(`${name}, line ${line}, ${row.key}: ${warning}`);
      this.add(row, { file, start, length, part }, line);
    }
  }

  private add(row: BenchRow, place: ValuePlace & Pick<IndexedRow, 'file'>, line: number): void {
    const hash = hashJson(row.raw);
    const known = this.byKey.get(row.key);
    if (known !== undefined && known.hash !== hash) {
      if (this.repeats === 'first') {
        this.others.push(row.key);
        return;
      }
      throw new DataError(
        `${basename(place.file)}, line ${line}: the row ${row.key} is there twice with different contents; nothing was asked. Give each row its own id and turn_idx`,
        { code: 'data/invalid', data: { key: row.key, line } },
      );
    }
    if (known !== undefined) {
      this.repeated += 1;
      return;
    }
    const history = row.history.reduce(
      (sum, one) => sum + estimateTokens(one.action) + estimateTokens(one.observation),
      0,
    );
    const indexed: IndexedRow = {
      key: row.key,
      domain: row.domain,
      trajectory: row.trajectory,
      hash,
      promptTokens: estimateTokens(row.system) + history + estimateTokens(row.action),
      truthTokens: estimateTokens(row.truth),
      ...place,
    };
    this.byKey.set(row.key, indexed);
    this.rows.push(indexed);
  }

  private warn(text: string): void {
    this.odd += 1;
    if (this.odd <= SHOWN_WARNINGS) this.warnings.push(text);
  }

  done(): DataSet {
    if (this.odd > SHOWN_WARNINGS)
      this.warnings.push(`and ${this.odd - SHOWN_WARNINGS} more oddities of rows`);
    if (this.repeated > 0)
      this.warnings.push(`${this.repeated} rows are there again, word for word; each counts once`);
    if (this.others.length > 0) {
      const shown = this.others.slice(0, 10).join(', ');
      this.warnings.push(`${this.others.length} rows are there twice, the first one counts: ${shown}`);
    }
    const files = new Map<string, number>();
    const all = this.rows.map(({ key, hash }) => `${key} ${hash}`).sort();
    return {
      rows: this.rows,
      invalid: this.invalid,
      warnings: this.warnings,
      fingerprint: hashText(all.join('\n')),
      read: (row) => {
        const file = files.get(row.file) ?? openSync(row.file, 'r');
        files.set(row.file, file);
        const read = readBenchRow(readValueAt(file, row));
        if (read.ok) return read.value;
        throw new DataError(`${row.file} changed while it was read: ${read.error}`, { code: 'data/invalid' });
      },
    };
  }
}
