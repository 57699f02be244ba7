/**
 * The network inside one machine: which socket has which address, and what the world says listens besides.
 *
 * Everything is loopback: a connection goes to a socket of the same machine or to a service that the world scripts. There
 * is no other machine; who wants one gets `ENETUNREACH` here, and asks the Host before that where somebody may know.
 * Source: ip(7), ipv6(7), tcp(7). Not covered: interfaces, routes, datagrams.
 */
import { SystemError } from './errors.js';
import type { ListeningPort } from './listening-port.js';
import { ScriptedService } from './scripted-service.js';
import type { Socket, SocketAddress, SocketFamily, SocketOwner } from './socket.js';

const REUSE_ADDRESS = '1:2';
const REUSE_PORT = '1:15';
const ONLY_IPV6 = '41:26';
/** Ports for who does not ask for one (`net.ipv4.ip_local_port_range`). */
const FIRST_PORT = 32_768;
const LAST_PORT = 60_999;
const FIRST_FREE_FOR_ALL = 1024;

/** Why a connection cannot be made here: nobody listens, nobody knows what the service says, or it is another machine. */
type Destination =
  | { readonly to: 'socket'; readonly socket: Socket }
  | { readonly to: 'script'; readonly port: ListeningPort }
  | { readonly to: 'nobody' };

/** Which socket has which address. */
export class Network implements SocketOwner {
  /** Every socket with an address, in the order in which they got it. */
  readonly sockets = new Set<Socket>();
  /** The machine has no network: what is not on it fails, instead of being unknown. */
  isOffline = false;

  constructor(
    private readonly ports: () => readonly ListeningPort[],
    private readonly clock: { readonly nowUs: number },
    private readonly chance: () => number,
  ) {}

  /** What the world says listens now. */
  get scripted(): readonly ListeningPort[] {
    return this.ports();
  }

  /** Gives a socket an address; port 0 is one that is free. Raises `EADDRINUSE`, `EADDRNOTAVAIL`, `EACCES`. */
  bind(socket: Socket, address: SocketAddress, uid: number): void {
    if (!isLocal(address.host)) throw new SystemError('EADDRNOTAVAIL');
    const port = address.port === 0 ? this.freePort(address, 1) : address.port;
    if (port < FIRST_FREE_FOR_ALL && uid !== 0) throw new SystemError('EACCES');
    const wanted = { ...address, port };
    const reuse = socket.has(REUSE_ADDRESS);
    const isTaken = (other: Socket): boolean =>
      overlaps(other, socket, wanted) &&
      !(socket.has(REUSE_PORT) && other.has(REUSE_PORT)) &&
      !(reuse && other.has(REUSE_ADDRESS) && other.state !== 'listening');
    if (this.scripted.some((one) => one.port === port) || this.some(isTaken))
      throw new SystemError('EADDRINUSE');
    socket.local = wanted;
    this.sockets.add(socket);
  }

  /** Raises `EADDRINUSE` where another socket listens at a socket's address. */
  checkListen(socket: Socket): void {
    const { local } = socket;
    if (local === null) return;
    const isTaken = (other: Socket): boolean =>
      other !== socket &&
      other.state === 'listening' &&
      overlaps(other, socket, local) &&
      !(socket.has(REUSE_PORT) && other.has(REUSE_PORT));
    if (this.some(isTaken)) throw new SystemError('EADDRINUSE');
  }

  /** What a connection to an address meets. */
  find(address: SocketAddress): Destination {
    for (const socket of this.sockets) {
      if (socket.state !== 'listening' || socket.local?.port !== address.port) continue;
      if (hears(socket, address)) return { to: 'socket', socket };
    }
    const port = this.scripted.find((one) => one.port === address.port);
    return port === undefined ? { to: 'nobody' } : { to: 'script', port };
  }

  /** A connection to a service of the world. */
  script(socket: Socket, port: ListeningPort): void {
    socket.join(new ScriptedService(socket, port, this.clock));
  }

  /** Takes a socket that connects into the table, with an address of its own where it has none. */
  addClient(socket: Socket, family: SocketFamily, host: string): void {
    socket.local ??= { family, host, port: this.freePort({ family, host, port: 0 }, 0) };
    this.sockets.add(socket);
  }

  /** Takes a socket out. */
  drop(socket: Socket): void {
    this.sockets.delete(socket);
  }

  private some(is: (socket: Socket) => boolean): boolean {
    for (const socket of this.sockets) if (is(socket)) return true;
    return false;
  }

  /** A port that nobody has: even ones for connections, odd ones for who binds, as Linux tries them first. */
  private freePort(address: SocketAddress, parity: 0 | 1): number {
    const count = (LAST_PORT - FIRST_PORT + 1) >> 1;
    const first = Math.floor(this.chance() * count);
    for (let step = 0; step < count; step++) {
      const port = FIRST_PORT + parity + 2 * ((first + step) % count);
      const isUsed =
        this.some((one) => one.local?.family !== 'unix' && one.local?.port === port) ||
        this.scripted.some((one) => one.port === port);
      if (!isUsed) return port;
    }
    throw new SystemError(address.family === 'unix' ? 'EINVAL' : 'EADDRNOTAVAIL');
  }
}

/** True for an address of the machine itself. */
export function isLocal(host: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(host) || ['0.0.0.0', '::', '::1', '::ffff:127.0.0.1'].includes(host);
}

/** Two sockets cannot both have these addresses. */
function overlaps(other: Socket, socket: Socket, wanted: SocketAddress): boolean {
  const { local } = other;
  if (local === null || local.family === 'unix' || local.port !== wanted.port) return false;
  const isDual = (one: Socket, at: SocketAddress): boolean => at.host === '::' && !one.has(ONLY_IPV6);
  if (isDual(other, local) || isDual(socket, wanted)) return true;
  if (local.family !== wanted.family) return false;
  return (
    local.host === wanted.host || [local.host, wanted.host].some((one) => one === '0.0.0.0' || one === '::')
  );
}

/** A listening socket is meant by an address. */
function hears(socket: Socket, address: SocketAddress): boolean {
  const { local } = socket;
  if (local === null || local.family === 'unix') return false;
  if (local.host === '::') return address.family === 'inet6' || !socket.has(ONLY_IPV6);
  if (local.family !== address.family) return false;
  return local.host === '0.0.0.0' || local.host === address.host;
}
