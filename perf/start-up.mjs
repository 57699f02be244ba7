/**
 * Start-up: `umwelt --help`, and the first observation of a catalogue world, against a bare `node -e 0`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alternate, judged } from './measure.mjs';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

function run(...args) {
  const done = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (done.status !== 0) throw new Error(`node ${args.join(' ')} ended with ${done.status}`);
}

/** The results of this file. */
export async function measure() {
  const bare = () => run('-e', '0');
  const [helpMs, bareMs] = await alternate(() => run(MAIN, '--help'), bare, 21);
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-perf-'));
  const file = join(folder, 'one.jsonl');
  writeFileSync(file, '{"name":"list_issues","arguments":{}}\n');
  const first = () => run(MAIN, 'play', 'issue-tracker', '--actions', file);
  const [firstMs, bareAgainMs] = await alternate(first, bare, 21);
  rmSync(folder, { recursive: true, force: true });
  return [
    judged(
      {
        name: '`umwelt --help`',
        value: helpMs,
        unit: 'ms',
        against: `\`node -e 0\`, ${bareMs.toFixed(0)} ms`,
        ratio: helpMs / bareMs,
      },
      { most: 3 },
    ),
    judged(
      {
        name: 'first observation: `play issue-tracker`, one action',
        value: firstMs,
        unit: 'ms',
        against: `\`node -e 0\`, ${bareAgainMs.toFixed(0)} ms`,
        ratio: firstMs / bareAgainMs,
      },
      { most: 12 },
    ),
  ];
}
