/**
 * `journalctl` of systemd 252: the machine's journal, chosen by unit, time, priority, program and words.
 *
 * Source: journalctl(1). Only the current boot is there. Not covered, asked instead: other formats than those of
 * `journal-text.ts`, matches of fields other than `_PID=`, `_COMM=`, `_SYSTEMD_UNIT=`, housekeeping (`--vacuum-size`,
 * `--rotate`, `--disk-usage`, `--list-boots`).
 */
import type { Running } from '../../kernel/index.js';
import type { JournalEntry } from '../../services/journal.js';
import { managerOf, type ServiceManager } from '../../services/supervisor.js';
import { unitName } from '../../services/unit.js';
import { defineOptions } from '../program/options.js';
import { parseDate } from '../program/parse-date.js';
import { defineTool, type Tool } from '../program/tool.js';
import { unknownProgram } from '../program/unknown-program.js';
import { parsePerl } from '../tools/regex/parse-perl.js';
import { Regex } from '../tools/regex/regex.js';
import { RegexSyntaxError } from '../tools/regex/regex-tree.js';
import { entryText, JOURNAL_FORMATS, type JournalFormat } from './journal-text.js';
import { hasPager, showText } from './systemd-words.js';
import { isNamed } from './unit-lists.js';
import { maySeeJournal } from './unit-status.js';

const OPTIONS = defineOptions(
  'u,unit: t,identifier: p,priority: g,grep: n,lines:: S,since: U,until: b,boot:: o,output: f,follow r,reverse e,pager-end x,catalog a,all q,quiet k,dmesg ' +
    'no-pager no-tail utc no-hostname l,full no-full system case-sensitive:: ' +
    'user m,merge D,directory: file: root: header disk-usage vacuum-size: vacuum-time: vacuum-files: rotate flush sync list-boots ' +
    'F,field: N,fields c,cursor: after-cursor: show-cursor cursor-file: verify list-catalog dump-catalog user-unit: facility: output-fields: M,machine: help version',
  '',
);
const COMPUTED =
  'unit identifier priority grep lines since until boot output follow reverse pager-end catalog all quiet dmesg no-pager no-tail utc no-hostname full no-full system case-sensitive'.split(
    ' ',
  );
const SHORT: Readonly<Record<string, string>> = {
  u: 'unit',
  t: 'identifier',
  p: 'priority',
  g: 'grep',
  n: 'lines',
  S: 'since',
  U: 'until',
  b: 'boot',
  o: 'output',
  f: 'follow',
  r: 'reverse',
  e: 'pager-end',
  x: 'catalog',
  a: 'all',
  q: 'quiet',
  k: 'dmesg',
  l: 'full',
};
const PRIORITIES = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'];
const HINT = `Hint: You are currently not seeing messages from other users and the system.
      Users in groups 'adm', 'systemd-journal' can see all messages.
      Pass -q to turn off this notice.
`;
const NO_FILES = 'No journal files were opened due to insufficient permissions.\n';
const FOLLOW_LINES = 10;
const END_LINES = 1000;

/** The command. */
export const journalctl = defineTool(
  'journalctl',
  function* (tool) {
    const manager = managerOf(tool.proc.kernel);
    const flags = new Map<string, readonly string[]>();
    const onError = (): never => tool.exit(1);
    for (const { key, value } of tool.options(OPTIONS, { onError, args: joined(tool.args) })) {
      const name = SHORT[key] ?? key;
      flags.set(name, [...(flags.get(name) ?? []), ...(value === undefined ? [] : [value])]);
    }
    const format = JOURNAL_FORMATS.find((one) => one === (flags.get('output')?.at(-1) ?? 'short'));
    const isKnown = [...flags.keys()].every((key) => COMPUTED.includes(key));
    const hasEntries = manager.knowsServices || manager.journal.entries.length > 0;
    if (!isKnown || format === undefined || !hasEntries)
      return yield* unknownProgram('journalctl')(tool.proc);
    if (!maySeeJournal(tool)) {
      if (!flags.has('quiet')) tool.io.err(HINT);
      tool.io.err(NO_FILES);
      return 1;
    }
    const wish = readWish(tool, flags);
    if (wish === null) return yield* unknownProgram('journalctl')(tool.proc);
    return yield* show(tool, manager, { flags, wish, format });
  },
  { sizeBytes: 76_440 },
);

