/**
 * The official server library, loaded when the first MCP client comes: it is heavy, and most commands never need it.
 */

/** The library as a value. */
export type McpLibrary = typeof import('@modelcontextprotocol/server');

/** Loads the library, once. */
export function loadMcpLibrary(): Promise<McpLibrary> {
  return import('@modelcontextprotocol/server');
}
