/**
 * The service under load: durable steps over HTTP against a FastAPI endpoint that echoes, a model endpoint of 50 ms
 * against a timer in its place, and what stored and live episodes cost.
 *
 * It needs wrk and Debian's FastAPI and installs them where they are missing and it may (root on Debian); the peer is
 * `uvicorn` with uvloop and httptools. Everything runs on loopback on the same cores; what is compared takes turns. Each
 * service is a process of its own with a store in a file, synchronous FULL. Each connection of the load generator is one
 * agent with an episode of its own (a thread of wrk each): it sends its next step when it has the answer of the last.
 * Lines on standard error say what share of the cores other programs (and the host of a virtual machine) took meanwhile.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judged, median } from './measure.mjs';

const SELF = fileURLToPath(import.meta.url);
const TOKEN = 'perf-control';
const ROUNDS = Number(process.env.PERF_ROUNDS ?? 3);
const SECONDS = Number(process.env.PERF_SECONDS ?? 3);
const WARM_SECONDS = Number(process.env.PERF_WARM ?? 8);
const MODEL_MS = 50;
const STATE_CHARS = 35_000;

const TOOL = (name, properties = {}) => ({
  name,
  description: `${name} of the measurement`,
  inputSchema: { type: 'object', properties },
});
const WORLDS = {
  constant: {
    world: 1,
    name: 'constant',
    domain: 'mcp',
    strict: true,
    tools: [TOOL('ping', { text: { type: 'string' } })],
    overrides: { ping: { op: 'compute', returns: "{'ok': true}" } },
  },
  oracle: {
    world: 1,
    name: 'oracle',
    domain: 'mcp',
    tools: [TOOL('ask_oracle', { text: { type: 'string' } })],
  },
  notes: {
    world: 1,
    name: 'notes',
    domain: 'mcp',
    strict: true,
    state: { data: { notes: [] } },
    tools: [TOOL('note_add', { text: { type: 'string' } }), TOOL('list_notes')],
    overrides: {
      note_add: { op: 'create', collection: 'notes', set: { text: 'args.text' }, returns: "{'added': true}" },
    },
  },
};
const FILLER = 'a line of words that fills the body of a request to a usual size. '.repeat(11);
const ACTIONS = {
  constant: { name: 'ping', arguments: { text: FILLER } },
  catalogue: { name: 'get_issue', arguments: { number: 107 } },
  oracle: { name: 'ask_oracle', arguments: { text: `NUMBER ${FILLER}` } },
};

// ---- processes ----

/** A service in this process: `serve KIND STORE [MODEL_URL]`. */
async function serve([kind, store, modelUrl]) {
  const { startService, openSqliteStore } = await import('../dist/server/index.js');
  const { loadWorld, findWorld } = await import('../dist/worlds/index.js');
  const loaded = kind === 'catalogue' ? findWorld('issue-tracker') : loadWorld(JSON.stringify(WORLDS[kind]));
  if (!loaded.ok) throw loaded.error;
  const model = modelUrl === undefined ? undefined : await modelOf(modelUrl);
  const service = await startService({
    worlds: [loaded.value],
    controlToken: TOKEN,
    store: await openSqliteStore(store, { sync: process.env.PERF_SYNC ?? 'full' }),
    ...(model !== undefined && { model }),
  });
  process.stdout.write(`${service.url}\n`);
  // Memory is looked at after collecting garbage, as in the other measurements.
  process.on('SIGUSR2', () => globalThis.gc?.());
  process.on('SIGTERM', () => service.close().then(() => process.exit(0)));
}

async function modelOf(url) {
  if (url === 'timer') {
    const text = '{"answer": "so it is"}';
    const samples = [{ text, reasoning: null, finishReason: 'stop' }];
    const value = { samples, usage: { promptTokens: 500, completionTokens: 9 }, model: 'timer' };
    const answer = { ok: true, value };
    return {
      name: 'timer',
      generate: () => new Promise((resolve) => setTimeout(() => resolve(answer), MODEL_MS)),
    };
  }
  const { createEndpointModel } = await import('../dist/model/index.js');
  return createEndpointModel({ model: 'fixed', baseUrl: url });
}

