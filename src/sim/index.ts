/**
 * Room `sim`: worlds being lived in. Episodes, the Host with its routes, faults and facts, recording and replay.
 *
 * No HTTP, no scoring beyond a world's own verifiers.
 */
export { createEngineWorldModel } from './engine-world-model.js';
export {
  Episode,
  openEpisode,
  type RestoreOptions,
  restoreEpisode,
  type TurnListener,
} from './episode.js';
export { type EpisodeOptions, ROUTES, type Route } from './episode-setup.js';
export type { EndReason, EpisodeEnd } from './episode-state.js';
export {
  createHistoryWorldModel,
  type HistoryOptions,
  type HistoryPrediction,
  type HistoryWorldModel,
} from './foreign/history-world-model.js';
export { createLanguageWorldModel, type LanguageWorldOptions } from './language-world-model.js';
export {
  type Expectation,
  type ExpectedOutcome,
  expectationOf,
  type RecoveringRun,
  runRecoveringOracle,
} from './oracle/expectation-of.js';
export {
  driveRecoveringOracle,
  type OracleHands,
  type OracleStep,
  oracleStep,
  type RecoveredOracle,
} from './oracle/recovering-oracle.js';
export { type SuggestedFaults, suggestFault, suggestFaults } from './oracle/suggest-faults.js';
export { driveTerminalOracle, isTerminalWorld, type TerminalHands } from './oracle/terminal-oracle.js';
export { createPromptedWorldModel, type PromptedOptions } from './prompted-world-model.js';
export {
  createTrajectoryRecorder,
  type RecorderOptions,
  recordEpisode,
  type TrajectoryRecorder,
} from './record-trajectory.js';
export { createRecordingWorldModel, type RecordingOptions } from './recording-world-model.js';
export {
  type ReplayDifference,
  type ReplayReport,
  recordedOptions,
  repeatWait,
  replayTrajectory,
} from './replay-trajectory.js';
