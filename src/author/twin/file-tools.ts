/**
 * Tells of one tool what it does to files, and which argument plays which part.
 *
 * Names decide, descriptions only where names do not. A path may be made of several arguments: a project and a file in
 * it. Undefined: the tool is not about files, or what it does is not known.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import type { FileToolSpec } from '../../engines/index.js';

/** What a tool does to files; undefined for a tool on other things. */
export function fileTool(tool: ToolDefinition): FileToolSpec | undefined {
  const facts = factsOf(tool);
  const does = actionOf(facts);
  if (does === undefined) return undefined;
  if (does === 'roots') return { does };
  const { source, to, path } = facts;
  const isMove = does === 'move' || does === 'copy';
  if (isMove && ((source ?? path[0]) === undefined || to === undefined)) return undefined;
  const from = isMove && source !== undefined ? [source] : [...path];
  const isAnywhere = ['list', 'tree', 'search'].includes(does);
  if (from.length === 0 && !isAnywhere) return undefined;
  const parts = partsOf(facts);
  if ((does === 'write' || does === 'append') && parts.content === undefined) return undefined;
  if (does === 'edit' && parts.edits === undefined && parts.oldText === undefined) return undefined;
  if (does === 'search' && parts.pattern === undefined) return undefined;
  const has = (...words: readonly string[]) => words.some((word) => facts.words.includes(word));
  return {
    does,
    path: from,
    ...(isMove && to !== undefined && { to }),
    ...pick(parts, USED[does] ?? []),
    ...(does === 'write' && has('update') && { needsFile: true }),
    ...((does === 'write' || does === 'folder') && has('create', 'new') && { needsNone: true }),
  };
}

interface ToolFacts {
  readonly words: readonly string[];
  readonly description: string;
  readonly names: readonly string[];
  readonly schemas: JsonObject;
  readonly path: readonly string[];
  readonly source: string | undefined;
  readonly to: string | undefined;
}

const PATH = new Set(
  'path|file path|filepath|filename|file name|file|note|note path|notepath|note name|dir|directory|folder|dir path|directory path|folder path|dirpath|relative path|absolute path|full path|pathname|root path|paths|file paths|files|filepaths|filenames|file names|directory name|folder name|project name|project|vault|workspace'.split(
    '|',
  ),
);
const SOURCE = new Set(
  'source|src|from|old path|source path|from path|source file|src path|old name|oldpath'.split('|'),
);
const TARGET = new Set(
  'destination|dest|dst|to|new path|destination path|to path|target|target path|dest path|newpath|new name|destination file'.split(
    '|',
  ),
);
/** What holds other things stands before what is held. */
const HOLDERS = /^(?:vault|project|workspace|dir|directory|folder)/;

function factsOf(tool: ToolDefinition): ToolFacts {
  const { properties } = tool.inputSchema;
  const schemas = isJsonObject(properties) ? properties : {};
  const names = Object.keys(schemas);
  const isIn = (set: ReadonlySet<string>) => (name: string) => set.has(wordsOf(name).join(' '));
  const paths = names.filter(isIn(PATH)).filter((name) => isPath(schemas[name]));
  const holders = paths.filter((name) => HOLDERS.test(wordsOf(name).join(' ')));
  const held = paths.filter((name) => !holders.includes(name));
  const source = names.find(isIn(SOURCE));
  const to = names.find(isIn(TARGET));
  const path = held.length > 1 ? held.slice(0, 1) : held;
  return {
    words: wordsOf(tool.name),
    description: tool.description ?? '',
    names,
    schemas,
    path: [...holders.slice(0, 2), ...path],
    source,
    to,
  };
}

function isPath(schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return false;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.some((type) => type === 'string' || type === 'array' || type === undefined);
}

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

const FOLDER_WORDS = ['directory', 'directories', 'dir', 'folder', 'folders', 'projects', 'project'];
const FILE_WORDS = [
  'file',
  'files',
  'note',
  'notes',
  'document',
  'documents',
  'path',
  'paths',
  'text',
  'memory',
  'bank',
  'vault',
];

