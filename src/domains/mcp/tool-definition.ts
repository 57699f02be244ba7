/**
 * A tool as a server lists it: the MCP `Tool` object, kept whole.
 *
 * Source: Model Context Protocol 2025-11-25 and 2026-07-28, server/tools. Schemas are kept as sent, references and
 * unions included; nothing is simplified here. Unknown keys (execution, icons, `_meta`) are kept and served back.
 */

import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../core/index.js';

const SchemaObject = z.custom<JsonObject>(isJsonObject, 'must be a JSON Schema object');

/** Schema of {@link ToolDefinition}. */
export const ToolDefinitionSchema = z.looseObject({
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
});

/** A tool as a server lists it. */
export type ToolDefinition = z.infer<typeof ToolDefinitionSchema>;
