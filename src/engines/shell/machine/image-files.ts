/**
 * Folders, links and small files of a fresh Debian 12, as data.
 *
 * Not covered: documentation, locales, libraries, package lists; folders for them exist and are empty.
 */

/** Folders with mode 755 of root. Parents come first. */
export const FOLDERS: readonly string[] = (
  '/boot /dev /etc /home /media /mnt /opt /proc /root /run /srv /sys /tmp /usr /var ' +
  '/usr/bin /usr/games /usr/include /usr/lib /usr/lib64 /usr/libexec /usr/local /usr/sbin /usr/share /usr/src ' +
  '/usr/local/bin /usr/local/etc /usr/local/games /usr/local/include /usr/local/lib /usr/local/sbin /usr/local/share ' +
  '/usr/local/src /usr/share/doc /usr/share/man /usr/share/zoneinfo /usr/share/zoneinfo/Etc /usr/share/bash-completion ' +
  '/usr/lib/x86_64-linux-gnu /var/backups /var/cache /var/lib /var/local /var/log /var/mail /var/opt /var/spool /var/tmp ' +
  '/var/cache/apt /var/lib/apt /var/lib/dpkg /var/lib/misc /var/spool/cron /var/log/apt ' +
  '/etc/apt /etc/apt/sources.list.d /etc/cron.d /etc/cron.daily /etc/default /etc/init.d /etc/ld.so.conf.d /etc/logrotate.d ' +
  '/etc/opt /etc/profile.d /etc/skel /etc/ssl /etc/systemd /run/lock /run/user /dev/pts /dev/shm'
).split(' ');

/** Modes other than 755, and groups other than root. */
export const FOLDER_MODES: Readonly<Record<string, { readonly mode: number; readonly gid?: number }>> = {
  '/root': { mode: 0o700 },
  '/tmp': { mode: 0o1777 },
  '/var/tmp': { mode: 0o1777 },
  '/run/lock': { mode: 0o1777 },
  '/dev/shm': { mode: 0o1777 },
  '/proc': { mode: 0o555 },
  '/sys': { mode: 0o555 },
  '/var/local': { mode: 0o2775, gid: 50 },
  '/var/mail': { mode: 0o2775, gid: 8 },
};

/** Symbolic links: path and target. */
export const LINKS: readonly (readonly [string, string])[] = [
  ['/bin', 'usr/bin'],
  ['/lib', 'usr/lib'],
  ['/lib64', 'usr/lib64'],
  ['/sbin', 'usr/sbin'],
  ['/var/run', '/run'],
  ['/var/lock', '/run/lock'],
  ['/var/spool/mail', '../mail'],
  ['/etc/os-release', '../usr/lib/os-release'],
  ['/etc/localtime', '/usr/share/zoneinfo/Etc/UTC'],
  ['/etc/mtab', '../proc/self/mounts'],
  ['/dev/fd', '/proc/self/fd'],
  ['/dev/stdin', '/proc/self/fd/0'],
  ['/dev/stdout', '/proc/self/fd/1'],
  ['/dev/stderr', '/proc/self/fd/2'],
  ['/dev/ptmx', 'pts/ptmx'],
];

const OS_RELEASE = `PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
NAME="Debian GNU/Linux"
VERSION_ID="12"
VERSION="12 (bookworm)"
VERSION_CODENAME=bookworm
ID=debian
HOME_URL="https://www.debian.org/"
SUPPORT_URL="https://www.debian.org/support"
BUG_REPORT_URL="https://bugs.debian.org/"
`;

const SHELLS = [
  '/bin/sh',
  '/usr/bin/sh',
  '/bin/bash',
  '/usr/bin/bash',
  '/bin/rbash',
  '/usr/bin/rbash',
  '/bin/dash',
  '/usr/bin/dash',
];

/** Small files with mode 644 of root. */
export const FILES: readonly (readonly [string, string])[] = [
  ['/usr/lib/os-release', OS_RELEASE],
  ['/usr/share/zoneinfo/Etc/UTC', 'TZif2\nUTC0\n'],
  ['/etc/debian_version', '12.5\n'],
  ['/etc/issue', 'Debian GNU/Linux 12 \\n \\l\n\n'],
  ['/etc/shells', `# /etc/shells: valid login shells\n${SHELLS.join('\n')}\n`],
  ['/etc/timezone', 'Etc/UTC\n'],
  ['/etc/fstab', '# UNCONFIGURED FSTAB FOR BASE SYSTEM\n'],
  ['/etc/environment', ''],
  ['/etc/host.conf', 'multi on\n'],
  [
    '/etc/nsswitch.conf',
    'passwd:         files\ngroup:          files\nshadow:         files\nhosts:          files dns\n',
  ],
  ['/etc/resolv.conf', 'nameserver 127.0.0.53\n'],
  ['/etc/apt/sources.list', 'deb http://deb.debian.org/debian bookworm main\n'],
  [
    '/etc/bash.bashrc',
    `[ -z "$PS1" ] && return\nshopt -s checkwinsize\nPS1='\${debian_chroot:+($debian_chroot)}\\u@\\h:\\w\\$ '\n`,
  ],
  [
    '/etc/profile',
    'if [ "$(id -u)" -eq 0 ]; then\n  PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"\nelse\n' +
      '  PATH="/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"\nfi\nexport PATH\n' +
      `if [ "\${PS1-}" ] && [ -f /etc/bash.bashrc ]; then\n  . /etc/bash.bashrc\nfi\n`,
  ],
  ['/var/lib/dpkg/status', ''],
  ['/var/log/dpkg.log', ''],
];
