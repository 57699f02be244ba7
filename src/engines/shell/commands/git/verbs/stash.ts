/**
 * `stash`: work put aside as commits on `refs/stash`.
 *
 * Source: git-stash(1). Not covered: `--patch`, `branch`'s conflicts.
 */
import { compareStates } from '../diff/pairs.js';
import { DIFF_OPTIONS, diffShape, pairsOf, renderPairs } from '../diff/show-diff.js';
import type { Git } from '../git.js';
import { applyMerge } from '../merge/apply-merge.js';
import { subjectOf, ZERO_OID } from '../store/objects.js';
import { forceTo, indexTo, placeFile, removeFromDisk, writeIndexTree, writeTree } from '../work/checkout.js';
import { writeCommit } from '../work/commits.js';
import { parseOptions, usageError } from '../work/options.js';
import { diskFile, diskState, findUntracked, limited, Pathspec, treeState } from '../work/states.js';
import { longStatus, readStatus } from '../work/status.js';
import { checkout } from './checkout.js';

/** `git stash`. Returns the exit status. */
export function stash(git: Git, args: readonly string[]): number {
  const { work: repo } = git;
  const [verb, ...rest] = args;
  if (verb === undefined || verb.startsWith('-')) return push(git, args, false);
  switch (verb) {
    case 'push':
      return push(git, rest, false);
    case 'save':
      return push(git, rest, true);
    case 'list':
      for (const [at, entry] of repo.refs.log('refs/stash').reverse().entries())
        git.out(`stash@{${at}}: ${entry.message}\n`);
      return 0;
    case 'apply':
    case 'pop':
      return apply(git, rest, verb === 'pop');
    case 'drop': {
      const { number, oid, name } = entryOf(git, parseOptions(git, rest, 'q|quiet').operands[0]);
      drop(git, number);
      if (!rest.includes('-q')) git.out(`Dropped ${name} (${oid})\n`);
      return 0;
    }
    case 'clear':
      repo.refs.remove('refs/stash');
      git.files.remove(`${repo.gitDir}/logs/refs/stash`);
      return 0;
    case 'show':
      return show(git, rest);
    case 'branch': {
      const [name = '', which] = rest;
      const { oid, number, name: shown } = entryOf(git, which);
      const status = checkout(git, ['-b', name, repo.objects.commit(oid).parents[0] ?? '']);
      if (status !== 0) return status;
      const applied = apply(git, ['--index', `stash@{${number}}`], false);
      if (applied === 0) {
        drop(git, number);
        git.out(`Dropped ${shown} (${oid})\n`);
      }
      return applied;
    }
    case 'create':
    case 'store':
      git.die(`stash ${verb} is not possible here`);
      break;
    default:
      git.err(
        `fatal: subcommand wasn't specified; 'push' can't be assumed due to unexpected token '${verb}'\n`,
      );
      git.exit(128);
  }
  return usageError(git);
}

