/**
 * A world model for any prompt and any history: what the history determines is answered exactly, the rest is abstained
 * from or asked of a language model.
 *
 * Terminals are rebuilt out of what the history shows (engine `shell`), calls of tools that only read are answered as
 * they were, a prompt of a known world is lived through by its own engine. Nothing is kept between requests but a few
 * prefixes of conversations. Source: arXiv 2606.24597, model section, for the layout; issue of the service, point 2.
 */
import {
  type Domain,
  hashText,
  isNullStatus,
  type LanguageModel,
  type Prediction,
  type PredictRequest,
  type ToolCall,
  traced,
} from '../../core/index.js';
import { domainFormat, readForeignPrompt } from '../../domains/index.js';
import { ForeignTerminal } from '../../engines/index.js';
import type { World } from '../../worlds/index.js';
import { createEngineWorldModel } from '../engine-world-model.js';
import type { Route } from '../episode-setup.js';
import { createPromptedWorldModel } from '../prompted-world-model.js';
import { PrefixCache } from './prefix-cache.js';
import { repeatedAnswer } from './repeated-reads.js';
import { type PastTurn, terminalStart } from './terminal-start.js';

/** How prompts are taken. */
export interface HistoryOptions {
  /** `engine` what is determined, else nothing · `grounded` the rest from the model · `model` everything from it. */
  readonly route: Route;
  /** Default: told from each prompt. */
  readonly domain?: Domain;
  readonly model?: LanguageModel;
  readonly promptTokens?: number;
  /** The world whose own prompt a text is, where there is one. */
  readonly worldOf?: (prompt: string) => Promise<World | undefined>;
}

/** A prediction with what became of the history. */
export interface HistoryPrediction extends Prediction {
  /** Null where the domain cannot be told. */
  readonly domain: Domain | null;
  /** Of each past turn: `computed` where this package shows the same, `recorded` where it was taken over. */
  readonly history: readonly ('computed' | 'recorded')[];
}

/** Predicts; nothing is kept of the episode. */
export interface HistoryWorldModel {
  predict(request: PredictRequest): Promise<HistoryPrediction>;
}

/** Conversations whose last state is kept. */
const KEPT = 64;
/** Turns between two pauses in which others get the processor. */
const MOST_TURNS_AT_ONCE = 8;

interface LivedTerminal {
  readonly terminal: ForeignTerminal;
  readonly origins: readonly ('computed' | 'recorded')[];
}

/** Makes the world model. */
export function createHistoryWorldModel(options: HistoryOptions): HistoryWorldModel {
  const { route, model } = options;
  const terminals = new PrefixCache<LivedTerminal>(KEPT);
  const worlds = new PrefixCache<ReturnType<typeof createEngineWorldModel>>(16);
  const prompted =
    model === undefined
      ? undefined
      : createPromptedWorldModel({
          model,
          ...(options.domain !== undefined && { domain: options.domain }),
          ...(options.promptTokens !== undefined && { promptTokens: options.promptTokens }),
        });
  const predict = async (request: PredictRequest): Promise<HistoryPrediction> => {
    const known = await options.worldOf?.(request.system.text);
    const told = readForeignPrompt(request.system.text, known?.domain ?? options.domain);
    const { domain } = told;
    const recorded = request.history.map(() => 'recorded' as const);
    if (domain === null)
      return {
        ...abstained(`the domain of the prompt cannot be told: ${told.why}`, 'unknown-domain'),
        domain,
        history: recorded,
      };
    if (route === 'model' && prompted !== undefined)
      return { ...(await prompted.predict(request)), domain, history: recorded };
    if (known !== undefined) {
      const keys = worlds.keysOf(known.hash, []);
      const key = keys[0] as string;
      const own =
        worlds.longest(keys)?.value ??
        createEngineWorldModel(known, {
          route: model === undefined ? 'engine' : route,
          ...(model !== undefined && route !== 'engine' && { model }),
        });
      worlds.keep(key, own);
      return { ...(await own.predict(request)), domain, history: recorded };
    }
    const found = await determined(request, { domain, terminals, told });
    if (found.status === 'abstained' && route === 'grounded' && prompted !== undefined) {
      const said = await prompted.predict(request);
      return { ...said, domain, history: found.history };
    }
    return found;
  };
  return { predict };
}

