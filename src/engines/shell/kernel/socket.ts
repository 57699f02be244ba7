/**
 * Stream sockets: two ends, a buffer each, and what a listening one keeps for `accept`.
 *
 * A socket is an open file like a pipe's end; what is at its other end is a {@link Remote}: another socket, or a service
 * that the world scripts. Nothing is on a wire, so a connection stands as soon as the listener has room for it.
 * Source: socket(7), tcp(7), unix(7). Not covered: datagrams, urgent data, `TIME_WAIT`, lingering, passed descriptors.
 */
import { ByteQueue } from './byte-queue.js';
import { type ErrorCode, SystemError } from './errors.js';
import type { Inode } from './inode.js';
import { OpenFile } from './open-file.js';
import { WaitQueue } from './wait.js';

/** What a socket receives before its peer has to wait, in bytes. */
const BUFFER_BYTES = 131_072;
/** The longest queue of a listener, as `net.core.somaxconn` has it. */
const MAX_BACKLOG = 4096;

/** Which kind of addresses. */
export type SocketFamily = 'inet' | 'inet6' | 'unix';

/** An address: of `unix`, `host` is a path (or an abstract name after a zero byte) and the port 0. */
export interface SocketAddress {
  readonly family: SocketFamily;
  readonly host: string;
  readonly port: number;
}

/** What is at the other end of a connection. */
export interface Remote {
  /** Takes bytes; returns how many; 0 where there is no room now. */
  receive(bytes: Uint8Array): number;
  /** Bytes it has room for. */
  readonly room: number;
  /** Nothing more will come. */
  finish(): void;
  /** This end is closed; `isAbrupt` where it had unread bytes. */
  hangUp(isAbrupt: boolean): void;
  /** This end has read: there is room for more. */
  onRoom(): void;
}

/** Who owns the addresses; a socket tells it when it is closed. */
export interface SocketOwner {
  drop(socket: Socket): void;
}

/** One socket. */
export class Socket extends OpenFile implements Remote {
  state: 'new' | 'listening' | 'connecting' | 'connected' = 'new';
  local: SocketAddress | null = null;
  peer: SocketAddress | null = null;
  /** Of one with a file name: its inode's number. */
  boundIno = 0;
  /** What `connect` or a reset left for the next call. */
  error: ErrorCode | null = null;
  /** Options that were set, by level and name (`1:2` is `SO_REUSEADDR`). */
  readonly options = new Map<string, number>();
  /** Connections that wait for `accept`, and those that wait for a place there. */
  readonly waiting: Socket[] = [];
  private readonly arrivals: Socket[] = [];
  private backlog = 0;
  private readonly inbox = new ByteQueue();
  private remote: Remote | null = null;
  private isReadShut = false;
  private isWriteShut = false;
  /** The other end will send no more. */
  private isFinished = false;
  /** The other end is closed; a second write is told so. */
  private isGone = false;
  private isReset = false;

  constructor(
    private readonly owner: SocketOwner,
    private readonly inode: Inode,
    readonly family: SocketFamily,
  ) {
    super({ read: true, write: true }, `socket:[${inode.ino}]`, new WaitQueue(), new WaitQueue());
  }

  override stat(): Inode {
    return this.inode;
  }

  /** True for the option of a level. */
  has(option: string): boolean {
    return (this.options.get(option) ?? 0) !== 0;
  }

  // ---- connections ----

  /** The length of the queue of one that listens. */
  get queueLength(): number {
    return this.backlog;
  }

  /** Waits for connections from now on. */
  listen(backlog: number): void {
    this.state = 'listening';
    this.backlog = Math.min(Math.max(0, backlog), MAX_BACKLOG);
  }

  /** Somebody wants to connect; `make` gives the socket for this side. The connection stands when there is room. */
  arrive(client: Socket): void {
    client.state = 'connecting';
    this.arrivals.push(client);
    this.admit();
  }

  /** Takes the oldest connection; null where there is none. */
  acceptNow(): Socket | null {
    const socket = this.waiting.shift() ?? null;
    this.admit();
    return socket;
  }

  /** Makes the socket of this side of a connection; set by who opened the listener. */
  makeServer: ((client: Socket) => Socket) | null = null;

