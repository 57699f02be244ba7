/**
 * `umwelt episodes`: what a store of `umwelt serve --store` holds, as a table or as trajectories.
 */
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { UsageError } from '../../core/index.js';
import {
  type EpisodeStore,
  openSqliteStore,
  type StoredSummary,
  storedTrajectories,
} from '../../server/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { type Output, visible } from '../output.js';

/** Episodes that are asked for at a time. */
const PAGE = 1_000;

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const path = words[0] ?? '';
  if (!existsSync(path)) {
    throw new UsageError(`there is no file ${path}; \`umwelt serve --store ${path}\` makes one`, {
      code: 'usage/unknown-name',
    });
  }
  const target = textFlag(flags, 'export');
  if (target !== undefined && target !== '-' && flags.force !== true && existsSync(target)) {
    throw new UsageError(`${target} is there already; name another file, or add --force`, {
      code: 'usage/bad-argument',
    });
  }
  const store = await openSqliteStore(path, { create: false });
  try {
    return target === undefined ? await list(store, output) : await exportAll(store, target, output);
  } finally {
    await store.close();
  }
}

async function list(store: EpisodeStore, output: Output): Promise<number> {
  for await (const one of summaries(store)) {
    const { id, world, turns, done, changedAt } = one;
    if (output.json) output.line(JSON.stringify(one));
    else
      output.line(
        `${id}  ${changedAt}  ${String(turns).padStart(5)} turns  ${done ? 'done ' : 'open '}  ${visible(world)}`,
      );
  }
  const count = await store.count();
  if (!output.json) output.line(`${count} episode${count === 1 ? '' : 's'}`);
  return EXIT.done;
}

async function* summaries(store: EpisodeStore): AsyncGenerator<StoredSummary> {
  let after: string | undefined;
  while (true) {
    const page = await store.list({ limit: PAGE, ...(after !== undefined && { after }) });
    yield* page;
    after = page.at(-1)?.id;
    if (after === undefined) return;
  }
}

/** Written episode by episode, so that a store of any size is exported in little memory. */
async function exportAll(store: EpisodeStore, target: string, output: Output): Promise<number> {
  const file = target === '-' ? 1 : openSync(target, 'w');
  let written = 0;
  let failed = 0;
  try {
    for await (const one of storedTrajectories(store)) {
      if ('text' in one) {
        writeWhole(file, one.text);
        written++;
      } else {
        output.note(`umwelt: episode ${one.id} is left out: ${visible(one.problem)}`);
        failed++;
      }
    }
  } finally {
    if (file !== 1) closeSync(file);
  }
  if (output.json && target !== '-') output.line(JSON.stringify({ file: target, written, failed }));
  else output.note(`${written} written${failed === 0 ? '' : `, ${failed} left out`}`);
  return failed === 0 ? EXIT.done : EXIT.partial;
}

function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
