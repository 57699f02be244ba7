/**
 * Many writes, one commit: what comes in while more is coming is written in one transaction.
 *
 * A batch is closed by a turn of the event loop that brings nothing, or when it is full: under load a commit is paid for
 * by many writes, and a lone one waits for nobody. A write's promise settles after its commit is on disk, so a step
 * that waits for it is there when it is answered. Waiting for the disk is no work: it is done beside the event loop
 * (`sync`), and the next batch gathers meanwhile. A commit that fails fails every write of its batch, and nothing of
 * them is in the file. A write that breaks a rule of its own (a turn that is there already) fails alone: SQLite takes
 * back that statement and the transaction goes on. After a `sync` that failed nobody knows what the disk has (the
 * system may forget what it could not write): the batch fails, and so does everything later.
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
  readonly #sync: (() => Promise<void>) | undefined;
  #waiting: Waiting[] = [];
  #closed = false;
  /** The batch that is committed and not yet known to be on disk. */
  #syncing: Promise<void> | null = null;
  #broken: { readonly cause: unknown } | null = null;

  /** `sync` brings on disk what is committed; without it a commit is enough. */
  constructor(database: Sqlite.Database, sync?: () => Promise<void>) {
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#rollback = database.prepare('ROLLBACK');
    this.#sync = sync;
  }

  /** Runs a write in the next batch; resolves with what it gave once that is on disk. */
  add<Value>(write: () => Value): Promise<Value> {
    if (this.#broken !== null) return Promise.reject(this.#broken.cause);
    if (this.#closed) return Promise.reject(new Error('the store is closed'));
    return new Promise<Value>((resolve, reject) => {
      if (this.#waiting.length === 0) this.#closeSoon(0);
      this.#waiting.push({ write, settle: resolve as (value: unknown) => void, fail: reject });
    });
  }

  /** Resolves when all that was added is on disk, and nothing else is written; rejects after a `sync` that failed. */
  async settled(): Promise<void> {
    while (this.#syncing !== null || this.#waiting.length > 0) {
      this.#flush();
      await this.#syncing;
    }
    if (this.#broken !== null) throw this.#broken.cause;
  }

  /** Commits what waits and takes nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.settled().catch(() => undefined);
  }

  /** Looks once in a turn of the event loop whether the batch has grown; commits when it has not, or is full. */
  #closeSoon(before: number): void {
    setImmediate(() => {
      const { length } = this.#waiting;
      if (length > before && length < FULL_BATCH) this.#closeSoon(length);
      else this.#flush();
    });
  }

  /** Commits what waits, unless the batch before is still on its way. */
  #flush(): void {
    const batch = this.#waiting;
    if (batch.length === 0 || this.#syncing !== null) return;
    this.#waiting = [];
    const written = this.#write(batch);
    if (written === undefined) return;
    if (this.#sync === undefined) {
      for (const { settle, value } of written) settle(value);
      return;
    }
    this.#syncing = this.#sync().then(
      () => {
        this.#syncing = null;
        for (const { settle, value } of written) settle(value);
        if (this.#waiting.length > 0) this.#closeSoon(0);
      },
      (cause) => {
        this.#syncing = null;
        this.#broken = { cause };
        const lost = [...written, ...this.#waiting];
        this.#waiting = [];
        for (const { fail } of lost) fail(cause);
      },
    );
  }

  /** Writes a batch in one transaction; undefined where it failed, of which its writes are told. */
  #write(batch: readonly Waiting[]): readonly Written[] | undefined {
    try {
      this.#begin.run();
      const written = batch.flatMap((one) => attempt(one) ?? []);
      this.#commit.run();
      return written;
    } catch (cause) {
      this.#takeBack();
      for (const { fail } of batch) fail(cause);
      return undefined;
    }
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
