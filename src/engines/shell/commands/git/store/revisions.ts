/**
 * What a revision text means: names, `~`, `^`, `@{…}`, `:path`, ranges.
 *
 * Source: gitrevisions(7). Not covered: `@{-N}` beyond the log of HEAD, `:/text` over all references (HEAD's history
 * is searched), dates of logs other than `@{N}`.
 */

import type { Git } from '../git.js';
import type { Repository } from './repository.js';

/** Where a short name may stand, in the order they are tried. */
const PLACES = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'] as const;

/** The full name of a reference; undefined where none is meant. */
export function fullRefName(repo: Repository, name: string): string | undefined {
  for (const place of PLACES) {
    if (place === '' && !/^(HEAD|[A-Z_]+_HEAD|refs\/.*)$/.test(name)) continue;
    if (repo.refs.resolve(place + name) !== undefined) return place + name;
  }
  const remoteHead = `refs/remotes/${name}/HEAD`;
  return repo.refs.resolve(remoteHead) === undefined ? undefined : remoteHead;
}

/** The branch that `@{-N}` means, by the log of HEAD. */
export function previousBranch(repo: Repository, count: number): string | undefined {
  const moves = repo.refs
    .log('HEAD')
    .flatMap((entry) => /^checkout: moving from (\S+) to /.exec(entry.message)?.[1] ?? []);
  return moves[moves.length - count];
}

/** The reference a branch follows, such as `refs/remotes/origin/main`. */
export function upstreamOf(
  git: Git,
  branch: string,
): { readonly ref: string; readonly short: string } | undefined {
  const remote = git.config(`branch.${branch}.remote`);
  const merge = git.config(`branch.${branch}.merge`);
  if (remote === undefined || merge === undefined) return undefined;
  if (remote === '.') return { ref: merge, short: merge.replace(/^refs\/heads\//, '') };
  const short = `${remote}/${merge.replace(/^refs\/heads\//, '')}`;
  return { ref: `refs/remotes/${short}`, short };
}

/** The object a revision means; undefined for none. May end the command for what is wrong in a way that git tells. */
export function resolveRevision(git: Git, text: string): string | undefined {
  const { repo } = git;
  const colon = text.startsWith(':') ? 0 : topLevelColon(text);
  if (colon === 0) return resolveIndexPath(git, text.slice(1));
  if (colon > 0) {
    const tree = resolveRevision(git, text.slice(0, colon));
    return tree === undefined ? undefined : pathInTree(git, tree, text.slice(colon + 1))?.oid;
  }
  const match = /^(.*?)((?:\^\{[^}]*\}|\^\d*|~\d*)*)$/s.exec(text);
  let oid = resolveName(git, match?.[1] ?? text);
  for (const [step] of (match?.[2] ?? '').matchAll(/\^\{[^}]*\}|\^\d*|~\d*/g)) {
    if (oid === undefined) return undefined;
    oid = walkStep(repo, oid, step);
  }
  return oid;
}

function topLevelColon(text: string): number {
  const brace = text.lastIndexOf('}');
  const colon = text.indexOf(':');
  return colon < 0 || (text.includes('{') && colon < brace) ? -1 : colon;
}

function walkStep(repo: Repository, from: string, step: string): string | undefined {
  const { objects } = repo;
  if (step.startsWith('^{')) {
    const type = step.slice(2, -1);
    if (type === 'tree') return objects.treeOf(from);
    const peeled = objects.peel(from);
    if (type === '') return peeled;
    if (type === 'object') return from;
    const at = type === 'tag' ? from : peeled;
    return objects.find(at)?.type === type ? at : undefined;
  }
  let at = objects.peel(from);
  if (objects.find(at)?.type !== 'commit') return undefined;
  const number = step.length === 1 ? 1 : Number(step.slice(1));
  if (step.startsWith('^')) return number === 0 ? at : objects.commit(at).parents[number - 1];
  for (let left = number; left > 0; left--) {
    const parent = objects.commit(at).parents[0];
    if (parent === undefined) return undefined;
    at = parent;
  }
  return at;
}

