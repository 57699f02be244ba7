/**
 * `merge`, and `merge-base`.
 *
 * Source: git-merge(1). Not covered: more than two histories at once, other strategies than ort and ours.
 */
import type { Running } from '../../../kernel/index.js';
import { compareStates } from '../diff/pairs.js';
import { columnsOf } from '../diff/show-diff.js';
import { statsOf, statText, summaryText } from '../diff/stat.js';
import type { Git } from '../git.js';
import { isAncestor, mergeBases } from '../merge/ancestry.js';
import { applyMerge, hasStaged } from '../merge/apply-merge.js';
import { fullRefName, needCommit, resolveRevision, upstreamOf } from '../store/revisions.js';
import { findObstacles, moveTo, tellObstacles } from '../work/checkout.js';
import { cleanMessage, writeCommit } from '../work/commits.js';
import { type Parsed, parseOptions } from '../work/options.js';
import { stateOfWork } from '../work/progress.js';
import { treeState } from '../work/states.js';
import { commit, runEditor } from './commit.js';

const OPTIONS =
  'n|no-stat stat summary log=? squash commit e|edit cleanup= ff ff-only rerere-autoupdate verify-signatures s|strategy= X|strategy-option= ' +
  'm|message= F|file= into-name= v|verbose q|quiet abort quit continue allow-unrelated-histories progress S|gpg-sign=? autostash no-verify signoff';

/** What changed from one commit to another, as merges and pulls tell it. */
function mergeStat(git: Git, from: string, to: string): string {
  const pairs = compareStates(treeState(git.repo, from), treeState(git.repo, to));
  return (
    statText(statsOf(pairs, { quotesPaths: git.quotesPaths }), columnsOf(git)) +
    summaryText(pairs, git.quotesPaths)
  );
}

