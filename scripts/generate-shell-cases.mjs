#!/usr/bin/env node
/**
 * Generates commands for `record-shell-cases.mjs` from the templates in `shell-cases/` and from options that the real
 * programs print with `--help` (with `--root ROOT`, where the programs run through chroot).
 *
 * Usage: node scripts/generate-shell-cases.mjs [--seed N] [--scale F] [--root ROOT] > COMMANDS.jsonl
 * The seed decides the draws; `--scale` multiplies how many draws each template gets. Each line is
 * {"family", "command", "setup"}; a command appears once. What real shells do with it is the recorder's matter.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { FILES_AND_TEXT } from './shell-cases/files-and-text.mjs';
import { GIT } from './shell-cases/git.mjs';
import { PROGRAMS } from './shell-cases/programs.mjs';
import { SEARCH } from './shell-cases/search.mjs';
import { SHELL_LANGUAGE } from './shell-cases/shell-language.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    scale: { type: 'string', default: '1' },
    root: { type: 'string' },
  },
});
const scale = Number(values.scale);

/** A seeded generator of fractions (mulberry32). */
function fractions(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
const next = fractions(Number(values.seed));
const pick = (list) => list[Math.floor(next() * list.length)];

/** Fills a template's slots with draws from the pools. */
function expand(template, pools) {
  return template.replace(/@([a-z0-9]+)(?:\*(\d))?@/g, (whole, name, times) => {
    const pool = pools[name];
    if (pool === undefined) return whole;
    const drawn = new Set();
    const count = times === undefined ? 1 : 1 + Math.floor(next() * Number(times));
    for (let i = 0; i < count; i++) drawn.add(pick(pool));
    return [...drawn].join(' ');
  });
}

const out = new Map();
const add = (family, setup, command) => {
  const trimmed = command.replace(/ +$/, '');
  if (trimmed !== '') out.set(`${setup}\0${trimmed}`, { family, command: trimmed, setup });
};

for (const entry of [...FILES_AND_TEXT, ...SEARCH, ...SHELL_LANGUAGE, ...GIT, ...PROGRAMS]) {
  const pools = { ...entry.pools, ...entry.extra };
  for (const template of entry.templates) {
    const slots = (template.match(/@[a-z0-9]+(\*\d)?@/g) ?? []).length;
    const most = slots === 0 ? 1 : Math.max(1, Math.round((entry.each ?? 10) * scale));
    for (let i = 0; i < most; i++) add(entry.family, entry.setup, expand(template, pools));
  }
}

/** Operands that suit each program, for options read from its help; programs not named here are left out. */
const OPERANDS = {
  cat: 'poem.txt',
  head: 'names.txt',
  tail: 'names.txt',
  wc: 'poem.txt',
  sort: 'names.txt',
  uniq: 'names.txt',
  cut: '-d, -f1 plants.csv',
  nl: 'poem.txt',
  paste: 'names.txt beds.tsv',
  fold: 'README.txt',
  fmt: 'README.txt',
  ls: '.',
  stat: 'plants.csv',
  od: 'nonl.txt',
  comm: 'names.txt names.txt',
  join: 'beds.tsv beds.tsv',
  grep: 'n names.txt',
  find: 'log -name old.log',
  diff: '--label a --label b names.txt poem.txt',
  cmp: 'names.txt poem.txt',
  sed: '2p names.txt',
  xargs: 'echo < beds.tsv',
  tree: 'log',
  du: '-b plants.csv',
  cp: 'plants.csv new.csv',
  mv: 'plants.csv new.csv',
  rm: 'plants.csv',
  mkdir: 'm1',
  touch: 'plants.csv',
  ln: 'plants.csv l1',
  chmod: '600 plants.csv',
  seq: '3',
  date: '-u -d @0',
  tac: 'names.txt',
  expand: 'beds.tsv',
  basename: 'a/b.c',
  realpath: 'log',
  readlink: 'latest',
  md5sum: 'plants.csv',
  base64: 'nonl.txt',
  tr: 'a b < names.txt',
  shuf: '-n 1 nonl.txt | wc -l',
  split: 'names.txt; ls',
  rmdir: 'beds.d',
  gzip: 'plants.csv; ls plants*',
  tar: '-cf a.tar log; tar tf a.tar | sort',
  jq: '-c . tasks.json',
  truncate: '-s 3 nonl.txt; cat nonl.txt',
  numfmt: '2048',
  env: 'echo e',
  timeout: '1 echo t',
  install: 'plants.csv p2',
  mktemp: '| wc -l',
  tee: 't1 < nonl.txt',
  file: 'plants.csv',
};
const GUESSES = {
  N: '2',
  NUM: '2',
  NUMBER: '2',
  FILE: 'names.txt',
  DIR: 'beds.d',
  DIRECTORY: 'beds.d',
  CHAR: ',',
  WIDTH: '20',
  COLS: '30',
  LIST: '1',
  SEP: ':',
  STRING: 'x',
  STR: 'x',
  PATTERN: 'n',
  SUFFIX: '.x',
  SIZE: '4',
  MODE: '700',
  STYLE: 'long-iso',
  WHEN: 'always',
  WORD: 'none',
  BYTES: '4',
  FORMAT: '%s',
  REGEX: 'n',
  MAX: '2',
  GLOB: '*.txt',
};

/** Options of one program as its help lists them. */
function options(program) {
  const text = execFileSync('chroot', [values.root, 'bash', '-c', `${program} --help 2>&1 || true`], {
    encoding: 'utf8',
    maxBuffer: 1 << 22,
  });
  const found = [];
  for (const match of text.matchAll(
    /^ {1,8}(-[a-zA-Z0-9])?(?:, )?(--[a-z][a-z-]+)?(?:\[?=\[?([A-Z]+)\]?)?/gm,
  )) {
    const [, short, long, value] = match;
    if (short === undefined && long === undefined) continue;
    if (/help|version|interactive|recursive|follow|random|files0/.test(long ?? '')) continue;
    const guess = value === undefined ? undefined : (GUESSES[value] ?? '1');
    if (short !== undefined) found.push(guess === undefined ? short : `${short} ${guess}`);
    if (long !== undefined) found.push(guess === undefined ? long : `${long}=${guess}`);
  }
  return found;
}

const FAMILIES = {
  grep: 'grep',
  sed: 'sed',
  find: 'find',
  xargs: 'find',
  sort: 'sort-uniq',
  uniq: 'sort-uniq',
  diff: 'diff-cmp',
  cmp: 'diff-cmp',
  ls: 'ls',
  tar: 'archive',
  gzip: 'archive',
  jq: 'jq',
};
const FILE_PROGRAMS = [
  'cp',
  'mv',
  'rm',
  'mkdir',
  'touch',
  'ln',
  'chmod',
  'rmdir',
  'install',
  'truncate',
  'du',
];
if (values.root !== undefined)
  for (const [program, operands] of Object.entries(OPERANDS)) {
    const family = FAMILIES[program] ?? (FILE_PROGRAMS.includes(program) ? 'file-ops' : 'text-utils');
    for (const option of options(program))
      if (next() < scale) add(family, 'greenhouse', `${program} ${option} ${operands}`);
  }

process.stdout.write([...out.values()].map((line) => `${JSON.stringify(line)}\n`).join(''));
