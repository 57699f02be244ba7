/**
 * `umwelt world check`: lives in worlds to see whether they hold. One line per check, or one JSON report per world.
 *
 * A file that does not load is a failed check of its own, and the worlds behind it are still checked.
 */
import { type CheckReport, checkWorld } from '../../author/index.js';
import type { WorldError } from '../../core/index.js';
import { type CommandInput, integerFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { findPlayable } from '../find-playable.js';
import { type Output, visible } from '../output.js';

/** A report, or what stands for one where the file did not load. */
type Checked = Omit<CheckReport, 'hash'> & { readonly hash: string | null; readonly problems?: unknown };

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const randomEpisodes = integerFlag(flags, 'random');
  const seed = integerFlag(flags, 'seed');
  const options = {
    ...(randomEpisodes !== undefined && { randomEpisodes }),
    ...(seed !== undefined && { seed }),
  };
  const found = await Promise.all(words.map(async (word) => ({ word, result: await findPlayable(word) })));
  for (const { result } of found) {
    if (!result.ok && result.error.code === 'world/not-found') throw result.error;
  }
  let failed = 0;
  for (const { word, result } of found) {
    const report = result.ok ? await checkWorld(result.value, options) : unloaded(word, result.error);
    print(report, output);
    if (!report.passed) failed++;
  }
  if (!output.json && found.length > 1)
    output.line(`\n${found.length - failed} worlds hold, ${failed} do not`);
  return failed > 0 ? EXIT.failed : EXIT.done;
}

function unloaded(word: string, error: WorldError): Checked {
  const item = { id: 'load', status: 'fail', message: error.message } as const;
  const { problems } = error.data;
  return { world: word, hash: null, passed: false, items: [item], oracleSteps: null, random: null, problems };
}

const COLOUR = { pass: 'green', fail: 'red', skipped: 'dim' } as const;

function print(report: Checked, output: Output): void {
  if (output.json) {
    output.line(JSON.stringify(report));
    return;
  }
  const verdict = report.passed ? output.style('holds', 'green') : output.style('does not hold', 'red');
  output.line(`${output.style(visible(report.world), 'bold')} ${verdict}`);
  for (const { id, status, message } of report.items) {
    output.line(`  ${output.style(status.padEnd(7), COLOUR[status])}  ${visible(id)}: ${visible(message)}`);
  }
}
