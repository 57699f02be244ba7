/**
 * `diff` of GNU diffutils 3.8: files, folders, standard input.
 *
 * Source: the manual of diffutils. Status 0 for no difference, 1 for some, 2 for trouble.
 */
import {
  type Command,
  type Inode,
  type Io,
  type Process,
  type Running,
  SystemError,
  toText,
} from '../../../kernel/index.js';
import { breakTime } from '../../program/calendar.js';
import { quoteText } from '../../program/quote.js';
import { strftime } from '../../program/strftime.js';
import { timeZone } from '../../program/time-zone.js';
import { matchGlob } from '../glob-match.js';
import { type Change, findChanges } from './edit-script.js';
import { renderMerged } from './merged.js';
import { renderContext, renderEd, renderNormal, renderRcs, renderUnified } from './render.js';
import { type DiffSettings, readDiffSettings } from './settings.js';
import { renderSides } from './side-by-side.js';
import { keysOf, linesOf, type TextFile } from './text-file.js';

/** The command. */
export const diff: Command = {
  name: 'diff',
  path: '/usr/bin/diff',
  sizeBytes: 145_208,
  failStatus: 2,
  run: function* (proc, io) {
    return yield* new DiffRun(proc, io, readDiffSettings(proc, io)).run();
  },
};

/** One side of a comparison: a name, and what is there; undefined for nothing (with -N). */
interface Side {
  readonly name: string;
  readonly inode: Inode | undefined;
}

