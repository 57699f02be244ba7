/**
 * The columns of `ps`: headings, widths, values.
 *
 * Source: ps(1), procps 4.0.2.
 */

import type { Accounts } from '../../program/accounts.js';
import { breakTime } from '../../program/calendar.js';
import { strftime } from '../../program/strftime.js';
import type { TimeZone } from '../../program/time-zone.js';
import { clockText, type ProcessRow, RESIDENT_KIB, VIRTUAL_KIB } from './process-row.js';

/** What columns need beside the row. */
export interface PsContext {
  readonly zone: TimeZone;
  readonly nowSeconds: number;
  readonly memoryKib: number;
  readonly accounts: Accounts;
}

/** A column. */
export interface PsField {
  readonly heading: string;
  readonly width: number;
  readonly isLeft: boolean;
  readonly value: (row: ProcessRow, context: PsContext) => string;
  /** Sorts as a number. */
  readonly sort?: (row: ProcessRow) => number | string;
}

type Value = PsField['value'];

function right(heading: string, width: number, value: Value, sort?: PsField['sort']): PsField {
  return { heading, width, isLeft: false, value, ...(sort && { sort }) };
}

function left(heading: string, width: number, value: Value): PsField {
  return { heading, width, isLeft: true, value };
}

function startText(row: ProcessRow, context: PsContext): string {
  const start = breakTime(Math.floor(row.proc.startUs / 1e6), 0, context.zone);
  const now = breakTime(context.nowSeconds, 0, context.zone);
  if (start.year === now.year && start.yearDay === now.yearDay) return strftime('%H:%M', start);
  return strftime(start.year === now.year ? '%b%d' : '%Y', start);
}

function startedText(row: ProcessRow, context: PsContext): string {
  const start = breakTime(Math.floor(row.proc.startUs / 1e6), 0, context.zone);
  return strftime(context.nowSeconds - row.proc.startUs / 1e6 < 86_400 ? '%H:%M:%S' : '%b %d', start);
}

function elapsed(seconds: number): string {
  const text = clockText(seconds);
  return text.startsWith('00:') ? text.slice(3) : text.replace(/^0(\d-)/, '$1');
}

function short(name: string): string {
  return name.length > 8 ? `${name.slice(0, 7)}+` : name;
}

const command: Value = (row) => row.args || `[${row.comm}]`;
const name: Value = (row) => row.comm;
const user: Value = (row) => short(row.user);
const percentMemory: Value = (_row, { memoryKib }) =>
  (Math.floor((RESIDENT_KIB * 1000) / memoryKib) / 10).toFixed(1);
const none: Value = () => '0';
const dash: Value = () => '-';
const priority: Value = () => '20';
const bsdTime: Value = ({ cpuSeconds }) =>
  `${Math.floor(cpuSeconds / 60)}:${String(cpuSeconds % 60).padStart(2, '0')}`;
const pages: Value = () => String(Math.floor(VIRTUAL_KIB / 4));

