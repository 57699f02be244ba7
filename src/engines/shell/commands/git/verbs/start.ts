/**
 * `init`, `add`, `rm`, `mv`, `status`, `clean`: what comes before a commit.
 */
import { SystemError } from '../../../kernel/index.js';
import type { Git } from '../git.js';
import { quotePath } from '../git.js';
import { isGitDir, Repository } from '../store/repository.js';
import { removeFromDisk } from '../work/checkout.js';
import { type Parsed, parseOptions, usageError } from '../work/options.js';
import { diskFile, findUntracked, Pathspec, stagedEntry, treeState } from '../work/states.js';
import { longStatus, readStatus, shortBranch, shortLines } from '../work/status.js';

const DEFAULT_EXCLUDE = `# git ls-files --others --exclude-from=.git/info/exclude
# Lines that start with '#' are comments.
# For a project mostly in C, the following would be a good set of
# exclude patterns (uncomment them if you want to use them):
# *.[oa]
# *~
`;

const DESCRIPTION = "Unnamed repository; edit this file 'description' to name the repository.\n";

/** Lays an empty repository; true where there was one. */
export function layRepository(
  git: Git,
  gitDir: string,
  { isBare, branch }: { readonly isBare: boolean; readonly branch: string },
): boolean {
  const had = isGitDir(git.files, gitDir);
  for (const folder of [
    'branches',
    'hooks',
    'info',
    'refs/heads',
    'refs/tags',
    'objects/info',
    'objects/pack',
  ])
    git.files.makeFolders(`${gitDir}/${folder}`);
  if (had) return true;
  git.files.write(`${gitDir}/description`, DESCRIPTION);
  git.files.write(`${gitDir}/info/exclude`, DEFAULT_EXCLUDE);
  git.files.write(`${gitDir}/HEAD`, `ref: refs/heads/${branch}\n`);
  const logs = isBare ? '' : '\tlogallrefupdates = true\n';
  git.files.write(
    `${gitDir}/config`,
    `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = ${isBare}\n${logs}`,
  );
  return false;
}

/** `git init`. Returns the exit status. */
export function init(git: Git, args: readonly string[]): number {
  const line = parseOptions(
    git,
    args,
    'q|quiet bare b|initial-branch= template= shared=? separate-git-dir= object-format=',
  );
  if (line.operands.length > 1) usageError(git);
  const target = line.operands[0];
  const base = target === undefined ? git.cwd : git.absolute(target);
  const given = line.value('initial-branch');
  const branch = given ?? git.config('init.defaultbranch') ?? 'master';
  if (given === undefined && git.config('init.defaultbranch') === undefined && !line.has('quiet'))
    tellDefaultBranch(git, branch, isGitDir(git.files, line.has('bare') ? base : `${base}/.git`));
  const gitDir = line.has('bare') ? base : `${base === '/' ? '' : base}/.git`;
  try {
    const had = layRepository(git, gitDir, { isBare: line.has('bare'), branch });
    if (had && given !== undefined) git.warning(`re-init: ignored --initial-branch=${given}`);
    if (!line.has('quiet'))
      git.out(`${had ? 'Reinitialized existing' : 'Initialized empty'} Git repository in ${gitDir}/\n`);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    if (target !== undefined && !git.files.isFolder(base)) git.die(`cannot mkdir ${target}: ${error.text}`);
    git.die(
      `could not create work tree dir '${target ?? git.cwd}': ${error.text}`.replace(
        /^could not create work tree dir '.*': /,
        `${gitDir}: `,
      ),
    );
  }
  return 0;
}

function tellDefaultBranch(git: Git, branch: string, exists: boolean): void {
  if (exists) return;
  git.hint(
    `Using '${branch}' as the name for the initial branch. This default branch name\nis subject to change. To configure the initial branch name to use in all\nof your new repositories, which will suppress this warning, call:\n\n\tgit config --global init.defaultBranch <name>\n\nNames commonly chosen instead of 'master' are 'main', 'trunk' and\n'development'. The just-created branch can be renamed via this command:\n\n\tgit branch -m <name>`,
  );
}

