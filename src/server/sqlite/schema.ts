/**
 * The tables of a store in a file, and the library that opens it.
 *
 * Turns lie in an ordinary table, appended in the order of their coming, with one unique index on (episode, turn): a
 * table without rowid was measured to be three to six times slower per step for turns of a kilobyte. An episode's head
 * is the largest turn of that index, so no second row is written per step. Everything is text or bytes that this
 * package wrote; nothing in it is ever run. Source: SQLite file format and WAL documentation.
 */
import { existsSync, statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { ServiceError } from '../../core/index.js';

/** Stands in the file as `user_version`; a file of a later version is refused. */
const STORE_VERSION = 1;
/** "UMWE" as the application id of the file. */
const APPLICATION_ID = 0x55_4d_57_45;

/** Pages of the log (4 KiB each) after which it is written back. */
const LOG_PAGES = 4_000;

const TABLES = `
CREATE TABLE world (
  hash TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE TABLE episode (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  world TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX episode_world ON episode (world);
CREATE TABLE event (
  episode INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  request_id TEXT,
  recorded_at TEXT NOT NULL,
  done INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX event_turn ON event (episode, turn);
CREATE TABLE snapshot (
  episode INTEGER PRIMARY KEY,
  turns INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
`;

/** Opens the file, or makes it. Raises `service/not-started` where that cannot be. */
export async function openDatabase(path: string, create: boolean): Promise<Sqlite.Database> {
  // Even opening an empty file would write into it.
  if (!create && isEmpty(path)) throw noStore(path);
  const Database = await loadLibrary();
  let database: Sqlite.Database | undefined;
  try {
    database = new Database(path, { timeout: 0 });
    // One process owns the file: a second one is told at once instead of waiting for each step.
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    // The log is brought on disk apart (`log-on-disk.ts`). Rows of one episode lie in pages that many commits change, so
    // a longer log is written back with fewer writes.
    database.pragma('synchronous = NORMAL');
    database.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
    prepareFile(database, { path, create });
    return database;
  } catch (cause) {
    database?.close();
    throw ServiceError.isInstance(cause) ? cause : notOpened(path, cause);
  }
}

function isEmpty(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0 && !existsSync(`${path}-wal`);
}

function noStore(path: string): ServiceError {
  return new ServiceError(`${path} is no store of umwelt; \`umwelt serve --store\` makes one`, {
    code: 'service/not-started',
    data: { path },
  });
}

function prepareFile(
  database: Sqlite.Database,
  { path, create }: { readonly path: string; readonly create: boolean },
): void {
  const id = database.pragma('application_id', { simple: true });
  const version = database.pragma('user_version', { simple: true });
  const { count } = database.prepare('SELECT count(*) AS count FROM sqlite_master').get() as {
    count: number;
  };
  if (id === APPLICATION_ID && version === STORE_VERSION) {
    // Takes the lock now, not with the first step.
    database.exec('BEGIN IMMEDIATE; COMMIT');
    return;
  }
  if (count > 0) {
    const what =
      id === APPLICATION_ID
        ? `a store of version ${String(version)}, and this package reads version ${STORE_VERSION}`
        : 'a database of something else';
    throw new ServiceError(`${path} is ${what}; name another file with --store`, {
      code: 'service/not-started',
      data: { path },
    });
  }
  if (!create) throw noStore(path);
  database.exec(`BEGIN IMMEDIATE; ${TABLES} COMMIT`);
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.pragma(`user_version = ${STORE_VERSION}`);
}

type Library = typeof Sqlite;

async function loadLibrary(): Promise<Library> {
  try {
    return (await import('better-sqlite3')).default;
  } catch (cause) {
    throw new ServiceError(
      'a store in a file needs the package better-sqlite3, which is not installed or does not fit this Node; run `npm install better-sqlite3@12` and start again',
      { code: 'service/not-started', cause },
    );
  }
}

function notOpened(path: string, cause: unknown): ServiceError {
  const code = (cause as { readonly code?: string }).code ?? '';
  const message = cause instanceof Error ? cause.message : String(cause);
  const why =
    code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')
      ? 'another process has it open; one process owns a store'
      : code === 'SQLITE_NOTADB'
        ? 'it is not a store of umwelt'
        : message;
  return new ServiceError(`the store ${path} cannot be opened: ${why}`, {
    code: 'service/not-started',
    cause,
    data: { path },
  });
}
