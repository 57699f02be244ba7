/** Scores: the hard cases P-EVAL-2 and P-EVAL-3 in numbers, files of both kinds, intervals, and odd judges. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashText, type JsonObject, randomStream } from '../../core/index.js';
import { DIMENSIONS } from '../../judge/index.js';
import { clusteredMeans, readJudgedFile, renderScore, scoreCsv, scorePage, scoreRun } from '../index.js';

const graded = (task: string, id: number, grade: number, more: JsonObject = {}): JsonObject => ({
  task,
  id,
  turn_idx: 1,
  prompt: ['ls'],
  response: ['a.txt'],
  failed: 0,
  total_score: grade,
  ...Object.fromEntries(DIMENSIONS.map((one) => [one, grade])),
  ...more,
});
const failed = (id: number, status: string, reason: string): JsonObject => ({
  ...graded('terminal', id, 0),
  failed: 1,
  error_message: reason,
  umwelt_judge: { status, reason },
});

function rowsOf(records: readonly JsonObject[]) {
  const path = join(mkdtempSync(join(tmpdir(), 'umwelt-score-')), 'judged.jsonl');
  writeFileSync(path, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return readJudgedFile(path);
}
const score = (records: readonly JsonObject[]) => scoreRun(rowsOf(records).rows);

test('the headline is the mean of the domains, the mean over rows stands beside it', () => {
  const records = [
    ...Array.from({ length: 8 }, (_, i) => graded('terminal', i, 5)),
    ...Array.from({ length: 2 }, (_, i) => graded('search', i, 1)),
    ...Array.from({ length: 2 }, (_, i) => graded('x/mcp', i, 3)),
  ];
  const report = score(records);
  expect(report.domains.map(({ domain, points }) => [domain, points])).toEqual([
    ['mcp', 50],
    ['search', 0],
    ['terminal', 100],
  ]);
  expect([report.overall.points, report.rowMean, report.referenceCompatible.points]).toEqual([50, 75, 75]);
  const without = score(
    records.map((one) => (one.task === 'search' ? { ...one, failed: 1, gen: 'x' } : one)),
  );
  expect([without.overall.points, without.overall.domains, without.overall.ofDomains]).toEqual([75, 2, 3]);
  expect(renderScore(without)[0]).toContain('over 2 of 3 domains');
});

test('what the model failed is the floor; what judge and endpoint failed is left out, listed and bounded', () => {
  const report = score([
    graded('terminal', 1, 4),
    graded('terminal', 2, 4),
    graded('terminal', 3, 4),
    failed(4, 'model-failed', 'the reply ends inside the thinking'),
    failed(5, 'judge-failed', 'missing quality'),
    failed(6, 'infrastructure', 'no answer'),
  ]);
  expect(report.overall.points).toBe(56.25);
  expect(report.overall.bounds?.map((one) => one.toFixed(2))).toEqual(['37.50', '70.83']);
  expect(report.referenceCompatible).toEqual({ points: 75, rows: 3 });
  expect(report.excluded).toEqual([
    { key: 'terminal/5#1', status: 'judge-failed', reason: 'missing quality' },
    { key: 'terminal/6#1', status: 'infrastructure', reason: 'no answer' },
  ]);
  expect([report.isIncomplete, report.excludedFraction]).toEqual([true, 1 / 3]);
});

test('abstentions are told as coverage, and coverage times points', () => {
  const report = score([
    graded('terminal', 1, 5),
    graded('terminal', 2, 3),
    failed(3, 'abstained', 'no engine'),
    failed(4, 'abstained', 'no engine'),
  ]);
  const { points, coverage, coveredPoints } = report.overall;
  expect([points, coverage, coveredPoints]).toEqual([75, 0.5, 37.5]);
});

test('files of the reference script are read: its failures by cause, its made-up zeros as no verdict', () => {
  const report = score([
    graded('mcp', 1, 4),
    { ...graded('mcp', 2, 4), quality: 0, total_score: 4 },
    {
      task: 'mcp',
      id: 3,
      turn_idx: 1,
      prompt: ['a'],
      response: ['b'],
      gen: '',
      failed: 1,
      error_message: 'No model generation',
    },
    {
      task: 'mcp',
      id: 4,
      turn_idx: 1,
      prompt: ['a'],
      response: ['b'],
      gen: 'x',
      failed: 1,
      total_score: 0,
      error_message: 'Judge scoring failed',
    },
    { task: 'mcp', failed: 0, total_score: 5, ...Object.fromEntries(DIMENSIONS.map((one) => [one, 5])) },
  ]);
  expect(report.counts).toEqual({
    scored: 2,
    'model-failed': 1,
    abstained: 0,
    'judge-failed': 2,
    infrastructure: 0,
  });
  expect(report.referenceCompatible).toEqual({ points: ((4 + 4 + 5) / 3 - 1) * 25, rows: 3 });
});

test('a row that is there twice counts once; torn and foreign lines are told', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'umwelt-score-')), 'judged.jsonl');
  const line = JSON.stringify(graded('mcp', 1, 4));
  writeFileSync(path, `${line}\n${line}\n{"task":"defi"}\n{"task":"mcp","id":2`);
  const { rows, problems } = readJudgedFile(path);
  expect(rows.length).toBe(1);
  expect(problems).toEqual([
    'line 3: no judged row of a known domain, for it has no task or no verdict',
    'line 4: incomplete last line; left out',
    '1 rows are there more than once; the first of each counts',
  ]);
});

test('verdicts of two judges are refused', () => {
  const stamp = (judge: string): JsonObject => ({
    status: 'scored',
    judge,
    promptVersion: '1',
    parserVersion: '1',
  });
  const records = ['a', 'b'].map((judge, id) => graded('mcp', id, 4, { umwelt_judge: stamp(judge) }));
  expect(() => score(records)).toThrow(/verdicts of 2 judges or versions are mixed/);
});

test('a judge that does not look is told of', () => {
  const flat = score(Array.from({ length: 12 }, (_, id) => graded('mcp', id, 5, { extracted_output: 'z' })));
  expect(flat.warnings).toEqual(['all 12 verdicts are the same grades']);
  const lying = score([graded('mcp', 1, 2, { extracted_output: 'a.txt' })]);
  expect(lying.warnings[0]).toContain(
    '1 of 1 predictions that equal the real observation were graded below 4',
  );
});

test('breakdowns follow the turn, the history, the action and the content', () => {
  const report = score([
    graded('terminal', 1, 5),
    graded('terminal', 2, 1, { prompt: ['ls', 'cat a.txt'], response: ['a.txt', 'hello'], turn_idx: 2 }),
  ]);
  const seen = (name: 'turn' | 'history' | 'action') =>
    report.breakdowns[name].map(({ group, points }) => [group, points]);
  expect(seen('turn')).toEqual([
    ['turn 1', 100],
    ['turns 2–3', 0],
  ]);
  expect(seen('history')).toEqual([
    ['no history', 100],
    ['to 1k tokens', 0],
  ]);
  expect(seen('action')).toEqual([
    ['terminal: ls', 100],
    ['terminal: cat', 0],
  ]);
});

test('the page and the table hold hostile text as text', () => {
  const evil = '=1+1"<script>alert(1)</script>';
  const records = [graded('mcp', 1, 4), { ...failed(2, 'infrastructure', evil), task: 'mcp' }];
  const { rows } = rowsOf(records);
  const page = scorePage(scoreRun(rows), 'Scores <b>');
  expect(page).not.toContain('<script>');
  expect(page).toContain('&#60;script&#62;');
  expect(scoreCsv(rows).split('\r\n')[2]).toContain(`,"'=1+1""<script>alert(1)</script>"`);
});

/** One draw of a benchmark of G trajectories with 1 to 5 rows each, skewed, alike within a trajectory. */
function drawn(seed: number, count: number): { readonly clusters: number[]; readonly values: number[] } {
  const random = randomStream(seed, 'coverage');
  const clusters: number[] = [];
  const values: number[] = [];
  for (let cluster = 0; cluster < count; cluster++) {
    const isHard = random.chance(0.15);
    const rows = random.integer(1, 5);
    for (let i = 0; i < rows; i++) {
      clusters.push(cluster);
      values.push(isHard ? 25 * random.integer(0, 2) : 25 * random.integer(2, 4));
    }
  }
  return { clusters, values };
}

