/**
 * The system calls of a process on sockets.
 *
 * Source: socket(2), bind(2), listen(2), accept(2), connect(2), shutdown(2), send(2), recv(2).
 * Not covered: datagrams and raw sockets, messages with descriptors.
 */
import { SystemError } from './errors.js';
import { isLocal } from './network.js';
import type { Process } from './process.js';
import { Socket, type SocketAddress, type SocketFamily } from './socket.js';
import { type Running, SLICE } from './wait.js';

/** `socket`: a stream socket. */
export function openSocket(proc: Process, family: SocketFamily, closeOnExec = true): number {
  return proc.place(makeSocket(proc, family), { closeOnExec });
}

function makeSocket(proc: Process, family: SocketFamily): Socket {
  const inode = { ...proc.kernel.pipeInode(proc.actor), kind: 'socket' as const, mode: 0o777 };
  return new Socket(proc.kernel.network, inode, family);
}

/** The socket behind a descriptor. Raises `EBADF`, `ENOTSOCK`. */
export function socketOf(proc: Process, fd: number): Socket {
  const file = proc.file(fd);
  if (!(file instanceof Socket)) throw new SystemError('ENOTSOCK');
  return file;
}

/** `socketpair`. */
export function socketPair(proc: Process): readonly [number, number] {
  const [one, other] = [makeSocket(proc, 'unix'), makeSocket(proc, 'unix')];
  one.join(other);
  other.join(one);
  return [proc.place(one, { closeOnExec: true }), proc.place(other, { closeOnExec: true })];
}

/** `bind`. Raises `EADDRINUSE`, `EADDRNOTAVAIL`, `EACCES`, `EINVAL`. */
export function bindSocket(proc: Process, fd: number, address: SocketAddress): void {
  const socket = socketOf(proc, fd);
  if (socket.local !== null) throw new SystemError('EINVAL');
  const { network, files } = proc.kernel;
  if (socket.family !== 'unix') {
    network.bind(socket, address, proc.uid);
    return;
  }
  if (address.host.startsWith('\0')) {
    for (const other of network.sockets)
      if (other.family === 'unix' && other.local?.host === address.host) throw new SystemError('EADDRINUSE');
  } else {
    if (proc.exists(address.host)) throw new SystemError('EADDRINUSE');
    const { ino } = files.create(proc.actor, address.host, { kind: 'socket', mode: 0o777 });
    socket.boundIno = ino;
  }
  socket.local = address;
  network.sockets.add(socket);
}

/** `listen`. Raises `EADDRINUSE`, `EINVAL`. */
export function listenSocket(proc: Process, fd: number, backlog: number): void {
  const socket = socketOf(proc, fd);
  const { network } = proc.kernel;
  if (socket.state === 'connected' || socket.state === 'connecting') throw new SystemError('EINVAL');
  if (socket.local === null) {
    if (socket.family === 'unix') throw new SystemError('EINVAL');
    network.bind(
      socket,
      { family: socket.family, host: socket.family === 'inet' ? '0.0.0.0' : '::', port: 0 },
      0,
    );
  }
  network.checkListen(socket);
  socket.makeServer = (client) => serverFor(proc, socket, client);
  socket.listen(backlog);
}

/** This side of a connection that comes in. */
function serverFor(proc: Process, listener: Socket, client: Socket): Socket {
  const server = makeSocket(proc, listener.family);
  const { local } = listener;
  const isMapped = listener.family === 'inet6' && client.family === 'inet';
  const mapped = (one: SocketAddress | null): SocketAddress | null =>
    one !== null && isMapped ? { ...one, family: 'inet6', host: `::ffff:${one.host}` } : one;
  server.local = listener.family === 'unix' ? local : mapped(client.peer);
  server.peer = mapped(client.local);
  for (const [name, value] of listener.options) server.options.set(name, value);
  if (listener.family !== 'unix') proc.kernel.network.sockets.add(server);
  return server;
}

/** `accept`: waits for a connection. Raises `EAGAIN`, `EINVAL`. */
export function* acceptSocket(proc: Process, fd: number): Running<number> {
  const listener = socketOf(proc, fd);
  for (;;) {
    if (listener.state !== 'listening') throw new SystemError('EINVAL');
    const socket = listener.acceptNow();
    if (socket !== null) {
      const accepted = proc.place(socket, { closeOnExec: true });
      socket.release();
      if (proc.tick(2)) yield SLICE;
      return accepted;
    }
    if (listener.mode.nonblocking === true) throw new SystemError('EAGAIN');
    yield* proc.block([listener.readable]);
  }
}

