#!/usr/bin/env node
/**
 * Records what a real shell does with commands: the cases that `umwelt bench parity` compares against.
 *
 * Each command runs in a real bash inside a bubblewrap sandbox over a Debian root: no network, own process ids, host
 * name `host`, user `user` (uid 1000), a fresh copy of the setup's files each time, and a time limit. It runs four
 * times: twice with separate outputs and twice with both on one pipe (field `merged`, the order a terminal shows). A
 * case whose runs differ, or whose output shows today's date, is dropped: it would judge nothing. With `--shim` (built
 * from `shell-cases/reverse-readdir.c`) every second run lists folders backwards, which drops what depends on that.
 *
 * Needs root, `bubblewrap` and a Debian 12 root, for example
 *   debootstrap --variant=minbase --include=procps,less,tree,file,zip,unzip,bzip2,xz-utils,jq,bc,dc,xxd,patch,bsdextrautils bookworm ROOT
 *   chroot ROOT useradd -m -u 1000 -s /bin/bash user
 * Usage: node scripts/record-shell-cases.mjs --root ROOT --setups setups.json --out DIR COMMANDS.jsonl
 * COMMANDS.jsonl holds one {"family", "command", "setup"} a line (`generate-shell-cases.mjs` writes it). DIR gets
 * `cases.jsonl`, `sealed.jsonl` (every third case by the hash of its command: to be counted, never read) and
 * `setups.json`. What it does not record: terminal behaviour, and the times of files.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const USER = 1000;
const OUTPUT_LIMIT = 1 << 20;
const KEPT_OUTPUT = 6000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string' },
    setups: { type: 'string' },
    out: { type: 'string' },
    prefix: { type: 'string', default: 'sh' },
    seconds: { type: 'string', default: '10' },
    jobs: { type: 'string', default: '2' },
    shim: { type: 'string' },
  },
});
if (!values.root || !values.setups || !values.out || positionals.length !== 1) {
  console.error('usage: record-shell-cases.mjs --root ROOT --setups setups.json --out DIR COMMANDS.jsonl');
  process.exit(2);
}
const setups = JSON.parse(readFileSync(values.setups, 'utf8'));

/** Lays a setup's files out under a fresh home folder, with modes and times, owned by the user. */
function layHome(setup) {
  const home = mkdtempSync(join(tmpdir(), 'shell-case-'));
  const base = join(home, setup.cwd.replace(/^\/home\/user\/?/, ''));
  const time = new Date(setup.mtime);
  mkdirSync(base, { recursive: true });
  for (const [name, file] of Object.entries(setup.files)) {
    const path = join(base, name);
    if (file.directory) {
      mkdirSync(path, { recursive: true });
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    if (file.link !== undefined) symlinkSync(file.link, path);
    else {
      writeFileSync(path, file.base64 === undefined ? file.content : Buffer.from(file.base64, 'base64'));
      chmodSync(path, Number.parseInt(file.mode ?? '644', 8));
    }
  }
  const own = (path) => {
    const stat = lstatSync(path);
    if (stat.isDirectory()) for (const name of readdirSync(path)) own(join(path, name));
    const file = setup.files[path.slice(base.length + 1)];
    const when = file?.mtime === undefined ? time : new Date(file.mtime);
    if (stat.isSymbolicLink()) {
      lchownSync(path, USER, USER);
      return lutimesSync(path, when, when);
    }
    chownSync(path, USER, USER);
    utimesSync(path, when, when);
    if (stat.isDirectory()) chmodSync(path, Number.parseInt(file?.mode ?? '755', 8));
  };
  own(home);
  return { home, base };
}

/** What stands in a folder now, by path: `d`, `l target`, or mode and content. */
function listFiles(base) {
  const found = {};
  const walk = (folder, prefix) => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      const stat = lstatSync(path);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) found[prefix + name] = { link: readlinkSync(path) };
      else if (stat.isDirectory()) {
        // What is inside a repository of git is compressed and numbered its own way; commands show what counts.
        if (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects'))) continue;
        found[prefix + name] = { directory: true, mode };
        walk(path, `${prefix}${name}/`);
      } else if (stat.isFile()) {
        const bytes = readFileSync(path);
        const content = bytes.toString('utf8');
        const plain = bytes.length <= 2000 && Buffer.from(content, 'utf8').equals(bytes);
        found[prefix + name] = plain ? { content, mode } : { sizeBytes: bytes.length, mode };
      } else found[prefix + name] = { special: true, mode };
    }
  };
  walk(base, '');
  return found;
}

/** The differences between two listings: new or changed files, and null for those that went. */
function changes(before, after) {
  const out = {};
  for (const [name, file] of Object.entries(after))
    if (JSON.stringify(before[name]) !== JSON.stringify(file)) out[name] = file;
  for (const name of Object.keys(before)) if (!(name in after)) out[name] = null;
  return out;
}

