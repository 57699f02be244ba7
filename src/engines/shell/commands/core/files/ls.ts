/**
 * `ls` (and `dir`, `vdir`) of coreutils 9.1.
 *
 * The idea: options first (`ls-line.ts`), then files and folders are looked at, sorted (`ls-sort.ts`) and laid out
 * (`ls-layout.ts`). Source: ls(1). Not covered: SELinux contexts (always `?`), `--hyperlink`, `--dired`.
 */
import { Exit, type Inode } from '../../../kernel/index.js';
import { Accounts } from '../../program/accounts.js';
import { globMatcher } from '../../program/glob.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';
import { layOut } from './ls-layout.js';
import { type LsLine, readLsLine } from './ls-line.js';
import { sortEntries } from './ls-sort.js';

/** One thing that is listed. */
export interface LsEntry {
  readonly name: string;
  /** Path to it, for links and symbolic links. */
  readonly path: string;
  /** Null where it could not be looked at. */
  readonly inode: Inode | null;
  readonly kind: Inode['kind'];
  /** Where a symbolic link leads. */
  readonly target: string | undefined;
  /** What is behind a symbolic link, or null. */
  readonly behind: Inode | null;
}

/** Everything one run needs. */
export interface LsRun {
  readonly tool: Tool;
  readonly line: LsLine;
  readonly accounts: Accounts;
}

function tryStat(tool: Tool, path: string, follow: boolean): Inode | null {
  try {
    return follow ? tool.proc.stat(path) : tool.proc.lstat(path);
  } catch (error) {
    systemError(error);
    return null;
  }
}

/** True where more than the names is asked. */
function needsInode(line: LsLine): boolean {
  return (
    line.format === 'long' ||
    line.inodes ||
    line.sizes ||
    line.color ||
    line.indicator !== 'none' ||
    line.sort === 'time' ||
    line.sort === 'size' ||
    line.recursive ||
    line.dirsFirst ||
    line.context
  );
}

function entryOf(
  run: LsRun,
  name: string,
  path: string,
  given: { kind?: Inode['kind']; operand: boolean },
): LsEntry | null {
  const { tool, line } = run;
  const followsHere = line.follow === 'always' || (given.operand && line.follow !== 'never');
  const kind = given.kind;
  if (!given.operand && kind !== undefined && !needsInode(line) && line.follow !== 'always')
    return { name, path, inode: null, kind, target: undefined, behind: null };
  let inode: Inode;
  try {
    if (followsHere) {
      let found = tryStat(tool, path, true);
      if (found !== null && given.operand && line.follow === 'directories' && found.kind !== 'directory')
        found = null;
      inode =
        found ??
        (line.follow === 'always' || line.follow === 'operands'
          ? tool.proc.stat(path)
          : tool.proc.lstat(path));
    } else inode = tool.proc.lstat(path);
  } catch (error) {
    const failure = systemError(error);
    tool.warn(`cannot access ${tool.named(path)}: ${failure.text}`);
    tool.status = Math.max(tool.status, given.operand ? 2 : 1);
    return given.operand
      ? null
      : { name, path, inode: null, kind: kind ?? 'file', target: undefined, behind: null };
  }
  return linkEntry(run, { name, path, inode });
}

function linkEntry(run: LsRun, found: { name: string; path: string; inode: Inode }): LsEntry {
  const { tool, line } = run;
  let target: string | undefined;
  let behind: Inode | null = null;
  if (found.inode.kind === 'symlink' && (line.format === 'long' || line.color || line.dirsFirst)) {
    try {
      target = tool.proc.readlink(found.path);
    } catch (error) {
      tool.warn(`cannot read symbolic link ${tool.named(found.path)}: ${systemError(error).text}`);
      tool.status = Math.max(tool.status, 1);
    }
    behind = tryStat(tool, found.path, true);
  }
  return { ...found, kind: found.inode.kind, target, behind };
}

