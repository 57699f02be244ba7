/**
 * The `state` of a tool world (domain mcp): what is there at the start.
 *
 * Rows are the author's own, word for word (origin `pinned`). What is not given is generated from the seed, unless
 * the world is `strict`. Permissions and services are conditions on tools; they become refusals of the engine.
 * Source: the world-file contract, key `state`, domain mcp.
 */
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../core/index.js';
import { PermissionSpecSchema } from '../engines/index.js';

/** The simulated clock of a world that sets none. */
export const DEFAULT_CLOCK = '2026-01-05T09:00:00Z';

const Row = z.custom<JsonObject>(isJsonObject, 'must be a row: an object of fields').meta({ type: 'object' });

const FilePath = z
  .string()
  .min(1)
  .describe('A file beside the world file, relative to it: JSON or YAML; rows also as JSONL or CSV.');
const Files = z.union([FilePath, z.array(FilePath).min(1)]).describe('A file, or several in this order.');

/** Schema of a list of which some, or all, stands in other files. What is in it is checked with the whole list. */
export const FromListSchema = z.strictObject({
  from: Files,
  also: z.array(z.looseObject({})).optional().describe('More, after what the files hold.'),
});

/** Schema of a map of names that stands in other files, with corrections beside it. */
export const FromMapSchema = z
  .looseObject({ from: Files })
  .describe('Names from files; other keys are merge patches (RFC 7396) of what the files say.');

/** Schema of one backing service of the server: while it is down its tools fail. */
const ServiceStatusSchema = z.strictObject({
  status: z.enum(['up', 'down']).default('up'),
  on: z.string().min(1).describe('Tool name or glob that needs this service.'),
  error: z
    .string()
    .min(1)
    .optional()
    .describe('What its tools answer while it is down. Default: "service NAME is unavailable".'),
});

/** Builds the state schema; `data` is all collections, inline only or also as files. */
function mcpStateSchema<Data extends z.ZodType>(data: Data) {
  return z.strictObject({
    server: z
      .strictObject({ name: z.string().min(1), version: z.string().min(1).default('1.0.0') })
      .optional()
      .describe('How the simulated server introduces itself.'),
    clock: z.iso
      .datetime({ offset: true })
      .default(DEFAULT_CLOCK)
      .describe('Start of the simulated clock, ISO 8601 with a zone.'),
    data: data.describe('Collection name → its rows.'),
    generate: z
      .record(z.string().min(1), z.int().nonnegative().max(100_000))
      .default({})
      .describe('Collection name → how many rows to generate from the seed when `data` has none.'),
    session: z
      .custom<JsonObject>(isJsonObject, 'must be an object')
      .meta({ type: 'object' })
      .optional()
      .describe('Who calls at the start; rules see it as `session`.'),
    permissions: z.array(PermissionSpecSchema).default([]).describe('Which tools the agent may call.'),
    services: z.record(z.string().min(1), ServiceStatusSchema).default({}).describe('Backing services.'),
  });
}

const Rows = z.array(Row);
const Collection = z.string().min(1);

/** The state of a tool world once its files are taken in. */
export const McpStateSchema = mcpStateSchema(z.record(Collection, Rows).default({}));

/** The state of a tool world as written: rows, or all collections, may stand in files. */
export const WrittenMcpStateSchema = mcpStateSchema(
  z.union([FromMapSchema, z.record(Collection, z.union([Rows, FromListSchema]))]).default({}),
);

/** The state of a tool world. */
export type McpState = z.infer<typeof McpStateSchema>;
