/**
 * Twins of a recorded service against the real one: `umwelt record` with a real client and the npm memory server,
 * `umwelt world from-trajectory`, and then other agents on both.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, expect, test } from 'vitest';
import { openEpisode } from '../../src/sim/index.js';
import { loadWorldFile, type World } from '../../src/worlds/index.js';
import { emptyFolder, mainPath, runUmwelt } from '../setup/run-umwelt.js';

const require = createRequire(import.meta.url);
const MEMORY = join(
  dirname(require.resolve('@modelcontextprotocol/server-memory/package.json')),
  'dist/index.js',
);

/** One call of the service: its answer, and whether that is an error. */
type Service = (name: string, args: object) => Promise<{ readonly text: string; readonly isError: boolean }>;

const folder = emptyFolder();
const file = join(folder, 'graph.jsonl');
const recording = join(folder, 'memory.jsonl');
const twinPath = join(folder, 'twin.yaml');
let twin: World;

const entity = (name: string, entityType: string, ...observations: string[]) => ({
  name,
  entityType,
  observations,
});
const relation = (from: string, to: string, relationType: string) => ({ from, to, relationType });

/** What the recorder does: every tool once or twice, also wrongly. None of the agents' calls is among them. */
const RECORDED: readonly (readonly [string, object])[] = [
  ['read_graph', {}],
  ['create_entities', { entities: [entity('oak', 'tree', 'is old'), entity('ivy', 'plant')] }],
  ['create_relations', { relations: [relation('ivy', 'oak', 'climbs')] }],
  ['add_observations', { observations: [{ entityName: 'oak', contents: ['has a nest', 'is old'] }] }],
  ['search_nodes', { query: 'nest' }],
  ['open_nodes', { names: ['oak'] }],
  ['open_nodes', { names: ['oak', 'ivy'] }],
  ['create_entities', { entities: [entity('oak', 'tree')] }],
  ['add_observations', { observations: [{ entityName: 'elm', contents: ['x'] }] }],
  ['delete_observations', { deletions: [{ entityName: 'oak', observations: ['has a nest'] }] }],
  ['read_graph', {}],
  ['delete_entities', { entityNames: ['ivy'] }],
  ['delete_relations', { relations: [relation('a', 'b', 'c')] }],
  ['create_entities', { entities: 'no' }],
  ['read_graph', {}],
];

async function connect(
  command: string,
  args: readonly string[],
): Promise<{ service: Service; close: () => Promise<void> }> {
  const env = { ...(process.env as Record<string, string>), MEMORY_FILE_PATH: file };
  const transport = new StdioClientTransport({ command, args: [...args], env, stderr: 'ignore' });
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(transport);
  await client.listTools();
  const service: Service = async (name, given) => {
    try {
      const result = await client.callTool({ name, arguments: { ...given } });
      const blocks = result.content as readonly { readonly text?: string }[];
      return { text: blocks.map(({ text }) => text ?? '').join('\n'), isError: result.isError === true };
    } catch (error) {
      return { text: String((error as Error).message), isError: true };
    }
  };
  return { service, close: () => client.close() };
}

async function onTwin(world: World): Promise<Service> {
  const episode = await openEpisode(world);
  return async (name, args) => {
    const { observation, meta } = await episode.step(JSON.stringify({ name, arguments: args }));
    return { text: observation ?? '', isError: meta?.isError === true };
  };
}

beforeAll(async () => {
  const { service, close } = await connect(process.execPath, [
    mainPath(),
    'record',
    '--out',
    recording,
    '--',
    process.execPath,
    MEMORY,
  ]);
  for (const [name, args] of RECORDED) await service(name, args);
  await close();
  const made = await runUmwelt(['world', 'from-trajectory', recording, '--out', twinPath, '--name', 'graph']);
  expect([made.code, made.stdout.split('\n')[2]]).toEqual([0, '15 recorded calls in 1 session']);
  const loaded = loadWorldFile(twinPath);
  if (!loaded.ok) throw loaded.error;
  twin = loaded.value;
});