function childPath(folder: string, name: string): string {
  if (folder === '.') return name;
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`;
}

/** Lists one folder; returns the folders inside it, where those are asked. */
function listFolder(
  run: LsRun,
  path: string,
  how: { heading: boolean; isFirst: boolean; operand: boolean },
): string[] | null {
  const { tool, line } = run;
  let names: readonly { name: string; kind: Inode['kind'] }[];
  try {
    names = tool.proc.readdir(path);
  } catch (error) {
    tool.warn(`cannot open directory ${tool.named(path)}: ${systemError(error).text}`);
    tool.status = Math.max(tool.status, how.operand ? 2 : 1);
    return null;
  }
  const ignored = [...line.ignored, ...(line.hidden === 'none' ? line.hiddenPatterns : [])].map(globMatcher);
  const isShown = (name: string): boolean => {
    if (name.startsWith('.')) {
      if (line.hidden === 'none') return false;
      if ((name === '.' || name === '..') && line.hidden !== 'all') return false;
    }
    return ignored.length === 0 || !ignored.some((matches) => matches(name));
  };
  const dots = [
    { name: '.', kind: 'directory' as const },
    { name: '..', kind: 'directory' as const },
  ];
  if (how.heading) tool.out(`${how.isFirst ? '' : '\n'}${run.line.quoteHeading(path)}:\n`);
  const entries: LsEntry[] = [];
  for (const { name, kind } of line.hidden === 'all' ? [...dots, ...names] : names) {
    if (!isShown(name)) continue;
    const entry = entryOf(run, name, childPath(path, name), { kind, operand: false });
    if (entry !== null) entries.push(entry);
  }
  const sorted = sortEntries(entries, line);
  layOut(run, sorted, { isFolder: true, measured: sorted });
  if (!line.recursive) return [];
  return sorted
    .filter((one) => one.kind === 'directory' && one.name !== '.' && one.name !== '..')
    .map((one) =>
      one.path === one.name ? `./${one.name}`.replace(/^\.\//, path === '.' ? './' : '') : one.path,
    );
}

/** Runs one of the three programs. */
function program(name: 'ls' | 'dir' | 'vdir') {
  return defineTool(
    name,
    function* (tool) {
      const line = readLsLine(tool, name);
      const run: LsRun = { tool, line, accounts: new Accounts(tool.proc) };
      const operands = tool.operands.length > 0 ? tool.operands : ['.'];
      const files: LsEntry[] = [];
      const folders: LsEntry[] = [];
      for (const operand of operands) {
        if (operand === '') {
          tool.warn(`cannot access ${tool.named('')}: No such file or directory`);
          tool.status = 2;
          continue;
        }
        const entry = entryOf(run, operand, operand, { operand: true });
        if (entry === null) continue;
        if (entry.kind === 'directory' && !line.directoriesAsFiles) folders.push(entry);
        else files.push(entry);
      }
      if (files.length > 0)
        layOut(run, sortEntries(files, line), { isFolder: false, measured: [...files, ...folders] });
      const queue = sortEntries(folders, line).map((one) => ({ path: one.path, operand: true }));
      const heading = operands.length > 1 || files.length > 0 || line.recursive;
      let isFirst = files.length === 0;
      while (queue.length > 0) {
        const next = queue.shift();
        if (next === undefined) throw new Exit(2);
        const inside = listFolder(run, next.path, { heading, isFirst, operand: next.operand });
        if (inside !== null) {
          isFirst = false;
          queue.unshift(...inside.map((path) => ({ path, operand: false })));
        }
        tool.proc.tick(5);
        if (tool.io.mustDrain) yield* tool.io.drain();
      }
      return tool.status;
    },
    { failStatus: 2 },
  );
}

/** The command `ls`. */
export const ls = program('ls');
/** The command `dir`. */
export const dir = program('dir');
/** The command `vdir`. */
export const vdir = program('vdir');
