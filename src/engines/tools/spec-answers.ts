/**
 * How a service words its refusals, as a world file says it.
 *
 * The idea: what is refused is computed, how it reads is data. A template of a tool wins over the API's form, that
 * over the engine's own sentence. Not covered: answers that succeed (`shapes`, `returns`, `text`, `content`).
 */
import { z } from 'zod';
import { ERROR_CAUSES, ERROR_FAMILIES } from '../../domains/index.js';
import { VALIDATION_STYLES } from './check/styles/validation-style.js';

/** Schema of {@link AnswersSpec}. */
export const AnswersSpecSchema = z.strictObject({
  validation: z.enum(VALIDATION_STYLES).optional().describe('Whose words refuse arguments. Default: plain.'),
  guessed: z
    .boolean()
    .optional()
    .describe('Nothing shows how arguments are refused: such refusals have the origin `generated`.'),
  errors: z
    .enum(ERROR_FAMILIES as [string, ...string[]])
    .optional()
    .describe('Whose error bodies the service answers with. Default: plain.'),
  unknownTool: z
    .string()
    .min(1)
    .optional()
    .describe(
      'What a tool that is not there answers; `{tool}` is its name. A text that starts with `MCP error -32` is a protocol error.',
    ),
  tools: z
    .record(z.string(), z.partialRecord(z.enum(ERROR_CAUSES), z.string().min(1)))
    .optional()
    .describe('Tool or glob → cause → template over args, session, message, tool, retryAfter and clock.'),
});

/** How a service words its refusals. */
export type AnswersSpec = z.infer<typeof AnswersSpecSchema>;
