/**
 * What a history of tool calls determines without knowing the service: a reading call that was answered before, with
 * nothing in between that may have changed anything, is answered the same.
 *
 * Whether a tool only reads is told by its annotation, or else by the first word of its name; tools whose answers change
 * by themselves (time, weather, a random choice) and those that answered the same call in two ways are left out. Not
 * covered: rows that other calls showed.
 */
import { canonicalJson, isJsonObject, type ParsedAction, type ToolCall } from '../../core/index.js';
import type { DomainFormat, ToolDefinition } from '../../domains/index.js';
import type { PastTurn } from './terminal-start.js';

const READS =
  /^(?:get|list|search|read|find|fetch|query|show|describe|view|count|lookup|look|open|check|browse|ls|cat|glob|grep|retrieve)(?=$|[_\-A-Z.\d])/;
const RESTLESS =
  /time|clock|date|now|today|weather|random|uuid|status|progress|log|metric|price|quote|news|current|latest|poll|wait/i;
const SEARCH_READS: ReadonlySet<string> = new Set(['web_search', 'web_extractor']);

/** An answer out of the history, or why there is none. */
export type RepeatedAnswer =
  | { readonly isKnown: true; readonly observation: string }
  | { readonly isKnown: false; readonly reason: string };

/** Looks the call up in the history. */
export function repeatedAnswer(
  action: ParsedAction,
  history: readonly PastTurn[],
  how: { readonly format: DomainFormat; readonly tools: readonly ToolDefinition[] },
): RepeatedAnswer {
  if (action.kind !== 'tool-call')
    return { isKnown: false, reason: 'the history does not show what becomes of that' };
  const { format, tools } = how;
  if (!onlyReads(action.name, tools))
    return {
      isKnown: false,
      reason: `the history does not show what ${action.name} does or whether its answers last`,
    };
  const wanted = keyOf(action);
  let answer: string | null = null;
  for (const { action: text, observation } of history) {
    const past = format.parseAction(text);
    if (past.kind !== 'tool-call') continue;
    if (keyOf(past) === wanted) {
      if (answer !== null && answer !== observation)
        return { isKnown: false, reason: `${action.name} answered the same call in two ways` };
      answer = observation;
    } else if (!onlyReads(past.name, tools)) answer = null;
  }
  return answer === null
    ? {
        isKnown: false,
        reason: `the history does not show this call of ${action.name} since something may have changed`,
      }
    : { isKnown: true, observation: answer };
}

function onlyReads(name: string, tools: readonly ToolDefinition[]): boolean {
  if (RESTLESS.test(name)) return false;
  const annotations: unknown = tools.find((tool) => tool.name === name)?.annotations;
  const hint = isJsonObject(annotations as never)
    ? (annotations as { readOnlyHint?: unknown }).readOnlyHint
    : undefined;
  if (typeof hint === 'boolean') return hint;
  return SEARCH_READS.has(name) || READS.test(name);
}

function keyOf(call: ToolCall): string {
  return `${call.name} ${canonicalJson(call.arguments)}`;
}
