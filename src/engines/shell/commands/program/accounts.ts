/**
 * Users and groups of the machine, read from its `/etc/passwd` and `/etc/group`.
 */
import { type Process, SmallFileReader, SystemError, toText } from '../../kernel/index.js';

/** A line of `/etc/passwd`. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly gecos: string;
  readonly home: string;
  readonly shell: string;
}

/** A line of `/etc/group`. */
export interface AccountGroup {
  readonly name: string;
  readonly gid: number;
  readonly members: readonly string[];
}

/** Reads a small file at once; empty where it cannot be read. */
export function textNow(proc: Process, path: string): string {
  try {
    const fd = proc.openNow(path);
    const bytes = proc.file(fd).readNow(1 << 20);
    proc.close(fd);
    return bytes === null ? '' : toText(bytes);
  } catch (error) {
    if (error instanceof SystemError) return '';
    throw error;
  }
}

const USERS = new SmallFileReader<readonly Account[]>(
  '/etc/passwd',
  (text) =>
    text
      .split('\n')
      .map((row) => row.split(':'))
      .filter((row) => row.length >= 7)
      .map(([name = '', , uid, gid, gecos = '', home = '', shell = '']) => ({
        name,
        uid: Number(uid),
        gid: Number(gid),
        gecos,
        home,
        shell,
      })),
  textNow,
);

const GROUPS = new SmallFileReader<readonly AccountGroup[]>(
  '/etc/group',
  (text) =>
    text
      .split('\n')
      .map((row) => row.split(':'))
      .filter((row) => row.length >= 4)
      .map(([name = '', , gid, members = '']) => ({
        name,
        gid: Number(gid),
        members: members === '' ? [] : members.split(','),
      })),
  textNow,
);

/** Both files, looked up by name and number; read when they are first asked for. */
export class Accounts {
  private readUsers: readonly Account[] | undefined;
  private readGroups: readonly AccountGroup[] | undefined;

  constructor(private readonly proc: Process) {}

  /** The lines of `/etc/passwd`. */
  get users(): readonly Account[] {
    this.readUsers ??= USERS.read(this.proc) ?? [];
    return this.readUsers;
  }

  /** The lines of `/etc/group`. */
  get groups(): readonly AccountGroup[] {
    this.readGroups ??= GROUPS.read(this.proc) ?? [];
    return this.readGroups;
  }

  /** The user of a number. */
  user(uid: number): Account | undefined {
    return this.users.find((one) => one.uid === uid);
  }

  /** The user of a name. */
  userNamed(name: string): Account | undefined {
    return this.users.find((one) => one.name === name);
  }

  /** The group of a number. */
  group(gid: number): AccountGroup | undefined {
    return this.groups.find((one) => one.gid === gid);
  }

  /** The group of a name. */
  groupNamed(name: string): AccountGroup | undefined {
    return this.groups.find((one) => one.name === name);
  }

  /** The name of a user, or the number where there is none. */
  userName(uid: number): string {
    return this.user(uid)?.name ?? String(uid);
  }

  /** The name of a group, or the number where there is none. */
  groupName(gid: number): string {
    return this.group(gid)?.name ?? String(gid);
  }

  /** The groups of a user, the own one first. */
  groupsOf(account: Account): number[] {
    const others = this.groups
      .filter((group) => group.members.includes(account.name))
      .map((group) => group.gid);
    return [...new Set([account.gid, ...others])];
  }
}
