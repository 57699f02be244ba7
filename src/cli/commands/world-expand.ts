/**
 * `umwelt world expand`: from seed worlds to thousands of checked children in a folder.
 *
 * Progress goes to standard error on a terminal; the summary is printed at the end. Ctrl-C ends at once: what is
 * written is whole, and the same command goes on from there.
 */
import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ExpandSummary, expandWorlds } from '../../author/index.js';
import { type Json, type JsonObject, UsageError } from '../../core/index.js';
import { findWorld } from '../../worlds/index.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { type Output, visible } from '../output.js';
import { packageFile } from '../package-files.js';

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const out = textFlag(flags, 'out');
  if (out === undefined) {
    throw new UsageError('umwelt world expand needs --out DIR, the folder for the children', {
      code: 'usage/bad-argument',
    });
  }
  const named = words.filter((word) => !isParts(word));
  if (named.length < words.length)
    output.note('umwelt: folders that begin with _ hold parts of worlds; skipped');
  if (named.length === 0) {
    throw new UsageError(
      'umwelt world expand needs a world; folders that begin with _ hold only parts of worlds',
      {
        code: 'usage/bad-argument',
      },
    );
  }
  const worlds = named.map((word) => {
    const found = findWorld(word);
    if (!found.ok) throw found.error;
    return found.value;
  });
  const difficulty = textFlag(flags, 'difficulty')?.split(',');
  if (difficulty !== undefined) {
    const known = [...new Set(worlds.flatMap(({ file }) => Object.keys(file.expand?.difficulty ?? {})))];
    const unknown = difficulty.find((level) => !known.includes(level));
    if (unknown !== undefined) {
      const list = known.length === 0 ? 'these worlds have none' : `wanted one of: ${known.join(', ')}`;
      const message = `--difficulty is "${unknown}"; ${list}`;
      throw new UsageError(message, { code: 'usage/unknown-name', data: { seen: unknown, wanted: known } });
    }
  }
  const count = integerFlag(flags, 'count') ?? 100;
  const workers = integerFlag(flags, 'workers') ?? availableParallelism();
  const progress = progressLine(count);
  const summary = await expandWorlds(worlds, {
    count,
    seed: integerFlag(flags, 'seed') ?? 0,
    out,
    ...(difficulty !== undefined && { difficulty }),
    workers: Math.min(workers, count),
    workerUrl: pathToFileURL(packageFile('dist/author/expand/expand-worker.js')),
    onProgress: progress.show,
  });
  progress.end();
  if (output.json) output.line(JSON.stringify(summary));
  else print(summary, out, output);
  return summary.kept < summary.wanted ? EXIT.partial : EXIT.done;
}

/** A folder of parts, as \`worlds/office/*\` of a shell names it beside the worlds. */
function isParts(word: string): boolean {
  return basename(word).startsWith('_') && existsSync(word) && statSync(word).isDirectory();
}

interface Progress {
  readonly show: (now: { readonly kept: number; readonly tried: number }) => void;
  readonly end: () => void;
}

/** One line on a terminal that is written over, at most ten times a second; nothing elsewhere. */
function progressLine(count: number): Progress {
  if (process.stderr.isTTY !== true) return { show: () => undefined, end: () => undefined };
  let last = 0;
  return {
    show: ({ kept, tried }) => {
      const now = Date.now();
      if (now - last < 100) return;
      last = now;
      process.stderr.write(`\r${kept} of ${count} children, ${tried} tried\u001b[K`);
    },
    end: () => void process.stderr.write('\r\u001b[K'),
  };
}

function print(summary: ExpandSummary, out: string, output: Output): void {
  const head = `${summary.kept} of ${summary.wanted} children in ${out}`;
  output.line(
    `${output.style(visible(head), 'bold')} (${summary.tried} tried, ${summary.duplicates} duplicates)`,
  );
  for (const [name, counts] of entriesOf(summary.worlds)) {
    output.line(
      `  ${visible(name)}: ${entriesOf(counts)
        .map(([word, number]) => `${String(number)} ${word}`)
        .join(', ')}`,
    );
  }
  for (const group of ['rejected', 'difficulty', 'goalsPerChild'] as const) {
    const counts = entriesOf(summary[group]);
    if (counts.length > 0)
      output.line(`  ${group}: ${counts.map(([name, n]) => `${visible(name)} ${String(n)}`).join(', ')}`);
  }
  if (summary.kept < summary.wanted)
    output.note('umwelt: the worlds do not vary enough for more; see rejected.jsonl for the reasons');
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return typeof value === 'object' && value !== null ? Object.entries(value as JsonObject) : [];
}
