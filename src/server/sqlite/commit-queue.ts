/**
 * Many writes, one commit: what comes in while more is coming is written in one transaction.
 *
 * A batch is closed by a turn of the event loop that brings nothing, or when it is full: under load a commit is paid for
 * by many writes, and a lone one waits for nobody.
 *
 * A write's promise settles after the commit, so a step that waits for it is on disk when it is answered. A commit
 * that fails fails every write of its batch, and nothing of them is in the file. A write that breaks a rule of its own
 * (a turn that is there already) fails alone: SQLite takes back that statement and the transaction goes on.
 */
import type Sqlite from 'better-sqlite3';

interface Waiting {
  readonly write: () => unknown;
  readonly settle: (value: unknown) => void;
  readonly fail: (cause: unknown) => void;
}

interface Written extends Waiting {
  readonly value: unknown;
}

/** Writes that make a batch full. */
const FULL_BATCH = 128;

/** Writes to one database in batches. */
export class CommitQueue {
  readonly #begin: Sqlite.Statement;
  readonly #commit: Sqlite.Statement;
  readonly #rollback: Sqlite.Statement;
  #waiting: Waiting[] = [];
  #closed = false;
  /** Commits so far. */
  commits = 0;

  constructor(database: Sqlite.Database) {
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#rollback = database.prepare('ROLLBACK');
  }

  /** Runs a write in the next batch; resolves with what it gave once that is committed. */
  add<Value>(write: () => Value): Promise<Value> {
    if (this.#closed) return Promise.reject(new Error('the store is closed'));
    return new Promise<Value>((resolve, reject) => {
      if (this.#waiting.length === 0) this.#closeSoon(0);
      this.#waiting.push({ write, settle: resolve as (value: unknown) => void, fail: reject });
    });
  }

  /** Looks once in a turn of the event loop whether the batch has grown; commits when it has not, or is full. */
  #closeSoon(before: number): void {
    setImmediate(() => {
      const { length } = this.#waiting;
      if (length > before && length < FULL_BATCH) this.#closeSoon(length);
      else this.flush();
    });
  }

  /** Commits what waits, now. */
  flush(): void {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    const written: Written[] = [];
    try {
      this.#begin.run();
      for (const one of batch) {
        const done = attempt(one);
        if (done !== undefined) written.push(done);
      }
      this.#commit.run();
      this.commits++;
    } catch (cause) {
      this.#takeBack();
      for (const { fail } of batch) fail(cause);
      return;
    }
    for (const { settle, value } of written) settle(value);
  }

  /** Commits what waits and takes nothing more. */
  close(): void {
    this.#closed = true;
    this.flush();
  }

  #takeBack(): void {
    try {
      this.#rollback.run();
    } catch {
      // SQLite has rolled back already, which is what was wanted.
    }
  }
}

/** A broken constraint is the write's own failure; anything else (a full disk) is the batch's. */
function attempt(one: Waiting): Written | undefined {
  try {
    return { ...one, value: one.write() };
  } catch (cause) {
    const code = (cause as { readonly code?: string }).code ?? '';
    if (code.startsWith('SQLITE_') && !code.startsWith('SQLITE_CONSTRAINT')) throw cause;
    one.fail(cause);
    return undefined;
  }
}
