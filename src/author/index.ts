/**
 * Room `author`: making and checking worlds. From tool lists, with oracle runs and a policy that knows nothing.
 */
export {
  type CheckItem,
  type CheckOptions,
  type CheckReport,
  checkWorld,
  RANDOM_LIMIT_FRACTION,
} from './check-world.js';
export { type ExpandOptions, type ExpandSummary, expandWorlds } from './expand/expand-worlds.js';
export { type RandomPolicyOptions, type RandomPolicyReport, runRandomPolicy } from './run-random-policy.js';
export { runOracle, runScript, type ScriptRun } from './run-script.js';
export { describeTwin, type TwinReport, type TwinToolReport } from './twin/twin-report.js';
export {
  type RecordedWorld,
  type WorldFromRecordingOptions,
  worldFromRecording,
} from './twin/world-from-recording.js';
export { type OpenApiWorld, type WorldFromOpenApiOptions, worldFromOpenApi } from './world-from-openapi.js';
export {
  type ServerFacts,
  type ServerWorld,
  type WorldFromServerOptions,
  worldFromServer,
} from './world-from-server.js';
export { type WorldFromToolsOptions, worldFromTools } from './world-from-tools.js';
