/**
 * What a model is asked about one operation, and what the guard knows when it looks at the answer.
 */
import { renderEpisodeControl, renderTurnControl } from '../control/index.js';
import { type EngineSession, type Json, type Operation, renderJson } from '../core/index.js';
import type { EpisodeSetup } from './episode-setup.js';
import { clockText, type EpisodeState } from './episode-state.js';
import type { GuardContext } from './guard/finding.js';
import { KnownText } from './guard/known-text.js';
import type { PinnedFact } from './pinned-facts.js';
import type { Question } from './world-prompt.js';

/** Turns whose texts count as known to the agent. */
const SEEN_TURNS = 50;

/** An operation that nobody can compute alone, with all that is known about it. */
export interface AskedOperation {
  readonly op: Operation;
  readonly setup: EpisodeSetup;
  readonly state: EpisodeState;
  readonly session: EngineSession;
  /** The action of this step, as it was sent. */
  readonly action: string;
  /** What the engine would answer, where it can. */
  readonly draft: string | undefined;
}

/** The question about an operation, with the facts that it may reveal. */
export function questionAbout(asked: AskedOperation, facts: readonly PinnedFact[]): Question {
  const { op, setup, state, session, action, draft } = asked;
  const episode = renderEpisodeControl(setup.schedule);
  return {
    op,
    action,
    actionSpace: state.tools?.actionSpace ?? session.actionSpace(),
    tool: setup.tools.get(op.name),
    view: session.view(),
    facts,
    turns: state.turns.toArray(),
    clock: clockText(state.nowMs),
    ...(draft !== undefined && { draft }),
    ...(episode !== null && { control: { episode, turn: renderTurnControl(null) } }),
  };
}

/** What the guard may know: everything but the model's own words. */
export function guardContextOf({ op, setup, state, session, action, draft }: AskedOperation): GuardContext {
  const { file } = setup.world;
  const view = session.view();
  const seen = state.turns.last(SEEN_TURNS).map((turn) => `${turn.action}\n${turn.observation ?? ''}`);
  return {
    domain: setup.world.domain,
    format: setup.format,
    op,
    view,
    hidden: file.hidden,
    facts: setup.facts,
    instruction: file.instruction,
    known: new KnownText([
      file.task ?? '',
      action,
      renderJson(op.args),
      draft ?? '',
      renderJson((setup.tools.get(op.name) ?? null) as Json),
      renderJson(view),
      ...seen,
    ]),
  };
}
