import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { completionBody, startTestEndpoint } from '../../src/testing/index.js';
import { emptyFolder, jsonLines, runUmwelt } from '../setup/run-umwelt.js';

/** One JSON line of `play --json`, as far as these tests look. */
interface Line {
  readonly turn: number;
  readonly action: string;
  readonly status: string;
  readonly observation: string | null;
  readonly origins: readonly { start: number; end: number; origin: string }[];
  readonly done: boolean;
  readonly reward: number | null;
}

const TURN_KEYS = 'turn,action,status,observation,origins,faults,flags,clock,done,reward'.split(',');
const LIST = '{"name":"list_issues","arguments":{"per_page":2}}';
const GET = '{"name":"get_issue","arguments":{"number":107}}';

function actionsFile(...lines: string[]): string {
  const path = join(emptyFolder(), 'actions.jsonl');
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

function play(...args: string[]) {
  return runUmwelt(['play', 'issue-tracker', ...args]);
}

test('each turn is one line with exactly the promised keys, and the end is one more with reward', async () => {
  const ran = await play('--json', '--actions', actionsFile(LIST, GET));
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
  const lines = jsonLines(ran.stdout) as Line[];
  expect(lines.map((line) => Object.keys(line))).toEqual([TURN_KEYS, TURN_KEYS, [...TURN_KEYS, 'score']]);
  expect(lines.map(({ turn, status, done, reward }) => [turn, status, done, reward])).toEqual([
    [1, 'ok', false, null],
    [2, 'ok', false, null],
    [3, 'ok', true, expect.any(Number)],
  ]);
});

test('origins cover each observation without a gap', async () => {
  const ran = await play('--json', '--actions', actionsFile(LIST, GET));
  for (const { observation, origins } of jsonLines(ran.stdout) as Line[]) {
    let at = 0;
    for (const span of origins) {
      expect(span.start).toBe(at);
      at = span.end;
    }
    expect(at).toBe(observation?.length ?? 0);
  }
});

test('the same seed and actions give the same bytes, from a file and from standard input', async () => {
  const file = actionsFile(LIST, GET, '{"name":"add_comment","arguments":{"issue_number":107,"body":"hi"}}');
  const first = await play('--json', '--seed', '5', '--actions', file);
  const second = await play('--json', '--seed', '5', '--actions', file);
  const piped = await runUmwelt(['play', 'issue-tracker', '--json', '--seed', '5', '--actions', '-'], {
    input: readFileSync(file, 'utf8'),
  });
  expect(second.stdout).toBe(first.stdout);
  expect(piped.stdout).toBe(first.stdout);
});

test('JSON that is no action is a malformed turn, and the next line is played', async () => {
  const ran = await play('--json', '--actions', actionsFile('42', '"please close it"', GET));
  expect(ran.code).toBe(0);
  const lines = jsonLines(ran.stdout) as Line[];
  expect(lines.map((line) => [line.action, line.status])).toEqual([
    ['42', 'malformed'],
    ['please close it', 'malformed'],
    [GET, 'ok'],
    [expect.anything(), 'ok'],
  ]);
  expect(ran.stderr).toMatch(/^line 1 is no action/m);
});

test('a line that is no JSON stops before the first turn, and its number is named', async () => {
  const ran = await play('--json', '--actions', actionsFile(GET, '', '{"name": oops'));
  expect(ran.code).toBe(2);
  expect(ran.stderr).toMatch(/line 3 is not JSON/);
  expect(jsonLines(ran.stdout)).toEqual([
    {
      error: {
        code: 'usage/bad-argument',
        message: expect.stringContaining('line 3'),
        data: expect.anything(),
      },
    },
  ]);
});

test('a missing file of actions, and a folder instead of one, are told', async () => {
  const missing = await play('--actions', join(emptyFolder(), 'none.jsonl'));
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain('does not exist');
  const folder = await play('--actions', emptyFolder());
  expect(folder.code).toBe(1);
  expect(folder.stderr).toContain('EISDIR');
});

test('an answer ends the episode, and actions behind it are counted', async () => {
  const ran = await play('--json', '--actions', actionsFile('{"answer":"107"}', GET, GET));
  const lines = jsonLines(ran.stdout) as Line[];
  expect(lines.map((line) => [line.turn, line.done])).toEqual([[1, true]]);
  expect(ran.stderr).toBe('2 more actions were not played: the episode was done at turn 1\n');
});

test('--max-turns ends the episode', async () => {
  const ran = await play('--json', '--max-turns', '2', '--actions', actionsFile(LIST, GET, GET));
  expect((jsonLines(ran.stdout) as Line[]).map((line) => line.done)).toEqual([false, true]);
});

test('a recording plays again with equal observations, and a changed one is found', async () => {
  const record = join(emptyFolder(), 'run.jsonl');
  const first = await play('--json', '--seed', '3', '--record', record, '--actions', actionsFile(LIST, GET));
  const again = await play('--json', '--actions', record);
  expect(again.stdout).toBe(first.stdout);
  expect({ code: again.code, stderr: again.stderr }).toEqual({
    code: 0,
    stderr: 'observations equal to the recording: 3 of 3\n',
  });
  const forged = readFileSync(record, 'utf8').replaceAll('viktor', 'victor');
  writeFileSync(record, forged);
  const other = await play('--json', '--actions', record);
  expect(other.code).toBe(1);
  expect(other.stderr).toContain('first difference: turn ');
});

test('a recording that is there is not written over unless asked', async () => {
  const record = join(emptyFolder(), 'run.jsonl');
  const actions = actionsFile(GET);
  expect((await play('--record', record, '--actions', actions)).code).toBe(0);
  const kept = readFileSync(record, 'utf8');
  const refused = await play('--record', record, '--actions', actions);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('is not empty');
  expect(readFileSync(record, 'utf8')).toBe(kept);
  expect((await play('--record', record, '--force', '--actions', actions)).code).toBe(0);
  expect(readFileSync(record, 'utf8')).toBe(kept);
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk is one sentence and exit 1 (skipped: no /dev/full)',
  async () => {
    const ran = await play('--record', '/dev/full', '--actions', actionsFile(GET));
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/^umwelt: cannot write the recording \/dev\/full: ENOSPC/);
    expect(ran.stderr).not.toContain('    at ');
  },
);

test('a recording never takes the place of what the run reads, not even with --force', async () => {
  const actions = actionsFile(GET);
  const link = join(emptyFolder(), 'link.jsonl');
  symlinkSync(actions, link);
  for (const path of [actions, link]) {
    const ran = await play('--record', path, '--force', '--actions', actions);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('is the file that --actions is read from');
  }
  const model = await play(
    '--record',
    actions,
    '--force',
    '--model',
    `scripted:${actions}`,
    '--actions',
    '-',
  );
  expect(model.stderr).toContain('is the file that --model is read from');
  expect((await play('--record', '-', '--actions', actions)).stderr).toContain('not standard output');
  expect(readFileSync(actions, 'utf8')).toBe(`${GET}\n`);
});

test('a recording that is damaged before its last line is not played as if it were whole', async () => {
  const record = join(emptyFolder(), 'run.jsonl');
  await play('--record', record, '--actions', actionsFile(GET, LIST));
  const lines = readFileSync(record, 'utf8').split('\n');
  writeFileSync(record, [lines[0], 'garbage', ...lines.slice(2)].join('\n'));
  const ran = await play('--actions', record);
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 1, stdout: '' });
  expect(ran.stderr).toContain('line 2: not JSON');
  writeFileSync(record, lines.slice(0, 3).join('\n').slice(0, -5));
  const torn = await play('--json', '--model', `replay:${record}`, '--actions', actionsFile(GET));
  expect((jsonLines(torn.stdout) as Line[])[0]?.status).toBe('ok');
  writeFileSync(record, lines[0]?.slice(0, 2000) ?? '');
  expect((await play('--actions', record)).stderr).toContain('no whole first line');
});