function push(git: Git, args: readonly string[], isSave: boolean): number {
  const { repo } = git;
  const line = parseOptions(
    git,
    args,
    'k|keep-index S|staged p|patch q|quiet u|include-untracked a|all m|message= pathspec-from-file=',
  );
  if (line.has('patch')) git.die('interactive use is not possible here');
  const head = repo.head;
  if (head === undefined) {
    git.err('You do not have the initial commit yet\n');
    return 1;
  }
  const paths = new Pathspec(git, isSave ? [] : line.operands);
  const status = readStatus(git, { untracked: line.has('all') ? 'all' : 'normal', paths });
  if (status.conflicts.size > 0) {
    for (const path of status.conflicts.keys()) git.out(`${path}: needs merge\n`);
    return 1;
  }
  if (!isSave && line.operands.length > 0) {
    const known = [...repo.index.paths(), ...findUntracked(git, 'all').untracked].filter((path) =>
      paths.matches(path),
    );
    if (known.length === 0 || paths.unmatched().length > 0) {
      for (const text of paths.unmatched())
        git.error(`pathspec ':(prefix:0)${text}' did not match any file(s) known to git`);
      git.err("Did you forget to 'git add'?\n");
      return 1;
    }
  }
  const wantsUntracked = line.has('include-untracked') || line.has('all');
  const found = wantsUntracked
    ? findUntracked(git, 'all', paths.isEmpty ? undefined : paths)
    : { untracked: [], ignored: [] };
  const untracked = line.has('all') ? [...found.untracked, ...found.ignored] : found.untracked;
  if (status.staged.length === 0 && status.changed.length === 0 && untracked.length === 0) {
    if (!line.has('quiet')) git.out('No local changes to save\n');
    return 0;
  }
  const branch = repo.branch ?? '(no branch)';
  const commit = repo.objects.commit(head);
  const about = `${branch}: ${repo.objects.abbreviate(head)} ${subjectOf(commit.message)}`;
  const given =
    line.value('message') ?? (isSave && line.operands.length > 0 ? line.operands.join(' ') : undefined);
  const message = given === undefined || given === '' ? `WIP on ${about}` : `On ${branch}: ${given}`;
  const [author, committer] = [git.looseIdentity('AUTHOR'), git.looseIdentity('COMMITTER')];
  const indexTree = writeIndexTree(repo);
  const indexCommit = writeCommit(git, {
    tree: indexTree,
    parents: [head],
    author,
    committer,
    message: `index on ${about}\n`,
  });
  const parents = [head, indexCommit];
  if (wantsUntracked && untracked.length > 0) {
    const files = untracked.flatMap((path) => {
      const file = diskFile(repo, path.replace(/\/$/, ''));
      return file === undefined
        ? []
        : [{ path, mode: file.mode, oid: repo.objects.write('blob', file.read()) }];
    });
    parents.push(
      writeCommit(git, {
        tree: writeTree(repo, files),
        parents: [],
        author,
        committer,
        message: `untracked files on ${about}\n`,
      }),
    );
  }
  const workTree = stashedTree(git, paths, { isStaged: line.has('staged'), indexTree, head });
  const oid = writeCommit(git, {
    tree: workTree,
    parents,
    author,
    committer,
    message: message.endsWith('\n') ? message : `${message}`,
  });
  const before = repo.refs.resolve('refs/stash') ?? ZERO_OID;
  repo.refs.update('refs/stash', oid, undefined);
  git.files.append(`${repo.gitDir}/logs/refs/stash`, '');
  repo.refs.note('refs/stash', { from: before, to: oid, ...git.logNote(message) });
  putBack(git, line.has('keep-index'), { paths, staged: line.has('staged'), indexTree });
  for (const path of untracked) removeFromDisk(repo, path.replace(/\/$/, ''));
  if (!line.has('quiet')) git.out(`Saved working directory and index state ${message}\n`);
  return 0;
}

/** The tree of what is put aside. */
function stashedTree(
  git: Git,
  paths: Pathspec,
  {
    isStaged,
    indexTree,
    head,
  }: { readonly isStaged: boolean; readonly indexTree: string; readonly head: string },
): string {
  const { repo } = git;
  const disk = diskState(repo);
  const wanted = new Map(isStaged ? treeState(repo, indexTree) : disk);
  if (!paths.isEmpty) {
    for (const [path, file] of treeState(repo, head)) if (!paths.matches(path)) wanted.set(path, file);
    for (const path of [...wanted.keys()])
      if (!paths.matches(path) && !treeState(repo, head).has(path)) wanted.delete(path);
  }
  return writeTree(
    repo,
    [...wanted].map(([path, file]) => ({
      path,
      mode: file.mode,
      oid: file.mode === '160000' ? file.oid : repo.objects.write('blob', file.read()),
    })),
  );
}

function putBack(
  git: Git,
  keepsIndex: boolean,
  {
    paths,
    staged,
    indexTree,
  }: { readonly paths: Pathspec; readonly staged: boolean; readonly indexTree: string },
): void {
  const { repo } = git;
  if (paths.isEmpty && !staged) {
    forceTo(repo, keepsIndex ? indexTree : repo.head);
    if (keepsIndex) indexTo(repo, indexTree);
  } else {
    const head = treeState(repo, repo.head);
    const changed = staged
      ? new Set(compareStates(head, treeState(repo, indexTree), false).map((pair) => pair.path))
      : undefined;
    for (const path of new Set([...head.keys(), ...repo.index.paths()])) {
      if (!paths.matches(path) || (changed !== undefined && !changed.has(path))) continue;
      const file = head.get(path);
      if (file !== undefined) placeFile(repo, path, file);
      else {
        removeFromDisk(repo, path);
        repo.index.remove(path);
      }
    }
  }
  repo.saveIndex();
}

