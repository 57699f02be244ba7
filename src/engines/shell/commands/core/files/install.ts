/**
 * `install` of coreutils 9.1: copies with a mode, or makes folders.
 *
 * Source: install(1). Not covered: `-s` strips nothing; SELinux options are read and change nothing.
 */
import type { Running } from '../../../kernel/index.js';
import { Accounts } from '../../program/accounts.js';
import { backupRule } from '../../program/backup.js';
import { applyMode, readMode } from '../../program/file-mode.js';
import { defineOptions } from '../../program/options.js';
import { folderName } from '../../program/path-words.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';
import { Copier, type CopyRule, targetIn } from './copy.js';
import { destination } from './destination.js';
import { makeFolder } from './mkdir.js';

const OPTIONS = defineOptions(
  'backup:: b C,compare c d,directory D g,group: m,mode: o,owner: p,preserve-timestamps s,strip strip-program: S,suffix: ' +
    't,target-directory: T,no-target-directory v,verbose preserve-context Z context:: debug',
);

interface InstallLine {
  readonly rule: CopyRule;
  folders: boolean;
  makesParents: boolean;
  mode: number;
  owner: string | undefined;
  group: string | undefined;
  targetFolder: string | undefined;
  noTargetFolder: boolean;
  compare: boolean;
}

function readLine(tool: Tool): InstallLine {
  const rule: CopyRule = {
    recursive: false,
    follow: 'always',
    force: true,
    interactive: 'no',
    update: false,
    verbose: false,
    removeDestination: true,
    linkInstead: 'no',
    keepMode: false,
    keepTimes: false,
    keepOwner: false,
    keepLinks: false,
    attributesOnly: false,
    copyContents: true,
    oneFileSystem: false,
    backup: { kind: 'none', suffix: '~' },
    toFolder: false,
  };
  const line: InstallLine = {
    rule,
    folders: false,
    makesParents: false,
    mode: 0o755,
    owner: undefined,
    group: undefined,
    targetFolder: undefined,
    noTargetFolder: false,
    compare: false,
  };
  const backup = {
    makes: false,
    control: undefined as string | undefined,
    suffix: undefined as string | undefined,
  };
  let mode: string | undefined;
  for (const { key, value } of tool.options(OPTIONS)) {
    if (key === 'b' || key === 'backup')
      Object.assign(backup, { makes: true, control: value ?? backup.control });
    if (key === 'S') Object.assign(backup, { makes: true, suffix: value });
    if (key === 'C') line.compare = true;
    if (key === 'd') line.folders = true;
    if (key === 'D') line.makesParents = true;
    if (key === 'g') line.group = value;
    if (key === 'o') line.owner = value;
    if (key === 'm') mode = value;
    if (key === 'p') rule.keepTimes = true;
    if (key === 'preserve-context')
      tool.warn('WARNING: ignoring --preserve-context; this kernel is not SELinux-enabled');
    if (key === 'v') rule.verbose = true;
    if (key === 't') line.targetFolder = value;
    if (key === 'T') line.noTargetFolder = true;
  }
  if (line.folders && line.targetFolder !== undefined)
    tool.die('target directory not allowed when installing a directory');
  rule.backup = backupRule(tool, backup);
  if (mode !== undefined) {
    const changes = readMode(mode);
    if (changes === undefined) tool.die(`invalid mode ${tool.quote(mode)}`);
    else line.mode = applyMode(0, changes, { isDirectory: line.folders, umask: 0 });
  }
  return line;
}

/** Who the result belongs to; undefined leaves an id. */
interface Owner {
  readonly uid: number | undefined;
  readonly gid: number | undefined;
}

function readOwner(tool: Tool, line: InstallLine): Owner {
  const accounts = new Accounts(tool.proc);
  const number = (name: string | undefined, found: number | undefined, what: string): number | undefined => {
    if (name === undefined) return undefined;
    if (found === undefined && !/^\d+$/.test(name)) tool.die(`invalid ${what} ${tool.quote(name)}`);
    return found ?? Number(name);
  };
  return {
    uid: number(line.owner, accounts.userNamed(line.owner ?? '')?.uid, 'user'),
    gid: number(line.group, accounts.groupNamed(line.group ?? '')?.gid, 'group'),
  };
}

function setOwner(tool: Tool, owner: Owner, path: string): void {
  if (owner.uid === undefined && owner.gid === undefined) return;
  tool.attempt(
    () => tool.proc.chown(path, owner),
    (error) => tool.fail(`cannot change ownership of ${tool.named(path)}: ${error.text}`),
  );
}

function* installOne(
  tool: Tool,
  line: InstallLine,
  copier: Copier,
  place: { source: string; target: string; owner: Owner },
): Running<void> {
  const { source, target } = place;
  if (line.makesParents) {
    const folder = folderName(target);
    if (
      !tool.proc.exists(folder) &&
      !makeFolder(tool, folder, {
        parents: true,
        verbose: line.rule.verbose,
        mode: undefined,
        word: 'creating',
      })
    )
      return;
  }
  if (!(yield* copier.copy(source, target))) return;
  setOwner(tool, place.owner, target);
  tool.attempt(
    () => tool.proc.chmod(target, line.mode),
    (error) => tool.fail(`cannot change permissions of ${tool.named(target)}: ${error.text}`),
  );
}

/** The command. */
export const install = defineTool('install', function* (tool) {
  const line = readLine(tool);
  const owner = readOwner(tool, line);
  if (line.folders) {
    if (tool.operands.length === 0) tool.usage('missing file operand');
    for (const path of tool.operands) {
      if (
        !makeFolder(tool, path, {
          parents: true,
          verbose: line.rule.verbose,
          mode: undefined,
          word: 'creating',
        })
      )
        continue;
      setOwner(tool, owner, path);
      tool.attempt(
        () => tool.proc.chmod(path, line.mode),
        (error) => tool.fail(`cannot change permissions of ${tool.named(path)}: ${error.text}`),
      );
    }
    return tool.status;
  }
  if (line.makesParents && line.targetFolder !== undefined && !tool.proc.exists(line.targetFolder))
    makeFolder(tool, line.targetFolder, {
      parents: true,
      verbose: line.rule.verbose,
      mode: undefined,
      word: 'creating',
    });
  const where = destination(tool, { ...line, makesFolders: line.makesParents });
  line.rule.toFolder = where.isFolder;
  const copier = new Copier(tool, line.rule);
  for (const source of where.sources) {
    try {
      if (tool.proc.stat(source).kind === 'directory') {
        tool.fail(`omitting directory ${tool.named(source)}`);
        continue;
      }
    } catch (error) {
      tool.fail(`cannot stat ${tool.named(source)}: ${systemError(error).text}`);
      continue;
    }
    yield* installOne(tool, line, copier, {
      source,
      target: where.isFolder ? targetIn(where.target, source) : where.target,
      owner,
    });
  }
  return tool.status;
});
