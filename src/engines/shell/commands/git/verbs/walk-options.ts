/**
 * What the commands of histories share: the form of commits and what to walk, read from a command line.
 */
import type { Pair } from '../diff/pairs.js';
import { type DiffShape, pairsOf } from '../diff/show-diff.js';
import type { Git } from '../git.js';
import { type CommitForm, decorationsOf, formOf } from '../log/format.js';
import type { WalkOptions } from '../log/walk.js';
import { mergeBases } from '../merge/ancestry.js';
import type { Commit } from '../store/objects.js';
import { parseRevisions } from '../store/revisions.js';
import { formatDate, parseGitDate } from '../work/dates.js';
import type { Parsed } from '../work/options.js';
import { limited, Pathspec, treeState } from '../work/states.js';

/** Options of histories, in the table's form. */
export const LOG_OPTIONS =
  'n|max-count= skip= since|after= until|before= author= committer= grep= i|regexp-ignore-case all-match invert-grep E|extended-regexp ' +
  'F|fixed-strings P|perl-regexp oneline pretty=? format= abbrev-commit no-abbrev-commit decorate=? no-decorate decorate-refs= clear-decorations ' +
  'date= relative-date graph topo-order date-order author-date-order reverse first-parent merges no-merges min-parents= max-parents= all branches=? ' +
  'tags=? remotes=? follow source full-history parents children left-right cherry-pick m cherry-mark no-walk=? simplify-by-decoration ' +
  'log-size mailmap use-mailmap L= count quiet show-signature boundary encoding= no-notes notes=? g|walk-reflogs no-color expand-tabs=? name-rev objects pretty-date dense remove-empty stdin timestamp ancestry-path=? no-object-names';

/** Reads the form of commits from a command line. */
export function readForm(git: Git, line: Parsed): CommitForm {
  const asked = line.hits.filter((hit) => ['oneline', 'pretty', 'format'].includes(hit.name)).pop();
  let text =
    asked?.name === 'oneline' ? 'oneline' : (asked?.value ?? git.config('format.pretty') ?? 'medium');
  if (asked?.name === 'format' && !/^(format:|tformat:)/.test(text) && formOf(git, text) === undefined)
    text = `tformat:${text}`;
  const form = formOf(git, text);
  if (form === undefined) git.die(`invalid --pretty format: ${text}`);
  const length =
    line.value('abbrev') === undefined ? (git.number('core.abbrev') ?? 7) : Number(line.value('abbrev'));
  const given = line.hits.filter((hit) => hit.name === 'decorate' || hit.name === 'no-decorate').pop();
  const setting = git.config('log.decorate');
  const decorates =
    given === undefined
      ? setting === 'true' ||
        setting === 'short' ||
        setting === 'full' ||
        (setting !== 'false' && setting !== 'no' && git.proc.isatty(1))
      : given.name === 'decorate' && given.value !== 'no' && !(given.value === 'auto' && !git.proc.isatty(1));
  const dateMode = line.has('relative-date')
    ? 'relative'
    : (line.value('date') ?? (text === 'reference' ? 'short' : (git.config('log.date') ?? 'default')));
  if (formatDate({ when: 0, zone: '+0000' }, dateMode, 0, () => '+0000') === undefined)
    git.die(`unknown date format ${dateMode}`);
  return {
    ...form,
    abbreviates:
      (asked?.name === 'oneline' || line.has('abbrev-commit') || git.bool('log.abbrevcommit') === true) &&
      !line.has('no-abbrev-commit'),
    dateMode,
    decorations: decorates
      ? decorationsOf(git, given?.value === 'full' || (given === undefined && setting === 'full'))
      : undefined,
    abbreviate: (oid) => git.repo.objects.abbreviate(oid, length),
    showsParents: line.has('parents'),
  };
}

/** A test of a text by a pattern of `--grep` and the like: POSIX basic, as far as its words go. */
function patternTest(pattern: string, ignoreCase: boolean, isExtended: boolean): (text: string) => boolean {
  const alternatives = isExtended ? pattern.split('|') : pattern.split('\\|');
  const tests = alternatives.map((one) => {
    const start = one.startsWith('^');
    const end = one.endsWith('$') && !one.endsWith('\\$');
    const core = one.slice(start ? 1 : 0, end ? -1 : undefined);
    const pieces = core.split(/(?<!\\)\.\*/).map((piece) => piece.replace(/\\(.)/g, '$1'));
    return (line: string): boolean => {
      const text = ignoreCase ? line.toLowerCase() : line;
      const parts = ignoreCase ? pieces.map((piece) => piece.toLowerCase()) : pieces;
      let at = 0;
      for (const [number, piece] of parts.entries()) {
        const found = text.indexOf(piece, at);
        if (found < 0 || (start && number === 0 && found !== 0)) return false;
        at = found + piece.length;
      }
      return !end || at === text.length || text.endsWith(parts[parts.length - 1] ?? '');
    };
  });
  return (text) => text.split('\n').some((line) => tests.some((test) => test(line)));
}

