/**
 * Room `judge`: the five-dimension rubric, verdicts and the port of judges, strict reading of what judges write, and a
 * language model as a judge.
 */

export { CHOICE_PROMPT_VERSION, MODEL_PROMPT_VERSION } from './model/judge-messages.js';
export { type JudgePrompts, loadJudgePrompts } from './model/judge-prompts.js';
export { createModelJudge, type ModelJudgeOptions } from './model/model-judge.js';
export {
  askTuring,
  type TuringAnswer,
  type TuringOptions,
  type TuringPair,
} from './model/turing-test.js';
export * from './read-choice.js';
export * from './read-verdict.js';
export * from './rubric.js';
export { type OutcomeSigns, outcomeSigns } from './rule/outcome-signs.js';
export { createRuleJudge } from './rule/rule-judge.js';
export {
  rankCorrelation,
  type SwappedChoice,
  type TuringResult,
  turingResult,
  weightedKappa,
} from './trust/agreement.js';
export {
  CORRUPTIONS,
  type Corruption,
  type LabelledCase,
  labelledCases,
} from './trust/corruptions.js';
export {
  areaUnderCurve,
  checkJudge,
  type JudgedCase,
  type JudgeTrust,
  judgeLabelled,
  judgeTrust,
  type KindTrust,
  type KnownPair,
} from './trust/judge-trust.js';
export * from './verdict.js';