/** The columns by their names. */
const FIELDS: Readonly<Record<string, PsField>> = {
  pid: right(
    'PID',
    7,
    (row) => String(row.proc.pid),
    (row) => row.proc.pid,
  ),
  ppid: right(
    'PPID',
    7,
    (row) => String(row.proc.ppid),
    (row) => row.proc.ppid,
  ),
  pgid: right(
    'PGID',
    7,
    (row) => String(row.proc.pgid),
    (row) => row.proc.pgid,
  ),
  sid: right(
    'SID',
    7,
    (row) => String(row.proc.sid),
    (row) => row.proc.sid,
  ),
  tpgid: right('TPGID', 7, (row) => String(row.proc.terminal?.foreground ?? -1)),
  spid: right('SPID', 7, (row) => String(row.proc.pid)),
  user: left('USER', 8, user),
  ruser: left('RUSER', 8, user),
  euser: left('EUSER', 8, user),
  group: left('GROUP', 8, (row, { accounts }) => short(accounts.groupName(row.proc.gid))),
  uid: right(
    'UID',
    5,
    (row) => String(row.proc.uid),
    (row) => row.proc.uid,
  ),
  gid: right(
    'GID',
    5,
    (row) => String(row.proc.gid),
    (row) => row.proc.gid,
  ),
  comm: left('COMMAND', 15, name),
  ucomm: left('COMMAND', 15, name),
  args: left('COMMAND', 27, command),
  cmd: left('CMD', 27, command),
  '%cpu': right(
    '%CPU',
    4,
    () => '0.0',
    (row) => row.cpuSeconds,
  ),
  '%mem': right('%MEM', 4, percentMemory, () => RESIDENT_KIB),
  c: right('C', 2, none),
  vsz: right(
    'VSZ',
    6,
    () => String(VIRTUAL_KIB),
    () => VIRTUAL_KIB,
  ),
  rss: right(
    'RSS',
    5,
    () => String(RESIDENT_KIB),
    () => RESIDENT_KIB,
  ),
  sz: right('SZ', 5, pages),
  size: right('SIZE', 5, () => '460'),
  tty: left('TT', 8, (row) => row.tty),
  stat: left('STAT', 4, (row) => row.stat),
  s: left('S', 1, (row) => row.state),
  f: right('F', 1, (row) => (row.proc.pid === 1 || row.proc.ppid === 1 ? '4' : '0')),
  start: right('STARTED', 8, startedText, (row) => row.proc.startUs),
  lstart: right('STARTED', 24, (row, { zone }) =>
    strftime('%a %b %e %H:%M:%S %Y', breakTime(Math.floor(row.proc.startUs / 1e6), 0, zone)),
  ),
  stime: right('STIME', 5, startText, (row) => row.proc.startUs),
  bsdstart: right('START', 5, startText),
  time: right(
    'TIME',
    8,
    (row) => clockText(row.cpuSeconds),
    (row) => row.cpuSeconds,
  ),
  cputimes: right('TIME', 8, (row) => String(row.cpuSeconds)),
  bsdtime: right('TIME', 6, bsdTime),
  etime: right(
    'ELAPSED',
    11,
    (row) => elapsed(row.elapsedSeconds),
    (row) => row.elapsedSeconds,
  ),
  etimes: right(
    'ELAPSED',
    7,
    (row) => String(row.elapsedSeconds),
    (row) => row.elapsedSeconds,
  ),
  ni: right('NI', 3, none),
  pri: right('PRI', 3, () => '19'),
  priority: right('PRI', 3, priority),
  opri: right('PRI', 3, () => '80'),
  nlwp: right('NLWP', 4, () => '1'),
  psr: right('PSR', 3, none),
  cls: left('CLS', 3, () => 'TS'),
  rtprio: right('RTPRIO', 6, dash),
  wchan: left('WCHAN', 6, (row) =>
    row.state === 'R' ? '-' : row.proc.children().length > 0 ? 'do_wai' : 'hrtime',
  ),
  addr_sz: left('ADDR SZ', 7, (row, context) => `-${pages(row, context).padStart(6)}`),
  label: left('LABEL', 31, dash),
  majfl: right('MAJFL', 6, none),
  trs: right('TRS', 5, () => '900'),
  drs: right('DRS', 5, () => String(VIRTUAL_KIB - 900)),
  exe: left('EXE', 27, (row) => row.proc.exe),
  pending: right('PENDING', 16, () => '0000000000000000'),
};

const SYNONYMS: Readonly<Record<string, string>> = {
  pcpu: '%cpu',
  pmem: '%mem',
  command: 'args',
  uname: 'user',
  tname: 'tty',
  tt: 'tty',
  state: 's',
  sess: 'sid',
  session: 'sid',
  pgrp: 'pgid',
  nice: 'ni',
  vsize: 'vsz',
  rssize: 'rss',
  rsz: 'rss',
  start_time: 'stime',
  cputime: 'time',
  euid: 'uid',
  egid: 'gid',
  egroup: 'group',
  rgroup: 'group',
  ruid: 'uid',
  rgid: 'gid',
  tid: 'spid',
  lwp: 'spid',
  thcount: 'nlwp',
  class: 'cls',
  policy: 'cls',
  cp: 'c',
  fname: 'ucomm',
  flag: 'f',
  flags: 'f',
  tgid: 'pid',
};
const HEADINGS: Readonly<Record<string, string>> = {
  egroup: 'EGROUP',
  rgroup: 'RGROUP',
  euid: 'EUID',
  egid: 'EGID',
  ruid: 'RUID',
  rgid: 'RGID',
  sess: 'SESS',
  session: 'SESS',
  pgrp: 'PGRP',
  tname: 'TTY',
  start_time: 'START',
  thcount: 'THCNT',
  tid: 'TID',
  lwp: 'LWP',
  tgid: 'TGID',
};

/** The column of a name; undefined where there is none. */
export function psField(word: string): PsField | undefined {
  const key = word.toLowerCase();
  const found = FIELDS[SYNONYMS[key] ?? key];
  const heading = HEADINGS[key];
  return found !== undefined && heading !== undefined ? { ...found, heading } : found;
}

/** A column with another heading. */
export function headed(word: string, heading: string): PsField {
  const field = psField(word);
  if (field === undefined) throw new RangeError(`ps has no column ${word}`);
  return { ...field, heading };
}
