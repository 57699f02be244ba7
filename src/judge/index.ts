/**
 * Room `judge`: the five-dimension rubric, verdicts and the port of judges, and strict reading of what judges write.
 */
export * from './read-choice.js';
export * from './read-verdict.js';
export * from './rubric.js';
export * from './verdict.js';
