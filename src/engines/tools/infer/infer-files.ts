/**
 * Tools on files: a collection `files` whose key is the path.
 *
 * Reading answers the content, writing is an upsert, moving changes the key, listing a folder answers the rows below
 * it. Edits by pieces and copies are left `unknown`: rows do not tell what they give. Not covered: file stores that
 * name files by an id; they are ordinary collections.
 */

import type { Intent, IntentContext } from './infer-intent-types.js';
import type { Property } from './infer-schema.js';
import type { ToolFacts } from './infer-tool.js';
import { singularOf, splitWords } from './words.js';

const FILE = ['file'];
const FOLDERS = new Set(['directory', 'folder', 'dir', 'tree']);
const FILE_WORDS = new Set(['file', 'path', ...FOLDERS]);
const PATHS = new Set([
  'path',
  'file path',
  'filepath',
  'filename',
  'file',
  'dir',
  'directory',
  'folder',
  'dir path',
  'directory path',
  'folder path',
  'relative path',
  'absolute path',
  'full path',
  'pathname',
  'root path',
  'root',
]);
const SOURCES = new Set(['source', 'src', 'from', 'old path', 'source path', 'from path', 'oldpath']);
const DESTINATIONS = new Set([
  'destination',
  'dest',
  'dst',
  'to',
  'new path',
  'destination path',
  'to path',
  'target',
  'newpath',
  'target path',
  'dest path',
]);

/** What a file tool means; undefined if the tool is not about files named by their path. */
export function fileIntent(facts: ToolFacts, context: IntentContext): Intent | undefined {
  const paths = pathsOf(facts);
  if (paths === undefined || !speaksOfFiles(facts, context)) return undefined;
  const folder = facts.words.some((word) => FOLDERS.has(singularOf(word)));
  const base = { facts, noun: FILE, files: true } as const;
  if (paths.source !== undefined && paths.destination !== undefined) return movedIntent(base, paths.source);
  const { path } = paths;
  if (path === undefined) return undefined;
  switch (facts.parsed.verb?.kind ?? (folder ? 'list' : undefined)) {
    case 'get':
      return readIntent(base, { path, folder });
    case 'list':
    case 'search':
    case 'count':
      return belowIntent(
        base,
        path,
        facts.words.some((word) => word === 'tree' || word === 'recursive'),
      );
    case 'create':
      if (folder)
        return {
          ...base,
          op: 'upsert',
          keyArgument: path,
          sets: { type: 'directory' },
          why: 'it makes a folder if there is none',
        };
      return { ...base, op: 'create', keyArgument: path, why: 'it makes the file that the path names' };
    case 'upsert':
      return {
        ...base,
        op: 'upsert',
        keyArgument: path,
        why: 'it writes the whole file that the path names',
      };
    case 'update':
      return editIntent(base, path);
    case 'delete':
    case 'drop':
      return { ...base, op: 'delete', keyArgument: path, why: 'it deletes the file that the path names' };
    case 'add':
      return { facts, op: 'unknown', why: 'it adds to the end of a text, which needs an override' };
    default:
      return undefined;
  }
}

type Base = { readonly facts: ToolFacts; readonly noun: readonly string[]; readonly files: true };

function movedIntent(base: Base, source: Property): Intent {
  const kind = base.facts.parsed.verb?.kind;
  const renames = kind === 'move' || base.facts.parsed.verb?.word === 'rename';
  if (!renames)
    return { facts: base.facts, op: 'unknown', why: 'it makes a copy, which rows alone do not tell how' };
  return { ...base, op: 'update', keyArgument: source, why: `the path ${source.name} becomes the other one` };
}

function readIntent(base: Base, at: { path: Property; folder: boolean }): Intent {
  const { facts } = base;
  if (at.folder) return belowIntent(base, at.path, facts.words.includes('tree'));
  if (at.path.types.includes('array')) {
    const batch = { argument: at.path, items: 'keys', properties: [] } as const;
    return {
      ...base,
      op: 'get',
      batch,
      only: 'content',
      why: `it reads the content of each of ${at.path.name}`,
    };
  }
  const about = facts.words.some((word) =>
    ['info', 'metadata', 'stat', 'stats', 'details', 'attributes', 'properties'].includes(word),
  );
  if (about) return { ...base, op: 'get', keyArgument: at.path, why: 'it reads what is known of the file' };
  return {
    ...base,
    op: 'get',
    keyArgument: at.path,
    only: 'content',
    why: 'it reads the content of the file that the path names',
  };
}

function belowIntent(base: Base, path: Property, tree: boolean): Intent {
  const search = base.facts.parsed.verb?.kind === 'search';
  const under = { argument: path.name, deep: search || tree };
  const op = search ? 'search' : base.facts.parsed.verb?.kind === 'count' ? 'count' : 'list';
  return {
    ...base,
    op,
    under,
    why: `it answers files ${under.deep ? 'at any depth below' : 'directly in'} ${path.name}`,
  };
}

function editIntent(base: Base, path: Property): Intent {
  const whole = base.facts.args.some((argument) =>
    ['content', 'contents', 'text', 'new content', 'body', 'data'].includes(
      splitWords(argument.name).join(' '),
    ),
  );
  if (!whole)
    return { facts: base.facts, op: 'unknown', why: 'it edits a text by pieces, which needs an override' };
  return { ...base, op: 'update', keyArgument: path, why: 'it changes the file that the path names' };
}

function pathsOf(
  facts: ToolFacts,
): { path?: Property; source?: Property; destination?: Property } | undefined {
  const find = (names: ReadonlySet<string>) =>
    facts.args.find(
      (argument) =>
        names.has(splitWords(argument.name).map(singularOf).join(' ')) &&
        argument.types.every((type) => type === 'string' || type === 'array'),
    );
  const path = find(PATHS);
  const source = find(SOURCES);
  const destination = find(DESTINATIONS);
  if (path === undefined && (source === undefined || destination === undefined)) return undefined;
  return {
    ...(path === undefined ? {} : { path }),
    ...(source === undefined ? {} : { source }),
    ...(destination === undefined ? {} : { destination }),
  };
}

/** The object is a file or folder; or the verb has no object and the server speaks of files elsewhere. */
function speaksOfFiles(facts: ToolFacts, context: IntentContext): boolean {
  const { object, verb } = facts.parsed;
  if (verb === undefined && !object.some((word) => FOLDERS.has(singularOf(word)))) return false;
  if (verb?.kind === 'act' && verb.word !== 'drop') return false;
  if (context.nouns.entries.get('file')?.name !== undefined && object.length === 0) return true;
  if (object.some((word) => FILE_WORDS.has(singularOf(word)))) return true;
  if (object.length > 0) return false;
  return context.tools.some((other) => other.parsed.object.some((word) => FILE_WORDS.has(singularOf(word))));
}

/** True for the argument that says where a file goes. */
export function isDestination(argument: Property): boolean {
  return DESTINATIONS.has(splitWords(argument.name).join(' '));
}
