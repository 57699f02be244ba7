/**
 * `zip` of Info-ZIP 3.0.
 *
 * Source: zip(1). Not covered, asked instead: encryption, splits, `-F`, comments, `-t` and `-sf` and other long options.
 */
import {
  type Inode,
  type Io,
  joinBytes,
  type Process,
  type Running,
  SystemError,
  toBytes,
} from '../../../kernel/index.js';
import { breakTime } from '../../program/calendar.js';
import { timeZone } from '../../program/time-zone.js';
import { defineTool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { matchGlob } from '../glob-match.js';
import { helpText } from '../help-texts.js';
import { decodeZip, encodeZip, packEntry, type ZipEntry } from './zip-format.js';

/** Files that are packed already. */
const PACKED = /\.(Z|zip|zoo|arc|lzh|arj)$/;
const LETTERS = 'rjqvdufmDyTXo@0123456789lk';
const LONG: Readonly<Record<string, string>> = {
  '--recurse-paths': 'r',
  '--junk-paths': 'j',
  '--quiet': 'q',
  '--verbose': 'v',
  '--delete': 'd',
  '--update': 'u',
  '--freshen': 'f',
  '--move': 'm',
  '--symlinks': 'y',
  '--test': 'T',
  '--no-extra': 'X',
  '--names-stdin': '@',
  '--exclude': 'x',
  '--include': 'i',
};

interface ZipSettings {
  readonly flags: Set<string>;
  level: number;
  readonly excluded: string[];
  readonly included: string[];
  readonly names: string[];
  /** An option that is not computed. */
  foreign: boolean;
}

/** The command. */
export const zip = defineTool(
  'zip',
  function* (tool) {
    const settings = readLine(tool.io, tool.args);
    if (typeof settings === 'number') return settings;
    if (settings.foreign) return yield* unknownProgram('zip')(tool.proc);
    return yield* new ZipRun(tool.proc, tool.io, settings).run();
  },
  { sizeBytes: 212_264 },
);

function error(io: Io, message: string, status: number): number {
  io.out(`\nzip error: ${message}\n`);
  return status;
}

function readLine(io: Io, args: readonly string[]): ZipSettings | number {
  const settings: ZipSettings = {
    flags: new Set(),
    level: 6,
    excluded: [],
    included: [],
    names: [],
    foreign: false,
  };
  const words = [...args];
  let list: string[] | undefined;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') {
      settings.names.push(...words);
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      if (list !== undefined && settings.names.length > 0) list.push(word);
      else settings.names.push(word);
      continue;
    }
    const letters = word.startsWith('--') ? (LONG[word] ?? '') : word.slice(1);
    if (/^-(h|-help|\?)$/.test(word)) {
      io.out(helpText('zip').help);
      return 0;
    }
    if (letters === 'e') return error(io, 'Invalid command arguments (stderr is not a tty)', 16);
    if (letters === '' || /^(sf|so|sv|sc|FF?|t|tt|n|b|e|P|z|c|A|J|L|V|W|O|FS|ds|dg|dd|s)$/.test(letters))
      settings.foreign = true;
    for (const [at, letter] of [...letters].entries()) {
      if (letter === 'x' || letter === 'i') {
        list = letter === 'x' ? settings.excluded : settings.included;
        const rest = letters.slice(at + 1);
        if (rest !== '') list.push(rest);
        else {
          const value = words.shift();
          const what =
            letter === 'x' ? 'exclude files matching patterns' : 'include only files matching patterns';
          if (value === undefined)
            return error(io, `Invalid command arguments (option '${letter}' (${what}) requires a value)`, 16);
          list.push(value);
        }
        break;
      }
      if (/\d/.test(letter)) settings.level = Number(letter);
      else if (LETTERS.includes(letter)) settings.flags.add(letter);
      else if (!settings.foreign)
        return error(io, `Invalid command arguments (short option '${letter}' not supported)`, 16);
    }
  }
  return settings;
}

