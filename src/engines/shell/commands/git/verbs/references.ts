/**
 * `show-ref`, `for-each-ref`, `symbolic-ref`, `update-ref`, `reflog`, `check-ref-format`, `describe`.
 */
import { matchGlob } from '../../tools/glob-match.js';
import type { Git } from '../git.js';
import { aheadBehind, ancestors } from '../merge/ancestry.js';
import { bodyOf, parseTag, subjectOf } from '../store/objects.js';
import { isRefName } from '../store/refs.js';
import { needCommit, resolveRevision, upstreamOf } from '../store/revisions.js';
import { formatDate } from '../work/dates.js';
import { parseOptions } from '../work/options.js';
import { diskFile } from '../work/states.js';
import { reflogWalk } from './log.js';

/** `git show-ref`. Returns the exit status. */
export function showRef(git: Git, args: readonly string[]): number {
  const { repo } = git;
  const line = parseOptions(
    git,
    args,
    'tags heads verify head d|dereference s|hash=? abbrev=? q|quiet exclude-existing=?',
  );
  if (line.has('verify')) {
    for (const name of line.operands) {
      const oid = repo.refs.resolve(name);
      if (oid === undefined) {
        if (line.has('quiet')) return 1;
        git.die(`'${name}' - not a valid ref`);
      }
      if (!line.has('quiet')) git.out(`${oid} ${name}\n`);
    }
    return 0;
  }
  const prefixes = [
    ...(line.has('heads') ? ['refs/heads/'] : []),
    ...(line.has('tags') ? ['refs/tags/'] : []),
  ];
  const rows = repo.refs
    .list()
    .filter(
      ({ name }) =>
        (prefixes.length === 0 || prefixes.some((one) => name.startsWith(one))) &&
        (line.operands.length === 0 || line.operands.some((one) => name === one || name.endsWith(`/${one}`))),
    );
  if (line.has('head') && repo.head !== undefined) rows.unshift({ name: 'HEAD', oid: repo.head });
  for (const { name, oid } of rows) {
    git.out(line.hits.some((hit) => hit.name === 'hash') ? `${oid}\n` : `${oid} ${name}\n`);
    if (line.has('dereference') && repo.objects.find(oid)?.type === 'tag')
      git.out(`${repo.objects.peel(oid)} ${name}^{}\n`);
  }
  return rows.length === 0 ? 1 : 0;
}

/** A format of `for-each-ref`, `branch --format`, `tag --format` for one reference. */
export function refFormat(
  git: Git,
  format: string,
  ref: { readonly name: string; readonly oid: string; readonly shown: string },
): string {
  const { repo } = git;
  const object = repo.objects.get(ref.oid);
  const commitOid = repo.objects.peel(ref.oid);
  const commit = repo.objects.find(commitOid)?.type === 'commit' ? repo.objects.commit(commitOid) : undefined;
  const tag = object.type === 'tag' ? parseTag(object.bytes) : undefined;
  const branch = ref.name.startsWith('refs/heads/') ? ref.name.slice(11) : undefined;
  const date = (ident: { when: number; zone: string } | undefined, mode: string): string =>
    ident === undefined ? '' : (formatDate(ident, mode, git.nowSeconds, (at) => git.zoneAt(at)) ?? '');
  return format
    .replace(/%\(([^)]*)\)/g, (_, spec: string) => {
      const [field = '', how = ''] = spec.split(/:(.*)/s);
      const message = tag?.message ?? commit?.message ?? '';
      switch (field) {
        case 'refname':
          return how === 'short'
            ? ref.shown.replace(/^remotes\//, '')
            : how.startsWith('lstrip=')
              ? ref.name
                  .split('/')
                  .slice(Number(how.slice(7)))
                  .join('/')
              : ref.name;
        case 'objectname':
          return how === '' ? ref.oid : repo.objects.abbreviate(ref.oid);
        case 'objecttype':
          return object.type;
        case 'HEAD':
          return ref.name === repo.headRef ? '*' : ' ';
        case 'subject':
        case 'contents:subject':
          return subjectOf(message);
        case 'contents':
          return how === 'subject' ? subjectOf(message) : how === 'body' ? bodyOf(message) : message;
        case 'body':
          return bodyOf(message);
        case 'authorname':
          return commit?.author.name ?? '';
        case 'authoremail':
          return commit === undefined ? '' : `<${commit.author.email}>`;
        case 'authordate':
          return date(commit?.author, how || 'default');
        case 'committername':
          return commit?.committer.name ?? '';
        case 'committerdate':
          return date(commit?.committer, how || 'default');
        case 'creatordate':
          return date(tag?.tagger ?? commit?.committer, how || 'default');
        case 'taggername':
          return tag?.tagger?.name ?? '';
        case 'taggerdate':
          return date(tag?.tagger, how || 'default');
        case 'upstream': {
          const upstream = branch === undefined ? undefined : upstreamOf(git, branch);
          if (upstream === undefined) return '';
          if (how.startsWith('track')) {
            const other = repo.refs.resolve(upstream.ref);
            if (other === undefined) return '[gone]';
            const { ahead, behind } = aheadBehind(repo, ref.oid, other);
            const parts = [
              ...(ahead > 0 ? [`ahead ${ahead}`] : []),
              ...(behind > 0 ? [`behind ${behind}`] : []),
            ];
            return parts.length === 0 ? '' : `[${parts.join(', ')}]`;
          }
          return how === 'short' ? upstream.short : upstream.ref;
        }
        default:
          return git.die(`unknown field name: ${field}`);
      }
    })
    .replace(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/%%/g, '%');
}

