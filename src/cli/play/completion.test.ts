import { expect, test } from 'vitest';
import type { ToolDefinition } from '../../domains/index.js';
import { callSkeleton, completeLine, stepsToBlank } from './completion.js';

const CLOSE: ToolDefinition = {
  name: 'issue_close',
  inputSchema: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
};
const COMMENT: ToolDefinition = {
  name: 'issue_comment',
  inputSchema: {
    type: 'object',
    properties: { number: { type: 'integer' }, body: { type: 'string' }, quiet: { type: 'boolean' } },
    required: ['number', 'body'],
  },
};
const LIST: ToolDefinition = { name: 'list', inputSchema: { type: 'object' } };
const TOOLS = [CLOSE, COMMENT, LIST];

test('a tool name completes with a space, and then to the skeleton of its arguments', () => {
  expect(completeLine('issue_cl', TOOLS)).toEqual([['issue_close '], 'issue_cl']);
  expect(completeLine('issue_close ', TOOLS)).toEqual([['issue_close {"number": }'], 'issue_close ']);
});

test('several fitting tools are listed', () => {
  expect(completeLine('issue_', TOOLS)).toEqual([['issue_close', 'issue_comment'], 'issue_']);
});

test('a skeleton holds the required arguments only, texts with their quotes', () => {
  expect(callSkeleton(COMMENT)).toBe('issue_comment {"number": , "body": ""}');
  expect(callSkeleton(LIST)).toBe('list {}');
});

test('commands and the tool a command wants complete too', () => {
  expect(completeLine(':to', TOOLS)).toEqual([[':tool', ':tools'], ':to']);
  expect(completeLine(':tool li', TOOLS)).toEqual([['list '], 'li']);
  expect(completeLine('issue_close {"nu', TOOLS)).toEqual([[], 'issue_close {"nu']);
});

test('the first blank of a skeleton is found from its end, and other completions have none', () => {
  expect(stepsToBlank('close {"number": }')).toBe('}'.length);
  expect(stepsToBlank('comment {"body": "", "number": }')).toBe('", "number": }'.length);
  expect(['list {}', 'issue_close ', ':state'].map(stepsToBlank)).toEqual([0, 0, 0]);
});
