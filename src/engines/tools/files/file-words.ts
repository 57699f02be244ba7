/**
 * How a file service says that something cannot be done, and the failures that say so.
 *
 * Node and Python have fixed sentences for what the system refuses, with the system call or the number in them; which
 * of them a service uses its recording shows. A tool's own words (`shapes.TOOL.errors`) win over these; they see `row`
 * with `path` as it is kept, `given`, `folder`, `allowed` (the roots), `to` and `oldText`. Not covered: other platforms.
 */
import type { JsonObject } from '../../../core/index.js';
import { ToolFailure } from '../run/run-call.js';
import type { FileAction, FilesSpec } from './spec-files.js';

/** Why a file tool fails. */
export type FileFailureKind =
  | 'not-found'
  | 'exists'
  | 'outside'
  | 'is-folder'
  | 'not-folder'
  | 'no-match'
  | 'refused';

/** What failed, on which path. */
export interface FileFailure {
  readonly kind: FileFailureKind;
  readonly does: FileAction;
  readonly path: string;
  readonly given: string;
  readonly to?: string;
  readonly roots: readonly string[];
  readonly oldText?: string;
}

const CALLS: Readonly<Partial<Record<FileAction, string>>> = {
  list: 'scandir',
  tree: 'scandir',
  search: 'scandir',
  info: 'stat',
  delete: 'unlink',
  folder: 'mkdir',
};

const NODE: Readonly<Partial<Record<FileFailureKind, string>>> = {
  'not-found': 'ENOENT: no such file or directory',
  exists: 'EEXIST: file already exists',
  'is-folder': 'EISDIR: illegal operation on a directory',
  'not-folder': 'ENOTDIR: not a directory',
};

const PYTHON: Readonly<Partial<Record<FileFailureKind, string>>> = {
  'not-found': '[Errno 2] No such file or directory',
  exists: '[Errno 17] File exists',
  'is-folder': '[Errno 21] Is a directory',
  'not-folder': '[Errno 20] Not a directory',
};

/** The failure in the words of the service's platform. */
export function fileFailure(words: FilesSpec['words'], failure: FileFailure): ToolFailure {
  const { kind, path, given, to, roots, oldText } = failure;
  const seen: JsonObject = {
    path,
    given,
    folder: path.slice(0, Math.max(0, path.lastIndexOf('/'))),
    allowed: roots.join(', '),
    ...(to !== undefined && { to }),
    ...(oldText !== undefined && { oldText }),
  };
  return new ToolFailure(sentence(words, failure), kind, [], { row: seen });
}

function sentence(words: FilesSpec['words'], failure: FileFailure): string {
  const { kind, does, path, to } = failure;
  const python = words === 'python' ? PYTHON[kind] : undefined;
  if (python !== undefined) return `${python}: '${path}'${to === undefined ? '' : ` -> '${to}'`}`;
  const node = words === 'node' ? NODE[kind] : undefined;
  if (node === undefined) return plain(failure);
  if (does === 'move') return `${node}, rename '${path}' -> '${to ?? ''}'`;
  if (kind === 'is-folder' && does.startsWith('read')) return `${node}, read`;
  return `${node}, ${CALLS[does] ?? 'open'} '${path}'`;
}

function plain({ kind, path, given, to, oldText }: FileFailure): string {
  switch (kind) {
    case 'not-found':
      return `No such file or directory: ${path}`;
    case 'exists':
      return `File already exists: ${to ?? path}`;
    case 'outside':
      return `Path outside of the allowed folders: ${given}`;
    case 'is-folder':
      return `Is a directory: ${path}`;
    case 'not-folder':
      return `Not a directory: ${path}`;
    case 'no-match':
      return `Text to replace not found in ${path}: ${oldText ?? ''}`;
    default:
      return `Missing argument for ${path}`;
  }
}
