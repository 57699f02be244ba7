/**
 * `ln` of coreutils 9.1.
 *
 * Source: ln(1).
 */
import type { Inode, Running } from '../../../kernel/index.js';
import { askYes } from '../../program/ask.js';
import { type BackupRule, backupName, backupRule } from '../../program/backup.js';
import { defineOptions } from '../../program/options.js';
import { folderName } from '../../program/path-words.js';
import { relativePath, resolveLoosely } from '../../program/resolve-path.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';
import { targetIn } from './copy.js';
import { destination } from './destination.js';

const OPTIONS = defineOptions(
  'b backup:: d,directory F n,no-dereference no-target-directory,T f,force i,interactive S,suffix: t,target-directory: ' +
    'L,logical P,physical r,relative s,symbolic v,verbose',
);

interface LnLine {
  symbolic: boolean;
  relative: boolean;
  logical: boolean;
  folders: boolean;
  mode: 'refuse' | 'force' | 'ask';
  noFollow: boolean;
  verbose: boolean;
  targetFolder: string | undefined;
  noTargetFolder: boolean;
  backup: BackupRule;
}

function readLine(tool: Tool): LnLine {
  const line: LnLine = {
    symbolic: false,
    relative: false,
    logical: false,
    folders: false,
    mode: 'refuse',
    noFollow: false,
    verbose: false,
    targetFolder: undefined,
    noTargetFolder: false,
    backup: { kind: 'none', suffix: '~' },
  };
  const backup = {
    makes: false,
    control: undefined as string | undefined,
    suffix: undefined as string | undefined,
  };
  for (const { key, value } of tool.options(OPTIONS)) {
    if (key === 's') line.symbolic = true;
    if (key === 'r') line.relative = true;
    if (key === 'L') line.logical = true;
    if (key === 'P') line.logical = false;
    if (key === 'd' || key === 'F') line.folders = true;
    if (key === 'f') line.mode = 'force';
    if (key === 'i') line.mode = 'ask';
    if (key === 'n') line.noFollow = true;
    if (key === 'v') line.verbose = true;
    if (key === 'no-target-directory') line.noTargetFolder = true;
    if (key === 't') line.targetFolder = value;
    if (key === 'b' || key === 'backup') {
      backup.makes = true;
      backup.control = value ?? backup.control;
    }
    if (key === 'S') {
      backup.makes = true;
      backup.suffix = value;
    }
  }
  line.backup = backupRule(tool, backup);
  if (line.relative && !line.symbolic) tool.die('cannot do --relative without --symbolic');
  return line;
}

function tryLstat(tool: Tool, path: string): Inode | null {
  try {
    return tool.proc.lstat(path);
  } catch (error) {
    systemError(error);
    return null;
  }
}

function* makeLink(tool: Tool, line: LnLine, source: string, target: string): Running<void> {
  const { proc } = tool;
  let inode: Inode | null = null;
  if (!line.symbolic) {
    try {
      inode = line.logical ? proc.stat(source) : proc.lstat(source);
    } catch (error) {
      tool.fail(`failed to access ${tool.named(source)}: ${systemError(error).text}`);
      return;
    }
    if (inode.kind === 'directory') {
      if (!line.folders) tool.fail(`${tool.path(source)}: hard link not allowed for directory`);
      else
        tool.fail(
          `failed to create hard link ${tool.named(target)} => ${tool.named(source)}: Operation not permitted`,
        );
      return;
    }
  }
  const there = tryLstat(tool, target);
  let backup = '';
  if (there !== null && (line.mode !== 'refuse' || line.backup.kind !== 'none')) {
    if (there.kind === 'directory') {
      tool.fail(`${tool.path(target)}: cannot overwrite directory`);
      return;
    }
    if (
      inode !== null &&
      inode.ino === there.ino &&
      line.mode !== 'refuse' &&
      line.backup.kind === 'none' &&
      source === target
    ) {
      tool.fail(`${tool.named(source)} and ${tool.named(target)} are the same file`);
      return;
    }
    if (line.mode === 'ask' && !(yield* askYes(tool, `replace ${tool.named(target)}? `))) return;
    if (line.backup.kind !== 'none') {
      const name = backupName(tool, target, line.backup);
      proc.rename(target, name);
      backup = `${tool.named(name)} ~ `;
    } else
      tool.attempt(
        () => proc.unlink(target),
        () => undefined,
      );
  }
  const written = line.relative ? relativeTo(tool, source, target) : source;
  try {
    if (line.symbolic) proc.symlink(written, target);
    else proc.link(line.logical ? proc.realpath(source) : source, target);
  } catch (error) {
    const what = line.symbolic ? 'symbolic' : 'hard';
    const { code } = systemError(error);
    const isShort = code === 'EEXIST' || code === 'ENOSPC' || code === 'EROFS';
    const isLong = line.symbolic ? code === 'ENAMETOOLONG' || source === '' : !isShort;
    const arrow = isLong ? ` ${line.symbolic ? '->' : '=>'} ${tool.named(written)}` : '';
    tool.fail(`failed to create ${what} link ${tool.named(target)}${arrow}: ${systemError(error).text}`);
    return;
  }
  if (line.verbose)
    tool.out(`${backup}${tool.named(target)} ${line.symbolic ? '->' : '=>'} ${tool.named(written)}\n`);
}

function relativeTo(tool: Tool, source: string, target: string): string {
  const from = resolveLoosely(tool.proc, source);
  const folder = resolveLoosely(tool.proc, folderName(target));
  return from === null || folder === null ? source : relativePath(from, folder);
}

/** The command. */
export const ln = defineTool('ln', function* (tool) {
  const line = readLine(tool);
  const where = destination(tool, { ...line, linksHere: true });
  for (const source of where.sources) {
    const isHere = tool.operands.length === 1 && line.targetFolder === undefined;
    const target = where.isFolder
      ? isHere
        ? `./${targetIn('', source).replace(/^\//, '')}`
        : targetIn(where.target, source)
      : where.target;
    yield* makeLink(tool, line, source, target);
  }
});
