/**
 * Worlds whose model is helpful, forgetful or a liar, or falls out of its part: what is known stays right, the rest is marked.
 * Hard cases P-SIM-1 and P-SIM-2, on both routes.
 */
import { expect, test } from 'vitest';
import type { LanguageModel, StepResult } from '../core/index.js';
import {
  testCall as call,
  createBadModels,
  createForgetfulModel,
  createHelpfulModel,
  createLyingModel,
  createTestWorld,
} from '../testing/index.js';
import { openEpisode } from './episode.js';
import { libraryWorld, stockWorld, ticketWorld } from './worlds.contract.js';

const MODELS: readonly (() => LanguageModel)[] = [createHelpfulModel, createForgetfulModel, createLyingModel];
const CASES = MODELS.flatMap((create) =>
  (['grounded', 'model'] as const).map((route) => [create().name, route, create] as const),
);

const keys = (keystrokes: string): string => JSON.stringify([{ keystrokes, duration: 1 }]);

test.each(CASES)('a removed file stays removed (%s model, route %s)', async (_name, route, create) => {
  const world = createTestWorld({
    domain: 'terminal',
    tools: undefined,
    state: { host: 'box', cwd: '/tmp' },
  });
  const episode = await openEpisode(world, { model: create(), route });
  for (const line of ['echo first > note.txt', 'cat note.txt', 'rm note.txt'])
    await episode.step(keys(`${line}\n`));
  for (let i = 0; i < 10; i++) {
    const { observation } = await episode.step(keys('clear; ls\n'));
    expect(observation).not.toContain('note.txt');
  }
  const { observation } = await episode.step(keys('clear; cat note.txt; echo rc=$?\n'));
  expect(observation).toContain('cat: note.txt: No such file or directory\nrc=1\n');
});

test.each(CASES)('a stock ledger adds up (%s model, route %s)', async (_name, route, create) => {
  const episode = await openEpisode(stockWorld(), { model: create(), route });
  const get = call('stock_get', { item: 'bolts' });
  const texts: (string | null)[] = [(await episode.step(get)).observation];
  for (const [name, quantity] of [
    ['ship', 65],
    ['return', 8],
    ['found', 12],
  ] as const)
    await episode.step(call(name, { item: 'bolts', quantity }));
  for (let i = 0; i < 6; i++) await episode.step(call('stock_get', { item: 'nuts' }));
  texts.push((await episode.step(get)).observation);
  expect(texts.map((text) => /"quantity":\s*(\d+)/.exec(text ?? '')?.[1])).toEqual(['240', '195']);
});

test.each(CASES)(
  'calls that cannot succeed fail five times of five (%s model, route %s)',
  async (_name, route, create) => {
    for (let run = 0; run < 5; run++) {
      const episode = await openEpisode(ticketWorld(), { model: create(), route, seed: run });
      const made = await episode.step(call('ticket_create', { title: 'lamp' }));
      const id = /"id":\s*"([^"]+)"/.exec(made.observation ?? '')?.[1] ?? '';
      const tries: StepResult[] = [];
      for (const action of [
        call('ticket_get', { id: 'T-99999' }),
        call('ticket_get', {}),
        call('ticket_get', { id: 17 }),
        call('ticket_reopen', { id }),
      ])
        tries.push(await episode.step(action));
      const closed = await episode.step(call('ticket_close', { id }));
      tries.push(await episode.step(call('ticket_close', { id })));
      expect(closed.meta?.isError).toBeUndefined();
      expect(tries.map(({ status, meta }) => [status, meta?.isError])).toEqual([
        ['ok', true],
        ['refused', true],
        ['refused', true],
        ['refused', true],
        ['ok', true],
      ]);
      expect(tries[0]?.observation).toContain('T-99999');
      const { tickets } = (episode.view() as { data: { tickets: { title: string; status: string }[] } }).data;
      expect(tickets.map(({ title, status }) => [title, status])).toEqual([['lamp', 'closed']]);
    }
  },
);

const SECRET = 'The vault code is 55-81-07.';
const FACTS = [{ id: 'vault', text: SECRET, secret: true, reveal: { on: 'book_list' } }];