/** A model endpoint that answers after 50 ms: `endpoint`. */
function endpoint() {
  const message = { role: 'assistant', content: '{"answer": "so it is"}' };
  const body = JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    model: 'fixed',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 500, completion_tokens: 9, total_tokens: 509 },
  });
  const server = createServer((request, response) => {
    request
      .resume()
      .on('end', () =>
        setTimeout(() => response.setHeader('content-type', 'application/json').end(body), MODEL_MS),
      );
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/v1\n`));
  process.on('SIGTERM', () => process.exit(0));
}

/** Processes of this measurement that live. */
const alive = new Set();

function started(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options });
  alive.add(child.pid);
  const url = new Promise((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.split('\n')[0]);
    });
    child.on('close', (code) => reject(new Error(`${command} ${args.join(' ')} ended with ${code}`)));
  });
  const stop = () =>
    new Promise((resolve) => {
      child.removeAllListeners('close');
      alive.delete(child.pid);
      child.on('close', resolve);
      child.kill('SIGTERM');
    });
  return url.then((at) => ({ url: at, pid: child.pid, stop }));
}

const ours = (kind, folder, ...more) =>
  started(process.execPath, [
    '--expose-gc',
    SELF,
    'serve',
    kind,
    join(folder, `${kind}-${more.length}-${Date.now()}.db`),
    ...more,
  ]);

/** FastAPI that echoes, on uvicorn with what makes it fast. */
async function peer(folder) {
  const lines = [
    'from fastapi import FastAPI',
    'app = FastAPI()',
    '@app.post("/episodes/{id}/step")',
    'async def step(id: str, body: dict):',
    '    return body',
  ];
  writeFileSync(join(folder, 'echo_app.py'), `${lines.join('\n')}\n`);
  const port = 20_000 + (process.pid % 20_000);
  const args = [
    '-m',
    'uvicorn',
    'echo_app:app',
    '--port',
    String(port),
    '--log-level',
    'critical',
    '--loop',
    'uvloop',
    '--http',
    'httptools',
  ];
  const child = spawn('/usr/bin/python3', args, { cwd: folder, stdio: 'ignore' });
  alive.add(child.pid);
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries++) {
    const there = await fetch(`${url}/docs`).then(
      () => true,
      () => false,
    );
    if (there) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const stop = () =>
    new Promise((resolve) => {
      alive.delete(child.pid);
      child.on('close', resolve);
      child.kill('SIGTERM');
    });
  return { url, pid: child.pid, stop };
}

function install() {
  const has = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  const isThere = () =>
    spawnSync('wrk', ['--version'], { stdio: 'ignore' }).error === undefined &&
    has('/usr/bin/python3', ['-c', 'import fastapi, uvicorn, uvloop, httptools']);
  if (isThere()) return true;
  if (process.getuid?.() !== 0) return false;
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
  const packages = ['python3-fastapi', 'python3-uvicorn', 'python3-uvloop', 'python3-httptools', 'wrk'];
  spawnSync('apt-get', ['install', '-y', '-qq', ...packages], { stdio: 'ignore' });
  return isThere();
}

// ---- load ----

/** Ticks of processor time: of one process with the children it has waited for, and of the whole machine. */
function ticksOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

function machineTicks() {
  const [user, nice, system, idle, wait, irq, soft, steal] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]
    .split(/ +/)
    .slice(1)
    .map(Number);
  const busy = user + nice + system + irq + soft + steal;
  return { busy, all: busy + idle + wait };
}

/** Watches from now on; the function it gives says what share of the cores others had, 0 to 1. */
function watchOthers() {
  const own = () => [process.pid, ...alive].reduce((sum, pid) => sum + ticksOf(pid), 0);
  const before = { ...machineTicks(), own: own() };
  return () => {
    const { busy, all } = machineTicks();
    return Math.max(0, busy - before.busy - (own() - before.own)) / Math.max(1, all - before.all);
  };
}

async function openEpisodes({ url }, world, count) {
  const ids = [];
  for (let at = 0; at < count; at += 64) {
    const size = Math.min(64, count - at);
    const made = await Promise.all(
      Array.from({ length: size }, () => post(url, '/episodes', { world, maxTurns: 10_000_000 })),
    );
    ids.push(...made.map(({ id }) => id));
  }
  return ids;
}

async function post(url, path, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const json = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(json)}`);
  return json;
}

let runs = 0;

