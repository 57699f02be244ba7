/**
 * Room `data`: logs of agents and services as trajectories, and trajectories as training rows. Importers, one file a
 * format; stages (filter, mask, expand, split, dedupe, export, statistics) as filters over streams.
 */

export {
  CLEAN_STEPS,
  type CleanOptions,
  type CleanStep,
  createCleanStage,
} from './clean/clean-trajectories.js';
export { REDACTED_KINDS } from './clean/redact-trajectory.js';
export {
  benchmarkTurns,
  contaminationHeaderLine,
  contaminationLine,
  readBenchmarkValue,
} from './dedupe/contamination-list.js';
export {
  BOILERPLATE_SHARE,
  CONTAMINATED_SHARE,
  type ContaminationEvidence,
  createDedupeStage,
  createGramCensus,
  type DedupeOptions,
  type GramCensus,
  NEAR_SIMILARITY,
} from './dedupe/find-duplicates.js';
export type { ColumnType, ExportChoices, ExportFormat, NoRow } from './export/export-format.js';
export { createExportStage, EXPORT_FORMATS, type ExportOptions } from './export/export-samples.js';
export { showMessages, showTokens } from './export/show-sample.js';
export { CHATML, NO_LABEL, type TokenRow, tokenFormat, tokenRow } from './export/token-rows.js';
export { openParquet, type ParquetRows } from './export/write-parquet.js';
export {
  createFilterStage,
  FEWEST_TURNS,
  type FilterOptions,
  filterRules,
} from './filter/filter-trajectories.js';
export type { ImportNote } from './import/import-format.js';
export {
  createImportStage,
  type ImportStage,
  type ImportStageOptions,
} from './import-stage.js';
export {
  type ImportOptions,
  type ImportReport,
  importFormats,
  importTrajectories,
  type TrajectoryImport,
} from './import-trajectories.js';
export {
  KEEP_RATIOS,
  maskCategory,
  SHORT_CHARACTERS,
  type TurnStatistics,
  turnStatistics,
} from './mask/mask-category.js';
export { createMaskStage, type MaskOptions, maskTurn } from './mask/mask-turns.js';
export { type FoundFiles, findFiles, mustHaveFiles } from './pipeline/find-files.js';
export { type OpenInput, openInput, parseShard, type Shard } from './pipeline/open-input.js';
export { type ByteLine, readByteLines } from './pipeline/read-lines.js';
export { openTrajectoryLines, type TrajectoryLines } from './pipeline/read-trajectories.js';
export {
  type InputReader,
  type ItemReader,
  manifestPath,
  type RunProgress,
  runStage,
  type StageOutcome,
  type StageRun,
  sampleItems,
  trajectoryItems,
} from './pipeline/run-stage.js';
export { openOutputFile, type StageOutput } from './pipeline/write-output.js';
export {
  createExpandStage,
  EXPAND_MODES,
  type ExpandMode,
  type ExpandOptions,
} from './samples/expand-samples.js';
export {
  SAMPLE_VERSION,
  type Sample,
  type SampleMessage,
  SampleMessageSchema,
  SampleSchema,
  SampleTokensSchema,
} from './samples/sample.js';
export {
  estimatingCounter,
  loadTokenizer,
  messageTokens,
  type TokenCounter,
  type Tokenizer,
} from './samples/token-counter.js';
export { PROMPT_TOKENS, WINDOW_TOKENS } from './samples/window.js';
export {
  createSplitStage,
  DEFAULT_POOLS,
  type Pool,
  parsePools,
  SPLIT_KEYS,
  type SplitKey,
  type SplitOptions,
} from './split/split-pools.js';
export { chainStages, type Drop, type DropListener, type Stage, Tally } from './stages/stage.js';
export {
  MASK_CATEGORIES,
  type MaskCategory,
  mayBeTarget,
  type TurnMask,
  type TurnTraining,
  trainingOf,
} from './stages/turn-training.js';
export { statsPage } from './stats/stats-page.js';
export { BinaryHistogram, createStatsStage } from './stats/trajectory-stats.js';
