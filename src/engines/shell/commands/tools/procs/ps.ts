/**
 * `ps` of procps 4.0.2: the machine's processes.
 *
 * Source: ps(1). What `/proc` does not tell here (priorities, faults) has the values of a process at rest.
 */
import { Accounts, textNow } from '../../program/accounts.js';
import { ownTerminalSize } from '../../program/terminal-size.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { type ProcessRow, processRows } from './process-row.js';
import { type PsContext, psField } from './ps-fields.js';
import { type PsSettings, readPsSettings } from './ps-settings.js';

/** The command. */
export const ps = defineTool(
  'ps',
  // biome-ignore lint/correctness/useYield: it looks once
  function* (tool) {
    const settings = readPsSettings(tool);
    const accounts = new Accounts(tool.proc);
    const rows = chosenRows(tool, settings, accounts);
    const memory = /^MemTotal:\s*(\d+)/m.exec(textNow(tool.proc, '/proc/meminfo'))?.[1] ?? '4026312';
    const context: PsContext = {
      zone: tool.zone,
      nowSeconds: Math.floor(tool.proc.now() / 1e6),
      memoryKib: Number(memory),
      accounts,
    };
    print(tool, settings, { rows: ordered(rows, settings), context });
    return rows.length === 0 ? 1 : 0;
  },
  { sizeBytes: 144_832 },
);

function chosenRows(tool: Tool, settings: PsSettings, accounts: Accounts): ProcessRow[] {
  const { proc } = tool;
  const own = proc.terminal === null ? '?' : 'pts/0';
  return processRows(proc, accounts).filter((row) => {
    const isChosen = settings.hasList
      ? isListed(row, settings, accounts)
      : inScope(row, settings, { own, uid: proc.uid });
    return isChosen !== settings.negated && (!settings.onlyRunning || row.state === 'R');
  });
}

function isListed(row: ProcessRow, settings: PsSettings, accounts: Accounts): boolean {
  const { proc } = row;
  if (settings.scope === 'all') return true;
  return (
    settings.pids.includes(proc.pid) ||
    settings.ppids.includes(proc.ppid) ||
    settings.sids.includes(proc.sid) ||
    settings.commands.includes(row.comm) ||
    settings.ttys.includes(row.tty) ||
    settings.users.some((user) => user === row.user || user === String(proc.uid)) ||
    settings.groups.some(
      (group) =>
        group === String(proc.gid) || group === accounts.groupName(proc.gid) || group === String(proc.sid),
    )
  );
}

function inScope(
  row: ProcessRow,
  settings: PsSettings,
  me: { readonly own: string; readonly uid: number },
): boolean {
  const { proc } = row;
  const isMine = proc.uid === me.uid;
  switch (settings.scope) {
    case 'all':
      return true;
    case 'terminals':
      return row.tty !== '?' && proc.sid !== proc.pid;
    case 'no-leaders':
      return proc.sid !== proc.pid;
    case 'with-terminal':
      return row.tty !== '?';
    case 'own':
      return isMine;
    default:
      return isMine && row.tty === me.own && (!settings.isBsd || row.tty !== '?');
  }
}

interface Placed {
  readonly row: ProcessRow;
  /** What stands before the command in a tree. */
  readonly prefix: string;
}

function ordered(rows: readonly ProcessRow[], settings: PsSettings): Placed[] {
  const sorted = [...rows];
  for (const key of [...settings.sort].reverse()) {
    const field = psField(key.replace(/^[-+]/, ''));
    const value = field?.sort;
    if (value === undefined) continue;
    const sign = key.startsWith('-') ? -1 : 1;
    sorted.sort((one, other) => {
      const [first, second] = [value(one), value(other)];
      return first < second ? -sign : first > second ? sign : 0;
    });
  }
  if (settings.tree === undefined) return sorted.map((row) => ({ row, prefix: '' }));
  const out: Placed[] = [];
  const walk = (row: ProcessRow, level: number, before: string): void => {
    const prefix = settings.tree === 'indent' ? '  '.repeat(level) : level === 0 ? '' : `${before} \\_ `;
    out.push({ row, prefix });
    const children = sorted.filter((one) => one.proc.ppid === row.proc.pid && one !== row);
    const line = level === 0 ? '' : `${before}${isLastChild(row, sorted) ? '    ' : ' |  '}`;
    for (const child of children) walk(child, level + 1, line);
  };
  for (const row of sorted) if (!sorted.some((one) => one.proc.pid === row.proc.ppid)) walk(row, 0, '');
  return out;
}

function isLastChild(row: ProcessRow, rows: readonly ProcessRow[]): boolean {
  const siblings = rows.filter((one) => one.proc.ppid === row.proc.ppid);
  return siblings.at(-1) === row;
}

function print(
  tool: Tool,
  settings: PsSettings,
  { rows, context }: { readonly rows: readonly Placed[]; readonly context: PsContext },
): void {
  const { format } = settings;
  const own = ownTerminalSize(tool)?.columns;
  const columns = settings.columns ?? (tool.env('COLUMNS') ? Number(tool.env('COLUMNS')) : own);
  const width =
    settings.wide > 1 || columns === undefined
      ? Number.POSITIVE_INFINITY
      : settings.wide === 1
        ? Math.max(132, columns)
        : columns;
  const line = (cells: readonly string[]): void => {
    const text = format
      .map(({ width: least, isLeft }, at) => {
        const cell = cells[at] ?? '';
        if (!isLeft) return cell.padStart(least);
        return at === format.length - 1 ? cell : cell.padEnd(least);
      })
      .join(' ');
    tool.out(`${[...text].slice(0, width).join('')}\n`);
  };
  if (settings.heading && format.some((field) => field.heading !== ''))
    line(format.map((field) => field.heading));
  const commandAt = format.findLastIndex((field) => /^(COMMAND|CMD)$/.test(field.heading) && field.isLeft);
  for (const { row, prefix } of rows)
    line(format.map((field, at) => (at === commandAt ? prefix : '') + field.value(row, context)));
}
