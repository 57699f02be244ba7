/**
 * A world used as a world model: the engine, alone or grounded with a language model, behind the one port.
 *
 * A prediction begins in the world's start state and lives through the history: each action is run, and where the
 * world's own answer is not the one in the history, that run is forgotten and the foreign observation is absorbed
 * instead. No model is asked about the history. Then the action is answered. Not covered: reusing the state of a
 * shared history between predictions.
 */
import {
  isNullStatus,
  type LiveEpisode,
  type Prediction,
  type PredictRequest,
  type Turn,
  type WorldModel,
} from '../core/index.js';
import type { World } from '../worlds/index.js';
import { beginNextTurn } from './begin-turn.js';
import { openEpisode } from './episode.js';
import { createSetup, type EpisodeOptions, type EpisodeSetup } from './episode-setup.js';
import { type EpisodeState, NOTHING_BEGUN, startState } from './episode-state.js';
import { runStep } from './run-step.js';

/**
 * Makes a world model of a world. The options are those of an episode; `seed` is the default of `open`. Raises what
 * `openEpisode` raises.
 */
export function createEngineWorldModel(world: World, options: EpisodeOptions = {}): WorldModel {
  const setup = createSetup(world, options);
  const start = startState(setup);
  return {
    name: `${setup.route === 'grounded' && setup.model === undefined ? 'engine' : setup.route}:${world.name}`,
    predict: async (request: PredictRequest): Promise<Prediction> => {
      const state = await liveThrough(setup, start, request.history);
      const { result } = await runStep(setup, state, request.action);
      const { status, observation, origins, flags, thinking, reason, meta } = result;
      return {
        status,
        observation,
        origins,
        flags,
        ...(thinking !== undefined && { thinking }),
        ...(reason !== undefined && { reason }),
        ...(meta !== undefined && { meta }),
      };
    },
    open: async ({ seed } = {}): Promise<LiveEpisode> =>
      openEpisode(world, seed === undefined ? options : { ...options, seed }),
  };
}

async function liveThrough(
  setup: EpisodeSetup,
  start: EpisodeState,
  history: readonly Turn[],
): Promise<EpisodeState> {
  const alone: EpisodeSetup = { ...setup, route: 'engine', model: undefined };
  let state = start;
  for (const turn of history) {
    // A turn without an observation left the state as it was.
    if (turn.observation === null || isNullStatus(turn.status)) {
      state = passed(setup, { ...state, turns: state.turns.append(turn) });
      continue;
    }
    const { state: next } = await runStep(alone, state, turn.action);
    const own = next.turns.last(1)[0]?.observation ?? null;
    state = sameText(setup, own, turn.observation) ? next : passed(setup, absorbTurn(setup, state, turn));
  }
  return state;
}

/** A turn that was not run here is over: the next one begins, with what faults bring between turns. */
function passed(setup: EpisodeSetup, state: EpisodeState): EpisodeState {
  return beginNextTurn(setup, { ...state, begun: NOTHING_BEGUN });
}

function sameText(setup: EpisodeSetup, own: string | null, theirs: string): boolean {
  const { format } = setup;
  if (own === null) return false;
  return own === theirs || format.normaliseObservation(own) === format.normaliseObservation(theirs);
}

function absorbTurn(setup: EpisodeSetup, state: EpisodeState, turn: Turn): EpisodeState {
  const session = state.session.fork();
  const parsed = setup.format.parseAction(turn.action);
  const isError = turn.meta?.isError === true;
  const context = { nowMs: state.nowMs, turn: state.turns.length + 1, isError };
  if (parsed.kind === 'tool-call') session.absorb(parsed, turn.observation ?? '', context);
  return {
    ...state,
    session,
    turns: state.turns.append(turn),
    nowMs: state.nowMs + (turn.meta?.durationMs ?? 0),
    revision: state.revision + 1,
  };
}
