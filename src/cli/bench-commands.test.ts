/** The `bench` commands as a user types them, in this process: exit codes, JSON, files, resuming, refusals. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nearestName } from '../core/index.js';
import { completionBody, startTestEndpoint } from '../testing/index.js';
import { readArguments } from './arguments.js';
import { BENCH_COMMANDS } from './bench-commands.js';
import { exitCodeOf, failureOf } from './failure.js';

const DATA = fileURLToPath(new URL('../../bench-data', import.meta.url));

interface Ran {
  readonly code: number;
  /** Lines of standard output and of standard error. */
  readonly out: readonly string[];
  readonly notes: readonly string[];
  /** The last line of standard output as JSON; the failure where there is one. */
  // biome-ignore lint/suspicious/noExplicitAny: what a command prints is looked at key by key
  readonly json: any;
}

async function bench(...words: readonly string[]): Promise<Ran> {
  const argv = ['bench', ...words];
  const request = readArguments(argv, BENCH_COMMANDS, nearestName);
  const [out, notes]: [string[], string[]] = [[], []];
  const done = (code: number, failure?: unknown): Ran => ({
    code,
    out,
    notes,
    json: failure ?? (argv.includes('--json') ? JSON.parse(out.at(-1) ?? 'null') : null),
  });
  if (request.ask === 'usage') return done(exitCodeOf(request.failure), request.failure);
  if (request.ask !== 'run') throw new Error(`asked for ${request.ask}`);
  const { flags, words: named, dashed } = request;
  const output = {
    json: argv.includes('--json'),
    line: (text: string) => void out.push(text),
    note: (text: string) => void notes.push(text),
    style: (text: string) => text,
  };
  try {
    const body = await request.command.load();
    return done(await body.run({ flags, words: named, dashed, output }));
  } catch (error) {
    const failure = failureOf(error);
    return done(exitCodeOf(failure), failure);
  }
}

const fresh = (): string => mkdtempSync(join(tmpdir(), 'umwelt-bench-cli-'));
const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean);

function put(path: string, ...values: readonly unknown[]): string {
  const text = (one: unknown): string => (typeof one === 'string' ? one : JSON.stringify(one));
  writeFileSync(path, values.map((one) => `${text(one)}\n`).join(''));
  return path;
}

const row = (id: number, more: object = {}) => ({
  task: 'mcp',
  id,
  system_str: 'S',
  prompt: ['{"name":"get","arguments":{}}'],
  response: [`{"n": ${id}}`],
  turn_idx: 1,
  ...more,
});
const grades = (grade: number): string =>
  `<final_evaluation-{mark}>{"strengths":[],"weaknesses":[],"scores":{"format":${grade},"factuality":${grade},"consistency":${grade},"realism":${grade},"quality":${grade}}}</final_evaluation-{mark}>`;
const saying = (text: string): object => ({ text: `<predicted_observation>${text}</predicted_observation>` });

test('predict, judge, score, compare and report: one folder a run, each step prints JSON', async () => {
  const at = fresh();
  const data = put(join(at, 'mcp_test.jsonl'), ...[1, 2, 3, 4].map((id) => row(id)));
  const good = put(join(at, 'good.jsonl'), ...[1, 2, 3, 4].map((id) => saying(`{"n": ${id}}`)));
  const bad = put(join(at, 'bad.jsonl'), ...[1, 2, 9, 9].map((id) => saying(`{"n": ${id}}`)));
  for (const [name, script] of [
    ['a', good],
    ['b', bad],
  ] as const) {
    const folder = join(at, name);
    const model = ['--model', `scripted:${script}`, '--jobs', '1'];
    const asked = await bench('infer', data, ...model, '--out', folder, '--json');
    expect([asked.code, asked.json.counts]).toEqual([
      0,
      { predicted: 4, abstained: 0, 'model-failed': 0, infrastructure: 0 },
    ]);
    const judged = await bench('judge', join(folder, 'predictions.jsonl'), '--json');
    expect([judged.code, judged.json.judge, judged.json.scored]).toEqual([0, 'rule', 4]);
  }
  const [html, csv] = [join(at, 'a.html'), join(at, 'a.csv')];
  const scored = await bench('score', join(at, 'a'), '--html', html, '--csv', csv, '--json');
  expect([scored.code, scored.json.overall.points, scored.json.counts.scored]).toEqual([0, 100, 4]);
  expect(linesOf(csv)).toHaveLength(5);
  const told = await bench('score', join(at, 'b'), '--published');
  expect(told.out[0]).toMatch(/^Overall \(domain mean\): \d+\.\d\d, 95 % /);
  expect(told.out.join('\n')).toContain('Claude Opus 4.6');
  const compared = await bench('compare', join(at, 'a'), join(at, 'b'), '--json');
  expect([compared.code, compared.json.wins, compared.json.ties, compared.json.losses]).toEqual([0, 0, 2, 2]);
  expect(compared.json.examples[0]).toMatchObject({
    real: '{"n": 3}',
    firstSaid: '{"n": 3}',
    secondSaid: '{"n": 9}',
  });
  const page = join(at, 'report.html');
  const reported = await bench('report', join(at, 'a'), join(at, 'b'), '--out', page, '--json');
  expect([reported.code, reported.json.runs.map(({ name }: { name: string }) => name)]).toEqual([
    0,
    ['a', 'b'],
  ]);
  const text = readFileSync(page, 'utf8');
  expect([
    text.includes('b minus a'),
    text.match(/<svg/g)?.length,
    /<script|https?:\/\/(?!www\.w3)/.test(text),
  ]).toEqual([true, 13, false]);
  expect(text.includes('Published scores (arXiv 2606.24597)')).toBe(true);
});