/**
 * `connect`. Raises `ECONNREFUSED`, `ENETUNREACH`, `EISCONN`, `EALREADY`, `EINPROGRESS` for a socket that does not wait
 * (then the option `SO_ERROR` tells).
 */
export function* connectSocket(proc: Process, fd: number, address: SocketAddress): Running<void> {
  const socket = socketOf(proc, fd);
  if (socket.state === 'connected') throw new SystemError('EISCONN');
  if (socket.state === 'connecting') throw new SystemError('EALREADY');
  if (socket.state === 'listening') throw new SystemError('EISCONN');
  const isWaiting = socket.mode.nonblocking !== true;
  if (socket.family === 'unix') dialFile(proc, socket, address);
  else dial(proc, socket, address);
  if (proc.tick(5)) yield SLICE;
  if (!isWaiting) {
    if (socket.family === 'unix' && socket.error === null && isConnected(socket)) return;
    if (socket.family === 'unix') raiseError(socket);
    throw new SystemError('EINPROGRESS');
  }
  while (!isConnected(socket) && socket.error === null) yield* proc.block([socket.writable]);
  raiseError(socket);
}

function isConnected(socket: Socket): boolean {
  return socket.state === 'connected';
}

function raiseError(socket: Socket): void {
  const { error } = socket;
  socket.error = null;
  if (error !== null) throw new SystemError(error);
}

function dial(proc: Process, socket: Socket, address: SocketAddress): void {
  if (!isLocal(address.host)) throw new SystemError('ENETUNREACH');
  const { network } = proc.kernel;
  const host = address.host === '0.0.0.0' ? '127.0.0.1' : address.host === '::' ? '::1' : address.host;
  const to = { ...address, host };
  const met = network.find(to);
  network.addClient(socket, address.family, address.family === 'inet' ? '127.0.0.1' : host);
  socket.peer = to;
  if (met.to === 'socket') met.socket.arrive(socket);
  else if (met.to === 'script') network.script(socket, met.port);
  else socket.refuse();
}

function dialFile(proc: Process, socket: Socket, address: SocketAddress): void {
  const { host } = address;
  const inode = host.startsWith('\0') ? null : proc.stat(host);
  if (inode !== null && !proc.may(inode, 2)) throw new SystemError('EACCES');
  socket.peer = address;
  for (const one of proc.kernel.network.sockets) {
    if (one.family !== 'unix' || one.state !== 'listening') continue;
    if (inode === null ? one.local?.host !== host : one.boundIno !== inode.ino) continue;
    one.arrive(socket);
    return;
  }
  socket.refuse();
}

/** `send` and `write` for what may not wait: as many bytes as go at once. Raises `EAGAIN`, `EPIPE` after SIGPIPE. */
export function* writeSome(proc: Process, fd: number, bytes: Uint8Array): Running<number> {
  const file = proc.file(fd);
  if (file.mode.nonblocking !== true) {
    yield* proc.write(fd, bytes);
    return bytes.length;
  }
  if (bytes.length === 0) return 0;
  try {
    const written = file.writeNow(bytes);
    if (proc.tick(1 + (written >> 8))) yield SLICE;
    if (written === 0) throw new SystemError('EAGAIN');
    return written;
  } catch (error) {
    if (error instanceof SystemError && error.code === 'EPIPE') yield* proc.raiseBrokenPipe();
    throw error;
  }
}

/** `recv` with flags; `isPeek` leaves the bytes. Raises `EAGAIN`. */
export function* receive(
  proc: Process,
  fd: number,
  how: { readonly max: number; readonly isPeek: boolean; readonly isNow: boolean },
): Running<Uint8Array> {
  const socket = socketOf(proc, fd);
  for (;;) {
    const bytes = socket.receiveNow(how.max, how.isPeek);
    if (bytes !== null) {
      if (proc.tick(1 + (bytes.length >> 10))) yield SLICE;
      return bytes;
    }
    if (how.isNow || socket.mode.nonblocking === true) throw new SystemError('EAGAIN');
    yield* proc.block([socket.readable]);
  }
}
