/**
 * References: names for objects, symbolic ones, packed ones, and the log of where each pointed.
 *
 * Source: gitrepository-layout, git-check-ref-format(1), git-reflog(1).
 */
import { compareBytes, type GitFiles } from './files.js';
import { type Ident, parseIdent, renderIdent, ZERO_OID } from './objects.js';

/** One line of a reference's log. */
export interface LogEntry {
  readonly from: string;
  readonly to: string;
  readonly who: Ident;
  readonly message: string;
}

/** Where a change is written down. */
export interface LogNote {
  readonly who: Ident;
  readonly message: string;
}

/** The references of one repository. */
export class RefStore {
  constructor(
    readonly files: GitFiles,
    /** The `.git` folder. */
    readonly gitDir: string,
    private readonly keepsLogs: () => boolean,
  ) {}

  /** What a symbolic reference names; undefined for another kind or none. */
  symbolic(name: string): string | undefined {
    const text = this.files.textIfThere(`${this.gitDir}/${name}`);
    return text?.startsWith('ref:') === true ? text.slice(4).trim() : undefined;
  }

  /** The object a reference leads to; undefined where it is not there or leads nowhere. */
  resolve(name: string, depth = 0): string | undefined {
    if (depth > 5) return undefined;
    const text = this.files.textIfThere(`${this.gitDir}/${name}`);
    if (text === undefined) return this.packed().get(name);
    if (text.startsWith('ref:')) return this.resolve(text.slice(4).trim(), depth + 1);
    const oid = text.trim().slice(0, 40);
    return /^[0-9a-f]{40}$/.test(oid) ? oid : undefined;
  }

  /** All references below a prefix such as `refs/heads/`, in order. */
  list(prefix = 'refs/'): { readonly name: string; readonly oid: string }[] {
    const found = new Map<string, string>();
    for (const [name, oid] of this.packed()) if (name.startsWith(prefix)) found.set(name, oid);
    const walk = (folder: string): void => {
      for (const { name, kind } of this.files.list(`${this.gitDir}/${folder}`)) {
        const path = `${folder}/${name}`;
        if (kind === 'directory') walk(path);
        else if (path.startsWith(prefix)) {
          const oid = this.resolve(path);
          if (oid !== undefined) found.set(path, oid);
        }
      }
    };
    walk('refs');
    return [...found]
      .map(([name, oid]) => ({ name, oid }))
      .sort((one, other) => compareBytes(one.name, other.name));
  }

  /** Sets a reference (through symbolic ones) and writes it down. */
  update(name: string, oid: string, note: LogNote | undefined): void {
    const target = this.symbolic(name);
    const real = target ?? name;
    const before = this.resolve(real) ?? ZERO_OID;
    this.files.write(`${this.gitDir}/${real}`, `${oid}\n`);
    if (note === undefined) return;
    this.note(real, { from: before, to: oid, ...note });
    if (target !== undefined) this.note(name, { from: before, to: oid, ...note });
    else if (name !== 'HEAD' && this.symbolic('HEAD') === name)
      this.note('HEAD', { from: before, to: oid, ...note });
  }

  /** Makes a reference a symbolic one. */
  point(name: string, target: string): void {
    this.files.write(`${this.gitDir}/${name}`, `ref: ${target}\n`);
  }

  /** Makes HEAD name an object itself. */
  detach(oid: string): void {
    this.files.write(`${this.gitDir}/HEAD`, `${oid}\n`);
  }

  /** Removes a reference and its log. */
  remove(name: string): void {
    const path = `${this.gitDir}/${name}`;
    if (this.files.remove(path)) {
      const root = `${this.gitDir}/${name.split('/').slice(0, 2).join('/')}`;
      this.files.removeEmptyFolders(path.slice(0, path.lastIndexOf('/')), root);
    }
    this.removeLog(name);
    const packed = this.packed();
    if (packed.delete(name)) this.writePacked(packed);
  }

  removeLog(name: string): void {
    const log = this.logPath(name);
    if (this.files.remove(log))
      this.files.removeEmptyFolders(log.slice(0, log.lastIndexOf('/')), `${this.gitDir}/logs/refs/heads`);
  }

  /** Writes a line of a reference's log, where logs are kept. */
  note(name: string, entry: LogEntry): void {
    const path = this.logPath(name);
    if (this.files.look(path) === undefined && !(this.keepsLogs() && isLogged(name))) return;
    const message = entry.message.replace(/\s+/g, ' ').trim();
    this.files.append(path, `${entry.from} ${entry.to} ${renderIdent(entry.who)}\t${message}\n`);
  }

  /** The log of a reference, oldest first. */
  log(name: string): LogEntry[] {
    const text = this.files.textIfThere(this.logPath(name)) ?? '';
    return text
      .split('\n')
      .filter((line) => line.length > 80)
      .map((line) => {
        const tab = line.indexOf('\t');
        const head = tab < 0 ? line : line.slice(0, tab);
        return {
          from: line.slice(0, 40),
          to: line.slice(41, 81),
          who: parseIdent(head.slice(82)),
          message: tab < 0 ? '' : line.slice(tab + 1),
        };
      });
  }

  /** Writes a whole log. */
  writeLog(name: string, entries: readonly LogEntry[]): void {
    const lines = entries.map(
      (entry) => `${entry.from} ${entry.to} ${renderIdent(entry.who)}\t${entry.message}\n`,
    );
    this.files.write(this.logPath(name), lines.join(''));
  }

  hasLog(name: string): boolean {
    return this.files.isFile(this.logPath(name));
  }

  /** Moves the log with a branch. */
  renameLog(from: string, to: string): void {
    const entries = this.log(from);
    if (!this.hasLog(from)) return;
    this.removeLog(from);
    this.writeLog(to, entries);
  }

  private logPath(name: string): string {
    return `${this.gitDir}/logs/${name}`;
  }

  private packed(): Map<string, string> {
    const found = new Map<string, string>();
    for (const line of (this.files.textIfThere(`${this.gitDir}/packed-refs`) ?? '').split('\n')) {
      const match = /^([0-9a-f]{40}) (\S+)$/.exec(line);
      if (match !== null) found.set(match[2] ?? '', match[1] ?? '');
    }
    return found;
  }

  private writePacked(refs: ReadonlyMap<string, string>): void {
    const lines = [...refs].map(([name, oid]) => `${oid} ${name}\n`);
    this.files.write(
      `${this.gitDir}/packed-refs`,
      `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`,
    );
  }
}

function isLogged(name: string): boolean {
  return name === 'HEAD' || /^refs\/(heads|remotes|notes)\//.test(name);
}

/** True for a name that may be a reference below `refs/heads/`. Source: git-check-ref-format(1). */
export function isRefName(name: string): boolean {
  if (name === '' || name === '@' || name.startsWith('-')) return false;
  if (name.startsWith('/') || name.endsWith('/') || name.endsWith('.') || name.includes('//')) return false;
  if (/\.\.|@\{|[\x00-\x20\x7f~^:?*[\\]/.test(name)) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}