/** An agent's goal: ada works at acme since 1835; nothing called draft is left; two people in all. */
function isSolved(graph: string): boolean {
  const { entities, relations } = JSON.parse(graph) as {
    entities: { name: string; entityType: string; observations: string[] }[];
    relations: { from: string; to: string; relationType: string }[];
  };
  const ada = entities.find(({ name }) => name === 'ada');
  return (
    ada?.observations.filter((text) => text === 'born 1815').length === 1 &&
    relations.some(
      ({ from, to, relationType }) => from === 'ada' && to === 'acme' && relationType === 'works_at',
    ) &&
    !entities.some(({ name }) => name === 'draft') &&
    !relations.some(({ from, to }) => from === 'draft' || to === 'draft') &&
    entities.filter(({ entityType }) => entityType === 'person').length === 2
  );
}

const people = (call: Service) =>
  call('create_entities', {
    entities: [entity('ada', 'person', 'born 1815'), entity('bob', 'person'), entity('acme', 'company')],
  });
const work = (call: Service) =>
  call('create_relations', { relations: [relation('ada', 'acme', 'works_at')] });
const draft = (call: Service) => call('create_entities', { entities: [entity('draft', 'note', 'tmp')] });
const drop = (call: Service) => call('delete_entities', { entityNames: ['draft'] });

/** Twenty agents, good, sloppy, mistaken and stubborn ones. */
const AGENTS: Readonly<Record<string, (call: Service) => Promise<unknown>>> = {
  careful: async (call) => [await people(call), await work(call)],
  'careful with a draft': async (call) => [
    await draft(call),
    await people(call),
    await work(call),
    await drop(call),
  ],
  'forgets the draft': async (call) => [await draft(call), await people(call), await work(call)],
  'forgets the work': (call) => people(call),
  'does nothing': async () => undefined,
  'repeats every call': async (call) => [
    await people(call),
    await people(call),
    await work(call),
    await work(call),
  ],
  'adds the birth twice': async (call) => [
    await people(call),
    await call('add_observations', { observations: [{ entityName: 'ada', contents: ['born 1815'] }] }),
    await work(call),
  ],
  'adds the birth late': async (call) => [
    await call('create_entities', {
      entities: [entity('ada', 'person'), entity('bob', 'person'), entity('acme', 'company')],
    }),
    await call('add_observations', { observations: [{ entityName: 'ada', contents: ['born 1815'] }] }),
    await work(call),
  ],
  'adds the birth to nobody': async (call) => [
    await call('create_entities', {
      entities: [entity('ada', 'person'), entity('bob', 'person'), entity('acme', 'company')],
    }),
    await call('add_observations', { observations: [{ entityName: 'Ada', contents: ['born 1815'] }] }),
    await work(call),
  ],
  'sees its error and mends it': async (call) => {
    await call('create_entities', {
      entities: [entity('ada', 'person'), entity('bob', 'person'), entity('acme', 'company')],
    });
    const wrong = await call('add_observations', {
      observations: [{ entityName: 'Ada', contents: ['born 1815'] }],
    });
    if (wrong.isError)
      await call('add_observations', { observations: [{ entityName: 'ada', contents: ['born 1815'] }] });
    await work(call);
  },
  'turns the relation round': async (call) => [
    await people(call),
    await call('create_relations', { relations: [relation('acme', 'ada', 'works_at')] }),
  ],
  'makes too many people': async (call) => [
    await people(call),
    await call('create_entities', { entities: [entity('eve', 'person')] }),
    await work(call),
  ],
  'makes too many and takes one back': async (call) => [
    await people(call),
    await call('create_entities', { entities: [entity('eve', 'person')] }),
    await work(call),
    await call('delete_entities', { entityNames: ['eve', 'nobody'] }),
  ],
  'deletes ada at the end': async (call) => [
    await people(call),
    await work(call),
    await call('delete_entities', { entityNames: ['ada'] }),
  ],
  'deletes the company, whose relation goes with it': async (call) => [
    await people(call),
    await work(call),
    await call('delete_entities', { entityNames: ['acme'] }),
  ],
  'relates the draft and deletes it': async (call) => [
    await people(call),
    await draft(call),
    await call('create_relations', { relations: [relation('draft', 'ada', 'mentions')] }),
    await work(call),
    await drop(call),
  ],
  'relates the draft and deletes it by a wrong name': async (call) => [
    await people(call),
    await draft(call),
    await call('create_relations', { relations: [relation('draft', 'ada', 'mentions')] }),
    await work(call),
    await call('delete_entities', { entityNames: ['Draft'] }),
  ],
  'forgets the types': async (call) => [
    await call('create_entities', { entities: [{ name: 'ada' }, { name: 'bob' }] }),
    await work(call),
  ],
  'looks before it acts': async (call) => {
    const found = await call('search_nodes', { query: 'ada' });
    if (!found.text.includes('"ada"')) await people(call);
    const open = await call('open_nodes', { names: ['ada', 'acme'] });
    if (!open.text.includes('works_at')) await work(call);
  },
  'takes back what it said': async (call) => [
    await people(call),
    await work(call),
    await call('delete_observations', { deletions: [{ entityName: 'ada', observations: ['born 1815'] }] }),
    await call('delete_relations', { relations: [relation('ada', 'acme', 'works_at')] }),
  ],
};

