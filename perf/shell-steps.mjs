/**
 * The shell engine: simple commands per second, external commands against a persistent real bash on a pseudo-terminal,
 * the size of a session, forks at a prompt with 200 files, and the longest slice of the event loop under hostile lines.
 *
 * A simple command is one step of an episode (keystrokes in, screen out), safety on. The real bash runs in `script`
 * (util-linux), is given the same line again and again, and is read until its prompt is there.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { judged, median } from './measure.mjs';

const ROUNDS = 5;

const worlds = new Map();

/** The world with so many files, loaded once. */
async function worldOf(files) {
  const known = worlds.get(files);
  if (known !== undefined) return known;
  const { loadWorldFile } = await import('../dist/worlds/index.js');
  const { mkdtempSync, writeFileSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const path = join(mkdtempSync(join(tmpdir(), 'umwelt-perf-')), 'w.json');
  const world = {
    world: 1,
    name: 'perf-shell',
    domain: 'terminal',
    state: {
      files: Object.fromEntries(
        Array.from({ length: files }, (_, i) => [`/home/user/f${i}`, 'x'.repeat(2_000)]),
      ),
    },
    budget: { maxTurns: 10_000_000 },
  };
  writeFileSync(path, JSON.stringify(world));
  const loaded = loadWorldFile(path);
  if (!loaded.ok) throw loaded.error;
  worlds.set(files, loaded.value);
  return loaded.value;
}

async function open(files) {
  const { openEpisode } = await import('../dist/sim/index.js');
  return openEpisode(await worldOf(files), { seed: 1 });
}

const step = (line) => JSON.stringify([{ keystrokes: `${line}\n`, duration: 0.1 }]);

async function perSecond(line, count) {
  const episode = await open(200);
  const action = step(line);
  for (let i = 0; i < 50; i++) await episode.step(action);
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    const { status } = await episode.step(action);
    if (status !== 'ok') throw new Error(`${line}: ${status}`);
  }
  return (count / (performance.now() - start)) * 1000;
}

/** Commands inside one script, a loop: what the interpreter alone does. */
async function inScript(count) {
  const episode = await open(0);
  await episode.step(step('i=0'));
  const start = performance.now();
  const line = `while [ $i -lt ${count} ]; do i=$((i+1)); done; echo $i\n`;
  const { status, observation } = await episode.step(JSON.stringify([{ keystrokes: line, duration: 1_000 }]));
  if (status !== 'ok' || !observation.includes(`\n${count}\n`))
    throw new Error(`the loop ended with ${status}: ${observation}`);
  return (count / (performance.now() - start)) * 1000;
}

