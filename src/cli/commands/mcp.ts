/**
 * `umwelt mcp`: one world as an MCP server on standard input and output, or a front of an episode in a service.
 *
 * Standard output belongs to the client: nothing but frames is written there. When the client has gone the episode
 * ends and is scored, since nobody else can end it.
 */
import { Console } from 'node:console';
import { UsageError } from '../../core/index.js';
import {
  attachStdio,
  createRecordingStore,
  createService,
  type ServedEpisodeHandle,
  serveEpisodeOnStdio,
} from '../../server/index.js';
import { createTrajectoryRecorder, type Route } from '../../sim/index.js';
import { renderProblem, type World } from '../../worlds/index.js';
import { type CommandInput, type FlagValues, integerFlag, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { findPlayable } from '../find-playable.js';
import { mustNotBeInput } from '../named-file.js';
import { type Output, visible } from '../output.js';
import { readModelOptions } from '../play/model-options.js';
import { chooseModel, languageModelOf } from '../play/model-spec.js';

/** The variable that holds the token of the episode that is attached to. */
const TOKEN_VARIABLE = 'UMWELT_TOKEN';

/** Flags that say how a world is opened; an episode in a service is open already. */
const WORLD_FLAGS = ['seed', 'record', 'force', 'model', 'route', 'max-turns', 'clock'];

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const url = textFlag(flags, 'attach');
  const [world] = words;
  if ((url === undefined) === (world === undefined)) {
    const seen = url === undefined ? 'neither' : 'both';
    throw usage(`umwelt mcp takes a WORLD or --attach URL, but got ${seen}`);
  }
  const end = openStreams();
  if (url !== undefined) {
    await attach(url, flags);
  } else {
    await serve(world ?? '', flags, output);
  }
  process.stdin.destroy();
  await flushed();
  return end.code;
}

/** How the connection ends: by the client, or by a signal. */
interface End {
  code: number;
}

/** Keeps standard output for frames; a signal ends the input, so that what runs is still answered. */
function openStreams(): End {
  globalThis.console = new Console(process.stderr, process.stderr);
  // A client that is gone must not end this process before the recording is closed.
  process.stdout.removeAllListeners('error');
  process.removeAllListeners('SIGINT');
  const end: End = { code: EXIT.done };
  process.once('SIGINT', () => {
    end.code = EXIT.interrupted;
    process.stdin.destroy();
  });
  process.once('SIGTERM', () => void process.stdin.destroy());
  return end;
}

async function attach(url: string, flags: FlagValues): Promise<void> {
  const given = WORLD_FLAGS.find((name) => flags[name] !== undefined);
  if (given !== undefined) throw usage(`--${given} does not go with --attach: the episode is open already`);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw usage(`--attach is ${JSON.stringify(url)}; wanted http://… or https://…, as the service gave it`);
  }
  const token = process.env[TOKEN_VARIABLE];
  const tokenHint =
    token === undefined
      ? `set ${TOKEN_VARIABLE} to its token`
      : `the token in ${TOKEN_VARIABLE} is not the right one`;
  const streams = { input: process.stdin, output: process.stdout };
  await attachStdio({ url, tokenHint, ...(token !== undefined && token !== '' && { token }) }, streams);
}

async function serve(name: string, flags: FlagValues, output: Output): Promise<void> {
  const record = textFlag(flags, 'record');
  guardRecording(record, name, flags);
  const found = await findPlayable(name);
  if (!found.ok) throw found.error;
  const world = found.value;
  for (const warning of world.warnings)
    output.note(visible(renderProblem(warning, world.path ?? world.name)));
  const store = createRecordingStore();
  const service = createService({ store });
  const hosted = await service.openEpisode(world, await optionsOf(world, flags));
  if (record !== undefined) {
    const overwrite = flags.force === true;
    store.recorder = createTrajectoryRecorder(record, hosted.episode.header(), { overwrite });
  }
  if (process.stdin.isTTY)
    output.note('umwelt mcp: waiting for an MCP client on standard input; Ctrl-D ends');
  const onProblem = (message: string): void => output.note(`umwelt mcp: ${visible(message)}`);
  await serveEpisodeOnStdio(hosted, { input: process.stdin, output: process.stdout, onProblem });
  if (!hosted.episode.done) await hosted.finish();
  if (record !== undefined) closeRecording(hosted, { store, record, output });
  await service.close();
}

function closeRecording(
  { episode }: ServedEpisodeHandle,
  how: {
    readonly store: ReturnType<typeof createRecordingStore>;
    readonly record: string;
    readonly output: Output;
  },
): void {
  const score = episode.end?.score;
  const reward = score?.status === 'scored' ? score.fraction : null;
  how.store.recorder?.close({ done: episode.done, reward, ...(score !== undefined && { score }) });
  const shown = reward === null ? 'none' : String(Number(reward.toFixed(3)));
  how.output.note(`umwelt mcp: ${episode.turnCount} turns, reward ${shown}, in ${visible(how.record)}`);
}

async function optionsOf(world: World, flags: FlagValues) {
  const seed = integerFlag(flags, 'seed');
  const route = textFlag(flags, 'route') as Route | undefined;
  const maxTurns = integerFlag(flags, 'max-turns');
  const options = readModelOptions(flags);
  const model = languageModelOf(await chooseModel(textFlag(flags, 'model') ?? 'engine', options));
  if (route === 'model' && model === undefined) {
    throw usage(
      `--route model of ${world.name} needs a model that answers: add --model scripted:FILE or replay:FILE`,
    );
  }
  return {
    clock: textFlag(flags, 'clock') === 'action' ? ('action' as const) : ('live' as const),
    ...(seed !== undefined && { seed }),
    ...(route !== undefined && { route }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(model !== undefined && { model }),
    ...(options.promptTokens !== undefined && { promptTokens: options.promptTokens }),
  };
}

/** The recording must not take the place of what this run reads. */
function guardRecording(record: string | undefined, world: string, flags: FlagValues): void {
  if (record === undefined) return;
  const model = /^(?:replay|scripted):(.+)$/s.exec(textFlag(flags, 'model') ?? '')?.[1];
  mustNotBeInput({ flag: '--record', path: record }, { '--model': model, WORLD: world });
}

/** Waits until the last frames have left this process; not for ever, for a client that does not read. */
function flushed(): Promise<void> {
  const { stdout } = process;
  if (stdout.destroyed || stdout.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    for (const event of ['close', 'error']) stdout.once(event, () => resolve());
    stdout.write('', () => resolve());
    setTimeout(resolve, 2_000).unref();
  });
}

function usage(message: string): UsageError {
  return new UsageError(message, { code: 'usage/bad-argument' });
}
