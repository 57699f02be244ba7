/**
 * `unzip` and `zipinfo` of Info-ZIP's UnZip 6.00, as Debian 12 ships it.
 *
 * Source: unzip(1), zipinfo(1). Not covered, asked instead: passwords, conversions (`-a`, `-L`), `-f`, `-u`, `-T`, `-z` and
 * zipinfo's other formats.
 */
import { type Io, type Process, type Running, SystemError, toText } from '../../../kernel/index.js';
import { breakTime, daysFromCivil } from '../../program/calendar.js';
import { permissionText } from '../../program/file-mode.js';
import { strftime } from '../../program/strftime.js';
import { timeZone, utcOfLocal } from '../../program/time-zone.js';
import { defineTool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { matchGlob } from '../glob-match.js';
import { helpText } from '../help-texts.js';
import { decodeZip, unpackEntry, type ZipEntry } from './zip-format.js';

interface UnzipSettings {
  readonly flags: Set<string>;
  quiet: number;
  archive: string | undefined;
  readonly names: string[];
  readonly excluded: string[];
  folder: string | undefined;
}

/** The command `unzip`. */
export const unzip = defineTool(
  'unzip',
  function* (tool) {
    const settings = readLine(tool.io, tool.args);
    if (typeof settings === 'number') return settings;
    return yield* run(tool.proc, tool.io, settings);
  },
  { sizeBytes: 174_176 },
);

/** The command `zipinfo`. */
export const zipinfo = defineTool(
  'zipinfo',
  function* (tool) {
    const settings = readLine(tool.io, ['-Z', ...tool.args]);
    if (typeof settings === 'number') return settings;
    return yield* run(tool.proc, tool.io, settings);
  },
  { sizeBytes: 174_176 },
);

function* run(proc: Process, io: Io, settings: UnzipSettings): Running<number> {
  const { flags } = settings;
  if (
    [...flags].some((flag) => 'aLfuTPMVWUKCXZhmsS'.includes(flag) && !(flag === 'Z')) ||
    (flags.has('Z') && !isPlainInfo(flags))
  )
    return yield* unknownProgram('unzip')(proc);
  return yield* new UnzipRun(proc, io, settings).run();
}

function isPlainInfo(flags: ReadonlySet<string>): boolean {
  return [...flags].every((flag) => 'Z1t'.includes(flag));
}

function readLine(io: Io, args: readonly string[]): UnzipSettings | number {
  const settings: UnzipSettings = {
    flags: new Set(),
    quiet: 0,
    archive: undefined,
    names: [],
    excluded: [],
    folder: undefined,
  };
  const words = [...args];
  let list: string[] | undefined;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (!word.startsWith('-') || word === '-') {
      if (settings.archive === undefined) settings.archive = word;
      else (list ?? settings.names).push(word);
      continue;
    }
    if (word === '--help' || word === '-h') {
      io.out(helpText('unzip').help);
      return 0;
    }
    for (const [at, letter] of [...word.slice(1)].entries()) {
      if (letter === 'd') {
        settings.folder = word.slice(at + 2) || words.shift();
        break;
      }
      if (letter === 'x') list = settings.excluded;
      else if (letter === 'q') settings.quiet += 1;
      else if (/[pltvnojcaLfuTzPMVWUKCXZh1msS]/.test(letter)) settings.flags.add(letter);
      else {
        io.err(helpText('unzip').help);
        return 10;
      }
    }
  }
  if (settings.archive !== undefined) return settings;
  io.out(helpText('unzip').help);
  return settings.flags.size > 0 ? 10 : 0;
}