function actionOf(facts: ToolFacts): FileToolSpec['does'] | undefined {
  const { words, schemas, path, to, description } = facts;
  const has = (...any: readonly string[]) => any.some((word) => words.includes(word));
  const isFolder = has(...FOLDER_WORDS) && !has('file', 'files', 'note');
  const isList = path.some((name) => isMany(schemas[name]));
  if (has('allowed', 'roots') && facts.names.length === 0) return 'roots';
  if (path.length === 0 && facts.source === undefined && !has(...FILE_WORDS, ...FOLDER_WORDS))
    return undefined;
  if (has('tag', 'tags', 'media', 'image', 'vaults')) return undefined;
  if (has('tree')) return 'tree';
  if (has('search', 'find', 'grep', 'glob')) return 'search';
  if (has('info', 'stat', 'stats', 'metadata')) return 'info';
  if (has('move', 'rename') && to !== undefined) return 'move';
  if (has('copy', 'duplicate') && to !== undefined) return 'copy';
  if (has('delete', 'remove', 'unlink', 'rm')) return 'delete';
  if (has('append')) return 'append';
  if (has('edit', 'patch', 'replace', 'modify'))
    return partsOf(facts).oldText !== undefined || partsOf(facts).edits !== undefined ? 'edit' : 'write';
  if (has('mkdir') || (isFolder && has('create', 'make', 'new', 'ensure'))) return 'folder';
  if (has('list', 'ls', 'dir')) return /recursiv/i.test(words.join(' ')) ? 'tree' : 'list';
  if (has('write', 'save', 'create', 'put', 'update', 'overwrite', 'set')) return 'write';
  if (!has('read', 'get', 'view', 'cat', 'show', 'open', 'load', 'fetch')) return undefined;
  if (isList) return 'read-many';
  if (isFolder && /\blist|contents of (?:a|the) (?:dir|folder)/i.test(description)) return 'list';
  return 'read';
}

function isMany(schema: Json | undefined): boolean {
  return isJsonObject(schema) && schema.type === 'array';
}

type Parts = Partial<Record<keyof typeof PART_NAMES, string>>;

const PART_NAMES = {
  content: ['content', 'contents', 'text', 'body', 'data', 'new content', 'file content'],
  edits: ['edits', 'changes', 'replacements', 'operations'],
  oldText: ['old text', 'old str', 'old string', 'old content', 'search', 'find', 'old'],
  newText: ['new text', 'new str', 'new string', 'new content', 'replace', 'replacement', 'new'],
  dryRun: ['dry run', 'preview', 'dryrun'],
  head: ['head', 'first lines'],
  tail: ['tail', 'last lines'],
  pattern: ['pattern', 'query', 'q', 'search', 'search term', 'glob', 'text', 'term', 'keyword', 'regex'],
  excludes: ['exclude patterns', 'excludes', 'exclude', 'ignore', 'ignore patterns'],
  sortBy: ['sort by', 'sort', 'order by'],
} as const;

const USED: Readonly<Partial<Record<FileToolSpec['does'], readonly (keyof Parts)[]>>> = {
  read: ['head', 'tail'],
  write: ['content'],
  append: ['content'],
  edit: ['edits', 'oldText', 'newText', 'dryRun'],
  list: ['sortBy', 'excludes'],
  tree: ['excludes'],
  search: ['pattern', 'excludes'],
};

function partsOf({ names, schemas }: Pick<ToolFacts, 'names' | 'schemas'>): Parts {
  const find = (own: readonly string[], wanted: readonly string[]) =>
    wanted.flatMap((words) => own.find((name) => wordsOf(name).join(' ') === words) ?? [])[0];
  const edits = find(names, PART_NAMES.edits);
  const items = edits === undefined ? undefined : itemNames(schemas[edits]);
  const found = Object.entries(PART_NAMES).map(([part, wanted]) => {
    const isPiece = part === 'oldText' || part === 'newText';
    return [part, find(isPiece && items !== undefined ? items : names, wanted)] as const;
  });
  return Object.fromEntries(found.filter(([, name]) => name !== undefined)) as Parts;
}

function itemNames(schema: Json | undefined): readonly string[] | undefined {
  const items = isJsonObject(schema) ? schema.items : undefined;
  const properties = isJsonObject(items) ? items.properties : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : undefined;
}

function pick(parts: Parts, names: readonly (keyof Parts)[]): Parts {
  return Object.fromEntries(
    names.flatMap((name) => (parts[name] === undefined ? [] : [[name, parts[name]]])),
  );
}
