/**
 * `commit`.
 *
 * Source: git-commit(1). An editor is run where one is set; without one the command says what real git says on a machine
 * without editors. Hooks: `pre-commit`, `commit-msg`, `post-commit`. Not covered: `--patch`, `--interactive`, signing.
 */
import {
  Exit,
  findInPath,
  type Running,
  runCommand,
  SystemError,
  shellStatus,
} from '../../../kernel/index.js';
import type { Git } from '../git.js';
import type { IndexEntry } from '../store/index-file.js';
import { type Commit, type Ident, parseIdent } from '../store/objects.js';
import { needCommit } from '../store/revisions.js';
import { writeIndexTree } from '../work/checkout.js';
import { cleanMessage, commitSummary, writeCommit } from '../work/commits.js';
import { parseGitDate } from '../work/dates.js';
import { type Parsed, parseOptions } from '../work/options.js';
import { stateOfWork } from '../work/progress.js';
import { diskFile, Pathspec, stagedEntry } from '../work/states.js';
import { longStatus, readStatus } from '../work/status.js';

const OPTIONS =
  'q|quiet v|verbose F|file= author= date= m|message= c|reedit-message= C|reuse-message= fixup= squash= reset-author trailer= ' +
  's|signoff t|template= e|edit cleanup= status S|gpg-sign=? a|all i|include interactive p|patch o|only n|no-verify dry-run ' +
  'short branch ahead-behind porcelain long z|null amend no-post-rewrite u|untracked-files=? allow-empty allow-empty-message no-gpg-sign';

/** `git commit`. Returns the exit status. */
export function* commit(git: Git, args: readonly string[]): Running<number> {
  const { work: repo } = git;
  const line = parseOptions(git, args, OPTIONS);
  checkLine(git, line);
  const isAmend = line.has('amend');
  const head = repo.head;
  const progress = stateOfWork(repo);
  if (isAmend && head === undefined) git.die('You have nothing to amend.');
  if (isAmend && progress.isMerging) git.die('You are in the middle of a merge -- cannot amend.');
  stagePaths(git, line);
  if (repo.index.conflicts().size > 0) refuseConflicts(git);
  if (!line.has('no-verify')) yield* runHook(git, 'pre-commit', []);
  const previous = isAmend && head !== undefined ? repo.objects.commit(head) : undefined;
  const parents =
    previous !== undefined
      ? [...previous.parents]
      : [...(head === undefined ? [] : [head]), ...mergeHeads(git)];
  const author = authorOf(git, line, previous);
  const committer = git.ident('COMMITTER');
  const tree = writeIndexTree(repo);
  const parent = parents[0];
  const sameTree =
    parent === undefined ? repo.index.all().length === 0 : repo.objects.commit(parent).tree === tree;
  const isEmpty = sameTree && !progress.isMerging && parents.length < 2;
  if ((isEmpty && !line.has('allow-empty') && !isAmend) || line.has('dry-run')) {
    const status = readStatus(git, { untracked: 'normal' });
    if (progress.cherryPick !== undefined && isEmpty) tellEmptyPick(git);
    git.out(
      longStatus(git, status, { untracked: 'normal', forCommit: true }).replace(
        '\nNo commits yet\n',
        '\nInitial commit\n',
      ),
    );
    putBackAside(git);
    if (!line.has('dry-run')) repo.saveIndex();
    return line.has('dry-run') && status.staged.length > 0 ? 0 : 1;
  }
  const message = yield* messageOf(git, line, previous);
  if (message === '' && !line.has('allow-empty-message')) {
    git.err('Aborting commit due to empty commit message.\n');
    return 1;
  }
  const oid = writeCommit(git, { tree, parents, author, committer, message });
  finish(git, { oid, parents, isAmend, subject: message.split('\n')[0] ?? '' });
  if (!line.has('quiet'))
    git.out(
      commitSummary(git, oid, {
        isRoot: head === undefined,
        showsDate:
          isAmend || line.hits.some((hit) => ['date', 'reuse-message', 'reedit-message'].includes(hit.name)),
      }),
    );
  yield* runHook(git, 'post-commit', [], true);
  return 0;
}

