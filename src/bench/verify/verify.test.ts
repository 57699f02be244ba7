/** Rule-based verification: the cases of the package, engines and liars held against them, and cases that are none. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../core/index.js';
import { readBenchRow } from '../../domains/index.js';
import { createScriptedModel } from '../../model/index.js';
import { createLanguageWorldModel } from '../../sim/index.js';
import {
  createPacer,
  createRowPredictor,
  openDataSet,
  type RowPredictor,
  readVerifyCase,
  readVerifyCases,
  renderVerify,
  runInfer,
  type VerifyReport,
  verifyPredictions,
  watchModel,
  worldsOfRows,
} from '../index.js';

const FOLDER = fileURLToPath(new URL('../../../bench-data/verify', import.meta.url));
const data = openDataSet([FOLDER]);
const { cases, invalid } = readVerifyCases(data);

async function verified(predictor: RowPredictor): Promise<VerifyReport> {
  const out = join(mkdtempSync(join(tmpdir(), 'umwelt-verify-')), 'predictions.jsonl');
  await runInfer(data, predictor, { out, facts: {}, jobs: 1 });
  return verifyPredictions(cases, openDataSet([out]));
}

const wrongOf = ({ raw }: { readonly raw: JsonObject }): readonly JsonObject[] => {
  const { verify } = raw;
  return isJsonObject(verify) && Array.isArray(verify.wrong) ? verify.wrong.filter(isJsonObject) : [];
};

test('there are three dozen cases, as many of each axis in each domain, and each accepts what really happened', () => {
  expect([data.invalid, invalid, cases.length]).toEqual([[], [], 36]);
  const groups = new Map<string, number>();
  for (const { axis, row } of cases) {
    groups.set(`${row.domain} ${axis}`, (groups.get(`${row.domain} ${axis}`) ?? 0) + 1);
  }
  expect([...groups.values()]).toEqual(Array.from({ length: 9 }, () => 4));
});

test('the engine is right on every case that it answers, and answers all of terminal and mcp', async () => {
  const worldOf = worldsOfRows({ folders: [FOLDER], episode: { route: 'engine' } });
  const report = await verified(createRowPredictor('engine', worldOf, { plain: true }));
  expect(report.cases.filter(({ verdict }) => verdict === 'wrong' || verdict === 'unscored')).toEqual([]);
  expect(report.domains).toMatchObject({
    terminal: { right: 12, abstained: 0 },
    mcp: { right: 12, abstained: 0 },
    swe: { right: 0, abstained: 12, share: null, interval: null },
  });
});

test('a model that lies in one case breaks the checks of that case and of no other', async () => {
  for (const axis of ['controllability', 'errors', 'consistency']) {
    const lies = new Map(
      cases.filter((one) => one.axis === axis).map(({ row }) => [row.key, wrongOf(row)[0]]),
    );
    const script = cases.map(({ row }) => {
      const said = lies.get(row.key)?.observation ?? row.truth;
      return { text: `<predicted_observation>\n${String(said)}\n</predicted_observation>` };
    });
    const liar = createLanguageWorldModel(createScriptedModel(script));
    const report = await verified(createRowPredictor('liar', async () => liar));
    const broken = report.cases.filter(({ verdict }) => verdict === 'wrong');
    expect(broken.map(({ key }) => key).sort()).toEqual([...lies.keys()].sort());
    for (const one of broken) {
      expect(one.broken.map(({ id }) => id)).toEqual(
        expect.arrayContaining(lies.get(one.key)?.fails as string[]),
      );
    }
  }
});

test('no answer is wrong, an abstention is apart, an endpoint that failed is unscored, and lines tell them', async () => {
  const script = [{ text: '<think>for ever' }, { error: 'down' }, { text: 'x' }];
  const model = createLanguageWorldModel(watchModel(createScriptedModel(script), createPacer({})));
  const out = join(mkdtempSync(join(tmpdir(), 'umwelt-verify-')), 'predictions.jsonl');
  const some = data.rows.slice(0, 4);
  const asked = await runInfer(
    data,
    createRowPredictor('m', async (row) => (row.key === some[0]?.key ? { abstains: 'no' } : model)),
    { out, facts: {}, jobs: 1, only: some },
  );
  expect(asked.counts).toMatchObject({ abstained: 1, 'model-failed': 1, predicted: 1 });
  const chosen = cases.filter(({ row }) => some.some(({ key }) => key === row.key));
  const report = verifyPredictions(chosen, openDataSet([out]));
  expect(report.overall).toMatchObject({ cases: 4, right: 0, wrong: 2, abstained: 1, unscored: 1, share: 0 });
  expect(renderVerify(report).join('\n')).toMatch(/wrong: .*\n\s+.*think/);
});

test('a case whose checks refuse the truth, miss a wrong answer, or cannot be read is none, and says why', () => {
  const caseOf = (verify: JsonObject) => {
    const row = readBenchRow({
      task: 'mcp',
      id: 1,
      prompt: ['a'],
      response: ['{"n": 1}'],
      turn_idx: 1,
      verify,
    });
    if (!row.ok) throw new Error(row.error);
    const read = readVerifyCase(row.value);
    return read.ok ? 'fine' : read.error;
  };
  const checks = [{ id: 'n', expr: 'value.n == 1' }];
  const wrong = [{ observation: '{"n": 2}', fails: ['n'] }];
  const about = { axis: 'errors', title: 't', checks, wrong };
  expect(caseOf(about)).toBe('fine');
  expect(caseOf({ ...about, checks: [{ id: 'n', expr: 'value.n == 2' }] })).toBe(
    'check n does not accept what really happened: it is false',
  );
  expect(caseOf({ ...about, wrong: [{ observation: '{"n": 1}', fails: ['n'] }] })).toMatch(
    /^check n does not catch the wrong answer/,
  );
  expect(caseOf({ ...about, checks: [{ id: 'n', expr: 'vale.n == 1' }] })).toMatch(/^check n: .*"value"/);
  expect(caseOf({ ...about, checks: [...checks, ...checks] })).toBe('two checks are called n');
  expect(caseOf({ ...about, wrong: [] })).toMatch(/^verify\.wrong/);
  expect(caseOf({ ...about, axis: 'luck' })).toMatch(/^verify\.axis/);
});

test('in a terminal only what stands below the last typed command is new', () => {
  const row = readBenchRow({
    task: 'terminal',
    id: 1,
    prompt: ['[{"keystrokes":"cat a\\n","duration":1}]'],
    response: ['$ cat a\nold\n$ cat a\nnew\n$'],
    turn_idx: 1,
    verify: {
      axis: 'consistency',
      title: 't',
      checks: [{ id: 'new', expr: "lines == ['new', '$']" }],
      wrong: [
        { observation: '$ cat a\nold\n$ ls\nnew\n$', fails: ['new'] },
        { observation: 'new\n$', fails: ['new'] },
      ],
    },
  });
  if (!row.ok) throw new Error(row.error);
  expect(readVerifyCase(row.value)).toMatchObject({ ok: true });
});
