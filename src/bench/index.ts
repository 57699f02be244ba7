/**
 * Room `bench`: measurements of what is predicted against what really happened. AgentWorldBench (infer, judging, score,
 * compare, build, verify) and `parity`, the shell against a real one.
 */

export { benchCard, type CardFacts } from './build/bench-card.js';
export {
  type BuildOptions,
  type BuiltBench,
  type BuiltRow,
  buildBench,
  type CopiedRow,
} from './build/build-bench.js';
export { findLeaks, type Leak, type LeakReport } from './build/find-leaks.js';
export { type SampleOptions, sampleTurns } from './build/sample-turns.js';
export { type ChangedExample, changedExamples } from './compare/changed-examples.js';
export {
  type ChangedRow,
  compareBenchRuns,
  type Difference,
  type GroupDifference,
  type RunComparison,
} from './compare/compare-runs.js';
export { type DataSet, type IndexedRow, type InvalidRow, openDataSet } from './files/data-set.js';
export { lockFolder } from './files/folder-lock.js';
export type { FoundResults } from './files/result-file.js';
export { costOf, estimateRun, type RunEstimate, type TokenPrice } from './infer/estimate-run.js';
export {
  createPacer,
  type PaceClock,
  type PaceLimits,
  type Pacer,
} from './infer/pacer.js';
export {
  PREDICTION_STATUSES,
  type PredictionStatus,
  predictionRecord,
  type RowOutcome,
  readOutcome,
} from './infer/prediction-record.js';
export {
  createRowPredictor,
  type RowPredictor,
  type RowPredictorOptions,
  type WorldModelOf,
} from './infer/row-predictor.js';
export { type RowWorldOptions, worldsOfRows } from './infer/row-worlds.js';
export { type InferOptions, type InferProgress, type InferReport, runInfer } from './infer/run-infer.js';
export { watchModel } from './infer/watched-model.js';
export {
  type JudgingOptions,
  type JudgingProgress,
  type JudgingReport,
  runJudging,
} from './judging/run-judging.js';
export { createEngineShell } from './parity/engine-shell.js';
export {
  type ParityCase,
  type ParitySetup,
  readParityCases,
  readParitySetups,
  type SetupFile,
} from './parity/parity-case.js';
export {
  agreement,
  type ParityReport,
  type ParityShare,
  scoreParity,
  type TriedCase,
} from './parity/parity-score.js';
export { runParity, type ShellOutcome, type ShellRunner } from './parity/run-parity.js';
export { type NamedComparison, type NamedRun, reportPage } from './report/report-page.js';
export {
  type BootstrapOptions,
  clusteredMeans,
  type MeanWithInterval,
  type Stratum,
} from './score/clustered-bootstrap.js';
export { type ExactShare, exactShares } from './score/exact-shares.js';
export { type JudgedRow, type JudgedStatus, judgedRecord, readJudged } from './score/judged-record.js';
export { BREAKDOWNS, type Breakdown, type KindsOfTurn, kindsOfTurn } from './score/kinds-of-turn.js';
export { PUBLISHED_NOTE, PUBLISHED_SCORES, type PublishedScore } from './score/published-scores.js';
export { type JudgedFile, readJudgedFile } from './score/read-judged.js';
export { renderPublished, renderScore, scoreCsv, scoreJson } from './score/render-score.js';
export { scorePage } from './score/score-page.js';
export {
  type DomainScore,
  type ExcludedRow,
  type GroupScore,
  type Points,
  type ScoreOptions,
  type ScoreReport,
  scoreRun,
} from './score/score-run.js';
export { renderTrust, type TrustReport } from './trust/render-trust.js';
export {
  type CaseLabel,
  labelOf,
  type TrustCaseOptions,
  trustCases,
  writeTrustCases,
} from './trust/trust-cases.js';
export {
  type Agreement,
  agreementOf,
  readTrustVerdicts,
  type VerdictsByKey,
} from './trust/trust-report.js';
export { runTuring, type TuringRun, turingPairs } from './trust/turing-run.js';
export { CHECK_NAMES } from './verify/check-names.js';
export { renderVerify } from './verify/render-verify.js';
export {
  type BrokenCheck,
  type CheckedAnswer,
  checkAnswer,
  readVerifyCase,
  VERIFY_AXES,
  type VerifyAxis,
  type VerifyCase,
} from './verify/verify-case.js';
export {
  readVerifyCases,
  type VerifiedCase,
  type VerifyReport,
  type VerifyShare,
  verifyPredictions,
} from './verify/verify-run.js';
