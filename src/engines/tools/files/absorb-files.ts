/**
 * What an answer of a file service shows: files with their content, names in listings and trees, paths that a search
 * found.
 *
 * The content that a read shows is believed unless it only decorates what is known. Of listings those lines count that
 * say what they are (`[FILE] a.txt`, a folder's sign, a trailing slash) or that are a bare name; JSON lists and trees
 * count by their members `name`, `path`, `type` and `children`; names in a line are joined by commas. Not covered: tables, names cut short.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../core/index.js';
import type { Call } from '../run/run-call.js';
import type { Plan } from '../service.js';
import { own, rowsOf } from '../store/store.js';
import { isWithin, joined, meantPath } from './file-paths.js';
import { FileTree } from './file-tree.js';
import type { FileToolSpec } from './spec-files.js';

interface Shown {
  readonly plan: Plan;
  readonly tool: FileToolSpec;
  readonly text: string;
}

/** Rows of files that an answer shows and the state lacks or has otherwise. */
export function filesShown(call: Call, { tool, text }: Shown): readonly JsonObject[] {
  const roots = call.world.spec.files?.roots ?? [];
  const given = (tool.path ?? []).flatMap((name) => {
    const value = own(call.args, name);
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  const { path } = meantPath(given.join('/'), roots);
  const tree = new FileTree(rowsOf(call.state, 'files').values(), roots);
  switch (tool.does) {
    case 'read':
      return readShown(call, { tool, text, path, known: tree.entry(path)?.row?.data.content });
    case 'list':
    case 'tree':
      return unknownTo(tree, namesShown(text, path, tool.does === 'tree'));
    case 'search':
      return unknownTo(tree, pathsShown(text, roots));
    default:
      return [];
  }
}

function readShown(
  call: Call,
  of: {
    readonly tool: FileToolSpec;
    readonly text: string;
    readonly path: string;
    readonly known: Json | undefined;
  },
): readonly JsonObject[] {
  const { tool, text, path, known } = of;
  const isPart = [tool.head, tool.tail].some(
    (name) => name !== undefined && own(call.args, name) !== undefined,
  );
  if (isPart || path === '') return [];
  // The text may have a frame around the content: a title, a fence.
  if (typeof known === 'string' && known !== '' && text !== known && text.includes(known)) return [];
  return [{ path, content: text }];
}

interface Named {
  readonly path: string;
  readonly isFolder: boolean;
}

function unknownTo(tree: FileTree, found: readonly Named[]): readonly JsonObject[] {
  return found.flatMap(({ path, isFolder }): JsonObject[] => {
    if (tree.entry(path) !== undefined) return [];
    return [isFolder ? { path, type: 'directory' } : { path }];
  });
}

function namesShown(text: string, folder: string, isTree: boolean): readonly Named[] {
  const parsed = parseJson(text);
  if (parsed.ok && typeof parsed.value === 'object') return membersShown(parsed.value, folder, 0);
  if (isTree) return [];
  return text.split('\n').flatMap((line) => linesOf(line).flatMap((one) => lineShown(one, folder)));
}

/** The names of a line that holds several, joined by commas: `one.md,two.md`. */
function linesOf(line: string): readonly string[] {
  const pieces = line.split(/,\s?/);
  const isList =
    pieces.length > 1 && pieces.every((piece) => /^[^\s:]+\.[A-Za-z0-9]{1,8}$/.test(piece.trim()));
  return isList ? pieces : [line];
}

const MARKED =
  /^\s*(?:[-*•]\s+)?(?:\[(file|dir|directory|folder)\]|(📁|📂|📄|📝)|(file|dir|directory|folder):)\s*(.+?)(?:\s{2,}.*)?$/iu;

function lineShown(line: string, folder: string): readonly Named[] {
  const marked = MARKED.exec(line);
  if (marked !== null) {
    const sign = (marked[1] ?? marked[2] ?? marked[3] ?? '').toLowerCase();
    const isFolder = sign.startsWith('d') || sign.startsWith('fo') || sign === '📁' || sign === '📂';
    return named(marked[4] ?? '', folder, isFolder);
  }
  const bare = line.trim();
  if (/^[^\s:]+\/$/.test(bare)) return named(bare, folder, true);
  return /^[^\s:]+\.[A-Za-z0-9]{1,8}$/.test(bare) ? named(bare, folder, false) : [];
}

function named(name: string, folder: string, isFolder: boolean): readonly Named[] {
  const plain = name.trim().replace(/\/+$/, '');
  if (plain === '' || plain === '.' || plain === '..') return [];
  const path = plain.startsWith('/') ? plain : joined(folder, plain);
  return isWithin(path, folder) ? [{ path, isFolder }] : [];
}

const DEEPEST = 40;

function membersShown(value: Json, folder: string, depth: number): readonly Named[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item: Json) =>
      typeof item === 'string'
        ? named(item, folder, item.endsWith('/'))
        : membersShown(item, folder, depth + 1),
    );
  }
  if (!isJsonObject(value)) return [];
  const name = value.path ?? value.name;
  if (typeof name !== 'string') {
    return Object.values(value).flatMap((part) =>
      Array.isArray(part) ? membersShown(part, folder, depth + 1) : [],
    );
  }
  const { children } = value;
  const isFolder = Array.isArray(children) || /^(?:dir|folder)/i.test(String(value.type ?? ''));
  const own = named(name, folder, isFolder);
  const [first] = own;
  if (first === undefined || !Array.isArray(children)) return own;
  return [...own, ...membersShown(children, first.path, depth + 1)];
}

/** Lines that are a path: absolute in a root, or with an extension. */
function pathsShown(text: string, roots: readonly string[]): readonly Named[] {
  return text.split('\n').flatMap((line): Named[] => {
    const bare = line.trim();
    if (roots.length > 0) {
      const isOwn = roots.some((root) => bare.startsWith(`${root}/`));
      return isOwn && /\.[A-Za-z0-9]{1,8}$/.test(bare) ? [{ path: bare, isFolder: false }] : [];
    }
    return /^[^\s:]+\.[A-Za-z0-9]{1,8}$/.test(bare) ? [{ path: bare, isFolder: false }] : [];
  });
}
