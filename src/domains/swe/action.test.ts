import { describe, expect, test } from 'vitest';
import type { ToolCall } from '../../core/index.js';
import { sweFormat } from './swe-format.js';
import { TOOL_PROFILES } from './tool-profiles.js';
import { detectToolProfile, isCodingTool, shellCommandOf, toolUseOf } from './tool-use.js';

const { parseAction } = sweFormat;
const call = (name: string, args: object): ToolCall => ({
  kind: 'tool-call',
  name,
  arguments: args as ToolCall['arguments'],
});

test.each([
  ['{"name":"Read","arguments":{"file_path":"a"}}', call('Read', { file_path: 'a' })],
  [
    '{"type":"function","function":{"name":"bash","arguments":"{\\"command\\":\\"ls\\"}"}}',
    call('bash', { command: 'ls' }),
  ],
  [
    '### Turn 2\n\n**Action:**\n```json\n{"name":"LS","arguments":{"path":"/"}}\n```',
    call('LS', { path: '/' }),
  ],
  [
    'THOUGHT: look at it.\n\n```bash\ncat <<EOF | jq .\n{"name":"x","arguments":{}}\nEOF\n```\n',
    call('bash', { command: 'cat <<EOF | jq .\n{"name":"x","arguments":{}}\nEOF' }),
  ],
  ['```mswea_bash_command\nls\n```', call('bash', { command: 'ls' })],
  [
    '<function=str_replace_editor>\n<parameter=command>str_replace</parameter>\n<parameter=path>/a.py</parameter>\n<parameter=old_str>\n  x = 1\n</parameter>\n<parameter=view_range>[1, -1]</parameter>\n</function>',
    call('str_replace_editor', {
      command: 'str_replace',
      path: '/a.py',
      old_str: '  x = 1',
      view_range: [1, -1],
    }),
  ],
  ['DISCUSSION\nI look around first.\n```\nls -la\n```\n', call('bash', { command: 'ls -la' })],
  ['<execute_bash>\nls -la\n</execute_bash>', call('bash', { command: 'ls -la' })],
  ['{"answer":"done"}', { kind: 'finish', answer: 'done' }],
])('%s is read', (text, action) => {
  expect(parseAction(text)).toEqual(action);
});

test.each([
  ['ls -la', 'no JSON'],
  ['```bash\nls\n```\nand\n```bash\npwd\n```', '2 commands in one action'],
  ['{"name":"Read","arguments":', 'invalid JSON'],
  ['```python\nprint(1)\n```', 'no JSON'],
])('%s is malformed with what was seen', (text, reason) => {
  expect(parseAction(text)).toMatchObject({ kind: 'malformed', reason: expect.stringContaining(reason) });
});

describe('what a call does is told by the profiles, whatever the harness', () => {
  test.each([
    [
      call('Read', { file_path: '/a', offset: 3 }),
      { profile: 'claude-code', kind: 'read', fields: { path: '/a', offset: 3 } },
    ],
    [
      call('read_file', { absolute_path: '/a' }),
      { profile: 'gemini-cli', kind: 'read', fields: { path: '/a' } },
    ],
    [call('read_file', { target_file: '/a' }), { profile: 'editors', kind: 'read', fields: { path: '/a' } }],
    [
      call('replace', { file_path: '/a', old_string: 'x', new_string: 'y' }),
      { profile: 'gemini-cli', kind: 'edit', fields: { path: '/a', oldText: 'x', newText: 'y' } },
    ],
    [
      call('str_replace_based_edit_tool', { command: 'create', path: '/a', file_text: 'x' }),
      { profile: 'text-editor', kind: 'write', fields: { path: '/a', content: 'x' } },
    ],
    [
      call('str_replace_editor', { command: 'insert', path: '/a', insert_line: 2, new_str: 'x' }),
      { profile: 'text-editor', kind: 'insert', fields: { path: '/a', newText: 'x', line: 2 } },
    ],
    [
      call('edit', { search: 'x', replace: 'y' }),
      { profile: 'swe-agent', kind: 'edit', fields: { oldText: 'x', newText: 'y' } },
    ],
    [call('TodoWrite', { todos: [] }), { profile: 'claude-code', kind: 'todo', fields: { items: [] } }],
    [call('constructor', {}), null],
    [call('weather', {}), null],
  ])('%j', (action, use) => {
    expect(toolUseOf(action)).toEqual(use);
  });
});

test('the profile of a list of tools is the one that knows most of them', () => {
  expect(detectToolProfile(['Bash', 'Read', 'mcp__x__y'])?.name).toBe('claude-code');
  expect(detectToolProfile(['read_file', 'run_shell_command', 'replace'])?.name).toBe('gemini-cli');
  expect(detectToolProfile(['bash', 'str_replace_based_edit_tool'])?.name).toBe('text-editor');
  expect(detectToolProfile(['execute_bash', 'str_replace_editor', 'finish'])?.name).toBe('openhands');
  expect(detectToolProfile(['exec_command', 'apply_patch'])?.name).toBe('codex');
  expect(detectToolProfile(['get_weather', 'toString'])).toBeUndefined();
  expect(detectToolProfile([])).toBeUndefined();
});

test('each profile names its own tools as its own', () => {
  for (const profile of TOOL_PROFILES) {
    for (const name of Object.keys(profile.tools)) {
      expect(toolUseOf(call(name, {}), profile)?.profile).toBe(profile.name);
    }
  }
  for (const name of ['Read', 'READ_FILE', 'str_replace_editor', 'bash'])
    expect(isCodingTool(name)).toBe(true);
  for (const name of ['get_weather', 'create', 'submit']) expect(isCodingTool(name)).toBe(false);
});

test('the command of a shell is found in every form', () => {
  expect(shellCommandOf(call('exec_command', { cmd: 'ls' }))).toBe('ls');
  expect(shellCommandOf(call('shell', { command: ['bash', '-lc', 'ls'] }))).toBe('bash -lc ls');
  expect(shellCommandOf(call('Read', { file_path: 'a' }))).toBeNull();
});
