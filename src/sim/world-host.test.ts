import { expect, test } from 'vitest';
import type { LanguageModel } from '../core/index.js';
import { testCall as call, createScriptedModel, type ScriptEntry } from '../testing/index.js';
import { openEpisode } from './episode.js';
import { libraryWorld, ticketWorld } from './worlds.contract.js';

/** A scripted model that counts how often it is asked, and keeps the prompts. */
function counting(entries: readonly ScriptEntry[]): LanguageModel & { readonly prompts: string[] } {
  const model = createScriptedModel(entries);
  const prompts: string[] = [];
  return {
    name: model.name,
    prompts,
    generate: (request) => {
      prompts.push(request.messages.map(({ content }) => content).join('\n'));
      return model.generate(request);
    },
  };
}

const hours = call('opening_hours', { day: 'Monday' });
const FACT = {
  id: 'hours',
  text: 'Open 9–17, "closed" at noon.',
  reveal: { on: 'opening_*', match: 'Monday' },
};

test('what the engine computes never reaches the model; what nobody can compute does, marked predicted', async () => {
  const model = counting([{ match: 'opening_hours', text: 'Nine to five.' }]);
  const episode = await openEpisode(libraryWorld(), { model });
  await episode.step(call('book_lend', { id: 'b1', reader: 'Ada' }));
  expect(model.prompts).toEqual([]);
  const result = await episode.step(hours);
  expect([result.status, result.observation]).toEqual(['ok', 'Nine to five.']);
  expect(result.origins).toEqual([{ start: 0, end: 13, origin: 'predicted' }]);
  expect(model.prompts[0]).toContain('"reader":"Ada"');
});

test('the same question over an unchanged state gets the same answer without asking again', async () => {
  const model = counting([{ text: 'Nine to five.' }, { text: 'Ten to four.' }]);
  const episode = await openEpisode(libraryWorld(), { model });
  const first = await episode.step(hours);
  const second = await episode.step(hours);
  expect([second.observation, second.origins]).toEqual([first.observation, first.origins]);
  expect(model.prompts.length).toBe(1);
  await episode.step(call('book_lend', { id: 'b1', reader: 'Ada' }));
  expect((await episode.step(hours)).observation).toBe('Ten to four.');
});

test('the route engine never asks the model, and says that filler is filler', async () => {
  const model = counting([{ text: 'x' }]);
  const episode = await openEpisode(libraryWorld(), { model, route: 'engine' });
  const result = await episode.step(hours);
  expect([result.status, model.prompts]).toEqual(['ok', []]);
  expect(new Set(result.origins.map(({ origin }) => origin))).toEqual(new Set(['generated']));
});

test('a strict world abstains, with or without a model, and the state is as before', async () => {
  const model = counting([{ text: 'x' }]);
  const episode = await openEpisode(libraryWorld({ strict: true }), { model });
  const before = [episode.view(), episode.clock];
  const result = await episode.step(hours);
  expect([result.status, result.observation, result.origins]).toEqual(['abstained', null, []]);
  expect(result.reason).toContain("'opening_hours'");
  expect([episode.view(), episode.clock]).toEqual(before);
  expect(model.prompts).toEqual([]);
  expect(episode.turns[0]).toMatchObject({ observation: null, status: 'abstained' });
});

test('a model that fails leaves everything as before but its turn', async () => {
  const empty = '<predicted_observation></predicted_observation';
  const model = counting([{ error: 'down' }, { text: '<think>never ends' }, { text: '   ' }]);
  const episode = await openEpisode(libraryWorld(), { model });
  const before = [episode.view(), episode.clock];
  const result = await episode.step(hours);
  expect([result.status, result.observation]).toEqual(['model-failed', null]);
  expect([episode.view(), episode.clock]).toEqual(before);
  expect(model.prompts.length).toBe(3);
  expect(JSON.stringify(result)).not.toContain(empty);
});

