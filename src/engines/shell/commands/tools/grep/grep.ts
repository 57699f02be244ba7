/**
 * `grep`, `egrep`, `fgrep` of GNU grep 3.8.
 *
 * Source: grep(1). Folders are read in the disk's order, symbolic links in them only with `-R`. Status 0 selected,
 * 1 nothing, 2 an error (not with `-q` after a match). Not covered: `-D`, `GREP_COLORS`.
 */
import {
  type Command,
  Exit,
  type Io,
  type Process,
  type Running,
  SystemError,
} from '../../../kernel/index.js';
import { matchGlob } from '../glob-match.js';
import { RegexBudgetError, RegexSyntaxError } from '../regex/regex-tree.js';
import { createMatcher, type LineMatcher } from './matcher.js';
import { searchInput } from './search-input.js';
import { type GrepSettings, readSettings } from './settings.js';

/** The commands. egrep and fgrep are scripts around grep, whose messages say so. */
export const GREP_COMMANDS: readonly Command[] = [
  {
    name: 'grep',
    path: '/usr/bin/grep',
    sizeBytes: 203_152,
    failStatus: 2,
    run: (proc, io) => grep(proc, io),
  },
  {
    name: 'egrep',
    path: '/usr/bin/egrep',
    sizeBytes: 41,
    failStatus: 2,
    run: (proc, io) => aliased(proc, io, '-E'),
  },
  {
    name: 'fgrep',
    path: '/usr/bin/fgrep',
    sizeBytes: 41,
    failStatus: 2,
    run: (proc, io) => aliased(proc, io, '-F'),
  },
];

function* aliased(proc: Process, io: Io, option: string): Running<number> {
  proc.argv = ['grep', option, ...proc.argv.slice(1)];
  return yield* grep(proc, io);
}

function* grep(proc: Process, io: Io): Running<number> {
  const settings = yield* readSettings(proc, io);
  let matcher: LineMatcher;
  try {
    matcher = createMatcher(settings.patterns ?? [], settings);
  } catch (error) {
    if (!(error instanceof RegexSyntaxError)) throw error;
    io.error(error.message);
    return 2;
  }
  for (const warning of matcher.warnings) io.error(warning);
  try {
    return yield* new GrepRun({ proc, io, settings, matcher }).run();
  } catch (error) {
    if (!(error instanceof RegexBudgetError)) throw error;
    io.error(settings.kind === 'perl' ? `${error.message} of PCRE` : 'memory exhausted');
    return 2;
  }
}

/** One run over all files. */
class GrepRun {
  private anySelected = false;
  private anyError = false;
  private done = false;
  private withNames: boolean;

  constructor(
    private readonly search: {
      readonly proc: Process;
      readonly io: Io;
      readonly settings: GrepSettings;
      readonly matcher: LineMatcher;
    },
  ) {
    const { settings } = search;
    const recursive = settings.directories === 'recurse';
    this.withNames =
      settings.withNames ?? (settings.files.length > 1 || (recursive && this.firstIsFolder(settings.files)));
  }

  private firstIsFolder(files: readonly string[]): boolean {
    const [first] = files;
    if (first === undefined) return true;
    try {
      return this.search.proc.stat(first).kind === 'directory';
    } catch {
      return false;
    }
  }

  *run(): Running<number> {
    const { settings } = this.search;
    const recursive = settings.directories === 'recurse';
    if (settings.files.length === 0 && recursive) yield* this.folder('', true);
    else for (const name of settings.files.length === 0 ? ['-'] : settings.files) yield* this.named(name);
    if (this.anyError && !(settings.quiet && this.anySelected)) return 2;
    return this.anySelected ? 0 : 1;
  }

  private problem(name: string, error: unknown): void {
    if (!(error instanceof SystemError)) throw error;
    this.anyError = true;
    if (!this.search.settings.noMessages) this.search.io.error(`${name}: ${error.text}`);
  }