test('a recording that stands in for its world gives the same turns, the last one too', async () => {
  const record = join(emptyFolder(), 'run.jsonl');
  await play('--record', record, '--actions', actionsFile(GET));
  const ran = await play('--json', '--model', `replay:${record}`, '--actions', record);
  expect((jsonLines(ran.stdout) as Line[]).map(({ turn, done }) => [turn, done])).toEqual([
    [1, false],
    [2, true],
  ]);
  expect(ran.stderr).toBe('observations equal to the recording: 2 of 2\n');
});

/** A world with a tool that nobody can compute. */
function askingWorld(): string {
  const path = join(emptyFolder(), 'asking.yaml');
  const tool =
    '{name: translate_text, description: Translate a text., inputSchema: {type: object, properties: {text: {type: string}}}}';
  writeFileSync(path, `world: 1\nname: asking\ndomain: mcp\ntools: [${tool}]\n`);
  return path;
}

const TRANSLATE = '{"name":"translate_text","arguments":{"text":"Lampe"}}';

test('scripts of a model may start with a byte order mark and end their lines as Windows does', async () => {
  const folder = emptyFolder();
  const script = join(folder, 'script.jsonl');
  writeFileSync(script, '\ufeff{"text":"Because."}\r\n');
  const ran = await runUmwelt([
    'play',
    askingWorld(),
    '--json',
    '--route',
    'model',
    '--model',
    `scripted:${script}`,
    '--actions',
    actionsFile(TRANSLATE),
  ]);
  expect((jsonLines(ran.stdout) as Line[])[0]).toMatchObject({ status: 'ok', observation: 'Because.' });
  writeFileSync(script, Buffer.from([0xff, 0xfe, 0x7b, 0]));
  expect((await play('--model', `scripted:${script}`, '--actions', '-')).stderr).toContain(
    'save it as UTF-8',
  );
});

