/**
 * The domain of a trajectory by the tools that were called: coding agents' own tools are `swe`, everything else `mcp`.
 *
 * The idea: the names of reading, searching, editing and running are few and alike in all coding agents; the majority of
 * the calls decides, so that an agent that mostly talks to MCP servers is `mcp`. Names of MCP tools carry their
 * server in front (`mcp__…`, `server__tool`, `server.tool`).
 */
import type { Domain } from '../../core/index.js';
import { isCodingTool } from '../../domains/index.js';

/** True for a tool of an MCP server, by its name. */
function isServerTool(name: string): boolean {
  return /^mcp__|^mcp_|__|\w\.\w/.test(name);
}

/** The domain of a coding agent's session: `mcp` where most calls went to MCP servers. */
export function domainOfCodingAgent(names: readonly string[]): Domain {
  return names.filter(isServerTool).length * 2 > names.length ? 'mcp' : 'swe';
}

/** The domain of calls of an unknown agent: `swe` where most are a coding agent's own tools. */
export function domainOfTools(names: readonly string[]): Domain {
  return names.filter((name) => !isServerTool(name) && isCodingTool(name)).length * 2 > names.length
    ? 'swe'
    : 'mcp';
}
