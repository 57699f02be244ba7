/**
 * `cp` of coreutils 9.1.
 *
 * Source: cp(1). The copying itself is in `copy.ts`.
 */
import { backupRule } from '../../program/backup.js';
import { defineOptions } from '../../program/options.js';
import { joinPath } from '../../program/path-words.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';
import { Copier, type CopyRule, targetIn } from './copy.js';
import { destination } from './destination.js';

const OPTIONS = defineOptions(
  'a,archive attributes-only b backup:: copy-contents d L,dereference f,force i,interactive l,link n,no-clobber ' +
    'P,no-dereference x,one-file-system p preserve:: no-preserve: parents path R,recursive r remove-destination sparse: ' +
    'reflink:: strip-trailing-slashes s,symbolic-link S,suffix: t,target-directory: T,no-target-directory u,update ' +
    'v,verbose Z context:: H',
);
const ATTRIBUTES = ['mode', 'timestamps', 'ownership', 'links', 'context', 'xattr', 'all'];

interface CpLine {
  readonly rule: CopyRule;
  targetFolder: string | undefined;
  noTargetFolder: boolean;
  parents: boolean;
  stripSlashes: boolean;
}

function newRule(): CopyRule {
  return {
    recursive: false,
    follow: 'always',
    force: false,
    interactive: 'no',
    update: false,
    verbose: false,
    removeDestination: false,
    linkInstead: 'no',
    keepMode: false,
    keepTimes: false,
    keepOwner: false,
    keepLinks: false,
    attributesOnly: false,
    copyContents: false,
    oneFileSystem: false,
    backup: { kind: 'none', suffix: '~' },
    toFolder: false,
  };
}

/** Sets what `--preserve` and `--no-preserve` name. */
function preserve(tool: Tool, rule: CopyRule, list: string, isOn: boolean): void {
  for (const word of list.split(',')) {
    const option = isOn ? '--preserve' : '--no-preserve';
    const name = tool.choice(
      option,
      word,
      ATTRIBUTES.map((one) => [one]),
    );
    if (name === 'mode' || name === 'all') rule.keepMode = isOn;
    if (name === 'timestamps' || name === 'all') rule.keepTimes = isOn;
    if (name === 'ownership' || name === 'all') rule.keepOwner = isOn;
    if (name === 'links' || name === 'all') rule.keepLinks = isOn;
  }
}

function readLine(tool: Tool): CpLine {
  const rule = newRule();
  const line: CpLine = {
    rule,
    targetFolder: undefined,
    noTargetFolder: false,
    parents: false,
    stripSlashes: false,
  };
  const backup = {
    makes: false,
    control: undefined as string | undefined,
    suffix: undefined as string | undefined,
  };
  let follow: CopyRule['follow'] | undefined;
  for (const { key, value } of tool.options(OPTIONS)) {
    if (key === 'a') {
      preserve(tool, rule, 'all', true);
      rule.recursive = true;
      follow = 'never';
    }
    if (key === 'b' || key === 'backup') {
      backup.makes = true;
      backup.control = value ?? backup.control;
    }
    if (key === 'S') {
      backup.makes = true;
      backup.suffix = value;
    }
    if (key === 'd') {
      rule.keepLinks = true;
      follow = 'never';
    }
    if (key === 'H') follow = 'operands';
    if (key === 'L') follow = 'always';
    if (key === 'P') follow = 'never';
    if (key === 'r' || key === 'R') rule.recursive = true;
    if (key === 'f') rule.force = true;
    if (key === 'i') rule.interactive = 'ask';
    if (key === 'n') rule.interactive = 'skip';
    if (key === 'l') rule.linkInstead = 'hard';
    if (key === 's') rule.linkInstead = 'symbolic';
    if (key === 'u') rule.update = true;
    if (key === 'v') rule.verbose = true;
    if (key === 'x') rule.oneFileSystem = true;
    if (key === 'p') preserve(tool, rule, 'mode,ownership,timestamps', true);
    if (key === 'preserve') preserve(tool, rule, value ?? 'mode,ownership,timestamps', true);
    if (key === 'no-preserve') preserve(tool, rule, value ?? '', false);
    if (key === 'attributes-only') rule.attributesOnly = true;
    if (key === 'copy-contents') rule.copyContents = true;
    if (key === 'remove-destination') rule.removeDestination = true;
    if (key === 'parents' || key === 'path') line.parents = true;
    if (key === 'strip-trailing-slashes') line.stripSlashes = true;
    if (key === 't') {
      if (line.targetFolder !== undefined) tool.die('multiple target directories specified');
      line.targetFolder = value;
    }
    if (key === 'T') line.noTargetFolder = true;
    if (key === 'sparse') tool.choice('--sparse', value ?? '', [['never'], ['auto'], ['always']]);
    if (key === 'reflink' && value !== undefined)
      tool.choice('--reflink', value, [['auto'], ['always'], ['never']]);
  }
  if (backup.makes && rule.interactive === 'skip')
    tool.usage('options --backup and --no-clobber are mutually exclusive');
  rule.backup = backupRule(tool, backup);
  rule.follow =
    follow ??
    (rule.recursive && rule.linkInstead !== 'hard'
      ? 'never'
      : rule.linkInstead === 'hard'
        ? 'never'
        : 'always');
  return line;
}

/** Makes the folders of `--parents` inside the target. */
function makeParents(tool: Tool, rule: CopyRule, target: string, source: string): void {
  const names = source.split('/').filter((name) => name !== '');
  let from = source.startsWith('/') ? '' : undefined;
  let to = target;
  for (const name of names.slice(0, -1)) {
    from = from === undefined ? name : `${from}/${name}`;
    to = joinPath(to, name);
    if (tool.proc.exists(to)) continue;
    try {
      const inode = tool.proc.stat(from);
      tool.proc.mkdir(to, inode.mode & 0o777);
      if (rule.keepMode) tool.proc.chmod(to, inode.mode & 0o7777);
      if (rule.keepTimes) tool.proc.utimes(to, { atimeUs: inode.atimeUs, mtimeUs: inode.mtimeUs });
      if (rule.verbose) tool.out(`${from} -> ${to}\n`);
    } catch (error) {
      tool.fail(`cannot make directory ${tool.named(to)}: ${systemError(error).text}`);
    }
  }
}

/** The command. */
export const cp = defineTool('cp', function* (tool) {
  const line = readLine(tool);
  const { rule } = line;
  const where = destination(tool, line);
  if (line.parents && !where.isFolder) tool.usage('with --parents, the destination must be a directory');
  rule.toFolder = where.isFolder;
  const copier = new Copier(tool, rule);
  if (!where.isFolder && where.target.endsWith('/') && !tool.proc.exists(where.target)) {
    const [source = ''] = where.sources;
    const isFolder = tool.proc.exists(source) && tool.proc.stat(source).kind === 'directory';
    if (!isFolder && tool.proc.exists(source)) {
      tool.fail(`cannot create regular file ${tool.named(where.target)}: Not a directory`);
      return tool.status;
    }
  }
  for (const given of where.sources) {
    const source = line.stripSlashes && where.isFolder ? given.replace(/(.)\/+$/, '$1') : given;
    if (!where.isFolder) yield* copier.copy(source, where.target);
    else if (line.parents) {
      makeParents(tool, rule, where.target, source);
      yield* copier.copy(source, joinPath(where.target, source.replace(/^\/+/, '').replace(/\/+$/, '')));
    } else {
      const target = source.replace(/\/+$/, '').endsWith('..')
        ? where.target
        : targetIn(where.target, source);
      yield* copier.copy(source, target);
    }
  }
  return tool.status;
});
