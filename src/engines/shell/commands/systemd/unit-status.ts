/**
 * `systemctl status`: what a unit is, since when, its processes and its last words.
 *
 * Source: `print_status_info` of systemd 252. Memory and processor time are those of a small daemon.
 */
import type { JournalEntry } from '../../services/journal.js';
import type { ServiceManager } from '../../services/supervisor.js';
import { endWords, type Unit } from '../../services/unit.js';
import { membersOf } from '../../services/unit-process.js';
import { enabledState, findUnit } from '../../services/unit-store.js';
import { Accounts } from '../program/accounts.js';
import { terminalSize } from '../program/terminal-size.js';
import type { Tool } from '../program/tool.js';
import { entryText, type JournalFormat } from './journal-text.js';
import { agoWords, spanWords, stampWords } from './systemd-words.js';

/** How a status is shown. */
export interface StatusWish {
  readonly lines: number;
  readonly isFull: boolean;
  readonly format: JournalFormat;
  /** Long lines of the journal are shortened: a terminal without a pager. */
  readonly isNarrow: boolean;
}

/** The mark before a unit. */
function markOf(unit: Unit): string {
  if (unit.active === 'failed') return '×';
  return unit.active === 'inactive' ? '○' : '●';
}

/** The whole text of a unit's status. */
export function statusText(tool: Tool, unit: Unit, manager: ServiceManager, wish: StatusWish): string {
  const rows = [
    `${markOf(unit)} ${manager.titleOf(unit)}`,
    ...loadedRows(tool, unit),
    activeRow(tool, unit, manager),
  ];
  const row = (label: string, text: string): void => {
    rows.push(`${label.padStart(11)}: ${text}`);
  };
  const isUp = unit.active === 'active' || unit.active === 'reloading';
  if (!isUp && unit.durationUs > 0) row('Duration', spanWords(unit.durationUs));
  const docs = manager.values(unit, 'Unit', 'Documentation').flatMap((one) => one.split(/\s+/));
  for (const [at, doc] of docs.entries()) rows.push(at === 0 ? `       Docs: ${doc}` : `             ${doc}`);
  for (const ended of [...unit.controls, ...(unit.main === null ? [] : [unit.main])])
    row('Process', `${ended.pid} ${ended.key}=${ended.line} (${endWords(ended)})`);
  const main = manager.kernel.processes.get(unit.mainPid);
  if (main !== undefined) row('Main PID', `${main.pid} (${main.comm})`);
  else if (unit.main !== null) row('Main PID', `${unit.main.pid} (${endWords(unit.main)})`);
  rows.push(...groupRows(unit, manager));
  const entries = wish.lines === 0 ? [] : lastEntries(tool, unit, manager).slice(-wish.lines);
  const lines = entries.map((entry) =>
    entryText(tool, entry, { format: wish.format, host: manager.parts.hostname }),
  );
  const { columns } = terminalSize(tool);
  const shown = lines.map((line) => (wish.isNarrow && !wish.isFull ? ellipsis(line, columns) : line));
  const hint = shown.some((line, at) => line !== lines[at])
    ? 'Hint: Some lines were ellipsized, use -l to show in full.\n'
    : '';
  return `${rows.join('\n')}\n${shown.length === 0 ? '' : `\n${shown.join('')}`}${hint}`;
}

/** The middle of a long line goes. */
function ellipsis(line: string, columns: number): string {
  const letters = [...line.replace(/\n$/, '')];
  if (letters.length <= columns) return line;
  const before = Math.floor((columns * 9) / 10);
  return `${letters.slice(0, before).join('')}…${letters.slice(letters.length - (columns - before - 1)).join('')}\n`;
}

function loadedRows(tool: Tool, unit: Unit): string[] {
  const found = findUnit(tool.proc, unit.name);
  if (unit.path === '') return [`     Loaded: not-found (Reason: Unit ${unit.name} not found.)`];
  if (unit.text === null) return [`     Loaded: masked (Reason: Unit ${unit.name} is masked.)`];
  const state = found === null ? 'disabled' : enabledState(tool.proc, unit.name, found);
  const preset = state === 'static' ? 'static' : `${state}; preset: enabled`;
  const rows = [`     Loaded: loaded (${unit.path}; ${preset})`];
  const dropIns = found?.dropIns ?? [];
  if (dropIns.length > 0) {
    rows.push(`    Drop-In: ${(dropIns[0] ?? '').replace(/\/[^/]*$/, '')}`);
    const names = dropIns.map((one) => one.replace(/^.*\//, ''));
    rows.push(`             └─${names.join(', ')}`);
  }
  return rows;
}

function activeRow(tool: Tool, unit: Unit, manager: ServiceManager): string {
  const { active, sub, result, sinceUs } = unit;
  const why = result !== 'success' && active !== 'active' ? ` (Result: ${result})` : '';
  const state = active === 'failed' ? 'failed' : `${active} (${sub})`;
  const since =
    sinceUs === 0
      ? ''
      : ` since ${stampWords(tool, sinceUs)}; ${agoWords(manager.kernel.clock.nowUs - sinceUs)}`;
  return `     Active: ${state}${why}${since}`;
}

/** Tasks, memory, processor time and the tree of a unit's processes. */
function groupRows(unit: Unit, manager: ServiceManager): string[] {
  const members = membersOf(manager.kernel, unit.name);
  const cpu = `        CPU: ${spanWords(cpuOf(unit, members.length))}`;
  if (members.length === 0) return unit.main === null && unit.controls.length === 0 ? [] : [cpu];
  const tree = members.map((one, at) => {
    const branch = at === members.length - 1 ? '└─' : '├─';
    const words = one.argv.join(' ');
    return `             ${branch}${one.pid} ${/[\s"']/.test(one.argv.join('')) ? JSON.stringify(words) : words}`;
  });
  return [
    `      Tasks: ${members.length} (limit: 4644)`,
    `     Memory: ${memoryOf(unit)}`,
    cpu,
    `     CGroup: /system.slice/${unit.name}`,
    ...tree,
  ];
}

function cpuOf(unit: Unit, processes: number): number {
  return 6000 + (nameNumber(unit.name) % 40) * 1000 + processes * 2000;
}

function memoryOf(unit: Unit): string {
  return `${(1 + (nameNumber(unit.name) % 300) / 10).toFixed(1)}M`;
}

/** A number that stands for a name. */
function nameNumber(name: string): number {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return sum;
}

/** What a user may see of a unit's journal since it was started last. */
function lastEntries(tool: Tool, unit: Unit, manager: ServiceManager): JournalEntry[] {
  return maySeeJournal(tool)
    ? manager.journal.entries.filter((one) => one.unit === unit.name && one.atUs >= unit.beganUs)
    : [];
}

/** Root and the groups `adm` and `systemd-journal` see everything. */
export function maySeeJournal(tool: Tool): boolean {
  const { proc } = tool;
  if (proc.uid === 0 || proc.groups.includes(4)) return true;
  const text = managerGroups(tool);
  return proc.groups.some((gid) => text.includes(gid));
}

function managerGroups(tool: Tool): readonly number[] {
  return new Accounts(tool.proc).groups
    .filter(({ name }) => name === 'systemd-journal')
    .map(({ gid }) => gid);
}
