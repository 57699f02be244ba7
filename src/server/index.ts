/**
 * Room `server`: episodes behind wires. One function from `Request` to `Response`, on a socket where wanted: the
 * environment API, MCP of an episode, and the doors that keep agents from what decides their tests.
 */
export type {
  EpisodeStore,
  StoredEpisode,
  StoredEvent,
  StoredSnapshot,
  StoredSummary,
  StoredWorld,
} from './episode-store.js';
export type { HostedOptions } from './episodes.js';
export { type AttachStreams, type AttachTarget, attachStdio } from './mcp/attach-stdio.js';
export type { McpHandlers, McpPeer } from './mcp/mcp-handlers.js';
export { type StdioStreams, serveEpisodeOnStdio } from './mcp/serve-stdio.js';
export { createMemoryStore } from './memory-store.js';
export { QUOTA_KINDS, type Quota } from './quotas.js';
export { createRecordingStore, type RecordingStore } from './recording-store.js';
export {
  createService,
  type ServedEpisodeHandle,
  type Service,
  type ServiceOptions,
  type SocketDoor,
} from './service.js';
export { createServiceLog, LOG_LEVELS, type LogLevel, type LogSink, type ServiceLog } from './service-log.js';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.js';
export { type ListeningService, type StartOptions, startService } from './start-service.js';
export { storedTrajectories } from './stored-trajectories.js';
