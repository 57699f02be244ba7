/**
 * `umwelt world from-trajectory`: the twin of a recorded service, as a world file that plays at once.
 */
import { createReadStream } from 'node:fs';
import { describeTwin, worldFromRecording } from '../../author/index.js';
import { DataError, type Json, renderJson, type Trajectory } from '../../core/index.js';
import { type ImportReport, importTrajectories } from '../../data/index.js';
import { loadWorld } from '../../worlds/index.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { reasonOf } from '../named-file.js';
import { writeNewWorld } from '../new-world.js';
import { visible } from '../output.js';

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const from = textFlag(flags, 'from');
  const trajectories: Trajectory[] = [];
  const files: ImportReport[] = [];
  for (const path of words) {
    const read = await readLog(path, from);
    trajectories.push(...read.trajectories);
    files.push(read.report);
  }
  const name = textFlag(flags, 'name');
  const seed = integerFlag(flags, 'seed');
  const made = worldFromRecording(trajectories, {
    files,
    ...(name !== undefined && { name }),
    ...(seed !== undefined && { seed }),
  });
  if (!made.ok) throw made.error;
  const { text, report } = made.value;
  const out = textFlag(flags, 'out') ?? `${made.value.name}.yaml`;
  const loaded = loadWorld(text);
  if (!loaded.ok) throw loaded.error;
  writeNewWorld(out, text, flags.force === true);
  if (output.json) {
    const facts = { name: made.value.name, path: out, hash: loaded.value.hash, report };
    output.line(renderJson(facts as unknown as Json));
    return EXIT.done;
  }
  output.line(visible(describeTwin(report)));
  output.line(`\nWrote ${visible(out)}. Play it: umwelt play ${visible(out)}`);
  return EXIT.done;
}

/** Reads one log; raises `data/unreadable` for a file that cannot be read, `data/invalid` for one of no known format. */
async function readLog(
  path: string,
  from: string | undefined,
): Promise<{ readonly trajectories: readonly Trajectory[]; readonly report: ImportReport }> {
  const opened = importTrajectories(path, createReadStream(path), from === undefined ? {} : { from });
  if (!opened.ok) throw opened.error;
  const trajectories: Trajectory[] = [];
  try {
    for await (const trajectory of opened.value.trajectories) trajectories.push(trajectory);
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'there is no such file, ENOENT' : reasonOf(cause);
    throw new DataError(`cannot read ${path} (${why})`, { code: 'data/unreadable', cause });
  }
  const report = opened.value.report();
  if (report.format !== null) return { trajectories, report };
  throw new DataError(
    `${path} is of no known format; --from names one (umwelt world from-trajectory --help)`,
    {
      code: 'data/invalid',
    },
  );
}
