import { expect, test } from 'vitest';
import type { Trajectory, Turn } from '../../core/index.js';
import { openEpisode } from '../../sim/index.js';
import { loadWorld } from '../../worlds/index.js';
import { worldFromRecording } from './world-from-recording.js';

const text = { type: 'string' };
const flag = { type: 'boolean' };
const tool = (name: string, description: string, properties: object, required: readonly string[] = []) => ({
  name,
  description,
  inputSchema: { type: 'object', properties, required },
});

const TOOLS = [
  tool('create_shelf', 'Create a shelf', { name: text }, ['name']),
  tool('list_shelves', 'List all shelves', {}),
  tool('delete_shelf', 'Delete a shelf and all its books', { name: text }, ['name']),
  tool('add_book', 'Add a book', { shelf: text, title: text, tags: { type: 'array', items: text } }, [
    'shelf',
    'title',
    'tags',
  ]),
  tool('get_book', 'Get a book by its id', { id: text }, ['id']),
  tool('update_book', 'Change a book', { id: text, title: text, lent: flag, delete: flag }, ['id']),
  tool('move_book', 'Move a book to another shelf', { id: text, target_shelf: text }, ['id', 'target_shelf']),
  tool('list_books', 'List books. Hides books that are lent', { all: flag }),
  tool('count_books', 'Count the books of a shelf', { shelf: text }, ['shelf']),
];

type Row = { id: string; shelf: string; title: string; tags: string[]; lent: boolean };

/** An invented library: what it refuses, hides and takes along no schema says. */
function library() {
  const shelves = new Set<string>();
  let books: Row[] = [];
  let made = 0;
  const json = (value: unknown) => ({ text: JSON.stringify(value, null, 2), isError: false });
  const refuse = (words: string) => ({ text: words, isError: true });
  return (name: string, args: Record<string, unknown>): { text: string; isError: boolean } => {
    const shelf = String(args.shelf ?? args.target_shelf ?? args.name ?? '');
    const book = books.find(({ id }) => id === args.id);
    const shown = ({ id, ...rest }: Row) => ({
      lent: rest.lent,
      title: rest.title,
      id,
      tags: rest.tags,
      shelf: rest.shelf,
    });
    if (name === 'create_shelf') {
      if (shelves.has(shelf)) return refuse(`Shelf ${shelf} already exists`);
      shelves.add(shelf);
      return json({ name: shelf });
    }
    if (name === 'list_shelves') return json([...shelves].map((one) => ({ name: one })));
    if (name === 'delete_shelf') {
      if (!shelves.delete(shelf)) return refuse(`No shelf ${shelf}`);
      books = books.filter((one) => one.shelf !== shelf);
      return json({ deleted: shelf });
    }
    if (name === 'list_books') return json(books.filter((one) => args.all === true || !one.lent).map(shown));
    if (args.shelf !== undefined && !shelves.has(shelf))
      return refuse(`Unknown shelf ${shelf} does not exist`);
    if (name === 'count_books') return json({ count: books.filter((one) => one.shelf === shelf).length });
    if (name === 'add_book') {
      const tags = args.tags as string[];
      if (tags.length === 0) return refuse('A book must have at least one tag');
      const row = {
        id: `b${(++made * 7919 + 46_656).toString(36)}x4`,
        shelf,
        title: String(args.title),
        tags,
        lent: false,
      };
      books.push(row);
      return json(shown(row));
    }
    if (book === undefined) return refuse(`Book ${String(args.id)} not found`);
    if (name === 'update_book' && args.delete === true) {
      books = books.filter((one) => one !== book);
      return json({ gone: book.id });
    }
    if (name === 'update_book') Object.assign(book, args);
    if (name === 'move_book') {
      if (book.lent) return refuse('A lent book stays where it is');
      book.shelf = shelf;
    }
    return json(shown(book));
  };
}

function record(calls: (ask: (name: string, args?: object) => string) => void): Turn[] {
  const service = library();
  const turns: Turn[] = [];
  calls((name, args = {}) => {
    const answer = service(name, args as Record<string, unknown>);
    const meta = { ...(answer.isError && { isError: true }), result: {} };
    turns.push({
      action: JSON.stringify({ name, arguments: args }),
      observation: answer.text,
      status: 'ok',
      meta,
    });
    return /"id": "(\w+)"/.exec(answer.text)?.[1] ?? '';
  });
  return turns;
}

const RECORDED = record((ask) => {
  ask('list_books');
  ask('create_shelf', { name: 'north' });
  ask('create_shelf', { name: 'north' });
  ask('create_shelf', { name: 'south' });
  ask('list_shelves');
  const a = ask('add_book', { shelf: 'north', title: 'Moss', tags: ['green'] });
  const b = ask('add_book', { shelf: 'south', title: 'Fern', tags: ['wet', 'green'] });
  ask('add_book', { shelf: 'west', title: 'Reed', tags: ['tall'] });
  ask('add_book', { shelf: 'north', title: 'Reed', tags: [] });
  ask('get_book', { id: a });
  ask('get_book', { id: 'nobody' });
  ask('update_book', { id: a, title: 'Moss and stone' });
  ask('list_books');
  ask('update_book', { id: b, lent: true });
  ask('list_books');
  ask('list_books', { all: true });
  ask('move_book', { id: a, target_shelf: 'south' });
  ask('get_book', { id: a });
  const c = ask('add_book', { shelf: 'north', title: 'Sage', tags: ['dry'] });
  ask('update_book', { id: c, delete: true });
  ask('list_books', { all: true });
  ask('count_books', { shelf: 'south' });
  ask('delete_shelf', { name: 'north' });
  ask('delete_shelf', { name: 'east' });
  ask('list_shelves');
});

interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly origins: string;
}

async function openTwin(more: { readonly strict?: boolean } = {}) {
  const system = { text: '', demonstrations: [], actionSpace: JSON.stringify(TOOLS) };
  const trajectory: Trajectory = {
    trajectory: 1,
    id: 'r',
    domain: 'mcp',
    source: {},
    system,
    meta: {},
    turns: RECORDED,
  };
  const made = worldFromRecording([trajectory]);
  if (!made.ok) throw made.error;
  const loaded = loadWorld(made.value.text);
  if (!loaded.ok) throw loaded.error;
  const world = loaded.value;
  const spec = world.spec === null ? null : { ...world.spec, ...more };
  const episode = await openEpisode({ ...world, spec, file: { ...world.file, ...more } });
  const ask = async (name: string, args: object = {}): Promise<Answer> => {
    const { observation, meta, origins, status } = await episode.step(
      JSON.stringify({ name, arguments: args }),
    );
    const kinds = [...new Set(origins.map(({ origin }) => origin))].join();
    return { text: observation ?? status, isError: meta?.isError === true, origins: kinds };
  };
  return { ask, report: made.value.report };
}

const idIn = ({ text: shown }: Answer): string => /"id": "(\w+)"/.exec(shown)?.[1] ?? '';

test('conditions that no schema says are learned: what must be there, what may not be empty', async () => {
  const { ask } = await openTwin();
  expect(await ask('add_book', { shelf: 'attic', title: 'Ivy', tags: ['a'] })).toEqual({
    text: 'Unknown shelf attic does not exist',
    isError: true,
    origins: 'computed',
  });
  await ask('create_shelf', { name: 'attic' });
  const empty = await ask('add_book', { shelf: 'attic', title: 'Ivy', tags: [] });
  expect([empty.text, empty.isError]).toEqual(['A book must have at least one tag', true]);
  const made = await ask('add_book', { shelf: 'attic', title: 'Ivy', tags: ['a'] });
  expect([made.isError, /^[a-z0-9]+$/.test(idIn(made))]).toEqual([false, true]);
});

test('a refusal carries over to a like tool that never showed it, as a guess', async () => {
  const { ask } = await openTwin();
  expect(await ask('count_books', { shelf: 'attic' })).toEqual({
    text: 'Unknown shelf attic does not exist',
    isError: true,
    origins: 'generated',
  });
  expect(await ask('update_book', { id: 'nothing', title: 'x' })).toEqual({
    text: 'Book nothing not found',
    isError: true,
    origins: 'generated',
  });
});

test('a list hides what the real one hides, unless it is asked for it; a delete flag deletes; members keep their order', async () => {
  const { ask } = await openTwin();
  await ask('create_shelf', { name: 'attic' });
  const lent = idIn(await ask('add_book', { shelf: 'attic', title: 'Ivy', tags: ['a'] }));
  const gone = idIn(await ask('add_book', { shelf: 'attic', title: 'Elm', tags: ['a'] }));
  await ask('update_book', { id: lent, lent: true });
  await ask('update_book', { id: gone, delete: true });
  expect((await ask('list_books')).text).toBe('[]');
  expect((await ask('list_books', { all: true })).text).toBe(
    JSON.stringify([{ lent: true, title: 'Ivy', id: lent, tags: ['a'], shelf: 'attic' }], null, 2),
  );
});

test('a move writes the field that it is about, and what a description says goes along goes', async () => {
  const { ask } = await openTwin();
  await ask('create_shelf', { name: 'attic' });
  await ask('create_shelf', { name: 'cellar' });
  const id = idIn(await ask('add_book', { shelf: 'attic', title: 'Ivy', tags: ['a'] }));
  await ask('move_book', { id, target_shelf: 'cellar' });
  expect(JSON.parse((await ask('get_book', { id })).text)).toMatchObject({ shelf: 'cellar' });
  await ask('delete_shelf', { name: 'cellar' });
  expect((await ask('get_book', { id })).text).toBe(`Book ${id} not found`);
});

test('a call in a situation that was never seen says that it is a guess, and a strict twin abstains', async () => {
  const lend = async (ask: (name: string, args?: object) => Promise<Answer>) => {
    await ask('create_shelf', { name: 'attic' });
    const id = idIn(await ask('add_book', { shelf: 'attic', title: 'Ivy', tags: ['a'] }));
    await ask('update_book', { id, lent: true });
    return id;
  };
  const plain = await openTwin();
  const id = await lend(plain.ask);
  expect((await plain.ask('move_book', { id, target_shelf: 'attic' })).origins).toBe('generated');
  const strict = await openTwin({ strict: true });
  const same = await lend(strict.ask);
  expect((await strict.ask('move_book', { id: same, target_shelf: 'attic' })).text).toBe('abstained');
  expect(JSON.parse((await strict.ask('get_book', { id: same })).text)).toMatchObject({ lent: true });
});
