/**
 * Actions and observations of OpenEnv for a tool world.
 *
 * A trainer's client sends a tool call (`call_tool`), asks for the tools (`list_tools`), says that it is done
 * (`finish`), or passes the model's own text (`action` or `message`), which is read like any action. Source: OpenEnv
 * `core/env_server/mcp_types.py`, rfcs/003. Fields keep their snake_case.
 */
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject, renderJson, type StepResult } from '../../core/index.js';

/** What a client may send as an action. Further keys (`metadata`) are let be. */
export const OpenEnvActionSchema = z
  .union([
    z.looseObject({ type: z.literal('list_tools') }),
    z.looseObject({
      type: z.literal('call_tool'),
      tool_name: z.string().min(1),
      arguments: z.record(z.string(), z.unknown()).default({}),
    }),
    z.looseObject({ type: z.literal('finish'), answer: z.string().nullish() }),
    z.looseObject({ action: z.union([z.string(), z.record(z.string(), z.unknown())]) }),
    z.looseObject({ message: z.string() }),
  ])
  .meta({ title: 'Action' });

/** What a client may send as an action. */
export type OpenEnvAction = z.infer<typeof OpenEnvActionSchema>;

/** What an action asks for. */
export type Asked =
  | { readonly kind: 'list-tools' }
  | { readonly kind: 'finish'; readonly answer: string | undefined }
  | { readonly kind: 'step'; readonly action: string; readonly tool: string | null };

/** Reads an action that fits the schema. */
export function askedBy(action: OpenEnvAction): Asked {
  if ('type' in action && action.type === 'list_tools') return { kind: 'list-tools' };
  if ('type' in action && action.type === 'finish') {
    return { kind: 'finish', answer: typeof action.answer === 'string' ? action.answer : undefined };
  }
  if ('type' in action && action.type === 'call_tool') {
    const { tool_name: name, arguments: args } = action as { tool_name: string; arguments: JsonObject };
    return { kind: 'step', action: renderJson({ name, arguments: args }), tool: name };
  }
  const said = 'action' in action ? action.action : (action as { message: string }).message;
  return { kind: 'step', action: typeof said === 'string' ? said : renderJson(said as Json), tool: null };
}

/** The observation of `list_tools`. */
export function toolsObservation(tools: readonly JsonObject[]): JsonObject {
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      name: name ?? '',
      description: description ?? '',
      input_schema: isJsonObject(inputSchema) ? inputSchema : {},
    })),
  };
}

/** The observation of a step: of a tool call its result or its error, of anything else its text. */
export function stepObservation(step: StepResult, tool: string | null): JsonObject {
  const text = step.observation ?? '';
  const isError = step.meta?.isError === true;
  if (tool === null) return { text, is_error: isError, clock: step.clock };
  if (!isError) return { tool_name: tool, result: step.value ?? text, text, error: null, clock: step.clock };
  const error = { error_type: errorType(step), message: text };
  return { tool_name: tool, result: null, text, error, clock: step.clock };
}

function errorType({ flags }: StepResult): string {
  if (flags.includes('unknown-tool')) return 'tool_not_found';
  return flags.includes('invalid-arguments') ? 'invalid_args' : 'execution_error';
}
