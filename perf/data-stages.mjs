/**
 * Data stages: `umwelt data run` (filter | mask | expand in one process) against a plain Python version, per core; one
 * process against two; memory and cost as the input grows.
 *
 * Trajectories are synthetic, of published shape (arXiv 2606.24597, RL pool: 13.4 turns and 19,443 tokens on average):
 * words of a Zipf-like vocabulary, JSON calls, every category of the mask. Sizes by DATA_MB (default 96).
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judged, median } from './measure.mjs';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const PYTHON = fileURLToPath(new URL('data_stages.py', import.meta.url));
const MEGABYTES = Number(process.env.DATA_MB ?? 96);

function words(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  const letters = 'etaoinshrdlucmfwypvbgkqjxz';
  const word = () =>
    Array.from({ length: 3 + Math.floor(next() * 7) }, () => letters[Math.floor(next() ** 2 * 26)]).join('');
  const vocabulary = Array.from({ length: 20_000 }, word);
  return {
    next,
    text: (count) =>
      Array.from({ length: count }, () => vocabulary[Math.floor(next() ** 3 * vocabulary.length)]).join(' '),
  };
}

/** Writes trajectories until the file has the given size. */
function synthesise(path, megabytes) {
  const file = openSync(path, 'w');
  const { next, text } = words(7);
  const tools = JSON.stringify(
    ['read', 'write', 'list', 'search'].map((name) => ({ name, description: text(30) })),
  );
  const system = text(900);
  for (let id = 0, size = 0; size < megabytes * 1e6; id++) {
    const turns = Array.from({ length: 2 + Math.floor(next() * 23) }, () => {
      const call = {
        name: ['read', 'write', 'list', 'search'][Math.floor(next() * 4)],
        arguments: { query: text(12) },
      };
      const kind = next();
      if (kind < 0.1)
        return { action: JSON.stringify(call), observation: `${JSON.stringify(call)} ok`, status: 'ok' };
      if (kind < 0.3) {
        call.arguments.content = text(700);
        return { action: JSON.stringify(call), observation: `done ${text(6)}`, status: 'ok' };
      }
      return {
        action: JSON.stringify(call),
        observation: text(Math.floor(next() ** 2 * 2_400)),
        status: 'ok',
      };
    });
    const line = `${JSON.stringify({ trajectory: 1, id: `t${id}`, domain: 'mcp', source: { dataset: 'synthetic', file: `f${id % 50}` }, system: { text: system, actionSpace: tools, demonstrations: [] }, meta: {}, turns })}\n`;
    size += writeSync(file, line);
  }
  closeSync(file);
}

/** Seconds of processor time (user and system) and the largest resident memory in MB of a child process. */
function cost(command, args, input) {
  const script = `import resource,subprocess,sys
code=subprocess.call(sys.argv[1:],stdin=sys.stdin,stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL)
use=resource.getrusage(resource.RUSAGE_CHILDREN)
print(code,use.ru_utime+use.ru_stime,use.ru_maxrss)`;
  const stdin = input === undefined ? 'ignore' : openSync(input, 'r');
  const done = spawnSync('python3', ['-c', script, command, ...args], { stdio: [stdin, 'pipe', 'inherit'] });
  const [code, seconds, kilobytes] = String(done.stdout).trim().split(' ').map(Number);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
  return { seconds, megabytes: kilobytes / 1024 };
}

const ours = (input, folder, ...more) =>
  cost(process.execPath, [
    MAIN,
    'data',
    'run',
    input,
    '--seed',
    '7',
    '--out',
    join(folder, 'out.jsonl'),
    '--force',
    ...more,
  ]);

/** Wall seconds of commands that run at once. */
async function together(runs) {
  const start = performance.now();
  await Promise.all(
    runs.map(
      (args) =>
        new Promise((done, fail) =>
          spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' }).on('exit', (code) =>
            code === 0 ? done() : fail(new Error(String(code))),
          ),
        ),
    ),
  );
  return (performance.now() - start) / 1000;
}

/** The results of this file. */
export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-perf-'));
  const input = join(folder, 'in.jsonl');
  const larger = join(folder, 'larger.jsonl');
  synthesise(input, MEGABYTES);
  synthesise(larger, MEGABYTES * 4);
  const rounds = Array.from({ length: 5 }, () => ({
    node: ours(input, folder),
    python: cost('python3', [PYTHON], input),
  }));
  const node = median(rounds.map((round) => round.node.seconds));
  const python = median(rounds.map((round) => round.python.seconds));
  const size = statSync(input).size / 1e6;
  const big = ours(larger, folder);
  const run = (shard, out) => [
    'data',
    'run',
    larger,
    '--seed',
    '7',
    '--out',
    join(folder, out),
    '--force',
    ...shard,
  ];
  const pairs = [];
  for (let i = 0; i < 3; i++) {
    const one = await together([run([], 'one.jsonl')]);
    const two = await together([run(['--shard', '1/2'], 'a.jsonl'), run(['--shard', '2/2'], 'b.jsonl')]);
    pairs.push(one / two);
  }
  const same = readFileSync(join(folder, 'one.jsonl')).equals(
    Buffer.concat([readFileSync(join(folder, 'a.jsonl')), readFileSync(join(folder, 'b.jsonl'))]),
  );
  if (!same) throw new Error('the parts together differ from the whole');
  rmSync(folder, { recursive: true, force: true });
  return [
    judged(
      {
        name: `filter, mask, expand in one process, ${size.toFixed(0)} MB: processor time`,
        value: size / node,
        unit: 'MB/s',
        against: `plain Python 3.11, ${(size / python).toFixed(1)} MB/s`,
        ratio: python / node,
      },
      { least: 3 },
    ),
    judged(
      { name: 'the same in two processes against one: wall time', value: median(pairs), unit: '×' },
      { least: 1.8 },
    ),
    judged(
      {
        name: `processor time per MB at ${MEGABYTES * 4} MB`,
        value: (big.seconds / (MEGABYTES * 4)) * 1000,
        unit: 'ms',
        against: `at ${MEGABYTES} MB, ${((node / MEGABYTES) * 1000).toFixed(1)} ms`,
        ratio: big.seconds / (MEGABYTES * 4) / (node / MEGABYTES),
      },
      { most: 1.15 },
    ),
    judged(
      { name: `resident memory at ${MEGABYTES * 4} MB of input`, value: big.megabytes, unit: 'MB' },
      { most: 400 },
    ),
  ];
}