/** `-n 20` has its number in the next word, which an optional argument of getopt has not: systemd joins them. */
function joined(args: readonly string[]): string[] {
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    const next = args[at + 1];
    const takesNumber = /^-[a-zA-Z]*n$/.test(word) || word === '--lines';
    if (takesNumber && next !== undefined && /^(\d+|all)$/.test(next)) {
      words.push(word === '--lines' ? `--lines=${next}` : `${word}${next}`);
      at += 1;
    } else words.push(word);
  }
  return words;
}

interface Wish {
  readonly isMeant: (entry: JournalEntry) => boolean;
  readonly lines: number;
}

/** What is asked for; null where it is nothing that is computed. */
function readWish(tool: Tool, flags: ReadonlyMap<string, readonly string[]>): Wish | null {
  const tests: ((entry: JournalEntry) => boolean)[] = [];
  const units = (flags.get('unit') ?? []).map((one) => (/[*?[]/.test(one) ? one : unitName(one)));
  if (units.length > 0)
    tests.push(
      ({ unit }) =>
        unit !== undefined && units.some((one) => unit === one || (/[*?[]/.test(one) && isNamed(unit, one))),
    );
  const idents = flags.get('identifier') ?? [];
  if (idents.length > 0) tests.push(({ ident }) => idents.includes(ident));
  const priority = flags.get('priority')?.at(-1);
  if (priority !== undefined) tests.push(priorityTest(tool, priority));
  for (const [key, sign] of [
    ['since', 1],
    ['until', -1],
  ] as const) {
    const text = flags.get(key)?.at(-1);
    if (text === undefined) continue;
    const atUs = momentOf(tool, text);
    if (atUs === null) tool.die(`Failed to parse timestamp: ${text}`);
    tests.push((entry) => (entry.atUs - atUs) * sign >= 0);
  }
  const pattern = flags.get('grep')?.at(-1);
  if (pattern !== undefined) tests.push(grepTest(tool, pattern));
  if (flags.has('dmesg')) tests.push(({ ident }) => ident === 'kernel');
  const boot = flags.get('boot')?.at(-1);
  if (boot !== undefined && boot !== '0' && boot !== '')
    tool.die(`Data from the specified boot (${boot}) is not available: No such boot ID in journal`);
  for (const word of tool.operands) {
    if (flags.has('boot') && word === '0') continue;
    const match = /^(_PID|_COMM|_SYSTEMD_UNIT|UNIT|SYSLOG_IDENTIFIER)=(.*)$/.exec(word);
    if (match === null) return null;
    const [, field, value = ''] = match;
    tests.push((entry) =>
      field === '_PID'
        ? String(entry.pid) === value
        : /UNIT/.test(field ?? '')
          ? entry.unit === value
          : entry.ident === value,
    );
  }
  return { isMeant: (entry) => tests.every((one) => one(entry)), lines: linesWished(tool, flags) };
}

function linesWished(tool: Tool, flags: ReadonlyMap<string, readonly string[]>): number {
  const given = flags.get('lines')?.at(-1);
  if (flags.has('lines')) {
    if (given === 'all') return Number.POSITIVE_INFINITY;
    const lines = given === undefined ? 10 : Number(given);
    if (!Number.isInteger(lines) || lines < 0) tool.die(`Failed to parse lines '${given}'`);
    return lines;
  }
  if (flags.has('follow') && !flags.has('no-tail')) return FOLLOW_LINES;
  return flags.has('pager-end') ? END_LINES : Number.POSITIVE_INFINITY;
}

function priorityTest(tool: Tool, text: string): (entry: JournalEntry) => boolean {
  const [low, high] = text.includes('..') ? text.split('..') : ['emerg', text];
  const numbers = [low, high].map((word = '') => {
    const named = PRIORITIES.findIndex(
      (one) => one === word || (word === 'error' && one === 'err') || (word === 'warn' && one === 'warning'),
    );
    return named >= 0 ? named : /^[0-7]$/.test(word) ? Number(word) : Number.NaN;
  });
  if (numbers.some(Number.isNaN)) tool.die(`Unknown log level ${text}`);
  const [least = 0, most = 7] = numbers.sort((one, other) => one - other);
  return ({ priority }) => priority >= least && priority <= most;
}

function grepTest(tool: Tool, pattern: string): (entry: JournalEntry) => boolean {
  try {
    const regex = new Regex(parsePerl(pattern, pattern === pattern.toLowerCase()));
    return ({ text }) => regex.test(text);
  } catch (error) {
    if (!(error instanceof RegexSyntaxError)) throw error;
    return tool.die(`Bad pattern "${pattern}": ${error.message}`);
  }
}

/** A moment as systemd.time(7) reads it, in microseconds; null where it is none. */
function momentOf(tool: Tool, text: string): number | null {
  const nowUs = tool.proc.now();
  const span = /^([-+])?\s*((?:\d+(?:\.\d+)?\s*[a-z]*\s*)+?)(\s+ago)?$/.exec(text.trim());
  if (span !== null && (span[1] !== undefined || span[3] !== undefined)) {
    const us = spanOf(span[2] ?? '');
    if (us !== null) return span[1] === '+' ? nowUs + us : nowUs - us;
  }
  const words = text.replace(/^@(\d+)$/, '@$1').replace(/^(\d\d:\d\d(?::\d\d)?)$/, 'today $1');
  const isDay = /^(today|yesterday|tomorrow)$/.test(words);
  const moment = parseDate(
    isDay ? `${words} 00:00` : words,
    { seconds: Math.floor(nowUs / 1e6), nanoseconds: 0 },
    tool.zone,
  );
  return moment === null ? null : moment.seconds * 1e6 + Math.floor(moment.nanoseconds / 1000);
}

const SPANS: readonly (readonly [RegExp, number])[] = [
  [/^(us|usec)$/, 1],
  [/^(ms|msec)$/, 1000],
  [/^(s|sec|second|seconds)?$/, 1e6],
  [/^(m|min|minute|minutes)$/, 6e7],
  [/^(h|hr|hour|hours)$/, 3.6e9],
  [/^(d|day|days)$/, 8.64e10],
  [/^(w|week|weeks)$/, 6.048e11],
  [/^(M|month|months)$/, 2.6298e12],
];

function spanOf(text: string): number | null {
  let sum = 0;
  for (const [, number = '', word = ''] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-zA-Z]*)/g)) {
    const unit = SPANS.find(([pattern]) => pattern.test(word));
    if (unit === undefined) return null;
    sum += Number(number) * unit[1];
  }
  return sum;
}

