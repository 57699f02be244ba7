/**
 * A world file out of what a real MCP server lists: tools, resources, prompts, instructions, its name and version.
 *
 * The file is read back and its tools compared with the server's in canonical JSON, so that no schema is changed on
 * the way without a word (hard case P-MCP-3). Not covered: what the server does, which is inferred, and its data.
 */
import {
  canonicalJson,
  fail,
  type Json,
  type JsonObject,
  ok,
  type Result,
  type UmweltError,
  WorldError,
} from '../core/index.js';
import { loadWorld } from '../worlds/index.js';
import { worldFromTools } from './world-from-tools.js';

/** What was read from a server. */
export interface ServerFacts {
  readonly tools: readonly JsonObject[];
  readonly resources?: readonly JsonObject[];
  readonly resourceTemplates?: readonly JsonObject[];
  readonly prompts?: readonly JsonObject[];
  readonly server?: { readonly name: string; readonly version: string } | undefined;
  readonly instructions?: string | undefined;
}

/** How to name and seed the world. */
export interface WorldFromServerOptions {
  /** Lower-case words joined by hyphens. Default: made of the server's name. */
  readonly name?: string;
  /** Seed of the generated data. Default: 1. */
  readonly seed?: number;
}

/** A world file's text and the name it got. */
export interface ServerWorld {
  readonly name: string;
  readonly text: string;
  /** Tools that the file does not hold as the server lists them, by name. Empty for servers that keep to MCP. */
  readonly changed: readonly string[];
}

/** Makes the world. Deterministic. Fails like `worldFromTools`. */
export function worldFromServer(
  facts: ServerFacts,
  options: WorldFromServerOptions = {},
): Result<ServerWorld, UmweltError> {
  const { tools, resources, resourceTemplates, prompts, server, instructions } = facts;
  const name = options.name ?? worldName(server?.name ?? '');
  if (tools.length === 0) {
    const message = 'the server lists no tools; a tool world needs at least one';
    return fail(new WorldError(message, { code: 'world/invalid' }));
  }
  const made = worldFromTools(tools as Json, {
    name,
    ...(options.seed !== undefined && { seed: options.seed }),
    ...(server !== undefined && server.name !== '' && { title: server.name, server: named(server) }),
    ...(instructions !== undefined && { instructions }),
    ...(resources !== undefined && { resources: resources.filter(({ uri }) => typeof uri === 'string') }),
    ...(resourceTemplates !== undefined && { resourceTemplates }),
    ...(prompts !== undefined && { prompts: prompts.filter((prompt) => typeof prompt.name === 'string') }),
  });
  if (!made.ok) return made;
  const world = loadWorld(made.value);
  if (!world.ok) return world;
  return ok({ name, text: made.value, changed: changedTools(tools, world.value.file.tools ?? []) });
}

function named({ name, version }: { readonly name: string; readonly version: string }) {
  return { name, version: version === '' ? '0.0.0' : version };
}

/** `Secure Filesystem_Server` becomes `secure-filesystem-server`; a name without letters is `mcp-server`. */
function worldName(serverName: string): string {
  const words = serverName
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return words.join('-').slice(0, 60).replace(/-+$/, '') || 'mcp-server';
}

function changedTools(listed: readonly JsonObject[], kept: readonly unknown[]): string[] {
  const texts = new Set(kept.map((tool) => canonicalJson(tool as Json)));
  return listed.filter((tool) => !texts.has(canonicalJson(tool))).map(({ name }) => String(name));
}
