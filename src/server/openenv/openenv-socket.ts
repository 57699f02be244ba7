/**
 * An OpenEnv session on a WebSocket: messages one after another, half-open clients noticed, memory bounded.
 *
 * A socket over capacity is told so and closed only when the client has spoken or two seconds have passed: a client
 * that sees the connection close at once reports that, and not the reason. Source: OpenEnv WebSocket `/ws`.
 */
import type { RawData, WebSocket } from 'ws';
import { renderJson } from '../../core/index.js';
import type { OpenEnvDoor } from './openenv-door.js';
import type { OpenEnvSession } from './openenv-session.js';

const FULL_GRACE_MS = 2_000;
/** Two of these without an answer and the client is gone. */
const PING_MS = 30_000;
const TRY_AGAIN_LATER = 1013;

/** Speaks with a socket until it is closed. */
export function serveSocket(
  socket: WebSocket,
  { door, counted }: { readonly door: OpenEnvDoor; readonly counted: <Result>(work: () => Result) => Result },
): void {
  // An error is followed by close.
  socket.on('error', () => undefined);
  const session = door.openSocket();
  if ('full' in session) {
    socket.send(renderJson(session.full));
    const close = (): void => socket.close(TRY_AGAIN_LATER, 'capacity reached');
    const timer = setTimeout(close, FULL_GRACE_MS);
    socket.once('message', close);
    socket.once('close', () => clearTimeout(timer));
    return;
  }
  converse(socket, { handle: (text) => counted(() => session.handle(text)) });
  const stopPings = keepAlive(socket);
  socket.once('close', () => {
    stopPings();
    void door.closeSocket(session);
  });
}

function converse(socket: WebSocket, session: Pick<OpenEnvSession, 'handle'>): void {
  let last: Promise<void> = Promise.resolve();
  socket.on('message', (data: RawData, isBinary: boolean) => {
    // Nothing more is read while a message is answered, so nothing piles up here.
    socket.pause();
    last = last.then(async () => {
      const reply = await session.handle(isBinary ? '' : String(data));
      if (reply === null) socket.close();
      else if (socket.readyState === socket.OPEN) await send(socket, reply);
      socket.resume();
    });
  });
}

/** Resolves when the text has left, or the socket is gone. */
function send(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => socket.send(text, () => resolve()));
}

function keepAlive(socket: WebSocket): () => void {
  let alive = true;
  socket.on('pong', () => {
    alive = true;
  });
  const timer = setInterval(() => {
    if (!alive) socket.terminate();
    alive = false;
    socket.ping(() => undefined);
  }, PING_MS);
  timer.unref();
  return () => clearInterval(timer);
}
