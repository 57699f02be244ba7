/**
 * Room `bench`: measurements of what this package predicts against what really happened. So far `parity`, the shell.
 */
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
