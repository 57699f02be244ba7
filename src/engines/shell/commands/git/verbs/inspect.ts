/**
 * Looking into a repository: `rev-parse`, `ls-files`, `ls-tree`, `cat-file`, `hash-object`, `show-ref`, `for-each-ref`,
 * `symbolic-ref`, `describe`, `reflog`, `check-ignore`, `count-objects`.
 */
import type { Running } from '../../../kernel/index.js';
import type { Git } from '../git.js';
import { quotePath } from '../git.js';
import { type ObjectType, oidOf } from '../store/objects.js';
import { ambiguous, fullRefName, resolveRevision, upstreamOf } from '../store/revisions.js';
import { parseOptions, usageError } from '../work/options.js';
import { diskFile, findUntracked, Pathspec } from '../work/states.js';

/** `git rev-parse`. Returns the exit status. */
export function revParse(git: Git, args: readonly string[]): number {
  let [verify, quiet, short, symbolic, abbrevRef]: [boolean, boolean, number | undefined, boolean, boolean] =
    [false, false, undefined, false, false];
  let found = 0;
  for (const text of args) {
    const said = place(git, text);
    if (said !== undefined) {
      git.out(said === '' ? '\n' : `${said}\n`);
      continue;
    }
    if (text === '--verify') verify = true;
    else if (text === '-q' || text === '--quiet') quiet = true;
    else if (text === '--short' || text.startsWith('--short=')) {
      short = Number(text.split('=')[1] ?? 7);
      verify = true;
    } else if (text === '--symbolic-full-name') symbolic = true;
    else if (text === '--abbrev-ref' || text.startsWith('--abbrev-ref=')) abbrevRef = true;
    else if (text === '--all') for (const { oid } of git.repo.refs.list()) git.out(`${oid}\n`);
    else if (text === '--branches')
      for (const { oid } of git.repo.refs.list('refs/heads/')) git.out(`${oid}\n`);
    else if (text === '--tags') for (const { oid } of git.repo.refs.list('refs/tags/')) git.out(`${oid}\n`);
    else if (text === '--revs-only' || text === '--no-revs' || text === '--sq' || text === '--default')
      continue;
    else if (text === '--') git.out('--\n');
    else {
      found++;
      const status = showRevision(git, text, { verify, quiet, short, symbolic, abbrevRef });
      if (status !== 0) return status;
    }
  }
  if (verify && found === 0) {
    if (quiet) return 1;
    git.die('Needed a single revision');
  }
  return 0;
}

function place(git: Git, text: string): string | undefined {
  switch (text) {
    case '--show-toplevel':
      return git.work.root;
    case '--git-dir': {
      const { repo } = git;
      return repo.root === git.cwd && !repo.isBare ? '.git' : repo.gitDir === git.cwd ? '.' : repo.gitDir;
    }
    case '--absolute-git-dir':
      return git.repo.gitDir;
    case '--git-common-dir':
      return git.repo.root === git.cwd && !git.repo.isBare ? '.git' : git.repo.gitDir;
    case '--is-inside-work-tree':
      return String(
        !git.repo.isBare && !(git.cwd === git.repo.gitDir || git.cwd.startsWith(`${git.repo.gitDir}/`)),
      );
    case '--is-inside-git-dir':
      return String(git.cwd === git.repo.gitDir || git.cwd.startsWith(`${git.repo.gitDir}/`));
    case '--is-bare-repository':
      return String(git.repo.isBare);
    case '--show-prefix':
      return git.prefix;
    case '--show-cdup':
      return '../'.repeat(git.prefix.split('/').length - 1);
    case '--is-shallow-repository':
      git.repo;
      return 'false';
    case '--show-object-format':
      git.repo;
      return 'sha1';
    default:
      return undefined;
  }
}

