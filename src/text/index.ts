/**
 * Room `text`: words in every script, how alike texts are, signatures for near duplicates, traces of benchmarks,
 * estimates of tokens, and pages of reports. Pure: no clock, no platform, the same on every Node.js.
 */

export {
  type BenchmarkTurn,
  type ContaminationFinding,
  type ContaminationIndex,
  createContaminationIndex,
  GRAM_WORDS,
  type Gram,
  type GramHit,
  gramsOf,
  SHORTEST_TURN_WORDS,
} from './contamination.js';
export { estimateTokens, MESSAGE_TOKENS } from './estimate-tokens.js';
export {
  barChart,
  type ChartBar,
  differenceChart,
  escapeHtml,
  htmlPage,
  htmlTable,
  withSeparators,
} from './html-page.js';
export {
  bandKeys,
  SIGNATURE_LENGTH,
  shingleHashes,
  shingleSimilarity,
  signatureOf,
  signatureSimilarity,
} from './min-hash.js';
export { TOKENISATION } from './scan-words.js';
export {
  characterCount,
  matchReference,
  type ReferenceMatch,
  type WordShares,
  wordShares,
} from './similarity.js';
export { UNICODE_VERSION } from './unicode-ranges.js';
export { countWords, type WordCounts, wordSet } from './word-counts.js';
