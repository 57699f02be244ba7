/**
 * The control door: open episodes with seed, faults and worlds of one's own, fork them, read all of them, delete them.
 *
 * Entered with the control token only; the service sees to that. Models cannot be named here: a program that starts
 * the service in process hands them in.
 */
import { Hono } from 'hono';
import { type FaultSpec, FaultSpecSchema } from '../control/index.js';
import { isJsonObject, type Json, type JsonObject, renderJson } from '../core/index.js';
import { ROUTES } from '../sim/index.js';
import { loadWorld, type World } from '../worlds/index.js';
import { addEpisodeRoutes, type DoorEnv } from './episode-routes.js';
import { wholeView } from './episode-view.js';
import type { HostedOptions } from './episodes.js';
import { badRequest, checkKeys, integerOf, readObject } from './read-request.js';
import { errorReply, jsonReply } from './reply.js';
import { noEpisode, noPath, type ServiceRooms } from './service-rooms.js';
import { trajectoryText } from './stored-trajectories.js';

/** Builds the control door. */
export function controlRoutes(rooms: ServiceRooms): Hono<DoorEnv> {
  const app = new Hono<DoorEnv>();
  app.onError((error, c) => {
    c.env.failed(error);
    return errorReply(error);
  });
  app.notFound((c) => errorReply(noPath(c.req.method, c.req.path)));
  app.get('/episodes', async (c) => {
    const limit = pageSizeOf(c.req.query('limit'));
    const after = c.req.query('after');
    const page = await rooms.store.list({ limit: limit + 1, ...(after !== undefined && { after }) });
    const episodes = page.slice(0, limit).map((one) => ({ ...one }));
    const last = episodes.at(-1);
    return jsonReply({
      episodes,
      total: rooms.episodes.size,
      ...(page.length > limit && last !== undefined && { next: last.id }),
    });
  });
  app.post('/episodes', async (c) => {
    const body = await readObject(c.req.raw);
    checkKeys(body, ['world', 'seed', 'faults', 'route', 'maxTurns', 'clock', 'private']);
    const hosted = await rooms.open(worldOf(rooms, body.world), optionsOf(body));
    const token = rooms.access.episodeToken(hosted.id);
    return jsonReply({ ...wholeView(hosted), token }, 201, { location: `/episodes/${hosted.id}` });
  });
  app.post('/episodes/:id/fork', async (c) => {
    checkKeys(await readObject(c.req.raw), []);
    const forked = await rooms.episodes.fork(await rooms.episodes.get(c.req.param('id')));
    const token = rooms.access.episodeToken(forked.id);
    return jsonReply({ ...wholeView(forked), token }, 201, { location: `/episodes/${forked.id}` });
  });
  app.get('/episodes/:id/trajectory', async (c) => {
    const { id, episode } = await rooms.episodes.get(c.req.param('id'));
    const text = trajectoryText(episode.header(), await rooms.store.events(id, 0, episode.turnCount));
    return new Response(text, { headers: { 'content-type': 'application/jsonl; charset=utf-8' } });
  });
  app.delete('/episodes/:id', async (c) => {
    const id = c.req.param('id');
    if (!(await rooms.episodes.remove(id))) throw noEpisode(id);
    return new Response(null, { status: 204 });
  });
  addEpisodeRoutes(app, rooms, { isControl: true, episode: wholeView });
  return app;
}

/** Episodes on one page of `GET /episodes`. */
const MAX_PAGE = 1_000;

function pageSizeOf(text: string | undefined): number {
  if (text === undefined) return MAX_PAGE;
  const size = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (size >= 1 && size <= MAX_PAGE) return size;
  throw badRequest(`limit must be 1 to ${MAX_PAGE}`);
}

const CLOCKS = ['action', 'live'] as const;

/** A catalogue name, or a whole world file as JSON or as its text. */
function worldOf(rooms: ServiceRooms, world: Json | undefined): World {
  if (world === undefined) throw badRequest('world is missing; send a name, or a world file');
  const isName = typeof world === 'string' && !/[\n:{]/.test(world);
  if (isName) return rooms.world(world);
  if (typeof world !== 'string' && !isJsonObject(world))
    throw badRequest('world must be a name or a world file');
  const loaded = loadWorld(typeof world === 'string' ? world : renderJson(world), { uploaded: true });
  if (!loaded.ok) throw loaded.error;
  return loaded.value;
}

function optionsOf(body: JsonObject): HostedOptions {
  const seed = integerOf(body, 'seed');
  const maxTurns = integerOf(body, 'maxTurns');
  const route = ROUTES.find((name) => name === body.route);
  if (body.route !== undefined && route === undefined)
    throw badRequest(`route must be one of ${ROUTES.join(', ')}`);
  if (body.private !== undefined && typeof body.private !== 'boolean')
    throw badRequest('private must be true or false');
  const clock = CLOCKS.find((name) => name === body.clock);
  if (body.clock !== undefined && clock === undefined)
    throw badRequest(`clock must be one of ${CLOCKS.join(', ')}`);
  const faults = body.faults === undefined ? undefined : faultsOf(body.faults);
  return {
    ...(seed !== undefined && { seed }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(route !== undefined && { route }),
    ...(faults !== undefined && { faults }),
    ...(clock !== undefined && { clock }),
    ...(body.private === true && { private: true }),
  };
}

function faultsOf(json: Json): readonly FaultSpec[] {
  if (!Array.isArray(json)) throw badRequest('faults must be a list, as in a world file');
  return json.map((one: Json, index) => {
    const read = FaultSpecSchema.safeParse(one);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw badRequest(`faults[${index}].${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is no fault'}`);
  });
}