/** Opens the repository of a folder that was just laid. */
export function openAt(git: Git, gitDir: string, workTree: string | null): Repository {
  return new Repository(
    git.files,
    { gitDir, workTree },
    (isBare) => git.bool('core.logallrefupdates') ?? !isBare,
  );
}

/** `git add`. Returns the exit status. */
export function add(git: Git, args: readonly string[]): number {
  const { work: repo } = git;
  const line = parseOptions(
    git,
    args,
    'n|dry-run v|verbose i|interactive p|patch e|edit f|force u|update renormalize N|intent-to-add A|all|no-ignore-removal refresh ignore-errors ignore-missing sparse chmod= pathspec-from-file=',
  );
  if (line.has('interactive') || line.has('patch') || line.has('edit'))
    git.die('interactive use is not possible here');
  const everything = line.has('no-ignore-removal');
  if (everything && line.has('update')) git.die("options '-A' and '-u' cannot be used together");
  if (line.operands.length === 0 && !everything && !line.has('update')) {
    git.err('Nothing specified, nothing added.\n');
    git.hint(
      `Maybe you wanted to say 'git add .'?\nTurn this message off by running\n"git config advice.addEmptyPathspec false"`,
    );
    return 0;
  }
  if (line.operands.includes(''))
    git.die('empty string is not a valid pathspec. please use . instead if you meant to match all paths');
  const texts = line.operands.length === 0 && (everything || line.has('update')) ? [':/'] : line.operands;
  const paths = new Pathspec(git, texts);
  const changes: { path: string; gone: boolean }[] = [];
  for (const path of repo.index.paths()) {
    if (!paths.matches(path)) continue;
    const entry = repo.index.get(path);
    const file = diskFile(repo, path, entry);
    if (file === undefined) changes.push({ path, gone: true });
    else if (
      entry === undefined ||
      entry.isIntent === true ||
      entry.oid !== file.oid ||
      entry.mode.toString(8) !== file.mode
    )
      changes.push({ path, gone: false });
  }
  if (!line.has('update')) {
    const found = findUntracked(git, 'all', paths);
    const refused = ignoredOperands(git, line, paths);
    for (const path of found.untracked) changes.push({ path: path.replace(/\/$/, ''), gone: false });
    if (line.has('force'))
      for (const path of found.ignored)
        for (const one of filesBelow(repo, path))
          if (paths.matches(one)) changes.push({ path: one, gone: false });
    for (const text of paths.unmatched()) {
      const full = git.absolute(text);
      if (git.files.isFolder(full) || refused.includes(text)) continue;
      git.die(`pathspec '${text}' did not match any files`);
    }
    if (refused.length > 0) {
      git.err(`The following paths are ignored by one of your .gitignore files:\n${refused.join('\n')}\n`);
      git.hint(
        'Use -f if you really want to add them.\nTurn this message off by running\n"git config advice.addIgnoredFile false"',
      );
      stage(git, line, changes);
      return 1;
    }
  } else
    for (const text of paths.unmatched())
      if (git.files.look(git.absolute(text)) === undefined)
        git.die(`pathspec '${text}' did not match any files`);
  stage(git, line, changes);
  return 0;
}

function stage(
  git: Git,
  line: Parsed,
  changes: readonly { readonly path: string; readonly gone: boolean }[],
): void {
  const { work: repo } = git;
  const sorted = [...changes].sort((one, other) => (one.path < other.path ? -1 : 1));
  for (const { path, gone } of sorted) {
    if (line.has('verbose') || line.has('dry-run')) git.out(`${gone ? 'remove' : 'add'} '${path}'\n`);
    if (line.has('dry-run')) continue;
    if (gone) {
      repo.index.remove(path);
      continue;
    }
    const file = diskFile(repo, path);
    if (file === undefined) continue;
    if (line.has('intent-to-add')) {
      repo.index.set({
        path,
        oid: repo.objects.write('blob', new Uint8Array(0)),
        mode: Number.parseInt(file.mode, 8),
        stage: 0,
        sizeBytes: 0,
        mtimeUs: 0,
        ino: 0,
        isIntent: true,
      });
      continue;
    }
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1))
      repo.index.remove(path.slice(0, at));
    for (const other of repo.index.paths()) if (other.startsWith(`${path}/`)) repo.index.remove(other);
    repo.index.set(stagedEntry(repo, path, file));
  }
  const chmod = line.value('chmod');
  if (chmod !== undefined)
    for (const entry of repo.index.all())
      if (entry.stage === 0 && new Pathspec(git, line.operands).matches(entry.path))
        repo.index.set({ ...entry, mode: chmod === '+x' ? 0o100755 : 0o100644 });
  if (!line.has('dry-run')) repo.saveIndex();
}

