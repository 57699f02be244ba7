/**
 * The `git` program: global options, the table of subcommands, aliases.
 *
 * A subcommand that real git has and this one does not compute is a question to the world's model, as an unknown program
 * is. Source: git(1), git 2.39.5.
 */
import type { Command, Io, Process, Running } from '../../kernel/index.js';
import { Exit, runCommand, shellStatus } from '../../kernel/index.js';
import { unknownProgram } from '../program/unknown-program.js';
import { GENERAL_USAGE } from './general-usage.js';
import { Git, type GlobalOptions } from './git.js';
import { MissingObject } from './store/object-store.js';
import { blame } from './verbs/blame.js';
import { branch } from './verbs/branch.js';
import { checkout, switchBranch } from './verbs/checkout.js';
import { clone } from './verbs/clone.js';
import { commit } from './verbs/commit.js';
import { config } from './verbs/config.js';
import { diff } from './verbs/diff.js';
import { fetch, pull } from './verbs/fetch.js';
import {
  catFile,
  checkIgnore,
  countObjects,
  hashObject,
  lsFiles,
  lsTree,
  revParse,
} from './verbs/inspect.js';
import { log } from './verbs/log.js';
import { merge, mergeBase } from './verbs/merge.js';
import { cherryPick, revert } from './verbs/pick.js';
import { lsRemote, push } from './verbs/push.js';
import { rebase } from './verbs/rebase.js';
import {
  checkRefFormat,
  describe,
  forEachRef,
  reflog,
  showRef,
  symbolicRef,
  updateRef,
} from './verbs/references.js';
import { remote } from './verbs/remote.js';
import { reset, restore } from './verbs/restore.js';
import { revList, shortlog } from './verbs/rev-list.js';
import { show } from './verbs/show.js';
import { add, clean, init, mv, rm, status } from './verbs/start.js';
import { stash } from './verbs/stash.js';
import { tag } from './verbs/tag.js';

import { writeIndexTree } from './work/checkout.js';
import { cleanMessage, writeCommit } from './work/commits.js';
import { parseOptions } from './work/options.js';

type Verb = (git: Git, args: readonly string[]) => number | Running<number>;

const VERBS: Readonly<Record<string, Verb>> = {
  add,
  blame,
  branch,
  'cat-file': catFile,
  'check-ignore': checkIgnore,
  'check-ref-format': checkRefFormat,
  checkout,
  'cherry-pick': cherryPick,
  clean,
  clone,
  commit,
  'commit-tree': commitTree,
  config,
  'count-objects': countObjects,
  describe,
  diff,
  fetch,
  'for-each-ref': forEachRef,
  gc,
  'hash-object': hashObject,
  init,
  log,
  'ls-files': lsFiles,
  'ls-remote': lsRemote,
  'ls-tree': lsTree,
  merge,
  'merge-base': mergeBase,
  mv,
  pull,
  push,
  rebase,
  reflog,
  remote,
  reset,
  restore,
  'rev-list': revList,
  'rev-parse': revParse,
  revert,
  rm,
  shortlog,
  show,
  'show-ref': showRef,
  stage: add,
  stash,
  status,
  switch: switchBranch,
  'symbolic-ref': symbolicRef,
  tag,
  'update-ref': updateRef,
  worktree,
  'write-tree': writeTreeVerb,
};

/** Subcommands of real git that are not computed. */
const OTHERS = new Set(
  (
    'am annotate apply archive bisect bugreport bundle checkout-index cherry citool column commit-graph credential daemon diagnose diff-files ' +
    'diff-index diff-tree difftool fast-export fast-import filter-branch fmt-merge-msg format-patch fsck get-tar-commit-id grep gui ' +
    'help index-pack instaweb interpret-trailers mailinfo mailsplit maintenance merge-file merge-index merge-one-file merge-tree mergetool ' +
    'mktag mktree multi-pack-index name-rev notes pack-objects pack-refs patch-id prune prune-packed range-diff read-tree ' +
    'repack replace request-pull rerere send-email send-pack shell show-branch show-index sparse-checkout stripspace submodule subtree ' +
    'unpack-file unpack-objects update-index update-server-info upload-archive var verify-commit verify-pack verify-tag version whatchanged'
  ).split(' '),
);

