/**
 * The journal of a machine: what services, cron and the service manager logged, oldest first.
 *
 * Where the machine has `/var/log/syslog` each entry is appended there too, as rsyslog of Debian 12 writes it. Source:
 * journald's fields. Not covered: storage as files, fields of a program's own.
 */
import type { Kernel } from '../kernel/index.js';
import { SystemError, toBytes, WaitQueue } from '../kernel/index.js';

/** One entry. */
export interface JournalEntry {
  readonly atUs: number;
  /** SYSLOG_IDENTIFIER: `nginx`, `systemd`, `CRON`. */
  readonly ident: string;
  readonly pid: number;
  /** Syslog number, 0–7. */
  readonly priority: number;
  readonly text: string;
  readonly unit?: string;
  readonly uid: number;
  /** What `journalctl -x` says below it: the kind, and the words that are filled in. */
  readonly catalog?: readonly [kind: string, ...words: string[]];
}

/** Entries that are kept; beyond, the oldest quarter goes. */
const MAX_ENTRIES = 20_000;
const ROOT = { uid: 0, gid: 0, groups: [0], cwdIno: 2, umask: 0o027 };

/** The entries. */
export class Journal {
  /** Woken when an entry comes. */
  readonly grown = new WaitQueue();
  /** Entries that went. */
  dropped = 0;
  private list: JournalEntry[] = [];

  constructor(
    private readonly kernel: Kernel,
    private readonly hostname: string,
  ) {}

  /** The entries, oldest first. */
  get entries(): readonly JournalEntry[] {
    return this.list;
  }

  /** Takes the place of all entries, for machines that are made again. */
  restore(entries: readonly JournalEntry[]): void {
    this.list = [...entries];
  }

  /** Adds an entry; a text of several lines is one entry. */
  add(entry: JournalEntry): void {
    this.list.push(entry);
    if (this.list.length > MAX_ENTRIES) {
      this.dropped += this.list.splice(0, MAX_ENTRIES / 4).length;
    }
    this.toSyslog(entry);
    this.grown.wake();
  }

  /** Puts what was logged before the machine's start in order. */
  sort(): void {
    this.list.sort((one, other) => one.atUs - other.atUs);
  }

  private toSyslog({ atUs, ident, pid, text }: JournalEntry): void {
    const { files } = this.kernel;
    try {
      const { inode } = files.walk(ROOT, '/var/log/syslog', true);
      if (inode?.kind !== 'file') return;
      const stamp = `${new Date(Math.floor(atUs / 1000)).toISOString().slice(0, -1)}${String(Math.floor(atUs) % 1000).padStart(3, '0')}+00:00`;
      const line = `${stamp} ${this.hostname} ${ident}[${pid}]: ${text.replaceAll('\n', '#012')}\n`;
      files.write(inode.ino, inode.content?.size ?? 0, toBytes(line));
    } catch (error) {
      // A full disk loses the line, as there.
      if (!(error instanceof SystemError)) throw error;
    }
  }
}
