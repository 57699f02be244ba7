/**
 * Pathname expansion: the files that a pattern names, in byte order.
 *
 * The idea: the pattern is taken apart at its slashes; folders are listed only where a part has magic. Links in a
 * circle cannot trap `**`, because it does not follow links to folders. Source: bash manual, Filename Expansion.
 */
import { type Process, SystemError } from '../../kernel/index.js';
import { hasMagic, patternOf } from '../patterns/pattern.js';

/** The options that decide what matches. */
export interface GlobOptions {
  readonly dotglob: boolean;
  readonly globstar: boolean;
  readonly nocaseglob: boolean;
  readonly extglob: boolean;
  readonly globskipdots: boolean;
  /** Patterns of `GLOBIGNORE`. */
  readonly ignored: readonly string[];
}

const MAX_RESULTS = 200_000;

/** Removes the backslashes that quote. */
function unquoted(pattern: string): string {
  return pattern.replace(/\\([\s\S])/g, '$1');
}

/** The paths that match; empty when there are none. */
export function expandGlob(process: Process, pattern: string, options: GlobOptions): string[] {
  const absolute = pattern.startsWith('/');
  const parts = pattern.split('/');
  const search = new Search(process, options);
  const found = search.walk(absolute ? '/' : '', absolute ? parts.slice(1) : parts);
  const kept = found.filter((path) => !isIgnored(path, options));
  return kept.sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
}

function isIgnored(path: string, options: GlobOptions): boolean {
  if (options.ignored.length === 0) return false;
  if (/(^|\/)\.\.?$/.test(path)) return true;
  return options.ignored.some((ignored) => patternOf(ignored, { extglob: options.extglob }).test(path));
}

/** One expansion. */
class Search {
  private count = 0;

  constructor(
    private readonly process: Process,
    private readonly options: GlobOptions,
  ) {}

  walk(folder: string, parts: readonly string[]): string[] {
    const [first, ...rest] = parts;
    if (first === undefined) return [];
    if (first === '' && rest.length > 0)
      return this.walk(`${folder.endsWith('/') ? folder : `${folder}/`}`, rest);
    if (first === '**' && this.options.globstar) return this.walkAll(folder, rest);
    if (!hasMagic(first, this.options.extglob)) return this.walkLiteral(folder, unquoted(first), rest);
    const pattern = patternOf(first, { extglob: this.options.extglob, ignoreCase: this.options.nocaseglob });
    const out: string[] = [];
    for (const name of this.names(folder, first)) {
      if (!pattern.test(name)) continue;
      this.extend(`${folder}${name}`, rest, out);
    }
    return out;
  }

  private extend(path: string, rest: readonly string[], out: string[]): void {
    if (this.count >= MAX_RESULTS) return;
    if (rest.length === 0) {
      this.count += 1;
      out.push(path);
    } else if (this.isFolder(path)) {
      if (rest.length === 1 && rest[0] === '') {
        this.count += 1;
        out.push(`${path}/`);
      } else out.push(...this.walk(`${path}/`, rest));
    }
  }

  private walkLiteral(folder: string, name: string, rest: readonly string[]): string[] {
    const path = folder + name;
    if (rest.length > 0) {
      const out: string[] = [];
      this.extend(path, rest, out);
      return out;
    }
    if (path === '') return [];
    try {
      this.process.lstat(path);
      return [path];
    } catch (error) {
      if (error instanceof SystemError) return [];
      throw error;
    }
  }

  /** `**`: this folder and every folder below. */
  private walkAll(folder: string, rest: readonly string[]): string[] {
    const out: string[] = [];
    if (rest.length > 0) out.push(...this.walk(folder, rest));
    else if (folder !== '') out.push(folder);
    for (const entry of this.entries(folder)) {
      if (entry.name.startsWith('.') && !this.options.dotglob) continue;
      const path = folder + entry.name;
      if (this.count >= MAX_RESULTS) return out;
      if (entry.kind === 'directory') {
        if (rest.length === 0) {
          this.count += 1;
          out.push(path);
          out.push(...this.walkAll(`${path}/`, rest).filter((one) => one !== `${path}/`));
        } else out.push(...this.walkAll(`${path}/`, rest));
      } else if (rest.length === 0) {
        this.count += 1;
        out.push(path);
      }
    }
    return out;
  }

  private entries(folder: string): { name: string; kind: string }[] {
    try {
      const path = folder === '' ? '.' : folder;
      return this.process
        .readdir(path)
        .map((entry) => ({ name: entry.name, kind: this.kindOf(folder + entry.name) }));
    } catch (error) {
      if (error instanceof SystemError) return [];
      throw error;
    }
  }

  private kindOf(path: string): string {
    try {
      return this.process.lstat(path).kind;
    } catch (error) {
      if (error instanceof SystemError) return 'none';
      throw error;
    }
  }

  private names(folder: string, pattern: string): string[] {
    const withDots = pattern.startsWith('.') || pattern.startsWith('\\.');
    try {
      const names = this.process.readdir(folder === '' ? '.' : folder).map((entry) => entry.name);
      const dots = withDots && !this.options.globskipdots ? ['.', '..'] : [];
      const shown = [...dots, ...names].filter(
        (name) =>
          !name.startsWith('.') || withDots || this.options.dotglob || this.startsWithDotGroup(pattern),
      );
      return shown;
    } catch (error) {
      if (error instanceof SystemError) return [];
      throw error;
    }
  }

  private startsWithDotGroup(pattern: string): boolean {
    return this.options.extglob && /^[@?*+]\((\\?\.|[^)]*\|\\?\.)/.test(pattern);
  }

  private isFolder(path: string): boolean {
    try {
      return this.process.stat(path).kind === 'directory';
    } catch (error) {
      if (error instanceof SystemError) return false;
      throw error;
    }
  }
}
