/**
 * `mv` of coreutils 9.1: renames, and copies where the target is on another file system.
 *
 * Source: mv(1).
 */
import type { Inode, Running } from '../../../kernel/index.js';
import { mayWrite } from '../../program/access.js';
import { askYes } from '../../program/ask.js';
import { type BackupRule, backupName, backupRule } from '../../program/backup.js';
import { defineOptions } from '../../program/options.js';
import { joinPath } from '../../program/path-words.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';
import { Copier, overwriteQuestion, targetIn } from './copy.js';
import { destination } from './destination.js';

const OPTIONS = defineOptions(
  'b backup:: Z,context f,force i,interactive n,no-clobber no-copy strip-trailing-slashes S,suffix: t,target-directory: ' +
    'T,no-target-directory u,update v,verbose',
);

interface MvLine {
  prompt: 'default' | 'force' | 'ask' | 'skip';
  update: boolean;
  verbose: boolean;
  stripSlashes: boolean;
  targetFolder: string | undefined;
  noTargetFolder: boolean;
  backup: BackupRule;
}

function readLine(tool: Tool): MvLine {
  const line: MvLine = {
    prompt: 'default',
    update: false,
    verbose: false,
    stripSlashes: false,
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
    if (key === 'b' || key === 'backup') {
      backup.makes = true;
      backup.control = value ?? backup.control;
    }
    if (key === 'S') {
      backup.makes = true;
      backup.suffix = value;
    }
    if (key === 'f') line.prompt = 'force';
    if (key === 'i') line.prompt = 'ask';
    if (key === 'n') line.prompt = 'skip';
    if (key === 'u') line.update = true;
    if (key === 'v') line.verbose = true;
    if (key === 'strip-trailing-slashes') line.stripSlashes = true;
    if (key === 't') {
      if (line.targetFolder !== undefined) tool.die('multiple target directories specified');
      line.targetFolder = value;
    }
    if (key === 'T') line.noTargetFolder = true;
  }
  if (backup.makes && line.prompt === 'skip')
    tool.usage('options --backup and --no-clobber are mutually exclusive');
  line.backup = backupRule(tool, backup);
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

/** Moves one thing. */
class Mover {
  private readonly made = new Set<number>();

  constructor(
    private readonly tool: Tool,
    private readonly line: MvLine,
  ) {}

  *move(source: string, target: string): Running<void> {
    const { tool, line } = this;
    let inode: Inode;
    try {
      inode = tool.proc.lstat(source);
    } catch (error) {
      tool.fail(`cannot stat ${tool.named(source)}: ${systemError(error).text}`);
      return;
    }
    let there: Inode | null = null;
    try {
      there = tool.proc.lstat(target);
    } catch (error) {
      const failure = systemError(error);
      if (failure.code !== 'ENOENT' && !target.endsWith('/')) {
        tool.fail(`cannot stat ${tool.named(target)}: ${failure.text}`);
        return;
      }
    }
    if (there !== null && !(yield* this.mayReplace({ source, target }, inode, there))) return;
    let backup = '';
    if (there !== null && line.backup.kind !== 'none') {
      const name = backupName(tool, target, line.backup);
      tool.proc.rename(target, name);
      backup = ` (backup: ${tool.named(name)})`;
    }
    try {
      tool.proc.rename(source, target);
    } catch (error) {
      const failure = systemError(error);
      if (failure.code === 'EXDEV') {
        yield* this.acrossFileSystems(source, target, inode);
        return;
      }
      const [from, to] = [tool.named(source), tool.named(target)];
      if (failure.code === 'EINVAL') tool.fail(`cannot move ${from} to a subdirectory of itself, ${to}`);
      else if (failure.code === 'EISDIR' && there?.kind === 'directory')
        tool.fail(`cannot overwrite directory ${to} with non-directory`);
      else if (failure.code === 'ENOTEMPTY') tool.fail(`cannot move ${from} to ${to}: Directory not empty`);
      else tool.fail(`cannot move ${from} to ${to}: ${failure.text}`);
      return;
    }
    this.made.add(inode.ino);
    if (line.verbose) tool.out(`renamed ${tool.named(source)} -> ${tool.named(target)}${backup}\n`);
  }

  private *mayReplace(
    place: { source: string; target: string },
    inode: Inode,
    there: Inode,
  ): Running<boolean> {
    const { tool, line } = this;
    const [from, to] = [tool.named(place.source), tool.named(place.target)];
    if (
      inode.ino === there.ino &&
      (inode.nlink === 1 || inode.kind === 'directory' || place.source === place.target)
    ) {
      tool.fail(`${from} and ${to} are the same file`);
      return false;
    }
    if (line.update && inode.kind !== 'directory' && there.mtimeUs >= inode.mtimeUs) return false;
    if (line.prompt === 'skip' && inode.kind !== 'directory') return false;
    if (line.prompt === 'skip') return false;
    if (inode.kind !== 'directory' && there.kind === 'directory') {
      tool.fail(`cannot overwrite directory ${to} with non-directory`);
      return false;
    }
    if (inode.kind === 'directory' && there.kind !== 'directory' && line.backup.kind === 'none') {
      tool.fail(`cannot overwrite non-directory ${to} with directory ${from}`);
      return false;
    }
    const asks =
      line.prompt === 'ask' ||
      (line.prompt === 'default' && tool.proc.isatty(0) && !mayWrite(tool.proc, place.target, there));
    if (asks && !(yield* askYes(tool, overwriteQuestion(tool, place.target, there)))) return false;
    if (this.made.has(there.ino) && inode.kind !== 'directory') {
      tool.fail(`will not overwrite just-created ${to} with ${from}`);
      return false;
    }
    return true;
  }

  private *acrossFileSystems(source: string, target: string, inode: Inode): Running<void> {
    const { tool, line } = this;
    const copier = new Copier(tool, {
      recursive: true,
      follow: 'never',
      force: true,
      interactive: 'no',
      update: false,
      verbose: false,
      removeDestination: inode.kind !== 'directory' && tryLstat(tool, target) !== null,
      linkInstead: 'no',
      keepMode: true,
      keepTimes: true,
      keepOwner: true,
      keepLinks: true,
      attributesOnly: false,
      copyContents: false,
      oneFileSystem: false,
      backup: { kind: 'none', suffix: '~' },
      toFolder: false,
    });
    if (!(yield* copier.copy(source, target))) return;
    if (line.verbose) tool.out(`copied ${tool.named(source)} -> ${tool.named(target)}\n`);
    yield* this.removeTree(source, inode);
  }

  private *removeTree(path: string, inode: Inode): Running<void> {
    const { tool, line } = this;
    try {
      if (inode.kind === 'directory') {
        for (const entry of tool.proc.readdir(path)) {
          const child = joinPath(path, entry.name);
          yield* this.removeTree(child, tool.proc.lstat(child));
        }
        tool.proc.rmdir(path);
        if (line.verbose) tool.out(`removed directory ${tool.named(path)}\n`);
      } else {
        tool.proc.unlink(path);
        if (line.verbose) tool.out(`removed ${tool.named(path)}\n`);
      }
      if (tool.io.mustDrain) yield* tool.io.drain();
    } catch (error) {
      tool.fail(`cannot remove ${tool.named(path)}: ${systemError(error).text}`);
    }
  }
}

/** The command. */
export const mv = defineTool('mv', function* (tool) {
  const line = readLine(tool);
  const where = destination(tool, line);
  const mover = new Mover(tool, line);
  for (const given of where.sources) {
    const source = line.stripSlashes ? given.replace(/(.)\/+$/, '$1') : given;
    yield* mover.move(source, where.isFolder ? targetIn(where.target, source) : where.target);
  }
});
