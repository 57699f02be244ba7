/**
 * Brings the write-ahead log of a database on disk, beside the event loop.
 *
 * SQLite with `synchronous = FULL` waits for the disk inside of each commit, and this process with it. Here a commit
 * only writes the log (`NORMAL`, which never harms the file), and its writes count as done after an `fdatasync` of the
 * log: the same promise, and the next batch is worked out meanwhile. The log lives as long as the database is open,
 * which one process owns. Source: SQLite, WAL documentation and `PRAGMA synchronous`.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';

/** The log of one open database. */
export class LogOnDisk {
  readonly #path: string;
  #file: number | null = null;

  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`;
  }

  /** Resolves when all that is in the log is on disk; call it after a commit, when there is a log. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#file ??= openSync(this.#path, 'r+');
      fdatasync(this.#file, (cause) => (cause === null ? resolve() : reject(cause)));
    });
  }

  /** Lets go of the file. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
