/**
 * A simulated web that is told what the agent is after: the answer is found where a fitting query leads, and nowhere else.
 * Hard case P-SIM-3.
 */
import { expect, test } from 'vitest';
import type { LanguageModel } from '../core/index.js';
import { queriesOf } from '../engines/index.js';
import {
  type AskedQuestion,
  testCall as call,
  createSimulator,
  createTestWorld,
  testTool,
} from '../testing/index.js';
import { openEpisode } from './index.js';

const TEXT = { type: 'string' };
const WORLD = createTestWorld({
  name: 'mills',
  domain: 'search',
  tools: [
    testTool('web_search', { 'query?': TEXT, 'queries?': { type: 'array', items: TEXT } }),
    testTool('web_extractor', { url: TEXT }),
    testTool('dict_memory', { operation: TEXT, 'dict?': { type: 'object' }, 'key_list?': { type: 'array' } }),
  ],
  instruction: 'Lead the agent over several pages before it can know who made the old mill turn.',
  hidden: { target: 'Who founded the Larkmoor tide mill, and when?', answer: 'Oda Brennick, 1874' },
});

const results = (topic: string, snippet: string): string =>
  Array.from(
    { length: 10 },
    (_none, at) =>
      `[${at + 1}] https://site${at + 1}.example/${topic.replace(/\W+/g, '-')}\nTitle: ${topic} part ${at + 1}\nSnippet: ${snippet}\nDate: N/A`,
  ).join('\n\n');

const tagged = (text: string): string => `<predicted_observation>\n${text}\n</predicted_observation>`;

/** Says too much until it is sent back, then what a web would say. */
function leaking({ call: asked, rejections }: AskedQuestion): string {
  const topic = asked === null ? '' : queriesOf(asked.arguments).join(' and ');
  if (asked?.name === 'web_search') {
    const told = rejections > 0 ? 'More on the page.' : 'The reference answer is Oda Brennick, 1874.';
    return tagged(results(topic, told));
  }
  const page = '# Larkmoor history part 2\nThe tide mill at Larkmoor was founded by Oda Brennick in 1874.';
  return tagged(rejections > 0 ? '# Larkmoor history part 2\nNothing else.' : page);
}

async function searched(model: LanguageModel) {
  const episode = await openEpisode(WORLD, { model });
  const seen: string[] = [];
  for (const action of [
    call('web_search', { query: 'tide mills overview' }),
    call('web_search', { query: 'Larkmoor history' }),
    call('web_extractor', { url: 'https://site2.example/Larkmoor-history' }),
    call('dict_memory', { operation: 'add', dict: { mill: 'Larkmoor' } }),
    call('web_search', { query: 'bicycle repair' }),
    call('web_extractor', { url: 'https://site2.example/Larkmoor-history' }),
    call('dict_memory', { operation: 'retrieve', key_list: ['mill'] }),
    call('dict_memory', { operation: 'retrieve', key_list: ['none'] }),
  ])
    seen.push((await episode.step(action)).observation ?? '');
  return { seen, turns: episode.turns };
}

test('no search tells the answer, a page that a fitting query led to does, and opened again it is the same', async () => {
  const { seen, turns } = await searched(createSimulator('leaking', leaking));
  const [overview = '', history = '', page = '', added, bicycles = '', again, mine, none] = seen;
  for (const text of [overview, history, bicycles]) {
    expect(text).not.toMatch(/Brennick|1874/);
    expect(text.match(/^\[\d+\] /gm)).toHaveLength(10);
  }
  expect(bicycles).not.toContain('Larkmoor');
  expect(page).toContain('Oda Brennick in 1874');
  expect(again).toBe(page);
  expect([added, mine, none]).toEqual([
    'Successfully added items of ["mill"] to memory.',
    '{"mill":"Larkmoor"}',
    'Key not found: none',
  ]);
  expect(seen.join('\n')).not.toMatch(/reference answer|ground truth|target query|simulator|several pages/i);
  expect(turns.map(({ flags }) => flags ?? [])).toEqual(turns.map(() => []));
});

test('a model that always leaks is never shown, and what it was told stays hidden', async () => {
  const stubborn = createSimulator('stubborn', (question) => leaking({ ...question, rejections: 0 }));
  const { turns } = await searched(stubborn);
  expect(turns.filter(({ action }) => action.includes('web_search')).map(({ status }) => status)).toEqual(
    Array.from({ length: 3 }, () => 'model-failed'),
  );
  // The page was never found by a search, so it is not shown either.
  expect(turns.map(({ observation }) => observation).join('\n')).not.toMatch(/Brennick|1874/);
});

test('pages that disagree with their results and lists of another length are flagged', async () => {
  const forgetful = createSimulator('forgetful', ({ call: asked, chance }) =>
    tagged(
      asked?.name === 'web_search'
        ? results(queriesOf(asked.arguments).join(), `Seen ${1000 + (chance % 8000)} times.`)
        : '# Something else\nNo numbers here.',
    ),
  );
  const episode = await openEpisode(WORLD, { model: forgetful });
  await episode.step(call('web_search', { query: 'stone bridges' }));
  const page = await episode.step(call('web_extractor', { url: 'https://site1.example/stone-bridges' }));
  expect(page.flags).toEqual(['inconsistent']);
  const two = createSimulator('two', () => tagged(results('x', 'y.').split('\n\n').slice(0, 2).join('\n\n')));
  const short = await openEpisode(WORLD, { model: two });
  await short.step(call('web_search', { query: 'a' }));
  expect((await short.step(call('web_search', { queries: ['b', 'c'] }))).flags).toEqual(['guard:form']);
});