test('a run that was cut at any byte ends as if it had not been', async () => {
  const at = fresh();
  const data = put(join(at, 'mcp_test.jsonl'), row(1), row(2), row(3));
  const script = put(join(at, 's.jsonl'), ...[1, 2, 3].map(() => saying('{"n": 1}')));
  const infer = ['infer', data, '--model', `scripted:${script}`, '--jobs', '1', '--out', at];
  await bench(...infer);
  const path = join(at, 'predictions.jsonl');
  const whole = readFileSync(path, 'utf8');
  for (const cut of [1, 40, whole.length / 2, whole.length - 1].map(Math.floor)) {
    writeFileSync(path, whole.slice(0, cut));
    const again = await bench(...infer, '--json');
    expect([again.code, readFileSync(path, 'utf8')], String(cut)).toEqual([0, whole]);
  }
  const judge = ['judge', path];
  await bench(...judge);
  const verdicts = readFileSync(join(at, 'judged.jsonl'), 'utf8');
  writeFileSync(join(at, 'judged.jsonl'), verdicts.slice(0, verdicts.length - 50));
  const again = await bench(...judge, '--json');
  expect([again.json.before.torn, again.json.done]).toEqual([1, 1]);
  expect(readFileSync(join(at, 'judged.jsonl'), 'utf8')).toBe(verdicts);
});

test('calls that failed are exit code 3 and tried again; rows that are none are told', async () => {
  const at = fresh();
  const data = put(join(at, 'mcp_test.jsonl'), row(1), row(2), '{"torn', row(3, { turn_idx: 7 }));
  const half = put(join(at, 'half.jsonl'), saying('{"n": 1}'), { error: 'overloaded' });
  const infer = (script: string) =>
    bench('infer', data, '--model', `scripted:${script}`, '--jobs', '1', '--out', at, '--json');
  const first = await infer(half);
  expect([first.code, first.json.counts.infrastructure, first.json.invalid.length]).toEqual([3, 1, 2]);
  const other = put(join(at, 'other.jsonl'), saying('{"n": 2}'));
  const refused = await infer(other);
  expect([refused.code, refused.json.message]).toEqual([
    2,
    expect.stringMatching(/model was .*half.* and is .*other/),
  ]);
  writeFileSync(half, readFileSync(other));
  const second = await infer(half);
  expect([second.code, second.json.done, second.json.before.retried]).toEqual([3, 1, 1]);
});

