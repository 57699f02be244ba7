/**
 * The sockets of the machine as `ss`, `netstat` and `/proc/net/tcp` show them: one row for each, with who holds it.
 */
import type { Kernel, Process } from '../../../kernel/index.js';
import { Socket, type SocketAddress } from '../../../kernel/index.js';

/** One socket. */
export interface SocketRow {
  readonly family: 'inet' | 'inet6';
  readonly isListening: boolean;
  readonly local: SocketAddress;
  /** Null for one that listens. */
  readonly peer: SocketAddress | null;
  /** It listens for IPv4 too. */
  readonly isDual: boolean;
  readonly waiting: number;
  readonly backlog: number;
  readonly holders: readonly { readonly proc: Process; readonly fd: number }[];
  readonly inode: number;
  readonly uid: number;
}

/** What the world's own services have as their queue. */
const SCRIPTED_BACKLOG = 511;

/** All TCP sockets that are shown: listening ones and connections. */
export function socketRows(kernel: Kernel): SocketRow[] {
  const holders = new Map<Socket, { proc: Process; fd: number }[]>();
  for (const proc of kernel.processes.values()) {
    for (const [fd, descriptor] of proc.descriptors.entries()) {
      const file = descriptor?.file;
      if (!(file instanceof Socket)) continue;
      const known = holders.get(file) ?? [];
      holders.set(file, [...known, { proc, fd }]);
    }
  }
  const scripted = kernel.network.scripted.flatMap(({ port }): SocketRow[] =>
    (['inet', 'inet6'] as const).map((family) => ({
      family,
      isListening: true,
      local: { family, host: family === 'inet' ? '0.0.0.0' : '::', port },
      peer: null,
      isDual: false,
      waiting: 0,
      backlog: SCRIPTED_BACKLOG,
      holders: [],
      inode: 10_000 + port,
      uid: 0,
    })),
  );
  const own = [...kernel.network.sockets].flatMap((socket): SocketRow[] => {
    const { local, state, family } = socket;
    if (local === null || family === 'unix' || (state !== 'listening' && state !== 'connected')) return [];
    const isListening = state === 'listening';
    return [
      {
        family,
        isListening,
        local,
        peer: isListening ? null : socket.peer,
        isDual: isListening && local.host === '::' && !socket.has('41:26'),
        waiting: socket.waiting.length,
        backlog: socket.queueLength,
        holders: holders.get(socket) ?? [],
        inode: socket.stat().ino,
        uid: socket.stat().uid,
      },
    ];
  });
  return [...scripted, ...own];
}

/** Names of ports, as `/etc/services` has them. */
export const SERVICE_NAMES: Readonly<Record<number, string>> = {
  21: 'ftp',
  22: 'ssh',
  23: 'telnet',
  25: 'smtp',
  53: 'domain',
  80: 'http',
  110: 'pop3',
  143: 'imap2',
  389: 'ldap',
  443: 'https',
  993: 'imaps',
  3306: 'mysql',
  5432: 'postgresql',
  6379: 'redis',
  8080: 'http-alt',
};