/** A real bash on a pseudo-terminal, one line after another. */
async function realPerSecond(line, count) {
  const child = spawn('script', ['-qfc', 'bash --norc --noprofile', '/dev/null'], {
    env: { PATH: process.env.PATH, PS1: 'PROMPT-%', TERM: 'xterm', HOME: '/tmp' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let seen = 0;
  let wake = () => undefined;
  let tail = '';
  child.stdout.on('data', (bytes) => {
    tail += bytes.toString('latin1');
    for (let at = tail.indexOf('PROMPT-%'); at >= 0; at = tail.indexOf('PROMPT-%')) {
      seen += 1;
      tail = tail.slice(at + 8);
    }
    wake();
  });
  const prompts = (n) =>
    new Promise((done) => {
      wake = () => (seen >= n ? done() : undefined);
      wake();
    });
  await prompts(1);
  for (let i = 0; i < 20; i++) {
    child.stdin.write(`${line}\n`);
    await prompts(i + 2);
  }
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    child.stdin.write(`${line}\n`);
    await prompts(i + 22);
  }
  const rate = (count / (performance.now() - start)) * 1000;
  child.stdin.end('exit\n');
  child.kill();
  return rate;
}

/** Bytes that a session holds, from many of them. */
async function sessionBytes() {
  const first = await open(200);
  await first.step(step('ls | head -3'));
  const kept = [];
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 200; i++) {
    const episode = await open(200);
    await episode.step(step('x=1; echo $x; ls | head -3'));
    kept.push(episode);
  }
  globalThis.gc?.();
  return (process.memoryUsage().heapUsed - before) / kept.length;
}

async function forkMs() {
  const episode = await open(200);
  await episode.step(step('ls | head -3'));
  const start = performance.now();
  for (let i = 0; i < 2_000; i++) episode.fork();
  return (performance.now() - start) / 2_000;
}

/** Lines that would hold the event loop if nothing gave it back. */
const HOSTILE = {
  yes: 'yes',
  'fork bomb': ':(){ :|:& };:',
  'rm -rf /': 'rm -rf / --no-preserve-root 2>&1 | tail -3',
  '1 GB file': 'head -c 1G /dev/zero > big; wc -c big',
  'long line': 'head -c 300M /dev/zero > big; grep -c a big; sort big | wc',
  recursion: 'f() { f; }; f',
  'cycle of links': 'ln -s l l; ln -s . d; cat l; find -L . | tail -1; grep -r x . | tail -1',
  'sort of 1e6 lines': 'seq 1000000 | sort -r | tail -1',
  'regular expressions':
    'seq 100000 > s; grep -E "(a|b|c|1|2)*([0-9]+)*x" s; sed -E "s/((1|2)*)*3/x/g" s | tail -1',
  'many files': 'mkdir g; cd g; seq 20000 | xargs touch; echo * | wc; ls | wc',
  'brace bomb': 'echo {1..1000000} | wc -c',
  loop: 'while :; do :; done',
};

/** Milliseconds of this thread on a processor (Linux). */
const ownMs = () => Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6;

/** The longest stretch of processor time that the event loop did not get its turn, by line. */
async function longestSlices() {
  const found = [];
  for (const [name, line] of Object.entries(HOSTILE)) {
    const episode = await open(1);
    let [most, at, goesOn] = [0, ownMs(), true];
    const turn = () => {
      const now = ownMs();
      most = Math.max(most, now - at);
      at = now;
      if (goesOn) setImmediate(turn);
    };
    setImmediate(turn);
    await episode.step(JSON.stringify([{ keystrokes: `${line}\n`, duration: 5 }]));
    goesOn = false;
    turn();
    found.push({ name, ms: most });
  }
  return found;
}

/** The results of this file. */
export async function measure() {
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) {
    rounds.push({
      simple: await perSecond('true', 3_000),
      external: await perSecond('ls | head -3', 1_000),
      real: await realPerSecond('ls | head -3', 100),
    });
  }
  const simple = median(rounds.map((one) => one.simple));
  const external = median(rounds.map((one) => one.external));
  const real = median(rounds.map((one) => one.real));
  const loop = await inScript(100_000);
  const fork = await forkMs();
  const session = globalThis.gc === undefined ? undefined : await sessionBytes();
  const slices = await longestSlices();
  return [
    judged({ name: 'shell: simple commands, a step each', value: simple, unit: '/s' }, { least: 5_000 }),
    judged(
      {
        name: 'shell: `ls | head -3`, a step each',
        value: external,
        unit: '/s',
        against: `a real bash on a pseudo-terminal, ${real.toFixed(0)} /s`,
        ratio: external / real,
      },
      { least: 10 },
    ),
    { name: 'shell: turns of a loop in one script', value: loop, unit: '/s' },
    judged({ name: 'shell: `fork` at a prompt, 200 files', value: fork, unit: 'ms' }, { most: 0.2 }),
    ...slices.map(({ name, ms }) =>
      judged({ name: `shell: longest slice, ${name}`, value: ms, unit: 'ms' }, { most: 50 }),
    ),
    ...(session === undefined
      ? []
      : [
          judged(
            { name: 'shell: memory of a session with 200 files of 2 kB', value: session / 1000, unit: 'kB' },
            { most: 500 },
          ),
        ]),
  ];
}
