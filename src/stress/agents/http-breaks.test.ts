/**
 * Whose doing it is when an HTTP callback breaks off: nobody's where it was never there, the agent's where it was.
 */
import { expect, test } from 'vitest';
import { createTestWorld, type EndpointReply, startTestEndpoint, testTool } from '../../testing/index.js';
import { createAgents } from '../agent-spec.js';
import { NO_FAULTS } from '../fault-sets.js';
import { DEFAULT_BUDGET } from '../run-budget.js';
import { runOne } from '../run-one.js';
import { LOCAL_PLACES } from '../run-place.js';

const world = createTestWorld({
  name: 'notes',
  task: 'Write a note.',
  tools: [testTool('note_create', { text: { type: 'string' } })],
  state: { data: { notes: [] } },
  success: [{ id: 'one', expr: 'size(state.data.notes) == 1' }],
});

const WRITES = { body: ['{"name":"note_create","arguments":{"text":"milk"}}'] };
const ANSWERS = { body: ['{"answer":"done"}'] };
const BREAKS: EndpointReply = { ending: 'reset' };
const HALF: EndpointReply = { headers: { 'content-length': '900' }, body: ['{"answer":'], ending: 'reset' };
const MOVED: EndpointReply = { status: 307, headers: { location: 'http://127.0.0.1:9/act' } };

/** Plays runs one after another against one agent whose server gives these replies; how each run ended. */
async function endsOf(replies: readonly EndpointReply[], runs: number): Promise<string[]> {
  const endpoint = await startTestEndpoint(replies);
  const context = { directory: '.', environment: {}, cli: [] };
  const agents = createAgents([{ agent: `http:${endpoint.baseUrl}`, id: 'one' }], context);
  const [agent] = agents.ok ? agents.value : [];
  if (agent === undefined) throw new Error('the agent is made');
  const ends: string[] = [];
  for (let trial = 1; trial <= runs; trial++) {
    const plan = {
      ...{ id: `notes/clean/one/${trial}`, pair: `notes/one/${trial}`, number: trial, trial, seed: trial },
      ...{ world, faults: NO_FAULTS, agent, budget: DEFAULT_BUDGET },
    };
    const setting = { local: LOCAL_PLACES, hosted: LOCAL_PLACES, version: '0.0.0' };
    const { end, outcome } = (await runOne(plan, setting)).record;
    ends.push(`${end.reason}, ${outcome.class}`);
  }
  await endpoint.close();
  return ends;
}

const ABSENT = 'not-started, infrastructure';
const CRASHED = 'agent-crashed, agent-failed';
const FINISHED = 'finished, agent-finished';

test.each<[string, readonly EndpointReply[], readonly string[]]>([
  ['breaks off before its first answer ever was never there', [BREAKS], [ABSENT, ABSENT]],
  ['breaks off in the middle of its first answer ever was never there', [HALF], [ABSENT]],
  ['sends elsewhere with its first answer has a wrong address', [MOVED], [ABSENT, ABSENT]],
  ['breaks off after an answer in the same run has failed', [WRITES, BREAKS], [CRASHED]],
  ['sends elsewhere in the middle of a run has failed', [WRITES, MOVED], [CRASHED]],
  [
    'answered in an earlier run and breaks off at the start of the next has failed',
    [WRITES, ANSWERS, BREAKS],
    [FINISHED, CRASHED],
  ],
  [
    'answered in an earlier run and has a wrong address now is not blamed',
    [WRITES, ANSWERS, MOVED],
    [FINISHED, ABSENT],
  ],
  ['answers an error of its own has failed', [{ status: 500, body: ['boom'] }], [CRASHED]],
])('an agent that %s', async (_what, replies, ends) => {
  expect(await endsOf(replies, ends.length)).toEqual(ends);
});
