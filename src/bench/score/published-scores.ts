/**
 * The published table of AgentWorldBench, for comparison; never this package's own results.
 *
 * Source: arXiv 2606.24597, results table. Points per domain in the order mcp, search, terminal, swe, android, web, os,
 * then the printed overall; rows of which only the overall is known have no domains.
 */

/** A row of the published table. */
export interface PublishedScore {
  readonly model: string;
  /** mcp, search, terminal, swe, android, web, os. */
  readonly domains: readonly number[] | null;
  readonly overall: number;
}

/** What stands above the table wherever it is shown. */
export const PUBLISHED_NOTE =
  'Published scores (arXiv 2606.24597) on all 2,170 rows of AgentWorldBench, by another judge; not measured here';

/** The table as printed. */
export const PUBLISHED_SCORES: readonly PublishedScore[] = [
  {
    model: 'Qwen-AgentWorld-397B-A17B',
    domains: [68.24, 37.82, 57.73, 68.49, 60.2, 50.98, 67.89],
    overall: 58.71,
  },
  { model: 'GPT-5.4', domains: [70.1, 37.26, 53.69, 66.29, 60, 51.8, 68.58], overall: 58.25 },
  { model: 'Claude Opus 4.6', domains: [69.9, 29.3, 57.51, 64.55, 61.74, 51.42, 70.2], overall: 57.8 },
  { model: 'Claude Opus 4.8', domains: [54.93, 35.14, 59.18, 64.1, 61.5, 54.66, 66.62], overall: 56.59 },
  {
    model: 'Qwen-AgentWorld-35B-A3B',
    domains: [64.79, 36.69, 53.96, 65.63, 58.17, 49.55, 65.92],
    overall: 56.39,
  },
  { model: 'Claude Sonnet 4.6', domains: [70, 28.79, 56.98, 64.52, 58.03, 50.78, 63.17], overall: 56.04 },
  { model: 'Qwen3.5-397B', domains: null, overall: 54.74 },
  { model: 'Gemini 3.1 Pro', domains: null, overall: 54.57 },
  { model: 'Kimi K2.6', domains: null, overall: 53.42 },
  { model: 'DeepSeek-V4-Pro', domains: null, overall: 52.97 },
  { model: 'GLM-5.1', domains: null, overall: 51.31 },
  { model: 'Qwen3.6-Plus', domains: null, overall: 50.81 },
  { model: 'Qwen3.5-35B', domains: [57.87, 25.98, 46.13, 47.58, 53.18, 47.1, 56.27], overall: 47.73 },
  { model: 'MiniMax-M2.7', domains: null, overall: 46.12 },
];
