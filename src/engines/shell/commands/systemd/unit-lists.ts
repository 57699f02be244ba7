/**
 * Lists of units: `systemctl list-units`, `list-unit-files`, and the properties that `show` knows.
 *
 * Source: systemctl(1) of systemd 252. Only services are units here.
 */
import type { ServiceManager } from '../../services/supervisor.js';
import type { Unit } from '../../services/unit.js';
import { enabledState, findUnit, unitNames } from '../../services/unit-store.js';
import { globMatcher } from '../program/glob.js';
import type { Tool } from '../program/tool.js';
import { stampWords } from './systemd-words.js';

/** What a list leaves out and how it is shown. */
export interface ListWish {
  readonly all: boolean;
  readonly plain: boolean;
  readonly noLegend: boolean;
  readonly states: readonly string[];
  readonly patterns: readonly string[];
  readonly types: readonly string[];
}

const LEGEND = `
LOAD   = Reflects whether the unit definition was properly loaded.
ACTIVE = The high-level unit activation state, i.e. generalization of SUB.
SUB    = The low-level unit activation state, values depend on unit type.
`;

/** The table of units. */
export function unitList(manager: ServiceManager, wish: ListWish): string {
  const units = manager.loaded().filter((unit) => isWished(unit, wish));
  const rows = units.map((unit) => [
    unit.name,
    unit.path === '' ? 'not-found' : unit.text === null ? 'masked' : 'loaded',
    unit.active,
    unit.sub,
    manager.value(unit, 'Unit', 'Description') ?? unit.name,
  ]);
  const heads = ['UNIT', 'LOAD', 'ACTIVE', 'SUB', 'DESCRIPTION'];
  const lines = table(wish.noLegend ? rows : [heads, ...rows]);
  const marks = units.map((unit) => (unit.active === 'failed' || unit.path === '' ? '● ' : '  '));
  if (!wish.noLegend) marks.unshift('  ');
  const body = lines.map((line, at) => `${wish.plain ? '' : (marks[at] ?? '')}${line}\n`).join('');
  if (wish.noLegend) return body;
  const hint = "To show all installed unit files use 'systemctl list-unit-files'.\n";
  const more =
    wish.all || wish.states.includes('inactive')
      ? `\n${hint}`
      : wish.states.length > 0
        ? '\n'
        : ` Pass --all to see loaded but inactive units, too.\n${hint}`;
  return `${body}${units.length > 0 ? LEGEND : '\n'}${units.length} loaded units listed.${more}`;
}

function isWished(unit: Unit, { all, states, patterns, types }: ListWish): boolean {
  if (types.length > 0 && !types.includes('service')) return false;
  if (patterns.length > 0 && !patterns.some((one) => isNamed(unit.name, one))) return false;
  if (states.length > 0) return states.includes(unit.active) || states.includes(unit.sub);
  return all || patterns.length > 0 || unit.active !== 'inactive';
}

/** Whether a name is meant by a word with `*` and `?`. */
export function isNamed(name: string, pattern: string): boolean {
  return globMatcher(pattern)(name) || globMatcher(`${pattern}.service`)(name);
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => [...(row[at] ?? '')].length)));
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join(' '),
  );
}

/** The table of unit files. */
export function unitFileList(tool: Tool, wish: ListWish): string {
  const names = unitNames(tool.proc).filter(
    (name) => wish.patterns.length === 0 || wish.patterns.some((one) => isNamed(name, one)),
  );
  const rows = names.flatMap((name) => {
    const found = findUnit(tool.proc, name);
    if (found === null || (wish.types.length > 0 && !wish.types.includes('service'))) return [];
    const state = enabledState(tool.proc, name, found);
    if (wish.states.length > 0 && !wish.states.includes(state)) return [];
    return [[name, state, state === 'static' ? '-' : 'enabled']];
  });
  const lines = table(wish.noLegend ? rows : [['UNIT FILE', 'STATE', 'PRESET'], ...rows]);
  const body = lines.map((line) => `${line}\n`).join('');
  return wish.noLegend ? body : `${body}\n${rows.length} unit files listed.\n`;
}

/** What `systemctl show` says of a unit, in its order. */
export function unitProperties(
  tool: Tool,
  name: string,
  manager: ServiceManager,
): readonly (readonly [string, string])[] {
  const unit = manager.unit(name);
  const found = findUnit(tool.proc, name);
  const load = unit === undefined ? 'not-found' : unit.text === null ? 'masked' : 'loaded';
  const known = (section: string, key: string, other: string): string =>
    unit === undefined ? other : (manager.value(unit, section, key) ?? other);
  const time = (us: number): string => (us > 0 ? stampWords(tool, us) : '');
  return [
    ['Type', known('Service', 'Type', 'simple')],
    ['Restart', known('Service', 'Restart', 'no')],
    ['NRestarts', String(unit?.restarts ?? 0)],
    ['MainPID', String(unit?.mainPid ?? 0)],
    ['ControlPID', String(unit?.controlPid ?? 0)],
    ['Result', unit?.result ?? 'success'],
    ['ExecMainPID', String(unit?.mainPid || unit?.main?.pid || 0)],
    [
      'ExecMainCode',
      unit?.main === null || unit === undefined ? '0' : unit.main.how === 'exited' ? '1' : '2',
    ],
    ['ExecMainStatus', String(unit?.main?.status ?? 0)],
    ['User', known('Service', 'User', '')],
    ['WorkingDirectory', known('Service', 'WorkingDirectory', '')],
    ['Id', name],
    ['Names', name],
    ['Description', known('Unit', 'Description', name)],
    ['LoadState', load],
    ['ActiveState', unit?.active ?? 'inactive'],
    ['SubState', unit?.sub ?? 'dead'],
    ['FragmentPath', unit?.path ?? ''],
    ['UnitFileState', found === null ? '' : enabledState(tool.proc, name, found)],
    ['UnitFilePreset', found === null ? '' : 'enabled'],
    ['StateChangeTimestamp', time(unit?.sinceUs ?? 0)],
    ['ActiveEnterTimestamp', time(unit?.activeUs ?? 0)],
    ['NeedDaemonReload', unit !== undefined && manager.isStale(unit) ? 'yes' : 'no'],
  ];
}
