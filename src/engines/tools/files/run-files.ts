/**
 * What the tools of a file service do, computed on the tree of its files.
 *
 * Each tool is bound by the world's `files` (`spec-files.ts`). Paths are brought into one form and refused outside of
 * the roots before anything else; reads and writes go through the Host as those of rows do. Where content that nobody
 * saw decides the answer, the facts say `lacking` and the Host is asked. Not covered: see `spec-files.ts`.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../core/index.js';
import { inOwnWords } from '../result/result-shape.js';
import { type Call, type Steps, ToolFailure } from '../run/run-call.js';
import type { Facts, ItemResult } from '../run/run-facts.js';
import { listOf, readRow, removeRow, writeRow } from '../run/run-rows.js';
import type { Collection, Plan, StoredRow } from '../service.js';
import { changeRow, makeRow, own, rowsOf } from '../store/store.js';
import { diffHunks, type Edit, editText } from './file-edit.js';
import { fitsGlob } from './file-glob.js';
import { folderOf, isWithin, meantPath, relativeTo } from './file-paths.js';
import { byteSize, contentOf, type FileEntry, FileTree, foundBelow, shownEntry } from './file-tree.js';
import { type FileFailure, fileFailure } from './file-words.js';
import type { FileAction, FilesSpec, FileToolSpec } from './spec-files.js';

/** Runs a tool of a file service. */
export function* runFileTool(
  call: Call,
  of: { readonly plan: Plan; readonly tool: FileToolSpec; readonly collection: Collection },
): Steps<Facts> {
  const spec = call.world.spec.files ?? { roots: [], parents: 'made', words: 'plain', tools: {} };
  return yield* new FileCall(call, spec, of).run(call.args);
}

const TREES = new WeakMap<object, FileTree>();

class FileCall {
  private readonly tool: FileToolSpec;
  private readonly collection: Collection;
  private readonly op: Plan['op'];

  constructor(
    private readonly call: Call,
    private readonly spec: FilesSpec,
    of: { readonly plan: Plan; readonly tool: FileToolSpec; readonly collection: Collection },
  ) {
    this.tool = of.tool;
    this.collection = of.collection;
    this.op = of.plan.op;
  }

  *run(args: JsonObject): Steps<Facts> {
    switch (this.tool.does) {
      case 'roots':
        return this.found({ more: { roots: [...this.spec.roots] } });
      case 'read-many':
        return yield* this.readMany(args);
      case 'read':
        return yield* this.read(args, this.path(args));
      case 'list':
      case 'tree':
      case 'search':
        return this.folderFacts(args);
      case 'info':
        return this.info(this.path(args));
      case 'write':
      case 'append':
        return yield* this.write(args);
      case 'edit':
        return yield* this.edit(args);
      case 'folder':
        return yield* this.makeFolder(this.path(args));
      case 'move':
      case 'copy':
        return yield* this.move(args);
      default:
        return yield* this.remove(this.path(args));
    }
  }

  private get tree(): FileTree {
    const rows = rowsOf(this.call.state, this.collection.name);
    const known = TREES.get(rows);
    if (known !== undefined) return known;
    this.call.spend(rows.size);
    const made = new FileTree(rows.values(), this.spec.roots);
    TREES.set(rows, made);
    return made;
  }

  private found(facts: Partial<Facts>): Facts {
    return { op: this.op, collection: this.collection, message: this.tool.does, ...facts };
  }

  /** The path that the arguments make; a failure for one that lies outside. */
  private path(args: JsonObject, names: readonly string[] = this.tool.path ?? []): string {
    const given = names
      .flatMap((name) => textOf(own(args, name)) ?? [])
      .filter((part) => part !== '')
      .join('/');
    const meant = meantPath(given, this.spec.roots);
    const named = names.flatMap((name) => textOf(own(args, name)) ?? []);
    // Of a path in parts no part may leave the folder that the others name.
    const escapes = named.length > 1 && named.some((part) => !meantPath(part, []).isInside);
    if (!meant.isInside || escapes) throw this.failure('outside', meant.path, { given });
    return meant.path;
  }

