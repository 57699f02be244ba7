/**
 * The result of a tool call: the MCP `CallToolResult` object, kept whole.
 *
 * Source: Model Context Protocol 2025-11-25, server/tools. Content blocks of kinds unknown here are kept as they are.
 */
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../core/index.js';

const ResourceSchema = z.looseObject({
  uri: z.string(),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  /** Base64. */
  blob: z.string().optional(),
});

const KNOWN_BLOCKS = [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.literal('resource'), resource: ResourceSchema }),
  z.looseObject({ type: z.literal('resource_link'), uri: z.string(), name: z.string() }),
] as const;

const KNOWN_TYPES = ['text', 'image', 'audio', 'resource', 'resource_link'];

/** A block of a kind that this version does not know; it is kept and shown as a placeholder. */
const OtherBlockSchema = z.looseObject({
  type: z.string().refine((type) => !KNOWN_TYPES.includes(type), 'a known block type with missing fields'),
});

/** Schema of {@link ContentBlock}. */
export const ContentBlockSchema = z.union([...KNOWN_BLOCKS, OtherBlockSchema]);

/** One block of a tool result: text, image, audio, resource, resource_link, or a kind unknown here. */
export type ContentBlock = z.infer<typeof ContentBlockSchema>;

/** Schema of {@link ToolResult}. */
export const ToolResultSchema = z.looseObject({
  content: z.array(ContentBlockSchema),
  structuredContent: z.custom<JsonObject>(isJsonObject, 'must be a JSON object').optional(),
  isError: z.boolean().optional(),
});

/** What a tool answered. Unknown keys are kept. */
export type ToolResult = z.infer<typeof ToolResultSchema>;

/** A result of one text block. `isError` is set only when true. */
export function textResult(text: string, isError = false): ToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
}
