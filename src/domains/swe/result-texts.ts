/**
 * What the tools of each harness answer, word for word, as templates.
 *
 * `{name}` stands for a value: `path`, `text` (a file's lines as the harness numbers them), `old`, `count`, `lines`, `output`,
 * `status`, `seconds`, `pattern`, `folder`, `list`, `id`, `pid`, `error`. A template that starts with `!` is an error. Sources:
 * recorded sessions and the published sources of the named programs (Claude Code 2.1, Gemini CLI 0.61, the text editor
 * tool, OpenHands 0.5x, Codex 0.50). A harness without an entry here is not computed.
 */

/** How a harness numbers lines: width 6, then this mark; null for plain text. */
export type LineMark = '→' | '\t' | null;

/** One template. */
export type ResultTemplate = string;

/** The answers of one harness. */
export interface ResultTexts {
  readonly lineMark: LineMark;
  /** Lines that a read shows at most, and characters of one line. */
  readonly readLines: number;
  readonly lineChars: number;
  /** Lines before and after an edit in a snippet. */
  readonly snippetLines: number;
  /** Characters of a command's output. */
  readonly outputChars: number;
  /** A file must have been read before it is changed. */
  readonly mustRead: boolean;
  /** Exported variables and the folder stay between commands (`all`), the folder only, nothing. */
  readonly shellKeeps: 'all' | 'folder' | 'nothing';
  readonly texts: Readonly<Record<ResultName, ResultTemplate>>;
}

/** The situations that have words. */
export type ResultName =
  | 'read'
  | 'readEmpty'
  | 'readMissing'
  | 'readFolder'
  | 'readCut'
  | 'created'
  | 'overwrote'
  | 'exists'
  | 'notRead'
  | 'changedSince'
  | 'edited'
  | 'editedAll'
  | 'editMissing'
  | 'notFound'
  | 'several'
  | 'same'
  | 'multiEdited'
  | 'inserted'
  | 'badLine'
  | 'undone'
  | 'nothingToUndo'
  | 'globbed'
  | 'globNothing'
  | 'grepFiles'
  | 'grepLines'
  | 'grepNothing'
  | 'listed'
  | 'listMissing'
  | 'ran'
  | 'ranEmpty'
  | 'failed'
  | 'timedOut'
  | 'outputCut'
  | 'started'
  | 'stillRuns'
  | 'jobEnded'
  | 'noJob'
  | 'killed'
  | 'todo'
  | 'denied';

const MALWARE =
  '\n\n<system-reminder>\nWhenever you read a file, you should consider whether it would be considered malware. You CAN and SHOULD provide analysis of malware, what it is doing. But you MUST refuse to improve or augment the code. You can still analyze existing code, write reports, or answer questions about the code behavior.\n</system-reminder>\n';
const TODO =
  'Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable';
const REVIEW =
  'Review the changes and make sure they are as expected (correct indentation, no duplicate lines, etc). Edit the file again if necessary.';

const EDITOR_TEXTS: Readonly<Record<ResultName, ResultTemplate>> = {
  read: "Here's the result of running `cat -n` on {path}:\n{text}\n",
  readEmpty: "Here's the result of running `cat -n` on {path}:\n     1\t\n",
  readMissing: '!The path {path} does not exist. Please provide a valid path.',
  readFolder:
    "Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:\n{list}\n",
  readCut: '',
  created: 'File created successfully at: {path}',
  overwrote: 'File created successfully at: {path}',
  exists: '!File already exists at: {path}. Cannot overwrite files using command `create`.',
  notRead: '',
  changedSince: '',
  edited: `The file {path} has been edited. Here's the result of running \`cat -n\` on a snippet of {path}:\n{text}\n${REVIEW}`,
  editedAll: `The file {path} has been edited. Here's the result of running \`cat -n\` on a snippet of {path}:\n{text}\n${REVIEW}`,
  editMissing: '!The path {path} does not exist. Please provide a valid path.',
  notFound: '!No replacement was performed, old_str `{old}` did not appear verbatim in {path}.',
  several:
    '!No replacement was performed. Multiple occurrences of old_str `{old}` in lines {lines}. Please ensure it is unique',
  same: '!No replacement was performed. Parameters old_str and new_str are the same.',
  multiEdited: '',
  inserted: `The file {path} has been edited. Here's the result of running \`cat -n\` on a snippet of the edited file:\n{text}\nReview the changes and make sure they are as expected (correct indentation, no duplicate lines, etc). Edit the file again if necessary.`,
  badLine:
    '!Invalid `insert_line` parameter: {status}. It should be within the range of lines of the file: [0, {count}]',
  undone:
    "Last edit to {path} undone successfully. Here's the result of running `cat -n` on {path}:\n{text}\n",
  nothingToUndo: '!No edit history found for {path}.',
  globbed: '{list}',
  globNothing: 'No files found',
  grepFiles: '{list}',
  grepLines: '{list}',
  grepNothing: 'No matches found',
  listed: '{list}',
  listMissing: '!The path {path} does not exist. Please provide a valid path.',
  ran: '{output}',
  ranEmpty: '',
  failed: '{output}',
  timedOut: '!timed out: bash has not returned in {seconds} seconds and must be restarted',
  outputCut: '{head}\n... [{count} characters truncated] ...\n{tail}',
  started: 'Command running in background with ID: {id}',
  stillRuns: '{output}',
  jobEnded: '{output}',
  noJob: '!No command with ID {id}',
  killed: 'Killed {id}',
  todo: TODO,
  denied: '!{error}',
};

