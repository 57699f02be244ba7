/**
 * The command line of `column` of util-linux 2.38.
 *
 * Source: column(1). Not covered: `--tree`, `--table-header-repeat` (read and without effect: there are no pages).
 */
import { defineOptions } from '../../program/options.js';
import { terminalSize } from '../../program/terminal-size.js';
import type { Tool } from '../../program/tool.js';

/** What one run of column does. */
export interface ColumnSettings {
  mode: 'fill-columns' | 'fill-rows' | 'table';
  /** Terminal columns. */
  width: number;
  /** Characters that part cells, one of them each; undefined is any run of blanks. */
  separators: string | undefined;
  between: string;
  /** Names as given to `-N`. */
  names: readonly string[];
  readonly right: string[];
  readonly hidden: string[];
  readonly order: string[];
  tableName: string;
  json: boolean;
  heading: boolean;
  keepsEmpty: boolean;
  /** How many cells a line is split into at most; the rest stays in the last. */
  limit: number;
}

const TABLE = defineOptions(
  'd,table-noheadings E,table-noextreme: e,table-header-repeat H,table-hide: i,tree-id: J,json L,keep-empty-lines ' +
    'l,table-columns-limit: N,table-columns: n,table-name: O,table-order: o,output-separator: p,tree-parent: ' +
    'R,table-right: r,tree: s,separator: T,table-truncate: t,table W,table-wrap: c,output-width,columns: ' +
    'x,fillrows help,h version,V',
  '',
);

function numberOf(tool: Tool, value: string, what: string): number {
  if (!/^\d+$/.test(value)) tool.die(`${what}: '${value}'`);
  return Number(value);
}

/** Reads the command line. Ends the command where it is wrong. */
export function readColumnSettings(tool: Tool): ColumnSettings {
  const settings: ColumnSettings = {
    mode: 'fill-columns',
    width: terminalSize(tool).columns,
    separators: undefined,
    between: '  ',
    names: [],
    right: [],
    hidden: [],
    order: [],
    tableName: 'table',
    json: false,
    heading: true,
    keepsEmpty: false,
    limit: 0,
  };
  for (const { key, value = '' } of tool.options(TABLE)) apply(tool, settings, { key, value });
  if (settings.json && settings.names.length === 0) tool.die('option --table-columns required for --json');
  if (settings.mode !== 'table' && !settings.json) {
    const needs = [settings.names, settings.right, settings.hidden, settings.order];
    if (needs.some((list) => list.length > 0)) tool.die('option --table required for all --table-*');
  }
  if (settings.json) settings.mode = 'table';
  return settings;
}

function apply(tool: Tool, settings: ColumnSettings, hit: { key: string; value: string }): void {
  const { key, value } = hit;
  const list = value.split(',');
  switch (key) {
    case 'c':
      settings.width =
        value === 'unlimited' ? Number.MAX_SAFE_INTEGER : numberOf(tool, value, 'invalid columns argument');
      return;
    case 'd':
      settings.heading = false;
      return;
    case 'H':
      settings.hidden.push(...list);
      return;
    case 'J':
      settings.json = true;
      return;
    case 'L':
      settings.keepsEmpty = true;
      return;
    case 'l':
      settings.limit = numberOf(tool, value, 'invalid columns limit argument');
      if (settings.limit === 0) tool.die('columns limit must be greater than zero');
      return;
    case 'N':
      settings.names = list;
      return;
    case 'n':
      settings.tableName = value;
      return;
    case 'O':
      settings.order.push(...list);
      return;
    case 'o':
      settings.between = value;
      return;
    case 'R':
      settings.right.push(...list);
      return;
    case 's':
      settings.separators = value;
      return;
    case 't':
      settings.mode = 'table';
      return;
    case 'x':
      settings.mode = 'fill-rows';
  }
}
