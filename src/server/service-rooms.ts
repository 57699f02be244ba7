/**
 * What the doors of a service share: the episodes, their store, who may enter, the worlds, the MCP doors.
 */
import { ServiceError } from '../core/index.js';
import type { World } from '../worlds/index.js';
import type { Access } from './access.js';
import type { EpisodeStore } from './episode-store.js';
import type { Episodes, HostedOptions } from './episodes.js';
import type { HostedEpisode } from './hosted-episode.js';
import type { McpDoor } from './mcp/mcp-door.js';
import type { WorldDoor } from './mcp/world-door.js';
import type { ChatDoor } from './openai/chat-door.js';
import type { OpenEnvDoor } from './openenv/openenv-door.js';
import type { Quotas } from './quotas.js';

/** The shared parts of a service. */
export interface ServiceRooms {
  readonly access: Access;
  readonly episodes: Episodes;
  readonly store: EpisodeStore;
  readonly quotas: Quotas;
  /** A world that callers may name. Raises `world/not-found` and the errors of loading. */
  world(name: string): World;
  /** The MCP door of an episode; the same one each time. */
  mcpDoor(hosted: HostedEpisode): McpDoor;
  /** The MCP door of a world: a session is an episode. Raises like `world`. */
  worldDoor(name: string): WorldDoor;
  /** The world model behind the OpenAI-compatible wire. */
  readonly chatDoor: ChatDoor;
  /** The OpenEnv door of a world. Raises like `world`. */
  openEnvDoor(name: string): OpenEnvDoor;
  /** Opens an episode; what the options leave open is as the service is set up. */
  open(world: World, options: HostedOptions): Promise<HostedEpisode>;
  /** The counters as text. */
  metricsText(): string;
}

/** There is nothing under this path. */
export function noPath(method: string, path: string): ServiceError {
  const where = `${method} ${path.slice(0, 200)}`;
  return new ServiceError(`there is nothing at ${where}`, { code: 'service/not-found' });
}

/** There is no episode of this id. */
export function noEpisode(id: string): ServiceError {
  return new ServiceError(`there is no episode ${JSON.stringify(id.slice(0, 100))}`, {
    code: 'service/not-found',
  });
}
