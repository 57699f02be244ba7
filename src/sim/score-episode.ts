/**
 * The reward of an episode: the share of the world's verifiers that pass, or the reason why there is none.
 *
 * Verifiers see `state`, `start` (the state when the episode began), `turns` (one entry an action, the finishing one left out), `answer` and `clock`.
 */
import { fail, type Json, type JsonObject, ok, type Score, type Turn } from '../core/index.js';
import type { DomainFormat } from '../domains/index.js';
import { runVerifiers, type VerifierOptions } from '../rules/index.js';
import type { EpisodeSetup } from './episode-setup.js';
import { clockText, type EpisodeState } from './episode-state.js';
import { fractionOf } from './guard/checked-share.js';

/**
 * Scores an episode at this state with the agent's answer. Unscored for a world without verifiers. Where a model had a part
 * in observations, the score says how much of them was checked.
 */
export function scoreEpisode(setup: EpisodeSetup, state: EpisodeState, answer: string | null): Score {
  const score = scored(setup, state, answer);
  const checkedFraction = checkedInEpisode(state);
  return checkedFraction === null ? score : { ...score, checkedFraction };
}

/** Over all turns that a model had a part in, weighted by the lengths of the observations; null where there are none. */
function checkedInEpisode(state: EpisodeState): number | null {
  let units = 0;
  let checked = 0;
  for (const { observation, meta } of state.turns.toArray()) {
    const report = meta?.guard as { readonly checked?: number | null } | undefined;
    if (typeof report?.checked !== 'number' || observation === null) continue;
    units += observation.length;
    checked += observation.length * report.checked;
  }
  return fractionOf({ checkedUnits: checked, units });
}

function scored(setup: EpisodeSetup, state: EpisodeState, answer: string | null): Score {
  const { success } = setup.world.file;
  if (success.length === 0) {
    return { status: 'unscored', reason: `world '${setup.world.name}' has no success rules` };
  }
  const bindings = {
    state: () => state.session.view(),
    start: () => startView(setup),
    turns: () => state.turns.toArray().flatMap((turn) => describeTurn(turn, setup.format)),
    answer,
    clock: clockText(state.nowMs),
  };
  return runVerifiers(success, bindings, shellOf(state)).score;
}

/** How commands of verifiers are run: in the world as it is now, which they do not change. */
function shellOf({ session }: EpisodeState): VerifierOptions {
  if (session.command === undefined) return {};
  const shell: VerifierOptions['shell'] = ({ run, exitCode, stdout }) => {
    const ran = session.command?.(run) ?? null;
    if (ran === null) return fail(`the command ${JSON.stringify(run)} did not end within its limits`);
    return ok(ran.exitCode === exitCode && (stdout === undefined || ran.stdout === stdout));
  };
  return { shell };
}

/** The state when the episode began; what is due at that moment has happened. */
function startView({ engine, spec, seed }: EpisodeSetup): Json {
  const session = engine.open(spec, seed);
  session.advance({ nowMs: spec.startMs, turn: 1 });
  return session.view();
}

function describeTurn(turn: Turn, format: DomainFormat): JsonObject[] {
  const parsed = format.parseAction(turn.action);
  if (parsed.kind === 'finish') return [];
  const call = parsed.kind === 'tool-call' ? parsed : { name: '', arguments: {} as Json };
  return [
    {
      action: turn.action,
      name: call.name,
      arguments: call.arguments,
      observation: turn.observation,
      status: turn.status,
      isError: turn.meta?.isError === true,
    },
  ];
}