/** `git for-each-ref`. Returns the exit status. */
export function forEachRef(git: Git, args: readonly string[]): number {
  const { repo } = git;
  const line = parseOptions(
    git,
    args,
    's|shell p|perl python tcl count= format= color=? sort= points-at= merged=? no-merged=? contains=? no-contains=? ignore-case',
  );
  let rows = repo.refs
    .list()
    .filter(
      ({ name }) =>
        line.operands.length === 0 ||
        line.operands.some(
          (one) =>
            name === one ||
            name.startsWith(one.endsWith('/') ? one : `${one}/`) ||
            matchGlob(one, name, { pathname: true }),
        ),
    );
  const key = line.value('sort') ?? 'refname';
  if (/date/.test(key)) {
    const when = (oid: string): number => {
      const object = repo.objects.get(oid);
      return object.type === 'tag'
        ? (parseTag(object.bytes).tagger?.when ?? 0)
        : repo.objects.commit(oid).committer.when;
    };
    rows.sort((one, other) => when(one.oid) - when(other.oid));
    if (key.startsWith('-')) rows.reverse();
  } else if (key.startsWith('-')) rows.reverse();
  const count = line.value('count');
  if (count !== undefined) rows = rows.slice(0, Number(count));
  for (const { name, oid } of rows) {
    const format = line.value('format') ?? '%(objectname) %(objecttype)\t%(refname)';
    git.out(
      `${refFormat(git, format, { name, oid, shown: name.replace(/^refs\/(heads|tags|remotes)\//, '') })}\n`,
    );
  }
  return 0;
}

/** `git symbolic-ref`. Returns the exit status. */
export function symbolicRef(git: Git, args: readonly string[]): number {
  const { repo } = git;
  const line = parseOptions(git, args, 'q|quiet d|delete short recurse m=');
  const [name = '', target] = line.operands;
  if (target !== undefined) {
    if (name === 'HEAD' && !target.startsWith('refs/')) git.die('Refusing to point HEAD outside of refs/');
    repo.refs.point(name, target);
    return 0;
  }
  const found = repo.refs.symbolic(name);
  if (found === undefined) {
    if (!line.has('quiet')) git.err(`fatal: ref ${name} is not a symbolic ref\n`);
    return line.has('quiet') ? 1 : 128;
  }
  git.out(`${line.has('short') ? found.replace(/^refs\/(heads|tags|remotes)\//, '') : found}\n`);
  return 0;
}

/** `git update-ref`. Returns the exit status. */
export function updateRef(git: Git, args: readonly string[]): number {
  const { repo } = git;
  const line = parseOptions(git, args, 'm= d no-deref stdin create-reflog');
  const [name = '', text = ''] = line.operands;
  if (line.has('d')) {
    repo.refs.remove(name);
    return 0;
  }
  const oid = resolveRevision(git, text);
  if (oid === undefined) git.die(`${text}: not a valid SHA1`);
  repo.refs.update(name, oid, git.logNote(line.value('m') ?? ''));
  return 0;
}

