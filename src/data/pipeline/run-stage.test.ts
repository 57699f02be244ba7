import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { type LineProblem, type Trajectory, trajectoryLine, trajectoryLines } from '../../core/index.js';
import { createMaskStage } from '../mask/mask-turns.js';
import { chainStages, type Stage } from '../stages/stage.js';
import { trajectoryOf, turnOf } from '../trajectories.contract.js';
import { openInput, parseShard } from './open-input.js';
import { type ByteLine, readByteLines } from './read-lines.js';
import { openTrajectoryLines, wholeTrajectory } from './read-trajectories.js';
import { manifestPath, runStage, type StageRun, trajectoryItems } from './run-stage.js';

const folder = mkdtempSync(join(tmpdir(), 'umwelt-stage-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

const many = Array.from({ length: 300 }, (_, i) =>
  trajectoryOf(`t${i}`, [turnOf(`say ${i}`, 'x'.repeat((i * 37) % 400)), turnOf('é 世界', '🙂')]),
);
writeFileSync(at('many.jsonl'), many.map(trajectoryLine).join(''));

function run(more: Partial<StageRun<Trajectory, Trajectory>> & { readonly out: string }) {
  return runStage<Trajectory, Trajectory>({
    stage: createMaskStage({ seed: 1 }),
    read: trajectoryItems,
    inputs: [at('many.jsonl')],
    version: '0.0.0',
    ...more,
  });
}

test('shards of a file together hold every line once, wherever the cuts fall', async () => {
  await run({ out: at('whole.jsonl') });
  const whole = readFileSync(at('whole.jsonl'), 'utf8');
  for (const of of [2, 3, 7, 64, 1_000]) {
    const parts: string[] = [];
    for (let index = 1; index <= of; index++) {
      const out = at(`part-${of}-${index}.jsonl`);
      await run({ out, shard: { index, of } });
      parts.push(readFileSync(out, 'utf8'));
    }
    expect(parts.join('')).toBe(whole);
  }
}, 60_000);

test('shards of a compressed file take every n-th item', async () => {
  writeFileSync(at('many.jsonl.gz'), gzipSync(readFileSync(at('many.jsonl'))));
  const ids: string[][] = [];
  for (let index = 1; index <= 3; index++) {
    const out = at(`gz-${index}.jsonl`);
    await run({ inputs: [at('many.jsonl.gz')], out, shard: { index, of: 3 } });
    ids.push(
      readFileSync(out, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    );
  }
  expect(ids[1]?.slice(0, 3)).toEqual(['t1', 't4', 't7']);
  expect(ids.flat().sort()).toEqual(many.map(({ id }) => id).sort());
});

test('zstd is undone too, and other compressions are named', async () => {
  const made = spawnSync('zstd', ['-q', '-f', at('many.jsonl'), '-o', at('many.zst')]);
  if (made.status === 0) {
    await run({ inputs: [at('many.zst')], out: at('from-zst.jsonl') });
    expect(readFileSync(at('from-zst.jsonl'), 'utf8')).toBe(readFileSync(at('whole.jsonl'), 'utf8'));
  }
  writeFileSync(at('x.xz'), Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 0, 0));
  expect(() => openInput(at('x.xz'))).toThrow(/is a xz file; unpack it first/);
});

test('two runs give the same bytes and manifests; the second finds the work done', async () => {
  const out = at('twice.jsonl');
  const first = await run({ out });
  const manifest = readFileSync(manifestPath(out), 'utf8');
  const second = await run({ out });
  expect([first.wasDone, second.wasDone]).toEqual([false, true]);
  await run({ out, again: true });
  expect(readFileSync(manifestPath(out), 'utf8')).toBe(manifest);
  const other = await run({ out, stage: createMaskStage({ seed: 2 }) });
  expect(other.wasDone).toBe(false);
  expect(JSON.parse(manifest)).toMatchObject({
    manifest: 1,
    made: 'umwelt data mask',
    parameters: { seed: 1 },
    shard: null,
    inputs: [{ name: 'many.jsonl', items: 300, sizeBytes: readFileSync(at('many.jsonl')).length }],
    output: { name: 'twice.jsonl', items: 300 },
    problems: { errors: 0, warnings: 0 },
  });
});

test('a run that fails leaves no file that looks finished', async () => {
  const out = at('failed.jsonl');
  let seen = 0;
  const failing: Stage<Trajectory> = {
    ...createMaskStage(),
    take: (trajectory) => {
      seen += 1;
      if (seen > 50) throw new Error('enough');
      return [trajectory];
    },
  };
  await expect(run({ out, stage: failing })).rejects.toThrow('enough');
  expect([existsSync(out), existsSync(`${out}.part`), existsSync(manifestPath(out))]).toEqual([
    false,
    false,
    false,
  ]);
});

test('a full disk and a missing folder are told in words', async () => {
  await expect(run({ out: at('no/where.jsonl') })).rejects.toThrow('its folder does not exist');
});

test('an aborted run takes its part away', async () => {
  const controller = new AbortController();
  controller.abort(new Error('stopped'));
  await expect(run({ out: at('aborted.jsonl'), signal: controller.signal })).rejects.toThrow('stopped');
  expect(existsSync(at('aborted.jsonl.part'))).toBe(false);
});

async function readAll(text: string | Uint8Array): Promise<{ ids: string[]; problems: LineProblem[] }> {
  writeFileSync(at('given.jsonl'), text);
  const problems: LineProblem[] = [];
  const reader = openTrajectoryLines((problem) => problems.push(problem));
  const found: Trajectory[] = [];
  for await (const lines of readByteLines(openInput(at('given.jsonl')))) {
    for (const line of lines as readonly ByteLine[]) found.push(...reader.take(line));
  }
  found.push(...reader.end());
  return { ids: found.map(({ id, turns }) => `${id}:${turns.length}`), problems };
}

test('whole, streamed, glued, torn and dirty lines in one file are read, and what is not is named by line', async () => {
  const [a, b, c, d] = many as [Trajectory, Trajectory, Trajectory, Trajectory];
  const text = [
    trajectoryLine(a),
    ...trajectoryLines(b),
    trajectoryLine(c).trimEnd() + trajectoryLine(d),
    '{"trajectory":1,"id":"broken"}\n',
    'no json\n',
    trajectoryLine({ ...a, id: 'big', meta: { n: 12345678901234567890n } } as unknown as Trajectory),
    trajectoryLine({ ...a, id: 'torn' }).slice(0, -20),
  ].join('');
  const { ids, problems } = await readAll(text);
  expect(ids).toEqual(['t0:2', 't1:2', 't2:2', 't3:2', 'big:2']);
  expect(problems.map(({ line, severity }) => [line, severity])).toEqual([
    [5, 'warning'],
    [6, 'error'],
    [7, 'error'],
    [9, expect.any(String)],
  ]);
});

test('big integers and unknown keys survive', async () => {
  const line = `${JSON.stringify({ ...many[0], other: { x: 1 } }).slice(0, -1)},"meta":{"n":12345678901234567890}}\n`;
  writeFileSync(at('big.jsonl'), line);
  const same: Stage<Trajectory> = chainStages([createMaskStage() as unknown as Stage<never, unknown>]);
  await run({ inputs: [at('big.jsonl')], out: at('big-out.jsonl'), stage: same });
  const out = readFileSync(at('big-out.jsonl'), 'utf8');
  expect(out).toContain('"n":12345678901234567890');
  expect(out).toContain('"other":{"x":1}');
});

test('the fast way reads exactly what the careful way reads', () => {
  for (const one of many.slice(0, 20)) {
    expect(wholeTrajectory(Buffer.from(trajectoryLine(one).trimEnd()))).toEqual(one);
  }
  expect(wholeTrajectory(Buffer.from('{"trajectory":1,"id":"x","domain":"mcp","turns":[]}'))).toBeUndefined();
  expect(wholeTrajectory(Buffer.from([0x7b, 0xff, 0x7d]))).toBeUndefined();
});

test.each(['0/3', '4/3', 'x', '1', '1/0', '-1/2'])('the shard %s is refused', (text) => {
  expect(() => parseShard(text)).toThrow(/wanted i\/n/);
});

test.skipIf(process.platform === 'win32')(
  'a pipe with a name gets the lines and is not replaced by a file',
  async () => {
    spawnSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', at('pipe')]);
    const reader = spawn('cat', [at('pipe')]);
    const pieces: Buffer[] = [];
    reader.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    const ended = new Promise((go) => reader.on('close', go));
    const { manifest } = await run({ out: at('pipe') });
    await ended;
    await run({ out: at('beside.jsonl') });
    expect(Buffer.concat(pieces).toString('utf8')).toBe(readFileSync(at('beside.jsonl'), 'utf8'));
    expect([statSync(at('pipe')).isFIFO(), existsSync(manifestPath(at('pipe')))]).toEqual([true, false]);
    expect(manifest.output).toMatchObject({ items: 300 });
  },
);
