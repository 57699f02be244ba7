import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { someEvents, storedEpisode, testEpisodeStore } from './episode-store.contract.js';
import { createMemoryStore, openSqliteStore } from './index.js';
import { CommitQueue } from './sqlite/commit-queue.js';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'umwelt-store-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

testEpisodeStore('memory', async () => createMemoryStore());
testEpisodeStore('file', () => openSqliteStore(join(folder(), 'episodes.db'), { sync: 'normal' }));

test('what was stored is there in the next process, and a second owner is told so', async () => {
  const path = join(folder(), 'episodes.db');
  const events = await someEvents();
  const store = await openSqliteStore(path);
  await store.create(storedEpisode('a'), events);
  await expect(openSqliteStore(path)).rejects.toMatchObject({
    code: 'service/not-started',
    message: expect.stringContaining('another process has it open'),
  });
  await store.close();
  const again = await openSqliteStore(path);
  expect((await again.events('a')).map(({ turn, requestId }) => [turn, requestId])).toEqual(
    events.map(({ turn, requestId }) => [turn, requestId]),
  );
  await again.close();
});

test('a file of something else, of a later version or no database at all is refused and left as it is', async () => {
  const home = folder();
  const text = join(home, 'text.db');
  writeFileSync(text, 'no database '.repeat(1_000));
  const foreign = join(home, 'foreign.db');
  new Database(foreign).exec('CREATE TABLE notes (text TEXT)').close();
  const later = join(home, 'later.db');
  await (await openSqliteStore(later)).close();
  const database = new Database(later);
  database.pragma('user_version = 99');
  database.close();
  const why = async (path: string): Promise<unknown> =>
    openSqliteStore(path).then(
      () => 'opened',
      (error: Error) => error.message.replace(home, ''),
    );
  expect(await why(text)).toBe('the store /text.db cannot be opened: it is not a store of umwelt');
  expect(await why(foreign)).toBe(
    '/foreign.db is a database of something else; name another file with --store',
  );
  expect(await why(later)).toBe(
    '/later.db is a store of version 99, and this package reads version 1; name another file with --store',
  );
  expect(await why(join(home, 'no/such/folder.db'))).toContain('cannot be opened');
  const empty = join(home, 'empty.db');
  writeFileSync(empty, '');
  const only = openSqliteStore(empty, { create: false });
  await expect(only).rejects.toThrow('is no store of umwelt');
  expect(statSync(empty).size).toBe(0);
});

test('a full disk fails every write of its batch, nothing of them is in the file, and later ones go on', async () => {
  const database = new Database(join(folder(), 'full.db'));
  onTestFinished(() => void database.close());
  database.exec('CREATE TABLE row (text TEXT)');
  const insert = database.prepare('INSERT INTO row VALUES (?)');
  const queue = new CommitQueue(database);
  await queue.add(() => insert.run('first'));
  const pages = database.pragma('page_count', { simple: true }) as number;
  database.pragma(`max_page_count = ${pages + 2}`);
  const batch = await Promise.allSettled([
    queue.add(() => insert.run('small')),
    queue.add(() => insert.run('x'.repeat(100_000))),
    queue.add(() => insert.run('small too')),
  ]);
  expect(batch.map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected']);
  database.pragma('max_page_count = 1000000');
  await queue.add(() => insert.run('later'));
  expect(database.prepare('SELECT text FROM row').pluck().all()).toEqual(['first', 'later']);
});

test('a disk that may have lost a commit fails its writes and all later ones', async () => {
  const database = new Database(join(folder(), 'lost.db'));
  onTestFinished(() => void database.close());
  database.exec('CREATE TABLE row (text TEXT)');
  const insert = database.prepare('INSERT INTO row VALUES (?)');
  const answers = [Promise.resolve(), Promise.reject(new Error('EIO: i/o error, fdatasync'))];
  answers[1]?.catch(() => undefined);
  const queue = new CommitQueue(database, () => answers.shift() ?? Promise.resolve());
  await queue.add(() => insert.run('kept'));
  const lost = [queue.add(() => insert.run('lost')), queue.add(() => insert.run('lost too'))];
  const seen = await Promise.allSettled([...lost, queue.settled(), queue.add(() => insert.run('later'))]);
  expect(seen.map((one) => (one.status === 'rejected' ? one.reason.message : one.status))).toEqual(
    seen.map(() => 'EIO: i/o error, fdatasync'),
  );
});

test('what is read is on disk: a read waits for the commit that is on its way', async () => {
  const database = new Database(join(folder(), 'read.db'));
  onTestFinished(() => void database.close());
  database.exec('CREATE TABLE row (text TEXT)');
  const insert = database.prepare('INSERT INTO row VALUES (?)');
  const told: string[] = [];
  const queue = new CommitQueue(database, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    told.push('on disk');
  });
  const write = queue.add(() => insert.run('a')).then(() => told.push('written'));
  await queue.settled();
  told.push('read');
  await write;
  expect(told).toEqual(['on disk', 'written', 'read']);
});
