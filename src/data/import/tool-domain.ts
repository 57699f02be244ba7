/**
 * The domain of a trajectory by the tools that were called: coding agents' own tools are `swe`, everything else `mcp`.
 *
 * The idea: the names of reading, searching, editing and running are few and alike in all coding agents; the majority of
 * the calls decides, so that an agent that mostly talks to MCP servers is `mcp`. Names of MCP tools carry their
 * server in front (`mcp__…`, `server__tool`, `server.tool`).
 */
import type { Domain } from '../../core/index.js';

const CODING: ReadonlySet<string> = new Set(
  (
    'read write edit multiedit notebookread notebookedit glob grep ls bash bashoutput killshell killbash task todowrite ' +
    'todoread webfetch websearch exitplanmode skill agent shell shell_command exec_command write_stdin local_shell ' +
    'apply_patch update_plan view_image read_file write_file edit_file replace run_shell_command list_directory glob_files ' +
    'search_file_content grep_search read_many_files save_memory todo_write web_fetch google_web_search str_replace_editor ' +
    'str_replace_based_edit_tool execute_bash run_terminal_cmd codebase_search file_search list_dir grep_files create_file ' +
    'delete_file insert_edit_into_file patch unified_exec local_shell_call shell_call apply_patch_call run_in_terminal'
  ).split(' '),
);

/** True for a tool of an MCP server, by its name. */
function isServerTool(name: string): boolean {
  return /^mcp__|^mcp_|__|\w\.\w/.test(name);
}

/** True for the name of a tool that coding agents have. */
function isCodingTool(name: string): boolean {
  return !isServerTool(name) && CODING.has(name.toLowerCase());
}

/** The domain of a coding agent's session: `mcp` where most calls went to MCP servers. */
export function domainOfCodingAgent(names: readonly string[]): Domain {
  return names.filter(isServerTool).length * 2 > names.length ? 'mcp' : 'swe';
}

/** The domain of calls of an unknown agent: `swe` where most are a coding agent's own tools. */
export function domainOfTools(names: readonly string[]): Domain {
  return names.filter(isCodingTool).length * 2 > names.length ? 'swe' : 'mcp';
}