function resolveName(git: Git, name: string): string | undefined {
  const { repo } = git;
  if (name === '') return undefined;
  if (/^[0-9a-f]{40}$/.test(name)) return name;
  const at = /^(.*)@\{([^}]*)\}$/s.exec(name);
  if (at !== null) return resolveAt(git, at[1] ?? '', at[2] ?? '');
  if (name === '@') return repo.head;
  if (name === '-') return undefined;
  const ref = fullRefName(repo, name);
  if (ref !== undefined) return repo.refs.resolve(ref);
  const described = /-g([0-9a-f]{4,40})$/.exec(name);
  const hex = described?.[1] ?? (/^[0-9a-fA-F]{4,40}$/.test(name) ? name.toLowerCase() : undefined);
  if (hex === undefined) return undefined;
  const found = repo.objects.startingWith(hex);
  if (found.length <= 1) return found[0];
  const commits = found.filter((oid) => repo.objects.find(oid)?.type === 'commit');
  if (commits.length === 1) return commits[0];
  git.error(`short object ID ${name} is ambiguous`);
  const rows = found.map((oid) => `  ${repo.objects.abbreviate(oid)} ${repo.objects.find(oid)?.type ?? ''}`);
  git.hint(`The candidates are:\n${rows.join('\n')}`);
  return undefined;
}

function resolveAt(git: Git, base: string, inside: string): string | undefined {
  const { repo } = git;
  const back = /^-(\d+)$/.exec(inside);
  if (back !== null && base === '') {
    const branch = previousBranch(repo, Number(back[1]));
    return branch === undefined ? undefined : resolveRevision(git, branch);
  }
  const branch = base === '' || base === 'HEAD' || base === '@' ? repo.branch : base;
  if (inside === 'u' || inside === 'upstream') {
    const upstream = branch === undefined ? undefined : upstreamOf(git, branch);
    if (upstream === undefined) {
      if (branch === undefined) return git.die('HEAD does not point to a branch');
      if (repo.refs.resolve(`refs/heads/${branch}`) === undefined)
        return git.die(`no such branch: '${branch}'`);
      return git.die(`no upstream configured for branch '${branch}'`);
    }
    return repo.refs.resolve(upstream.ref);
  }
  if (inside === 'push') {
    const remote = git.config(`branch.${branch}.remote`) ?? 'origin';
    return repo.refs.resolve(`refs/remotes/${remote}/${branch}`);
  }
  const ref = base === '' ? (repo.headRef ?? 'HEAD') : base === '@' ? 'HEAD' : fullRefName(repo, base);
  if (ref === undefined || !/^\d+$/.test(inside)) return undefined;
  const log = repo.refs.log(ref);
  const number = Number(inside);
  if (number === 0) return repo.refs.resolve(ref);
  const entry = log[log.length - 1 - number];
  if (entry !== undefined) return entry.to;
  if (number === log.length && log[0] !== undefined && !/^0+$/.test(log[0].from)) return log[0].from;
  if (log.length === 0) return undefined;
  git.die(`log for '${base === '' ? (repo.branch ?? 'HEAD') : base}' only has ${log.length} entries`);
}

function resolveIndexPath(git: Git, text: string): string | undefined {
  if (text.startsWith('/')) return searchMessage(git, text.slice(1));
  const staged = /^([0-3]):(.*)$/s.exec(text);
  const stage = staged === null ? 0 : Number(staged[1]);
  const path = inRepository(git, staged?.[2] ?? text);
  return git.repo.index.get(path, stage)?.oid;
}

function searchMessage(git: Git, pattern: string): string | undefined {
  const { objects } = git.repo;
  const waiting = git.repo.head === undefined ? [] : [git.repo.head];
  const seen = new Set<string>();
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const commit = objects.commit(at);
    if (commit.message.includes(pattern)) return at;
    waiting.push(...commit.parents);
  }
  return undefined;
}