/** The harnesses that are computed. */
export const RESULT_TEXTS: Readonly<Record<string, ResultTexts>> = {
  'claude-code': {
    lineMark: '→',
    readLines: 2000,
    lineChars: 2000,
    snippetLines: 4,
    outputChars: 30_000,
    mustRead: true,
    shellKeeps: 'folder',
    texts: {
      ...EDITOR_TEXTS,
      read: `{text}${MALWARE}`,
      readEmpty: '<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>',
      readMissing: '!<tool_use_error>File does not exist.</tool_use_error>',
      readFolder: "!EISDIR: illegal operation on a directory, read '{path}'",
      readCut: '',
      overwrote: 'The file {path} has been updated successfully.',
      exists: '',
      notRead:
        '!<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>',
      changedSince:
        '!<tool_use_error>File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.</tool_use_error>',
      edited: 'The file {path} has been updated successfully.',
      editedAll: 'The file {path} has been updated. All occurrences were successfully replaced.',
      editMissing: '!<tool_use_error>File does not exist.</tool_use_error>',
      notFound: '!<tool_use_error>String to replace not found in file.\nString: {old}</tool_use_error>',
      several:
        '!<tool_use_error>Found {count} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: {old}</tool_use_error>',
      same: '!<tool_use_error>No changes to make: old_string and new_string are exactly the same.</tool_use_error>',
      multiEdited: 'Applied {count} edits to {path}:\n{list}',
      grepFiles: 'Found {count} file{plural}\n{list}',
      grepNothing: 'No files found',
      listed: '{list}',
      ranEmpty: '',
      failed: '!Exit code {status}\n{output}',
      timedOut: '!Command timed out after {seconds}s\n{output}',
      outputCut: '{head}\n\n... [{lines} lines truncated] ...\n\n{tail}',
      started: 'Command running in background with ID: {id}',
      stillRuns: '<status>running</status>\n\n<stdout>\n{output}\n</stdout>',
      jobEnded: '<status>{word}</status>\n\n<exit_code>{status}</exit_code>\n\n<stdout>\n{output}\n</stdout>',
      noJob: '!<tool_use_error>No shell found with ID: {id}</tool_use_error>',
      killed: '{"message":"Successfully killed shell: {id} ({command})","shell_id":"{id}"}',
    },
  },
  'gemini-cli': {
    lineMark: null,
    readLines: 2000,
    lineChars: 2000,
    snippetLines: 5,
    outputChars: 40_000,
    mustRead: false,
    shellKeeps: 'nothing',
    texts: {
      ...EDITOR_TEXTS,
      read: '{text}',
      readEmpty: '',
      readMissing: '!File not found: {path}',
      readFolder: '!Path is a directory, not a file: {path}',
      readCut:
        "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines {from}-{to} of {count} total lines.\nAction: To read more of the file, you can use the 'start_line' and 'end_line' parameters in a subsequent 'read_file' call. For example, to read the next section of the file, use start_line: {next}.\n\n--- FILE CONTENT (truncated) ---\n{text}",
      exists: '',
      created: 'Successfully created and wrote to new file: {path}.',
      overwrote: 'Successfully overwrote file: {path}.',
      edited: 'Successfully modified file: {path} ({count} replacements). Here is the updated code:\n{text}',
      editedAll:
        'Successfully modified file: {path} ({count} replacements). Here is the updated code:\n{text}',
      editMissing: '!File not found. Cannot apply edit. Use an empty old_string to create a new file.',
      notFound:
        "!Failed to edit, 0 occurrences found for old_string in {path}. Ensure you're not escaping content incorrectly and check whitespace, indentation, and context. Use read_file tool to verify.",
      several: '!Failed to edit, expected 1 occurrence but found {count} for old_string in file: {path}',
      same: '!No changes to apply. The old_string and new_string are identical in file: {path}',
      globbed:
        'Found {count} file(s) matching "{pattern}" within {folder}, sorted by modification time (newest first):\n{list}',
      globNothing: 'No files found matching pattern "{pattern}" within {folder}',
      grepFiles: 'Found {count} match{es} for pattern "{pattern}" in path "{folder}":\n---\n{list}---',
      grepLines: 'Found {count} match{es} for pattern "{pattern}" in path "{folder}":\n---\n{list}---',
      grepNothing: 'No matches found for pattern "{pattern}" in path "{folder}".',
      listed: 'Directory listing for {path}:\n{list}',
      listMissing: '!Error listing directory: Directory not found or inaccessible.',
      ran: '<untrusted_context>\nOutput: {output}\nProcess Group PGID: {pid}\n</untrusted_context>',
      ranEmpty: '<untrusted_context>\nOutput: (empty)\nProcess Group PGID: {pid}\n</untrusted_context>',
      failed:
        '<untrusted_context>\nOutput: {output}\nExit Code: {status}\nProcess Group PGID: {pid}\n</untrusted_context>',
      timedOut:
        '!Command timed out after {seconds} seconds. Below is the output before it was cancelled.\n{output}',
      todo: 'Successfully updated the todo list. The current list is now:\n{list}',
    },
  },
  'text-editor': {
    lineMark: '\t',
    readLines: 1e9,
    lineChars: 1e9,
    snippetLines: 4,
    outputChars: 30_000,
    mustRead: false,
    shellKeeps: 'all',
    texts: EDITOR_TEXTS,
  },
  openhands: {
    lineMark: '\t',
    readLines: 1e9,
    lineChars: 1e9,
    snippetLines: 4,
    outputChars: 30_000,
    mustRead: false,
    shellKeeps: 'all',
    texts: {
      ...EDITOR_TEXTS,
      ran: '{output}\n[The command completed with exit code {status}.]\n[Current working directory: {folder}]',
      ranEmpty: '\n[The command completed with exit code {status}.]\n[Current working directory: {folder}]',
      failed:
        '{output}\n[The command completed with exit code {status}.]\n[Current working directory: {folder}]',
      readMissing:
        '!Invalid `path` parameter: {path}. The path {path} does not exist. Please provide a valid path.',
      editMissing:
        '!Invalid `path` parameter: {path}. The path {path} does not exist. Please provide a valid path.',
      exists:
        '!Invalid `path` parameter: {path}. File already exists at: {path}. Cannot overwrite files using command `create`.',
    },
  },
  codex: {
    lineMark: null,
    readLines: 2000,
    lineChars: 500,
    snippetLines: 3,
    outputChars: 10_000,
    mustRead: false,
    shellKeeps: 'nothing',
    texts: {
      ...EDITOR_TEXTS,
      exists: '',
      ran: 'Exit code: {status}\nWall time: {seconds} seconds\nOutput:\n{output}',
      ranEmpty: 'Exit code: {status}\nWall time: {seconds} seconds\nOutput:\n',
      failed: 'Exit code: {status}\nWall time: {seconds} seconds\nOutput:\n{output}',
      todo: 'Plan updated',
    },
  },
};

/** A template with its values; names without a value stay empty. */
export function fillTemplate(
  template: ResultTemplate,
  values: Readonly<Record<string, string | number>>,
): { readonly text: string; readonly isError: boolean } {
  const isError = template.startsWith('!');
  const text = (isError ? template.slice(1) : template).replace(/\{([a-z]+)\}/gi, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : /^"/.test(whole) ? whole : '',
  );
  return { text, isError };
}
