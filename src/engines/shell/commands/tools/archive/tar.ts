/**
 * `tar` of GNU tar 1.34: create, append, list, extract, compare, with gzip.
 *
 * Source: tar(1). Members come in the disk's order. Not covered: bzip2 and xz (told as a program that cannot be run), see
 * `tar-settings.ts`.
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
} from '../../../kernel/index.js';
import { Accounts } from '../../program/accounts.js';
import { breakTime } from '../../program/calendar.js';
import { permissionText } from '../../program/file-mode.js';
import { strftime } from '../../program/strftime.js';
import { timeZone } from '../../program/time-zone.js';
import { matchGlob } from '../glob-match.js';
import { isGzip, packGzip, unpackGzip } from './gzip-bytes.js';
import { archiveEnd, decodeArchive, encodeMember, NotTar, type TarMember } from './tar-format.js';
import { readTarSettings, type TarSettings } from './tar-settings.js';

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
  private readonly accounts: Accounts;
  private readonly told = new Set<string>();
  private width = 19;

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
    private readonly settings: TarSettings,
  ) {
    this.accounts = new Accounts(proc);
  }

  *run(): Running<number> {
    const { operation } = this.settings;
    if (operation === 'c' || operation === 'r') yield* this.create(operation === 'r');
    else yield* this.read();
    if (this.failed) {
      this.say(FAILED);
      return 2;
    }
    return this.differs ? 1 : 0;
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
    if (settings.unsupported !== undefined)
      this.fatal(`${settings.unsupported}: Cannot exec: No such file or directory`);
    const parts: Uint8Array[] = append ? decodeArchive(yield* this.bytesOf()).map(encodeMember) : [];
    for (const { folder, name } of settings.names) yield* this.add(parts, folder, name);
    const body = joinBytes(parts.length === 0 ? [new Uint8Array(0)] : parts);
    const whole = joinBytes([body, archiveEnd(body.length)]);
    const bytes = settings.compress === 'gzip' ? packGzip(whole, { level: 6 }) : whole;
    const { archive } = settings;
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
    return this.settings.excluded.some(
      (glob) => matchGlob(glob, base) || matchGlob(glob, name) || matchGlob(`*/${glob}`, name),
    );
  }

  private stored(name: string): string {
    if (this.settings.absoluteNames || !name.startsWith('/')) return name;
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
      inode = proc.lstat(path);
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
    const shown = inode.kind === 'directory' && !name.endsWith('/') ? `${name}/` : name;
    const member: TarMember = {
      name: this.stored(shown),
      kind:
        inode.kind === 'directory' || inode.kind === 'symlink' || inode.kind === 'fifo' ? inode.kind : 'file',
      mode: inode.mode,
      uid: inode.uid,
      gid: inode.gid,
      user: this.accounts.userName(inode.uid),
      group: this.accounts.groupName(inode.gid),
      time: Math.floor(inode.mtimeUs / 1e6),
      link: inode.target ?? '',
      content,
    };
    parts.push(encodeMember(member));
    this.show(member, this.settings.verbose, shown);
    if (inode.kind !== 'directory') return;
    try {
      for (const entry of proc.readdir(path)) yield* this.add(parts, folder, `${shown}${entry.name}`);
    } catch (error) {
      this.problem(name, 'Cannot open', error);
    }
  }

  /** A name or a long line, to standard error where the archive goes to standard output. */
  private show(member: TarMember, verbose: number, name = member.name): void {
    if (verbose === 0) return;
    const toError =
      this.settings.operation === 'c' &&
      (this.settings.archive === undefined || this.settings.archive === '-');
    const text = verbose === 1 ? `${name}\n` : this.long(member);
    if (toError || this.settings.toOutput) this.io.err(text);
    else this.io.out(text);
  }

  private long(member: TarMember): string {
    const letters = { file: '-', directory: 'd', symlink: 'l', hardlink: 'h', fifo: 'p' } as const;
    const owner = this.settings.numericOwner
      ? `${member.uid}/${member.gid}`
      : `${member.user || member.uid}/${member.group || member.gid}`;
    const size = String(member.content.length);
    this.width = Math.max(this.width, owner.length + size.length + 1);
    const who = `${owner}${size.padStart(this.width - owner.length)}`;
    const time = strftime('%Y-%m-%d %H:%M', breakTime(member.time, 0, timeZone(this.proc.env.get('TZ'))));
    const link =
      member.kind === 'symlink'
        ? ` -> ${member.link}`
        : member.kind === 'hardlink'
          ? ` link to ${member.link}`
          : '';
    return `${letters[member.kind]}${permissionText(member.mode)} ${who} ${time} ${member.name}${link}\n`;
  }

  // ---- reading ----

  private *members(): Running<readonly TarMember[]> {
    const { settings } = this;
    let bytes = yield* this.bytesOf();
    if (isGzip(bytes)) {
      const made = unpackGzip(bytes);
      if (made === undefined) {
        this.io.err('\ngzip: stdin: unexpected end of file\n');
        this.say('Child returned status 1');
        this.fatal('Unexpected EOF in archive');
      }
      bytes = made;
    } else if (settings.compress === 'gzip') {
      this.io.err('\ngzip: stdin: not in gzip format\n');
      this.say('Child returned status 1');
      return this.fatal_();
    }
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
      if (settings.operation === 't') this.show(member, settings.verbose + 1);
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
    yield* this.save(settings.archive, joinBytes([body, archiveEnd(body.length)]));
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
      this.makeFolders(path);
      if (member.kind === 'directory') {
        if (!proc.exists(path)) proc.mkdir(path, 0o777);
        folders.push(member);
        return;
      }
      if (this.isThere(path)) {
        if (settings.keepOld) {
          this.failed = true;
          this.say(`${member.name}: Cannot open: File exists`);
          return;
        }
        proc.unlink(path);
      }
      if (member.kind === 'symlink') proc.symlink(member.link, path);
      else if (member.kind === 'hardlink') proc.link(member.link, path);
      else if (member.kind === 'fifo') proc.mkfifo(path, member.mode);
      else yield* this.writeFile(path, member);
    } catch (error) {
      this.problem(member.name, 'Cannot open', error);
    }
  }

  private isThere(path: string): boolean {
    try {
      this.proc.lstat(path);
      return true;
    } catch {
      return false;
    }
  }

  private makeFolders(path: string): void {
    for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      if (!this.proc.exists(folder)) this.proc.mkdir(folder, 0o777);
    }
  }

  private *writeFile(path: string, member: TarMember): Running<void> {
    const { proc } = this;
    const fd = yield* proc.open(path, { write: true, create: true, truncate: true, mode: 0o600 });
    yield* proc.write(fd, member.content);
    proc.close(fd);
    proc.chmod(path, member.mode & 0o777 & ~proc.umask);
    proc.utimes(path, { atimeUs: proc.now(), mtimeUs: member.time * 1e6 });
  }

  private finishFolder(member: TarMember): void {
    const path = this.target(member);
    if (path === undefined || !this.proc.exists(path)) return;
    this.proc.chmod(path, member.mode & 0o777 & ~this.proc.umask);
    this.proc.utimes(path, { mtimeUs: member.time * 1e6 });
  }

  private *compare(member: TarMember): Running<void> {
    const { proc, io } = this;
    const path = this.target(member);
    if (path === undefined) return;
    try {
      const inode = proc.lstat(path);
      const different: string[] = [];
      if ((inode.mode & 0o7777) !== (member.mode & 0o7777)) different.push('Mode differs');
      if (Math.floor(inode.mtimeUs / 1e6) !== member.time && member.kind === 'file')
        different.push('Mod time differs');
      if (member.kind === 'file') {
        const bytes = yield* proc.readFile(path);
        if (bytes.length !== member.content.length) different.push('Size differs');
        else if (bytes.some((byte, at) => byte !== member.content[at])) different.push('Contents differ');
      }
      for (const what of different) io.out(`${member.name}: ${what}\n`);
      if (different.length > 0) this.differs = true;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      this.differs = true;
      this.say(`${member.name}: Warning: Cannot stat: ${error.text}`);
    }
  }
}