function checkLine(git: Git, line: Parsed): void {
  const ways = ['message', 'file', 'reuse-message', 'reedit-message', 'fixup'].filter((name) =>
    line.hits.some((hit) => hit.name === name),
  );
  if (ways.includes('file') && ways.includes('message'))
    git.die("options '-m' and '-F' cannot be used together");
  if (line.has('all') && line.operands.length > 0)
    git.die(`paths '${line.operands[0]} ...' with -a does not make sense`);
  if (line.has('patch') || line.has('interactive')) git.die('interactive use is not possible here');
}

/** `-a`, and paths of the command line. */
function stagePaths(git: Git, line: Parsed): void {
  const { work: repo } = git;
  const paths = new Pathspec(git, line.operands);
  if (!line.has('all') && line.operands.length === 0) return;
  if (line.operands.length > 0) {
    if (stateOfWork(repo).isMerging && !line.has('include'))
      git.die('cannot do a partial commit during a merge.');
    const known = repo.index.paths().filter((path) => paths.matches(path));
    const missing = paths.unmatched();
    if (missing.length > 0) {
      for (const text of missing) git.error(`pathspec '${text}' did not match any file(s) known to git`);
      throw new Exit(1);
    }
    if (!line.has('include')) keepOthersAsInHead(git, new Set(known));
  }
  for (const path of repo.index.paths()) {
    if (line.operands.length > 0 && !paths.matches(path)) continue;
    const file = diskFile(repo, path);
    if (file === undefined) repo.index.remove(path);
    else repo.index.set(stagedEntry(repo, path, file));
  }
  repo.saveIndex();
}

/** What is staged of paths that a partial commit leaves out; undefined for what is staged as removed. */
const setAside = new WeakMap<Git, Map<string, IndexEntry | undefined>>();