async function determined(
  request: PredictRequest,
  how: {
    readonly domain: Domain;
    readonly terminals: PrefixCache<LivedTerminal>;
    readonly told: ReturnType<typeof readForeignPrompt>;
  },
): Promise<HistoryPrediction> {
  const { domain, told } = how;
  const history = pastOf(request);
  const format = domainFormat(domain);
  const none = { domain, history: history.map(() => 'recorded' as const) };
  if (!format.ok) return { ...abstained(format.error.message, 'not-determined'), ...none };
  const action = format.value.parseAction(request.action);
  if (action.kind === 'malformed')
    return { ...abstained(`the action cannot be read: ${action.reason}`, 'malformed-action'), ...none };
  if (domain !== 'terminal') {
    const found = repeatedAnswer(action, history, { format: format.value, tools: told.tools });
    if (!found.isKnown) return { ...abstained(found.reason, 'not-determined'), ...none };
    return { ...answered(found.observation, 'recorded'), ...none };
  }
  const lived = await liveTerminal(request, history, how);
  if (lived === null)
    return {
      ...abstained('nothing shows the prompt of the shell: user, host and folder', 'not-determined'),
      ...none,
    };
  const more = { domain, history: lived.origins };
  if (action.kind !== 'tool-call')
    return { ...abstained('what the harness says at the end', 'not-determined'), ...more };
  const found = lived.terminal.predict(action);
  if (!found.isKnown) return { ...abstained(found.reason, 'not-determined'), ...more };
  return { ...answered(found.observation, 'computed'), ...more };
}

async function liveTerminal(
  request: PredictRequest,
  history: readonly PastTurn[],
  {
    terminals,
    told,
  }: { readonly terminals: PrefixCache<LivedTerminal>; readonly told: ReturnType<typeof readForeignPrompt> },
): Promise<LivedTerminal | null> {
  const start = terminalStart(told.system, history, request.action);
  if (start === null) return null;
  const { prompt, newest = '', isUtf8 = null, columns = 0 } = start;
  const root = `${hashText(told.system.text)} ${prompt} ${newest} ${isUtf8} ${columns}`;
  const keys = terminals.keysOf(root, history);
  const known = terminals.longest(keys);
  const opened = known?.value.terminal ?? ForeignTerminal.open(start);
  if (opened === null) return null;
  let terminal = opened;
  const origins = [...(known?.value.origins ?? [])];
  const format = domainFormat('terminal');
  for (const [index, turn] of history.entries()) {
    if (index < (known?.turns ?? 0)) continue;
    request.signal?.throwIfAborted();
    const action = format.ok ? format.value.parseAction(turn.action) : undefined;
    if (action?.kind === 'tool-call') {
      terminal = terminal.live(action as ToolCall, turn.observation);
      origins.push(terminal.wasShown ? 'computed' : 'recorded');
    } else origins.push('recorded');
    // Others get the processor between turns.
    if (index % MOST_TURNS_AT_ONCE === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  const lived = { terminal, origins };
  terminals.keep(keys.at(-1) as string, lived);
  return lived;
}

function pastOf({ history }: PredictRequest): PastTurn[] {
  return history.flatMap(({ action, observation, status }) =>
    observation === null || isNullStatus(status) ? [] : [{ action, observation }],
  );
}

function answered(text: string, origin: 'computed' | 'recorded'): Prediction {
  const { origins } = traced(text, origin);
  return { status: 'ok', observation: text, origins, flags: [] };
}

function abstained(reason: string, flag: string): Prediction {
  return { status: 'abstained', observation: null, origins: [], flags: [flag], reason };
}
