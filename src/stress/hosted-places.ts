/**
 * Places that our service also serves over MCP, for agents that are processes. One service for all runs of a suite, on
 * a free port of loopback, started by the first run that needs it; each run has an episode and a token of its own.
 */
import { type ListeningService, startService } from '../server/index.js';
import type { PlaceOpener } from './run-place.js';

/** Makes the opener; `close` ends the service. */
export function createHostedPlaces(): PlaceOpener {
  let service: Promise<ListeningService> | null = null;
  return {
    open: async (world, options) => {
      // No world can be opened by name: an agent must not practise on a copy of its world beside the run.
      service ??= startService({ port: 0, worlds: [] });
      const handle = await (await service).openEpisode(world, { ...options, clock: 'live', private: true });
      return {
        get episode() {
          return handle.episode;
        },
        step: (action) => handle.step(action),
        // The service's clock goes on by itself between the calls of a process.
        wait: async () => undefined,
        finish: (answer) => handle.finish(answer ?? undefined),
        onTurn: (listener) => handle.onTurn(listener),
        exposed: () => ({ mcpUrl: handle.mcpUrl, token: handle.token }),
        close: () => handle.close(),
      };
    },
    close: async () => {
      if (service !== null) await (await service).close();
    },
  };
}