function entryOf(
  git: Git,
  text: string | undefined,
): { readonly number: number; readonly oid: string; readonly name: string } {
  const { repo } = git;
  const log = repo.refs.log('refs/stash');
  const given = text ?? '0';
  const match = /^(?:(?:refs\/)?stash@\{(\d+)\}|(\d+)|(?:refs\/)?stash)$/.exec(given);
  if (match === null) return git.die(`'${given}' is not a stash-like commit`);
  const number = Number(match[1] ?? match[2] ?? 0);
  if (log.length === 0) {
    git.err('No stash entries found.\n');
    git.exit(1);
  }
  const entry = log[log.length - 1 - number];
  if (entry === undefined) return git.fail(`stash@{${number}} is not a valid reference`);
  return {
    number,
    oid: entry.to,
    name: text === undefined ? 'refs/stash@{0}' : /^\d+$/.test(given) ? `refs/stash@{${given}}` : given,
  };
}

function drop(git: Git, number: number): void {
  const { repo } = git;
  const log = repo.refs.log('refs/stash');
  log.splice(log.length - 1 - number, 1);
  const last = log[log.length - 1];
  if (last === undefined) {
    repo.refs.remove('refs/stash');
    git.files.remove(`${repo.gitDir}/logs/refs/stash`);
    return;
  }
  repo.refs.writeLog(
    'refs/stash',
    log.map((entry, at) => ({ ...entry, from: at === 0 ? ZERO_OID : (log[at - 1]?.to ?? ZERO_OID) })),
  );
  repo.refs.update('refs/stash', last.to, undefined);
}

function apply(git: Git, args: readonly string[], pops: boolean): number {
  const { repo } = git;
  const line = parseOptions(git, args, 'q|quiet index');
  const { number, oid, name } = entryOf(git, line.operands[0]);
  const stashed = repo.objects.commit(oid);
  const [base = '', index = ''] = stashed.parents;
  const status = readStatus(git, { untracked: 'no' });
  if (status.conflicts.size > 0) {
    for (const path of status.conflicts.keys()) git.out(`${path}: needs merge\n`);
    return 1;
  }
  const ours = writeIndexTree(repo);
  const applied = applyMerge(
    git,
    { base, ours, theirs: stashed.tree },
    { ours: 'Updated upstream', base: 'Stash base', theirs: 'Stashed changes' },
    { by: 'merge', before: 'merge' },
  );
  if (applied === undefined) {
    if (pops) git.err('The stash entry is kept in case you need it again.\n');
    return 1;
  }
  if (!line.has('quiet')) git.out(applied.messages.map((one) => `${one}\n`).join(''));
  if (applied.conflicts.length === 0) {
    if (line.has('index')) indexTo(repo, repo.objects.commit(index).tree);
    else keepOnlyNew(git, ours, stashed.tree);
    repo.saveIndex();
  }
  const untracked = stashed.parents[2];
  if (untracked !== undefined) {
    for (const [path, file] of treeState(repo, untracked))
      if (diskFile(repo, path) === undefined) {
        placeFile(repo, path, file);
        repo.index.remove(path);
      }
    repo.saveIndex();
  }
  if (!line.has('quiet')) git.out(longStatus(git, readStatus(git), { untracked: 'normal' }));
  if (applied.conflicts.length > 0) {
    if (pops) git.err('The stash entry is kept in case you need it again.\n');
    return 1;
  }
  if (pops) {
    drop(git, number);
    if (!line.has('quiet')) git.out(`Dropped ${name} (${oid})\n`);
  }
  return 0;
}

/** After an apply the index is as before, but for files that are new. */
function keepOnlyNew(git: Git, ours: string, stashed: string): void {
  const { repo } = git;
  const [before, after] = [treeState(repo, ours), treeState(repo, stashed)];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(path);
    if (old === undefined) continue;
    repo.index.set({
      path,
      oid: old.oid,
      mode: Number.parseInt(old.mode, 8),
      stage: 0,
      sizeBytes: 0,
      mtimeUs: 0,
      ino: 0,
    });
  }
}

function show(git: Git, args: readonly string[]): number {
  const { repo } = git;
  const line = parseOptions(git, args, `${DIFF_OPTIONS} include-untracked only-untracked`, {
    unknown: (argument) => git.die(`unknown option: ${argument}`),
  });
  const { oid } = entryOf(git, line.operands[0]);
  const commit = repo.objects.commit(oid);
  const shape = diffShape(git, line, 'nothing');
  const paths = new Pathspec(git, []);
  const pairs = pairsOf(
    shape,
    limited(treeState(repo, commit.parents[0]), paths),
    treeState(repo, commit.tree),
  );
  git.out(renderPairs(shape.isGiven ? shape : { ...shape, stat: true }, pairs, repo));
  return 0;
}
