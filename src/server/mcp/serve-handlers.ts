/**
 * The handlers of a program on a server of the official MCP library. Kept apart from their types, which are public and
 * must not bring the library's types with them.
 */
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../core/index.js';
import type { McpHandlers, McpPeer } from './mcp-handlers.js';

/** Adds the methods to a server. */
export function serveMethods(server: Server, handlers: McpHandlers): void {
  for (const [method, answer] of Object.entries(handlers.methods ?? {})) {
    server.setRequestHandler(
      method as never,
      ((request: { readonly params?: unknown }) => answer((request.params ?? {}) as JsonObject)) as never,
    );
  }
}

/** The client of a call. */
export function peerOf({ mcpReq }: ServerContext): McpPeer {
  const token = mcpReq._meta?.progressToken;
  return {
    log: (level, data) => mcpReq.log(level, data),
    progress: async (progress, total) => {
      if (token === undefined) return;
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: token, progress, total },
      });
    },
    // Sent on the stream of the call: another stream need not be open yet.
    sample: async (params) =>
      (await mcpReq.send({ method: 'sampling/createMessage', params } as never)) as JsonObject,
    elicit: async (params) =>
      (await mcpReq.send({ method: 'elicitation/create', params } as never)) as JsonObject,
  };
}
