/** Tools of coding agents on a machine: the words of each harness, what they remember, forks and snapshots. */
import { expect, test } from 'vitest';
import type { EngineSession } from '../../../core/index.js';
import { drive, testEngineContract, toolCall } from '../../engine.contract.js';
import { DEFAULT_SPEC, type MachineSpec } from '../machine/index.js';
import { createSweEngine } from './swe-engine.js';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const MACHINE: MachineSpec = {
  ...DEFAULT_SPEC,
  id: 'swe',
  cwd: '/home/user/p',
  files: [
    { path: '/home/user/p', kind: 'directory', owner: 'user' },
    { path: '/home/user/p/a.py', content: text('x = 1\ny = 2\nx = 1\n'), owner: 'user' },
    { path: '/home/user/p/lib/b.txt', content: text('one\ntwo\n'), owner: 'user' },
  ],
};
const engine = createSweEngine();
const at = (harness: string): EngineSession => engine.open({ machine: MACHINE, harness }, 1);
let turn = 0;
const say = (session: EngineSession, name: string, args: object): string => {
  const { answer, status } = drive(session, toolCall(name, args), {
    turn: ++turn,
    nowMs: MACHINE.startMs + turn * 1000,
  });
  return `${status === 'ok' ? '' : `${status}: `}${answer?.isError === true ? 'ERROR ' : ''}${answer?.text.text ?? ''}`;
};

testEngineContract({
  name: 'swe',
  engine,
  spec: { machine: MACHINE, harness: 'claude-code' },
  other: { machine: { ...MACHINE, id: 'another' }, harness: 'claude-code' },
  actions: [
    toolCall('Read', { file_path: '/home/user/p/a.py' }),
    toolCall('Edit', { file_path: '/home/user/p/a.py', old_string: 'y = 2', new_string: 'y = 3' }),
    toolCall('Bash', { command: 'cd lib && echo $RANDOM > r; cat b.txt' }),
    toolCall('Bash', { command: 'pwd; sleep 30; ls' }),
    toolCall('TodoWrite', { todos: [{ content: 'a', status: 'pending' }] }),
    toolCall('Bash', { command: 'sleep 100; echo late', run_in_background: true }),
    toolCall('Write', { file_path: '/home/user/p/new/c.txt', content: 'c\n' }),
  ],
  refused: toolCall('Fly', {}),
});

test('a file is read with its lines before it is changed, and an edit needs one place', () => {
  const session = at('claude-code');
  const path = '/home/user/p/a.py';
  expect(say(session, 'Edit', { file_path: path, old_string: 'y = 2', new_string: 'y = 3' })).toBe(
    'ERROR <tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>',
  );
  expect(say(session, 'Read', { file_path: path, offset: 2, limit: 2 }).split('\n\n')[0]).toBe(
    '     2→y = 2\n     3→x = 1',
  );
  expect(say(session, 'Edit', { file_path: path, old_string: 'x = 1', new_string: 'x = 5' })).toBe(
    'ERROR <tool_use_error>Found 2 matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: x = 1</tool_use_error>',
  );
  expect(say(session, 'Edit', { file_path: path, old_string: 'z', new_string: 'x' })).toBe(
    'ERROR <tool_use_error>String to replace not found in file.\nString: z</tool_use_error>',
  );
  expect(say(session, 'Edit', { file_path: path, old_string: 'y = 2', new_string: 'y = 3' })).toBe(
    `The file ${path} has been updated successfully.`,
  );
  expect(say(session, 'Bash', { command: 'echo z = 4 >> a.py; cat a.py' })).toBe(
    'x = 1\ny = 3\nx = 1\nz = 4',
  );
  expect(say(session, 'Edit', { file_path: path, old_string: 'y = 3', new_string: 'y = 4' })).toBe(
    'ERROR <tool_use_error>File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.</tool_use_error>',
  );
});

