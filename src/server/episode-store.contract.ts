/**
 * What every store of episodes must do, as a suite that each one runs. Test code only.
 */
import { expect, onTestFinished, test } from 'vitest';
import { isJsonObject, type Json } from '../core/index.js';
import { openEpisode } from '../sim/index.js';
import { createTestWorld, testCall, testTool } from '../testing/index.js';
import type { EpisodeStore, StoredEpisode, StoredEvent } from './episode-store.js';

/** A small world that counts what was done in it. */
export const SHELF = createTestWorld({
  name: 'shelf',
  strict: true,
  task: 'Add a book.',
  tools: [testTool('list_books', {}), testTool('add_book', { title: { type: 'string' } })],
  state: { data: { books: [{ id: 'b1', title: 'Deep Water' }] } },
  success: [{ id: 'two', expr: 'state.data.books.size() == 2' }],
});

/** The action that adds a book. */
export const addBook = (title: string): string => testCall('add_book', { title });

/** An episode as it would be stored. */
export function storedEpisode(id: string, more: Partial<StoredEpisode> = {}): StoredEpisode {
  return {
    id,
    world: { name: SHELF.name, hash: SHELF.hash },
    seed: 7,
    options: { maxTurns: 5, model: 'm' },
    clock: 'action',
    isPrivate: false,
    createdAt: '2026-01-05T09:00:00.000Z',
    ...more,
  };
}

/** Real turns: books are added, a call is malformed, the episode is finished. */
export async function someEvents(): Promise<readonly StoredEvent[]> {
  const episode = await openEpisode(SHELF);
  const events: StoredEvent[] = [];
  episode.onTurn((entry, { thinking: _thinking, ...result }) => {
    const turn = result.turn;
    const requestId = turn === 2 ? null : `r${turn}`;
    const recordedAt = `2026-01-05T09:00:0${turn}.000Z`;
    events.push({ turn, requestId, recordedAt, entry, result, ...(turn === 4 && { isFinish: true }) });
  });
  await episode.step(addBook('High Ground — 高い “地”'));
  await episode.step('no call at all');
  await episode.step(testCall('list_books'));
  await episode.finish('done\u0000\u{1F4DA}');
  return events;
}

/** Big integers are digits in JSON and equal after reading; everything else is compared as it is. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item)),
  );
}

/** Runs the suite on stores that `open` makes, empty and alone. */
export function testEpisodeStore(name: string, open: () => Promise<EpisodeStore>): void {
  const opened = async (): Promise<EpisodeStore> => {
    const store = await open();
    onTestFinished(() => store.close());
    return store;
  };

  test(`${name}: an episode and its turns are read back as they were given`, async () => {
    const store = await opened();
    const events = await someEvents();
    const episode = storedEpisode('a', { parent: { id: 'p', turns: 2 }, isPrivate: true, clock: 'live' });
    await store.create(episode, events.slice(0, 1));
    for (const event of events.slice(1)) await store.append('a', event);
    expect(await store.find('a')).toEqual(episode);
    expect(plain(await store.events('a'))).toEqual(plain(events));
    expect(plain(await store.events('a', 1, 2))).toEqual(plain(events.slice(1, 3)));
    expect([await store.find('b'), await store.events('b'), await store.count()]).toEqual([undefined, [], 1]);
  });

  test(`${name}: only the next turn of an episode that is there can be added, and what is refused leaves nothing`, async () => {
    const store = await opened();
    const [first, second, third] = await someEvents();
    if (first === undefined || second === undefined || third === undefined) throw new Error('no events');
    await store.create(storedEpisode('a'), []);
    const failed = { code: 'service/store-failed' };
    await expect(store.append('a', second)).rejects.toMatchObject(failed);
    await expect(store.append('b', first)).rejects.toMatchObject(failed);
    await expect(store.create(storedEpisode('a'), [])).rejects.toMatchObject(failed);
    const [one, again, other] = await Promise.allSettled([
      store.append('a', first),
      store.append('a', first),
      store.append('a', second),
    ]);
    expect([one.status, again.status, other.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.events('a')).map(({ turn }) => turn)).toEqual([1, 2]);
    await store.append('a', third);
  });

  test(`${name}: episodes are listed in order, page by page, and forgotten with what only they needed`, async () => {
    const store = await opened();
    const events = await someEvents();
    for (const [index, id] of ['a', 'b', 'c'].entries()) {
      await store.create(storedEpisode(id), events.slice(0, index * 2));
    }
    const made = { hash: SHELF.hash, name: SHELF.name, text: SHELF.text() };
    await store.keepWorld(SHELF.hash, () => made);
    await store.keepWorld(SHELF.hash, () => {
      throw new Error('asked twice');
    });
    const row = (id: string, turns: number, done: boolean): Json => ({
      id,
      world: 'shelf',
      turns,
      done,
      changedAt: turns === 0 ? '2026-01-05T09:00:00.000Z' : `2026-01-05T09:00:0${turns}.000Z`,
    });
    expect(await store.list({ limit: 2 })).toEqual([row('a', 0, false), row('b', 2, false)]);
    expect(await store.list({ limit: 2, after: 'b' })).toEqual([row('c', 4, true)]);
    expect(await store.world(SHELF.hash)).toEqual(made);
    expect([await store.remove('b'), await store.remove('b'), await store.count()]).toEqual([true, false, 2]);
    expect(await store.prune(Date.parse('2026-01-05T09:00:04Z'))).toEqual(['a']);
    expect(await store.world(SHELF.hash)).toEqual(made);
    expect(await store.prune(Date.parse('2026-01-06T00:00:00Z'))).toEqual(['c']);
    expect([await store.world(SHELF.hash), await store.count()]).toEqual([undefined, 0]);
  });

  test(`${name}: the last snapshot of an episode is kept, byte for byte, and goes with it`, async () => {
    const store = await opened();
    await store.create(storedEpisode('a'), []);
    const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
    expect(await store.snapshot('a')).toBeUndefined();
    await store.keepSnapshot('a', { turns: 1, bytes: new Uint8Array(3) });
    await store.keepSnapshot('a', { turns: 2, bytes });
    expect(await store.snapshot('a')).toEqual({ turns: 2, bytes });
    await expect(store.keepSnapshot('b', { turns: 1, bytes })).rejects.toMatchObject({
      code: 'service/store-failed',
    });
    await store.remove('a');
    await store.create(storedEpisode('a'), []);
    expect(await store.snapshot('a')).toBeUndefined();
  });

  test(`${name}: integers beyond 2^53 in a turn survive`, async () => {
    const store = await opened();
    const [first] = await someEvents();
    if (first === undefined) throw new Error('no event');
    const big = 2n ** 70n + 1n;
    const entry = { ...first.entry, meta: { ...first.entry.meta, id: big } };
    await store.create(storedEpisode('a'), [{ ...first, entry }]);
    const [read] = await store.events('a');
    expect(isJsonObject(read?.entry.meta as Json) && read?.entry.meta?.id).toBe(big);
  });
}
