/**
 * `diff`: between work tree, index and commits.
 */
import { combinedHunks } from '../diff/combined.js';
import { isBinary, type Pair, type State, type StateFile } from '../diff/pairs.js';
import { patchOf } from '../diff/patch.js';
import { DIFF_OPTIONS, type DiffShape, diffShape, pairsOf, renderPairs } from '../diff/show-diff.js';
import { type Git, quotePath } from '../git.js';
import { mergeBases } from '../merge/ancestry.js';
import { oidOf, ZERO_OID } from '../store/objects.js';
import { parseRevisions } from '../store/revisions.js';
import { parseOptions } from '../work/options.js';
import { diskFile, diskState, entryFile, indexState, limited, Pathspec, treeState } from '../work/states.js';

/** `git diff`. Returns the exit status. */
export function diff(git: Git, args: readonly string[]): number {
  const line = parseOptions(
    git,
    args,
    `${DIFF_OPTIONS} staged|cached no-index merge-base 1|base 2|ours 3|theirs`,
    {
      unknown: (argument) => {
        git.error(`invalid option: ${argument}`);
        git.exit(129);
      },
    },
  );
  if (line.has('no-index') || (git.repoIfAny() === undefined && line.operands.length === 2))
    return noIndex(git, line.operands, line);
  if (git.repoIfAny() === undefined) {
    git.warning('Not a git repository. Use --no-index to compare two paths outside a working tree');
    git.err('usage: git diff --no-index [<options>] <path> <path>\n');
    git.exit(129);
  }
  const { repo } = git;
  const shape = diffShape(git, line);
  const revisions = parseRevisions(git, line.before, line.after);
  const paths = new Pathspec(git, revisions.paths);
  const blobs = revisions.include.filter(({ oid }) => repo.objects.find(oid)?.type === 'blob');
  if (blobs.length === 2) return blobDiff(git, shape, revisions.include);
  const commits = revisions.include.map(({ oid }) => oid);
  let before: Map<string, StateFile>;
  let after: Map<string, StateFile>;
  let conflicts: readonly string[] = [];
  if (revisions.symmetric !== undefined) {
    const [one, other] = revisions.symmetric;
    before = treeState(repo, mergeBases(repo, one, other)[0] ?? one);
    after = treeState(repo, other);
  } else if (revisions.range !== undefined) {
    before = treeState(repo, revisions.range[0]);
    after = treeState(repo, revisions.range[1]);
  } else if (line.has('cached')) {
    conflicts = [...repo.index.conflicts().keys()];
    before = treeState(repo, commits[0] ?? repo.head);
    after = indexState(repo);
    for (const path of conflicts) before.delete(path);
  } else if (commits.length >= 2) {
    before = treeState(repo, commits[0]);
    after = treeState(repo, commits[1]);
  } else if (commits.length === 1) {
    before = treeState(
      repo,
      line.has('merge-base') && repo.head !== undefined
        ? mergeBases(repo, commits[0] ?? '', repo.head)[0]
        : commits[0],
    );
    after = diskState(repo);
  } else {
    if (repo.isBare) git.die('this operation must be run in a work tree');
    conflicts = [...repo.index.conflicts().keys()];
    before = indexState(repo);
    const disk = diskState(repo);
    after = new Map(
      [...disk].filter(([path]) => before.has(path) || repo.index.get(path)?.isIntent === true),
    );
  }
  const isUnstaged = commits.length === 0 && revisions.range === undefined && !line.has('cached');
  const inner = line.hits.some((hit) => hit.name === 'relative') ? git.prefix : '';
  const found = pairsOf(shape, below(limited(before, paths), inner), below(limited(after, paths), inner));
  const unmerged = conflicts.filter((path) => paths.matches(path));
  const text = isUnstaged
    ? withConflicts(git, shape, found, unmerged)
    : renderPairs(shape, [...found, ...unmergedPairs(unmerged)].sort(byPath), repo);
  if (line.has('check')) return checkWhitespace(git, found);
  if (!line.has('quiet')) git.out(text);
  return (line.has('exit-code') || line.has('quiet')) && found.length + unmerged.length > 0 ? 1 : 0;
}