test('a command that fails shows its status, and the folder stays where the harness keeps it', () => {
  const session = at('claude-code');
  expect(say(session, 'Bash', { command: 'cd lib; ls nosuch' })).toBe(
    "ERROR Exit code 2\nls: cannot access 'nosuch': No such file or directory",
  );
  expect(say(session, 'Bash', { command: 'pwd' })).toBe('/home/user/p/lib');
  expect(say(session, 'Bash', { command: 'sleep 10', timeout: 1000 })).toMatch(
    /^ERROR Command timed out after 1s/,
  );
  const gemini = at('gemini-cli');
  expect(say(gemini, 'run_shell_command', { command: 'cd lib; false' })).toMatch(
    /^<untrusted_context>\nOutput: \nExit Code: 1\nProcess Group PGID: \d+\n<\/untrusted_context>$/,
  );
  expect(say(gemini, 'run_shell_command', { command: 'pwd' })).toContain('Output: /home/user/p\n');
});

test('searches find what the machine holds', () => {
  const claude = at('claude-code');
  expect(say(claude, 'Glob', { pattern: '**/*.{py,txt}' })).toBe('/home/user/p/a.py\n/home/user/p/lib/b.txt');
  expect(say(claude, 'Glob', { pattern: '*.rs' })).toBe('No files found');
  expect(say(claude, 'Grep', { pattern: 'x = \\d', output_mode: 'content' })).toBe(
    'a.py:1:x = 1\na.py:3:x = 1',
  );
  expect(say(claude, 'Grep', { pattern: 'two' })).toBe('Found 1 file\nlib/b.txt');
  const gemini = at('gemini-cli');
  expect(say(gemini, 'search_file_content', { pattern: 'TWO' })).toBe(
    'Found 1 match for pattern "TWO" in path ".":\n---\nFile: lib/b.txt\nL2: two\n---',
  );
  expect(say(gemini, 'list_directory', { path: '/home/user/p' })).toBe(
    'Directory listing for /home/user/p:\n[DIR] lib\na.py',
  );
});

test('the text editor shows snippets, inserts, undoes, and its shell keeps variables', () => {
  const session = at('text-editor');
  const path = '/home/user/p/lib/b.txt';
  const edit = (args: object): string => say(session, 'str_replace_based_edit_tool', { path, ...args });
  expect(edit({ command: 'view' })).toBe(
    `Here's the result of running \`cat -n\` on ${path}:\n     1\tone\n     2\ttwo\n`,
  );
  expect(edit({ command: 'str_replace', old_str: 'no', new_str: 'x' })).toBe(
    `ERROR No replacement was performed, old_str \`no\` did not appear verbatim in ${path}.`,
  );
  expect(edit({ command: 'insert', insert_line: 1, new_str: 'half' })).toContain('     2\thalf\n     3\ttwo');
  expect(edit({ command: 'undo_edit' })).toContain(`Last edit to ${path} undone successfully.`);
  expect(edit({ command: 'create', file_text: 'x' })).toBe(
    `ERROR File already exists at: ${path}. Cannot overwrite files using command \`create\`.`,
  );
  expect(say(session, 'bash', { command: 'export TOKEN=7; cd lib' })).toBe('');
  expect(say(session, 'bash', { command: 'echo $TOKEN; pwd' })).toBe('7\n/home/user/p/lib');
});

test('a command in the background goes on, tells new output once, and can be ended', () => {
  const session = at('claude-code');
  expect(say(session, 'Bash', { command: 'echo up; sleep 3600', run_in_background: true })).toBe(
    'Command running in background with ID: bash_1',
  );
  expect(say(session, 'BashOutput', { bash_id: 'bash_1' })).toBe(
    '<status>running</status>\n\n<stdout>\nup\n</stdout>',
  );
  expect(say(session, 'KillShell', { shell_id: 'bash_1' })).toBe(
    '{"message":"Successfully killed shell: bash_1 (echo up; sleep 3600)","shell_id":"bash_1"}',
  );
  expect(say(session, 'BashOutput', { bash_id: 'bash_1' })).toContain('<status>killed</status>');
  expect(say(session, 'BashOutput', { bash_id: 'bash_9' })).toBe(
    'ERROR <tool_use_error>No shell found with ID: bash_9</tool_use_error>',
  );
});
