import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { isJsonObject, type Trajectory } from '../../core/index.js';
import { createImportStage, findFiles, runStage, trajectoryItems } from '../index.js';

const top = mkdtempSync(join(tmpdir(), 'umwelt-folders-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

async function imported(folder: string): Promise<{ readonly made: Trajectory[]; readonly counts: unknown }> {
  const found = findFiles([folder]);
  const { stage, readInput } = createImportStage({ names: found.names, roots: found.roots });
  const made: Trajectory[] = [];
  const { manifest } = await runStage({
    stage: { ...stage, take: (one: Trajectory) => [one].filter(() => made.push(one) < 0) },
    read: trajectoryItems,
    readInput,
    inputs: [...found.names.keys()],
    out: join(top, 'out.jsonl'),
    version: '0',
    again: true,
  });
  const counts = isJsonObject(manifest.counts) ? manifest.counts.total : undefined;
  return { made, counts };
}

const event = (id: number, more: object): string => JSON.stringify({ id, source: 'agent', ...more }, null, 2);

test('a folder of numbered event files is one conversation, in the order of the numbers', async () => {
  const events = join(top, 'store', 'session', 'events');
  mkdirSync(events, { recursive: true });
  for (let n = 0; n < 12; n++) {
    const more =
      n % 2 === 0
        ? { action: 'run', args: { command: `echo ${n}` } }
        : { observation: 'run', cause: n - 1, content: `${n - 1}`, extras: { command: 'x' } };
    writeFileSync(join(events, `${n}.json`), event(n, more));
  }
  for (const word of [join(top, 'store'), events]) {
    const { made } = await imported(word);
    expect(made.map(({ turns }) => turns.map(({ observation }) => observation))).toEqual([
      ['0', '2', '4', '6', '8', '10'],
    ]);
    expect(made[0]?.source.file).toBe(word === events ? 'session/events' : 'store/session/events');
  }
});

const line = (uuid: string, parentUuid: string | null, message: object): string =>
  JSON.stringify({ type: 'role' in message ? message.role : '', uuid, parentUuid, sessionId: 's', message });
const calling = (id: string): object => ({
  role: 'assistant',
  id: `m-${id}`,
  content: [{ type: 'tool_use', id, name: 'Bash', input: { command: id } }],
});
const answering = (id: string, content: string): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
});
const note = (path: string): string =>
  `<persisted-output>\nOutput too large (60KB). Full output saved to: ${path}\n\nPreview (first 2KB):\nfirst\n...\n</persisted-output>`;

test('a saved output is read where it lies inside the folder, and never outside', async () => {
  const folder = join(top, 'project');
  mkdirSync(join(folder, 's', 'tool-results'), { recursive: true });
  writeFileSync(join(folder, 's', 'tool-results', 'a.txt'), 'the whole of a');
  writeFileSync(join(top, 'secret.txt'), 'not for anybody');
  symlinkSync(join(top, 'secret.txt'), join(folder, 's', 'tool-results', 'link.txt'));
  const paths = {
    a: '/home/me/.claude/projects/x/s/tool-results/a.txt',
    b: 'C:\\Users\\me\\s\\tool-results\\a.txt',
    c: '/x/s/tool-results/none.txt',
    d: '/x/s/tool-results/link.txt',
    e: '../secret.txt',
  };
  let before: string | null = null;
  const lines = Object.entries(paths).flatMap(([id, path]) => {
    const pair = [line(`c${id}`, before, calling(id)), line(`r${id}`, `c${id}`, answering(id, note(path)))];
    before = `r${id}`;
    return pair;
  });
  writeFileSync(join(folder, 's.jsonl'), `${lines.join('\n')}\n`);
  const { made, counts } = await imported(folder);
  const turns = made.flatMap((one) => one.turns);
  expect(turns.map(({ observation, flags = [] }) => [observation?.slice(0, 14), flags])).toEqual([
    ['the whole of a', []],
    ['the whole of a', []],
    ['<persisted-out', ['external', 'truncated']],
    ['<persisted-out', ['external', 'truncated']],
    ['<persisted-out', ['external', 'truncated']],
  ]);
  expect(turns[0]?.meta?.raw).toBe(note(paths.a));
  expect(counts).toMatchObject({ pairs: 5, external: 3, files: 1 });
});

test("messages of sub-agents inside a session's lines of progress are trajectories of their own", async () => {
  const folder = join(top, 'progress');
  mkdirSync(folder);
  const progress = (uuid: string, agentId: string, message: object): string =>
    JSON.stringify({
      type: 'progress',
      uuid,
      parentUuid: 'c1',
      sessionId: 's',
      parentToolUseID: 't1',
      data: {
        type: 'agent_progress',
        agentId,
        message: { type: 'role' in message ? message.role : '', uuid: `in-${uuid}`, message },
      },
    });
  const lines = [
    line('c1', null, calling('t1')),
    progress('p1', 'x', calling('k1')),
    progress('p2', 'y', calling('k2')),
    progress('p2', 'y', calling('k2')),
    progress('p3', 'x', answering('k1', 'one')),
    progress('p4', 'y', answering('k2', 'two')),
    progress('p5', 'x', calling('k3')),
    progress('p6', 'x', answering('k3', 'three')),
    line('r1', 'c1', answering('t1', 'all done')),
  ];
  writeFileSync(join(folder, 's.jsonl'), `${lines.join('\n')}\n`);
  const { made, counts } = await imported(folder);
  expect(made.map(({ id, turns }) => [id, turns.map(({ observation }) => observation)])).toEqual([
    ['progress/s.jsonl#s', ['all done']],
    ['progress/s.jsonl#agent-x', ['one', 'three']],
    ['progress/s.jsonl#agent-y', ['two']],
  ]);
  expect(counts).toMatchObject({ pairs: 4, dangling: 0, orphans: 0, duplicates: 1 });
});

test('a damaged first line costs that line, and memory for no more', async () => {
  const whole = [line('c1', null, calling('k')), line('r1', 'c1', answering('k', 'x'.repeat(1000)))].join(
    '\n',
  );
  for (const torn of ['{"type":"user","mess', '{"a":1,"b":', 'ser"}', '{"a":1}}']) {
    const folder = join(top, `torn-${torn.length}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 's.jsonl'), `${torn}\n${whole}\n`);
    const { counts } = await imported(folder);
    expect(counts).toMatchObject({ pairs: 1, badLines: 1 });
  }
});

test('links in a circle are counted and left out, and a file packed twice is read', async () => {
  const folder = join(top, 'circle');
  mkdirSync(join(folder, 'a'), { recursive: true });
  symlinkSync('self', join(folder, 'self'));
  symlinkSync('..', join(folder, 'a', 'up'));
  const log = [line('c1', null, calling('k')), line('r1', 'c1', answering('k', 'x'))].join('\n');
  writeFileSync(join(folder, 'a', 's.jsonl.gz'), gzipSync(gzipSync(log)));
  expect(findFiles([folder]).leftOut).toEqual({ 'link to a folder': 1, 'link to nothing': 1 });
  const { counts } = await imported(folder);
  expect(counts).toMatchObject({ files: 1, pairs: 1 });
});