const REFLOG_SECONDS = 90 * 86_400;

/** `gc`: what is in logs for more than 90 days goes; packing changes nothing that is seen. */
function gc(git: Git): number {
  const { refs } = git.repo;
  for (const name of ['HEAD', ...refs.list().map((ref) => ref.name)]) {
    if (!refs.hasLog(name)) continue;
    refs.writeLog(
      name,
      refs.log(name).filter((entry) => git.nowSeconds - entry.who.when < REFLOG_SECONDS),
    );
  }
  return 0;
}

/** `worktree list`; a repository has one work tree here. */
function* worktree(git: Git, args: readonly string[]): Running<number> {
  if (args[0] !== 'list') return yield* unknownProgram('git')(git.proc);
  const { repo } = git;
  const oid = repo.head === undefined ? '0000000' : repo.objects.abbreviate(repo.head);
  git.out(`${repo.root}  ${oid} ${repo.branch === undefined ? '(detached HEAD)' : `[${repo.branch}]`}\n`);
  return 0;
}

function writeTreeVerb(git: Git): number {
  git.out(`${writeIndexTree(git.repo)}\n`);
  return 0;
}

function* commitTree(git: Git, args: readonly string[]): Running<number> {
  const line = parseOptions(git, args, 'p= m= F= S=?');
  const [tree = ''] = line.operands;
  const message =
    line.values('m').length > 0
      ? line
          .values('m')
          .map((one) => one.replace(/\n*$/, '\n'))
          .join('\n')
      : new TextDecoder().decode(yield* git.proc.readAll(0));
  const parents = line
    .values('p')
    .map(
      (text) =>
        git.repo.objects.startingWith(text)[0] ??
        git.repo.refs.resolve(text) ??
        git.repo.refs.resolve(`refs/heads/${text}`) ??
        git.die(`not a valid object name ${text}`),
    );
  const root =
    git.repo.objects.treeOf(git.repo.objects.startingWith(tree)[0] ?? '') ??
    git.die(`not a valid object name ${tree}`);
  git.out(
    `${writeCommit(git, { tree: root, parents, author: git.ident('AUTHOR'), committer: git.ident('COMMITTER'), message: line.values('m').length > 0 ? message : cleanMessage(message) })}\n`,
  );
  return 0;
}

interface Start {
  readonly global: GlobalOptions;
  readonly verb: string | undefined;
  readonly args: readonly string[];
}

/** Reads what stands before the subcommand; folders of `-C` are gone to. */
function readStart(proc: Process, io: Io): Start {
  const args = proc.argv.slice(1);
  const config: [string, string | null][] = [];
  const global: { gitDir?: string; workTree?: string; isBare: boolean; literal: boolean } = {
    isBare: false,
    literal: false,
  };
  let at = 0;
  const value = (name: string): string => {
    const text = args[++at];
    if (text === undefined) {
      io.err(`no ${name} given for ${args[at - 1]}\n`);
      throw new Exit(129);
    }
    return text;
  };
  for (; at < args.length; at++) {
    const text = args[at] ?? '';
    if (!text.startsWith('-')) break;
    if (text === '-C') {
      const folder = value('directory');
      try {
        if (folder !== '') proc.chdir(folder);
      } catch {
        io.err(`fatal: cannot change to '${folder}': No such file or directory\n`);
        throw new Exit(128);
      }
    } else if (text === '-c') {
      const setting = value('config key');
      const equals = setting.indexOf('=');
      config.push(equals < 0 ? [setting, null] : [setting.slice(0, equals), setting.slice(equals + 1)]);
    } else if (text === '--git-dir') global.gitDir = value('directory');
    else if (text.startsWith('--git-dir=')) global.gitDir = text.slice(10);
    else if (text === '--work-tree') global.workTree = value('directory');
    else if (text.startsWith('--work-tree=')) global.workTree = text.slice(12);
    else if (text === '--bare') global.isBare = true;
    else if (text === '--literal-pathspecs') global.literal = true;
    else if (
      [
        '-p',
        '-P',
        '--paginate',
        '--no-pager',
        '--no-optional-locks',
        '--no-replace-objects',
        '--glob-pathspecs',
      ].includes(text)
    )
      continue;
    else if (text === '--version' || text === '-v')
      return { global: { ...global, config }, verb: 'version', args: [] };
    else if (text === '--help' || text === '-h')
      return { global: { ...global, config }, verb: 'help', args: [] };
    else if (text === '--exec-path') {
      io.out('/usr/lib/git-core\n');
      throw new Exit(0);
    } else {
      io.err(`unknown option: ${text}\n${GENERAL_USAGE.split('\n\n')[0]}\n`);
      throw new Exit(129);
    }
  }
  return { global: { ...global, config }, verb: args[at], args: args.slice(at + 1) };
}