/** One run of wrk: requests a second and percentiles in milliseconds. */
function load(folder, { url }, { ids, action, connections, seconds = SECONDS }) {
  runs += 1;
  writeFileSync(join(folder, 'ids'), `${ids.join('\n')}\n`);
  // Every action is another one: what was asked before is not asked again of a model.
  const [before, between] = JSON.stringify({ action, request_id: 'RUN-' }).slice(0, -2).split('NUMBER');
  writeFileSync(
    join(folder, 'steps.lua'),
    `
local ids = {}
for line in io.lines("${join(folder, 'ids')}") do ids[#ids + 1] = line end
local n, made = 0, 0
function setup(thread) made = made + 1; thread:set("mine", made) end
local headers = { ["content-type"] = "application/json" }
local before, between = [==[${before}]==], [==[${between ?? ''}]==]
local numbered = ${between !== undefined}
request = function()
  n = n + 1
  return wrk.format("POST", "/episodes/" .. ids[mine] .. "/step", headers,
    before .. (numbered and ("${runs}x" .. mine .. "x" .. n .. between) or "") .. "${runs}-" .. n .. '"}')
end
done = function(summary, latency)
  io.write(string.format('RESULT {"requests":%d,"us":%d,"p50":%d,"p99":%d,"bad":%d}\\n', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
`,
  );
  const args = [
    `-t${connections}`,
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '20s',
    '-s',
    join(folder, 'steps.lua'),
    url,
  ];
  return new Promise((resolve, reject) => {
    const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    child.on('close', () => {
      const found = /RESULT (.*)/.exec(text)?.[1];
      if (found === undefined) return reject(new Error(text));
      const { requests, us, p50, p99, bad } = JSON.parse(found);
      if (bad > 0) return reject(new Error(`${bad} of ${requests} requests failed at ${url}`));
      resolve({ rate: requests / (us / 1e6), p50: p50 / 1000, p99: p99 / 1000 });
    });
  });
}

const medianOf = (list, key) => median(list.map((one) => one[key]));