test('a script with nothing left fails at once and says what was asked', async () => {
  const model = counting([]);
  const result = await (await openEpisode(libraryWorld(), { model })).step(hours);
  expect(result.status).toBe('model-failed');
  expect(result.reason).toContain('tool.call opening_hours');
  expect(model.prompts.length).toBe(1);
});

test('the thinking never reaches the observation', async () => {
  const text = '<think>I know it.</think>\n<predicted_observation>\nNine.\n</predicted_observation>';
  const result = await (await openEpisode(libraryWorld(), { model: createScriptedModel([{ text }]) })).step(
    hours,
  );
  expect([result.observation, result.thinking]).toEqual(['Nine.', 'I know it.']);
});

test('on the route model every call is answered by the model, but impossible calls are still refused', async () => {
  const said = '[{"id":"b1","title":"Tides"}]';
  const model = counting([{ text: said }]);
  const episode = await openEpisode(libraryWorld(), { model, route: 'model' });
  expect((await episode.step(call('book_burn'))).status).toBe('refused');
  expect((await episode.step(call('book_lend', { id: 7, reader: 'x' }))).status).toBe('refused');
  expect(model.prompts).toEqual([]);
  const result = await episode.step(call('book_list'));
  expect([result.observation, result.origins]).toEqual([
    said,
    [{ start: 0, end: said.length, origin: 'predicted' }],
  ]);
  expect(result.flags).toEqual([]);
});

test('a false but possible answer about known rows is not shown, does not enter the state, and the turn is flagged', async () => {
  const said = '{"books":[{"id":"b1","title":"Waves"},{"id":"b2","title":"Rocks"}],"total":2}';
  const model = counting([{ match: 'book_list', text: said }]);
  const episode = await openEpisode(libraryWorld(), { model, route: 'model' });
  const before = episode.view();
  const result = await episode.step(call('book_list'));
  expect(result.flags).toEqual(['inconsistent']);
  expect(JSON.parse(result.observation ?? '')).toEqual({
    books: [{ id: 'b1', title: 'Tides', reader: null }],
    total: 1,
  });
  expect(episode.view()).toEqual(before);
  expect(model.prompts).toHaveLength(3);
});

test('where nobody computes the call, words about known rows that are false are flagged and stay out of the state', async () => {
  const text = '{"books":[{"id":"b1","title":"Waves"},{"id":"b2","title":"Rocks"}]}';
  const model = counting([{ match: 'opening_hours', text }]);
  const episode = await openEpisode(libraryWorld(), { model });
  const result = await episode.step(hours);
  expect([result.observation, result.flags]).toEqual([text, ['inconsistent']]);
  const { books } = (episode.view() as { data: { books: { id: string; title: string }[] } }).data;
  expect(books.map(({ id, title }) => [id, title])).toEqual([
    ['b1', 'Tides'],
    ['b2', 'Rocks'],
  ]);
});

test('a model that answers every call cannot make an impossible one succeed', async () => {
  const open = (entries: readonly ScriptEntry[]) =>
    openEpisode(ticketWorld(), { model: createScriptedModel(entries), route: 'model' });
  const ghost = '{"id":"T-99999","title":"ghost","status":"open"}';
  const stubborn = await open([ghost, ghost, ghost].map((text) => ({ text })));
  const refused = await stubborn.step(call('ticket_get', { id: 'T-99999' }));
  expect([refused.status, refused.meta?.isError, refused.flags]).toEqual(['ok', true, ['inconsistent']]);
  expect(refused.observation).toContain('T-99999');
  expect(new Set(refused.origins.map(({ origin }) => origin))).toEqual(new Set(['computed']));
  expect(stubborn.view()).toEqual({ data: { tickets: [] } });
  const own = 'No such ticket: T-99999';
  const corrected = await open([{ text: ghost }, { text: own }]);
  const repaired = await corrected.step(call('ticket_get', { id: 'T-99999' }));
  expect([repaired.observation, repaired.meta?.isError, repaired.flags]).toEqual([own, true, []]);
  expect(repaired.origins.map(({ origin }) => origin)).toEqual(['predicted']);
});

