/**
 * Door `testing`: what tests of worlds and agents need, for this package and for its users.
 *
 * Models that say what they are told to, and a builder of small worlds.
 */
export {
  createReplayModel,
  createScriptedModel,
  type ModelRecord,
  parseModelRecords,
  parseScript,
  type ScriptEntry,
} from '../model/index.js';
export { createTestWorld, testCall, testTool, type WorldParts } from './test-world.js';
