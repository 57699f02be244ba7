/** Labelled cases and what verdicts on them say. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createRuleJudge, type Judge } from '../../judge/index.js';
import { createScriptedModel } from '../../model/index.js';
import {
  agreementOf,
  openDataSet,
  readTrustVerdicts,
  runJudging,
  runTuring,
  trustCases,
  turingPairs,
  writeTrustCases,
} from '../index.js';

const SEARCH = fileURLToPath(new URL('../../../bench-data/trust/search_test.jsonl', import.meta.url));
const source = openDataSet([SEARCH]);
const cases = trustCases(source, { seed: 2, rows: 6 });

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-trust-'));
  const path = join(folder, 'cases.jsonl');
  writeTrustCases(path, cases);
  return { data: openDataSet([path]), out: join(folder, 'judged.jsonl') };
}

test('cases are the same for a seed, of so many rows, and say nothing of their label to a judge', () => {
  expect(new Set(cases.map(({ row }) => row.key)).size).toBe(6);
  expect(trustCases(source, { seed: 2, rows: 6 })).toEqual(cases);
  expect(trustCases(source, { seed: 3, rows: 6 })).not.toEqual(cases);
  const { data } = place();
  expect(data.rows.length).toBe(cases.length);
  expect(
    data.rows.map((one) => data.read(one)).some(({ system, action }) => /harm|label/.test(system + action)),
  ).toBe(false);
});

test('verdicts come back with their labels, and a stricter judge agrees in rank but not in level', async () => {
  const at = place();
  const rule = createRuleJudge();
  const strict: Judge = {
    stamp: { ...rule.stamp, judge: 'strict' },
    judge: async (one) => {
      const verdict = await rule.judge(one);
      if (verdict.status === 'unscored') return verdict;
      const grades = Object.fromEntries(
        Object.entries(verdict.grades).map(([name, grade]) => [name, Math.max(1, grade - 1)]),
      ) as typeof verdict.grades;
      return { ...verdict, grades, total: Object.values(grades).reduce((sum, one) => sum + one, 0) / 5 };
    },
  };
  await runJudging(at.data, rule, { out: at.out, facts: {}, jobs: 1 });
  const other = `${at.out}.strict.jsonl`;
  await runJudging(at.data, strict, { out: other, facts: {}, jobs: 1 });
  const [first, second] = [readTrustVerdicts(at.out), readTrustVerdicts(other)];
  expect(first.domains.search).toMatchObject({ n: cases.length, unscored: 0, auc: 1 });
  expect(agreementOf(first.verdicts, first.verdicts)).toMatchObject({ same: 1, shift: 0, spearman: 1 });
  const { rows, same, shift, spearman, kappa } = agreementOf(first.verdicts, second.verdicts);
  expect([rows, same]).toEqual([cases.length, 0]);
  expect(shift).toBeLessThan(-0.5);
  expect(spearman).toBeGreaterThan(0.95);
  expect(kappa.format).toBeLessThan(0.9);
});

test('pairs of a Turing test are shown in both orders, real and made up, and the choice is read', async () => {
  const pairs = turingPairs(cases, { most: 5, seed: 1 });
  expect([pairs.length, pairs.every(({ real, other }) => real !== other)]).toEqual([5, true]);
  const asked: string[] = [];
  const knowing = createScriptedModel([]);
  const model = {
    ...knowing,
    generate: async (request: Parameters<typeof knowing.generate>[0]) => {
      const text = request.messages.at(-1)?.content ?? '';
      asked.push(text);
      const pair = pairs.find(({ row }) => request.key?.endsWith(row.key));
      const isFirst = text.indexOf(pair?.real.slice(0, 60) ?? '') < text.indexOf('Candidate B');
      const script = createScriptedModel([{ text: `It is \\boxed{${isFirst ? 'A' : 'B'}}` }]);
      return script.generate(request);
    },
  };
  const { result, answers } = await runTuring(pairs, { model, salt: 's', jobs: 3 });
  expect(asked.length).toBe(10);
  expect(answers.map(({ key }) => key)).toEqual(pairs.map(({ row }) => row.key));
  expect([result.pairs, result.unanswered]).toEqual([5, 0]);
  const silent = createScriptedModel([{ text: 'neither' }]);
  const none = await runTuring(pairs.slice(0, 1), { model: silent, salt: 's', jobs: 1 });
  expect(none.result).toMatchObject({ pairs: 1, unanswered: 1, foundReal: null });
});