/** A path after a colon: `./` and `../` are from the current folder, others from the root. */
function inRepository(git: Git, path: string): string {
  if (!path.startsWith('./') && !path.startsWith('../')) return path;
  const parts: string[] = [];
  for (const part of `${git.prefix}${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** What stands at a path in the tree of an object. */
export function pathInTree(
  git: Git,
  from: string,
  path: string,
): { readonly oid: string; readonly mode: string } | undefined {
  const { objects } = git.repo;
  let oid = objects.treeOf(from);
  let mode = '40000';
  for (const name of inRepository(git, path)
    .split('/')
    .filter((part) => part !== '')) {
    if (oid === undefined || mode !== '40000') return undefined;
    const entry = objects.tree(oid).find((one) => one.name === name);
    oid = entry?.oid;
    mode = entry?.mode ?? '';
  }
  return oid === undefined ? undefined : { oid, mode };
}

/** A commit that must be there. The command ends with the words of commands that take one. */
export function needCommit(git: Git, text: string, words?: string): string {
  const oid = resolveRevision(git, text);
  const peeled = oid === undefined ? undefined : git.repo.objects.peel(oid);
  if (peeled === undefined || git.repo.objects.find(peeled)?.type !== 'commit')
    return git.die(words ?? `bad revision '${text}'`);
  return peeled;
}

/** The words for an argument that is neither a revision nor a path. */
export function ambiguous(text: string): string {
  return `ambiguous argument '${text}': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`;
}

/** Revisions and paths of a command line: what is a revision comes first, `--` parts them. */
export interface RevisionArguments {
  /** Commits to walk from, with how they were written. */
  readonly include: readonly { readonly oid: string; readonly text: string }[];
  readonly exclude: readonly string[];
  /** Set for `A...B`: the commits of both sides. */
  readonly symmetric?: readonly [string, string];
  /** Set for `A..B`. */
  readonly range?: readonly [string, string];
  readonly paths: readonly string[];
}

/** Takes a command line's operands apart. Ends the command for what is neither. */
export function parseRevisions(
  git: Git,
  operands: readonly string[],
  afterDashes?: readonly string[],
): RevisionArguments {
  const include: { oid: string; text: string }[] = [];
  const exclude: string[] = [];
  let symmetric: readonly [string, string] | undefined;
  let range: readonly [string, string] | undefined;
  let at = 0;
  for (; at < operands.length; at++) {
    const text = operands[at] ?? '';
    const dots = /^(.*?)(\.\.\.?)(.*)$/s.exec(text);
    if (dots !== null && !git.files.look(git.absolute(text))) {
      const [, left = '', op, right = ''] = dots;
      const [a, b] = [resolveRevision(git, left || 'HEAD'), resolveRevision(git, right || 'HEAD')];
      if (a !== undefined && b !== undefined) {
        const [one, other] = [git.repo.objects.peel(a), git.repo.objects.peel(b)];
        if (op === '..') {
          exclude.push(one);
          include.push({ oid: b, text: right || 'HEAD' });
          range = [a, b];
        } else {
          include.push({ oid: one, text: left || 'HEAD' }, { oid: other, text: right || 'HEAD' });
          symmetric = [one, other];
        }
        continue;
      }
    }
    if (text.startsWith('^')) {
      const oid = resolveRevision(git, text.slice(1));
      if (oid !== undefined) {
        exclude.push(git.repo.objects.peel(oid));
        continue;
      }
    }
    const oid = resolveRevision(git, text);
    if (oid === undefined || !git.repo.objects.has(oid)) {
      if (oid !== undefined && /^[0-9a-f]{40}$/.test(text)) git.die(`bad object ${text}`);
      if (afterDashes !== undefined) git.die(`bad revision '${text}'`);
      break;
    }
    if (
      afterDashes === undefined &&
      git.files.look(git.absolute(text)) !== undefined &&
      !/[\^~@:]/.test(text)
    )
      git.die(
        `ambiguous argument '${text}': both revision and filename\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
      );
    include.push({ oid, text });
  }
  const rest = operands.slice(at);
  for (const path of rest) {
    if (afterDashes !== undefined) git.die(`bad revision '${path}'`);
    if (git.files.look(git.absolute(path)) !== undefined || /[*?[]|^:/.test(path)) continue;
    wrongPath(git, path);
  }
  return {
    include,
    exclude,
    ...(symmetric === undefined ? {} : { symmetric }),
    ...(range === undefined ? {} : { range }),
    paths: [...rest, ...(afterDashes ?? [])],
  };
}

/** Ends the command for an operand that is neither a revision nor a path. */
function wrongPath(git: Git, text: string): never {
  const colon = topLevelColon(text);
  if (colon > 0) {
    const [revision, path] = [text.slice(0, colon), text.slice(colon + 1)];
    if (resolveRevision(git, revision) === undefined) git.die(`invalid object name '${revision}'.`);
    dieNotInTree(git, revision, path);
  }
  if (text.startsWith('-')) git.die(`unrecognized argument: ${text}`);
  git.die(ambiguous(text));
}

/** Ends the command for a path that a revision does not have. */
function dieNotInTree(git: Git, revision: string, path: string): never {
  const onDisk = git.files.look(git.repo.path(path)) !== undefined;
  if (onDisk) git.die(`path '${path}' exists on disk, but not in '${revision}'`);
  git.die(`path '${path}' does not exist in '${revision}'`);
}
