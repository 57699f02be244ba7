/**
 * `umwelt serve`: worlds behind HTTP until a signal ends it; steps that run are finished first.
 */
import { UsageError } from '../../core/index.js';
import { type ListeningService, openSqliteStore, startService } from '../../server/index.js';
import type { Route } from '../../sim/index.js';
import { renderProblem, type World } from '../../worlds/index.js';
import { type CommandInput, type FlagValues, integerFlag, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { findPlayable } from '../find-playable.js';
import { type Output, visible } from '../output.js';
import { readModelOptions } from '../play/model-options.js';
import { chooseModel, languageModelOf } from '../play/model-spec.js';
import { logOf, quotasOf } from '../serve-options.js';

const DEFAULT_PORT = 7077;

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const port = integerFlag(flags, 'port') ?? DEFAULT_PORT;
  if (port > 65_535) throw usage(`--port is ${port}, wanted 0 to 65535`);
  const worlds = await findWorlds(words, output);
  const tokens = tokensOf(process.env);
  const model = await modelOf(flags);
  const stored = await storeOf(flags);
  const service = await startService({
    port,
    host: textFlag(flags, 'host') ?? '127.0.0.1',
    ...(worlds.length > 0 && { worlds }),
    ...tokens,
    ...model,
    ...stored,
    quotas: quotasOf(flags),
    log: logOf(flags),
  });
  const ended = signalled();
  tell(service, { output, worlds, isOurToken: tokens.controlToken === undefined });
  const code = await ended;
  await service.close();
  return code;
}

async function findWorlds(names: readonly string[], output: Output): Promise<World[]> {
  const worlds: World[] = [];
  for (const name of names) {
    const found = await findPlayable(name);
    if (!found.ok) throw found.error;
    const world = found.value;
    if (worlds.some((other) => other.name === world.name)) {
      throw usage(`two worlds are named ${world.name}; a service tells its worlds by name`);
    }
    for (const warning of world.warnings)
      output.note(visible(renderProblem(warning, world.path ?? world.name)));
    worlds.push(world);
  }
  return worlds;
}

const DAY_MS = 24 * 3_600_000;

async function storeOf(flags: FlagValues) {
  const path = textFlag(flags, 'store');
  if (path === undefined) {
    const alone = ['sync', 'keep'].find((name) => flags[name] !== undefined);
    if (alone !== undefined) throw usage(`--${alone} needs --store PATH`);
    return {};
  }
  const sync = textFlag(flags, 'sync') === 'normal' ? 'normal' : 'full';
  const keep = integerFlag(flags, 'keep');
  return {
    store: await openSqliteStore(path, { sync }),
    ...(keep !== undefined && { keepMs: keep * DAY_MS }),
  };
}

/** Empty variables count as not set. */
function tokensOf(environment: NodeJS.ProcessEnv): { controlToken?: string; agentTokens?: string[] } {
  const controlToken = environment.UMWELT_CONTROL_TOKEN ?? '';
  const agentTokens = (environment.UMWELT_AGENT_TOKENS ?? '').split(',').map((token) => token.trim());
  const known = agentTokens.filter((token) => token !== '');
  if (controlToken !== '' && known.includes(controlToken)) {
    throw usage('UMWELT_AGENT_TOKENS holds the control token; agents need tokens of their own');
  }
  return {
    ...(controlToken !== '' && { controlToken }),
    ...(known.length > 0 && { agentTokens: known }),
  };
}

async function modelOf(flags: FlagValues) {
  const options = readModelOptions(flags);
  const model = languageModelOf(await chooseModel(textFlag(flags, 'model') ?? 'engine', options));
  const route = textFlag(flags, 'route') as Route | undefined;
  if (route === 'model' && model === undefined) {
    throw usage('--route model needs a model that answers: add --model SPEC');
  }
  return {
    ...(model !== undefined && { model }),
    ...(route !== undefined && { route }),
    ...(options.promptTokens !== undefined && { promptTokens: options.promptTokens }),
  };
}

function tell(
  { url, controlToken, store }: ListeningService,
  how: { readonly output: Output; readonly worlds: readonly World[]; readonly isOurToken: boolean },
): void {
  const { output, worlds, isOurToken } = how;
  const names = worlds.map((world) => world.name);
  if (output.json) {
    const token = isOurToken ? { controlToken } : {};
    output.line(JSON.stringify({ url, ...token, store: store.name, durable: store.durable, worlds: names }));
    return;
  }
  const shown = names.length === 0 ? 'the catalogue (umwelt world list)' : visible(names.join(', '));
  output.line(`${output.style(url, 'bold')} serves ${shown}`);
  output.line(`MCP: ${url}/mcp/${visible(names[0] ?? 'WORLD')}`);
  output.line(`world model (OpenAI-compatible): ${url}/v1`);
  if (isOurToken) output.line(`control token: ${controlToken}`);
  const where = store.durable ? `in ${visible(store.name)}` : 'in memory and end with this process';
  output.line(`episodes live ${where}; Ctrl-C ends it`);
}

function signalled(): Promise<number> {
  process.removeAllListeners('SIGINT');
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve(EXIT.interrupted));
    process.once('SIGTERM', () => resolve(EXIT.done));
  });
}

function usage(message: string): UsageError {
  return new UsageError(message, { code: 'usage/bad-argument' });
}
