/**
 * Episodes in one file: every acknowledged turn is in it, also after kill -9.
 *
 * One process owns the file; writes are committed in groups (`commit-queue.ts`). Heads of episodes (their number in
 * the file and how many turns they have) are kept in memory while the episodes are used, so that adding a turn is one
 * insert. Not covered: encryption, several processes on one file, changing the file's version.
 */
import type Sqlite from 'better-sqlite3';
import { type Json, parseJson, renderJson, ServiceError, UmweltError } from '../../core/index.js';
import type {
  EpisodeStore,
  StoredEpisode,
  StoredEvent,
  StoredSnapshot,
  StoredSummary,
  StoredWorld,
} from '../episode-store.js';
import { CommitQueue } from './commit-queue.js';
import { LogOnDisk } from './log-on-disk.js';
import { openDatabase } from './schema.js';
import { prepareStatements, type Statements } from './statements.js';
import { decodeEvent, encodeEvent } from './stored-event.js';
import type { SyncMode } from './sync-mode.js';

/** Heads that are kept; beyond that the oldest is read from the file again. */
const MAX_HEADS = 50_000;

interface Head {
  readonly n: number;
  turns: number;
}

/** How a store in a file is opened. */
export interface SqliteStoreOptions {
  /** Default `full`: a turn survives a loss of power too. `normal`: it survives kill -9. */
  readonly sync?: SyncMode;
  /** Make the store where the file holds none yet. Default true; false refuses and leaves the file as it is. */
  readonly create?: boolean;
}

/** Opens a store in a file, or makes it. Rejects with `service/not-started`. */
export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<EpisodeStore> {
  const { sync = 'full', create = true } = options;
  return new SqliteStore(path, { database: await openDatabase(path, create), sync });
}

class SqliteStore implements EpisodeStore {
  readonly name: string;
  readonly durable = true;
  readonly #database: Sqlite.Database;
  readonly #queue: CommitQueue;
  readonly #log: LogOnDisk | null;
  readonly #sql: Statements;
  readonly #heads = new Map<string, Head>();

  constructor(
    path: string,
    { database, sync }: { readonly database: Sqlite.Database; readonly sync: SyncMode },
  ) {
    this.name = path;
    this.#database = database;
    this.#log = sync === 'full' ? new LogOnDisk(path) : null;
    const log = this.#log;
    this.#queue = new CommitQueue(database, log === null ? undefined : () => log.sync());
    this.#sql = prepareStatements(database);
  }

