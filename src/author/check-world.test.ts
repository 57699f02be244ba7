import { expect, test } from 'vitest';
import { listWorlds, loadWorld, loadWorldFile, type World } from '../worlds/index.js';
import { checkWorld } from './check-world.js';
import { runRandomPolicy } from './run-random-policy.js';
import { runOracle } from './run-script.js';

const DOOR = `world: 1
name: door
domain: mcp
state:
  data:
    doors: [{id: d1, colour: red, open: false}, {id: d2, colour: blue, open: false}]
tools:
  - {name: list_doors, inputSchema: {type: object, properties: {}}}
  - {name: open_door, inputSchema: {type: object, required: [id], properties: {id: {type: string}}}}
overrides:
  open_door: {op: update, collection: doors, key: {id: id}, set: {open: "true"}}
facts:
  - {id: code, text: The code is 7741., reveal: {on: open_door, match: '"d2"'}}
success:
  - {id: blue-open, expr: "state.data.doors.exists(d, d.colour == 'blue' && d.open)"}
  - {id: code, expr: "answer == '7741'"}
oracle:
  - {name: list_doors, arguments: {}}
  - {name: open_door, arguments: {id: d2}}
  - {answer: "7741"}
wrong:
  - {id: red, actions: [{name: open_door, arguments: {id: d1}}, {answer: "7741"}]}
`;

function worldOf(text: string): World {
  const result = loadWorld(text);
  if (!result.ok) throw result.error;
  return result.value;
}

async function statuses(text: string): Promise<Record<string, string>> {
  const { items } = await checkWorld(worldOf(text), { randomEpisodes: 20 });
  return Object.fromEntries(items.map(({ id, status }) => [id, status]));
}

const GOOD = {
  load: 'pass',
  open: 'pass',
  reset: 'pass',
  start: 'pass',
  oracle: 'pass',
  'wrong:red': 'pass',
  random: 'pass',
  'fact:code': 'pass',
};

test('a good world passes every check, the same way every time', async () => {
  const first = await checkWorld(worldOf(DOOR), { randomEpisodes: 20 });
  expect(Object.fromEntries(first.items.map(({ id, status }) => [id, status]))).toEqual(GOOD);
  expect([first.passed, first.oracleSteps]).toEqual([true, 3]);
  expect(await checkWorld(worldOf(DOOR), { randomEpisodes: 20 })).toEqual(first);
});

test('each kind of bad world fails its own check', async () => {
  expect(
    await statuses(
      DOOR.replace('colour: blue, open: false', 'colour: blue, open: true').replace(
        "answer == '7741'",
        'true',
      ),
    ),
  ).toEqual({
    ...GOOD,
    start: 'fail',
    'wrong:red': 'fail',
    random: 'fail',
  });
  expect(await statuses(DOOR.replace('{id: d2}}', '{id: d1}}'))).toEqual({ ...GOOD, oracle: 'fail' });
  expect(
    await statuses(DOOR.replace('arguments: {id: d1}}, {answer', 'arguments: {id: d2}}, {answer')),
  ).toEqual({
    ...GOOD,
    'wrong:red': 'fail',
  });
  expect(await statuses(DOOR.replace(`match: '"d2"'`, `match: '"d9"'`))).toEqual({
    ...GOOD,
    'fact:code': 'fail',
  });
  expect(await statuses(DOOR.replace("answer == '7741'", 'true'))).toEqual({ ...GOOD, random: 'fail' });
  expect(await statuses(DOOR.replace("answer == '7741'", "answer.contains('7')"))).toEqual({
    ...GOOD,
    start: 'fail',
  });
});

test('what a world does not have is skipped, not passed', async () => {
  const bare = DOOR.slice(0, DOOR.indexOf('facts:'));
  expect(await statuses(bare)).toEqual({
    load: 'pass',
    open: 'pass',
    reset: 'pass',
    start: 'skipped',
    oracle: 'skipped',
    wrong: 'skipped',
    random: 'skipped',
  });
});

test('a world of a domain without an engine fails to open and says so', async () => {
  const { passed, items } = await checkWorld(worldOf('world: 1\nname: x\ndomain: android\n'));
  expect([passed, items.map(({ id, status }) => `${id} ${status}`)]).toEqual([
    false,
    ['load pass', 'open fail'],
  ]);
  expect(items[1]?.message).toContain('no engine yet');
});

test('random episodes depend on the policy seed only', async () => {
  const world = worldOf(DOOR);
  const once = await runRandomPolicy(world, { episodes: 5, seed: 3 });
  expect(await runRandomPolicy(world, { episodes: 5, seed: 3 })).toEqual(once);
  expect((await runRandomPolicy(world, { episodes: 5, seed: 4 })).best).not.toEqual(once.best);
});

/** None of so many says with 95 % that fewer than 4 % succeed. */
const RANDOM_EPISODES = 80;

for (const { name, path } of listWorlds()) {
  test(`the catalogue world ${name} passes every check with ${RANDOM_EPISODES} random episodes`, {
    timeout: 300_000,
  }, async () => {
    const result = loadWorldFile(path);
    if (!result.ok) throw result.error;
    const report = await checkWorld(result.value, { randomEpisodes: RANDOM_EPISODES });
    expect(report.items.filter(({ status }) => status !== 'pass')).toEqual([]);
    expect(report.oracleSteps).toBeGreaterThanOrEqual(8);
    expect(result.value.wrong.length).toBeGreaterThanOrEqual(2);
    const oracle = await runOracle(result.value);
    expect(oracle.steps.filter((step) => step.meta?.isError === true)).toEqual([]);
  });
}

test('a schema that cannot be checked as it is written is named with its tool', async () => {
  const bad = { type: 'object', properties: { a: { $ref: '#/nowhere' } } };
  const tools = [{ name: 'ping', inputSchema: bad }];
  const loaded = loadWorld(JSON.stringify({ world: 1, name: 'pings', domain: 'mcp', tools }));
  if (!loaded.ok) throw loaded.error;
  const { items } = await checkWorld(loaded.value, { randomEpisodes: 0 });
  expect(items[0]).toMatchObject({
    id: 'load',
    status: 'pass',
    message: expect.stringContaining('"#/nowhere" leads nowhere'),
  });
  expect(items[0]?.message).toContain('ping: ');
});
