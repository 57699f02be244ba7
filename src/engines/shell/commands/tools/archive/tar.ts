/**
 * `tar` of GNU tar 1.34: create, append, list, extract, compare, with gzip, bzip2 and xz.
 *
 * Source: tar(1). Members come in the disk's order. Not covered: see
 * `tar-settings.ts`; other packers are told as programs that are not there.
 */
import {
  type Command,
  Exit,
  type Inode,
  type Io,
  joinBytes,
  type Process,
  type Running,
  SystemError,
  toBytes,
  toText,
} from '../../../kernel/index.js';
import { Accounts } from '../../program/accounts.js';
import { quoteText } from '../../program/quote.js';
import { timeZone } from '../../program/time-zone.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { matchGlob } from '../glob-match.js';
import { isThere, makeFolders } from './member-places.js';
import { archiveEnd, decodeArchive, encodeMember, NotTar, type TarMember } from './tar-format.js';
import { differences, humanBytes, labelMember, longLine, memberOf, ownerText } from './tar-member.js';
import { byName, packed, unpackedArchive } from './tar-packing.js';
import { readTarSettings, type TarSettings } from './tar-settings.js';
import { transformed } from './tar-transform.js';

/** The command. */
export const tar: Command = {
  name: 'tar',
  path: '/usr/bin/tar',
  sizeBytes: 531_984,
  failStatus: 2,
  run: (proc, io) => new TarRun(proc, io, readTarSettings(proc, io)).run(),
};

const FAILED = 'Exiting with failure status due to previous errors';