  private admit(): void {
    while (this.arrivals.length > 0 && this.waiting.length <= this.backlog) {
      const client = this.arrivals.shift() as Socket;
      if (client.state !== 'connecting') continue;
      const server = this.makeServer?.(client);
      if (server === undefined) return;
      client.join(server);
      server.join(client);
      this.waiting.push(server.retain());
      this.readable.wake();
    }
  }

  /** The connection stands. */
  join(remote: Remote): void {
    this.remote = remote;
    this.state = 'connected';
    this.writable.wake();
  }

  /** `shutdown`. Raises `ENOTCONN`. */
  shutdown(how: 'read' | 'write' | 'both'): void {
    if (this.state !== 'connected') throw new SystemError('ENOTCONN');
    if (how !== 'write') this.isReadShut = true;
    if (how !== 'read' && !this.isWriteShut) {
      this.isWriteShut = true;
      if (!this.isGone) this.remote?.finish();
    }
    this.readable.wake();
    this.writable.wake();
  }

  // ---- bytes ----

  override readNow(max: number): Uint8Array | null {
    return this.receiveNow(max, false);
  }

  /** As {@link readNow}; with `isPeek` the bytes stay. */
  receiveNow(max: number, isPeek: boolean): Uint8Array | null {
    if (this.inbox.size > 0 && !this.isReadShut) {
      if (isPeek) return this.inbox.peek(max);
      const bytes = this.inbox.take(max);
      if (!this.isGone) this.remote?.onRoom();
      return bytes;
    }
    this.raise();
    if (this.state !== 'connected') throw new SystemError('ENOTCONN');
    return this.isFinished || this.isReadShut ? new Uint8Array(0) : null;
  }

  override writeNow(bytes: Uint8Array): number {
    this.raise();
    if (this.state !== 'connected' || this.isWriteShut) throw new SystemError('EPIPE');
    if (this.isGone) {
      // The first write after the other end was closed is what finds out; over a file name it is known before.
      if (this.isReset || this.family === 'unix') throw new SystemError('EPIPE');
      this.isReset = true;
      return bytes.length;
    }
    return this.remote?.receive(bytes) ?? 0;
  }

  private raise(): void {
    const { error } = this;
    if (error === null) return;
    this.error = null;
    throw new SystemError(error);
  }

  override hasInput(): boolean {
    if (this.state === 'listening') return this.waiting.length > 0;
    return this.inbox.size > 0 || this.isFinished || this.isReadShut || this.error !== null;
  }

  override hasRoom(): boolean {
    if (this.error !== null) return true;
    if (this.state !== 'connected') return this.state === 'new';
    return this.isGone || this.isWriteShut || (this.remote?.room ?? 0) > 0;
  }

  /** True where neither side will send any more. */
  get isOver(): boolean {
    return this.state === 'new' || (this.state === 'connected' && this.isFinished && this.isWriteShut);
  }

  // ---- as the other end ----

  get room(): number {
    return this.isReadShut ? BUFFER_BYTES : BUFFER_BYTES - this.inbox.size;
  }

  receive(bytes: Uint8Array): number {
    if (this.isReadShut) return bytes.length;
    const taken = this.inbox.put(bytes, this.room);
    if (taken > 0) this.readable.wake();
    return taken;
  }

  finish(): void {
    this.isFinished = true;
    this.readable.wake();
  }

  hangUp(isAbrupt: boolean): void {
    this.isFinished = true;
    this.isGone = true;
    if (isAbrupt) {
      this.isReset = true;
      this.error = 'ECONNRESET';
    }
    this.readable.wake();
    this.writable.wake();
  }

  onRoom(): void {
    this.writable.wake();
  }

  protected override onClose(): void {
    this.owner.drop(this);
    for (const client of this.arrivals.splice(0)) client.refuse();
    for (const server of this.waiting.splice(0)) {
      server.remote?.hangUp(true);
      server.isGone = true;
      server.release();
    }
    if (this.state === 'connecting') this.state = 'new';
    if (this.state === 'connected' && !this.isGone) this.remote?.hangUp(this.inbox.size > 0);
  }

  /** The connection came to nothing. */
  refuse(): void {
    this.state = 'new';
    this.error = 'ECONNREFUSED';
    this.readable.wake();
    this.writable.wake();
  }
}
