import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { countsOf, importBytes } from './import-fixture.contract.js';

const SAMPLES = fileURLToPath(new URL('../../../../shared/samples', import.meta.url));

/** File → pairs, dangling calls, orphans, parallel groups, as counted by other programs or from the plan of a recording. */
const COUNTED: Readonly<Record<string, readonly [number, number, number, number]>> = {
  'claude-code/edge-cases-v1.jsonl': [1, 2, 0, 0],
  'claude-code/v2.0.76-compaction.jsonl': [10, 0, 0, 0],
  'claude-code/v2.0.76-subagents-todos.jsonl': [22, 0, 0, 4],
  'claude-code/v2.1.12-foreign-summaries.jsonl': [7, 0, 0, 0],
  'claude-code/v2.1.12-glued-lines.jsonl': [8, 0, 0, 0],
  'claude-code/v2.1.17-bash-heavy.jsonl': [17, 0, 0, 3],
  'claude-code/v2.1.22-parallel-errors.jsonl': [10, 0, 0, 4],
  'claude-code/v2.1.33-hooks.jsonl': [3, 0, 0, 0],
  'claude-code/v2.1.34-one-write.jsonl': [1, 0, 0, 0],
  'claude-code/v2.1.4-dangling-task.jsonl': [0, 1, 0, 0],
  'claude-code/fixture-subagent/0a1b2c3d.jsonl': [0, 1, 0, 0],
  'claude-code/fixture-subagent/0a1b2c3d/subagents/agent-a0ad4f44468bdf20d.jsonl': [0, 1, 1, 0],
  'codex/fixture-0.50-legacy.jsonl': [0, 0, 0, 0],
  'codex/rec-0.171-a.jsonl': [7, 0, 0, 1],
  'codex/rec-0.50.jsonl': [7, 0, 0, 1],
  'gemini-cli/fixture-jsonl-v0.40.jsonl': [1, 0, 0, 0],
  'gemini-cli/rec-0.61-a.jsonl': [7, 0, 0, 1],
  'gemini-cli/rfc-gemini.json': [0, 0, 0, 0],
  'gemini-cli/session-one-call.json': [1, 0, 0, 0],
  'gemini-cli/session-two-calls.json': [2, 0, 0, 0],
  'qwen-code/fixture-1.jsonl': [1, 0, 0, 0],
  'qwen-code/fixture-telemetry.jsonl': [1, 0, 0, 0],
  'qwen-code/rec-0.15-a.jsonl': [7, 0, 0, 1],
  'openai-responses/deferred-tools.json': [3, 0, 0, 0],
  'openai-responses/google-search-a.jsonl': [2, 0, 0, 0],
  'openai-responses/newton-reasoning.jsonl': [8, 0, 0, 0],
  'openai-responses/prompt-injection.jsonl': [2, 0, 0, 0],
  'openai-responses/workplace.jsonl': [4, 0, 0, 0],
};

test.skipIf(!existsSync(SAMPLES))(
  'every sample is told by its content and gives the counted pairs',
  async () => {
    const found: Record<string, readonly [string | null, ...(readonly number[])]> = {};
    for (const file of Object.keys(COUNTED)) {
      const { report } = await importBytes(readFileSync(join(SAMPLES, file)));
      found[file] = [report.format, ...countsOf(report)];
    }
    const wanted = Object.entries(COUNTED).map(([file, counts]) => [file, [file.split('/')[0], ...counts]]);
    expect(found).toEqual(Object.fromEntries(wanted));
  },
);