  private failure(
    kind: FileFailure['kind'],
    path: string,
    more: Partial<Pick<FileFailure, 'given' | 'to' | 'oldText' | 'does'>> = {},
  ): ToolFailure {
    const { does } = this.tool;
    return fileFailure(this.spec.words, { kind, does, path, given: path, roots: this.spec.roots, ...more });
  }

  private existing(path: string): FileEntry {
    const entry = this.tree.entry(path);
    if (entry === undefined) throw this.failure('not-found', path);
    return entry;
  }

  private file(path: string): FileEntry {
    const entry = this.existing(path);
    if (entry.isFolder) throw this.failure('is-folder', path);
    return entry;
  }

  private *read(args: JsonObject, path: string): Steps<Facts> {
    yield* readRow(this.call, this.collection, { values: { path }, argumentOf: {} });
    const entry = this.file(path);
    const content = contentOf(entry);
    if (content === undefined) return this.found({ lacking: `the content of ${path} was never seen` });
    const shown = cutLines(content, countOf(args, this.tool.head), countOf(args, this.tool.tail));
    return this.found({ row: { shown, ...this.shown(entry) }, only: 'shown' });
  }

  private *readMany(args: JsonObject): Steps<Facts> {
    const items: ItemResult[] = [];
    let lacking: string | undefined;
    const [name = 'paths'] = this.tool.path ?? [];
    for (const item of listOf(own(args, name))) {
      const given = textOf(item) ?? '';
      try {
        const path = meantPath(given, this.spec.roots);
        if (!path.isInside) throw this.failure('outside', path.path, { given, does: 'read' });
        const facts = yield* this.read({}, path.path);
        lacking ??= facts.lacking;
        items.push({ item, name: { path: item }, status: 'ok', facts });
      } catch (thrown) {
        if (!(thrown instanceof ToolFailure)) throw thrown;
        const { message: error } = inOwnWords(this.call, thrown, { [name]: item });
        // What went wrong is in the words; how an item that failed is shown is the same for all.
        items.push({ item, name: { path: item }, status: 'failed', error });
      }
    }
    return this.found({ items, ...(lacking !== undefined && { lacking }) });
  }

  private folderFacts(args: JsonObject): Facts {
    const path = this.path(args);
    const entry = this.existing(path);
    if (!entry.isFolder) throw this.failure('not-folder', path);
    const { tool, tree } = this;
    const excludes = listOf(own(args, tool.excludes ?? '')).flatMap((one) => textOf(one) ?? []);
    const isLeftOut = (one: string) => excludes.some((glob) => fitsGlob(relativeTo(one, path), glob));
    if (tool.does === 'search') {
      const pattern = textOf(own(args, tool.pattern ?? '')) ?? '';
      const found = foundBelow(tree, path, { ...tool, pattern, excludes });
      if (found === null) return this.found({ lacking: 'files that were never seen may hold the text' });
      return this.listed(found, path);
    }
    if (tool.does === 'tree') {
      const more = { tree: tree.nested(path, isLeftOut) };
      return { ...this.listed(tree.below(path, isLeftOut), path), more };
    }
    const entries = tree.entries(path);
    const isBySize = tool.sortBy !== undefined && own(args, tool.sortBy) === 'size';
    const sized = [...entries].sort((a, b) => sizeOf(b) - sizeOf(a));
    return this.listed(isBySize ? sized : entries, path);
  }

  private listed(entries: readonly FileEntry[], from: string): Facts {
    this.call.spend(entries.length);
    const rows = entries.map((entry) => withoutContent(shownEntry(entry, from)));
    return this.found({ rows, total: rows.length });
  }

  private info(path: string): Facts {
    const entry = this.existing(path);
    const { isFolder } = entry;
    const size = sizeOf(entry);
    const row: JsonObject = {
      ...withoutContent(this.shown(entry)),
      ...(!isFolder && { size: Math.max(0, size) }),
      isDirectory: String(isFolder),
      isFile: String(!isFolder),
      permissions: isFolder ? '755' : '644',
      ...this.times(entry),
    };
    const isUnseen = !isFolder && contentOf(entry) === undefined;
    return this.found({ row, ...(isUnseen && { lacking: `the content of ${path} was never seen` }) });
  }

