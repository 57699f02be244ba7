import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Json,
  type LineProblem,
  readTrajectories,
  type Trajectory,
  type TrajectoryReading,
  type Turn,
  trajectoryLine,
  trajectoryLines,
} from './index.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

async function readAll(bytes: Uint8Array, chunk = bytes.length || 1): Promise<readonly TrajectoryReading[]> {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.slice(at, at + chunk));
  const readings: TrajectoryReading[] = [];
  for await (const reading of readTrajectories(chunks)) readings.push(reading);
  return readings;
}

function trajectoriesOf(readings: readonly TrajectoryReading[]): readonly Trajectory[] {
  return readings.flatMap((reading) => (reading.kind === 'trajectory' ? [reading.trajectory] : []));
}

function problemsOf(readings: readonly TrajectoryReading[]): readonly LineProblem[] {
  return readings.flatMap((reading) => (reading.kind === 'problem' ? [reading.problem] : []));
}

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const extra: fc.Arbitrary<Json> = fc.oneof(
  text,
  fc.integer(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 90n }),
  fc.array(text, { maxLength: 2 }),
  fc.constant({ ['__proto__']: 'a key like any other' }),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as Json),
);
const turns = fc.array(
  fc.record(
    {
      action: text,
      observation: fc.option(fc.oneof(text, fc.constant('left\u2028right\u0000\n"x"'))),
      status: fc.constantFrom('ok', 'malformed', 'refused', 'abstained', 'limit', 'model-failed'),
      flags: fc.array(text, { maxLength: 2 }),
      origins: fc.constant([{ start: 0, end: 1, origin: 'computed' as const, ref: 'x' }]),
      meta: fc.record({ durationMs: fc.nat(), group: text, big: extra }),
      'x-own': extra,
    },
    { requiredKeys: ['action', 'observation', 'status'] },
  ),
  { maxLength: 4 },
);
const trajectory = fc.record(
  {
    trajectory: fc.constant(1 as const),
    id: text,
    domain: fc.constantFrom('mcp', 'terminal'),
    source: fc.record({ dataset: text, 'x-key': extra }),
    system: fc.record({ text, demonstrations: fc.array(text, { maxLength: 2 }) }),
    meta: fc.record({ seed: extra }),
    'x-unknown': extra,
    turns,
  },
  { requiredKeys: ['trajectory', 'id', 'domain', 'source', 'system', 'meta', 'turns'] },
) as unknown as fc.Arbitrary<Trajectory>;

test('what is written reads back equal in both forms, however the bytes arrive', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(trajectory, fc.boolean()), { maxLength: 3 }),
      fc.integer({ min: 1, max: 50 }),
      async (list, chunk) => {
        const file = list.map(([value, whole]) =>
          whole ? trajectoryLine(value) : trajectoryLines(value).join(''),
        );
        const readings = await readAll(encode(file.join('')), chunk);
        expect(problemsOf(readings)).toEqual([]);
        expect(trajectoriesOf(readings)).toEqual(list.map(([value]) => value));
        expect(
          readings.map((reading) => (reading.kind === 'trajectory' ? Object.keys(reading) : [])),
        ).toEqual(list.map(() => ['kind', 'trajectory', 'line']));
      },
    ),
    { numRuns: 60 },
  );
});

test('a file cut at any byte reads back as a prefix of its turns with at most one problem', async () => {
  await fc.assert(
    fc.asyncProperty(trajectory, async (value) => {
      const end = { end: { turns: value.turns.length, done: true, reward: 0.5 } };
      const bytes = encode(trajectoryLines(value, end).join(''));
      for (let cut = 0; cut <= bytes.length; cut++) {
        const readings = await readAll(bytes.slice(0, cut));
        const problems = problemsOf(readings);
        expect(problems.length).toBeLessThanOrEqual(1);
        if (problems[0] !== undefined) expect(problems[0].message).toContain('incomplete last line');
        const [read] = trajectoriesOf(readings);
        const prefix: readonly Turn[] = read?.turns ?? [];
        expect(prefix).toEqual(value.turns.slice(0, prefix.length));
        const lines = new TextDecoder().decode(bytes.slice(0, cut)).split('\n').length - 1;
        expect(prefix.length).toBeGreaterThanOrEqual(Math.min(Math.max(0, lines - 1), value.turns.length));
      }
    }),
    { numRuns: 8 },
  );
});

const header = '{"trajectory":1,"id":"t","domain":"mcp","system":{"text":""}}';
const turn = (n: number, more = ''): string =>
  `{"turn":${n},"action":"a${n}","observation":"o${n}","status":"ok"${more}}`;
const read = (n: number): Turn => ({ action: `a${n}`, observation: `o${n}`, status: 'ok' });

test('a reader fills in the defaults of left-out keys', async () => {
  const readings = await readAll(encode(`${header}\n{"turn":1,"action":"a","observation":null}\n`));
  expect(readings).toEqual([
    {
      kind: 'trajectory',
      line: 1,
      trajectory: {
        trajectory: 1,
        id: 't',
        domain: 'mcp',
        source: {},
        system: { text: '', demonstrations: [] },
        meta: {},
        turns: [{ action: 'a', observation: null, status: 'ok' }],
      },
    },
  ]);
});

test('the end line comes back with its trajectory', async () => {
  const [reading] = await readAll(encode(`${header}\n{"end":{"turns":0,"done":true,"reward":null,"x":1}}\n`));
  expect(reading).toMatchObject({ end: { end: { turns: 0, done: true, reward: null, x: 1 } } });
});

test('bad lines are reported with line and byte offset, and the turns around them are kept', async () => {
  const file = [header, turn(1), '{"turn":2,"action":"a2"', turn(3), turn(3), '[1]', turn(4)];
  const readings = await readAll(encode(`${file.join('\n')}\n`));
  const [value] = trajectoriesOf(readings);
  expect(value?.turns).toEqual([read(1), read(3), read(4)]);
  expect(value?.gaps).toEqual([1]);
  const at = (line: number): number => file.slice(0, line - 1).join('\n').length + 1;
  expect(problemsOf(readings).map(({ message, ...place }) => place)).toEqual([
    { severity: 'error', line: 3, byteOffset: at(3) },
    { severity: 'warning', line: 4, byteOffset: at(4) },
    { severity: 'error', line: 5, byteOffset: at(5) },
    { severity: 'error', line: 6, byteOffset: at(6) },
  ]);
});

test('a run of turns without a header is one problem, not one for each', async () => {
  const readings = await readAll(encode(`${turn(1)}\n${turn(2)}\n${header}\n${turn(1)}\n`));
  expect(problemsOf(readings).map((problem) => [problem.line, problem.message])).toEqual([
    [1, 'turn 1 without a header line before it; skipped up to the next header'],
  ]);
  expect(trajectoriesOf(readings).map((value) => value.turns)).toEqual([[read(1)]]);
});

test('a record appended right behind a torn one is read, and the torn one is reported', async () => {
  const readings = await readAll(encode(`${header}\n{"turn":1,"act${turn(1)}\n`));
  expect(trajectoriesOf(readings)[0]?.turns).toEqual([read(1)]);
  expect(problemsOf(readings).map((problem) => problem.byteOffset)).toEqual([header.length + 1]);
});

test('a header of another version is refused with what was wrong', async () => {
  const readings = await readAll(encode('{"trajectory":2,"id":"t","domain":"mcp","system":{"text":""}}\n'));
  expect(problemsOf(readings)[0]?.message).toMatch(/^not a trajectory header: trajectory: /);
});