function filesBelow(repo: Repository, path: string): string[] {
  if (!path.endsWith('/')) return [path];
  return repo.files
    .list(repo.path(path.slice(0, -1)))
    .flatMap(({ name, kind }) =>
      kind === 'directory' ? filesBelow(repo, `${path}${name}/`) : [path + name],
    );
}

/** Operands that name ignored paths by themselves. */
function ignoredOperands(git: Git, line: Parsed, _paths: Pathspec): string[] {
  if (line.has('force')) return [];
  return line.operands.filter((text) => {
    const path = git.absolute(text);
    const { root } = git.repo;
    if (!path.startsWith(`${root}/`)) return false;
    const inside = path.slice(root.length + 1);
    const inode = git.files.look(path);
    return (
      inode !== undefined &&
      !git.repo.index.has(inside) &&
      !git.repo.index.hasBelow(inside) &&
      git.ignore.isIgnored(inside, inode.kind === 'directory')
    );
  });
}

/** `git status`. Returns the exit status. */
export function status(git: Git, args: readonly string[]): number {
  git.work;
  const line = parseOptions(
    git,
    args,
    'v|verbose s|short b|branch show-stash ahead-behind porcelain=? long z|null u|untracked-files=? ignored=? ignore-submodules=? column=? no-renames renames M|find-renames=?',
  );
  const mode = line.hits.some((hit) => hit.name === 'untracked-files')
    ? (line.value('untracked-files') ?? 'all')
    : (git.config('status.showuntrackedfiles') ?? 'normal');
  if (mode !== 'no' && mode !== 'normal' && mode !== 'all') git.die(`Invalid untracked files mode '${mode}'`);
  const paths = new Pathspec(git, line.operands);
  const untracked = mode as 'no' | 'normal' | 'all';
  const found = readStatus(git, { untracked, paths, renames: !line.has('no-renames') });
  const ignored = line.hits.some((hit) => hit.name === 'ignored');
  const porcelain = line.hits.some((hit) => hit.name === 'porcelain');
  const isShort =
    line.has('short') ||
    porcelain ||
    line.has('null') ||
    (git.bool('status.short') === true && !line.has('long'));
  if (porcelain && line.value('porcelain') === 'v2') return porcelainV2(git, found, line.has('branch'));
  if (isShort) {
    const ends = line.has('null') ? '\0' : '\n';
    if (line.has('branch') || (!porcelain && git.bool('status.branch') === true))
      git.out(`${shortBranch(git)}${ends}`);
    git.out(shortLines(git, found, { porcelain, ignored, ends }).join(''));
    return 0;
  }
  git.out(longStatus(git, found, { untracked, ignored }));
  return 0;
}

function porcelainV2(git: Git, found: ReturnType<typeof readStatus>, branch: boolean): number {
  const { repo } = git;
  if (branch)
    git.out(`# branch.oid ${repo.head ?? '(initial)'}\n# branch.head ${repo.branch ?? '(detached)'}\n`);
  const head = treeState(repo, repo.head);
  const rows = new Map<
    string,
    { x: string; y: string; from?: string | undefined; score?: number | undefined }
  >();
  for (const pair of found.staged)
    rows.set(pair.path, {
      x: pair.status,
      y: '.',
      from: pair.status === 'R' ? pair.oldPath : undefined,
      score: pair.score,
    });
  for (const pair of found.changed)
    rows.set(pair.path, { ...rows.get(pair.path), x: rows.get(pair.path)?.x ?? '.', y: pair.status });
  for (const [path, { x, y, from, score }] of [...rows].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const [old, entry, disk] = [head.get(from ?? path), repo.index.get(path), diskFile(repo, path)];
    const modes = `${old?.mode ?? '000000'} ${entry?.mode.toString(8) ?? '000000'} ${disk?.mode ?? '000000'}`;
    const oids = `${old?.oid ?? '0'.repeat(40)} ${entry?.oid ?? '0'.repeat(40)}`;
    if (from === undefined) git.out(`1 ${x}${y} N... ${modes} ${oids} ${quotePath(path, git.quotesPaths)}\n`);
    else
      git.out(
        `2 ${x}${y} N... ${modes} ${oids} R${Math.floor(((score ?? 0) * 100) / 60_000)} ${quotePath(path)}\t${quotePath(from)}\n`,
      );
  }
  for (const path of found.untracked) git.out(`? ${quotePath(path, git.quotesPaths)}\n`);
  return 0;
}