  /** When a file was made and changed last, as the service writes times. */
  private times({ row }: FileEntry): JsonObject {
    const { times } = this.spec;
    if (times === undefined) return {};
    const start = new Date(this.call.world.spec.startMs).toISOString();
    const timeOf = (name: string): string => {
      const value = row?.data[name];
      const iso = typeof value === 'string' ? value : start;
      return times === 'iso' ? iso : jsTime(iso);
    };
    return { created: timeOf('created'), modified: timeOf('modified'), accessed: timeOf('modified') };
  }

  private shown(entry: FileEntry): JsonObject {
    return shownEntry(entry, this.spec.roots[0] ?? '');
  }

  private *write(args: JsonObject): Steps<Facts> {
    const path = this.path(args);
    const entry = this.tree.entry(path);
    if (entry?.isFolder === true) throw this.failure('is-folder', path);
    if (this.tool.needsFile === true && entry === undefined) throw this.failure('not-found', path);
    if (this.tool.needsNone === true && entry !== undefined) throw this.failure('exists', path);
    this.checkFolder(path);
    const given = textOf(own(args, this.tool.content ?? 'content')) ?? '';
    const old = entry === undefined ? '' : contentOf(entry);
    if (this.tool.does === 'append' && old === undefined)
      return this.found({ lacking: `the content of ${path} was never seen` });
    const content = this.tool.does === 'append' ? `${old ?? ''}${given}` : given;
    yield* this.put(path, content);
    return this.done(path, { created: String(entry === undefined), added: byteSize(given) });
  }

  private *edit(args: JsonObject): Steps<Facts> {
    const path = this.path(args);
    const before = contentOf(this.file(path));
    if (before === undefined) return this.found({ lacking: `the content of ${path} was never seen` });
    const edits = this.editsOf(args);
    const edited = editText(before, edits);
    if ('missing' in edited) throw this.failure('no-match', path, { oldText: edited.missing.oldText });
    const isTrial = this.tool.dryRun !== undefined && own(args, this.tool.dryRun) === true;
    if (!isTrial) yield* this.put(path, edited.text);
    const hunks = diffHunks(before.replaceAll('\r\n', '\n'), edited.text);
    return this.done(path, { hunks, fence: fenceFor(hunks), edits: edits.length });
  }

  private editsOf(args: JsonObject): readonly Edit[] {
    const { edits, oldText = 'oldText', newText = 'newText' } = this.tool;
    const given = edits === undefined ? [args] : listOf(own(args, edits));
    return given.filter(isJsonObject).map((one) => ({
      oldText: textOf(own(one, oldText)) ?? '',
      newText: textOf(own(one, newText)) ?? '',
    }));
  }

  private *makeFolder(path: string): Steps<Facts> {
    const entry = this.tree.entry(path);
    if (entry !== undefined && !entry.isFolder) throw this.failure('exists', path);
    if (entry !== undefined && this.tool.needsNone === true) throw this.failure('exists', path);
    if (entry?.row === undefined && entry === undefined) yield* this.putRow({ path, type: 'directory' });
    return this.done(path, { created: String(entry === undefined) });
  }

  private *move(args: JsonObject): Steps<Facts> {
    const path = this.path(args);
    const to = this.path(args, [this.tool.to ?? 'destination']);
    const entry = this.tree.entry(path);
    if (entry === undefined) throw this.failure('not-found', path, { to });
    if (this.tree.entry(to) !== undefined) throw this.failure('exists', path, { to });
    if (isWithin(to, path)) throw this.failure('refused', path, { to });
    this.checkFolder(to, path);
    const kept = [entry, ...this.tree.below(path)];
    for (const { row, path: from, isFolder } of kept) {
      const target = from === path ? to : `${to}${from.slice(path.length)}`;
      const data = row?.data ?? (isFolder ? { type: 'directory' } : {});
      yield* this.putRow({ ...data, path: target });
      if (row !== undefined && this.tool.does === 'move') yield* removeRow(this.call, this.collection, row);
    }
    yield* this.keepFolder(folderOf(path));
    return this.done(to, { from: path });
  }

