/**
 * An episode as a server of the official MCP library: its tools as the world lists them, each call a step.
 *
 * The low-level server is used, because the high-level one rebuilds schemas. Arguments are not checked here: what a
 * call is worth is the engine's to say. One server per connection; the episode is shared. Sampling, elicitation,
 * completion and subscriptions to resources are not offered.
 */
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  renderJson,
  type StepResult,
  UmweltError,
} from '../../core/index.js';
import { agentAction, agentTools } from '../../domains/index.js';
import type { HostedEpisode } from '../hosted-episode.js';
import { callAnswer } from './call-result.js';
import type { McpLibrary } from './library.js';
import type { McpHandlers } from './mcp-handlers.js';
import { knowsStructured, toolForRevision } from './revision.js';
import { peerOf, serveMethods } from './serve-handlers.js';
import { type Found, getPrompt, listPrompts, listResources, readResource } from './world-documents.js';

/** What of the episode is served. */
export type ServedEpisode = Pick<HostedEpisode, 'episode' | 'step'>;

/** How a connection wants its values. */
export interface ServerWiring {
  /** The exact text of the arguments of the call that is handled, where it is known. */
  readonly takeArguments: (context: ServerContext) => string | undefined;
  /** Prepares a value for the way out. */
  readonly carry: (value: Json) => Json;
  /** What the program adds. */
  readonly handlers?: McpHandlers | undefined;
  /** The revision of a client without a session; else it is negotiated. */
  readonly revision?: string | undefined;
}

/** The server library validates nothing of ours by schema. */
const NO_VALIDATOR = {
  getValidator: () => (input: unknown) => ({
    valid: true as const,
    data: input as never,
    errorMessage: undefined,
  }),
};

const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** Makes a server for one connection. */
export function createMcpServer(library: McpLibrary, served: ServedEpisode, wiring: ServerWiring): Server {
  const { world } = served.episode;
  const { state, serverInstructions: instructions, resources, prompts } = world.file;
  const server = new library.Server(serverInfo(world.name, state as JsonObject), {
    capabilities: {
      tools: { listChanged: true },
      ...(resources.length > 0 && { resources: {} }),
      ...(prompts.length > 0 && { prompts: {} }),
      ...wiring.handlers?.capabilities,
    },
    ...(instructions !== undefined && { instructions }),
    jsonSchemaValidator: NO_VALIDATOR,
  });
  const revision = (): string | undefined => server.getNegotiatedProtocolVersion() ?? wiring.revision;
  server.setRequestHandler('tools/list', () => {
    const tools = listTools(served).map((tool) => toolForRevision(tool, revision()));
    return { tools: wiring.carry(tools) } as never;
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const sent = wiring.takeArguments(context) ?? renderJson((params.arguments ?? {}) as Json);
    checkName(library, served, params.name);
    const own = wiring.handlers?.tools?.[params.name];
    if (own !== undefined)
      return (await own((params.arguments ?? {}) as JsonObject, peerOf(context))) as never;
    const action = agentAction(served.episode.world.domain, params.name, sent);
    const step = await stepped(library, served, action);
    const structured = knowsStructured(revision()) && hasOutputSchema(served, params.name);
    const answer = callAnswer(step, { structured, revision: revision() });
    if (answer.kind === 'error') throw new library.ProtocolError(answer.code, answer.message, answer.data);
    return wiring.carry(answer.result) as never;
  });
  serveDocuments(library, server, served, wiring);
  if (wiring.handlers !== undefined) serveMethods(server, wiring.handlers);
  return server;
}

function serveDocuments(
  library: McpLibrary,
  server: Server,
  served: ServedEpisode,
  wiring: ServerWiring,
): void {
  const { world } = served.episode;
  const { resources, prompts } = world.file;
  if (resources.length > 0) {
    server.setRequestHandler(
      'resources/list',
      () => wiring.carry({ resources: listResources(world) }) as never,
    );
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', ({ params }) =>
      give(library, ownResource(wiring, params.uri) ?? readResource(world, params.uri), wiring),
    );
  }
  if (prompts.length > 0) {
    server.setRequestHandler('prompts/list', () => wiring.carry({ prompts: listPrompts(world) }) as never);
    server.setRequestHandler('prompts/get', ({ params }) =>
      give(library, getPrompt(world, params.name, params.arguments ?? {}), wiring),
    );
  }
}

function ownResource({ handlers }: ServerWiring, uri: string): Found | undefined {
  const result = handlers?.readResource?.(uri);
  return result === undefined ? undefined : { kind: 'found', result };
}

function give(library: McpLibrary, found: Found, wiring: ServerWiring): never {
  if (found.kind === 'found') return wiring.carry(found.result) as never;
  if (found.kind === 'unknown') throw new library.ProtocolError(INVALID_PARAMS, found.message);
  throw new library.ProtocolError(INTERNAL_ERROR, found.message, { code: 'abstained' });
}

/** The tools as the agent sees them now. */
export function listTools(served: Pick<ServedEpisode, 'episode'>): readonly JsonObject[] {
  const space = served.episode.actionSpace();
  const own = agentTools(served.episode.world.domain);
  if (own !== null && !(Array.isArray(space) && space.length > 0))
    return own as unknown as readonly JsonObject[];
  return Array.isArray(space) ? (space as readonly Json[]).filter(isJsonObject) : [];
}

function hasOutputSchema(served: ServedEpisode, name: string): boolean {
  return listTools(served).some((tool) => tool.name === name && tool.outputSchema !== undefined);
}

/** Domains whose tools are ours know no others; worlds of tools refuse unknown ones in their own words. */
function checkName(library: McpLibrary, served: ServedEpisode, name: string): void {
  const { domain } = served.episode.world;
  if (agentTools(domain) === null || listTools(served).some((tool) => tool.name === name)) return;
  throw new library.ProtocolError(INVALID_PARAMS, `Unknown tool: ${name.slice(0, 100)}`);
}

async function stepped(library: McpLibrary, served: ServedEpisode, action: string): Promise<StepResult> {
  try {
    return await served.step(action);
  } catch (error) {
    if (!UmweltError.isInstance(error))
      throw new library.ProtocolError(INTERNAL_ERROR, 'the world failed inside');
    const { retryAfterSeconds } = error.data;
    throw new library.ProtocolError(INTERNAL_ERROR, error.message, {
      code: error.code,
      ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
    });
  }
}

function serverInfo(name: string, state: JsonObject): { name: string; version: string } {
  const server = isJsonObject(state.server) ? state.server : {};
  return {
    name: typeof server.name === 'string' ? server.name : name,
    version: typeof server.version === 'string' ? server.version : '1.0.0',
  };
}