test('a fault that can never strike is told before the first turn', async () => {
  const path = join(emptyFolder(), 'idle.yaml');
  const world = 'world: 1\nname: idle\ndomain: mcp\ntools: [{name: get_note, inputSchema: {type: object}}]\n';
  writeFileSync(path, `${world}faults: [{kind: partial-failure, on: get_note}]\n`);
  const ran = await runUmwelt(['play', path, '--json', '--actions', '-']);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('can never strike');
  const checked = await runUmwelt(['world', 'check', path, '--random', '0']);
  expect(checked.stdout).toContain('can never strike');
});

test('a recording stands in for the world, and says when it has nothing left', async () => {
  const record = join(emptyFolder(), 'run.jsonl');
  await play('--record', record, '--actions', actionsFile(GET));
  const ran = await play('--json', '--model', `replay:${record}`, '--actions', actionsFile(GET, GET));
  const lines = jsonLines(ran.stdout) as Line[];
  expect(lines.map((line) => line.status)).toEqual(['ok', 'abstained', 'ok']);
  expect(lines[1]?.observation).toBe(null);
  expect(lines[1]).toHaveProperty('reason', expect.stringContaining('no recording left for get_issue'));
  expect(ran.stderr).toContain('no recording left for get_issue');
});

test('models that are not built yet, or not known, are named as such', async () => {
  const local = await play('--model', 'local:models/small', '--actions', '-');
  expect(local.code).toBe(2);
  expect(local.stderr).toContain('not built yet');
  const typo = await play('--model', 'scriptd:file', '--actions', '-');
  expect(typo.code).toBe(2);
  expect(typo.stderr).toContain('did you mean scripted?');
  const none = await play('--route', 'model', '--actions', '-');
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('--route model needs a model');
});

test('a model at an endpoint answers in the place of the engine, and its key stays out of what is written', async () => {
  const reply = '<think>look it up</think><predicted_observation>{"title":"Lamp"}</predicted_observation>';
  const endpoint = await startTestEndpoint([{ body: [completionBody({ content: reply })] }]);
  try {
    const file = actionsFile(TRANSLATE);
    const world = askingWorld();
    const record = join(emptyFolder(), 'run.jsonl');
    const args = ['--json', '--route', 'model', '--actions', file, '--record', record];
    const ran = await runUmwelt(['play', world, '--model', `small@${endpoint.baseUrl}`, ...args], {
      env: { OPENAI_API_KEY: 'sk-only-for-the-header' },
    });
    const [line] = jsonLines(ran.stdout) as Line[];
    expect(line).toMatchObject({ status: 'ok', observation: '{"title":"Lamp"}' });
    expect(line?.origins).toEqual([{ start: 0, end: 16, origin: 'predicted' }]);
    expect(endpoint.requests[0]?.headers.authorization).toBe('Bearer sk-only-for-the-header');
    expect(ran.stdout + ran.stderr + readFileSync(record, 'utf8')).not.toContain('sk-only');
    const named = await runUmwelt(['play', world, '--model', 'small', ...args.slice(0, -2)], {
      env: { OPENAI_BASE_URL: endpoint.baseUrl },
    });
    expect((jsonLines(named.stdout) as Line[])[0]?.observation).toBe('{"title":"Lamp"}');
  } finally {
    await endpoint.close();
  }
});

