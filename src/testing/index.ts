/**
 * Door `testing`: what tests of worlds and agents need, for this package and for its users.
 *
 * Models that say what they are told to, an endpoint that answers well and badly, and a builder of small worlds.
 */
export {
  createReplayModel,
  createScriptedModel,
  type ModelRecord,
  parseModelRecords,
  parseScript,
  type ScriptEntry,
} from '../model/index.js';
export { completionBody, deltaEvent, MISBEHAVIOURS, type Misbehaviour } from './misbehaviours.js';
export {
  type EndpointReply,
  type EndpointRequest,
  startTestEndpoint,
  type TestEndpoint,
} from './test-endpoint.js';
export { createTestWorld, testCall, testTool, type WorldParts } from './test-world.js';