test('rows that a model brought stay predicted when the engine reads them later', async () => {
  const model = counting([{ match: 'opening_hours', text: '{"books":[{"id":"b2","title":"Rocks"}]}' }]);
  const episode = await openEpisode(libraryWorld(), { model });
  await episode.step(hours);
  const { observation, origins } = await episode.step(call('book_list'));
  const originOf = (text: string) => {
    const at = observation?.indexOf(text) ?? -1;
    return origins.find(({ start, end }) => start <= at && at < end)?.origin;
  };
  expect([originOf('Rocks'), originOf('Tides')]).toEqual(['predicted', 'pinned']);
  expect(model.prompts.length).toBe(1);
});

test('an answer that does not fit the output schema is asked again, and flagged when it never fits', async () => {
  const review = call('review_summarize', { book: 'b1' });
  const good = counting([{ text: 'good' }, { text: '{"stars":"many"}' }, { text: '{"stars":4}' }]);
  const fits = await (await openEpisode(libraryWorld(), { model: good })).step(review);
  expect([fits.observation, fits.value, fits.flags]).toEqual(['{"stars":4}', { stars: 4 }, []]);
  expect(good.prompts[2]).toContain('does not fit');
  const bad = counting([{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
  const flagged = await (await openEpisode(libraryWorld(), { model: bad })).step(review);
  expect([flagged.observation, flagged.value, flagged.flags]).toEqual(['c', undefined, ['output-schema']]);
});

test('a fact is revealed word for word, once per matching call, after the answer', async () => {
  const world = libraryWorld({
    facts: [{ id: 'lost', text: 'Shelf 3 burned in 1874.', reveal: { on: 'book_list' } }],
  });
  const episode = await openEpisode(world);
  for (let i = 0; i < 2; i++) {
    const { observation, origins } = await episode.step(call('book_list'));
    expect(observation?.split('Shelf 3 burned in 1874.').length).toBe(2);
    const span = origins.at(-1);
    expect(observation?.slice(span?.start, span?.end)).toBe('Shelf 3 burned in 1874.');
    expect(span).toMatchObject({ origin: 'pinned', ref: 'lost' });
  }
  expect(episode.revealedFacts).toEqual([['lost', 1]]);
  const other = await episode.step(call('book_lend', { id: 'b1', reader: 'Ada' }));
  expect(other.observation).not.toContain('1874');
});

test('a fact that answers what nobody can compute stands alone, also in a strict world', async () => {
  const episode = await openEpisode(libraryWorld({ strict: true, facts: [FACT] }));
  const result = await episode.step(hours);
  expect([result.status, result.observation]).toEqual(['ok', FACT.text]);
  expect(result.origins).toEqual([{ start: 0, end: FACT.text.length, origin: 'pinned', ref: 'hours' }]);
  expect((await episode.step(call('opening_hours', { day: 'Sunday' }))).status).toBe('abstained');
  expect(episode.revealedFacts).toEqual([['hours', 1]]);
});

test('a placeholder becomes the fact word for word, and the fact is not said twice', async () => {
  const model = counting([{ text: 'Hours: {{fact:hours}} Welcome.' }]);
  const episode = await openEpisode(libraryWorld({ facts: [FACT] }), { model });
  const { observation, origins } = await episode.step(hours);
  expect(observation).toBe(`Hours: ${FACT.text} Welcome.`);
  expect(origins.map(({ origin, ref }) => [origin, ref])).toEqual([
    ['predicted', undefined],
    ['pinned', 'hours'],
    ['predicted', undefined],
  ]);
  expect(model.prompts[0]).not.toContain(FACT.text);
});

test('in an answer that is JSON a fact is escaped, so that its value is word for word', async () => {
  const model = counting([{ text: '{"hours":"{{fact:hours}}"}' }]);
  const { observation } = await (await openEpisode(libraryWorld({ facts: [FACT] }), { model })).step(hours);
  expect(JSON.parse(observation ?? '')).toEqual({ hours: FACT.text });
});

test('a model that says a secret or an unknown placeholder is asked again and then fails', async () => {
  const facts = [{ id: 'code', text: 'The Code is 7719', secret: true, reveal: { on: 'ticket_get' } }];
  const leak = 'psst: the  code is\n7719';
  const healed = counting([{ text: leak }, { text: '{{fact:code}}' }, { text: 'Nothing special.' }]);
  const ok = await (await openEpisode(libraryWorld({ facts }), { model: healed })).step(hours);
  expect(ok.observation).toBe('Nothing special.');
  const failed = counting([{ text: leak }, { text: leak }, { text: leak }]);
  const result = await (await openEpisode(libraryWorld({ facts }), { model: failed })).step(hours);
  expect([result.status, result.observation]).toEqual(['model-failed', null]);
  expect(JSON.stringify(result)).not.toContain('7719');
});

test('a fault that loses the answer also loses the fact', async () => {
  const facts = [{ id: 'lost', text: 'Shelf 3.', reveal: { on: 'book_list' } }];
  const faults = [{ kind: 'timeout', phase: 'after', when: { calls: [1] } }];
  const episode = await openEpisode(libraryWorld({ facts, faults }));
  expect((await episode.step(call('book_list'))).observation).not.toContain('Shelf 3.');
  expect(episode.revealedFacts).toEqual([]);
  expect((await episode.step(call('book_list'))).observation).toContain('Shelf 3.');
  expect(episode.revealedFacts).toEqual([['lost', 2]]);
});

test('the token budget stops the step that would ask the model again, and ends the episode', async () => {
  const model: LanguageModel = {
    name: 'counted',
    generate: async () => ({
      ok: true,
      value: {
        samples: [{ text: 'Nine.', reasoning: null, finishReason: 'stop' }],
        usage: { promptTokens: 90, completionTokens: 10 },
        model: 'counted',
      },
    }),
  };
  const episode = await openEpisode(libraryWorld({ budget: { maxTokens: 100 } }), { model });
  expect((await episode.step(hours)).status).toBe('ok');
  const before = episode.view();
  const result = await episode.step(call('opening_hours', { day: 'Friday' }));
  expect([result.status, result.observation, result.done]).toEqual(['limit', null, true]);
  expect(episode.end?.reason).toBe('max-tokens');
  expect(episode.view()).toEqual(before);
});

test('late answers of a model do not mix episodes', async () => {
  const waiting: (() => void)[] = [];
  const model: LanguageModel = {
    name: 'late',
    generate: async (request) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      const text = /day":"(\w+)"/.exec(request.key ?? '')?.[1] ?? '';
      return createScriptedModel([{ text }]).generate(request);
    },
  };
  const days = ['Monday', 'Tuesday', 'Friday'];
  const episodes = await Promise.all(days.map(() => openEpisode(libraryWorld(), { model })));
  const steps = episodes.map((episode, index) => episode.step(call('opening_hours', { day: days[index] })));
  const other = await openEpisode(ticketWorld());
  await other.step(call('ticket_create', { title: 'meanwhile' }));
  for (let i = 0; i < 100 && waiting.length < 3; i++) await new Promise(setImmediate);
  for (const release of waiting.reverse()) release();
  expect((await Promise.all(steps)).map(({ observation }) => observation)).toEqual(days);
});

test('a model adapter that raises fails the step, and the episode goes on as before', async () => {
  const model: LanguageModel = { name: 'broken', generate: () => Promise.reject(new Error('socket')) };
  const episode = await openEpisode(libraryWorld(), { model });
  const failed = await episode.step(hours).catch((error: { code?: string }) => error.code);
  expect(failed).toBe('engine/bug');
  expect(episode.turnCount).toBe(0);
  expect((await episode.step(call('book_list'))).status).toBe('ok');
});
