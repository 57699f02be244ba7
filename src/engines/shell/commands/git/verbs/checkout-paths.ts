/**
 * `checkout` of single paths; conflicts made again.
 */

import { toBytes } from '../../../kernel/index.js';
import type { Git } from '../git.js';
import { mergeStyle } from '../merge/apply-merge.js';
import { mergeTexts } from '../merge/merge-text.js';
import { resolveRevision } from '../store/revisions.js';
import { placeFile, writeToDisk } from '../work/checkout.js';
import type { Parsed } from '../work/options.js';
import { diskFile, entryFile, Pathspec, treeState } from '../work/states.js';

/** Brings single paths to what the index or a commit has. */
export function checkoutPaths(
  git: Git,
  line: Parsed,
  from: string | undefined,
  texts: readonly string[],
): number {
  const { work: repo } = git;
  const paths = new Pathspec(git, texts);
  if (from !== undefined) {
    const state = treeState(repo, resolveRevision(git, from));
    const wanted = [...state].filter(([path]) => paths.matches(path));
    tellUnmatched(git, paths);
    for (const [path, file] of wanted) placeFile(repo, path, file);
    repo.saveIndex();
    if (!line.has('quiet') && line.after === undefined)
      git.err(
        `Updated ${wanted.length} path${wanted.length === 1 ? '' : 's'} from ${repo.objects.abbreviate(repo.objects.treeOf(resolveRevision(git, from) ?? '') ?? '')}\n`,
      );
    return 0;
  }
  const known = repo.index.paths().filter((path) => paths.matches(path));
  tellUnmatched(git, paths);
  const stage = line.has('ours') ? 2 : line.has('theirs') ? 3 : 0;
  const conflicts = repo.index.conflicts();
  let count = 0;
  const broken = known.filter(
    (path) =>
      conflicts.has(path) &&
      stage === 0 &&
      !line.has('merge') &&
      !line.has('force') &&
      line.value('conflict') === undefined,
  );
  if (broken.length > 0) {
    for (const path of broken) git.error(`path '${path}' is unmerged`);
    return 1;
  }
  for (const path of known) {
    if (conflicts.has(path)) {
      if (stage !== 0) {
        const entry = repo.index.get(path, stage);
        if (entry === undefined)
          git.fail(`path '${path}' does not have ${stage === 2 ? 'our' : 'their'} version`);
        writeToDisk(repo, path, entryFile(repo, entry));
        count++;
      } else if (line.has('merge') || line.value('conflict') !== undefined) {
        remakeConflict(git, path, line.value('conflict'));
        count++;
      }
      continue;
    }
    const entry = repo.index.get(path);
    if (entry === undefined) continue;
    const disk = diskFile(repo, path, entry);
    if (disk !== undefined && disk.oid === entry.oid && disk.mode === entry.mode.toString(8)) continue;
    placeFile(repo, path, entryFile(repo, entry));
    count++;
  }
  repo.saveIndex();
  const isPlainConflict = known.length > 0 && known.every((path) => conflicts.has(path)) && line.has('merge');
  if (!line.has('quiet') && (line.after === undefined || isPlainConflict))
    git.err(
      isPlainConflict
        ? `Recreated ${count} merge conflict${count === 1 ? '' : 's'}\n`
        : `Updated ${count} path${count === 1 ? '' : 's'} from the index\n`,
    );
  return 0;
}

/** Ends the command where a path means nothing. */
export function tellUnmatched(git: Git, paths: Pathspec): void {
  const missing = paths.unmatched();
  for (const text of missing) git.error(`pathspec '${text}' did not match any file(s) known to git`);
  if (missing.length > 0) git.exit(1);
}

/** Writes the markers of a conflict again. */
export function remakeConflict(git: Git, path: string, style: string | undefined): void {
  const { repo } = git;
  const text = (stage: number): string => {
    const entry = repo.index.get(path, stage);
    return entry === undefined ? '' : repo.objects.text(entry.oid);
  };
  const ours = repo.index.get(path, 2);
  const merged = mergeTexts(
    text(1),
    [text(2), text(3)],
    { ours: 'ours', base: 'base', theirs: 'theirs' },
    style === 'diff3' ? { style: 'diff3' } : mergeStyle(git),
  );
  const bytes = toBytes(merged.text);
  writeToDisk(repo, path, { mode: (ours?.mode ?? 0o100644).toString(8), oid: '', read: () => bytes });
}