  private *remove(path: string): Steps<Facts> {
    const entry = this.existing(path);
    const gone = this.shown(entry);
    for (const { row } of [...this.tree.below(path), entry]) {
      if (row !== undefined) yield* removeRow(this.call, this.collection, row);
    }
    yield* this.keepFolder(folderOf(path));
    return this.found({ row: gone });
  }

  /** A folder stays when the last thing in it goes. */
  private *keepFolder(folder: string): Steps<void> {
    if (folder === '' || folder === '/' || this.tree.entry(folder) !== undefined) return;
    if (this.spec.roots.some((root) => isWithin(root, folder))) return;
    yield* this.putRow({ path: folder, type: 'directory' });
  }

  private checkFolder(path: string, from?: string): void {
    const folder = folderOf(path);
    const entry = this.tree.entry(folder);
    if (entry !== undefined && !entry.isFolder) throw this.failure('not-folder', path);
    if (entry !== undefined || this.spec.parents === 'made') return;
    throw from === undefined
      ? this.failure('not-found', path)
      : this.failure('not-found', from, { to: path });
  }

  private *put(path: string, content: string): Steps<void> {
    const row = this.tree.entry(path)?.row;
    if (row === undefined) return yield* this.putRow({ path, content });
    const { created: _created, ...stamps } = this.stamps();
    const changed = changeRow(row, { content, ...stamps }, 'computed');
    yield* this.store(changed, row, ['content', ...Object.keys(stamps)]);
  }

  private *putRow(data: JsonObject): Steps<void> {
    const row = makeRow({ ...this.stamps(), ...data }, { base: 'computed' });
    yield* this.store(row, undefined, Object.keys(data));
  }

  private stamps(): JsonObject {
    const { nowText } = this.call;
    return this.spec.times === undefined ? {} : { created: nowText, modified: nowText };
  }

  private *store(row: StoredRow, old: StoredRow | undefined, changed: readonly string[]): Steps<void> {
    const op = old === undefined ? 'create' : 'update';
    yield* writeRow(this.call, this.collection, {
      op,
      row,
      ...(old !== undefined && { old }),
      changed,
      argumentOf: {},
    });
  }

  private done(path: string, more: JsonObject): Facts {
    const entry = this.tree.entry(path);
    return this.found({ more, ...(entry !== undefined && { row: this.shown(entry) }) });
  }
}

/** Actions that only read. */
export function isFileRead(does: FileAction): boolean {
  return ['read', 'read-many', 'list', 'tree', 'search', 'info', 'roots'].includes(does);
}

function withoutContent({ content: _content, ...row }: JsonObject): JsonObject {
  return row;
}

function sizeOf(entry: FileEntry): number {
  const content = contentOf(entry);
  return content === undefined ? -1 : byteSize(content);
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
}

function countOf(args: JsonObject, name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : own(args, name);
  return typeof value === 'number' && value > 0 ? value : undefined;
}

/** The first or last lines of a text. The empty line after a last line's end counts from the end, not from the start. */
function cutLines(text: string, head: number | undefined, tail: number | undefined): string {
  if (tail !== undefined) return text.replaceAll('\r\n', '\n').split('\n').slice(-tail).join('\n');
  if (head === undefined) return text;
  const lines = text.split('\n');
  return (lines.at(-1) === '' ? lines.slice(0, -1) : lines).slice(0, head).join('\n');
}

/** Backticks enough to fence a text. */
function fenceFor(text: string): string {
  let fence = '```';
  while (text.includes(fence)) fence += '`';
  return fence;
}

/** A time as JavaScript writes dates, in UTC. */
function jsTime(iso: string): string {
  const date = new Date(iso);
  const [, day = '', month = '', year = '', time = ''] =
    /^(\w{3}), \d{2} (\w{3}) (\d{4}) (\S+)/.exec(date.toUTCString()) ?? [];
  const ofMonth = String(date.getUTCDate()).padStart(2, '0');
  return `${day} ${month} ${ofMonth} ${year} ${time} GMT+0000 (Coordinated Universal Time)`;
}