class UnzipRun {
  private status = 0;
  private answer: 'ask' | 'all' | 'none';
  private readonly links: string[] = [];
  private readonly matched = new Set<string>();

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
    private readonly settings: UnzipSettings,
  ) {
    this.answer = settings.flags.has('n') ? 'none' : settings.flags.has('o') ? 'all' : 'ask';
  }

  *run(): Running<number> {
    const { settings, io } = this;
    const { flags } = settings;
    const found = yield* this.find(settings.archive ?? '');
    if (found === undefined) return 9;
    const { name, bytes } = found;
    const isInfo = flags.has('Z');
    const isPiped = flags.has('p');
    if (!isInfo && !isPiped && settings.quiet === 0) io.out(`Archive:  ${name}\n`);
    if (flags.has('z')) return 0;
    const entries = decodeZip(bytes);
    if (entries === undefined) return this.noArchive(name, isInfo);
    const chosen = entries.filter((entry) => this.isChosen(entry));
    if (isInfo) this.info(name, { bytes: bytes.length, entries, chosen });
    else if (flags.has('l') || flags.has('v')) this.list(chosen);
    else {
      for (const entry of chosen) yield* this.take(entry);
      this.tellLinks();
      if (flags.has('t')) this.tested(name, chosen.length);
    }
    for (const wanted of settings.names) {
      if (this.matched.has(wanted)) continue;
      io.err(`caution: filename not matched:  ${wanted}\n`);
      this.status = Math.max(this.status, 11);
    }
    return this.status;
  }

  private tellLinks(): void {
    if (this.links.length > 0 && this.settings.quiet === 0)
      this.io.out(`finishing deferred symbolic links:\n${this.links.join('')}`);
  }

  private *find(given: string): Running<{ name: string; bytes: Uint8Array } | undefined> {
    for (const name of [given, `${given}.zip`, `${given}.ZIP`]) {
      try {
        if (this.proc.stat(name).kind !== 'file') continue;
        return { name, bytes: yield* this.proc.readFile(name) };
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
      }
    }
    const isInfo = this.settings.flags.has('Z');
    const program = isInfo ? 'zipinfo' : 'unzip';
    const say = (message: string): void => (isInfo ? this.io.out(message) : this.io.err(message));
    say(`${program}:  cannot find or open ${given}, ${given}.zip or ${given}.ZIP.\n`);
    return undefined;
  }

  private noArchive(name: string, isInfo: boolean): number {
    if (isInfo) this.io.out(`Archive:  ${name}\n`);
    this.io.err(
      `  End-of-central-directory signature not found.  Either this file is not\n  a zipfile, or it constitutes one disk of a multi-part archive.  In the\n  latter case the central directory and zipfile comment will be found on\n  the last disk(s) of this archive.\n`,
    );
    const program = isInfo ? 'zipinfo' : 'unzip';
    this.io.err(
      `${program}:  cannot find zipfile directory in one of ${name} or\n        ${name}.zip, and cannot find ${name}.ZIP, period.\n`,
    );
    return 9;
  }

  private isChosen(entry: ZipEntry): boolean {
    const { names, excluded } = this.settings;
    if (excluded.some((glob) => matchGlob(glob, entry.name))) return false;
    if (names.length === 0) return true;
    const hits = names.filter((glob) => matchGlob(glob, entry.name));
    for (const hit of hits) this.matched.add(hit);
    return hits.length > 0;
  }

  // ---- listings ----

  private dosText(entry: ZipEntry, format: 'list' | 'info'): string {
    const date = Math.floor(entry.dosTime / 65_536);
    const clock = entry.dosTime % 65_536;
    const two = (value: number): string => String(value).padStart(2, '0');
    const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31];
    const time = `${two(clock >> 11)}:${two((clock >> 5) & 63)}`;
    if (format === 'list') return `${year}-${two(month)}-${two(day)} ${time}`;
    const local = strftime('%b', breakTime(daysFromCivil(year, month, 1) * 86_400, 0, timeZone('UTC0')));
    return `${two(year % 100)}-${local}-${two(day)} ${time}`;
  }

  private list(entries: readonly ZipEntry[]): void {
    const { io } = this;
    const isLong = this.settings.flags.has('v');
    const size = entries.reduce((sum, one) => sum + one.size, 0);
    const packed = entries.reduce((sum, one) => sum + one.packed.length, 0);
    const files = `${entries.length} file${entries.length === 1 ? '' : 's'}\n`;
    const isQuiet = this.settings.quiet > 0;
    if (!isQuiet)
      io.out(
        isLong
          ? ' Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n--------  ------  ------- ---- ---------- ----- --------  ----\n'
          : '  Length      Date    Time    Name\n---------  ---------- -----   ----\n',
      );
    for (const entry of entries) {
      const when = this.dosText(entry, 'list');
      const method = entry.method === 'stored' ? 'Stored' : entry.level === 9 ? 'Defl:X' : 'Defl:N';
      if (!isLong) io.out(`${String(entry.size).padStart(9)}  ${when}   ${entry.name}\n`);
      else
        io.out(
          `${String(entry.size).padStart(8)}  ${method} ${String(entry.packed.length).padStart(8)} ${share(entry.size, entry.packed.length)} ${when} ${entry.crc.toString(16).padStart(8, '0')}  ${entry.name}\n`,
        );
    }
    if (isQuiet) return;
    io.out(
      isLong
        ? `--------          -------  ---                            -------\n${String(size).padStart(8)}         ${String(packed).padStart(8)} ${share(size, packed)}                            ${files}`
        : `---------                     -------\n${String(size).padStart(9)}                     ${files}`,
    );
  }

  private info(
    name: string,
    { bytes, entries, chosen }: { bytes: number; entries: readonly ZipEntry[]; chosen: readonly ZipEntry[] },
  ): void {
    const { io } = this;
    if (this.settings.flags.has('1')) {
      io.out(chosen.map((entry) => `${entry.name}\n`).join(''));
      return;
    }
    const isPart = this.settings.names.length > 0 || this.settings.excluded.length > 0;
    if (!isPart)
      io.out(`Archive:  ${name}\nZip file size: ${bytes} bytes, number of entries: ${entries.length}\n`);
    const letters = { directory: 'd', file: '-', symlink: 'l' } as const;
    for (const entry of chosen) {
      const method = entry.method === 'stored' ? 'stor' : entry.level === 9 ? 'defX' : 'defN';
      const text = `${letters[entry.kind]}${permissionText(entry.mode)}  3.0 unx ${String(entry.size).padStart(8)} ${entry.isText ? 't' : 'b'}x ${method}`;
      io.out(`${text} ${this.dosText(entry, 'info')} ${entry.name}\n`);
    }
    if (isPart) return;
    const size = entries.reduce((sum, one) => sum + one.size, 0);
    const packed = entries.reduce((sum, one) => sum + one.packed.length, 0);
    const saved = size === 0 ? 0 : ((size - packed) / size) * 100;
    io.out(
      `${entries.length} file${entries.length === 1 ? '' : 's'}, ${size} bytes uncompressed, ${packed} bytes compressed:  ${saved.toFixed(1)}%\n`,
    );
  }

  private tested(name: string, count: number): void {
    if (this.status > 0 || this.settings.quiet > 1) return;
    if (this.settings.names.length > 0)
      this.io.out(`No errors detected in ${name} for the ${count} file${count === 1 ? '' : 's'} tested.\n`);
    else this.io.out(`No errors detected in compressed data of ${name}.\n`);
  }

  // ---- taking out ----

  private *take(entry: ZipEntry): Running<void> {
    const { io, proc } = this;
    const { flags, quiet } = this.settings;
    const bytes = unpackEntry(entry);
    this.proc.tick(entry.size >> 3);
    if (bytes === undefined) {
      io.err(`  error:  invalid compressed data to inflate ${entry.name}\n`);
      this.status = Math.max(this.status, 2);
      return;
    }
    if (flags.has('t')) {
      if (quiet === 0) io.out(`    testing: ${entry.name.padEnd(22)}   OK\n`);
      return;
    }
    if (flags.has('p') || flags.has('c')) {
      if (entry.kind === 'directory') return;
      if (flags.has('c'))
        io.out(`${entry.method === 'stored' ? ' extracting' : '  inflating'}: ${entry.name.padEnd(22)}  \n`);
      yield* io.flush();
      yield* proc.write(1, bytes);
      if (flags.has('c')) io.out('\n');
      return;
    }
    const path = this.pathOf(entry);
    if (path !== undefined) yield* this.write(entry, path, bytes);
  }

  private pathOf(entry: ZipEntry): string | undefined {
    const { flags, folder } = this.settings;
    let name = entry.name.replace(/^\/+/, '');
    if (name !== entry.name && this.settings.quiet === 0)
      this.io.err(`warning:  stripped absolute path spec from ${entry.name}\n`);
    const safe = name.replace(/(^|\/)\.\.\//g, '$1');
    if (safe !== name) this.io.err(`warning:  skipped "../" path component(s) in ${entry.name}\n`);
    name = flags.has('j') ? safe.replace(/^.*\/(?=.)/, '') : safe;
    if (flags.has('j') && entry.kind === 'directory') return undefined;
    return folder === undefined ? name : `${folder.replace(/\/+$/, '')}/${name}`;
  }

  private *write(entry: ZipEntry, path: string, bytes: Uint8Array): Running<void> {
    const { proc, io } = this;
    const isQuiet = this.settings.quiet > 0;
    try {
      this.makeFolders(path);
      if (entry.kind === 'directory') {
        if (proc.exists(path)) return;
        proc.mkdir(path, 0o777);
        if (!isQuiet) io.out(`   creating: ${path}\n`);
        proc.chmod(path, entry.mode & 0o777);
        return;
      }
      if (proc.exists(path) && !(yield* this.mayReplace(path))) return;
      if (entry.kind === 'symlink') {
        if (!isQuiet) io.out(`    linking: ${path.padEnd(22)}  -> ${toText(bytes)} \n`);
        proc.symlink(toText(bytes), path);
        this.links.push(`  ${path.padEnd(22)} -> ${toText(bytes)}\n`);
        return;
      }
      if (!isQuiet)
        io.out(`${entry.method === 'stored' ? ' extracting' : '  inflating'}: ${path.padEnd(22)}  \n`);
      const fd = yield* proc.open(path, { write: true, create: true, truncate: true });
      yield* proc.write(fd, bytes);
      proc.close(fd);
      proc.chmod(path, entry.mode & 0o777);
      proc.utimes(path, { mtimeUs: this.timeOf(entry) * 1e6 });
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      io.err(`error:  cannot create ${path}\n        ${error.text}\n`);
      this.status = Math.max(this.status, 50);
    }
  }

  private timeOf(entry: ZipEntry): number {
    if (!Number.isNaN(entry.time)) return entry.time;
    const date = Math.floor(entry.dosTime / 65_536);
    const clock = entry.dosTime % 65_536;
    const days = daysFromCivil(1980 + (date >> 9), (date >> 5) & 15, date & 31);
    const local = days * 86_400 + (clock >> 11) * 3600 + ((clock >> 5) & 63) * 60 + (clock & 31) * 2;
    return utcOfLocal(timeZone(this.proc.env.get('TZ')), local);
  }

  private makeFolders(path: string): void {
    for (let at = path.indexOf('/', 1); at > 0 && at < path.length - 1; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      if (!this.proc.exists(folder)) this.proc.mkdir(folder, 0o777);
    }
  }

  private *mayReplace(path: string): Running<boolean> {
    if (this.answer !== 'ask') return this.answer === 'all';
    const { io } = this;
    yield* io.flush();
    io.err(`replace ${path}? [y]es, [n]o, [A]ll, [N]one, [r]ename: `);
    const line = yield* io.lines(0).line();
    if (line === null) {
      io.err(' NULL\n(EOF or read error, treating as "[N]one" ...)\n');
      this.answer = 'none';
      this.status = Math.max(this.status, 1);
      return false;
    }
    if (line.startsWith('A')) this.answer = 'all';
    if (line.startsWith('N')) this.answer = 'none';
    return /^[yA]/.test(line);
  }
}

function share(size: number, packed: number): string {
  const saved = size === 0 ? 0 : Math.round(((size - packed) / size) * 100);
  return `${String(saved).padStart(3)}%`;
}
