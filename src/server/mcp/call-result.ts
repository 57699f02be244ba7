/**
 * What a step answered, as the result of `tools/call`.
 *
 * The tool's own errors are results with `isError`, with one text and nothing structured (hard case P-MCP-4). A call
 * that the protocol itself refuses (an unknown tool) and a step without an observation are JSON-RPC errors, the
 * latter with the step's status as `data.code`: an agent must not take ignorance for an empty answer.
 */
import type { Json, JsonObject, StepResult } from '../../core/index.js';

/** A result, or the JSON-RPC error that stands in its place. */
export type CallAnswer =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: JsonObject };

const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** `structured`: the client knows structured results and the tool promises them. */
export function callAnswer(step: StepResult, structured: boolean): CallAnswer {
  const { observation, status, reason, flags, value } = step;
  if (observation === null) {
    const message = reason ?? 'there is no answer';
    return { kind: 'error', code: INTERNAL_ERROR, message, data: { code: status, reason: message } };
  }
  if (flags.includes('protocol-error')) {
    // The engine writes the text as clients show it; the number travels apart.
    const message = observation.replace(/^MCP error -?\d+: /, '');
    return { kind: 'error', code: INVALID_PARAMS, message };
  }
  const isError = step.meta?.isError === true;
  const content: Json = [{ type: 'text', text: observation }];
  return {
    kind: 'result',
    result: {
      content,
      ...(structured && !isError && value !== undefined && { structuredContent: value }),
      ...(isError && { isError }),
    },
  };
}
