/**
 * One episode as an MCP server on two streams, for clients of both protocol eras.
 */

import type { Server } from '@modelcontextprotocol/server';
import { canonicalJson, type Json } from '../../core/index.js';
import type { ServedEpisodeHandle } from '../service.js';
import type { ByteInput, ByteOutput } from './byte-streams.js';
import { loadMcpLibrary } from './library.js';
import { createMcpServer, listTools } from './mcp-server.js';
import { StdioTransport } from './stdio-transport.js';

/** Where the client is. */
export interface StdioStreams {
  readonly input: ByteInput;
  readonly output: ByteOutput;
  /** Told of what went wrong beside the protocol. */
  readonly onProblem?: (message: string) => void;
}

/** Serves the episode until the client is gone; requests that run are still answered. Never rejects. */
export async function serveEpisodeOnStdio(hosted: ServedEpisodeHandle, streams: StdioStreams): Promise<void> {
  const library = await loadMcpLibrary();
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const transport = new StdioTransport(streams.input, streams.output);
  const servers = new Set<Server>();
  let tools = canonicalJson(listTools(hosted) as Json);
  const off = hosted.onTurn(() => {
    const now = canonicalJson(listTools(hosted) as Json);
    if (now === tools) return;
    tools = now;
    for (const server of servers) server.sendToolListChanged().catch(() => undefined);
  });
  const ended = new Promise<void>((resolve) => {
    serveStdio(
      () => {
        const server = createMcpServer(library, hosted, {
          carry: (value) => value,
          takeArguments: (context) => transport.argumentsOf(context.mcpReq.id),
        });
        servers.add(server);
        server.onclose = () => servers.delete(server);
        return server;
      },
      { transport, onerror: (error) => streams.onProblem?.(error.message) },
    );
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  await ended;
  off();
}
