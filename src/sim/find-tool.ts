/**
 * From a call as the agent sent it to a call as the engine knows it, where faults have changed the list of tools.
 *
 * What the changed list does not allow is refused in the words in which every list refuses: an unknown name, wrong
 * arguments. Source: Model Context Protocol, server/tools, error handling.
 */
import { translateCall } from '../control/index.js';
import {
  type AppliedFault,
  type EngineOutcome,
  type JsonObject,
  type ToolCall,
  traced,
} from '../core/index.js';
import type { EpisodeSetup } from './episode-setup.js';
import type { EpisodeState } from './episode-state.js';

/** The call for the engine, or how it is refused. */
export type FoundTool =
  | { readonly parsed: ToolCall; readonly extra: JsonObject; readonly refusal?: undefined }
  | { readonly refusal: { readonly outcome: EngineOutcome; readonly applied: readonly AppliedFault[] } };

/** Looks the tool up in the list that the agent sees. */
export function findTool(setup: EpisodeSetup, state: EpisodeState, sent: ToolCall): FoundTool {
  const { tools } = state;
  if (tools === null) return { parsed: sent, extra: {} };
  const listed = tools.tools.get(sent.name);
  const checked = tools.checks.check(sent.name, sent.arguments);
  if (listed !== undefined && checked.ok) {
    const { name, arguments: args, extra } = translateCall(listed, sent.arguments);
    return { parsed: { ...sent, name, arguments: args }, extra };
  }
  if (checked.ok) return { parsed: sent, extra: {} };
  const applied = refusedBy(setup, state, sent.name);
  const text =
    applied.length === 0 ? traced(checked.text, 'computed') : traced(checked.text, 'fault', applied[0]?.kind);
  const outcome: EngineOutcome = {
    status: 'refused',
    answer: { text, isError: true },
    reason: checked.reason,
    durationMs: 0,
    flags: checked.flags,
  };
  return { refusal: { outcome, applied } };
}

/** The faults that changed this tool of the list, in the order of the schedule. */
function refusedBy(setup: EpisodeSetup, state: EpisodeState, tool: string): readonly AppliedFault[] {
  return setup.schedule.faults.flatMap(({ kind, permanent }, index): AppliedFault[] => {
    const memory = state.faults.faults[index]?.memory as
      | { readonly changes?: readonly { readonly tool: string; readonly to?: string }[] }
      | undefined;
    const isIts = memory?.changes?.some((change) => change.tool === tool || change.to === tool) === true;
    if (!isIts) return [];
    const operation = `tool.call ${tool}`;
    return [{ kind: kind.name, index, phase: 'before', operation, visible: true, wrote: false, permanent }];
  });
}
