/**
 * The turns of an episode as server-sent events: those that are there, then each new one, until the episode is done.
 *
 * The id of an event is the number of its turn, so a client that lost the connection goes on with `Last-Event-ID`.
 * A client that does not read is cut off, not waited for.
 */
import { type JsonObject, renderJson } from '../core/index.js';
import type { EpisodeStore, StoredEvent } from './episode-store.js';
import type { HostedEpisode } from './hosted-episode.js';

/** Events that may wait for a client that does not read. */
const WAITING_EVENTS = 1_000;
/** Milliseconds between comments that keep a silent connection open. */
const KEEP_ALIVE_MS = 15_000;

/** What of an event is told. */
export type EventView = (event: StoredEvent) => JsonObject;

/** The stream of events after a turn. */
export function eventStream(
  hosted: HostedEpisode,
  store: EpisodeStore,
  how: { readonly after: number; readonly view: EventView },
): Response {
  let stop = (): void => undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      async start(control) {
        const encoder = new TextEncoder();
        let sent = how.after;
        const send = (event: StoredEvent): void => {
          if (event.turn <= sent) return;
          sent = event.turn;
          const data = renderJson(how.view(event));
          control.enqueue(encoder.encode(`id: ${event.turn}\nevent: turn\ndata: ${data}\n\n`));
          if (event.result.done || (control.desiredSize ?? 0) <= 0) end();
        };
        const early: StoredEvent[] = [];
        let deliver = (event: StoredEvent): void => void early.push(event);
        const off = hosted.onTurn((event) => deliver(event));
        const timer = setInterval(() => control.enqueue(encoder.encode(': still here\n\n')), KEEP_ALIVE_MS);
        timer.unref();
        let open = true;
        stop = () => {
          open = false;
          off();
          clearInterval(timer);
        };
        const end = (): void => {
          if (!open) return;
          stop();
          control.close();
        };
        for (const event of await store.events(hosted.id, how.after)) if (open) send(event);
        for (const event of early) if (open) send(event);
        deliver = (event) => {
          if (open) send(event);
        };
        if (hosted.episode.done) end();
      },
      cancel: () => stop(),
    },
    { highWaterMark: WAITING_EVENTS },
  );
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
  return new Response(body, { headers });
}