test('verdicts of two judges, or on two files of predictions, are never mixed', async () => {
  const at = fresh();
  const prediction = (id: number) => ({
    ...row(id),
    gen: '<predicted_observation>x</predicted_observation>',
  });
  const path = put(join(at, 'predictions.jsonl'), prediction(1), prediction(2));
  const script = put(join(at, 'judge.jsonl'), { text: grades(4) }, { text: grades(2) });
  const judged = await bench('judge', path, '--judge', `scripted:${script}`, '--jobs', '1', '--json');
  expect([judged.code, judged.json.scored]).toEqual([0, 2]);
  const rule = await bench('judge', path);
  expect([rule.code, rule.json.message]).toEqual([
    2,
    expect.stringMatching(/judge was .*scripted.* and is "rule"/),
  ]);
  const other = put(join(at, 'other.jsonl'), prediction(1));
  const wrongFile = await bench('judge', other, '--judge', `scripted:${script}`);
  expect([wrongFile.code, wrongFile.json.message]).toEqual([
    2,
    expect.stringMatching(/predictions was "predictions\.jsonl" and is "other\.jsonl".*--out/),
  ]);
  const elsewhere = await bench('judge', path, '--out', join(at, 'by-rule'));
  expect(elsewhere.code).toBe(0);
  const mixed = put(
    join(at, 'mixed.jsonl'),
    ...[linesOf(join(at, 'judged.jsonl'))[0], linesOf(join(at, 'by-rule', 'judged.jsonl'))[1]],
  );
  for (const words of [
    ['score', mixed],
    ['report', mixed, '--out', join(at, 'r.html')],
    ['compare', join(at, 'judged.jsonl'), join(at, 'by-rule')],
  ]) {
    const refused = await bench(...words);
    expect([refused.code, refused.json.message], words[0]).toEqual([1, expect.stringMatching(/judges?/)]);
  }
});

test('a judge that calls everything perfect is refused before it judges, with what it said', async () => {
  const at = fresh();
  const path = put(join(at, 'predictions.jsonl'), { ...row(1), gen: 'x' });
  const endpoint = await startTestEndpoint(({ body }) => {
    const mark = /mark of this question is (\w+)/.exec(JSON.stringify(body))?.[1] ?? '';
    return { body: [completionBody({ content: grades(5).replaceAll('{mark}', mark) })] };
  });
  const refused = await bench('judge', path, '--judge', `flatterer@${endpoint.baseUrl}`);
  await endpoint.close();
  expect([refused.code, refused.json.message]).toEqual([
    2,
    expect.stringMatching(
      /flatterer.* does not tell a right observation \(5 5 5 5 5\) from a wrong one \(5 5 5 5 5\).*Nothing was judged/,
    ),
  ]);
  expect([endpoint.requests.length, existsSync(join(at, 'judged.jsonl'))]).toEqual([2, false]);
});

test('what is not there, not known or empty is exit code 2 and names the next step', async () => {
  const at = fresh();
  const empty = put(join(at, 'empty.jsonl'));
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['infer', join(at, 'nowhere')], /there is no .*nowhere/],
    [['infer', at, '--domain', 'terminl'], /no \*_test\.jsonl/],
    [['infer', empty, '--domain', 'terminl', '--out', at], /did you mean terminal/],
    [['infer', empty, '--price', 'cheap', '--estimate'], /two numbers/],
    [['judge', empty], /holds no rows/],
    [['judge', empty, '--judge', 'nonsense'], /holds no rows|wanted rule/],
    [['score', empty], /holds no judged rows/],
    [['score', join(at, 'nowhere')], /there is no/],
    [['report', empty, '--out', join(at, 'r.html')], /holds no judged rows/],
    [['report', empty, '--out', empty], /is the file that JUDGED is read from/],
    [['verify', empty], /holds no case/],
    [['trust', empty], /gives no case/],
    [['build', empty], /--out DIR is needed/],
    [['build', empty, '--out', at], /give no row/],
    [['parse', empty], /--kind is needed/],
    [['parse', '--kind', 'judges', empty], /judge/],
    [['scor', at], /score|no command|takes no/],
  ];
  for (const [words, message] of cases) {
    const { code, json } = await bench(...words);
    expect([code, json?.message], words.join(' ')).toEqual([2, expect.stringMatching(message)]);
  }
});