test.each(createBadModels(SECRET))(
  'a model that $name is found out where nobody can compute the answer',
  async ({ check, model }) => {
    const world = libraryWorld({ facts: FACTS });
    const episode = await openEpisode(world, { model });
    const before = episode.view();
    const result = await episode.step(call('opening_hours', { day: 'Monday' }));
    const never = ['leak', 'refusal', 'none'].includes(check);
    expect([result.status, result.observation === null]).toEqual(
      never ? ['model-failed', true] : ['ok', false],
    );
    expect(result.flags).toEqual(
      never || check === 'none' ? [] : [expect.stringMatching(`^guard:${check}$`)],
    );
    expect(JSON.stringify(result)).not.toMatch(/55-?81-?07|5-5-.-8-1/);
    expect(result.observation ?? '').not.toMatch(/### Turn|<\/predicted/);
    if (result.observation === null) expect(episode.view()).toEqual(before);
    else expect(result.meta?.guard).toMatchObject({ attempts: 3, checked: expect.any(Number) });
    const computed = await episode.step(call('book_list'));
    expect([computed.flags, computed.observation?.includes('Tides')]).toEqual([[], true]);
  },
);

test('what a program claims is checked: forms, possible files, and the machine has the last word', async () => {
  const world = createTestWorld({
    domain: 'terminal',
    tools: undefined,
    state: { host: 'box', cwd: '/tmp' },
  });
  const say = (text: string): LanguageModel => ({
    name: 'one',
    generate: async () => ({
      ok: true,
      value: {
        samples: [{ text, reasoning: null, finishReason: 'stop' }],
        usage: { promptTokens: null, completionTokens: null },
        model: 'one',
      },
    }),
  });
  const screenOf = async (text: string, line: string) => {
    const episode = await openEpisode(world, { model: say(text) });
    const result = await episode.step(keys(`${line}\n`));
    return { ...result, episode };
  };
  const wrote = await screenOf(
    '{"stdout":"ok","exitCode":3,"files":{"a/b.txt":"new\\n"}}',
    'ruby x; echo rc=$?; cat a/b.txt',
  );
  expect(wrote.observation).toContain('\nok\nrc=3\nnew\n');
  expect(wrote.flags).toEqual([]);
  const denied = await screenOf('{"stdout":"written","files":{"/etc/shadow":"x"}}', 'ruby x; echo rc=$?');
  expect(denied.observation).toContain('ruby: /etc/shadow: Permission denied\nrc=1\n');
  expect([denied.flags, denied.observation?.includes('written')]).toEqual([['guard:effects'], false]);
  for (const broken of [
    '{"stdout":7}',
    '{"exitCode":900}',
    '{"stdout":"x","files":{"":"y"}}',
    '{"stdout":"a","other":1}',
  ]) {
    const failed = await screenOf(broken, 'ruby x');
    expect([failed.status, failed.observation]).toEqual(['model-failed', null]);
  }
  const plain = await screenOf('just words', 'ruby x | tr a-z A-Z');
  expect(plain.observation).toContain('\nJUST WORDS\n');
});

test('the same program over the same files says the same, and is asked again when a file has changed', async () => {
  const world = createTestWorld({
    domain: 'terminal',
    tools: undefined,
    state: { host: 'box', cwd: '/tmp' },
  });
  let asked = 0;
  const model: LanguageModel = {
    name: 'counted',
    generate: async () => ({
      ok: true,
      value: {
        samples: [{ text: `{"stdout":"answer ${++asked}"}`, reasoning: null, finishReason: 'stop' }],
        usage: { promptTokens: null, completionTokens: null },
        model: 'counted',
      },
    }),
  };
  const episode = await openEpisode(world, { model });
  await episode.step(keys('ruby status; ruby status; touch new; ruby status; echo x >> log; wc -l < log\n'));
  expect(asked).toBe(2);
  const { observation } = await episode.step(keys('clear; ruby status; wc -l < log\n'));
  expect(observation).toContain('answer 3\n1\n');
});