function showRevision(
  git: Git,
  text: string,
  how: {
    readonly verify: boolean;
    readonly quiet: boolean;
    readonly short: number | undefined;
    readonly symbolic: boolean;
    readonly abbrevRef: boolean;
  },
): number {
  const { repo } = git;
  const range = /^(.*?)(\.\.\.?)(.*)$/.exec(text);
  if (range !== null && !how.verify) {
    const [a, b] = [resolveRevision(git, range[1] || 'HEAD'), resolveRevision(git, range[3] || 'HEAD')];
    if (a !== undefined && b !== undefined) {
      git.out(`${b}\n${range[2] === '...' ? `${a}\n` : `^${a}\n`}`);
      return 0;
    }
  }
  const negative = text.startsWith('^');
  const name = negative ? text.slice(1) : text;
  const oid = resolveRevision(git, name);
  if (oid === undefined) {
    if (how.verify) {
      if (how.quiet) return 1;
      git.die('Needed a single revision');
    }
    if (!git.files.look(git.absolute(text)) && !text.startsWith('-')) {
      git.out(`${text}\n`);
      const colon = text.indexOf(':');
      if (colon > 0) {
        if (resolveRevision(git, text.slice(0, colon)) === undefined)
          git.die(`invalid object name '${text.slice(0, colon)}'.`);
        git.die(`path '${text.slice(colon + 1)}' does not exist in '${text.slice(0, colon)}'`);
      }
      git.die(ambiguous(text));
    }
    git.out(`${text}\n`);
    return 0;
  }
  if (how.abbrevRef || how.symbolic) {
    const upstream = /^(.*)@\{u(?:pstream)?\}$/.exec(name);
    const full =
      upstream !== null
        ? upstreamOf(git, upstream[1] || (repo.branch ?? ''))?.ref
        : name === '@' || name === 'HEAD'
          ? (repo.headRef ?? 'HEAD')
          : fullRefName(repo, name);
    if (full === undefined) {
      git.out('\n'.repeat(how.symbolic ? 0 : 0));
      return 0;
    }
    git.out(`${how.symbolic ? full : full.replace(/^refs\/(heads|tags|remotes)\//, '')}\n`);
    return 0;
  }
  git.out(
    `${negative ? '^' : ''}${how.short === undefined ? oid : repo.objects.abbreviate(oid, how.short)}\n`,
  );
  return 0;
}

/** `git ls-files`. Returns the exit status. */
export function lsFiles(git: Git, args: readonly string[]): number {
  const { repo } = git;
  const line = parseOptions(
    git,
    args,
    'z t v c|cached d|deleted m|modified o|others i|ignored s|stage k|killed directory eol empty-directory u|unmerged resolve-undo x|exclude= X|exclude-from= exclude-per-directory= exclude-standard full-name error-unmatch abbrev=? debug deduplicate',
  );
  const paths = new Pathspec(git, line.operands.length === 0 && git.prefix !== '' ? ['.'] : line.operands);
  const ends = line.has('z') ? '\0' : '\n';
  const shown = (path: string): string =>
    line.has('z') ? path : line.has('full-name') ? quotePath(path, git.quotesPaths) : git.shown(path);
  const wantsOthers = line.has('others');
  const isDefault =
    !['deleted', 'modified', 'others', 'unmerged', 'ignored'].some((name) => line.has(name)) ||
    line.has('cached');
  if (wantsOthers) {
    const found = findUntracked(
      git,
      line.has('directory') ? 'normal' : 'all',
      paths.isEmpty ? undefined : paths,
    );
    const standard = line.has('exclude-standard');
    const all = line.has('ignored')
      ? found.ignored
      : standard
        ? found.untracked
        : [
            ...found.untracked,
            ...found.ignored.flatMap((path) => (path.endsWith('/') ? below(git, path) : [path])),
          ].sort();
    for (const path of all) git.out(`${line.has('t') ? '? ' : ''}${shown(path)}${ends}`);
  }
  for (const entry of repo.index.all()) {
    if (!paths.matches(entry.path)) continue;
    if (line.has('unmerged') && entry.stage === 0) continue;
    if (line.has('stage') || line.has('unmerged')) {
      git.out(
        `${entry.mode.toString(8).padStart(6, '0')} ${entry.oid} ${entry.stage}\t${shown(entry.path)}${ends}`,
      );
      continue;
    }
    if (isDefault && !(line.has('ignored') && !wantsOthers))
      git.out(`${line.has('t') ? (entry.stage > 0 ? 'M ' : 'H ') : ''}${shown(entry.path)}${ends}`);
    if (line.has('ignored') && line.has('cached') && git.ignore.isIgnored(entry.path, false))
      git.out(`${shown(entry.path)}${ends}`);
    const disk = line.has('deleted') || line.has('modified') ? diskFile(repo, entry.path, entry) : undefined;
    if (line.has('deleted') && disk === undefined) git.out(`${shown(entry.path)}${ends}`);
    if (
      line.has('modified') &&
      (disk === undefined || disk.oid !== entry.oid || disk.mode !== entry.mode.toString(8))
    )
      git.out(`${shown(entry.path)}${ends}`);
  }
  if (line.has('error-unmatch')) {
    const [missing] = paths.unmatched();
    if (missing !== undefined) {
      git.error(`pathspec '${missing}' did not match any file(s) known to git`);
      git.err("Did you forget to 'git add'?\n");
      return 1;
    }
  }
  return 0;
}