test('verify: a liar is exit code 4, predictions made elsewhere are checked, a bad case is told', async () => {
  const at = fresh();
  const verify = {
    axis: 'errors',
    title: 't',
    checks: [{ id: 'n', expr: 'value.n == 1' }],
    wrong: [{ observation: 'done', fails: ['n'] }],
  };
  const cases = put(join(at, 'mcp_test.jsonl'), row(1, { verify }));
  const lies = put(join(at, 'lies.jsonl'), saying('{"n": 7}'));
  const out = join(at, 'out');
  const lied = await bench('verify', cases, '--model', `scripted:${lies}`, '--out', out, '--json');
  expect([lied.code, lied.json.axes.errors.wrong, lied.json.cases[0].broken]).toEqual([
    4,
    1,
    [{ id: 'n', expr: 'value.n == 1', why: 'it is false' }],
  ]);
  expect(JSON.parse(readFileSync(join(out, 'verify.json'), 'utf8'))).toEqual(lied.json);
  const told = put(join(at, 'told.jsonl'), {
    ...row(1),
    gen: '<predicted_observation>{"n": 1}</predicted_observation>',
  });
  const right = await bench('verify', cases, '--predictions', told);
  expect([right.code, right.out.at(-1)]).toEqual([
    0,
    expect.stringMatching(/^all +100 % \(21–100\) +1 +0 +0 +0$/),
  ]);
  const broken = put(join(at, 'more_test.jsonl'), row(1, { verify }), row(2, { verify }));
  const partial = await bench('verify', broken, '--predictions', told, '--json');
  expect([partial.code, partial.json.invalid[0].reason]).toEqual([
    3,
    'check n does not accept what really happened: it is false',
  ]);
});

test('trust: the rule judge is above its bound, a flat judge is exit code 4 and likes the first place', async () => {
  const at = fresh();
  const rows = ['swe_test.jsonl', 'trust/search_test.jsonl'].map((name) => join(DATA, name));
  const rule = await bench(
    'trust',
    ...rows,
    '--rows',
    '8',
    '--least-auc',
    '0.95',
    '--out',
    join(at, 'rule'),
    '--json',
  );
  expect(rule.code).toBe(0);
  expect(rule.json).toMatchObject({
    judge: 'rule',
    turing: null,
    again: { same: 1, shift: 0 },
    against: null,
  });
  expect(Object.keys(rule.json.domains)).toEqual(['swe', 'search']);
  const script = put(
    join(at, 'flat.jsonl'),
    { match: 'Candidate A', text: '\\boxed{A}' },
    { match: 'What was predicted', text: grades(5) },
  );
  const words = ['trust', rows[0] ?? '', '--judge', `scripted:${script}`, '--rows', '2', '--turing', '3'];
  const flat = await bench(
    ...words,
    '--against',
    'rule',
    '--least-auc',
    '0.95',
    '--out',
    join(at, 'flat'),
    '--json',
  );
  expect(flat.code).toBe(4);
  expect(flat.json.domains.swe.auc).toBe(0.5);
  expect(flat.json.turing).toEqual({ pairs: 3, unanswered: 0, foundReal: 0.5, steady: 0, positionBias: 0.5 });
  expect(flat.json.against).toMatchObject({ judge: 'rule', spearman: null, alone: 0 });
  expect(linesOf(join(at, 'flat', 'turing.jsonl'))).toHaveLength(3);
  const told = await bench(...words, '--out', join(at, 'flat'));
  expect(told.out.join('\n')).toMatch(/swe: AUC 0\.500 over[\s\S]*position bias 0\.50/);
});

test('build and parse: rows of a trajectory, and a line for each line', async () => {
  const at = fresh();
  const turns = [1, 2].map((n) => ({
    action: `{"name":"get","arguments":{"n":${n}}}`,
    observation: `{"n":${n}}`,
  }));
  const runs = put(join(at, 'runs.jsonl'), {
    trajectory: 1,
    id: 'one',
    domain: 'mcp',
    source: { dataset: 'mine', licence: 'MIT' },
    system: { text: 'S', demonstrations: [] },
    turns,
    meta: {},
  });
  const out = join(at, 'bench');
  mkdirSync(out);
  const built = await bench('build', runs, '--out', out, '--json');
  expect([built.code, built.json.rows, linesOf(join(out, 'mcp_test.jsonl')).length]).toEqual([0, 2, 2]);
  const replies = put(join(at, 'replies.jsonl'), { input: 'answer: \\boxed{B}' }, 'no json', { input: '' });
  const parsed = await bench('parse', '--kind', 'choice', replies);
  expect([parsed.code, parsed.out.map((line) => JSON.parse(line))]).toEqual([
    3,
    [{ choice: 'B' }, { failed: 'the line is no {"input": "…"}' }, { choice: null }],
  ]);
});