  create(episode: StoredEpisode, events: readonly StoredEvent[]): Promise<void> {
    return this.#write(() => {
      const body = renderJson(episode as unknown as Json);
      const { lastInsertRowid } = this.#sql.addEpisode.run(
        episode.id,
        episode.world.hash,
        body,
        episode.createdAt,
      );
      const n = Number(lastInsertRowid);
      for (const event of events) this.#insert(n, event);
      this.#remember(episode.id, { n, turns: events.length });
    });
  }

  append(id: string, event: StoredEvent): Promise<void> {
    return this.#write(() => {
      const head = this.#head(id);
      if (head === undefined) throw refused(`there is no episode ${id}`);
      const next = head.turns + 1;
      if (event.turn !== next)
        throw refused(`the next turn of ${id} is ${next}; turn ${event.turn} was to be added`);
      this.#insert(head.n, event);
      head.turns = next;
    }, id);
  }

  find(id: string): Promise<StoredEpisode | undefined> {
    return this.#read(() => {
      const row = this.#sql.episode.get(id) as { readonly body: string } | undefined;
      return row === undefined ? undefined : readEpisode(id, row.body);
    });
  }

  events(id: string, after = 0, limit = Number.MAX_SAFE_INTEGER): Promise<readonly StoredEvent[]> {
    return this.#read(() => {
      const head = this.#head(id);
      if (head === undefined) return [];
      return this.#sql.events.all(head.n, after, limit).map((row) => decodeEvent(row as never));
    });
  }

  remove(id: string): Promise<boolean> {
    return this.#write(() => this.#drop(id), id);
  }

  list({ after, limit }: { readonly after?: string; readonly limit: number }) {
    return this.#read((): readonly StoredSummary[] => {
      const from = after === undefined ? 0 : (this.#head(after)?.n ?? Number.MAX_SAFE_INTEGER);
      return this.#sql.list.all(from, limit).map((row) => {
        const { id, name, turns, done, changed_at } = row as ListRow;
        return { id, world: name, turns, done: done === 1, changedAt: changed_at };
      });
    });
  }

  count(): Promise<number> {
    return this.#read(() => (this.#sql.count.get() as { readonly count: number }).count);
  }

  keepWorld(hash: string, make: () => StoredWorld): Promise<void> {
    return this.#write(() => {
      if (this.#sql.hasWorld.get(hash) !== undefined) return;
      const { name, text } = make();
      this.#sql.addWorld.run(hash, name, text);
    });
  }

  world(hash: string): Promise<StoredWorld | undefined> {
    return this.#read(() => this.#sql.world.get(hash) as StoredWorld | undefined);
  }

  keepSnapshot(id: string, { turns, bytes }: StoredSnapshot): Promise<void> {
    return this.#write(() => {
      const head = this.#head(id);
      if (head === undefined) throw refused(`there is no episode ${id}`);
      this.#sql.keepSnapshot.run(head.n, turns, bytes);
    });
  }

  snapshot(id: string): Promise<StoredSnapshot | undefined> {
    return this.#read(() => {
      const head = this.#head(id);
      const row = head === undefined ? undefined : this.#sql.snapshot.get(head.n);
      if (row === undefined) return undefined;
      const { turns, bytes } = row as { readonly turns: number; readonly bytes: Uint8Array };
      return { turns, bytes: new Uint8Array(bytes) };
    });
  }

  prune(beforeMs: number): Promise<readonly string[]> {
    return this.#write(() => {
      const rows = this.#sql.old.all(new Date(beforeMs).toISOString()) as { readonly id: string }[];
      for (const { id } of rows) this.#drop(id);
      return rows.map(({ id }) => id);
    });
  }

  async close(): Promise<void> {
    await this.#queue.close();
    this.#heads.clear();
    this.#database.close();
    this.#log?.close();
  }

  #insert(n: number, event: StoredEvent): void {
    const { turn, requestId, recordedAt, result } = event;
    this.#sql.addEvent.run(n, turn, requestId, recordedAt, result.done ? 1 : 0, encodeEvent(event));
  }

  #drop(id: string): boolean {
    const row = this.#sql.episodeKey.get(id) as { readonly n: number; readonly world: string } | undefined;
    if (row === undefined) return false;
    this.#sql.dropEvents.run(row.n);
    this.#sql.dropSnapshot.run(row.n);
    this.#sql.dropEpisode.run(row.n);
    this.#sql.dropWorld.run(row.world, row.world);
    this.#heads.delete(id);
    return true;
  }

  #head(id: string): Head | undefined {
    const known = this.#heads.get(id);
    if (known !== undefined) return known;
    const row = this.#sql.head.get(id) as Head | undefined;
    return row === undefined ? undefined : this.#remember(id, { n: row.n, turns: row.turns });
  }

  #remember(id: string, head: Head): Head {
    if (this.#heads.size >= MAX_HEADS) {
      const oldest = this.#heads.keys().next().value;
      if (oldest !== undefined) this.#heads.delete(oldest);
    }
    this.#heads.set(id, head);
    return head;
  }

  /** What failed must be read from the file again: the head in memory may be ahead of it. */
  async #write<Value>(write: () => Value, id?: string): Promise<Value> {
    try {
      return await this.#queue.add(write);
    } catch (cause) {
      if (id === undefined) this.#heads.clear();
      else this.#heads.delete(id);
      throw storeFailed(cause);
    }
  }

  async #read<Value>(read: () => Value): Promise<Value> {
    try {
      // What was added before is read, and nothing that may still be lost.
      await this.#queue.settled();
      return read();
    } catch (cause) {
      throw storeFailed(cause);
    }
  }
}

interface ListRow {
  readonly id: string;
  readonly name: string;
  readonly turns: number;
  readonly done: number;
  readonly changed_at: string;
}

function readEpisode(id: string, body: string): StoredEpisode {
  const read = parseJson(body);
  if (!read.ok) throw refused(`episode ${id} in the store cannot be read: ${read.error.message}`);
  return read.value as unknown as StoredEpisode;
}

function storeFailed(cause: unknown): UmweltError {
  if (UmweltError.isInstance(cause)) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ServiceError(`the store failed: ${message}`, { code: 'service/store-failed', cause });
}

function refused(why: string): ServiceError {
  return new ServiceError(`the episode cannot be stored: ${why}`, { code: 'service/store-failed' });
}