/** `git merge`. Returns the exit status. */
export function* merge(git: Git, args: readonly string[]): Running<number> {
  const { work: repo } = git;
  const line = parseOptions(git, args, OPTIONS);
  const progress = stateOfWork(repo);
  if (line.has('abort')) return abortMerge(git);
  if (line.has('quit')) {
    for (const name of ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE']) repo.removeNote(name);
    return 0;
  }
  if (line.has('continue')) {
    if (!progress.isMerging) git.die('There is no merge in progress (MERGE_HEAD missing).');
    return yield* commit(git, git.env('GIT_EDITOR') === undefined ? ['--no-edit'] : []);
  }
  if (repo.index.conflicts().size > 0) {
    git.error(`Merging is not possible because you have unmerged files.`);
    git.hint(
      "Fix them up in the work tree, and then use 'git add/rm <file>'\nas appropriate to mark resolution and make a commit.",
    );
    git.die('Exiting because of an unresolved conflict.');
  }
  if (progress.isMerging)
    git.die(
      'You have not concluded your merge (MERGE_HEAD exists).\nPlease, commit your changes before you merge.',
    );
  if (progress.cherryPick !== undefined)
    git.die(
      'You have not concluded your cherry-pick (CHERRY_PICK_HEAD exists).\nPlease, commit your changes before you merge.',
    );
  const names = line.operands.length > 0 ? line.operands : [upstreamName(git)];
  const name = names[0] ?? '';
  const given = resolveRevision(git, name);
  if (given === undefined || repo.objects.find(repo.objects.peel(given))?.type !== 'commit') {
    git.err(`merge: ${name} - not something we can merge\n`);
    const similar = repo.refs.list('refs/remotes/').filter((ref) => ref.name.endsWith(`/${name}`));
    if (similar.length > 0)
      git.err(
        `\nDid you mean ${similar.length === 1 ? 'this' : 'one of these'}?\n${similar.map((ref) => `\t${ref.name.slice(13)}\n`).join('')}`,
      );
    return 1;
  }
  const theirs = repo.objects.peel(given);
  return yield* mergeCommit(git, { theirs, name, line, reflog: `merge ${name}` });
}

function upstreamName(git: Git): string {
  const { branch } = git.repo;
  if (branch === undefined) return git.die('No current branch.');
  const upstream = upstreamOf(git, branch);
  return upstream === undefined ? git.die('No remote for the current branch.') : upstream.short;
}

/** What is merged. */
interface Merging {
  readonly theirs: string;
  /** How it was named on the command line. */
  readonly name: string;
  readonly line: Parsed;
  readonly reflog: string;
  readonly message?: string;
}

/** Merges a commit into HEAD. */
export function* mergeCommit(git: Git, how: Merging): Running<number> {
  const { work: repo } = git;
  const { theirs, line } = how;
  const head = repo.head;
  const quiet = line.has('quiet');
  const say = (text: string): void => {
    if (!quiet) git.out(text);
  };
  if (head === undefined) {
    moveTo(repo, new Map(), treeState(repo, theirs));
    repo.saveIndex();
    repo.refs.update('HEAD', theirs, git.logNote(`initial pull`));
    return 0;
  }
  if (isAncestor(repo, theirs, head)) {
    say('Already up to date.\n');
    return 0;
  }
  const setting = git.config('merge.ff');
  const hits = line.hits.filter((hit) => ['ff', 'no-ff', 'ff-only'].includes(hit.name)).pop()?.name;
  const mode = hits ?? (setting === 'only' ? 'ff-only' : setting === 'false' ? 'no-ff' : 'ff');
  const isForward = isAncestor(repo, head, theirs);
  const squash = line.has('squash');
  if (isForward && (mode !== 'no-ff' || squash)) {
    say(`Updating ${repo.objects.abbreviate(head)}..${repo.objects.abbreviate(theirs)}\n`);
    const [from, to] = [treeState(repo, head), treeState(repo, theirs)];
    if (tellObstacles(git, findObstacles(git, from, to), { by: 'merge', before: 'merge' })) {
      git.err('Aborting\n');
      return 1;
    }
    moveTo(repo, from, to);
    repo.saveIndex();
    say(squash ? 'Fast-forward\nSquash commit -- not updating HEAD\n' : 'Fast-forward\n');
    if (squash) writeSquash(git, head, theirs);
    else {
      repo.refs.update('HEAD', theirs, git.logNote(`${how.reflog}: Fast-forward`));
      repo.writeNote('ORIG_HEAD', `${head}\n`);
    }
    if (!line.has('no-stat')) say(mergeStat(git, head, theirs));
    return 0;
  }
  if (mode === 'ff-only') {
    git.hint(
      'Diverging branches can\'t be fast-forwarded, you need to either:\n\n\tgit merge --no-ff\n\nor:\n\n\tgit rebase\n\nDisable this message with "git config advice.diverging false"',
    );
    git.die('Not possible to fast-forward, aborting.');
  }
  const bases = mergeBases(repo, head, theirs);
  if (bases.length === 0 && !line.has('allow-unrelated-histories'))
    git.die('refusing to merge unrelated histories');
  return yield* mergeDiverged(git, how, { head, bases, mode });
}

/** Merges a history that went another way. */
function* mergeDiverged(
  git: Git,
  how: Merging,
  { head, bases, mode }: { readonly head: string; readonly bases: readonly string[]; readonly mode: string },
): Running<number> {
  const { repo } = git;
  const { theirs, line } = how;
  const squash = line.has('squash');
  const say = (text: string): void => {
    if (!line.has('quiet')) git.out(text);
  };
  const staged = hasStaged(git);
  if (staged.length > 0) {
    git.err(
      `error: Your local changes to the following files would be overwritten by merge:\n  ${staged.join(' ')}\n`,
    );
    git.err('Merge with strategy ort failed.\n');
    return 2;
  }
  const strategy = line.value('strategy');
  const favor = line
    .values('strategy-option')
    .filter((one) => one === 'ours' || one === 'theirs')
    .pop() as 'ours' | 'theirs' | undefined;
  const label = how.name;
  const result =
    strategy === 'ours'
      ? { tree: repo.objects.commit(head).tree, conflicts: [], messages: [] }
      : applyMerge(
          git,
          { base: bases[0], ours: head, theirs },
          {
            ours: 'HEAD',
            base:
              bases[0] === undefined
                ? 'empty tree'
                : bases.length > 1
                  ? 'merged common ancestors'
                  : repo.objects.abbreviate(bases[0]),
            theirs: label,
          },
          { style: { favor }, by: 'merge', before: 'merge' },
        );
  if (result === undefined) {
    git.err('Merge with strategy ort failed.\n');
    return 2;
  }
  git.out(result.messages.map((one) => `${one}\n`).join(''));
  repo.writeNote('ORIG_HEAD', `${head}\n`);
  const message = mergeMessage(git, how, line);
  if (result.tree === undefined || line.hits.some((hit) => hit.name === 'no-commit'))
    return stopped(git, { theirs, message, conflicts: result.conflicts, squash, head, mode });
  if (squash) {
    writeSquash(git, head, theirs);
    say('Squash commit -- not updating HEAD\n');
    git.err('Automatic merge went well; stopped before committing as requested\n');
    return 0;
  }
  let final = message;
  if (
    line.has('edit') ||
    (!line.hits.some((hit) => hit.name === 'no-edit' || hit.name === 'message') &&
      git.env('GIT_EDITOR') !== undefined &&
      git.env('GIT_MERGE_AUTOEDIT') !== 'no' &&
      git.proc.isatty(0))
  ) {
    repo.writeNote(
      'MERGE_MSG',
      `${message}\n# Please enter a commit message to explain why this merge is necessary,\n# especially if it merges an updated upstream into a topic branch.\n#\n# Lines starting with '#' will be ignored, and an empty message aborts\n# the commit.\n`,
    );
    yield* runEditor(git, `${repo.gitDir}/MERGE_MSG`);
    final = cleanMessage(repo.note('MERGE_MSG') ?? '', true);
    repo.removeNote('MERGE_MSG');
  }
  const oid = writeCommit(git, {
    tree: result.tree,
    parents: [head, theirs],
    author: git.ident('AUTHOR'),
    committer: git.ident('COMMITTER'),
    message: final,
  });
  const words = strategy === 'ours' ? 'ours' : 'ort';
  repo.refs.update('HEAD', oid, git.logNote(`${how.reflog}: Merge made by the '${words}' strategy.`));
  say(`Merge made by the '${words}' strategy.\n`);
  if (!line.has('no-stat')) say(mergeStat(git, head, oid));
  return 0;
}

function mergeMessage(
  git: Git,
  how: { readonly name: string; readonly message?: string },
  line: Parsed,
): string {
  const given = line.values('message');
  if (given.length > 0) return cleanMessage(given.join('\n\n'));
  if (how.message !== undefined) return how.message;
  const { repo } = git;
  const ref = fullRefName(repo, how.name);
  const what = ref?.startsWith('refs/heads/')
    ? `branch '${how.name}'`
    : ref?.startsWith('refs/remotes/')
      ? `remote-tracking branch '${how.name}'`
      : ref?.startsWith('refs/tags/')
        ? `tag '${how.name}'`
        : `commit '${how.name}'`;
  return `Merge ${what}${intoText(repo.branch)}\n`;
}

/** ` into X`, left out for the usual main branch. */
export function intoText(branch: string | undefined): string {
  return branch === 'main' || branch === 'master' ? '' : ` into ${branch ?? 'HEAD'}`;
}

function stopped(
  git: Git,
  {
    theirs,
    message,
    conflicts,
    squash,
    head,
    mode,
  }: {
    readonly theirs: string;
    readonly message: string;
    readonly conflicts: readonly string[];
    readonly squash: boolean;
    readonly head: string;
    readonly mode: string;
  },
): number {
  const { repo } = git;
  if (squash) writeSquash(git, head, theirs);
  else {
    repo.writeNote('MERGE_HEAD', `${theirs}\n`);
    repo.writeNote('MERGE_MODE', mode === 'no-ff' ? 'no-ff' : '');
    repo.writeNote(
      'MERGE_MSG',
      conflicts.length === 0
        ? message
        : `${message}\n# Conflicts:\n${conflicts.map((path) => `#\t${path}\n`).join('')}`,
    );
  }
  if (conflicts.length === 0) {
    git.err('Automatic merge went well; stopped before committing as requested\n');
    return 0;
  }
  if (squash) git.out('Squash commit -- not updating HEAD\n');
  git.out('Automatic merge failed; fix conflicts and then commit the result.\n');
  return 1;
}

function writeSquash(git: Git, head: string, theirs: string): void {
  const { repo } = git;
  let text = 'Squashed commit of the following:\n';
  const seen = new Set<string>();
  for (
    let at: string | undefined = theirs;
    at !== undefined && !isAncestor(repo, at, head) && !seen.has(at);
  ) {
    seen.add(at);
    const commit = repo.objects.commit(at);
    text += `\ncommit ${at}\nAuthor: ${commit.author.name} <${commit.author.email}>\n\n${commit.message
      .trimEnd()
      .split('\n')
      .map((one) => `    ${one}\n`)
      .join('')}`;
    at = commit.parents[0];
  }
  repo.writeNote('SQUASH_MSG', text);
}

function abortMerge(git: Git): number {
  const { repo } = git;
  if (!stateOfWork(repo).isMerging) git.die('There is no merge to abort (MERGE_HEAD missing).');
  resetMerge(git);
  for (const name of ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE']) repo.removeNote(name);
  return 0;
}

/** Puts index and work tree back to HEAD, as `reset --merge`: changes that a merge did not touch stay. */
export function resetMerge(git: Git): void {
  const { repo } = git;
  const touched = new Set([...repo.index.conflicts().keys(), ...hasStaged(git)]);
  const head = treeState(repo, repo.head);
  const from = new Map([...head].filter(([path]) => !touched.has(path)));
  const keep = from.size;
  if (keep === head.size && touched.size === 0) return;
  const indexed = repo.index.all().filter((entry) => touched.has(entry.path));
  const others = repo.index.all().filter((entry) => !touched.has(entry.path));
  repo.index.clear();
  for (const entry of indexed) repo.index.set(entry);
  forceToSome(git, touched);
  for (const entry of others) repo.index.set(entry);
  repo.saveIndex();
}

function forceToSome(git: Git, paths: ReadonlySet<string>): void {
  const { repo } = git;
  const head = treeState(repo, repo.head);
  const wanted = new Map([...head].filter(([path]) => paths.has(path)));
  const from = new Map(
    repo.index.paths().map((path) => [path, { mode: '0', oid: '0', read: () => new Uint8Array(0) }]),
  );
  moveTo(repo, from, wanted);
}

/** `merge-base`. */
export function mergeBase(git: Git, args: readonly string[]): number {
  const line = parseOptions(git, args, 'a|all octopus independent is-ancestor fork-point');
  const { repo } = git;
  const [one = '', other = ''] = line.operands;
  const [a, b] = [one, other].map((text) => needCommit(git, text, `Not a valid object name ${text}`));
  if (a === undefined || b === undefined) return 1;
  if (line.has('is-ancestor')) return isAncestor(repo, a, b) ? 0 : 1;
  const bases = mergeBases(repo, a, b);
  for (const base of line.has('all') ? bases : bases.slice(0, 1)) git.out(`${base}\n`);
  return bases.length === 0 ? 1 : 0;
}