function* runGit(proc: Process, io: Io): Running<number> {
  const { global, verb, args } = readStart(proc, io);
  const git = new Git(proc, io, global);
  if (verb === undefined) {
    git.out(GENERAL_USAGE);
    return 1;
  }
  if (verb === 'version') {
    git.out('git version 2.39.5\n');
    return 0;
  }
  if (verb === 'help' && args.length === 0) {
    git.out(GENERAL_USAGE);
    return 0;
  }
  return yield* runVerb(git, verb, args, 0);
}

function* runVerb(git: Git, verb: string, args: readonly string[], depth: number): Running<number> {
  const body = VERBS[verb];
  if (body !== undefined) {
    git.verb = verb;
    try {
      const result = body(git, args);
      return typeof result === 'number' ? result : yield* result;
    } catch (error) {
      if (!(error instanceof MissingObject)) throw error;
      return git.die(error.message);
    }
  }
  const alias = git.config(`alias.${verb}`);
  if (alias !== undefined && depth < 10) {
    if (alias.startsWith('!')) {
      yield* git.io.flush();
      const status = yield* runCommand(git.proc, [
        '/bin/sh',
        '-c',
        `${alias.slice(1)} "$@"`,
        alias.slice(1),
        ...args,
      ]);
      return shellStatus(status);
    }
    const [next = '', ...rest] = splitAlias(alias);
    return yield* runVerb(git, next, [...rest, ...args], depth + 1);
  }
  if (OTHERS.has(verb)) {
    yield* git.io.flush();
    return yield* unknownProgram('git')(git.proc);
  }
  git.err(`git: '${verb}' is not a git command. See 'git --help'.\n`);
  const similar = similarVerbs(verb);
  if (similar.length > 0)
    git.err(
      `\nThe most similar command${similar.length === 1 ? ' is' : 's are'}\n${similar.map((one) => `\t${one}\n`).join('')}`,
    );
  return 1;
}

function splitAlias(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}

/** Names near a misspelt one: Damerau's distance with git's weights (swap 0, replace 2, add 1, remove 3). */
function similarVerbs(verb: string): string[] {
  const scored = [...new Set([...Object.keys(VERBS), ...OTHERS])].map((name) => ({
    name,
    score: name.startsWith(verb) && verb.length > 0 ? 0 : distance(verb, name) + 1,
  }));
  const best = Math.min(...scored.map(({ score }) => score));
  if (best > 7) return [];
  return scored
    .filter(({ score }) => score === best)
    .map(({ name }) => name)
    .sort();
}

function distance(one: string, other: string): number {
  const [swap, replace, insert, remove] = [0, 2, 1, 3];
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at * insert)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i * remove];
    for (let j = 1; j <= other.length; j++) {
      const [above, before] = [rows[i - 1] ?? [], rows[i - 2] ?? []];
      let cost = (above[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : replace);
      if (i > 1 && j > 1 && one[i - 2] === other[j - 1] && one[i - 1] === other[j - 2])
        cost = Math.min(cost, (before[j - 2] ?? 0) + swap);
      cost = Math.min(cost, (above[j] ?? 0) + remove, (row[j - 1] ?? 0) + insert);
      row.push(cost);
    }
    rows.push(row);
  }
  return rows[one.length]?.[other.length] ?? 0;
}

/** The command. */
export const git: Command = {
  name: 'git',
  path: '/usr/bin/git',
  sizeBytes: 3_745_880,
  failStatus: 128,
  run: runGit,
};
