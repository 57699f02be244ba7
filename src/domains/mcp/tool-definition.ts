/**
 * A tool as a server lists it: the MCP `Tool` object, kept whole.
 *
 * Source: Model Context Protocol 2025-11-25 and 2026-07-28, server/tools. Schemas are kept as sent, references and
 * unions included; nothing is simplified here. Unknown keys (execution, icons, `_meta`) are kept and served back.
 */

import { z } from 'zod';
import { isJsonObject, type JsonObject, LIMITS } from '../../core/index.js';

const SchemaObject = z.custom<JsonObject>(isJsonObject, 'must be a JSON Schema object');

/**
 * True if a value has at most so many levels of objects and lists, an empty one at the end not counted; looks no deeper
 * than that, so it is safe on any depth.
 */
function nestsWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const parts = Object.values(value);
  if (levels <= 0) return parts.length === 0;
  return parts.every((part) => typeof part !== 'object' || nestsWithin(part, levels - 1));
}

/**
 * Schema of {@link ToolDefinition}. A tool that nests deeper than `LIMITS.jsonDepth` is refused, as JSON text that
 * does is.
 */
export const ToolDefinitionSchema = z
  .looseObject({
    name: z.string().min(1),
    title: z.string().optional(),
    description: z.string().optional(),
    inputSchema: SchemaObject,
    outputSchema: SchemaObject.optional(),
    annotations: z
      .looseObject({
        title: z.string().optional(),
        readOnlyHint: z.boolean().optional(),
        destructiveHint: z.boolean().optional(),
        idempotentHint: z.boolean().optional(),
        openWorldHint: z.boolean().optional(),
      })
      .optional(),
  })
  .refine((tool) => nestsWithin(tool, LIMITS.jsonDepth), {
    error: `the tool nests deeper than ${LIMITS.jsonDepth} levels (limit jsonDepth)`,
  });

/** A tool as a server lists it. */
export type ToolDefinition = z.infer<typeof ToolDefinitionSchema>;
