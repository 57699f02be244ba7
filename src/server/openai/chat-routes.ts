/**
 * The paths of the OpenAI-compatible wire. An agent may use them; on a service that needs no tokens any token will do,
 * because clients of this wire must send one.
 */
import type { Access, Caller } from '../access.js';
import { noPath } from '../service-rooms.js';
import type { ChatDoor } from './chat-door.js';
import { chatErrorReply } from './chat-error.js';

/** Answers a request below `/v1/`. Never rejects. */
export async function chatRoutes(
  request: Request,
  how: {
    readonly door: ChatDoor;
    readonly access: Access;
    readonly caller: () => Caller;
    readonly path: string;
    /** Carries work out in the caller's name. */
    /** Told of an error that becomes the answer. */
    readonly failed: (error: unknown) => void;
    readonly counted: <Result>(work: () => Result) => Result;
  },
): Promise<Response> {
  const { door, access, path } = how;
  try {
    access.checkChat(how.caller());
    const { method } = request;
    if (method === 'POST' && path === '/v1/chat/completions')
      return await how.counted(() => door.complete(request));
    if (method === 'GET' && path === '/v1/models') return door.list();
    if (method === 'GET' && path.startsWith('/v1/models/')) return door.card(modelName(path));
    throw noPath(method, path);
  } catch (error) {
    how.failed(error);
    return chatErrorReply(error);
  }
}

/** A model's name out of its address; its slash may be escaped. */
function modelName(path: string): string {
  const name = path.replace(/^\/v1\/models\//, '');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