class ZipRun {
  private entries: ZipEntry[] = [];
  private readonly done: string[] = [];
  private readonly folders: string[] = [];
  private changed = false;
  private warned = false;

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
    private readonly settings: ZipSettings,
  ) {}

  *run(): Running<number> {
    const { io, proc, settings } = this;
    const [given, ...names] = settings.names;
    if (given === undefined) {
      if (settings.flags.size > 0) return yield* unknownProgram('zip')(proc);
      if (!proc.isatty(1)) return yield* unknownProgram('zip')(proc);
      io.out(helpText('zip').help);
      return 0;
    }
    const archive = given === '-' || /\.[^/.]+$/.test(given) ? given : `${given}.zip`;
    if (given !== '-' && proc.exists(archive)) {
      const found = decodeZip(yield* proc.readFile(archive));
      if (found === undefined) return error(io, `Zip file structure invalid (${archive})`, 3);
      this.entries = found;
    }
    if (settings.flags.has('@')) names.push(...(yield* this.stdinNames()));
    if (settings.flags.has('d')) return yield* this.remove(archive, names);
    for (const name of names) yield* this.add(name);
    return yield* this.finish(archive, names);
  }

  private *stdinNames(): Running<string[]> {
    const lines = this.io.lines(0);
    const names: string[] = [];
    for (let line = yield* lines.line(); line !== null; line = yield* lines.line()) names.push(line.trim());
    return names;
  }

  private *finish(archive: string, names: readonly string[]): Running<number> {
    const { settings, io } = this;
    if (!this.changed) {
      if (settings.flags.has('f') || settings.flags.has('u')) return 12;
      if (settings.flags.has('T') && this.entries.length > 0) {
        io.out(`test of ${archive} OK\n`);
        return 0;
      }
      if (this.warned || names.length === 0 || this.entries.length === 0)
        return error(io, `Nothing to do! (${archive})`, 12);
      return 0;
    }
    yield* this.save(archive);
    if (settings.flags.has('T')) io.out(`test of ${archive} OK\n`);
    if (settings.flags.has('m')) this.removeFiles();
    return this.warned ? 18 : 0;
  }

  private *save(archive: string): Running<void> {
    const bytes = encodeZip(this.entries);
    if (archive === '-') {
      yield* this.proc.write(1, bytes);
      return;
    }
    const fd = yield* this.proc.open(archive, { write: true, create: true, truncate: true });
    yield* this.proc.write(fd, bytes);
    this.proc.close(fd);
  }

  private removeFiles(): void {
    for (const path of this.done) this.proc.unlink(path);
    for (const path of this.folders.reverse())
      if (this.proc.readdir(path).length === 0) this.proc.rmdir(path);
  }

  private *remove(archive: string, names: readonly string[]): Running<number> {
    const kept = this.entries.filter((entry) => {
      const isGone = names.some((glob) => matchGlob(glob, entry.name));
      if (isGone && !this.settings.flags.has('q')) this.io.out(`deleting: ${entry.name}\n`);
      return !isGone;
    });
    for (const name of names)
      if (!this.entries.some((entry) => matchGlob(name, entry.name)))
        this.io.out(`\tzip warning: name not matched: ${name}\n`);
    if (kept.length === this.entries.length) return error(this.io, `Nothing to do! (${archive})`, 12);
    this.entries = kept;
    if (kept.length === 0) {
      this.io.out(`\tzip warning: zip file empty\n`);
      this.proc.unlink(archive);
    } else yield* this.save(archive);
    return 0;
  }

  private skips(name: string): boolean {
    const { excluded, included } = this.settings;
    if (excluded.some((glob) => matchGlob(glob.replace(/^\.\//, ''), name))) return true;
    return included.length > 0 && !included.some((glob) => matchGlob(glob, name));
  }

  private *add(name: string): Running<void> {
    const { proc, settings } = this;
    let inode: Inode;
    try {
      inode = settings.flags.has('y') ? proc.lstat(name) : proc.stat(name);
    } catch (failure) {
      if (!(failure instanceof SystemError)) throw failure;
      if (name === '-') return yield* this.addInput();
      this.warned = true;
      this.io.out(`\tzip warning: name not matched: ${name}\n`);
      return undefined;
    }
    const stored = name
      .replace(/^\.?\/+/, '')
      .replace(/^(\.\/)+/, '')
      .replace(/\/+$/, '');
    if (inode.kind === 'directory') {
      const isTop = stored === '' || stored === '.';
      if (!isTop && !settings.flags.has('D') && !settings.flags.has('j'))
        yield* this.store(inode, `${stored}/`, name);
      if (!settings.flags.has('r')) return undefined;
      for (const entry of proc.readdir(name))
        yield* this.add(isTop ? entry.name : `${name.replace(/\/+$/, '')}/${entry.name}`);
      if (!isTop) this.folders.push(name);
      return undefined;
    }
    if (inode.kind === 'file' || inode.kind === 'symlink')
      yield* this.store(inode, settings.flags.has('j') ? stored.replace(/^.*\//, '') : stored, name);
    return undefined;
  }

  private *addInput(): Running<void> {
    const bytes = yield* this.proc.readAll(0);
    const now = this.proc.now();
    this.put({
      ...this.facts(now),
      ...packEntry(bytes, this.settings.level),
      name: '-',
      mode: 0o600,
      kind: 'file',
      isText: true,
    });
  }

  private facts(mtimeUs: number): Pick<ZipEntry, 'time' | 'dosTime' | 'uid' | 'gid' | 'level'> {
    const time = Math.floor(mtimeUs / 1e6);
    const { year, month, day, hour, minute, second } = breakTime(time, 0, timeZone(this.proc.env.get('TZ')));
    const date = ((Math.max(1980, year) - 1980) << 9) | (month << 5) | day;
    const dosTime = date * 65_536 + ((hour << 11) | (minute << 5) | (second >> 1));
    return { time, dosTime, uid: this.proc.uid, gid: this.proc.gid, level: this.settings.level };
  }

  private *store(inode: Inode, stored: string, path: string): Running<void> {
    const { flags, level } = this.settings;
    if (this.skips(stored) || stored === '' || this.settings.names[0] === path) return;
    const old = this.entries.find((entry) => entry.name === stored);
    if (flags.has('f') && old === undefined) return;
    if (
      (flags.has('f') || flags.has('u')) &&
      old !== undefined &&
      Math.floor(inode.mtimeUs / 1e6) <= old.time
    )
      return;
    let bytes = new Uint8Array(0);
    if (inode.kind === 'symlink') bytes = joinBytes([toBytes(inode.target ?? '')]) as Uint8Array<ArrayBuffer>;
    else if (inode.kind === 'file') bytes = (yield* this.proc.readFile(path)) as Uint8Array<ArrayBuffer>;
    const isText =
      bytes.length > 0 && !bytes.some((byte) => byte < 7 || (byte > 13 && byte < 32 && byte !== 27));
    const kind = inode.kind === 'directory' || inode.kind === 'symlink' ? inode.kind : 'file';
    if (kind !== 'directory') this.done.push(path);
    this.proc.tick(bytes.length >> 3);
    const packed = packEntry(bytes, kind === 'symlink' || PACKED.test(path) ? 0 : level);
    this.put({
      ...this.facts(inode.mtimeUs),
      ...packed,
      name: stored,
      mode: inode.mode & 0o7777,
      kind,
      isText,
    });
    if (this.io.mustDrain) yield* this.io.drain();
  }

  private put(entry: ZipEntry): void {
    const at = this.entries.findIndex((one) => one.name === entry.name);
    this.changed = true;
    if (at >= 0) this.entries[at] = entry;
    else this.entries.push(entry);
    if (this.settings.flags.has('q')) return;
    const word = at >= 0 ? 'updating' : '  adding';
    const share = entry.size === 0 ? 0 : Math.round((1 - entry.packed.length / entry.size) * 100);
    const text = `${word}: ${entry.name} (${entry.method} ${share}%)\n`;
    if (this.settings.names[0] === '-') this.io.err(text);
    else this.io.out(text);
  }
}