class TarRun {
  private failed = false;
  private differs = false;
  readonly accounts: Accounts;
  private readonly told = new Set<string>();
  private width = 19;
  private index = '';
  private readonly isUtf8: boolean;
  /** Times of members that an archive has, for `-u`. */
  private readonly known = new Map<string, number>();
  /** The first names of files with several. */
  readonly links = new Map<number, string>();

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
    private readonly settings: TarSettings,
  ) {
    this.accounts = new Accounts(proc);
    this.isUtf8 = /utf-?8/i.test(proc.env.get('LC_ALL') || proc.env.get('LANG') || '');
  }

  *run(): Running<number> {
    const { operation, foreign, unsupported } = this.settings;
    if (foreign.length > 0 || operation === 'A' || (this.settings.toCommand && operation === 'x'))
      return yield* unknownProgram('tar')(this.proc);
    if (unsupported !== undefined) this.noProgram(unsupported);
    this.checkFolder();
    yield* this.readLists();
    if (operation === 'c' || operation === 'r' || operation === 'u') yield* this.create(operation !== 'c');
    else if (operation === 'test-label') yield* this.testLabel();
    else yield* this.read();
    yield* this.writeIndex();
    if (this.failed) {
      this.say(FAILED);
      return 2;
    }
    return this.differs ? 1 : 0;
  }

  /** A packer that is not computed: as if it was not there. */
  private noProgram(name: string): never {
    this.io.err(`tar (child): ${name}: Cannot exec: No such file or directory\n`);
    this.io.err('tar (child): Error is not recoverable: exiting now\n');
    this.say('Child returned status 2');
    return this.fatal_();
  }

  private checkFolder(): void {
    const { folder, late, names, excluded, operation } = this.settings;
    try {
      if (folder !== '.') this.proc.stat(folder);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      this.fatal(`${folder}: Cannot open: ${error.text}`);
    }
    const idle = late.filter((one) => one.after === names.length);
    if (idle.length === 0 || !'cru'.includes(operation ?? '')) return;
    this.say(
      'The following options were used after any non-optional arguments in archive create or update mode.  These options are positional and affect only arguments that follow them.  Please, rearrange them properly.',
    );
    for (const { pattern } of idle) {
      this.say(`--exclude ‘${pattern}’ has no effect`);
      excluded.splice(excluded.indexOf(pattern), 1);
    }
    this.failed = true;
  }

  /** Names and patterns that stand in files. */
  private *readLists(): Running<void> {
    const { settings, proc } = this;
    for (const list of settings.lists) {
      let text: string;
      try {
        text = toText(list.path === '-' ? yield* proc.readAll(0) : yield* proc.readFile(list.path));
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        this.fatal(`${list.path}: Cannot ${list.kind === 'names' ? 'open' : 'open'}: ${error.text}`);
      }
      const rows = text.split(list.isNull ? '\0' : '\n').filter((row) => row !== '');
      if (list.kind === 'patterns') settings.excluded.push(...rows);
      else settings.names.push(...rows.map((name) => ({ folder: list.folder, name })));
    }
    if (settings.topLevel === '')
      settings.topLevel = (settings.archive ?? '')
        .replace(/^.*\//, '')
        .replace(/\.(tar(\.\w+)?|tgz|tbz2?|txz)$/, '');
  }

  private *writeIndex(): Running<void> {
    const { indexFile } = this.settings;
    if (indexFile !== undefined) yield* this.save(indexFile, toBytes(this.index));
  }

  private *testLabel(): Running<void> {
    for (const member of yield* this.members()) if (member.kind === 'label') this.io.out(`${member.name}\n`);
  }

  private say(message: string): void {
    this.io.err(`tar: ${message}\n`);
  }

  private fatal(message: string): never {
    this.say(message);
    this.say('Error is not recoverable: exiting now');
    throw new Exit(2);
  }

  private problem(name: string, what: string, error: unknown): void {
    if (!(error instanceof SystemError)) throw error;
    this.failed = true;
    this.say(`${name}: ${what}: ${error.text}`);
  }

  private *bytesOf(): Running<Uint8Array> {
    const { archive } = this.settings;
    if (archive === undefined || archive === '-') return yield* this.proc.readAll(0);
    try {
      return yield* this.proc.readFile(archive);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      return this.fatal(`${archive}: Cannot open: ${error.text}`);
    }
  }

  // ---- writing ----

  private *create(append: boolean): Running<void> {
    const { settings } = this;
    if (settings.names.length === 0) {
      this.io.err(
        "tar: Cowardly refusing to create an empty archive\nTry 'tar --help' or 'tar --usage' for more information.\n",
      );
      throw new Exit(2);
    }
    const old = append ? decodeArchive(yield* this.bytesOf()) : [];
    if (settings.operation === 'u')
      for (const one of old) this.known.set(one.name.replace(/\/$/, ''), one.time);
    const parts: Uint8Array[] = old.map(encodeMember);
    if (settings.label !== undefined && !append)
      parts.push(encodeMember(labelMember(settings.label, this.proc.now())));
    for (const { folder, name } of settings.names) yield* this.add(parts, folder, name);
    const body = joinBytes(parts.length === 0 ? [new Uint8Array(0)] : parts);
    const whole = joinBytes([body, archiveEnd(body.length, this.settings.recordBytes)]);
    if (settings.totals)
      this.io.err(
        `Total bytes written: ${whole.length} (${humanBytes(whole.length)}, ${humanBytes(whole.length)}/s)\n`,
      );
    const { archive } = settings;
    const bytes = packed(whole, settings.compress ?? (settings.autoCompress ? byName(archive) : undefined));
    this.proc.tick(bytes.length >> 2);
    if (archive === undefined || archive === '-') yield* this.proc.write(1, bytes);
    else yield* this.save(archive, bytes);
  }

  private *save(name: string, bytes: Uint8Array): Running<void> {
    try {
      const fd = yield* this.proc.open(name, { write: true, create: true, truncate: true });
      yield* this.proc.write(fd, bytes);
      this.proc.close(fd);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      this.fatal(`${name}: Cannot open: ${error.text}`);
    }
  }

  private excluded(name: string): boolean {
    const base = name.replace(/\/+$/, '').replace(/^.*\//, '');
    const options = { ignoreCase: this.settings.ignoreCase };
    return this.settings.excluded.some(
      (glob) =>
        matchGlob(glob, base, options) ||
        matchGlob(glob, name.replace(/\/+$/, ''), options) ||
        matchGlob(`*/${glob}`, name.replace(/\/+$/, ''), options),
    );
  }

  private stored(name: string): string {
    if (this.settings.absoluteNames) return name;
    const up = /^(?:.*\/)?\.\.(?:\/|$)/.exec(name)?.[0];
    if (up !== undefined && !name.startsWith('/')) {
      this.once(`Removing leading \`${up.endsWith('/') ? up : `${up}/`}' from member names`);
      return name.slice(up.length) || './';
    }
    if (!name.startsWith('/')) return name;
    this.once("Removing leading `/' from member names");
    return name.replace(/^\/+/, '');
  }

  private once(message: string): void {
    if (this.told.has(message)) return;
    this.told.add(message);
    this.say(message);
  }

  private *add(parts: Uint8Array[], folder: string, name: string): Running<void> {
    const { proc } = this;
    const path = folder === '.' || name.startsWith('/') ? name : `${folder}/${name}`;
    if (this.excluded(name)) return;
    if (this.io.mustDrain) yield* this.io.drain();
    let inode: Inode;
    let content: Uint8Array;
    try {
      inode = this.settings.dereference ? proc.stat(path) : proc.lstat(path);
      if (inode.kind === 'socket' || inode.kind === 'char' || inode.kind === 'block') return;
      content = inode.kind === 'file' ? yield* proc.readFile(path) : new Uint8Array(0);
    } catch (error) {
      this.problem(
        name,
        error instanceof SystemError && error.code === 'EACCES' ? 'Cannot open' : 'Cannot stat',
        error,
      );
      return;
    }
    const { settings } = this;
    const shown = inode.kind === 'directory' && !name.endsWith('/') ? `${name}/` : name;
    const member = memberOf(settings, { inode, name: this.stored(shown), content }, this);
    if (this.isWanted(inode, member)) {
      parts.push(encodeMember(member));
      this.show(
        member,
        settings.verbose,
        settings.transforms.length > 0 && settings.showsStored ? member.name : shown,
      );
    }
    if (inode.kind === 'directory' && settings.recursion)
      yield* this.addFolder(parts, { folder, path, shown, name });
    if (settings.removeFiles) this.remove(path, inode.kind === 'directory');
  }

  private *addFolder(
    parts: Uint8Array[],
    {
      folder,
      path,
      shown,
      name,
    }: { readonly folder: string; readonly path: string; readonly shown: string; readonly name: string },
  ): Running<void> {
    try {
      const names = this.proc.readdir(path).map((entry) => entry.name);
      if (this.settings.sortsByName) names.sort((one, other) => (one < other ? -1 : 1));
      for (const entry of names) yield* this.add(parts, folder, `${shown}${entry}`);
    } catch (error) {
      this.problem(name, 'Cannot open', error);
    }
  }

  private remove(path: string, isFolder: boolean): void {
    try {
      if (isFolder) this.proc.rmdir(path);
      else this.proc.unlink(path);
    } catch (error) {
      this.problem(path, isFolder ? 'Cannot rmdir' : 'Cannot unlink', error);
    }
  }

  /** Whether a file is new enough. */
  private isWanted(inode: Inode, member: TarMember): boolean {
    const { newer } = this.settings;
    if (newer !== undefined && inode.kind !== 'directory' && inode.mtimeUs / 1e6 < newer) return false;
    const known = this.known.get(member.name.replace(/\/$/, ''));
    return known === undefined || member.time > known;
  }

  /** A name or a long line, to standard error where the archive goes to standard output. */
  private show(member: TarMember, verbose: number, name = member.name): void {
    if (verbose === 0) return;
    const toError =
      this.settings.operation === 'c' &&
      (this.settings.archive === undefined || this.settings.archive === '-');
    const text =
      verbose === 1 ? `${quoteText(name, 'escape', { isUtf8: this.isUtf8 })}\n` : this.long(member, name);
    if (this.settings.indexFile !== undefined) this.index += text;
    else if (toError || this.settings.toOutput) this.io.err(text);
    else this.io.out(text);
  }

  private long(member: TarMember, name: string): string {
    const needed = ownerText(member, this.settings).length + String(member.content.length).length + 1;
    this.width = Math.max(this.width, needed);
    const zone = timeZone(this.proc.env.get('TZ'));
    return longLine(member, this.settings, { name, zone, isUtf8: this.isUtf8, width: this.width });
  }

  // ---- reading ----

  private *members(): Running<readonly TarMember[]> {
    const bytes = unpackedArchive(yield* this.bytesOf(), this.settings, {
      say: (message) => this.say(message),
      err: (message) => this.io.err(message),
    });
    try {
      return decodeArchive(bytes);
    } catch (error) {
      if (!(error instanceof NotTar)) throw error;
      this.failed = true;
      this.say(error.message);
      return [];
    }
  }

  private fatal_(): never {
    this.say('Error is not recoverable: exiting now');
    throw new Exit(2);
  }

  private *read(): Running<void> {
    const { settings, io } = this;
    const wanted = settings.names.map((one) => one.name.replace(/(.)\/+$/, '$1'));
    const found = new Set<string>();
    const kept: TarMember[] = [];
    const folders: TarMember[] = [];
    for (const member of yield* this.members()) {
      const bare = member.name.replace(/(.)\/+$/, '$1');
      const asked = wanted.filter(
        (name) =>
          bare === name || bare.startsWith(`${name}/`) || (settings.wildcards && matchGlob(name, bare)),
      );
      for (const name of asked) found.add(name);
      if (settings.operation === 'delete') {
        if (asked.length === 0) kept.push(member);
        continue;
      }
      if ((wanted.length > 0 && asked.length === 0) || this.excluded(bare)) continue;
      if (member.kind === 'label') {
        if (settings.operation === 't')
          this.show(
            member,
            settings.verbose + 1,
            settings.verbose > 0 ? `${member.name}--Volume Header--` : member.name,
          );
        continue;
      }
      if (settings.operation === 't')
        this.show(
          member,
          settings.verbose + 1,
          settings.showsStored ? transformed(member.name, settings.transforms) : member.name,
        );
      else if (settings.operation === 'd') yield* this.compare(member);
      else yield* this.extract(member, folders);
      if (io.mustDrain) yield* io.drain();
    }
    for (const folder of folders.reverse()) this.finishFolder(folder);
    for (const name of wanted) {
      if (found.has(name)) continue;
      this.failed = true;
      this.say(`${name}: Not found in archive`);
    }
    if (settings.operation !== 'delete' || settings.archive === undefined) return;
    const body = joinBytes(kept.length === 0 ? [new Uint8Array(0)] : kept.map(encodeMember));
    yield* this.save(settings.archive, joinBytes([body, archiveEnd(body.length, this.settings.recordBytes)]));
  }

  private target(member: TarMember): string | undefined {
    let { name } = member;
    if (name.startsWith('/') && !this.settings.absoluteNames) {
      this.once("Removing leading `/' from member names");
      name = name.replace(/^\/+/, '');
    }
    if (/(^|\/)\.\.(\/|$)/.test(name)) {
      this.failed = true;
      this.say(`${name}: Member name contains '..', skipping`);
      return undefined;
    }
    name = transformed(name, this.settings.transforms);
    if (this.settings.topLevel !== undefined && !name.startsWith(`${this.settings.topLevel}/`))
      name = `${this.settings.topLevel}/${name}`;
    const parts = name.split('/').filter((part, at) => part !== '' || at === 0);
    if (parts.length <= this.settings.strip) return undefined;
    const stripped = parts.slice(this.settings.strip).join('/');
    if (stripped === '') return undefined;
    return this.settings.folder === '.' || stripped.startsWith('/')
      ? stripped
      : `${this.settings.folder}/${stripped}`;
  }

  private *extract(member: TarMember, folders: TarMember[]): Running<void> {
    const { proc, settings } = this;
    const path = this.target(member);
    if (path === undefined) return;
    this.show(member, settings.verbose);
    if (settings.toOutput) {
      if (member.kind === 'file') yield* proc.write(1, member.content);
      return;
    }
    try {
      makeFolders(this.proc, path);
      if (member.kind === 'directory') {
        if (!proc.exists(path)) proc.mkdir(path, 0o777);
        folders.push(member);
        return;
      }
      if (isThere(this.proc, path)) {
        if (settings.skipOld) return;
        if (settings.keepNewer && proc.lstat(path).mtimeUs / 1e6 >= member.time) {
          this.say(`Current ${quoteText(path, 'locale', { isUtf8: this.isUtf8 })} is newer or same age`);
          return;
        }
        if (settings.keepOld) {
          this.failed = true;
          this.say(`${member.name}: Cannot open: File exists`);
          return;
        }
        proc.unlink(path);
      }
      if (member.kind === 'symlink') proc.symlink(member.link, path);
      else if (member.kind === 'hardlink') proc.link(this.inFolder(member.link), path);
      else if (member.kind === 'fifo') proc.mkfifo(path, member.mode);
      else yield* this.writeFile(path, member);
    } catch (error) {
      this.problem(member.name, 'Cannot open', error);
    }
  }

  private inFolder(name: string): string {
    const { folder } = this.settings;
    return folder === '.' || name.startsWith('/') ? name : `${folder}/${name}`;
  }

  private *writeFile(path: string, member: TarMember): Running<void> {
    const { proc } = this;
    const fd = yield* proc.open(path, { write: true, create: true, truncate: true, mode: 0o600 });
    yield* proc.write(fd, member.content);
    proc.close(fd);
    proc.chmod(path, member.mode & 0o777 & ~proc.umask);
    if (!this.settings.touch) proc.utimes(path, { atimeUs: proc.now(), mtimeUs: member.time * 1e6 });
  }

  private finishFolder(member: TarMember): void {
    const path = this.target(member);
    if (path === undefined || !this.proc.exists(path)) return;
    this.proc.chmod(path, member.mode & 0o777 & ~this.proc.umask);
    if (!this.settings.touch) this.proc.utimes(path, { mtimeUs: member.time * 1e6 });
  }

  private *compare(member: TarMember): Running<void> {
    const { proc, io } = this;
    const path = this.target(member);
    if (path === undefined) return;
    try {
      const inode = proc.lstat(path);
      const bytes = member.kind === 'file' ? yield* proc.readFile(path) : new Uint8Array(0);
      const different = differences(member, inode, bytes);
      for (const what of different) io.out(`${member.name}: ${what}\n`);
      if (different.length > 0) this.differs = true;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      this.differs = true;
      this.say(`${member.name}: Warning: Cannot stat: ${error.text}`);
    }
  }
}
