/**
 * The files of a service as a tree: folders that have a row, folders that only their files show, entries in order.
 *
 * Made of the rows once per state. Names are in the order of their bytes, as a file system lists them through Node.
 * Sizes are UTF-8 bytes; a file whose content nobody saw has none.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import type { StoredRow } from '../service.js';
import { makeRow } from '../store/store.js';
import { fitsGlob } from './file-glob.js';
import { folderOf, joined, nameOf, relativeTo } from './file-paths.js';
import type { FileToolSpec } from './spec-files.js';

/** One entry as answers see it. */
export interface FileEntry {
  readonly path: string;
  readonly row: StoredRow | undefined;
  readonly isFolder: boolean;
}

/** The files of one state. */
export class FileTree {
  private readonly rows = new Map<string, StoredRow>();
  private readonly names = new Map<string, Set<string>>();

  constructor(rows: Iterable<StoredRow>, roots: readonly string[]) {
    for (const folder of roots.length === 0 ? [''] : roots) this.names.set(folder, new Set());
    for (const row of rows) {
      const { path } = row.data;
      if (typeof path !== 'string' || path === '') continue;
      this.rows.set(path, row);
      if (row.data.type === 'directory') this.folderNames(path);
      for (let at = path; folderOf(at) !== at; at = folderOf(at)) {
        this.folderNames(folderOf(at)).add(nameOf(at));
        if (folderOf(at) === '') break;
      }
    }
  }

  private folderNames(path: string): Set<string> {
    const known = this.names.get(path) ?? new Set<string>();
    this.names.set(path, known);
    return known;
  }

  /** What a path names; undefined where nothing is. */
  entry(path: string): FileEntry | undefined {
    const row = this.rows.get(path);
    const isFolder = this.names.has(path);
    return row === undefined && !isFolder ? undefined : { path, row, isFolder };
  }

  /** What lies directly in a folder. */
  entries(folder: string): readonly FileEntry[] {
    return [...(this.names.get(folder) ?? [])]
      .sort(byBytes)
      .flatMap((name) => this.entry(joined(folder, name)) ?? []);
  }

  /** What lies in a folder at any depth, each folder before what is in it. */
  below(folder: string, isLeftOut: (path: string) => boolean = () => false): readonly FileEntry[] {
    return this.entries(folder).flatMap((one) => {
      if (isLeftOut(one.path)) return [];
      return one.isFolder ? [one, ...this.below(one.path, isLeftOut)] : [one];
    });
  }

  /** A folder as nested members `name`, `type` and, of folders, `children`. */
  nested(folder: string, isLeftOut: (path: string) => boolean): readonly JsonObject[] {
    return this.entries(folder).flatMap((one): JsonObject[] => {
      if (isLeftOut(one.path)) return [];
      const name = nameOf(one.path);
      if (!one.isFolder) return [{ name, type: 'file' }];
      return [{ name, type: 'directory', children: this.nested(one.path, isLeftOut) }];
    });
  }
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The content of an entry; undefined for a folder and where nobody saw it. */
export function contentOf({ row }: FileEntry): string | undefined {
  const content = row?.data.content;
  return typeof content === 'string' ? content : undefined;
}

/** How many bytes a text takes in UTF-8. */
export function byteSize(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** What a search finds below a folder; null where content that nobody saw decides. */
export function foundBelow(
  tree: FileTree,
  folder: string,
  of: Pick<FileToolSpec, 'finds'> & { readonly pattern: string; readonly excludes: readonly string[] },
): readonly FileEntry[] | null {
  const isLeftOut = (path: string) => of.excludes.some((glob) => fitsGlob(relativeTo(path, folder), glob));
  const all = tree.below(folder, isLeftOut);
  const wanted = of.pattern.toLowerCase();
  switch (of.finds ?? 'glob') {
    case 'glob':
      return all.filter(({ path }) => fitsGlob(relativeTo(path, folder), of.pattern));
    case 'glob-name':
      return all.filter(({ path }) => fitsGlob(nameOf(path), of.pattern));
    case 'name':
      return all.filter(({ path }) => nameOf(path).toLowerCase().includes(wanted));
    case 'path':
      return all.filter(({ path }) => relativeTo(path, folder).toLowerCase().includes(wanted));
    default: {
      const files = all.filter(({ isFolder }) => !isFolder);
      if (files.some((one) => contentOf(one) === undefined)) return null;
      return files.filter((one) => contentOf(one)?.toLowerCase().includes(wanted) === true);
    }
  }
}

/** What rules and answers see of an entry. */
export function shownEntry(entry: FileEntry, from: string): JsonObject {
  const { path, row, isFolder } = entry;
  const content = contentOf(entry);
  const extra = Object.entries(row?.data ?? {}).filter(
    ([name]) => !['path', 'content', 'type'].includes(name),
  );
  return {
    name: nameOf(path),
    path,
    relative: relativeTo(path, from),
    folder: folderOf(path),
    type: isFolder ? 'directory' : 'file',
    ...(content !== undefined && { size: byteSize(content), content }),
    ...Object.fromEntries(extra as [string, Json][]),
  };
}

/** The tree of plain rows, for whoever looks at files outside of a call. */
export function makeTree(rows: readonly JsonObject[], roots: readonly string[]): FileTree {
  return new FileTree(
    rows.map((row) => makeRow(row, { base: 'recorded' })),
    roots,
  );
}
