/**
 * Room `stress`: suites, agent adapters, paired runs, verdicts, report. Find where an agent breaks, with evidence.
 */
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