/** A partial commit takes what is staged of other paths out for the moment. */
function keepOthersAsInHead(git: Git, known: ReadonlySet<string>): void {
  const { work: repo } = git;
  const head = repo.head === undefined ? undefined : repo.objects.commit(repo.head).tree;
  const before = repo.objects.flatten(head);
  const aside = new Map<string, IndexEntry | undefined>();
  for (const path of new Set([...before.keys(), ...repo.index.paths()])) {
    if (known.has(path)) continue;
    const [entry, old] = [repo.index.get(path), before.get(path)];
    if (old !== undefined && old.oid === entry?.oid && old.mode === entry.mode.toString(8)) continue;
    aside.set(path, entry);
    repo.index.remove(path);
    if (old !== undefined)
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
  setAside.set(git, aside);
}

function putBackAside(git: Git): void {
  for (const [path, entry] of setAside.get(git) ?? []) {
    if (entry === undefined) git.repo.index.remove(path);
    else git.repo.index.set(entry);
  }
}

function refuseConflicts(git: Git): never {
  git.error('Committing is not possible because you have unmerged files.');
  git.hint(
    "Fix them up in the work tree, and then use 'git add/rm <file>'\nas appropriate to mark resolution and make a commit.",
  );
  git.err('fatal: Exiting because of an unresolved conflict.\n');
  // The paths come on standard output, before.
  for (const path of git.repo.index.conflicts().keys()) git.out(`U\t${path}\n`);
  git.exit(128);
}

function tellEmptyPick(git: Git): void {
  git.err(
    "The previous cherry-pick is now empty, possibly due to conflict resolution.\nIf you wish to commit it anyway, use:\n\n    git commit --allow-empty\n\nOtherwise, please use 'git cherry-pick --skip'\n",
  );
}

function mergeHeads(git: Git): string[] {
  return (git.repo.note('MERGE_HEAD') ?? '').split('\n').filter((one) => one !== '');
}

function authorOf(git: Git, line: Parsed, previous: Commit | undefined): Ident {
  const { repo } = git;
  const given = line.value('author');
  const reused = line.value('reuse-message') ?? line.value('reedit-message');
  const picked = stateOfWork(repo).cherryPick;
  let author: Ident;
  if (reused !== undefined && !line.has('reset-author'))
    author = repo.objects.commit(needCommit(git, reused)).author;
  else if (previous !== undefined && !line.has('reset-author')) author = previous.author;
  else if (picked !== undefined && !line.has('reset-author')) author = repo.objects.commit(picked).author;
  else if (given !== undefined) author = { ...git.looseIdent(), ...authorDate(git) };
  else author = git.ident('AUTHOR');
  if (given !== undefined) {
    if (!/<[^>]*>/.test(given))
      git.die(`--author '${given}' is not 'Name <email>' and matches no existing author`);
    const { name, email } = parseIdent(given);
    author = { ...author, name, email };
  }
  const date = line.value('date');
  if (date !== undefined) {
    const moment = parseGitDate(date, git.nowSeconds, (at) => git.zoneAt(at));
    if (moment === undefined) git.die(`invalid date format: ${date}`);
    author = { ...author, ...moment };
  }
  return author;
}

function authorDate(git: Git): { readonly when: number; readonly zone: string } {
  const given = git.env('GIT_AUTHOR_DATE');
  const moment =
    given === undefined ? undefined : parseGitDate(given, git.nowSeconds, (at) => git.zoneAt(at));
  return moment ?? { when: git.nowSeconds, zone: git.zoneAt(git.nowSeconds) };
}

function* messageOf(git: Git, line: Parsed, previous: Commit | undefined): Running<string> {
  const { repo } = git;
  let text: string | undefined;
  let edits = line.has('edit') || line.hits.some((hit) => hit.name === 'reedit-message');
  const reused = line.value('reuse-message') ?? line.value('reedit-message');
  const file = line.value('file');
  const fixup = line.value('fixup');
  if (line.values('message').length > 0)
    text = line
      .values('message')
      .map((one) => one.replace(/\n*$/, '\n'))
      .join('\n');
  else if (file === '-') text = new TextDecoder().decode(yield* git.proc.readAll(0));
  else if (file !== undefined) {
    text = git.files.textIfThere(git.absolute(file));
    if (text === undefined) git.die(`could not read log file '${file}': No such file or directory`);
  } else if (reused !== undefined) text = repo.objects.commit(needCommit(git, reused)).message;
  else if (fixup !== undefined) {
    const target = repo.objects.commit(needCommit(git, fixup, `could not lookup commit '${fixup}'`));
    text = `fixup! ${target.message.split('\n')[0] ?? ''}\n`;
  } else {
    text = previous?.message ?? repo.note('MERGE_MSG') ?? repo.note('SQUASH_MSG') ?? '';
    edits = !line.hits.some((hit) => hit.name === 'no-edit');
  }
  const squash = line.value('squash');
  if (squash !== undefined)
    text = `squash! ${repo.objects.commit(needCommit(git, squash)).message.split('\n')[0] ?? ''}\n\n${text}`;
  if (line.has('signoff')) text = signedOff(git, text);
  const trailers = line.values('trailer');
  if (trailers.length > 0)
    text = `${text.trimEnd()}\n${/\n\n[A-Za-z-]+: [^\n]*$/.test(text.trimEnd()) ? '' : '\n'}${trailers.map((one) => one.replace(/[=:]\s*/, ': ')).join('\n')}\n`;
  const isPlain = line.value('cleanup') === 'verbatim' || line.value('cleanup') === 'whitespace';
  if (!edits) {
    if (line.value('cleanup') === 'verbatim') return yield* checkedMessage(git, line, text);
    const fromMerge =
      line.values('message').length === 0 &&
      file === undefined &&
      reused === undefined &&
      previous === undefined;
    return yield* checkedMessage(
      git,
      line,
      cleanMessage(
        text,
        fromMerge && !isPlain && repo.note('MERGE_MSG') !== undefined
          ? false
          : line.value('cleanup') === 'strip',
      ),
    );
  }
  const status = longStatus(
    git,
    readStatus(git, previous === undefined ? {} : { base: previous.parents[0] }),
    { untracked: 'normal', forCommit: true },
  );
  const comment = `Please enter the commit message for your changes. Lines starting\nwith '#' will be ignored, and an empty message aborts the commit.\n\n${status}`;
  const template = `${text.replace(/\n*$/, '\n')}${text === '' ? '' : '\n'}${comment
    .trimEnd()
    .split('\n')
    .map((one) => (one === '' ? '#' : one.startsWith('\t') ? `#${one}` : `# ${one}`))
    .join('\n')}\n#\n`;
  repo.writeNote('COMMIT_EDITMSG', template);
  yield* runEditor(git, `${repo.gitDir}/COMMIT_EDITMSG`);
  return yield* checkedMessage(git, line, cleanMessage(repo.note('COMMIT_EDITMSG') ?? '', true));
}

