/**
 * Room `core`: the nouns and their schemas, the ports, and the pure tools that every room needs.
 *
 * No I/O, no Node built-ins, no clock.
 */
export * from './action.js';
export * from './domain.js';
export * from './engine.js';
export * from './errors.js';
export * from './hash.js';
export * from './json.js';
export * from './language-model.js';
export * from './limits.js';
export * from './nearest-name.js';
export * from './operation.js';
export * from './origin.js';
export * from './random.js';
export * from './reading-json.js';
export * from './reading-lines.js';
export * from './reading-marker.js';
export * from './reading-message.js';
export * from './reading-prediction.js';
export * from './reading-tagged.js';
export * from './result.js';
export * from './score.js';
export * from './system-prompt.js';
export * from './trajectory.js';
export * from './trajectory-lines.js';
export * from './turn.js';
export * from './world-model.js';