/** The sandbox's command line around a bash command. */
function sandbox(setup, home, { command, shimmed }) {
  const environment = Object.entries(setup.env).flatMap(([name, value]) => ['--setenv', name, value]);
  const shim = shimmed
    ? ['--ro-bind', values.shim, '/tmp/.shim.so', '--setenv', 'LD_PRELOAD', '/tmp/.shim.so']
    : [];
  return [
    ...[
      '--ro-bind',
      values.root,
      '/',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--perms',
      '1777',
      '--tmpfs',
      '/tmp',
    ],
    ...['--tmpfs', '/home', '--bind', home, '/home/user', '--unshare-pid', '--unshare-net', '--unshare-ipc'],
    ...[
      '--unshare-uts',
      '--hostname',
      'host',
      '--die-with-parent',
      '--new-session',
      '--clearenv',
      ...environment,
    ],
    ...[
      ...shim,
      '--chdir',
      setup.cwd,
      'setpriv',
      '--reuid',
      `${USER}`,
      '--regid',
      `${USER}`,
      '--clear-groups',
    ],
    ...['--inh-caps=-all', '--bounding-set=-all', 'bash', '-c', command],
  ];
}

/** Runs a command once. Undefined if it took too long or printed too much. */
function runOnce(setup, command, { merged, shimmed }) {
  const { home, base } = layHome(setup);
  const before = merged ? {} : listFiles(base);
  const words = sandbox(setup, home, { command, shimmed: shimmed && values.shim !== undefined });
  const [program, args] = merged
    ? ['sh', ['-c', 'exec "$@" 2>&1', 'sh', 'bwrap', ...words]]
    : ['bwrap', words];
  return new Promise((done) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const parts = { stdout: [], stderr: [] };
    let size = 0;
    let failed = false;
    const fail = () => {
      failed = true;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(fail, Number(values.seconds) * 1000);
    for (const name of ['stdout', 'stderr'])
      child[name].on('data', (data) => {
        size += data.length;
        if (size > OUTPUT_LIMIT) fail();
        else parts[name].push(data);
      });
    child.on('close', (code) => {
      clearTimeout(timer);
      const files = merged || failed ? {} : changes(before, listFiles(base));
      rmSync(home, { recursive: true, force: true });
      if (failed || code === null) return done(undefined);
      const [stdout, stderr] = [Buffer.concat(parts.stdout), Buffer.concat(parts.stderr)];
      done({ stdout, stderr, exit_code: code, files });
    });
  });
}

const isText = (bytes) => Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes);

/** Today's date in the forms that programs print it. */
function todayPattern() {
  const now = new Date();
  const iso = now.toISOString();
  const month = now.toUTCString().slice(8, 11);
  const day = now.getUTCDate();
  return new RegExp(
    `${iso.slice(0, 10)}|${month} +0?${day}\\b|\\b0?${day} ${month}|${iso.slice(11, 13)}:[0-5][0-9]:`,
  );
}
const today = todayPattern();

/** Records one case, or says why it cannot be one. */
async function record({ family, command, setup: name }) {
  const setup = setups[name];
  const one = await runOnce(setup, command, { merged: false, shimmed: false });
  const two = await runOnce(setup, command, { merged: false, shimmed: true });
  const three = await runOnce(setup, command, { merged: true, shimmed: false });
  const four = await runOnce(setup, command, { merged: true, shimmed: true });
  if (!one || !two || !three || !four) return { dropped: 'limit' };
  const same =
    one.stdout.equals(two.stdout) &&
    one.stderr.equals(two.stderr) &&
    one.exit_code === two.exit_code &&
    JSON.stringify(one.files) === JSON.stringify(two.files);
  if (!same) return { dropped: 'not reproducible' };
  if (!isText(one.stdout) || !isText(one.stderr)) return { dropped: 'not text' };
  const all = one.stdout.toString('utf8') + one.stderr.toString('utf8');
  if (today.test(all)) return { dropped: "shows today's date" };
  if (all.length > KEPT_OUTPUT) return { dropped: 'long output' };
  const merged = three.stdout.equals(four.stdout) ? three.stdout.toString('utf8') : undefined;
  const [stdout, stderr] = [one.stdout.toString('utf8'), one.stderr.toString('utf8')];
  const wanted = merged !== undefined && stdout !== '' && stderr !== '';
  const files = Object.keys(one.files).length > 0 ? { files: one.files } : {};
  const id = `${values.prefix}-${createHash('sha256').update(`${name}\0${command}`).digest('hex').slice(0, 8)}`;
  const shown = { id, family, command, stdout, stderr, exit_code: one.exit_code, setup: name, ...files };
  return { case: wanted ? { ...shown, merged } : shown };
}

const lines = readFileSync(positionals[0], 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const results = new Array(lines.length);
let next = 0;
async function work() {
  while (next < lines.length) {
    const at = next++;
    results[at] = await record(lines[at]);
    if (at % 100 === 0) console.error(`${at}/${lines.length}`);
  }
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work));

const dropped = {};
const sets = { 'cases.jsonl': [], 'sealed.jsonl': [] };
const seen = new Set();
for (const result of results) {
  if (result.dropped) dropped[result.dropped] = (dropped[result.dropped] ?? 0) + 1;
  else if (!seen.has(result.case.id)) {
    seen.add(result.case.id);
    const sealed = Number.parseInt(result.case.id.slice(-6), 16) % 3 === 0;
    sets[sealed ? 'sealed.jsonl' : 'cases.jsonl'].push(JSON.stringify(result.case));
  }
}
mkdirSync(values.out, { recursive: true });
for (const [name, cases] of Object.entries(sets))
  writeFileSync(join(values.out, name), `${cases.join('\n')}\n`);
const copy = join(values.out, 'setups.json');
if (!existsSync(copy) || copy !== values.setups) copyFileSync(values.setups, copy);
console.error(
  JSON.stringify({ ...Object.fromEntries(Object.entries(sets).map(([k, v]) => [k, v.length])), dropped }),
);
