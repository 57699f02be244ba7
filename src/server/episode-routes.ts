/**
 * The routes that both doors have: look at an episode, step it, finish it, follow it. What they tell differs.
 */
import type { Hono } from 'hono';
import { type JsonObject, renderJson } from '../core/index.js';
import type { Caller } from './access.js';
import type { StoredEvent } from './episode-store.js';
import { eventStream } from './event-stream.js';
import type { HostedEpisode, StepOptions } from './hosted-episode.js';
import { badRequest, checkKeys, integerOf, readObject, textOf } from './read-request.js';
import { agentStep, jsonReply, stepReply, wholeStep } from './reply.js';
import { noEpisode, type ServiceRooms } from './service-rooms.js';

/** What a route finds beside its request. */
export interface DoorEnv {
  Bindings: {
    readonly caller: Caller;
    /** Told of an error that becomes the answer. */
    readonly failed: (error: unknown) => void;
  };
}

/** What a door tells. */
export interface DoorView {
  readonly isControl: boolean;
  readonly episode: (hosted: HostedEpisode) => JsonObject;
}

/** Adds the shared routes to a door. */
export function addEpisodeRoutes(app: Hono<DoorEnv>, rooms: ServiceRooms, view: DoorView): void {
  const entered = (id: string, caller: Caller): Promise<HostedEpisode> => enter(rooms, id, caller);
  app.get('/episodes/:id', async (c) =>
    jsonReply(view.episode(await entered(c.req.param('id'), c.env.caller))),
  );
  app.post('/episodes/:id/step', async (c) => {
    const hosted = await entered(c.req.param('id'), c.env.caller);
    const body = await readObject(c.req.raw);
    checkKeys(body, ['action', 'request_id', 'turn']);
    const result = await hosted.step(actionOf(body), stepOptions(body, true));
    return stepReply(result, view.isControl);
  });
  app.post('/episodes/:id/finish', async (c) => {
    const hosted = await entered(c.req.param('id'), c.env.caller);
    const body = await readObject(c.req.raw);
    checkKeys(body, ['answer', 'request_id', 'turn']);
    const result = await hosted.finish(textOf(body, 'answer'), stepOptions(body, false));
    return stepReply(result, view.isControl);
  });
  app.get('/episodes/:id/events', async (c) => {
    const hosted = await entered(c.req.param('id'), c.env.caller);
    const after = afterOf(c.req.header('last-event-id') ?? c.req.query('after'));
    const tell = (event: StoredEvent): JsonObject => eventView(event, view.isControl);
    if (c.req.header('accept')?.includes('text/event-stream') === true) {
      return eventStream(hosted, rooms.store, { after, view: tell });
    }
    return jsonReply({ events: (await rooms.store.events(hosted.id, after)).map(tell) });
  });
  app.get('/metrics', (c) => {
    rooms.access.checkAgent(c.env.caller);
    const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };
    return new Response(rooms.metricsText(), { headers });
  });
  app.all('/mcp/:world', (c) => {
    rooms.access.checkAgent(c.env.caller);
    return rooms.worldDoor(c.req.param('world')).fetch(c.req.raw);
  });
  app.all('/episodes/:id/mcp', async (c) => {
    const hosted = await entered(c.req.param('id'), c.env.caller);
    return rooms.mcpDoor(hosted).fetch(c.req.raw);
  });
}

/** Finds an episode for a caller. An id that is unknown is told only to those who could enter. */
async function enter(rooms: ServiceRooms, id: string, caller: Caller): Promise<HostedEpisode> {
  const found = await rooms.episodes.find(id);
  rooms.access.checkEpisode(caller, id, found?.isPrivate ?? false);
  if (found === undefined) throw noEpisode(id);
  return rooms.episodes.get(id);
}

/** An action is a text; JSON in its place is the text of that JSON. */
function actionOf(body: JsonObject): string {
  const { action } = body;
  if (typeof action === 'string') return action;
  if (action === undefined || action === null)
    throw badRequest('action is missing; send {"action": …, "request_id": …}');
  return renderJson(action);
}

function stepOptions(body: JsonObject, needsId: boolean): StepOptions {
  const requestId = textOf(body, 'request_id');
  const turn = integerOf(body, 'turn');
  if (requestId === undefined && needsId) {
    throw badRequest('request_id is missing; send an id of your own, so that a step sent twice acts once');
  }
  if (requestId !== undefined && (requestId === '' || requestId.length > 200)) {
    throw badRequest('request_id must have 1 to 200 characters');
  }
  return { ...(requestId !== undefined && { requestId }), ...(turn !== undefined && { turn }) };
}

function afterOf(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw badRequest('after must be the number of a turn');
}

function eventView({ turn, recordedAt, result }: StoredEvent, isControl: boolean): JsonObject {
  return { ...(isControl ? wholeStep(result) : agentStep(result)), turn, recordedAt };
}
