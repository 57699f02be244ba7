/**
 * The agents' door: open an episode of a world as it is, act in it, finish it.
 *
 * Whatever decides what an agent is tested with (seed, faults, route, model, budget, fork, delete) stands behind the
 * other door; asking for it here says so. This file does not import the control door.
 */
import { Hono } from 'hono';
import { type JsonObject, ServiceError } from '../core/index.js';
import { addEpisodeRoutes, type DoorEnv } from './episode-routes.js';
import { agentView } from './episode-view.js';
import { badRequest, checkKeys, readObject, textOf } from './read-request.js';
import { errorReply, jsonReply } from './reply.js';
import { noPath, type ServiceRooms } from './service-rooms.js';

/** Keys of `POST /episodes` that need the control token. */
const CONTROL_KEYS = ['seed', 'faults', 'route', 'model', 'maxTurns', 'clock', 'private'] as const;

/** Builds the agents' door. */
export function agentRoutes(rooms: ServiceRooms): Hono<DoorEnv> {
  const app = new Hono<DoorEnv>();
  app.onError((error, c) => {
    c.env.failed(error);
    return errorReply(error);
  });
  app.notFound((c) => errorReply(noPath(c.req.method, c.req.path)));
  app.post('/episodes', async (c) => {
    rooms.access.checkAgent(c.env.caller);
    const body = await readObject(c.req.raw);
    const name = worldName(body);
    const hosted = await rooms.open(rooms.world(name), { transient: true });
    return jsonReply(agentView(hosted), 201, { location: `/episodes/${hosted.id}` });
  });
  for (const [method, path] of CONTROL_ROUTES) {
    app.on(method, path, (c) => {
      if (c.env.caller.kind !== 'bearer') rooms.access.checkAgent(c.env.caller);
      throw needsControl(`${c.req.method} ${path}`);
    });
  }
  addEpisodeRoutes(app, rooms, { isControl: false, episode: agentView });
  return app;
}

const CONTROL_ROUTES = [
  ['GET', '/episodes'],
  ['POST', '/episodes/:id/fork'],
  ['GET', '/episodes/:id/trajectory'],
  ['DELETE', '/episodes/:id'],
] as const;

function worldName(body: JsonObject): string {
  const asked = CONTROL_KEYS.filter((key) => Object.hasOwn(body, key));
  if (asked.length > 0) throw needsControl(`${asked.join(', ')} of POST /episodes`);
  checkKeys(body, ['world']);
  if (body.world !== undefined && typeof body.world !== 'string') throw needsControl('a world of your own');
  const name = textOf(body, 'world');
  if (name === undefined) throw badRequest('world is missing; send {"world": NAME}');
  return name;
}

function needsControl(what: string): ServiceError {
  return new ServiceError(`${what} needs the control token, which \`umwelt serve\` printed when it started`, {
    code: 'service/forbidden',
  });
}