test('intervals of fifty trajectories hold the true mean about 95 times of 100', () => {
  const truth = 0.15 * 25 + 0.85 * 75;
  const runs = 300;
  let hits = 0;
  for (let seed = 0; seed < runs; seed++) {
    const { clusters, values } = drawn(seed, 50);
    const [mean] = clusteredMeans([{ clusters, count: 50, values: [values] }], { seed, replicates: 600 });
    const [low, high] = mean?.interval ?? [0, 0];
    if (low <= truth && truth <= high) hits += 1;
  }
  expect(hits / runs).toBeGreaterThan(0.92);
  expect(hits / runs).toBeLessThan(0.98);
});

test('the same seed gives the same interval; one trajectory gives none', () => {
  const { clusters, values } = drawn(1, 20);
  const once = clusteredMeans([{ clusters, count: 20, values: [values] }], { seed: 3 });
  expect(clusteredMeans([{ clusters, count: 20, values: [values] }], { seed: 3 })).toEqual(once);
  expect(clusteredMeans([{ clusters: [0, 0], count: 1, values: [[1, 3]] }])).toEqual([
    { mean: 2, interval: null, rows: 2, clusters: 1 },
  ]);
});

test('trajectories that are all alike leave room for those that were not drawn, the less the more there are', () => {
  const alike = (count: number, value: number) => {
    const clusters = Array.from({ length: count }, (_, at) => at);
    return { clusters, count, values: [clusters.map(() => value)] };
  };
  const share = (count: number): number => 1 - 0.025 ** (1 / count);
  expect(clusteredMeans([alike(50, 100)])[0]?.interval).toEqual([100 - 100 * share(50), 100]);
  const thirds = clusteredMeans([alike(3, 100 / 3)])[0]?.interval ?? [0, 0];
  expect(thirds[0]).toBeCloseTo((100 / 3) * (1 - share(3)), 9);
  expect(thirds[1]).toBeCloseTo(100 / 3 + (200 / 3) * share(3), 9);
  const two = clusteredMeans([alike(50, 100), alike(50, 100)])[0]?.interval ?? [0, 0];
  expect(two[0]).toBeCloseTo(100 - (100 * share(50)) / Math.SQRT2, 9);
});