/** Reads what to walk from a command line. */
export function readWalk(
  git: Git,
  line: Parsed,
): { readonly walk: WalkOptions; readonly paths: Pathspec; readonly isFollowing: boolean } {
  const { repo } = git;
  const revisions = parseRevisions(git, line.before, line.after);
  const include = revisions.include.map(({ oid }) => repo.objects.peel(oid));
  const exclude = [...revisions.exclude];
  if (revisions.symmetric !== undefined) exclude.push(...mergeBases(repo, ...revisions.symmetric));
  const said = (name: string): boolean => line.hits.some((hit) => hit.name === name);
  for (const [name, prefix] of [
    ['all', 'refs/'],
    ['branches', 'refs/heads/'],
    ['tags', 'refs/tags/'],
    ['remotes', 'refs/remotes/'],
  ] as const)
    if (said(name)) include.push(...repo.refs.list(prefix).map(({ oid }) => repo.objects.peel(oid)));
  if (said('all') && repo.head !== undefined) include.push(repo.head);
  const anyRef = ['all', 'branches', 'tags', 'remotes'].some(said);
  if (include.length === 0 && !anyRef && (exclude.length === 0 || revisions.include.length === 0)) {
    if (repo.head === undefined)
      git.die(`your current branch '${repo.branch ?? 'HEAD'}' does not have any commits yet`);
    include.push(repo.head);
  }
  const time = (name: string): number | undefined => {
    const text = line.value(name);
    return text === undefined
      ? undefined
      : (parseGitDate(text, git.nowSeconds, (at) => git.zoneAt(at))?.when ?? git.nowSeconds);
  };
  const ignoreCase = line.has('regexp-ignore-case');
  const test = (text: string): ((one: string) => boolean) =>
    patternTest(text, ignoreCase, line.has('extended-regexp'));
  const [authors, committers, greps] = ['author', 'committer', 'grep'].map((name) =>
    line.values(name).map(test),
  );
  const matches = (
    tests: readonly ((text: string) => boolean)[] | undefined,
    text: string,
    all = false,
  ): boolean =>
    tests === undefined ||
    tests.length === 0 ||
    (all ? tests.every((one) => one(text)) : tests.some((one) => one(text)));
  const least = line.has('merges') ? 2 : Number(line.value('min-parents') ?? 0);
  const most = line.has('no-merges') ? 1 : Number(line.value('max-parents') ?? 1e9);
  const paths = new Pathspec(git, revisions.paths);
  const isTopo = line.has('graph') || line.has('topo-order');
  return {
    paths,
    isFollowing: line.has('follow'),
    walk: {
      include,
      exclude,
      order: line.has('author-date-order') ? 'author-date' : isTopo ? 'topo' : 'date',
      firstParent: line.has('first-parent'),
      since: time('since'),
      until: time('until'),
      ...(paths.isEmpty || line.has('follow') ? {} : { touches: touchTest(git, paths) }),
      accepts: (_oid, commit) =>
        commit.parents.length >= least &&
        commit.parents.length <= most &&
        matches(authors, `${commit.author.name} <${commit.author.email}>`) &&
        matches(committers, `${commit.committer.name} <${commit.committer.email}>`) &&
        matches(greps, commit.message.trimEnd(), line.has('all-match')) !==
          (line.has('invert-grep') && (greps?.length ?? 0) > 0),
    },
  };
}

function touchTest(git: Git, paths: Pathspec): (tree: string, parent: string | undefined) => boolean {
  const seen = new Map<string, string>();
  const print = (tree: string | undefined): string => {
    if (tree === undefined) return '';
    let text = seen.get(tree);
    if (text === undefined) {
      text = [...git.repo.objects.flatten(tree)]
        .filter(([path]) => paths.matches(path))
        .map(([path, entry]) => `${path}\0${entry.mode}${entry.oid}`)
        .join('\n');
      seen.set(tree, text);
    }
    return text;
  };
  return (tree, parent) => print(tree) !== print(parent);
}

/** The differences of a commit from its first parent. */
export function commitPairs(git: Git, commit: Commit, shape: DiffShape, paths: Pathspec): Pair[] {
  const { repo } = git;
  const parent = commit.parents[0];
  const before = parent === undefined || !repo.objects.has(parent) ? new Map() : treeState(repo, parent);
  return pairsOf(shape, limited(before, paths), limited(treeState(repo, commit.tree), paths));
}