/** `git describe`. Returns the exit status. */
export function describe(git: Git, args: readonly string[]): number {
  const { repo } = git;
  const line = parseOptions(
    git,
    args,
    'contains debug all tags long first-parent abbrev=? exact-match candidates= match= exclude= always dirty=? broken=?',
  );
  const [text = 'HEAD'] = line.operands;
  const oid = needCommit(git, text, `Not a valid object name ${text}`);
  const tags = new Map<string, { name: string; isAnnotated: boolean }>();
  for (const { name, oid: target } of repo.refs.list('refs/tags/')) {
    const isAnnotated = repo.objects.get(target).type === 'tag';
    const short = name.slice(10);
    const match = line.value('match');
    if (
      (!isAnnotated && !line.has('tags') && !line.has('all')) ||
      (match !== undefined && !matchGlob(match, short))
    )
      continue;
    const commit = repo.objects.peel(target);
    const had = tags.get(commit);
    if (had === undefined || (isAnnotated && !had.isAnnotated))
      tags.set(commit, { name: line.has('all') ? `tags/${short}` : short, isAnnotated });
  }
  if (line.has('all'))
    for (const { name, oid: target } of repo.refs.list('refs/heads/'))
      if (!tags.has(target)) tags.set(target, { name: name.replace(/^refs\//, ''), isAnnotated: false });
  const dirtyHit = line.hits.find((hit) => hit.name === 'dirty');
  const isDirty =
    dirtyHit !== undefined &&
    repo.index.all().some((entry) => diskFile(repo, entry.path, entry)?.oid !== entry.oid);
  const suffix = isDirty ? (dirtyHit?.value ?? '-dirty') : '';
  const abbrev = Number(line.value('abbrev') ?? 7);
  const exact = tags.get(oid);
  if (exact !== undefined && !line.has('long')) {
    git.out(`${exact.name}${suffix}\n`);
    return 0;
  }
  if (line.has('exact-match') && exact === undefined) git.die(`no tag exactly matches '${oid}'`);
  const own = ancestors(repo, [oid]);
  let best: { name: string; distance: number; when: number } | undefined;
  for (const [commit, tag] of tags) {
    if (!own.has(commit)) continue;
    const known = ancestors(repo, [commit]);
    const distance = [...own].filter((one) => !known.has(one)).length;
    const when = repo.objects.commit(commit).committer.when;
    if (best === undefined || distance < best.distance || (distance === best.distance && when > best.when))
      best = { name: tag.name, distance, when };
  }
  if (best === undefined) {
    if (line.has('always')) {
      git.out(`${repo.objects.abbreviate(oid, abbrev)}${suffix}\n`);
      return 0;
    }
    if (repo.refs.list('refs/tags/').length > 0 && !line.has('tags'))
      git.die(`No annotated tags can describe '${oid}'.\nHowever, there were unannotated tags: try --tags.`);
    if (repo.refs.list('refs/tags/').length > 0)
      git.die(`No tags can describe '${oid}'.\nTry --always, or create some tags.`);
    git.die('No names found, cannot describe anything.');
  }
  git.out(
    abbrev === 0
      ? `${best.name}${suffix}\n`
      : `${best.name}-${best.distance}-g${repo.objects.abbreviate(oid, abbrev)}${suffix}\n`,
  );
  return 0;
}

/** `git reflog`. Returns the exit status. */
export function reflog(git: Git, args: readonly string[]): number {
  const [verb, ...rest] = args;
  if (verb === 'expire' || verb === 'delete') {
    if (verb === 'expire' && rest.includes('--all'))
      for (const { name } of git.repo.refs.list())
        if (git.repo.refs.hasLog(name)) git.repo.refs.writeLog(name, []);
    return 0;
  }
  if (verb === 'exists') return git.repo.refs.hasLog(rest[0] ?? '') ? 0 : 1;
  const counts: string[] = [];
  const line = parseOptions(
    git,
    verb === 'show' ? rest : args,
    'n|max-count= date= oneline pretty=? format= abbrev-commit no-abbrev-commit decorate=? no-decorate abbrev=? parents relative-date all',
    {
      unknown: (argument) => {
        if (!/^-\d+$/.test(argument)) git.die(`unrecognized argument: ${argument}`);
        counts.push(argument.slice(1));
        return true;
      },
    },
  );
  if (git.repo.head === undefined && line.operands.length === 0)
    git.die(`your current branch '${git.repo.branch ?? 'HEAD'}' does not have any commits yet`);
  return reflogWalk(git, line, line.value('max-count') ?? counts.pop());
}

/** `git check-ref-format`. Returns the exit status. */
export function checkRefFormat(git: Git, args: readonly string[]): number {
  const line = parseOptions(git, args, 'branch normalize allow-onelevel refspec-pattern');
  const [name = ''] = line.operands;
  const isGood = isRefName(name) && (line.has('branch') || line.has('allow-onelevel') || name.includes('/'));
  if (line.has('branch')) {
    if (!isGood) git.die(`'${name}' is not a valid branch name`);
    git.out(`${name}\n`);
  }
  return isGood ? 0 : 1;
}
