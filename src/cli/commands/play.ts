/**
 * `umwelt play`: live in a world, by hand or from a file of actions.
 *
 * Opens world, model, episode and recording; how the actions come is in `play/`.
 */
import { UsageError } from '../../core/index.js';
import {
  createRecordingWorldModel,
  Episode,
  openEpisode,
  type Route,
  recordedOptions,
} from '../../sim/index.js';
import { renderProblem, type World } from '../../worlds/index.js';
import { type CommandInput, type FlagValues, integerFlag, textFlag } from '../command.js';
import { findPlayable } from '../find-playable.js';
import { mustNotBeInput } from '../named-file.js';
import { visible } from '../output.js';
import { type ActionSource, openActionLines } from '../play/action-lines.js';
import { readModelOptions } from '../play/model-options.js';
import { chooseModel, languageModelOf } from '../play/model-spec.js';
import { playBatch } from '../play/play-batch.js';
import { playLines } from '../play/play-lines.js';
import { PlayRecording } from '../play/play-recording.js';
import { type Played, Player } from '../play/player.js';

/** Runs the command. */
export async function run({ flags, words, output }: CommandInput): Promise<number> {
  const source = textFlag(flags, 'actions');
  guardInputs(flags, words[0] ?? '');
  const given = source === undefined ? null : await openActionLines(source);
  for (const problem of given?.problems ?? []) output.note(problem);
  const found = await findPlayable(words[0] ?? '');
  if (!found.ok) throw found.error;
  for (const warning of found.value.warnings)
    output.note(visible(renderProblem(warning, found.value.path ?? found.value.name)));
  const played = await open(found.value, flags, given);
  const player = new Player(played, openRecording(played, flags), output);
  player.printHeading();
  try {
    return given === null ? await playLines(player, output) : await playBatch(player, given.actions, output);
  } finally {
    player.close();
  }
}

/** The recording must not take the place of anything that this run reads, not even with --force. */
function guardInputs(flags: FlagValues, world: string): void {
  const path = textFlag(flags, 'record');
  if (path === undefined) return;
  const model = /^(?:replay|scripted):(.+)$/s.exec(textFlag(flags, 'model') ?? '')?.[1];
  mustNotBeInput(
    { flag: '--record', path },
    { '--actions': textFlag(flags, 'actions'), '--model': model, WORLD: world },
  );
}

/** Opens the episode. What the flags leave open comes from a recording given as actions, then from the world. */
async function open(world: World, flags: FlagValues, given: ActionSource | null): Promise<Played> {
  const spec = textFlag(flags, 'model');
  const options = readModelOptions(flags);
  const chosen = await chooseModel(spec ?? 'engine', options);
  const route = textFlag(flags, 'route') as Route | undefined;
  if (chosen.kind === 'recording' && route !== 'engine' && route !== 'grounded') {
    const model = createRecordingWorldModel(chosen.trajectories, { name: chosen.name });
    return { world, live: await model.open() };
  }
  if (route === 'model' && chosen.kind === 'none') throw noModel();
  const model = languageModelOf(chosen);
  const seed = integerFlag(flags, 'seed');
  const maxTurns = integerFlag(flags, 'max-turns');
  const recorded = given?.trajectory ?? null;
  const live = await openEpisode(world, {
    ...(recorded !== null && recordedOptions(recorded)),
    ...(seed !== undefined && { seed }),
    ...(route !== undefined && { route }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(spec !== undefined && { model }),
    ...(options.promptTokens !== undefined && { promptTokens: options.promptTokens }),
  });
  return { world, live };
}

function noModel(): UsageError {
  return new UsageError(
    '--route model needs a model that answers: add --model scripted:FILE or replay:FILE',
    {
      code: 'usage/bad-argument',
    },
  );
}

function openRecording({ live }: Played, flags: FlagValues): PlayRecording | null {
  const path = textFlag(flags, 'record');
  if (path === undefined) return null;
  if (live instanceof Episode) return new PlayRecording(path, live, flags.force === true);
  throw new UsageError(
    '--record of a recording that is played back would only copy it; leave one of them out',
    {
      code: 'usage/bad-argument',
    },
  );
}
