/**
 * What a world's author writes for a language model stands in its prompt; what is for nobody does not.
 */
import { expect, test } from 'vitest';
import { createTestWorld, testTool } from '../testing/index.js';
import { openEpisode } from './index.js';

const PARTS = { name: 'forecasts', tools: [testTool('explain', { topic: {} })] };

async function promptOf(parts: object): Promise<string> {
  const episode = await openEpisode(createTestWorld({ ...PARTS, ...parts }));
  return episode.header().system.text;
}

test("a server's instructions are in the prompt, also where the world names no server", async () => {
  expect(await promptOf({ serverInstructions: 'Ask for one topic at a time.' })).toContain(
    'The server is forecasts.\nThe server says of itself: Ask for one topic at a time.\n',
  );
  const state = { server: { name: 'sky', version: '2.0.0' } };
  expect(await promptOf({ serverInstructions: 'Be brief.', state })).toContain(
    'The server is sky, version 2.0.0.\nThe server says of itself: Be brief.\n',
  );
  expect(await promptOf({})).not.toContain('The server is');
});

test('representation, instruction and demonstrations are in the prompt, and what is hidden is not', async () => {
  const text = await promptOf({
    representation: 'plain sentences',
    instruction: 'Winds are strong.',
    demonstrations: ['Rain is water.', { action: { name: 'explain' }, observation: 'Snow is cold.' }],
    hidden: { target: 'the third topic', answer: 'hail' },
  });
  expect(text).toContain(
    '# In this simulation\nForm of the observations: plain sentences\n\nWinds are strong.\n\nRain is water.\n',
  );
  expect(text).toContain('Snow is cold.');
  expect(text).not.toMatch(/third topic|hail/);
});
