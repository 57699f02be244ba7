/**
 * Room `judge`: the five-dimension rubric, verdicts and the port of judges, and strict reading of what judges write.
 */

export { MODEL_PROMPT_VERSION } from './model/judge-messages.js';
export { type JudgePrompts, loadJudgePrompts } from './model/judge-prompts.js';
export { createModelJudge, type ModelJudgeOptions } from './model/model-judge.js';
export * from './read-choice.js';
export * from './read-verdict.js';
export * from './rubric.js';
export * from './verdict.js';
