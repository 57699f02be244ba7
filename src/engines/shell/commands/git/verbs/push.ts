/**
 * `push` and `ls-remote`.
 */
import type { Git } from '../git.js';
import { isAncestor } from '../merge/ancestry.js';
import type { Repository } from '../store/repository.js';
import { fullRefName, resolveRevision, upstreamOf } from '../store/revisions.js';
import { parseOptions } from '../work/options.js';
import { track } from './branch.js';
import { copyObjects, openRemote } from './open-remote.js';

interface Update {
  readonly from: string;
  readonly to: string;
  readonly oid: string | undefined;
  readonly force: boolean;
}

const OPTIONS =
  'v|verbose q|quiet repo= all mirror d|delete tags n|dry-run porcelain f|force force-with-lease=? force-if-includes recurse-submodules=? thin receive-pack= exec= u|set-upstream progress prune no-verify follow-tags signed=? atomic o|push-option= 4 6';

/** `git push`. Returns the exit status. */
export function push(git: Git, args: readonly string[]): number {
  const { repo } = git;
  const line = parseOptions(git, args, OPTIONS);
  const [given, ...specs] = line.operands;
  const name = given ?? pushRemote(git) ?? 'origin';
  const url = git.config(`remote.${name}.pushurl`) ?? git.config(`remote.${name}.url`);
  if (url === undefined && given === undefined)
    git.die(
      'No configured push destination.\nEither specify the URL from the command-line or configure a remote repository using\n\n    git remote add <name> <url>\n\nand then push using the remote name\n\n    git push <name>\n',
    );
  const force = line.has('force') || line.hits.some((hit) => hit.name === 'force-with-lease');
  const updates = updatesOf(git, line, { name, specs, force });
  const target = openRemote(git, url ?? name, name);
  const shown = url ?? name;
  const rows: string[] = [];
  let failed = false;
  let hint = '';
  const changed: Update[] = [];
  for (const update of updates) {
    const before = target.refs.resolve(update.to);
    const [fromName, toName] = [update.from, update.to].map((ref) =>
      ref.replace(/^refs\/(heads|tags)\//, ''),
    );
    const row = (flag: string, summary: string, note = ''): void => {
      rows.push(
        ` ${flag} ${summary.padEnd(17)} ${update.oid === undefined ? toName : `${fromName} -> ${toName}`}${note === '' ? '' : ` (${note})`}\n`,
      );
    };
    if (update.oid === undefined) {
      if (before === undefined) {
        git.error(`unable to delete '${toName}': remote ref does not exist`);
        git.error(`failed to push some refs to '${shown}'`);
        return 1;
      }
      if (isCheckedOut(target, update.to)) {
        row('!', '[remote rejected]', 'refusing to delete the current branch');
        failed = true;
        git.err(`remote: error: refusing to delete the current branch: ${update.to}        \n`);
        continue;
      }
      changed.push(update);
      row('-', '[deleted]');
      continue;
    }
    if (before === update.oid) continue;
    const isTag = update.to.startsWith('refs/tags/');
    const known = before !== undefined && repo.objects.has(before);
    const isForward =
      before === undefined || (known && !isTag && isAncestor(repo, before, repo.objects.peel(update.oid)));
    if (!isForward && !update.force) {
      failed = true;
      if (isTag) {
        row('!', '[rejected]', 'already exists');
        hint = 'Updates were rejected because the tag already exists in the remote.';
      } else if (!known) {
        row('!', '[rejected]', 'fetch first');
        hint =
          "Updates were rejected because the remote contains work that you do\nnot have locally. This is usually caused by another repository pushing\nto the same ref. You may want to first integrate the remote changes\n(e.g., 'git pull ...') before pushing again.\nSee the 'Note about fast-forwards' in 'git push --help' for details.";
      } else {
        row('!', '[rejected]', 'non-fast-forward');
        hint = behindHint(update.to === repo.headRef);
      }
      continue;
    }
    if (isCheckedOut(target, update.to)) {
      failed = true;
      refuseCheckedOut(git, update.to);
      row('!', '[remote rejected]', 'branch is currently checked out');
      continue;
    }
    changed.push(update);
    const short = (oid: string): string => repo.objects.abbreviate(oid);
    if (before === undefined) row('*', isTag ? '[new tag]' : '[new branch]');
    else if (isForward) row(' ', `${short(before)}..${short(update.oid)}`);
    else row('+', `${known ? short(before) : before.slice(0, 7)}...${short(update.oid)}`, 'forced update');
  }
  if (!line.has('dry-run')) applyUpdates(git, target, name, changed);
  if (rows.length > 0 && (!line.has('quiet') || failed)) git.err(`To ${shown}\n${rows.join('')}`);
  if (failed) {
    git.error(`failed to push some refs to '${shown}'`);
    if (hint !== '') git.hint(hint);
  }
  if (rows.length === 0 && !line.has('quiet')) git.err('Everything up-to-date\n');
  if (line.has('set-upstream') && !failed)
    for (const { from, to } of updates)
      if (from.startsWith('refs/heads/'))
        track(
          git,
          from.slice(11),
          { remote: name, merge: to, shown: `'${name}/${to.slice(11)}'` },
          line.has('quiet'),
        );
  return failed ? 1 : 0;
}

/** Where the settings say that the branch is pushed to. */
function pushRemote(git: Git): string | undefined {
  const { branch } = git.repo;
  if (branch === undefined) return undefined;
  const own = git.config(`branch.${branch}.pushremote`) ?? git.config('remote.pushdefault');
  return own ?? git.config(`branch.${branch}.remote`);
}

function behindHint(isCurrent: boolean): string {
  return isCurrent
    ? "Updates were rejected because the tip of your current branch is behind\nits remote counterpart. Integrate the remote changes (e.g.\n'git pull ...') before pushing again.\nSee the 'Note about fast-forwards' in 'git push --help' for details."
    : "Updates were rejected because a pushed branch tip is behind its remote\ncounterpart. Check out this branch and integrate the remote changes\n(e.g. 'git pull ...') before pushing again.\nSee the 'Note about fast-forwards' in 'git push --help' for details.";
}

function isCheckedOut(target: Repository, ref: string): boolean {
  return !target.isBare && target.headRef === ref;
}

function refuseCheckedOut(git: Git, ref: string): void {
  const lines = [
    `error: refusing to update checked out branch: ${ref}`,
    'error: By default, updating the current branch in a non-bare repository',
    'is denied, because it will make the index and work tree inconsistent',
    "with what you pushed, and will require 'git reset --hard' to match",
    'the work tree to HEAD.',
    '',
    "You can set the 'receive.denyCurrentBranch' configuration variable",
    "to 'ignore' or 'warn' in the remote repository to allow pushing into",
    'its current branch; however, this is not recommended unless you',
    'arranged to update its work tree to match what you pushed in some',
    'other way.',
    '',
    'To squelch this message and still keep the default behaviour, set',
    "'receive.denyCurrentBranch' configuration variable to 'refuse'.",
  ];
  git.err(lines.map((one) => `remote: ${one}        \n`).join(''));
}

function applyUpdates(git: Git, target: Repository, name: string, updates: readonly Update[]): void {
  const { repo } = git;
  for (const { to, oid } of updates) {
    const tracking =
      to.startsWith('refs/heads/') && git.config(`remote.${name}.fetch`) !== undefined
        ? `refs/remotes/${name}/${to.slice(11)}`
        : undefined;
    if (oid === undefined) {
      target.refs.remove(to);
      if (tracking !== undefined) repo.refs.remove(tracking);
      continue;
    }
    copyObjects(repo, target, [oid]);
    target.refs.update(to, oid, git.logNote('push'));
    if (tracking !== undefined) repo.refs.update(tracking, oid, git.logNote('update by push'));
  }
}

function updatesOf(
  git: Git,
  line: ReturnType<typeof parseOptions>,
  {
    name,
    specs,
    force,
  }: { readonly name: string; readonly specs: readonly string[]; readonly force: boolean },
): Update[] {
  const { repo } = git;
  const all = (prefix: string): Update[] =>
    repo.refs.list(prefix).map((ref) => ({ from: ref.name, to: ref.name, oid: ref.oid, force }));
  const tags = line.has('tags') ? all('refs/tags/') : [];
  if (line.has('all')) return [...all('refs/heads/'), ...tags];
  if (line.has('mirror')) return all('refs/');
  if (line.has('delete')) {
    if (specs.length === 0) git.die("--delete doesn't make sense without any refs");
    return specs.map((spec) => ({ from: '', to: fullTarget(git, spec, spec), oid: undefined, force: true }));
  }
  if (specs.length > 0) return [...specs.map((spec) => specUpdate(git, spec, force)), ...tags];
  if (tags.length > 0) return tags;
  return [defaultUpdate(git, name, force)];
}

function specUpdate(git: Git, spec: string, force: boolean): Update {
  const { repo } = git;
  const forced = force || spec.startsWith('+');
  const [left = '', right] = spec.replace(/^\+/, '').split(':');
  if (left === '' && right !== undefined)
    return { from: '', to: fullTarget(git, right, right), oid: undefined, force: true };
  const oid = resolveRevision(git, left);
  if (oid === undefined) {
    git.error(`src refspec ${left} does not match any`);
    git.error(`failed to push some refs to '${git.config('remote.origin.url') ?? 'origin'}'`);
    return git.exit(1);
  }
  const full = left === 'HEAD' ? (repo.headRef ?? left) : (fullRefName(repo, left) ?? left);
  return {
    from: left === 'HEAD' && right === undefined ? 'HEAD' : full,
    to: right === undefined ? full : fullTarget(git, right, full),
    oid,
    force: forced,
  };
}

function fullTarget(git: Git, name: string, from: string): string {
  if (name.startsWith('refs/')) return name;
  if (
    from.startsWith('refs/tags/') ||
    (git.repo.refs.resolve(`refs/heads/${name}`) === undefined &&
      git.repo.refs.resolve(`refs/tags/${name}`) !== undefined)
  )
    return `refs/tags/${name}`;
  return `refs/heads/${name}`;
}

function defaultUpdate(git: Git, name: string, force: boolean): Update {
  const { repo } = git;
  const { branch } = repo;
  if (branch === undefined)
    return git.die(
      `You are not currently on a branch.\nTo push the history leading to the current (detached HEAD)\nstate now, use\n\n    git push ${name} HEAD:<name-of-remote-branch>\n`,
    );
  const oid = repo.refs.resolve(`refs/heads/${branch}`);
  const style = git.config('push.default') ?? 'simple';
  const full = `refs/heads/${branch}`;
  if (oid === undefined) {
    git.error(`src refspec ${full} does not match any`);
    git.error(`failed to push some refs to '${git.config(`remote.${name}.url`) ?? name}'`);
    return git.exit(1);
  }
  if (style === 'current' || git.bool('push.autosetupremote') === true)
    return { from: full, to: full, oid, force };
  const upstream = upstreamOf(git, branch);
  const merge = git.config(`branch.${branch}.merge`);
  if (upstream === undefined || merge === undefined)
    return git.die(
      `The current branch ${branch} has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream ${name} ${branch}\n\nTo have this happen automatically for branches without a tracking\nupstream, see 'push.autoSetupRemote' in 'git help config'.\n`,
    );
  if (style === 'simple' && merge !== full)
    return git.die(
      `The upstream branch of your current branch does not match\nthe name of your current branch.  To push to the upstream branch\non the remote, use\n\n    git push ${name} HEAD:${merge.replace(/^refs\/heads\//, '')}\n\nTo push to the branch of the same name on the remote, use\n\n    git push ${name} HEAD\n\nTo choose either option permanently, see push.default in 'git help config'.\n`,
    );
  return { from: full, to: merge, oid, force };
}

/** `git ls-remote`. Returns the exit status. */
export function lsRemote(git: Git, args: readonly string[]): number {
  const line = parseOptions(
    git,
    args,
    'q|quiet upload-pack= t|tags h|heads refs get-url sort= exit-code symref o|server-option=',
  );
  const [name = 'origin', ...patterns] = line.operands;
  const url = git.repoIfAny() === undefined ? name : (git.config(`remote.${name}.url`) ?? name);
  const source = openRemote(git, url, name);
  if (line.operands.length === 0 && !line.has('quiet')) git.err(`From ${url}\n`);
  const filtered = line.has('heads') || line.has('tags');
  const rows = [
    ...(source.head !== undefined && !filtered && !line.has('refs')
      ? [{ name: 'HEAD', oid: source.head }]
      : []),
    ...source.refs.list(),
  ];
  for (const { name: ref, oid } of rows) {
    if (
      filtered &&
      !(
        (line.has('heads') && ref.startsWith('refs/heads/')) ||
        (line.has('tags') && ref.startsWith('refs/tags/'))
      )
    )
      continue;
    if (patterns.length > 0 && !patterns.some((one) => ref === one || ref.endsWith(`/${one}`))) continue;
    git.out(`${oid}\t${ref}\n`);
    if (source.objects.find(oid)?.type === 'tag' && !line.has('refs'))
      git.out(`${source.objects.peel(oid)}\t${ref}^{}\n`);
  }
  return 0;
}
