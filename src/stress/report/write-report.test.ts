import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { characterArenas } from '../../testing/index.js';
import type { AgentInput } from '../agents/module.js';
import { checkSurvival } from '../check-survival.js';
import type { RunRecord } from '../run-record.js';
import { escapeXml } from './render-junit.js';
import { writeReport } from './write-report.js';

const HOSTILE =
  '\u001b[31m<img src=x onerror=document.title=1>\u001b[0m\u0007 [docs](javascript:alert(1)) \u202e# ylno\u202c </script><script>document.title=2</script>';

async function records(): Promise<RunRecord[]> {
  const [world] = characterArenas();
  if (world === undefined) throw new Error('there are no arenas');
  const agent = async ({ call }: AgentInput) => {
    await call('order_list', { state: HOSTILE });
    return HOSTILE;
  };
  const { clean, record, verdict } = await checkSurvival({
    agent,
    world,
    fault: { kind: 'timeout', on: 'order_list' },
  });
  return [
    clean,
    {
      ...record,
      verdict: {
        ...verdict,
        outcome: 'failed',
        passed: false,
        blame: 'agent',
        headline: `success: ${HOSTILE}`,
      },
    },
  ];
}

function folderOf(runs: readonly RunRecord[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'umwelt-report-'));
  const suite = {
    name: `s ${HOSTILE}`,
    trials: 1,
    seed: 3,
    worlds: ['a'],
    faults: ['clean', 'timeout'],
    agents: ['function'],
  };
  const header = {
    stress: 1,
    fingerprint: 'f',
    suite,
    runs: runs.length,
    notApplicable: [],
    versions: { umwelt: '0' },
  };
  const lines = [header, ...runs].map((line) => JSON.stringify(line));
  writeFileSync(join(directory, 'results.jsonl'), `${lines.join('\n')}\n`);
  return directory;
}

test('a report holds hostile text only packed or escaped, and its policy allows its own script alone', async () => {
  const { files } = writeReport(folderOf(await records()));
  const html = readFileSync(files[0] ?? '', 'utf8');
  // The index, one chunk of turns, and the page's own script.
  expect(html.match(/<script/g)).toHaveLength(3);
  expect(html).not.toContain('<img');
  expect(html).not.toContain('\u202e');
  expect(html).toContain(
    '<title>Stress report: s [U+001B][31m&lt;img src=x onerror=document.title=1&gt;[U+001B][0m[U+0007]',
  );
  expect(
    /content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'"/.test(
      html,
    ),
  ).toBe(true);
  expect(html.match(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/g)).toBeNull();
  const chunk = /id="data-1">([^<]+)</.exec(html)?.[1] ?? '';
  const packed = JSON.parse(inflateRawSync(Buffer.from(chunk, 'base64')).toString('utf8')) as {
    pool: string[];
  };
  expect(packed.pool).toContain(HOSTILE);
});

test('junit.xml counts failures with their evidence and holds no character that XML cannot', async () => {
  const { files } = writeReport(folderOf(await records()));
  const xml = readFileSync(files[1] ?? '', 'utf8');
  expect(xml).toContain('<testsuite name="function" tests="2" failures="1" errors="0" skipped="1"');
  expect(xml).toContain('run arena-invoices/timeout/function/1, seed 3');
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
  expect(xml).not.toContain('<img');
  expect(escapeXml('a\u0000<b>\ud800')).toBe('a[U+0000]&lt;b&gt;\ufffd');
});

test('a comparison matches runs by id and says which got better and worse', async () => {
  const [clean, perturbed] = await records();
  if (clean === undefined || perturbed === undefined) throw new Error('two records are made');
  const passed = {
    ...perturbed,
    verdict: { ...perturbed.verdict, outcome: 'passed', passed: true },
  } as RunRecord;
  const before = folderOf([clean, passed]);
  const { comparison } = writeReport(folderOf([clean, perturbed]), { compareWith: before });
  expect(comparison).toMatchObject({ matched: 2, onlyBefore: 0, onlyNow: 0 });
  expect(comparison?.changed).toEqual([{ id: perturbed.id, before: true, now: false }]);
  expect(comparison?.agents[0]).toMatchObject({ agent: 'function', better: 0, worse: 1 });
});