function below(git: Git, folder: string): string[] {
  return git.files
    .list(git.repo.path(folder.replace(/\/$/, '')))
    .flatMap(({ name, kind }) => (kind === 'directory' ? below(git, `${folder}${name}/`) : [folder + name]));
}

/** `git ls-tree`. Returns the exit status. */
export function lsTree(git: Git, args: readonly string[]): number {
  const { repo } = git;
  const line = parseOptions(
    git,
    args,
    'd r t z l|long name-only name-status object-only full-name full-tree format= abbrev=?',
  );
  const [text, ...texts] = line.operands;
  if (text === undefined) usageError(git);
  const oid = resolveRevision(git, text);
  if (oid === undefined) git.die(`Not a valid object name ${text}`);
  const root = repo.objects.treeOf(oid);
  if (root === undefined) git.die('not a tree object');
  const prefix = line.has('full-tree') ? '' : git.prefix;
  const wanted = texts.map((one) => `${prefix}${one.replace(/^\.\/|\/$/g, '')}`);
  const descends = texts.map((one) => one.endsWith('/'));
  const ends = line.has('z') ? '\0' : '\n';
  const show = (path: string, entry: { mode: string; oid: string }): void => {
    const name =
      line.has('full-name') || line.has('full-tree') ? quotePath(path, git.quotesPaths) : git.shown(path);
    if (line.has('name-only') || line.has('name-status')) git.out(`${name}${ends}`);
    else if (line.has('object-only')) git.out(`${entry.oid}${ends}`);
    else {
      const type = entry.mode === '40000' ? 'tree' : entry.mode === '160000' ? 'commit' : 'blob';
      const size = line.has('long')
        ? ` ${(type === 'blob' ? String(repo.objects.blob(entry.oid).length) : '-').padStart(7)}`
        : '';
      const shown = line.hits.some((hit) => hit.name === 'abbrev')
        ? repo.objects.abbreviate(entry.oid)
        : entry.oid;
      git.out(`${entry.mode.padStart(6, '0')} ${type} ${shown}${size}\t${name}${ends}`);
    }
  };
  const walk = (tree: string, base: string): void => {
    for (const entry of repo.objects.tree(tree)) {
      const path = base + entry.name;
      const isTree = entry.mode === '40000';
      const isWanted =
        wanted.length === 0
          ? path.startsWith(prefix) || prefix === ''
          : wanted.some(
              (one, at) => (path === one && !(descends[at] && isTree)) || path.startsWith(`${one}/`),
            );
      const leads =
        wanted.some((one) => one.startsWith(`${path}/`) || (one === path && isTree)) ||
        prefix.startsWith(`${path}/`);
      const descendsHere = isTree && (line.has('r') || (leads && !(isWanted && !line.has('r'))));
      if (isTree && descendsHere) {
        if (line.has('t') && isWanted) show(path, entry);
        walk(entry.oid, `${path}/`);
      } else if (isWanted && (!line.has('d') || isTree)) show(path, entry);
    }
  };
  walk(root, '');
  return 0;
}

