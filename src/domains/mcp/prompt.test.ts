import { expect, test } from 'vitest';
import { renderPlainPrompt } from '../plain-prompt.js';
import { toolPromptFacts } from './prompt.js';

const tool = {
  name: 'list_shifts',
  inputSchema: { type: 'object', $defs: { A: { maximum: 12345678901234567890n } } },
};

test('tools are shown whole, with references and big integers', () => {
  const facts = toolPromptFacts({ actionSpace: { tools: [tool] } });
  expect(facts.actionSpace.entries).toEqual([
    '{"name":"list_shifts","inputSchema":{"type":"object","$defs":{"A":{"maximum":12345678901234567890}}}}',
  ]);
});

test('sections stand in the order of the five parts, and a state value is shown as JSON', () => {
  const prompt = renderPlainPrompt(
    toolPromptFacts({
      actionSpace: { tools: [tool], server: { name: 'shifts', version: '2', instructions: 'Ask first.' } },
      initialState: { shifts: [] },
      demonstrations: [{ action: '{"name":"list_shifts"}', observation: '[]' }],
      instruction: 'Fail once.',
    }),
  );
  const headings = [...prompt.text.matchAll(/^# (.*)$/gm)].map((match) => match[1]);
  expect(headings).toEqual([
    'Task',
    'Tools',
    'State',
    'Answers',
    'State at the start',
    'Examples',
    'In this simulation',
  ]);
  expect(prompt.task).toContain('The server is shifts, version 2.');
  expect(prompt.initialState).toBe('{\n  "shifts": []\n}');
  expect(prompt.demonstrations).toEqual([
    'Action:\n{"name":"list_shifts"}\nAnswer:\n<predicted_observation>\n[]\n</predicted_observation>',
  ]);
});
