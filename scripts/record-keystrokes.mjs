#!/usr/bin/env node
/**
 * Records what a real bash shows for keys: sessions in a tmux pane of 80 x 40, the screen after each turn.
 *
 * The shell runs in a bubblewrap sandbox over a Debian root: no network, own process ids, host name `host`, user `user` (uid
 * 1000) with a fresh home. A screen is taken once it has stood still. Needs root, `bubblewrap`, `tmux` and a Debian 12 root
 * (see record-shell-cases.mjs) with an empty file /etc/rc.
 * Usage: node scripts/record-keystrokes.mjs --root ROOT --out FILE SESSIONS.jsonl (`shell-cases/keystrokes.mjs` writes it).
 * Each line of FILE: {id, family, files, first, turns: [{action: [{keystrokes, duration}], screen}]}.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { root: { type: 'string' }, out: { type: 'string' }, jobs: { type: 'string', default: '6' } },
});
if (!values.root || !values.out || positionals.length !== 1) {
  console.error('usage: record-keystrokes.mjs --root ROOT --out FILE SESSIONS.jsonl');
  process.exit(2);
}
const USER = 1000;
const KEY = /^(?:[CM]-.|Up|Down|Left|Right|Home|End|Tab|BSpace|Escape|Enter|DC|PPage|NPage|Space)$/;
const sessions = readFileSync(positionals[0], 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const tidy = (screen) =>
  screen
    .split('\n')
    .map((row) => row.trimEnd())
    .join('\n')
    .replace(/\n+$/, '');

function give(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    lchownSync(path, USER, USER);
    if (entry.isDirectory()) give(path);
  }
  chownSync(folder, USER, USER);
}

function sandbox(place, home) {
  const variables = {
    HOME: '/home/user',
    USER: 'user',
    LOGNAME: 'user',
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TERM: 'screen',
  };
  return [
    ...[
      'bwrap',
      '--ro-bind',
      values.root,
      '/',
      '--ro-bind',
      join(place, 'rc'),
      '/etc/rc',
      '--bind',
      home,
      '/home/user',
    ],
    ...[
      '--tmpfs',
      '/tmp',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--unshare-ipc',
      '--unshare-pid',
      '--unshare-net',
    ],
    ...['--unshare-uts', '--hostname', 'host', '--die-with-parent', '--clearenv', '--chdir', '/home/user'],
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['setpriv', '--reuid', String(USER), '--regid', String(USER), '--clear-groups'],
    ...['/bin/bash', '--noprofile', '--rcfile', '/etc/rc', '-i'],
  ];
}

async function record(one, number) {
  const place = mkdtempSync(join(tmpdir(), 'keystrokes-'));
  const home = join(place, 'home');
  mkdirSync(home);
  for (const [name, text] of Object.entries(one.files ?? {})) {
    const path = join(home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
  give(home);
  writeFileSync(join(place, 'rc'), "PS1='\\u@\\h:\\w\\$ '\n");
  const tmux = (...words) =>
    execFileSync('tmux', ['-L', `keys-${process.pid}-${number}`, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
    });
  tmux('new-session', '-d', '-x', '80', '-y', '41', '-s', 's', ...sandbox(place, home));
  tmux('set', '-g', 'status', 'off');
  tmux('resize-window', '-t', 's', '-x', '80', '-y', '40');
  const settled = async () => {
    let before = '';
    for (let same = 0; same < 3; ) {
      await sleep(100);
      const now = tidy(tmux('capture-pane', '-p', '-t', 's'));
      same = now === before ? same + 1 : 0;
      before = now;
    }
    return before;
  };
  const turns = [];
  const first = await settled();
  try {
    for (const action of one.steps) {
      for (const { keystrokes, duration } of action) {
        if (KEY.test(keystrokes)) tmux('send-keys', '-t', 's', keystrokes);
        else if (keystrokes !== '')
          tmux('send-keys', '-t', 's', '-l', '--', keystrokes.replaceAll('\n', '\r'));
        await sleep(duration * 1000);
      }
      turns.push({ action, screen: await settled() });
    }
  } catch {
    // The shell has ended, and the pane with it: what was seen before is kept.
  } finally {
    spawnSync('tmux', ['-L', `keys-${process.pid}-${number}`, 'kill-server']);
    await sleep(200);
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
  return { id: one.id, family: one.family, files: one.files ?? {}, first, turns };
}

const recorded = new Array(sessions.length);
let next = 0;
await Promise.all(
  Array.from({ length: Number(values.jobs) }, async () => {
    while (next < sessions.length) {
      const number = next++;
      recorded[number] = await record(sessions[number], number);
    }
  }),
);
writeFileSync(values.out, recorded.map((one) => `${JSON.stringify(one)}\n`).join(''));
console.error(
  `${recorded.length} sessions, ${recorded.reduce((sum, one) => sum + one.turns.length, 0)} turns`,
);
