/**
 * One repository: where it is, its objects, references, index and settings.
 *
 * Source: gitrepository-layout. Not covered: worktrees of `git worktree`, submodules (kept as entries, never entered).
 */
import type { GitFiles } from './files.js';
import { type Index, readIndex, writeIndex } from './index-file.js';
import { ObjectStore } from './object-store.js';
import { RefStore } from './refs.js';

/** Where a repository is. */
export interface RepositoryPlace {
  readonly gitDir: string;
  /** Null for a bare one. */
  readonly workTree: string | null;
}

/** True for a folder that is a repository. */
export function isGitDir(files: GitFiles, path: string): boolean {
  const head = files.look(`${path}/HEAD`);
  return head !== undefined && files.isFolder(`${path}/objects`) && files.isFolder(`${path}/refs`);
}

/** The `.git` that a path means: a folder, or a file that names one. */
export function gitDirAt(files: GitFiles, path: string): string | undefined {
  const dotGit = `${path === '/' ? '' : path}/.git`;
  if (isGitDir(files, dotGit)) return dotGit;
  const text = files.textIfThere(dotGit);
  if (text?.startsWith('gitdir: ') === true) {
    const target = text.slice(8).trim();
    return target.startsWith('/') ? target : `${path}/${target}`;
  }
  return undefined;
}

/** Looks for a repository from a folder upwards. */
export function discover(files: GitFiles, cwd: string): RepositoryPlace | undefined {
  for (let at = cwd; ; at = at.slice(0, at.lastIndexOf('/')) || '/') {
    const gitDir = gitDirAt(files, at);
    if (gitDir !== undefined) return { gitDir, workTree: at };
    if (isGitDir(files, at)) {
      return at.endsWith('/.git')
        ? { gitDir: at, workTree: at.slice(0, -5) || '/' }
        : { gitDir: at, workTree: null };
    }
    if (at === '/') return undefined;
  }
}

/** An open repository. */
export class Repository {
  readonly objects: ObjectStore;
  readonly refs: RefStore;
  private loaded: Index | undefined;

  constructor(
    readonly files: GitFiles,
    readonly place: RepositoryPlace,
    keepsLogs: (isBare: boolean) => boolean,
  ) {
    this.objects = new ObjectStore(files, `${place.gitDir}/objects`);
    this.refs = new RefStore(files, place.gitDir, () => keepsLogs(place.workTree === null));
  }

  get gitDir(): string {
    return this.place.gitDir;
  }

  get isBare(): boolean {
    return this.place.workTree === null;
  }

  /** The root of the work tree; the repository itself where it is bare. */
  get root(): string {
    return this.place.workTree ?? this.place.gitDir;
  }

  /** The path of a file below the work tree. */
  path(name: string): string {
    return this.root === '/' ? `/${name}` : `${this.root}/${name}`;
  }

  get index(): Index {
    this.loaded ??= readIndex(this.files, `${this.gitDir}/index`);
    return this.loaded;
  }

  /** Writes the index back. */
  saveIndex(): void {
    if (this.loaded !== undefined) writeIndex(this.files, `${this.gitDir}/index`, this.loaded);
  }

  /** The moment of the index file, for telling whether a file may have changed since. */
  get indexTimeUs(): number {
    return this.files.look(`${this.gitDir}/index`)?.mtimeUs ?? 0;
  }

  /** The commit of HEAD; undefined before the first one. */
  get head(): string | undefined {
    return this.refs.resolve('HEAD');
  }

  /** The reference HEAD stands for, such as `refs/heads/main`; undefined where it is detached. */
  get headRef(): string | undefined {
    return this.refs.symbolic('HEAD');
  }

  /** The branch of HEAD; undefined where it is detached. */
  get branch(): string | undefined {
    const ref = this.headRef;
    return ref?.startsWith('refs/heads/') === true ? ref.slice(11) : ref;
  }

  /** The text of a file of the `.git` folder such as `MERGE_HEAD`; undefined where there is none. */
  note(name: string): string | undefined {
    return this.files.textIfThere(`${this.gitDir}/${name}`);
  }

  writeNote(name: string, text: string): void {
    this.files.write(`${this.gitDir}/${name}`, text);
  }

  removeNote(name: string): void {
    this.files.remove(`${this.gitDir}/${name}`);
  }
}