test('thousands of trajectories are drawn several at a time, and the interval is as wide as it has to be', () => {
  const count = 9_000;
  const clusters = Array.from({ length: count }, (_, at) => at);
  const values = [clusters.map((at) => (hashText(String(at)).charCodeAt(0) % 2) * 100)];
  const [mean] = clusteredMeans([{ clusters, count, values }]);
  const [low, high] = mean?.interval ?? [0, 0];
  expect([mean?.rows, mean?.clusters]).toEqual([count, count]);
  expect((high - low) / (2 * 1.96 * (50 / Math.sqrt(count)))).toBeCloseTo(1, 0);
});

test('intervals hold the true mean where one trajectory in twenty fails, which many samples do not show', () => {
  let hits = 0;
  for (let seed = 0; seed < 300; seed++) {
    const random = randomStream(seed, 'rare');
    const values = Array.from({ length: 50 }, () => (random.chance(0.05) ? 0 : 100));
    const stratum = { clusters: values.map((_, at) => at), count: 50, values: [values] };
    const [low, high] = clusteredMeans([stratum], { seed, replicates: 400 })[0]?.interval ?? [0, 0];
    if (low <= 95 && 95 <= high) hits += 1;
  }
  expect(hits / 300).toBeGreaterThan(0.93);
});

test('intervals hold the true mean where one row in twenty fails among grades near the ceiling', () => {
  let hits = 0;
  for (let seed = 0; seed < 200; seed++) {
    const random = randomStream(seed, 'rare among varied');
    const values = Array.from({ length: 50 }, () =>
      random.chance(0.05) ? 0 : 85 + 5 * random.integer(0, 3),
    );
    const stratum = { clusters: values.map((_, at) => at), count: 50, values: [values] };
    const [low, high] = clusteredMeans([stratum], { seed, replicates: 400 })[0]?.interval ?? [0, 0];
    if (low <= 0.95 * 92.5 && 0.95 * 92.5 <= high) hits += 1;
  }
  expect(hits / 200).toBeGreaterThan(0.9);
});

test('a prediction that was never judged is no judged row', () => {
  const { rows, problems } = rowsOf([{ task: 'terminal', id: 1, turn_idx: 1, gen: 'x' }]);
  expect(rows).toEqual([]);
  expect(problems).toEqual(['line 1: no judged row of a known domain, for it has no task or no verdict']);
});

test('one odd trajectory among equal ones widens the interval, and not to the whole scale', () => {
  const clusters = Array.from({ length: 20 }, (_, at) => at);
  const values = clusters.map((at) => (at === 7 ? 80 : 100));
  const [low, high] = clusteredMeans([{ clusters, count: 20, values: [values] }])[0]?.interval ?? [0, 0];
  expect([low < 99, low > 80, high >= 99 && high <= 100]).toEqual([true, true, true]);
});