/** The files below a folder, named from there. */
function below(state: State, folder: string): State {
  if (folder === '') return state;
  return new Map(
    [...state].flatMap(([path, file]) =>
      path.startsWith(folder) ? [[path.slice(folder.length), file]] : [],
    ),
  );
}

function byPath(one: Pair, other: Pair): number {
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0;
}

function unmergedPairs(paths: readonly string[]): Pair[] {
  return paths.map((path) => ({ status: 'U', oldPath: path, path, old: undefined, now: undefined }));
}

/** Differences of the work tree, with a combined diff for each conflict. */
function withConflicts(
  git: Git,
  shape: DiffShape,
  pairs: readonly Pair[],
  conflicts: readonly string[],
): string {
  const { repo } = git;
  if (conflicts.length === 0) return renderPairs(shape, pairs, repo);
  if (!shape.patch)
    return renderPairs(
      shape,
      [...pairs, ...conflicts.flatMap((path) => conflictPairs(git, path))].sort(byPath),
      repo,
    );
  // Both sides beside the file come at once, everything else afterwards.
  const hasBoth = (path: string): boolean =>
    repo.index.get(path, 2) !== undefined && repo.index.get(path, 3) !== undefined;
  const combined = conflicts.filter(hasBoth).map((path) => conflictDiff(git, path));
  const rest = conflicts.filter((path) => !hasBoth(path)).flatMap((path) => conflictPairs(git, path));
  return combined.join('') + renderPairs(shape, [...pairs, ...rest].sort(byPath), repo);
}

/** A conflict as pairs: a mark, and how the file on the disk differs from our side. */
function conflictPairs(git: Git, path: string): Pair[] {
  const ours = git.repo.index.get(path, 2);
  const [old, now] = [ours === undefined ? undefined : entryFile(git.repo, ours), diskFile(git.repo, path)];
  const mark: Pair = { status: 'U', oldPath: path, path, old: undefined, now: undefined };
  if (old === undefined || now === undefined || old.oid === now.oid) return [mark];
  return [mark, { status: 'M', oldPath: path, path, old, now }];
}

/** The combined diff of a conflict: both sides beside the file on the disk. */
function conflictDiff(git: Git, path: string): string {
  const { repo } = git;
  const [ours, theirs] = [repo.index.get(path, 2), repo.index.get(path, 3)];
  const disk = diskFile(repo, path);
  if (ours === undefined || theirs === undefined || disk === undefined)
    return `* Unmerged path ${quotePath(path, git.quotesPaths)}\n`;
  const sides = [ours, theirs].map((entry) => entryFile(repo, entry));
  return combinedText(git, path, sides, { ...disk, oid: ZERO_OID });
}

/** A whole combined diff of one file. */
export function combinedText(
  git: Git,
  path: string,
  parents: readonly (StateFile | undefined)[],
  result: StateFile | undefined,
): string {
  const { repo } = git;
  const short = (oid: string | undefined): string =>
    oid === undefined || oid === ZERO_OID ? '0000000' : repo.objects.abbreviate(oid);
  const name = quotePath(path, git.quotesPaths);
  let out = `diff --cc ${name}\nindex ${parents.map((one) => short(one?.oid)).join(',')}..${short(result?.oid)}\n`;
  if (result === undefined)
    out += `deleted file mode ${parents.map((one) => one?.mode ?? '000000').join(',')}\n`;
  else if (parents.every((one) => one === undefined)) out += `new file mode ${result.mode}\n`;
  else if (parents.some((one) => one !== undefined && one.mode !== result.mode))
    out += `mode ${parents.map((one) => one?.mode ?? '000000').join(',')}..${result.mode}\n`;
  const bytes = parents.map((one) => one?.read() ?? new Uint8Array(0));
  const now = result?.read() ?? new Uint8Array(0);
  if ([...bytes, now].some(isBinary)) return `${out}Binary files differ\n`;
  const hunks = combinedHunks(bytes, now);
  const from = parents.every((one) => one === undefined) ? '/dev/null' : `a/${name}`;
  return hunks === ''
    ? out
    : `${out}--- ${from}\n+++ ${result === undefined ? '/dev/null' : `b/${name}`}\n${hunks}`;
}

