/**
 * Room `stress`: suites, agent adapters, paired runs, verdicts, report. Find where an agent breaks, with evidence.
 */

export {
  type Agent,
  AgentFailure,
  type AgentReport,
  type AgentSession,
  AgentStopped,
  type CallResult,
  type Exposed,
  type RunAccess,
  type Spending,
} from './agent.js';
export { type AgentContext, createAgents, publicSpec } from './agent-spec.js';
export { createCarefulAgent } from './agents/careful.js';
export { createCarelessAgent } from './agents/careless.js';
export { type AgentFunction, type AgentInput, createFunctionAgent } from './agents/module.js';
export { takeStrayError } from './agents/stray-errors.js';
export { type BrokenFiles, writeBrokenWorld } from './broken-world.js';
export {
  checkSurvival,
  type Survival,
  type SurvivalOptions,
  type TestedAgent,
  type TestedFault,
} from './check-survival.js';
export { type FaultSet, type NamedFaults, NO_FAULTS } from './fault-sets.js';
export { createHostedPlaces } from './hosted-places.js';
export type { VerdictJudge } from './judge/ask-judge.js';
export type { JudgeLog } from './judge/judge-log.js';
export { openJudge } from './judge/open-judge.js';
export { type JudgeInput, judgeRun } from './judge-run.js';
export { createSuite, loadSuiteFile, type Suite, type SuiteChoices } from './load-suite.js';
export { type ReportOptions, type WrittenReport, writeReport } from './report/write-report.js';
export {
  RESULTS_FILE,
  ResultsFile,
  type ResultsHeader,
  type ResultsLine,
  readResults,
} from './results-file.js';
export { type ResultsTable, resultsTable, type SuiteTotals } from './results-table.js';
export {
  createEffectLog,
  type EffectLog,
  type RowEffect,
  RowEffectSchema,
  watchEffects,
} from './row-effects.js';
export { DEFAULT_BUDGET, type RunBudget } from './run-budget.js';
export { type FinishedRun, type RunPlan, type RunSetting, runOne } from './run-one.js';
export { LOCAL_PLACES, type PlaceOpener, type RunPlace } from './run-place.js';
export {
  CLEAN,
  END_REASONS,
  OUTCOME_CLASSES,
  type OutcomeClass,
  RUN_RECORD_VERSION,
  type RunEndReason,
  type RunRecord,
  RunRecordSchema,
} from './run-record.js';
export { type RunStatus, runStatus } from './run-status.js';
export { type JudgeRecord, type RunSuiteOptions, runSuite } from './run-suite.js';
export {
  BLAMES,
  type Blame,
  type RunVerdict,
  RunVerdictSchema,
  VERDICT_IDS,
  type Verdict,
  type VerdictId,
} from './run-verdict.js';
export { type SearchOptions, type SearchResult, type SearchSubject, searchBreak } from './search.js';
export { type Comparison, renderComparison } from './statistics/compare-runs.js';
export {
  SUITE_VERSION,
  type SuiteAgent,
  type SuiteFile,
  SuiteFileSchema,
  type SuiteJudge,
} from './suite-file.js';
export { suiteJsonSchema } from './suite-json-schema.js';
export { createSuiteJudge } from './suite-judge.js';
export { type NotApplicable, planSuite, type SuitePlan } from './suite-plan.js';
export { type NewSuite, suiteText } from './suite-text.js';
export type { JudgedRun } from './verdict/judged-run.js';
export type { Expectation } from './verdict/rule-case.js';
export { secretsOf } from './without-secrets.js';
export { createReference, type WorldReference } from './world-reference.js';
