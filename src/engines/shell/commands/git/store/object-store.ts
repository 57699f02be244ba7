/**
 * Where objects are kept: loose files, packs, and the stores that `alternates` names.
 *
 * Source: gitrepository-layout. New objects are written loose; git packs only with `gc`. Objects that were read once
 * are kept for the life of the command.
 */
import { deflate } from 'pako';
import { toText } from '../../../kernel/index.js';
import { compareBytes, type GitFiles } from './files.js';
import {
  type Commit,
  EMPTY_TREE,
  framed,
  type GitObject,
  type ObjectType,
  oidOf,
  parseCommit,
  parseTag,
  parseTree,
  type TreeEntry,
} from './objects.js';
import { openPack, type Pack } from './packs.js';
import { inflateFrom } from './zlib.js';

/** The objects of one repository. */
export class ObjectStore {
  private readonly known = new Map<string, GitObject>();
  private readonly commits = new Map<string, Commit>();
  private packs: readonly Pack[] | undefined;
  private others: readonly ObjectStore[] | undefined;

  constructor(
    readonly files: GitFiles,
    /** The `objects` folder. */
    readonly path: string,
  ) {}

  /** An object; undefined where it is not there or is damaged. */
  find(oid: string): GitObject | undefined {
    const known = this.known.get(oid);
    if (known !== undefined) return known;
    const found =
      this.readLoose(oid) ??
      this.readPacked(oid) ??
      this.alternates().reduce<GitObject | undefined>((had, other) => had ?? other.find(oid), undefined) ??
      (oid === EMPTY_TREE ? { type: 'tree' as const, bytes: new Uint8Array(0) } : undefined);
    if (found !== undefined) this.known.set(oid, found);
    return found;
  }

  has(oid: string): boolean {
    return this.find(oid) !== undefined;
  }

  /** An object that must be there. Raises an `Error` naming it. */
  get(oid: string): GitObject {
    const object = this.find(oid);
    if (object === undefined) throw new MissingObject(oid);
    return object;
  }

  blob(oid: string): Uint8Array {
    return this.get(oid).bytes;
  }

  text(oid: string): string {
    return toText(this.get(oid).bytes);
  }

  commit(oid: string): Commit {
    let commit = this.commits.get(oid);
    if (commit === undefined) {
      const object = this.get(oid);
      if (object.type !== 'commit') throw new MissingObject(oid);
      commit = parseCommit(object.bytes);
      this.commits.set(oid, commit);
    }
    return commit;
  }

  tree(oid: string): TreeEntry[] {
    return parseTree(this.get(oid).bytes);
  }

  /** Follows tags to what they name. */
  peel(oid: string): string {
    let at = oid;
    for (let depth = 0; depth < 50; depth++) {
      const object = this.find(at);
      if (object?.type !== 'tag') return at;
      at = parseTag(object.bytes).object;
    }
    return at;
  }

  /** The tree of a commit, tag or tree; undefined for what has none. */
  treeOf(oid: string): string | undefined {
    const peeled = this.peel(oid);
    const type = this.find(peeled)?.type;
    if (type === 'commit') return this.commit(peeled).tree;
    return type === 'tree' ? peeled : undefined;
  }

  /** Every file below a tree by path, folders left out. */
  flatten(
    tree: string | undefined,
    prefix = '',
    into = new Map<string, TreeEntry>(),
  ): Map<string, TreeEntry> {
    if (tree === undefined) return into;
    for (const entry of this.tree(tree)) {
      const path = prefix + entry.name;
      if (entry.mode === '40000') this.flatten(entry.oid, `${path}/`, into);
      else into.set(path, { ...entry, name: path });
    }
    return into;
  }

  /** Writes an object and gives its name. */
  write(type: ObjectType, bytes: Uint8Array): string {
    const object = { type, bytes };
    const oid = oidOf(object);
    if (this.find(oid) !== undefined && oid !== EMPTY_TREE) return oid;
    const path = this.loosePath(oid);
    if (this.files.look(path) === undefined)
      this.files.write(path, deflate(framed(object), { level: 1 }), 0o444);
    this.known.set(oid, object);
    return oid;
  }

  /** All names that begin so, at most `most`. */
  startingWith(prefix: string, most = 50): string[] {
    const found = new Set<string>();
    if (prefix.length >= 2) {
      for (const { name } of this.files.list(`${this.path}/${prefix.slice(0, 2)}`))
        if (name.length === 38 && name.startsWith(prefix.slice(2))) found.add(prefix.slice(0, 2) + name);
    }
    for (const pack of this.openPacks())
      for (const oid of pack.names()) if (oid.startsWith(prefix)) found.add(oid);
    for (const other of this.alternates()) for (const oid of other.startingWith(prefix, most)) found.add(oid);
    return [...found].sort(compareBytes).slice(0, most);
  }

  /** Every object's name. */
  all(): string[] {
    const found = new Set<string>();
    for (const { name, kind } of this.files.list(this.path))
      if (kind === 'directory' && /^[0-9a-f]{2}$/.test(name))
        for (const file of this.files.list(`${this.path}/${name}`))
          if (file.name.length === 38) found.add(name + file.name);
    for (const pack of this.openPacks()) for (const oid of pack.names()) found.add(oid);
    return [...found].sort(compareBytes);
  }

  /** The shortest form of a name of at least `length` digits that no other object shares. */
  abbreviate(oid: string, length = 7): string {
    const rivals = this.startingWith(oid.slice(0, Math.max(2, length))).filter((one) => one !== oid);
    let size = length;
    while (size < 40 && rivals.some((one) => one.startsWith(oid.slice(0, size)))) size++;
    return oid.slice(0, size);
  }

  private loosePath(oid: string): string {
    return `${this.path}/${oid.slice(0, 2)}/${oid.slice(2)}`;
  }

  private readLoose(oid: string): GitObject | undefined {
    const path = this.loosePath(oid);
    if (this.files.look(path) === undefined) return undefined;
    const data = inflateFrom(this.files.read(path))?.data;
    if (data === undefined) return undefined;
    const end = data.indexOf(0);
    const type = toText(data.subarray(0, end)).split(' ')[0] as ObjectType;
    return { type, bytes: data.subarray(end + 1) };
  }

  private readPacked(oid: string): GitObject | undefined {
    for (const pack of this.openPacks()) {
      const found = pack.read(oid, (base) => this.find(base));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private openPacks(): readonly Pack[] {
    this.packs ??= this.files
      .list(`${this.path}/pack`)
      .filter(({ name }) => name.endsWith('.idx'))
      .flatMap(({ name }) => openPack(this.files, `${this.path}/pack/${name.slice(0, -4)}`) ?? []);
    return this.packs;
  }

  private alternates(): readonly ObjectStore[] {
    this.others ??= (this.files.textIfThere(`${this.path}/info/alternates`) ?? '')
      .split('\n')
      .filter((line) => line.startsWith('/'))
      .slice(0, 5)
      .map((path) => new ObjectStore(this.files, path));
    return this.others;
  }
}

/** An object that a repository should have and has not. */
export class MissingObject extends Error {
  constructor(readonly oid: string) {
    super(`unable to read ${oid}`);
    this.name = 'MissingObject';
  }
}