/** `git rm`. Returns the exit status. */
export function rm(git: Git, args: readonly string[]): number {
  const { work: repo } = git;
  const line = parseOptions(git, args, 'n|dry-run q|quiet cached f|force r ignore-unmatch sparse');
  if (line.operands.length === 0) git.die('No pathspec was given. Which files should I remove?');
  const paths = new Pathspec(git, line.operands);
  const found = repo.index.paths().filter((path) => paths.matches(path));
  for (const text of paths.unmatched())
    if (!line.has('ignore-unmatch')) git.die(`pathspec '${text}' did not match any files`);
  if (!line.has('r'))
    for (const text of line.operands) {
      const full = git.absolute(text);
      const inside = full === repo.root ? '' : full.slice(repo.root.length + 1);
      if (inside === '' || (repo.index.hasBelow(inside) && !repo.index.has(inside)))
        git.die(`not removing '${text}' recursively without -r`);
    }
  if (!line.has('force')) refuseRemoval(git, found, line.has('cached'));
  for (const path of found) {
    if (!line.has('quiet')) git.out(`rm '${path}'\n`);
    if (line.has('dry-run')) continue;
    repo.index.remove(path);
    if (!line.has('cached')) removeFromDisk(repo, path);
  }
  if (!line.has('dry-run')) repo.saveIndex();
  return 0;
}

function refuseRemoval(git: Git, paths: readonly string[], cached: boolean): void {
  const { work: repo } = git;
  const head = treeState(repo, repo.head);
  const [both, staged, local]: [string[], string[], string[]] = [[], [], []];
  for (const path of paths) {
    const entry = repo.index.get(path);
    if (entry === undefined) continue;
    const disk = diskFile(repo, path, entry);
    if (disk === undefined) continue;
    const isLocal = disk.oid !== entry.oid || disk.mode !== entry.mode.toString(8);
    const old = head.get(path);
    const isStaged = old === undefined || old.oid !== entry.oid || old.mode !== entry.mode.toString(8);
    if (isLocal && isStaged && entry.isIntent !== true) both.push(path);
    else if (cached) continue;
    else if (isStaged) staged.push(path);
    else if (isLocal) local.push(path);
  }
  const tell = (list: readonly string[], [one, many]: readonly [string, string], hint: string): void => {
    if (list.length === 0) return;
    git.err(
      `error: the following file${list.length === 1 ? ` ${one}` : `s ${many}`}:\n${list.map((path) => `    ${path}\n`).join('')}(${hint})\n`,
    );
  };
  tell(
    both,
    [
      'has staged content different from both the\nfile and the HEAD',
      'have staged content different from both the\nfile and the HEAD',
    ],
    'use -f to force removal',
  );
  tell(
    staged,
    ['has changes staged in the index', 'have changes staged in the index'],
    'use --cached to keep the file, or -f to force removal',
  );
  tell(
    local,
    ['has local modifications', 'have local modifications'],
    'use --cached to keep the file, or -f to force removal',
  );
  if (both.length + staged.length + local.length > 0) git.exit(1);
}