function blobDiff(
  git: Git,
  shape: DiffShape,
  [one, other]: readonly { readonly oid: string; readonly text: string }[],
): number {
  const { repo } = git;
  const file = (oid: string | undefined): StateFile => ({
    mode: '100644',
    oid: oid ?? '',
    read: () => repo.objects.blob(oid ?? ''),
  });
  const name = (text: string | undefined): string => (text ?? '').replace(/^[^:]*:(\.\/)?/, '');
  if (one?.oid === other?.oid) return 0;
  const pair: Pair = {
    status: 'M',
    oldPath: name(one?.text),
    path: name(other?.text),
    old: file(one?.oid),
    now: file(other?.oid),
  };
  git.out(renderPairs(shape, [pair], repo));
  return 0;
}

/** Two files of the disk, inside or outside a repository. */
function noIndex(git: Git, operands: readonly string[], line: ReturnType<typeof parseOptions>): number {
  const [one = '', other = ''] = operands;
  if (operands.length !== 2) {
    git.err('usage: git diff --no-index [<options>] <path> <path>\n');
    return 129;
  }
  const read = (text: string): StateFile => {
    const inode = git.files.look(git.absolute(text));
    if (inode === undefined) git.fail(`Could not access '${text}'`, 1);
    const bytes = git.files.read(git.absolute(text));
    return {
      mode: (inode.mode & 0o100) !== 0 ? '100755' : '100644',
      oid: oidOf({ type: 'blob', bytes }),
      read: () => bytes,
    };
  };
  const [old, now] = [read(one), read(other)];
  if (old.oid === now.oid && old.mode === now.mode) return 0;
  const short = (oid: string): string => oid.slice(0, 7);
  const pair: Pair = {
    status: 'M',
    oldPath: one.replace(/^\//, ''),
    path: other.replace(/^\//, ''),
    old,
    now,
  };
  const repo = git.repoIfAny();
  if (repo !== undefined) {
    git.out(renderPairs(diffShape(git, line), [pair], repo));
    return 1;
  }
  git.out(patchOf(pair, { oldPrefix: 'a/', newPrefix: 'b/', abbreviate: short, quotesPaths: true }));
  return 1;
}

/** `--check`: blanks at line ends and conflict markers in what is new. */
function checkWhitespace(git: Git, pairs: readonly Pair[]): number {
  let status = 0;
  for (const pair of pairs) {
    const text = renderPairs(diffShapeOf(git), [pair], git.repo);
    let at = 0;
    for (const row of text.split('\n')) {
      const head = /^@@ -\S+ \+(\d+)/.exec(row);
      if (head !== null) at = Number(head[1]) - 1;
      else if (row.startsWith('+') && !row.startsWith('+++ ')) {
        at++;
        const problem = /^\+(<{7} |={7}$|>{7} )/.test(row)
          ? 'leftover conflict marker'
          : /\s$/.test(row.slice(1))
            ? 'trailing whitespace.'
            : /^\+ +\t/.test(row)
              ? 'space before tab in indent.'
              : undefined;
        if (problem !== undefined) {
          git.out(`${pair.path}:${at}: ${problem}\n${problem.startsWith('leftover') ? '' : `${row}\n`}`);
          status = 2;
        }
      } else if (row.startsWith(' ')) at++;
    }
  }
  return status;
}

function diffShapeOf(git: Git): DiffShape {
  return diffShape(git, parseOptions(git, [], DIFF_OPTIONS));
}
