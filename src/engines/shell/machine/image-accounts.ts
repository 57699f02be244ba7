/**
 * The accounts of a fresh Debian 12: `/etc/passwd`, `/etc/group`, `/etc/shadow`.
 *
 * Facts of the package base-passwd and of adduser; the user of a world comes on top.
 */

/** One account besides the system's. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly shell: string;
  /** The full name and the like; empty by default. */
  readonly comment?: string;
  /** Further groups, by name. */
  readonly groups?: readonly string[];
}

const NOLOGIN = '/usr/sbin/nologin';

const SYSTEM_USERS: readonly (readonly [string, number, number, string, string, string])[] = [
  ['root', 0, 0, 'root', '/root', '/bin/bash'],
  ['daemon', 1, 1, 'daemon', '/usr/sbin', NOLOGIN],
  ['bin', 2, 2, 'bin', '/bin', NOLOGIN],
  ['sys', 3, 3, 'sys', '/dev', NOLOGIN],
  ['sync', 4, 65534, 'sync', '/bin', '/bin/sync'],
  ['games', 5, 60, 'games', '/usr/games', NOLOGIN],
  ['man', 6, 12, 'man', '/var/cache/man', NOLOGIN],
  ['lp', 7, 7, 'lp', '/var/spool/lpd', NOLOGIN],
  ['mail', 8, 8, 'mail', '/var/mail', NOLOGIN],
  ['news', 9, 9, 'news', '/var/spool/news', NOLOGIN],
  ['uucp', 10, 10, 'uucp', '/var/spool/uucp', NOLOGIN],
  ['proxy', 13, 13, 'proxy', '/bin', NOLOGIN],
  ['www-data', 33, 33, 'www-data', '/var/www', NOLOGIN],
  ['backup', 34, 34, 'backup', '/var/backups', NOLOGIN],
  ['list', 38, 38, 'Mailing List Manager', '/var/list', NOLOGIN],
  ['irc', 39, 39, 'ircd', '/run/ircd', NOLOGIN],
  ['_apt', 42, 65534, '', '/nonexistent', NOLOGIN],
  ['nobody', 65534, 65534, 'nobody', '/nonexistent', NOLOGIN],
];

const SYSTEM_GROUPS =
  'root:0 daemon:1 bin:2 sys:3 adm:4 tty:5 disk:6 lp:7 mail:8 news:9 uucp:10 man:12 proxy:13 kmem:15 dialout:20 fax:21 ' +
  'voice:22 cdrom:24 floppy:25 tape:26 sudo:27 audio:29 dip:30 www-data:33 backup:34 operator:37 list:38 irc:39 src:40 ' +
  'shadow:42 utmp:43 video:44 sasl:45 plugdev:46 staff:50 games:60 users:100 nogroup:65534';

/** The lines of `/etc/passwd`. */
export function passwdText(accounts: readonly Account[]): string {
  const system = SYSTEM_USERS.map(([name, uid, gid, comment, home, shell]) =>
    [name, 'x', uid, gid, comment, home, shell].join(':'),
  );
  const added = accounts
    .filter((one) => one.uid !== 0)
    .map((one) => [one.name, 'x', one.uid, one.gid, one.comment ?? '', one.home, one.shell].join(':'));
  return `${[...system, ...added].join('\n')}\n`;
}

/** The lines of `/etc/group`: each account has a group of its own name. */
export function groupText(accounts: readonly Account[]): string {
  const members = (group: string): string =>
    accounts
      .filter((one) => one.groups?.includes(group) === true)
      .map((one) => one.name)
      .join(',');
  const system = SYSTEM_GROUPS.split(' ').map((entry) => {
    const [name = '', gid = ''] = entry.split(':');
    return `${name}:x:${gid}:${members(name)}`;
  });
  const own = accounts
    .filter((one) => one.uid !== 0)
    .map((one) => `${one.name}:x:${one.gid}:${members(one.name)}`);
  const named = new Set([
    ...SYSTEM_GROUPS.split(' ').map((entry) => entry.split(':')[0]),
    ...accounts.map((one) => one.name),
  ]);
  const extra = [...new Set(accounts.flatMap((one) => one.groups ?? []))].filter((name) => !named.has(name));
  const added = extra.map((name, index) => `${name}:x:${2000 + index}:${members(name)}`);
  return `${[...system, ...own, ...added].join('\n')}\n`;
}

/** The lines of `/etc/shadow`: nobody has a password. */
export function shadowText(accounts: readonly Account[]): string {
  const names = [
    ...SYSTEM_USERS.map(([name]) => name),
    ...accounts.filter((one) => one.uid !== 0).map((one) => one.name),
  ];
  return names.map((name) => `${name}:${name === 'root' ? '*' : '!'}:19500:0:99999:7:::\n`).join('');
}

/** The ids of an account's further groups, read from `/etc/group`. */
export function groupIds(account: Account, groupFile: string): number[] {
  const ids = groupFile.split('\n').flatMap((line) => {
    const [, , gid, members = ''] = line.split(':');
    return members.split(',').includes(account.name) ? [Number(gid)] : [];
  });
  return [account.gid, ...ids.filter((gid) => gid !== account.gid)];
}