function* checkedMessage(git: Git, line: Parsed, text: string): Running<string> {
  git.repo.writeNote('COMMIT_EDITMSG', text);
  if (line.has('no-verify')) return text;
  const ran = yield* runHook(git, 'commit-msg', ['.git/COMMIT_EDITMSG']);
  return ran ? cleanMessage(git.repo.note('COMMIT_EDITMSG') ?? '') : text;
}

function signedOff(git: Git, text: string): string {
  const who = git.ident('COMMITTER');
  const trailer = `Signed-off-by: ${who.name} <${who.email}>`;
  const body = text.trimEnd();
  if (body.endsWith(trailer)) return text;
  const last = body.split(/\n\n/).pop() ?? '';
  const isTrailer = body.includes('\n\n') && last.split('\n').every((one) => /^[A-Za-z-]+: /.test(one));
  return `${body}${isTrailer ? '\n' : '\n\n'}${trailer}\n`;
}

function finish(
  git: Git,
  {
    oid,
    parents,
    isAmend,
    subject,
  }: {
    readonly oid: string;
    readonly parents: readonly string[];
    readonly isAmend: boolean;
    readonly subject: string;
  },
): void {
  const { repo } = git;
  const progress = stateOfWork(repo);
  const kind = isAmend
    ? ' (amend)'
    : parents.length === 0
      ? ' (initial)'
      : progress.isMerging
        ? ' (merge)'
        : progress.cherryPick !== undefined
          ? ' (cherry-pick)'
          : '';
  repo.refs.update('HEAD', oid, git.logNote(`commit${kind}: ${subject}`));
  for (const name of [
    'MERGE_HEAD',
    'MERGE_MSG',
    'MERGE_MODE',
    'SQUASH_MSG',
    'CHERRY_PICK_HEAD',
    'REVERT_HEAD',
    'AUTO_MERGE',
  ])
    repo.removeNote(name);
  putBackAside(git);
  repo.saveIndex();
}

/** Runs a hook where there is one that may run; true where it ran. A failing hook ends the command. */
function* runHook(git: Git, name: string, args: readonly string[], ignoresFailure = false): Running<boolean> {
  const folder = git.config('core.hookspath') ?? `${git.repo.gitDir}/hooks`;
  const path = `${git.absolute(folder)}/${name}`;
  const inode = git.files.look(path);
  if (inode === undefined || inode.kind !== 'file') return false;
  if ((inode.mode & 0o111) === 0) {
    git.hint(
      `The '.git/hooks/${name}' hook was ignored because it's not set as executable.\nYou can disable this warning with \`git config advice.ignoredHook false\`.`,
    );
    return false;
  }
  yield* git.io.flush();
  const status = yield* runCommand(git.proc, [path, ...args], function* (child) {
    child.chdir(git.repo.root);
    child.env = new Map([...child.env, ['GIT_INDEX_FILE', '.git/index']]);
    yield* child.pause();
  });
  if (shellStatus(status) !== 0 && !ignoresFailure) throw new Exit(1);
  return true;
}

/** Runs the editor that the user has on a file. Ends the command where there is none or it fails. */
export function* runEditor(git: Git, path: string): Running<void> {
  const editor = git.env('GIT_EDITOR') ?? git.config('core.editor') ?? git.env('VISUAL') ?? git.env('EDITOR');
  if (editor === ':') return;
  const hint = 'Please supply the message using either -m or -F option.\n';
  if (editor === undefined && (git.env('TERM') ?? 'dumb') === 'dumb') {
    git.error('Terminal is dumb, but EDITOR unset');
    git.err(hint);
    throw new Exit(1);
  }
  yield* git.io.flush();
  const name = editor ?? 'editor';
  if (!/[\s"'$]/.test(name)) {
    try {
      findInPath(git.proc, name);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      git.error(`cannot run ${name}: No such file or directory`);
      git.error(`unable to start editor '${name}'`);
      git.err(hint);
      throw new Exit(1);
    }
  }
  const status = yield* runCommand(git.proc, ['/bin/sh', '-c', `${name} "$@"`, name, path]);
  if (shellStatus(status) === 0) return;
  git.error(`There was a problem with the editor '${name}'.`);
  git.err(hint);
  throw new Exit(1);
}
