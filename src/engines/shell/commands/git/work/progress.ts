/**
 * What a repository is in the middle of, by the files git leaves in `.git`.
 */
import type { Repository } from '../store/repository.js';

/** A rebase that stopped. */
export interface RebaseProgress {
  readonly onto: string;
  /** The branch that is rebased; undefined for a detached HEAD. */
  readonly branch: string | undefined;
  readonly origHead: string;
  readonly done: readonly string[];
  readonly todo: readonly string[];
}

/** What a repository is in the middle of. */
export interface WorkProgress {
  readonly isMerging: boolean;
  readonly cherryPick: string | undefined;
  readonly revert: string | undefined;
  readonly rebase: RebaseProgress | undefined;
}

/** Reads what is under way. */
export function stateOfWork(repo: Repository): WorkProgress {
  return {
    isMerging: repo.note('MERGE_HEAD') !== undefined,
    cherryPick: repo.note('CHERRY_PICK_HEAD')?.trim(),
    revert: repo.note('REVERT_HEAD')?.trim(),
    rebase: readRebase(repo),
  };
}

function readRebase(repo: Repository): RebaseProgress | undefined {
  const onto = repo.note('rebase-merge/onto');
  if (onto === undefined) return undefined;
  const name = (repo.note('rebase-merge/head-name') ?? '').trim();
  return {
    onto: onto.trim(),
    branch: name.startsWith('refs/heads/') ? name.slice(11) : undefined,
    origHead: (repo.note('rebase-merge/orig-head') ?? '').trim(),
    done: todoLines(repo.note('rebase-merge/done')),
    todo: todoLines(repo.note('rebase-merge/git-rebase-todo')),
  };
}

/** The commands of a list of what a rebase does. */
export function todoLines(text: string | undefined): string[] {
  return (text ?? '').split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
}
