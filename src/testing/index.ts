/**
 * Door `testing`: what tests of worlds and agents need, for this package and for its users.
 *
 * Models that say what they are told to, an endpoint that answers well and badly, a builder of small worlds, and agents of
 * known character with the matrix that measures verdicts by them.
 */
export {
  createReplayModel,
  createScriptedModel,
  type ModelRecord,
  parseModelRecords,
  parseScript,
  type ScriptEntry,
} from '../model/index.js';
export { characterArenas } from './characters/arenas.js';
export { badCharacters } from './characters/bad-characters.js';
export type { Character, CharacterSession, SeenResult } from './characters/character.js';
export { goodCharacters } from './characters/good-characters.js';
export { catalogueFaults, matrixFaults, measuredFaults } from './characters/matrix-faults.js';
export { type PlayedRun, playCharacter } from './characters/play-character.js';
export {
  type MatrixCell,
  type MatrixFault,
  type MatrixSummary,
  renderMatrix,
  runVerdictMatrix,
  summariseMatrix,
} from './characters/verdict-matrix.js';
export { type HeldOut, type HeldOutPart, heldOut } from './held-out/index.js';
export { completionBody, deltaEvent, MISBEHAVIOURS, type Misbehaviour } from './misbehaviours.js';
export {
  type BadModel,
  createBadModels,
  createForgetfulModel,
  createHelpfulModel,
  createLyingModel,
} from './simulators/characters.js';
export {
  type LongRunOptions,
  type LongRunReport,
  liveInTerminal,
  liveWithTools,
} from './simulators/long-run.js';
export { type AskedQuestion, createSimulator } from './simulators/simulator.js';
export { type MatcherResult, survivalMatchers } from './survival-matchers.js';
export {
  type EndpointReply,
  type EndpointRequest,
  startTestEndpoint,
  type TestEndpoint,
} from './test-endpoint.js';
export { createTestWorld, testCall, testTool, type WorldParts } from './test-world.js';
