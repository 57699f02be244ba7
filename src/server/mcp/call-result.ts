/**
 * What a step answered, as the result of `tools/call`.
 *
 * The tool's own errors are results with `isError`, with one text and nothing structured (hard case P-MCP-4). A call
 * that the protocol itself refuses (an unknown tool) and a step without an observation are JSON-RPC errors, the
 * latter with the step's status as `data.code`: an agent must not take ignorance for an empty answer.
 */
import type { Json, JsonObject, StepResult } from '../../core/index.js';
import { renderToolResult, ToolResultSchema } from '../../domains/index.js';
import { knowsBlock } from './revision.js';

/** A result, or the JSON-RPC error that stands in its place. */
export type CallAnswer =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: JsonObject };

const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** What the client knows: structured results (where the tool promises them), and the kinds of blocks of its revision. */
export interface ClientKnows {
  readonly structured: boolean;
  readonly revision: string | undefined;
}

/** The answer to the call that this step was. */
export function callAnswer(step: StepResult, { structured, revision }: ClientKnows): CallAnswer {
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
  const content = blocksOf(step, observation, revision);
  return {
    kind: 'result',
    result: {
      content,
      ...(structured && !isError && value !== undefined && { structuredContent: value }),
      ...(isError && { isError }),
    },
  };
}

/** The blocks as the tool gave them; one that the client's revision does not know is shown as text. */
function blocksOf(step: StepResult, observation: string, revision: string | undefined): Json {
  const text: Json = [{ type: 'text', text: observation }];
  if (step.content === undefined) return text;
  const read = ToolResultSchema.safeParse({ content: step.content });
  if (!read.success) return text;
  return read.data.content.map((block): Json => {
    if (knowsBlock(block.type, revision)) return block as unknown as Json;
    return { type: 'text', text: renderToolResult({ content: [block] }) };
  });
}