test('twenty agents get the same verdict on the twin as on the real server', async () => {
  const { service, close } = await connect(process.execPath, [MEMORY]);
  const verdicts: Record<string, readonly [boolean, boolean]> = {};
  const states: Record<string, readonly [string, string]> = {};
  for (const [name, agent] of Object.entries(AGENTS)) {
    rmSync(file, { force: true });
    await agent(service);
    const real = (await service('read_graph', {})).text;
    const simulated = await onTwin(twin);
    await agent(simulated);
    const computed = (await simulated('read_graph', {})).text;
    verdicts[name] = [isSolved(real), isSolved(computed)];
    states[name] = [real, computed];
  }
  await close();
  const agreeing = Object.values(verdicts).filter(([real, computed]) => real === computed);
  expect(Object.keys(verdicts)).toHaveLength(20);
  expect(agreeing).toHaveLength(20);
  expect(new Set(agreeing.map(([real]) => real))).toEqual(new Set([true, false]));
  // Not only the verdicts: the whole state reads the same.
  expect(
    Object.entries(states).flatMap(([name, [real, computed]]) => (real === computed ? [] : [name])),
  ).toEqual([]);
});

test('the recording itself is answered word for word', async () => {
  const call = await onTwin(twin);
  const said: string[] = [];
  for (const [name, args] of RECORDED) said.push((await call(name, args)).text);
  expect(said).toEqual(twin.file.recorded.map(({ text }) => text));
});

test('a recording that was cut off at any byte gives a twin of what came before, and that is told', async () => {
  const bytes = readFileSync(recording);
  const cut = join(folder, 'cut.jsonl');
  for (const lost of [1_000]) {
    writeFileSync(cut, bytes.subarray(0, bytes.length - lost));
    const out = join(folder, `cut-${lost}.yaml`);
    const made = await runUmwelt(['world', 'from-trajectory', cut, '--out', out, '--json']);
    const { report } = JSON.parse(made.stdout) as { report: { calls: number; files: { isCut: boolean }[] } };
    expect([made.code, report.files[0]?.isCut, report.calls < RECORDED.length]).toEqual([0, true, true]);
    const loaded = loadWorldFile(out);
    expect(loaded.ok && loaded.value.file.recorded.length).toBe(report.calls);
  }
});

test('a file of no known format, and one that is not there, are refused with a next step', async () => {
  const odd = join(folder, 'odd.txt');
  writeFileSync(odd, 'hello\n');
  const unknown = await runUmwelt(['world', 'from-trajectory', odd]);
  expect([unknown.code, unknown.stderr.includes('is of no known format; --from names one')]).toEqual([
    1,
    true,
  ]);
  const missing = await runUmwelt(['world', 'from-trajectory', join(folder, 'nothing.jsonl')]);
  expect([missing.code, missing.stderr.includes('cannot read')]).toEqual([1, true]);
});
