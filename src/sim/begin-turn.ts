/**
 * The beginning of a turn: what time and what others did meanwhile, jumps of the clock, and the list of tools as the agent sees it.
 *
 * It is worked out as soon as the turn before has ended, so that an agent which looks at the list sees the new one;
 * what struck is logged with the turn that begins. Worlds without such faults pay nothing.
 */
import { beginTurn, type ListedTool, listedTools, refuseEvent, type ToolEntry } from '../control/index.js';
import type { AppliedFault, InapplicableFault, Json } from '../core/index.js';
import type { ToolDefinition } from '../domains/index.js';
import { ToolChecks } from '../engines/index.js';
import type { EpisodeSetup } from './episode-setup.js';
import type { EpisodeState } from './episode-state.js';

/** The tools as an agent sees them where a fault has changed the list. */
export interface ToolList {
  readonly tools: ReadonlyMap<string, ListedTool>;
  /** The definitions, as the action space has them. */
  readonly actionSpace: Json;
  readonly checks: ToolChecks;
}

/** The state at the beginning of its next turn. Called again after a wait, it adds what the time brings. */
export function beginNextTurn(setup: EpisodeSetup, before: EpisodeState): EpisodeState {
  const { schedule, spec } = setup;
  const state = upToTime(before);
  if (!schedule.hasTurnFaults || state.end !== null) return state;
  const tools = spec.tools as readonly ToolEntry[];
  const begun = beginTurn(
    schedule,
    {
      turn: state.turns.length + 1,
      elapsedMs: state.nowMs - spec.startMs,
      view: () => state.session.view(),
      tools,
    },
    state.faults,
  );
  let { counters } = begun;
  let { session, nowMs } = state;
  const applied: AppliedFault[] = [...state.begun.applied];
  const skipped: InapplicableFault[] = [...state.begun.skipped, ...begun.skipped];
  for (const event of begun.events) {
    nowMs += event.jumpMs;
    const isJump = event.jumpMs !== 0 && session.jumpClock !== undefined;
    const next = event.changes.length === 0 && !isJump ? session : session.fork();
    if (isJump) next.jumpClock?.(event.jumpMs);
    const changed = next.change(event.changes);
    if (changed.ok) {
      session = next;
      applied.push({ ...event.applied, ...(changed.value.length > 0 && { rows: changed.value }) });
    } else {
      const { kind, index, phase, operation } = event.applied;
      counters = refuseEvent(counters, index);
      skipped.push({ kind, index, phase, operation, why: changed.error });
    }
  }
  const moved = session !== state.session;
  return upToTime({
    ...state,
    session,
    nowMs,
    faults: counters,
    begun: { applied, skipped },
    revision: state.revision + (moved ? 1 : 0),
    tools: schedule.changesTools ? toolList(setup, { ...state, faults: counters }) : null,
  });
}

/** The state with all that time alone has brought up to its clock; what was authored over another one is not kept to. */
export function upToTime(state: EpisodeState): EpisodeState {
  const session = state.session.fork();
  const context = { nowMs: state.nowMs, turn: state.turns.length + 1 };
  return session.advance(context) ? { ...state, session, revision: state.revision + 1 } : state;
}

/** The list as the counters say it; the same object as before where it has not changed. */
export function toolList(
  setup: EpisodeSetup,
  state: Pick<EpisodeState, 'faults' | 'tools'>,
): ToolList | null {
  const listed = listedTools(setup.schedule, state.faults, setup.spec.tools as readonly ToolEntry[]);
  if (listed === null) return null;
  const entries = listed.map(({ entry }) => entry);
  const actionSpace = entries as unknown as Json;
  if (state.tools !== null && JSON.stringify(state.tools.actionSpace) === JSON.stringify(actionSpace)) {
    return state.tools;
  }
  return {
    tools: new Map(listed.map((tool) => [tool.entry.name, tool])),
    actionSpace,
    checks: new ToolChecks(entries as unknown as readonly ToolDefinition[], setup.spec.answers),
  };
}