/** `git mv`. Returns the exit status. */
export function mv(git: Git, args: readonly string[]): number {
  const { work: repo } = git;
  const line = parseOptions(git, args, 'n|dry-run v|verbose f|force k sparse');
  if (line.operands.length < 2) usageError(git);
  const targetText = line.operands[line.operands.length - 1] ?? '';
  const target = git.absolute(targetText);
  const sources = line.operands.slice(0, -1);
  const intoFolder = git.files.isFolder(target);
  if (sources.length > 1 && !intoFolder) git.die(`destination '${targetText}' is not a directory`);
  const inside = (path: string): string => path.slice(repo.root.length + 1);
  const bad = (why: string, from: string, to: string): void => {
    if (!line.has('k')) git.die(`${why}, source=${from}, destination=${to}`);
  };
  for (const text of sources) {
    const from = inside(git.absolute(text));
    const to = intoFolder
      ? `${inside(target) === '' || target === repo.root ? '' : `${inside(target)}/`}${from.split('/').pop() ?? ''}`
      : inside(target);
    const inode = git.files.look(repo.path(from));
    const isFolder = inode?.kind === 'directory';
    if (inode === undefined) bad('bad source', from, to);
    else if (isFolder && !repo.index.hasBelow(from)) bad('source directory is empty', from, to);
    else if (!isFolder && !repo.index.has(from)) bad('not under version control', from, to);
    else if (git.files.look(repo.path(to)) !== undefined && !(line.has('force') && !isFolder))
      bad('destination exists', from, to);
    else if (!git.files.isFolder(repo.path(to).replace(/\/[^/]*$/, '')))
      git.die(`renaming '${from}' failed: No such file or directory`);
    else {
      if (line.has('verbose') || line.has('dry-run'))
        git.out(
          `${line.has('dry-run') ? `Checking rename of '${from}' to '${to}'\n` : ''}Renaming ${from} to ${to}\n`,
        );
      if (line.has('dry-run')) continue;
      git.proc.rename(repo.path(from), repo.path(to));
      for (const entry of repo.index.all()) {
        if (entry.path !== from && !entry.path.startsWith(`${from}/`)) continue;
        repo.index.remove(entry.path);
        repo.index.set({ ...entry, path: to + entry.path.slice(from.length) });
      }
    }
  }
  if (!line.has('dry-run')) repo.saveIndex();
  return 0;
}

/** `git clean`. Returns the exit status. */
export function clean(git: Git, args: readonly string[]): number {
  const { work: repo } = git;
  const line = parseOptions(git, args, 'q|quiet n|dry-run f|force i|interactive d e|exclude= x X');
  const isForced = line.has('force') || git.bool('clean.requireforce') === false;
  if (!isForced && !line.has('dry-run') && !line.has('interactive')) {
    const isSet = git.config('clean.requireforce') !== undefined;
    git.die(
      `clean.requireForce ${isSet ? 'set to true' : 'defaults to true'} and neither -i, -n, nor -f given; refusing to clean`,
    );
  }
  const paths = new Pathspec(git, line.operands);
  const found = findUntracked(git, 'normal', line.operands.length === 0 ? undefined : paths);
  const wanted = line.has('X')
    ? found.ignored
    : line.has('x')
      ? [...found.untracked, ...found.ignored]
      : found.untracked;
  const excluded = line.values('exclude');
  for (const path of [...new Set(wanted)].sort()) {
    const isFolder = path.endsWith('/');
    if (isFolder && !line.has('d') && !paths.reachesBelow(path.slice(0, -1)) && line.operands.length === 0)
      continue;
    if (git.prefix !== '' && !path.startsWith(git.prefix) && line.operands.length === 0) continue;
    if (
      excluded.some(
        (pattern) =>
          path === pattern ||
          path.endsWith(`/${pattern}`) ||
          (pattern.startsWith('*') && path.endsWith(pattern.slice(1))),
      )
    )
      continue;
    const full = repo.path(path.replace(/\/$/, ''));
    const ignoredInside =
      isFolder && !line.has('x') && !line.has('X') && found.ignored.some((one) => one.startsWith(path));
    if (line.has('dry-run')) git.out(`Would remove ${git.shown(path)}\n`);
    else {
      if (!line.has('quiet')) git.out(`Removing ${git.shown(path)}\n`);
      if (!ignoredInside) git.files.removeTree(full);
    }
  }
  return 0;
}