  /** A file of the command line. */
  private *named(name: string): Running<void> {
    const { proc, settings } = this.search;
    if (this.done) return;
    if (name === '-') return yield* this.descriptor(0, settings.label);
    try {
      const inode = proc.stat(name);
      if (inode.kind === 'directory') {
        if (settings.directories === 'recurse') {
          if (!this.skipsFolder(name)) yield* this.folder(name, true);
          return;
        }
        if (settings.directories === 'skip') return;
      }
      if (this.skipsFile(name)) return;
      yield* this.file(name);
    } catch (error) {
      this.problem(name, error);
    }
  }

  private *file(name: string): Running<void> {
    const fd = yield* this.search.proc.open(name);
    try {
      yield* this.descriptor(fd, name);
    } finally {
      this.search.proc.close(fd);
    }
  }

  private *descriptor(fd: number, name: string): Running<void> {
    const { io, settings, proc } = this.search;
    if (this.isOutput(fd)) {
      this.anyError = true;
      if (!settings.noMessages) io.error(`${name}: input file is also the output`);
      return;
    }
    try {
      const { selected } = yield* searchInput(this.search, { fd, name, withName: this.withNames });
      if (proc.fstat(fd).kind === 'directory') throw new SystemError('EISDIR');
      const found = selected > 0;
      const shown = settings.list === 'matching' ? found : settings.list === 'others' && !found;
      if (shown && !settings.quiet) {
        const painted = settings.colour ? `\x1b[35m\x1b[K${name}\x1b[m\x1b[K` : name;
        io.out(`${painted}${settings.nullAfterName ? '\0' : '\n'}`);
      }
      if (found) this.anySelected = true;
      if (settings.quiet && found) throw new Exit(0);
    } catch (error) {
      this.problem(name, error);
    }
  }

  /** A regular file that standard output appends to would never end. */
  private isOutput(fd: number): boolean {
    const { proc, settings } = this.search;
    if (settings.quiet || settings.list !== undefined || settings.maxCount <= 1) return false;
    if (!proc.isOpen(1) || !proc.isOpen(fd)) return false;
    const [input, output] = [proc.fstat(fd), proc.fstat(1)];
    return (
      input.kind === 'file' && output.kind === 'file' && input.ino === output.ino && input.dev === output.dev
    );
  }

  private skipsFile(name: string): boolean {
    const { include, exclude } = this.search.settings;
    const base = name.replace(/^.*\//, '');
    const fits = (glob: string): boolean => matchGlob(glob, base) || matchGlob(glob, name);
    if (exclude.some(fits)) return true;
    return include.length > 0 && !include.some(fits);
  }

  private skipsFolder(name: string): boolean {
    const base = name.replace(/\/+$/, '').replace(/^.*\//, '');
    return this.search.settings.excludeFolders.some((glob) => matchGlob(glob, base) || matchGlob(glob, name));
  }

  private *folder(name: string, isTop: boolean): Running<void> {
    const { proc, settings, io } = this.search;
    let entries: ReturnType<Process['readdir']>;
    try {
      entries = proc.readdir(name === '' ? '.' : name);
    } catch (error) {
      this.problem(name === '' ? '.' : name, error);
      return;
    }
    for (const entry of entries) {
      if (this.done) return;
      const path =
        name === '' ? entry.name : name.endsWith('/') ? `${name}${entry.name}` : `${name}/${entry.name}`;
      try {
        const inode = settings.followAll ? proc.stat(path) : proc.lstat(path);
        if (inode.kind === 'directory') {
          if (!this.skipsFolder(path)) yield* this.folder(path, false);
        } else if (inode.kind === 'file' && !this.skipsFile(path)) yield* this.file(path);
      } catch (error) {
        this.problem(path, error);
      }
      if (io.mustDrain) yield* io.drain();
    }
    if (isTop) this.done = false;
  }
}