test('an endpoint that fails ends the step as model-failed, with the reason', async () => {
  const endpoint = await startTestEndpoint([{ status: 401, body: ['{"error":{"message":"wrong key"}}'] }]);
  try {
    const model = ['--route', 'model', '--model', `small@${endpoint.baseUrl}`];
    const ran = await play('--json', ...model, '--actions', actionsFile(GET));
    const [line] = jsonLines(ran.stdout) as Line[];
    expect(line).toMatchObject({ status: 'model-failed', observation: null });
    expect(line).toHaveProperty('reason', expect.stringContaining('the server answered 401: wrong key'));
  } finally {
    await endpoint.close();
  }
});

test('the transcript shows task, action, observation and reward, without colour in a pipe', async () => {
  const ran = await play('--actions', actionsFile(GET));
  expect(ran.stdout).toContain('Issue tracker with duplicates');
  expect(ran.stdout).toContain(`1 › ${GET}`);
  expect(ran.stdout).toMatch(/\nreward: 0(\.\d+)?\n {2}(passed|failed) {2}duplicates-closed/);
  expect(ran.stdout).not.toContain('\u001b');
  const coloured = await runUmwelt(['play', 'issue-tracker', '--actions', actionsFile(GET)], {
    env: { FORCE_COLOR: '1' },
  });
  expect(coloured.stdout).toContain('\u001b[');
});

test('lines without --actions are typed lines, and their end finishes the episode', async () => {
  const ran = await runUmwelt(['play', 'issue-tracker', '--json'], {
    input: 'get_issue number=107\nget_isue number=1\n:undo\nlist_issues per_page=1\n:answer 107\n',
  });
  const lines = jsonLines(ran.stdout) as Line[];
  expect(lines.map((line) => [line.turn, line.action, line.done])).toEqual([
    [1, '{"name":"get_issue","arguments":{"number":107}}', false],
    [1, '{"name":"list_issues","arguments":{"per_page":1}}', false],
    [2, '{"answer":"107"}', true],
  ]);
  expect(ran.stderr).toContain('did you mean get_issue?');
  expect(ran.stderr).toContain('back at turn 0');
});

test('a bare list of tools plays at once, and its calls are remembered', async () => {
  const path = join(emptyFolder(), 'Pet Clinic.json');
  const id = { type: 'string' };
  const tools = [
    { name: 'pet_create', inputSchema: { type: 'object', properties: { name: id }, required: ['name'] } },
    { name: 'pet_get', inputSchema: { type: 'object', properties: { name: id }, required: ['name'] } },
  ];
  writeFileSync(path, JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } }));
  const calls = actionsFile(
    '{"name":"pet_get","arguments":{"name":"Juno"}}',
    '{"name":"pet_create","arguments":{"name":"Juno"}}',
    '{"name":"pet_get","arguments":{"name":"Juno"}}',
  );
  const ran = await runUmwelt(['play', path, '--json', '--actions', calls]);
  const seen = (jsonLines(ran.stdout) as Line[]).map(({ status, observation }) => [status, observation]);
  expect(seen.slice(0, 3)).toEqual([
    ['ok', 'Pet not found: Juno'],
    ['ok', expect.stringContaining('"name": "Juno"')],
    ['ok', expect.stringContaining('"name": "Juno"')],
  ]);
});

test('a list of tools that cannot be read gets the complaint about lists', async () => {
  const path = join(emptyFolder(), 'tools.json');
  writeFileSync(path, '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}');
  expect((await runUmwelt(['play', path])).stderr).toContain('the server answered an error: no such method');
  writeFileSync(path, '[]');
  expect((await runUmwelt(['play', path])).stderr).toContain('it has no tools');
});

test('a JSON file that is neither a world nor a list of tools gets the complaint about world files', async () => {
  const path = join(emptyFolder(), 'other.json');
  writeFileSync(path, '{"colour":"red"}');
  const ran = await runUmwelt(['play', path]);
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain('colour');
});

test('what is near a world is pointed at: a file of actions, and a world file beside', async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'shop.yaml'), 'world: 1\nname: shop\n');
  writeFileSync(join(folder, 'moves.jsonl'), `${LIST}\n`);
  const named = await runUmwelt(['play', 'shop'], { cwd: folder });
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('Did you mean ./shop.yaml?')]);
  const lines = await runUmwelt(['play', 'moves.jsonl'], { cwd: folder });
  expect([lines.code, lines.stderr]).toEqual([
    1,
    expect.stringContaining('umwelt play WORLD --actions moves.jsonl'),
  ]);
});
