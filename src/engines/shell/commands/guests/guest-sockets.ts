/**
 * System calls of a guest on sockets and names.
 *
 * Names are those of `/etc/hosts`. What else is wanted of a network (another host, a service of which the world says only
 * that it listens) is told to the guest as lacking, unless the machine has no network: then it fails as there.
 */
import type { Json } from '../../../../core/index.js';
import {
  acceptSocket,
  bindSocket,
  connectSocket,
  errno,
  isLocal,
  listenSocket,
  openSocket,
  type Process,
  type Running,
  receive,
  type SocketAddress,
  type SocketFamily,
  SystemError,
  socketOf,
  socketPair,
} from '../../kernel/index.js';
import { namesOf, resolveHost } from '../program/host-names.js';
import type { Given } from './guest-files.js';

const EAI_AGAIN = -3;
const PEEK = 2;
const DONT_WAIT = 64;
const SOCKET_LEVEL = 1;
const TYPE = 3;
const ERROR = 4;
/** What options are until they are set. */
const DEFAULTS: Readonly<Record<string, number>> = {
  '1:7': 16_384,
  '1:8': 131_072,
  '41:26': 0,
  '6:2': 65_483,
};

/** Calls that cannot wait, by name. */
export const SOCKET_CALLS: Readonly<Record<string, (proc: Process, args: readonly Json[]) => Given>> = {
  socket: (proc, [family]) => ({ value: openSocket(proc, family as SocketFamily) }),
  socketpair: (proc) => ({ value: [...socketPair(proc)] }),
  bind: (proc, [fd, host, port]) => {
    bindSocket(proc, Number(fd), addressFor(proc, Number(fd), [host, port]));
    return undefined;
  },
  listen: (proc, [fd, backlog]) => {
    listenSocket(proc, Number(fd), Number(backlog));
    return undefined;
  },
  sockname: (proc, [fd]) => {
    const { family, local } = socketOf(proc, Number(fd));
    return { value: shown(local ?? unnamed(family)) };
  },
  peername: (proc, [fd]) => {
    const { state, peer, family } = socketOf(proc, Number(fd));
    if (state !== 'connected') throw new SystemError('ENOTCONN');
    return { value: shown(peer ?? unnamed(family)) };
  },
  shutdown: (proc, [fd, how]) => {
    socketOf(proc, Number(fd)).shutdown((['read', 'write', 'both'] as const)[Number(how)] ?? 'both');
    return undefined;
  },
  nonblock: (proc, [fd, isOn]) => {
    proc.file(Number(fd)).setNonblocking(isOn === true);
    return undefined;
  },
  setsockopt: (proc, [fd, level, name, value]) => {
    socketOf(proc, Number(fd)).options.set(`${Number(level)}:${Number(name)}`, Number(value));
    return undefined;
  },
  getsockopt: (proc, [fd, level, name]) => ({
    value: option(proc, Number(fd), [Number(level), Number(name)]),
  }),
  resolve: (proc, [host]) => {
    const found = resolveHost(proc, String(host));
    if (found.length > 0) return { value: ['found', found] };
    return { value: proc.kernel.network.isOffline ? ['none', EAI_AGAIN] : ['lacks', null] };
  },
  hostname: (proc, [address]) => ({ value: namesOf(proc, String(address)) }),
};

/** Calls that may wait; undefined for a name that is none of these. */
export function* socketCall(proc: Process, call: string, args: readonly Json[]): Running<Given | null> {
  const fd = Number(args[0]);
  switch (call) {
    case 'accept': {
      const accepted = yield* acceptSocket(proc, fd);
      const { peer, family } = socketOf(proc, accepted);
      return { value: [accepted, shown(peer ?? unnamed(family))] };
    }
    case 'connect': {
      const address = addressFor(proc, fd, [args[1], args[2]]);
      const lacks = whatIsLacking(proc, address);
      if (lacks !== null) return { value: lacks };
      yield* connectSocket(proc, fd, address);
      return { value: null };
    }
    case 'recv': {
      const flags = Number(args[2]);
      const how = { max: Number(args[1]), isPeek: (flags & PEEK) !== 0, isNow: (flags & DONT_WAIT) !== 0 };
      return { value: Buffer.from(yield* receive(proc, fd, how)).toString('latin1') };
    }
    default:
      return null;
  }
}

/** What nobody computes of a connection; null where it can be made, or fails. */
function whatIsLacking(proc: Process, address: SocketAddress): string | null {
  if (address.family === 'unix') return null;
  const { network } = proc.kernel;
  if (!isLocal(address.host))
    return network.isOffline ? null : `the network beyond this machine: the host ${address.host}`;
  const met = network.find(address);
  return met.to === 'script' && met.port.http === undefined
    ? `what the service on port ${address.port} answers`
    : null;
}

function addressFor(proc: Process, fd: number, [host, port]: readonly (Json | undefined)[]): SocketAddress {
  const { family } = socketOf(proc, fd);
  return { family, host: String(host ?? ''), port: Number(port ?? 0) };
}

function unnamed(family: SocketFamily): SocketAddress {
  return { family, host: family === 'inet' ? '0.0.0.0' : family === 'inet6' ? '::' : '', port: 0 };
}

function shown({ family, host, port }: SocketAddress): Json {
  return [family, host, port];
}

function option(proc: Process, fd: number, [level, name]: readonly [number, number]): number {
  const socket = socketOf(proc, fd);
  if (level === SOCKET_LEVEL && name === TYPE) return 1;
  if (level === SOCKET_LEVEL && name === ERROR) {
    const { error } = socket;
    socket.error = null;
    return error === null ? 0 : errno(error);
  }
  const key = `${level}:${name}`;
  return socket.options.get(key) ?? DEFAULTS[key] ?? 0;
}