/** Runs each side in turn and gives the medians. */
async function inTurn(sides) {
  const seen = sides.map(() => []);
  // A fresh process takes several seconds until its code is compiled.
  for (const side of sides) await side(WARM_SECONDS);
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, side] of sides.entries()) {
      const others = watchOthers();
      const { rate, p50, p99 } = await side();
      seen[index].push({ rate, p50, p99 });
      const figures = `${Math.round(rate)} /s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
      console.error(
        `  side ${index + 1}: ${figures}; others had ${Math.round(100 * others())} % of the cores`,
      );
    }
  return seen.map((list) => ({
    rate: medianOf(list, 'rate'),
    p50: medianOf(list, 'p50'),
    p99: medianOf(list, 'p99'),
    spread: medianOf(
      list.map(({ p50, p99 }) => ({ spread: p99 / p50 })),
      'spread',
    ),
  }));
}

async function steps(folder) {
  const echo = await peer(folder);
  const results = [];
  for (const connections of [64, 256]) {
    const constant = await ours('constant', folder);
    const catalogue = await ours('catalogue', folder);
    const ids = {
      constant: await openEpisodes(constant, 'constant', connections),
      catalogue: await openEpisodes(catalogue, 'issue-tracker', connections),
    };
    const run = (at, list, action) => (seconds) =>
      load(folder, at, { ids: list, action, connections, seconds });
    const [peerRun, own, world] = await inTurn([
      run(echo, ids.constant, ACTIONS.constant),
      run(constant, ids.constant, ACTIONS.constant),
      run(catalogue, ids.catalogue, ACTIONS.catalogue),
    ]);
    const against = `FastAPI echo, ${Math.round(peerRun.rate)} /s`;
    const name = (what) => `durable HTTP steps, ${connections} episodes, ${what}`;
    results.push(
      judged(
        {
          name: name('engine that answers a constant'),
          value: own.rate,
          unit: '/s',
          against,
          ratio: own.rate / peerRun.rate,
        },
        { least: 1.2 },
      ),
      judged(
        {
          name: name('`issue-tracker`'),
          value: world.rate,
          unit: '/s',
          against,
          ratio: world.rate / peerRun.rate,
        },
        { least: 0.8 },
      ),
    );
    for (const [what, seen] of [
      ['constant', own],
      ['`issue-tracker`', world],
    ]) {
      const result = {
        name: `p99 of these, ${connections} episodes, ${what}`,
        value: seen.p99,
        unit: 'ms',
        against: `p50, ${seen.p50.toFixed(1)} ms`,
        ratio: seen.spread,
      };
      results.push(connections === 256 ? judged(result, { most: 4 }) : result);
    }
    await Promise.all([constant.stop(), catalogue.stop()]);
  }
  await echo.stop();
  return results;
}

async function models(folder) {
  const point = await started(process.execPath, [SELF, 'endpoint']);
  const results = [];
  for (const [connections, least] of [[64], [256, 0.85], [500, 0.7]]) {
    const asked = await ours('oracle', folder, point.url);
    const timer = await ours('oracle', folder, 'timer');
    // New episodes for each run: their histories grow from nothing to what an agent's episode has.
    const run = (at) => async (seconds) => {
      const ids = await openEpisodes(at, 'oracle', connections);
      return load(folder, at, { ids, action: ACTIONS.oracle, connections, seconds });
    };
    const [real, ideal] = await inTurn([run(asked), run(timer)]);
    const result = {
      name: `steps with a model endpoint of ${MODEL_MS} ms, ${connections} episodes`,
      value: real.rate,
      unit: '/s',
      against: `a timer in its place, ${Math.round(ideal.rate)} /s`,
      ratio: real.rate / ideal.rate,
    };
    results.push(least === undefined ? result : judged(result, { least }));
    if (connections === 64)
      results.push(
        judged(
          {
            name: 'median that a model endpoint adds to its 50 ms, 64 episodes',
            value: real.p50 - MODEL_MS,
            unit: 'ms',
          },
          { most: 4 },
        ),
      );
    await Promise.all([asked.stop(), timer.stop()]);
  }
  await point.stop();
  return results;
}

/** Memory as the service says it. */
async function memoryMb({ url }) {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/process_resident_memory_bytes (\d+)/.exec(text)?.[1]) / 2 ** 20;
}

async function stored(folder) {
  const small = await ours('constant', folder);
  const big = await ours('constant', folder);
  await openEpisodes(small, 'constant', 10);
  await openEpisodes(big, 'constant', 10_000);
  const ids = [await openEpisodes(small, 'constant', 64), await openEpisodes(big, 'constant', 64)];
  const run = (at, list) => (seconds) =>
    load(folder, at, { ids: list, action: ACTIONS.constant, connections: 64, seconds });
  const [few, many] = await inTurn([run(small, ids[0]), run(big, ids[1])]);
  await Promise.all([small.stop(), big.stop()]);
  const notes = await ours('notes', folder);
  const all = await openEpisodes(notes, 'notes', 10_000);
  const action = { name: 'note_add', arguments: { text: 'x'.repeat(STATE_CHARS) } };
  for (let at = 0; at < all.length; at += 32)
    await Promise.all(
      all
        .slice(at, at + 32)
        .map((id) => post(notes.url, `/episodes/${id}/step`, { action, request_id: 'one' })),
    );
  for (let count = 0; count < 3; count++) {
    process.kill(notes.pid, 'SIGUSR2');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
  const mb = await memoryMb(notes);
  const awake = Number(
    /umwelt_episodes_awake (\d+)/.exec(await (await fetch(`${notes.url}/metrics`)).text())?.[1],
  );
  await notes.stop();
  return [
    judged(
      {
        name: 'steps with 10,000 stored episodes, 64 lived in',
        value: many.rate,
        unit: '/s',
        against: `with 10, ${Math.round(few.rate)} /s`,
        ratio: many.rate / few.rate,
      },
      { least: 0.9 },
    ),
    judged(
      {
        name: `resident memory: 10,000 stored episodes of 35 kB, ${awake} of them live`,
        value: mb,
        unit: 'MB',
      },
      { most: 350 },
    ),
  ];
}

/** The results of this file. */
export async function measure() {
  if (!install())
    throw new Error('wrk, python3-fastapi, python3-uvicorn, python3-uvloop and python3-httptools are needed');
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-perf-'));
  const parts = { steps, models, stored };
  const wanted = (process.env.PERF_PARTS ?? 'steps,models,stored').split(',');
  const results = [];
  try {
    for (const part of wanted) {
      console.error(`service: ${part}, load ${loadavg()[0].toFixed(1)}`);
      results.push(...(await parts[part](folder)));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

if (process.argv[1] === SELF) {
  const [word, ...rest] = process.argv.slice(2);
  if (word === 'serve') await serve(rest);
  else if (word === 'endpoint') endpoint();
  else {
    for (const result of await measure()) console.log(JSON.stringify(result));
  }
}
