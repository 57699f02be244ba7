/**
 * What a run was made with, beside its results: a fingerprint, so that results of two makings are never mixed.
 *
 * `predictions.jsonl` has `predictions.run.json`, `judged.jsonl` has `judged.run.json`. Going on with other facts is
 * refused, naming each fact that differs. Results without such a file (made by the reference script, or by hand) are
 * taken in, which is told and written down. Source: hard case P-EVAL-4.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import {
  canonicalJson,
  DataError,
  hashJson,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  renderJson,
  UsageError,
} from '../../core/index.js';

/** What a run was made with. */
export interface RunFacts {
  /** Short hash of the facts; every record carries it. */
  readonly run: string;
  readonly facts: JsonObject;
  /** Records of unknown making that were taken in. */
  readonly adopted: number;
}

/** The place of the facts of a file of results. */
function runFactsPath(results: string): string {
  return `${results.replace(/\.jsonl$/, '')}.run.json`;
}

/** The short name of a run with these facts. */
function runName(facts: JsonObject): string {
  return hashJson(facts).slice(0, 16);
}

/** Reads the facts of a file of results; null where nobody wrote any. Raises `data/invalid`. */
function readRunFacts(results: string): RunFacts | null {
  const path = runFactsPath(results);
  if (!existsSync(path)) return null;
  const read = parseJson(readFileSync(path, 'utf8'));
  if (!read.ok || !isJsonObject(read.value) || !isJsonObject(read.value.facts)) {
    throw new DataError(`${path} holds no facts of a run; remove it, or write results elsewhere with --out`, {
      code: 'data/invalid',
    });
  }
  const { facts, adopted } = read.value;
  return { run: runName(facts), facts, adopted: typeof adopted === 'number' ? adopted : 0 };
}

/** Writes the facts whole or not at all. */
export function writeRunFacts(results: string, { run, facts, adopted }: RunFacts): void {
  const path = runFactsPath(results);
  const part = `${path}.part`;
  writeFileSync(part, `${renderJson({ run, ...(adopted > 0 && { adopted }), facts }, 2)}\n`);
  renameSync(part, path);
}

/**
 * Makes sure that results at this place may be gone on with: same facts, or none known. With `force`, what is there is
 * removed. Raises `usage/bad-argument`.
 */
export function claimRun(
  results: string,
  facts: JsonObject,
  how: { readonly force: boolean },
): { readonly run: string; readonly isKnown: boolean } {
  if (how.force) {
    rmSync(results, { force: true });
    rmSync(runFactsPath(results), { force: true });
  }
  const before = readRunFacts(results);
  const run = runName(facts);
  if (before === null || before.run === run) return { run, isKnown: before !== null || !existsSync(results) };
  const changed = differences(before.facts, facts);
  throw new UsageError(
    `${results} was made with other facts: ${changed.join('; ')}. Write elsewhere with --out, or start anew with --force`,
    { code: 'usage/bad-argument', data: { changed } },
  );
}

function differences(before: JsonObject, now: JsonObject): readonly string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  const shown = (value: Json | undefined): string =>
    value === undefined ? 'nothing' : renderJson(value).slice(0, 100);
  return keys
    .filter((key) => canonicalJson(before[key] ?? null) !== canonicalJson(now[key] ?? null))
    .map((key) => `${key} was ${shown(before[key])} and is ${shown(now[key])}`);
}