interface Showing {
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly wish: Wish;
  readonly format: JournalFormat;
}

function* show(tool: Tool, manager: ServiceManager, { flags, wish, format }: Showing): Running<number> {
  const { journal } = manager;
  const how = { format, host: manager.parts.hostname, explains: flags.has('catalog') };
  const entries = journal.entries.filter(wish.isMeant);
  const chosen = entries.slice(Math.max(0, entries.length - wish.lines));
  if (flags.has('reverse')) chosen.reverse();
  const text = chosen.map((entry) => entryText(tool, entry, how)).join('');
  if (!flags.has('follow')) {
    const isPaged = hasPager(tool, flags.has('no-pager'));
    if (chosen.length === 0 && format !== 'json' && !flags.has('quiet')) tool.out('-- No entries --\n');
    else yield* showText(tool, text, isPaged);
    return 0;
  }
  tool.out(text);
  yield* tool.io.flush();
  for (let seen = journal.entries.length + journal.dropped; ; ) {
    yield* tool.proc.block([journal.grown]);
    const fresh = journal.entries.slice(Math.max(0, seen - journal.dropped)).filter(wish.isMeant);
    seen = journal.entries.length + journal.dropped;
    tool.out(fresh.map((entry) => entryText(tool, entry, how)).join(''));
    yield* tool.io.flush();
  }
}