class DiffRun {
  private trouble = false;

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
    private readonly settings: DiffSettings,
  ) {}

  *run(): Running<number> {
    const [first = '', second = ''] = this.settings.operands;
    const sides = [this.side(first), this.side(second)] as const;
    if (this.trouble) return 2;
    const [a, b] = [this.intoFolder(sides[0], sides[1]), this.intoFolder(sides[1], sides[0])];
    if (this.trouble) return 2;
    const differs = yield* this.compare(a, b, true);
    return this.trouble ? 2 : differs ? 1 : 0;
  }

  private side(name: string): Side {
    try {
      return { name, inode: name === '-' ? this.proc.fstat(0) : this.proc.stat(name) };
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (error.code === 'ENOENT' && this.settings.newFile) return { name, inode: undefined };
      this.problem(name, error);
      return { name, inode: undefined };
    }
  }

  private problem(name: string, error: unknown): void {
    if (!(error instanceof SystemError)) throw error;
    this.trouble = true;
    this.io.error(`${name}: ${error.text}`);
  }

  /** A folder against a file means the file of that name in the folder. */
  private intoFolder(own: Side, other: Side): Side {
    if (own.inode?.kind !== 'directory' || other.inode === undefined || other.inode.kind === 'directory')
      return own;
    const base = other.name.replace(/\/+$/, '').replace(/^.*\//, '');
    return this.side(`${own.name.replace(/\/+$/, '')}/${base}`);
  }

  /** True if the sides differ. */
  private *compare(a: Side, b: Side, isTop: boolean): Running<boolean> {
    const [one, two] = [a.inode, b.inode];
    if (one?.kind === 'directory' && two?.kind === 'directory') {
      if (isTop || this.settings.recursive) return yield* this.folders(a, b);
      this.io.out(`Common subdirectories: ${a.name} and ${b.name}\n`);
      return false;
    }
    if (one !== undefined && two !== undefined && (one.kind === 'directory') !== (two.kind === 'directory')) {
      const [x, y] = [describe(one), describe(two)];
      this.io.out(`File ${a.name} is a ${x} while file ${b.name} is a ${y}\n`);
      return true;
    }
    return yield* this.files(a, b, isTop);
  }

  private names(folder: Side): string[] {
    if (folder.inode === undefined) return [];
    try {
      return this.proc
        .readdir(folder.name)
        .map((entry) => entry.name)
        .filter((name) => !this.settings.excluded.some((glob) => matchGlob(glob, name)));
    } catch (error) {
      this.problem(folder.name, error);
      return [];
    }
  }

  private *folders(a: Side, b: Side): Running<boolean> {
    const [left, right] = [new Set(this.names(a)), new Set(this.names(b))];
    let differs = false;
    const join = (folder: string, name: string): string => `${folder.replace(/\/+$/, '')}/${name}`;
    for (const name of [...new Set([...left, ...right])].sort(byBytes)) {
      if (this.io.mustDrain) yield* this.io.drain();
      const [inLeft, inRight] = [left.has(name), right.has(name)];
      const { newFile, newFirst } = this.settings;
      if (!(inLeft && inRight) && !newFile && !(newFirst && inRight)) {
        this.io.out(`Only in ${(inLeft ? a : b).name}: ${name}\n`);
        differs = true;
        continue;
      }
      const of = (folder: string, there: boolean): Side =>
        there ? this.side(join(folder, name)) : { name: join(folder, name), inode: undefined };
      if (yield* this.compare(of(a.name, inLeft), of(b.name, inRight), false)) differs = true;
    }
    return differs;
  }

  private *read(side: Side): Running<Uint8Array | undefined> {
    if (side.inode === undefined) return new Uint8Array(0);
    try {
      return side.name === '-' ? yield* this.proc.readAll(0) : yield* this.proc.readFile(side.name);
    } catch (error) {
      this.problem(side.name, error);
      return undefined;
    }
  }

  private *files(a: Side, b: Side, isTop: boolean): Running<boolean> {
    const { settings, io } = this;
    const [one, two] = [yield* this.read(a), yield* this.read(b)];
    if (one === undefined || two === undefined) return true;
    const same = one.length === two.length && one.every((byte, at) => byte === two[at]);
    if (same && settings.style !== 'side') {
      if (settings.reportSame) io.out(`Files ${a.name} and ${b.name} are identical\n`);
      return false;
    }
    const isBinary =
      !settings.text && (one.subarray(0, 4096).includes(0) || two.subarray(0, 4096).includes(0));
    if (isBinary && !same) {
      io.out(
        settings.brief
          ? `Files ${a.name} and ${b.name} differ\n`
          : `Binary files ${a.name} and ${b.name} differ\n`,
      );
      return true;
    }
    const files = [this.textFile(a, one), this.textFile(b, two)] as const;
    const changes = this.changes(files);
    if (changes.length === 0) {
      if (settings.reportSame) io.out(`Files ${a.name} and ${b.name} are identical\n`);
      else if (settings.style === 'side') io.out(this.render(files, changes));
      return false;
    }
    const [first = a.name, second = b.name] = settings.labels;
    if (settings.brief) io.out(`Files ${first} and ${second} differ\n`);
    else {
      if (!isTop) io.out(`diff${this.repeated()} ${shown(a.name)} ${shown(b.name)}\n`);
      io.out(this.render(files, changes));
      this.tellUnended(files);
    }
    return true;
  }

  /** ed scripts cannot tell of a missing line end, so that goes to standard error. */
  private tellUnended(files: readonly [TextFile, TextFile]): void {
    if (this.settings.style !== 'ed') return;
    for (const file of files) if (file.unended) this.io.error(`${file.name}: No newline at end of file\n`);
  }

  /** The options, as the heads of files in folders repeat them. */
  private repeated(): string {
    const words = this.proc.argv.slice(1);
    for (const operand of this.settings.operands) words.splice(words.lastIndexOf(operand), 1);
    return words.map((word) => ` ${shown(word)}`).join('');
  }

  private textFile(side: Side, bytes: Uint8Array): TextFile {
    const { lines, unended } = linesOf(toText(bytes));
    const mtimeUs = side.name === '-' ? this.proc.now() : (side.inode?.mtimeUs ?? 0);
    return { name: side.name, lines, unended, mtimeUs };
  }

  private changes(files: readonly [TextFile, TextFile]): Change[] {
    const { settings } = this;
    const ignoring = {
      case: settings.ignoreCase,
      space: settings.space,
      tabs: settings.tabs,
      carriage: settings.carriage,
    };
    const changes = findChanges(keysOf(files[0], ignoring), keysOf(files[1], ignoring));
    if (!settings.blankLines && settings.ignored === undefined) return changes;
    const trivial = (line: string): boolean =>
      (settings.blankLines && line === '') || settings.ignored?.test(line) === true;
    const isTrivial = (change: Change): boolean =>
      files[0].lines.slice(change.oldAt, change.oldAt + change.deleted).every(trivial) &&
      files[1].lines.slice(change.newAt, change.newAt + change.inserted).every(trivial);
    return changes.every(isTrivial)
      ? []
      : settings.style === 'normal' || settings.style === 'ed'
        ? changes.filter((one) => !isTrivial(one))
        : changes;
  }

  private label(file: TextFile, at: 0 | 1): string {
    const label = this.settings.labels[at];
    if (label !== undefined) return label;
    const seconds = Math.floor(file.mtimeUs / 1e6);
    const time = breakTime(seconds, (file.mtimeUs - seconds * 1e6) * 1000, timeZone(this.proc.env.get('TZ')));
    return `${quoteText(file.name, 'literal', { isUtf8: true })}\t${strftime('%Y-%m-%d %H:%M:%S.%N %z', time)}`;
  }

  private render(files: readonly [TextFile, TextFile], changes: readonly Change[]): string {
    const { settings } = this;
    const { functions } = settings;
    const options = {
      context: settings.context,
      labels: [this.label(files[0], 0), this.label(files[1], 1)] as const,
      initialTab: settings.initialTab,
      suppressBlank: settings.suppressBlank,
      expand: settings.expand,
      colour: settings.colour,
      functions: functions === undefined ? undefined : (line: string) => functions.test(line),
    };
    switch (settings.style) {
      case 'unified':
        return renderUnified(files, changes, options);
      case 'context':
        return renderContext(files, changes, options);
      case 'ed':
        return renderEd(files, changes);
      case 'rcs':
        return renderRcs(files, changes);
      case 'merged':
        return renderMerged(files, changes, settings);
      case 'side':
        return renderSides(files, changes, settings);
      default:
        return renderNormal(files, changes, options);
    }
  }
}

function shown(name: string): string {
  return quoteText(name, 'shell-escape', { isUtf8: true });
}

function describe(inode: Inode): string {
  if (inode.kind === 'directory') return 'directory';
  if (inode.kind === 'file') return (inode.content?.size ?? 0) === 0 ? 'regular empty file' : 'regular file';
  return inode.kind === 'symlink' ? 'symbolic link' : inode.kind;
}

function byBytes(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