/** `git cat-file`. Returns the exit status. */
export function catFile(git: Git, args: readonly string[]): number {
  const { repo } = git;
  const line = parseOptions(
    git,
    args,
    'e p t s textconv filters allow-unknown-type batch=? batch-check=? batch-all-objects',
  );
  const [first, second] = line.operands;
  const flag = ['e', 'p', 't', 's'].find((name) => line.has(name));
  const text = flag === undefined ? second : first;
  if (text === undefined) usageError(git);
  const oid = resolveRevision(git, text);
  if (oid === undefined || !repo.objects.has(oid)) {
    if (flag === 'e' && oid !== undefined) return 1;
    if (oid !== undefined && flag === 'p') git.die(`Not a valid object name ${text}`);
    const colon = text.indexOf(':');
    if (colon > 0 && resolveRevision(git, text.slice(0, colon)) !== undefined) {
      const path = text.slice(colon + 1);
      git.die(
        git.files.look(repo.path(path)) === undefined
          ? `path '${path}' does not exist in '${text.slice(0, colon)}'`
          : `path '${path}' exists on disk, but not in '${text.slice(0, colon)}'`,
      );
    }
    git.die(
      oid === undefined ? `Not a valid object name ${text}` : `git cat-file: could not get object info`,
    );
  }
  const object = repo.objects.get(oid);
  if (flag === 'e') return 0;
  if (flag === 't') git.out(`${object.type}\n`);
  else if (flag === 's') git.out(`${object.bytes.length}\n`);
  else if (flag === 'p' && object.type === 'tree')
    for (const entry of repo.objects.tree(oid))
      git.out(
        `${entry.mode.padStart(6, '0')} ${entry.mode === '40000' ? 'tree' : entry.mode === '160000' ? 'commit' : 'blob'} ${entry.oid}\t${quotePath(entry.name)}\n`,
      );
  else if (flag === undefined) {
    const peeled = first === 'tree' ? (repo.objects.treeOf(oid) ?? oid) : repo.objects.peel(oid);
    const found = first === object.type ? object : repo.objects.get(peeled);
    if (found.type !== first) git.die(`git cat-file ${text}: bad file`);
    git.io.out(found.bytes);
  } else git.io.out(object.bytes);
  return 0;
}

/** `git hash-object`. Returns the exit status. */
export function* hashObject(git: Git, args: readonly string[]): Running<number> {
  const line = parseOptions(git, args, 't= w stdin stdin-paths no-filters literally path=');
  const type = (line.value('t') ?? 'blob') as ObjectType;
  const one = (bytes: Uint8Array): void =>
    git.out(`${line.has('w') ? git.repo.objects.write(type, bytes) : oidOf({ type, bytes })}\n`);
  if (line.has('stdin')) one(yield* git.proc.readAll(0));
  for (const path of line.operands) {
    if (git.files.look(git.absolute(path)) === undefined)
      git.die(`could not open '${path}' for reading: No such file or directory`);
    one(git.files.read(git.absolute(path)));
  }
  return 0;
}

/** `git check-ignore`. Returns the exit status. */
export function checkIgnore(git: Git, args: readonly string[]): number {
  const line = parseOptions(git, args, 'q|quiet v|verbose stdin z n|non-matching no-index');
  if (line.operands.length === 0) git.die('no path specified');
  let found = 0;
  for (const text of line.operands) {
    const path = git.absolute(text);
    const inside = path.slice(git.work.root.length + 1);
    const isFolder = git.files.isFolder(path) || text.endsWith('/');
    const rule =
      git.repo.index.has(inside) && !line.hits.some((hit) => hit.name === 'no-index')
        ? undefined
        : line.has('verbose')
          ? (git.ignore.ignoringRule(inside, isFolder) ?? git.ignore.ruleOf(inside, isFolder))
          : git.ignore.ignoringRule(inside, isFolder);
    if (rule === undefined) {
      if (line.has('non-matching')) git.out(`::\t${text}\n`);
      continue;
    }
    found++;
    if (!line.has('quiet'))
      git.out(line.has('verbose') ? `${rule.source}:${rule.line}:${rule.text}\t${text}\n` : `${text}\n`);
  }
  return found > 0 ? 0 : 1;
}

/** `git count-objects`. Returns the exit status. */
export function countObjects(git: Git): number {
  const count = git.repo.objects.all().length;
  git.out(`${count} objects, ${count * 4} kilobytes\n`);
  return 0;
}
