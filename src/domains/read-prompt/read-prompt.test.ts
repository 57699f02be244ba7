/**
 * Prompts written by others: what is read out of them, and that the text stays as it is.
 */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DOMAINS } from '../../core/index.js';
import { readForeignPrompt } from '../index.js';

const SAMPLES = new URL('../../../../shared/samples/agentworldbench/', import.meta.url);

test.skipIf(!existsSync(SAMPLES))(
  'the public prompts of the benchmark are told apart and kept word for word',
  () => {
    for (const domain of DOMAINS) {
      const text = readFileSync(new URL(`${domain}.system_prompt.txt`, SAMPLES), 'utf8');
      const read = readForeignPrompt(text);
      expect([domain, read.domain, read.system.text === text]).toEqual([domain, domain, true]);
      expect(read.system.task).toBeTruthy();
      for (const part of [read.system.task, read.system.actionSpace, ...read.system.demonstrations])
        if (part !== undefined) expect(text).toContain(part);
    }
  },
);

const LOOKUP = {
  name: 'order_get',
  description: 'Looks an order up.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
};
const AS_FUNCTION = { type: 'function', function: { name: 'order_get', parameters: LOOKUP.inputSchema } };

test.each([
  ['a JSON list', JSON.stringify([LOOKUP], null, 2)],
  ['one object a line', `${JSON.stringify(LOOKUP)}\n${JSON.stringify({ ...LOOKUP, name: 'order_list' })}`],
  ['a fenced block', `\`\`\`json\n${JSON.stringify({ tools: [LOOKUP] })}\n\`\`\``],
  ['a <tools> block of functions', `<tools>\n${JSON.stringify(AS_FUNCTION)}\n</tools>`],
  ['bullets', `- ${JSON.stringify(LOOKUP)}`],
])('tools are read out of %s', (_name, list) => {
  const read = readForeignPrompt(`You simulate a tool server.\n\n# Available Tools\n\n${list}\n`);
  expect(read.tools.map(({ name }) => name)[0]).toBe('order_get');
  expect(read.tools[0]?.inputSchema).toEqual(LOOKUP.inputSchema);
  expect(read.domain).toBe('mcp');
});

test.each([
  [
    'web',
    'You are an autonomous intelligent agent tasked with navigating a web browser.\n`click [id]`: clicks on an element.\n`stop [answer]`: ends.',
  ],
  [
    'web',
    'You get a page with marks. Answer with one of: Click [Numerical_Label], Type [Numerical_Label]; [Content], GoBack.',
  ],
  ['web', "Review the page to find the next action.\nclick(bid: str, button: 'left')\n    Click an element."],
  [
    'android',
    'You are an agent who can operate an Android phone on behalf of a user. `{"action_type": "click", "index": 1}`',
  ],
  ['os', 'You perform desktop computer tasks as instructed. Use `pyautogui` to act on what you see.'],
  ['swe', "You are an autonomous programmer, and you're working directly in the command line."],
  ['swe', 'You can interact multiple times with a computer shell to solve programming tasks.'],
  ['terminal', 'You solve command-line tasks. Answer {"commands": [{"keystrokes": "ls\\n"}]}.'],
])('a prompt of %s that an agent is given tells its domain', (domain, text) => {
  const { domain: told, why } = readForeignPrompt(text);
  expect([told, why.startsWith('signs of')]).toEqual([domain, true]);
});

test('initial state, instruction, hidden target and examples are found where they stand', () => {
  const text = [
    '# Role',
    'You are a search world model. Tools: web_search, web_extractor.',
    '## Initial State',
    'No memory yet.',
    '```',
    '# not a heading',
    '```',
    '# Simulation Instruction',
    '**Target Query**: Who founded the Larkmoor tide mill, and when?',
    '**Reference Answer**: Oda Brennick, 1874',
    '',
    'Do not tell it in snippets.',
    '# Examples',
    '## Example 1',
    '{"name":"web_search","arguments":{"query":"x"}}',
    '## Example 2',
    'other',
  ].join('\n');
  const read = readForeignPrompt(text);
  expect(read.domain).toBe('search');
  expect(read.system.initialState).toBe('No memory yet.\n```\n# not a heading\n```');
  expect(read.hidden).toEqual({
    target: 'Who founded the Larkmoor tide mill, and when?',
    answer: 'Oda Brennick, 1874',
  });
  expect(read.system.demonstrations).toHaveLength(2);
  expect(read.tools).toEqual([]);
});

test('a prompt without signs, and one of two domains, has no domain and says why', () => {
  expect(readForeignPrompt('You are a helpful assistant.')).toMatchObject({ domain: null });
  const both = readForeignPrompt('A terminal environment. An Android device.');
  expect([both.domain, both.why]).toEqual([null, expect.stringContaining('as of')]);
  expect(readForeignPrompt('anything', 'web')).toMatchObject({ domain: 'web', why: 'the caller says so' });
});

test('unfilled placeholders are told and are no part', () => {
  const read = readForeignPrompt('# Tools\n\n{tool_definitions}\n\n# Notes\nNone.');
  expect([read.unfilled, read.system.actionSpace, read.tools]).toEqual([['tool_definitions'], undefined, []]);
});

test('hostile prompts never throw, and the text is never changed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('# Tools\n', '<tools>\n', '```\n', '**Target Query**: '),
      (text, head) => {
        const whole = `${head}${text}`;
        expect(readForeignPrompt(whole).system.text).toBe(whole);
      },
    ),
  );
  const deep = `# Tools\n${'{"a":['.repeat(20_000)}`;
  expect(readForeignPrompt(deep).tools).toEqual([]);
});
