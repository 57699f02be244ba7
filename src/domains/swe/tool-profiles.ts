/**
 * The tools of coding agents as data: which harness has which tool, what kind of work it does, and what its arguments are
 * called.
 *
 * A new harness is one entry here. Sources: recorded sessions and public tool definitions of the named programs. The
 * names of fields on the left are this package's; on the right stand the program's, the best first.
 */

/** What a tool does, whatever it is called. */
export const TOOL_KINDS = [
  'read',
  'read-many',
  'write',
  'edit',
  'multi-edit',
  'insert',
  'undo',
  'patch',
  'glob',
  'grep',
  'list',
  'shell',
  'shell-output',
  'shell-kill',
  'python',
  'todo',
  'plan',
  'memory',
  'task',
  'fetch',
  'search-web',
  'think',
  'submit',
] as const;

/** One of {@link TOOL_KINDS}. */
export type ToolKind = (typeof TOOL_KINDS)[number];

/** The arguments that kinds of tools have in common. */
export type ToolField =
  | 'path'
  | 'content'
  | 'oldText'
  | 'newText'
  | 'line'
  | 'offset'
  | 'limit'
  | 'pattern'
  | 'include'
  | 'command'
  | 'folder'
  | 'items'
  | 'url'
  | 'id';

/** One tool of a harness. */
export interface ProfileTool {
  readonly kind: ToolKind;
  /** The program's name of each argument. */
  readonly fields: Readonly<Partial<Record<ToolField, string>>>;
  /** Where one tool does several things: the argument that says which, and the kind of each of its values. */
  readonly by?: { readonly field: string; readonly kinds: Readonly<Record<string, ToolKind>> };
}

/** The tools of one harness by name. */
export interface ToolProfile {
  readonly name: string;
  readonly about: string;
  readonly tools: Readonly<Record<string, ProfileTool>>;
}

const EDITOR: ProfileTool = {
  kind: 'read',
  fields: {
    path: 'path',
    content: 'file_text',
    oldText: 'old_str',
    newText: 'new_str',
    line: 'insert_line',
    offset: 'view_range',
  },
  by: {
    field: 'command',
    kinds: { view: 'read', create: 'write', str_replace: 'edit', insert: 'insert', undo_edit: 'undo' },
  },
};
const SHELL: ProfileTool = { kind: 'shell', fields: { command: 'command' } };

