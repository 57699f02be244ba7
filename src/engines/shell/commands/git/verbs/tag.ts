/**
 * `tag`: names that stay.
 */

import type { Running } from '../../../kernel/index.js';
import { matchGlob } from '../../tools/glob-match.js';
import type { Git } from '../git.js';
import { isAncestor } from '../merge/ancestry.js';
import { parseTag, renderTag } from '../store/objects.js';
import { isRefName } from '../store/refs.js';
import { needCommit, resolveRevision } from '../store/revisions.js';
import { cleanMessage } from '../work/commits.js';
import { type Parsed, parseOptions } from '../work/options.js';
import { runEditor } from './commit.js';
import { sortRows } from './ref-rows.js';
import { refFormat } from './references.js';

const TAG_OPTIONS =
  'l|list n=? d|delete v|verify a|annotate m|message= F|file= e|edit s|sign cleanup= u|local-user= f|force create-reflog column=? contains=+ no-contains=+ ' +
  'merged=+ no-merged=+ sort= points-at= format= color=? i|ignore-case';

/** `git tag`. Returns the exit status. */
export function* tag(git: Git, args: readonly string[]): Running<number> {
  const { repo } = git;
  const line = parseOptions(git, args, TAG_OPTIONS);
  if (line.has('delete')) return deleteTags(git, line.operands);
  const said = (name: string): boolean => line.hits.some((hit) => hit.name === name);
  if (line.has('sign') || said('local-user'))
    git.fail('gpg failed to sign the data\nerror: unable to sign the tag', 128);
  const lists =
    line.has('list') ||
    ['n', 'contains', 'no-contains', 'merged', 'no-merged', 'sort', 'points-at', 'format'].some(said);
  if (lists || line.operands.length === 0) return listTags(git, line);
  const [name = '', target = 'HEAD'] = line.operands;
  if (line.operands.length > 2) git.die('too many arguments');
  if (!isRefName(name)) git.die(`'${name}' is not a valid tag name.`);
  const oid = resolveRevision(git, target);
  if (oid === undefined || !repo.objects.has(oid)) git.die(`Failed to resolve '${target}' as a valid ref.`);
  const existing = repo.refs.resolve(`refs/tags/${name}`);
  if (existing !== undefined && !line.has('force')) git.die(`tag '${name}' already exists`);
  const file = line.value('file');
  let made = oid;
  if (line.has('annotate') || line.values('message').length > 0 || file !== undefined) {
    let message = line
      .values('message')
      .map((one) => one.replace(/\n*$/, '\n'))
      .join('\n');
    if (file !== undefined)
      message =
        git.files.textIfThere(git.absolute(file)) ??
        git.die(`could not open or read '${file}': No such file or directory`);
    else if (line.values('message').length === 0) {
      repo.writeNote(
        'TAG_EDITMSG',
        `\n#\n# Write a message for tag:\n#   ${name}\n# Lines starting with '#' will be ignored.\n`,
      );
      yield* runEditor(git, `${repo.gitDir}/TAG_EDITMSG`);
      message = cleanMessage(repo.note('TAG_EDITMSG') ?? '', true);
      if (message === '') git.die('no tag message?');
    }
    const type = repo.objects.get(oid).type;
    made = repo.objects.write(
      'tag',
      renderTag({
        object: oid,
        type,
        tag: name,
        tagger: git.ident('COMMITTER'),
        message: cleanMessage(message),
      }),
    );
  }
  repo.refs.update(`refs/tags/${name}`, made, undefined);
  if (existing !== undefined && existing !== made)
    git.out(`Updated tag '${name}' (was ${repo.objects.abbreviate(existing)})\n`);
  return 0;
}

function deleteTags(git: Git, names: readonly string[]): number {
  const { repo } = git;
  let status = 0;
  for (const name of names) {
    const oid = repo.refs.resolve(`refs/tags/${name}`);
    if (oid === undefined) {
      git.error(`tag '${name}' not found.`);
      status = 1;
      continue;
    }
    repo.refs.remove(`refs/tags/${name}`);
    git.out(`Deleted tag '${name}' (was ${repo.objects.abbreviate(oid)})\n`);
  }
  return status;
}

function listTags(git: Git, line: Parsed): number {
  const { repo } = git;
  const commitOf = (name: string): string | undefined => {
    const hit = line.hits.filter((one) => one.name === name).pop();
    return hit === undefined
      ? undefined
      : needCommit(git, hit.value ?? 'HEAD', `malformed object name ${hit.value ?? 'HEAD'}`);
  };
  const [contains, merged, points] = ['contains', 'merged', 'points-at'].map(commitOf);
  let rows = repo.refs
    .list('refs/tags/')
    .map(({ name, oid }) => ({ ref: name, name: name.slice(10), oid, commit: repo.objects.peel(oid) }))
    .filter(
      ({ name }) => line.operands.length === 0 || line.operands.some((pattern) => matchGlob(pattern, name)),
    )
    .filter(
      ({ commit, oid }) =>
        (contains === undefined || isAncestor(repo, contains, commit)) &&
        (merged === undefined || isAncestor(repo, commit, merged)) &&
        (points === undefined || points === commit || points === oid),
    );
  rows = sortRows(git, rows, line.value('sort') ?? git.config('tag.sort'));
  const hit = line.hits.find((one) => one.name === 'n');
  const format = line.value('format');
  for (const row of rows) {
    if (format !== undefined)
      git.out(`${refFormat(git, format, { name: row.ref, oid: row.oid, shown: row.name })}\n`);
    else if (hit === undefined) git.out(`${row.name}\n`);
    else {
      const object = repo.objects.get(row.oid);
      const message =
        object.type === 'tag' ? parseTag(object.bytes).message : repo.objects.commit(row.commit).message;
      const lines = message
        .trimEnd()
        .split('\n')
        .slice(0, Number(hit.value ?? 1));
      git.out(`${row.name.padEnd(15)} ${lines.join('\n    ')}\n`);
    }
  }
  return 0;
}