/** The harnesses, the most usual first. */
export const TOOL_PROFILES: readonly ToolProfile[] = [
  {
    name: 'claude-code',
    about: 'Read, Write, Edit, MultiEdit, Glob, Grep, LS, Bash, TodoWrite',
    tools: {
      Read: { kind: 'read', fields: { path: 'file_path', offset: 'offset', limit: 'limit' } },
      Write: { kind: 'write', fields: { path: 'file_path', content: 'content' } },
      Edit: { kind: 'edit', fields: { path: 'file_path', oldText: 'old_string', newText: 'new_string' } },
      MultiEdit: { kind: 'multi-edit', fields: { path: 'file_path', items: 'edits' } },
      NotebookRead: { kind: 'read', fields: { path: 'notebook_path' } },
      NotebookEdit: { kind: 'edit', fields: { path: 'notebook_path', newText: 'new_source' } },
      Glob: { kind: 'glob', fields: { pattern: 'pattern', folder: 'path' } },
      Grep: { kind: 'grep', fields: { pattern: 'pattern', folder: 'path', include: 'glob' } },
      LS: { kind: 'list', fields: { folder: 'path' } },
      Bash: { kind: 'shell', fields: { command: 'command' } },
      BashOutput: { kind: 'shell-output', fields: { id: 'bash_id' } },
      KillShell: { kind: 'shell-kill', fields: { id: 'shell_id' } },
      KillBash: { kind: 'shell-kill', fields: { id: 'shell_id' } },
      TodoWrite: { kind: 'todo', fields: { items: 'todos' } },
      TodoRead: { kind: 'todo', fields: {} },
      Task: { kind: 'task', fields: { content: 'prompt' } },
      Agent: { kind: 'task', fields: { content: 'prompt' } },
      Skill: { kind: 'task', fields: { id: 'skill' } },
      ExitPlanMode: { kind: 'plan', fields: { content: 'plan' } },
      WebFetch: { kind: 'fetch', fields: { url: 'url' } },
      WebSearch: { kind: 'search-web', fields: { pattern: 'query' } },
    },
  },
  {
    name: 'gemini-cli',
    about:
      'read_file, write_file, replace, glob, search_file_content, list_directory, run_shell_command, todo_write',
    tools: {
      read_file: { kind: 'read', fields: { path: 'file_path', offset: 'offset', limit: 'limit' } },
      read_many_files: { kind: 'read-many', fields: { items: 'paths', include: 'include' } },
      write_file: { kind: 'write', fields: { path: 'file_path', content: 'content' } },
      replace: { kind: 'edit', fields: { path: 'file_path', oldText: 'old_string', newText: 'new_string' } },
      edit: { kind: 'edit', fields: { path: 'file_path', oldText: 'old_string', newText: 'new_string' } },
      glob: { kind: 'glob', fields: { pattern: 'pattern', folder: 'path' } },
      search_file_content: {
        kind: 'grep',
        fields: { pattern: 'pattern', folder: 'path', include: 'include' },
      },
      grep_search: { kind: 'grep', fields: { pattern: 'pattern', folder: 'path', include: 'glob' } },
      list_directory: { kind: 'list', fields: { folder: 'path' } },
      run_shell_command: { kind: 'shell', fields: { command: 'command', folder: 'directory' } },
      glob_files: { kind: 'glob', fields: { pattern: 'pattern', folder: 'path' } },
      todo_write: { kind: 'todo', fields: { items: 'todos' } },
      write_todos: { kind: 'todo', fields: { items: 'todos' } },
      save_memory: { kind: 'memory', fields: { content: 'fact' } },
      web_fetch: { kind: 'fetch', fields: { url: 'prompt' } },
      google_web_search: { kind: 'search-web', fields: { pattern: 'query' } },
      task: { kind: 'task', fields: { content: 'prompt' } },
      exit_plan_mode: { kind: 'plan', fields: { content: 'plan' } },
    },
  },
  {
    name: 'text-editor',
    about: 'str_replace_based_edit_tool and bash',
    tools: {
      str_replace_based_edit_tool: EDITOR,
      str_replace_editor: EDITOR,
      bash: SHELL,
    },
  },
  {
    name: 'openhands',
    about: 'execute_bash, str_replace_editor, execute_ipython_cell, think, finish, task_tracker',
    tools: {
      execute_bash: SHELL,
      str_replace_editor: EDITOR,
      execute_ipython_cell: { kind: 'python', fields: { content: 'code' } },
      edit_file: { kind: 'edit', fields: { path: 'path', content: 'content' } },
      think: { kind: 'think', fields: { content: 'thought' } },
      task_tracker: { kind: 'todo', fields: { items: 'task_list' } },
      finish: { kind: 'submit', fields: { content: 'message' } },
    },
  },
  {
    name: 'swe-agent',
    about: 'bash, open, goto, edit, create, find_file, search_file, search_dir, submit',
    tools: {
      bash: SHELL,
      open: { kind: 'read', fields: { path: 'path', line: 'line_number' } },
      goto: { kind: 'read', fields: { line: 'line_number' } },
      scroll_up: { kind: 'read', fields: {} },
      scroll_down: { kind: 'read', fields: {} },
      create: { kind: 'write', fields: { path: 'filename' } },
      edit: { kind: 'edit', fields: { oldText: 'search', newText: 'replace', line: 'start_line' } },
      insert: { kind: 'insert', fields: { line: 'line', content: 'text' } },
      find_file: { kind: 'glob', fields: { pattern: 'file_name', folder: 'dir' } },
      search_file: { kind: 'grep', fields: { pattern: 'search_term', path: 'file' } },
      search_dir: { kind: 'grep', fields: { pattern: 'search_term', folder: 'dir' } },
      submit: { kind: 'submit', fields: {} },
    },
  },
  {
    name: 'codex',
    about: 'shell, exec_command, write_stdin, apply_patch, update_plan, view_image',
    tools: {
      shell: { kind: 'shell', fields: { command: 'command', folder: 'workdir' } },
      shell_command: { kind: 'shell', fields: { command: 'command', folder: 'workdir' } },
      local_shell_call: { kind: 'shell', fields: { command: 'command' } },
      shell_call: { kind: 'shell', fields: { command: 'commands' } },
      apply_patch_call: { kind: 'patch', fields: { content: 'operation' } },
      local_shell: { kind: 'shell', fields: { command: 'command' } },
      unified_exec: { kind: 'shell', fields: { command: 'input' } },
      exec_command: { kind: 'shell', fields: { command: 'cmd', folder: 'workdir' } },
      write_stdin: { kind: 'shell-output', fields: { id: 'session_id', content: 'chars' } },
      patch: { kind: 'patch', fields: { content: 'patchText' } },
      apply_patch: { kind: 'patch', fields: { content: 'input' } },
      update_plan: { kind: 'todo', fields: { items: 'plan' } },
      view_image: { kind: 'read', fields: { path: 'path' } },
      grep_files: { kind: 'grep', fields: { pattern: 'pattern', folder: 'path', include: 'include' } },
      list_dir: { kind: 'list', fields: { folder: 'dir_path' } },
    },
  },
  {
    name: 'editors',
    about: 'run_terminal_cmd, codebase_search, file_search, read_file of editors with an agent',
    tools: {
      read_file: { kind: 'read', fields: { path: 'target_file' } },
      edit_file: { kind: 'edit', fields: { path: 'target_file', newText: 'code_edit' } },
      create_file: { kind: 'write', fields: { path: 'filePath', content: 'content' } },
      insert_edit_into_file: { kind: 'edit', fields: { path: 'filePath', newText: 'code' } },
      delete_file: { kind: 'write', fields: { path: 'target_file' } },
      list_dir: { kind: 'list', fields: { folder: 'relative_workspace_path' } },
      file_search: { kind: 'glob', fields: { pattern: 'query' } },
      grep_search: { kind: 'grep', fields: { pattern: 'query', include: 'include_pattern' } },
      codebase_search: { kind: 'grep', fields: { pattern: 'query' } },
      run_terminal_cmd: SHELL,
      run_in_terminal: SHELL,
    },
  },
];
