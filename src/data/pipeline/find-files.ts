/**
 * The files that words of a command mean: files as they are, folders walked in sorted order.
 *
 * The order depends on names alone, so that two runs read the same. A file's name in what is written does not hold where
 * the user keeps it: a named file is its last part, a file of a folder the folder's name and the way from there; only
 * names that would be two files' become the whole way. A folder of numbered events is one file. Left out and counted in
 * folders: hidden entries, links to folders, saved outputs of tools (importers look for those that a log names), and files
 * whose name says that they are pictures, films, sound or archives of many files.
 */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import { DataError, UsageError } from '../../core/index.js';
import { eventFiles } from './event-folder.js';

/** Files to read, and what was left out. */
export interface FoundFiles {
  /** Path → the name to write down, in the order in which to read. `-` is standard input. */
  readonly names: ReadonlyMap<string, string>;
  /** Path → the folder that was named, or the folder of the file that was. */
  readonly roots: ReadonlyMap<string, string>;
  /** What was left out of folders, by what it is. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Folders that could not be read, in words. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

const SIDE_FILES: ReadonlySet<string> = new Set(
  '.png .jpg .jpeg .gif .webp .bmp .ico .svg .mp4 .webm .mov .mp3 .wav .pdf .zip .tar .tgz .pkl .db .sqlite'.split(
    ' ',
  ),
);

/** Folders in which agents keep outputs that were too long for the log. */
const SAVED_OUTPUTS: ReadonlySet<string> = new Set(['tool-results', 'tool-outputs', 'tool-output']);

/** Finds the files. Raises `usage/unknown-name` for a word that is neither. */
export function findFiles(words: readonly string[]): FoundFiles {
  const found = new Map<string, string>();
  const roots = new Map<string, string>();
  const leftOut = new Map<string, number>();
  const problems: { path: string; message: string }[] = [];
  const skip = (what: string): void => void leftOut.set(what, (leftOut.get(what) ?? 0) + 1);
  for (const word of words) {
    if (word === '-') found.set('-', '-');
    else if (!isFolder(word)) {
      found.set(word, basename(word));
      roots.set(word, dirname(word));
    } else if (eventFiles(resolve(word)).length > 0) found.set(word, storeName(word));
    else {
      const top = basename(resolve(word));
      walk(word, {
        file: (path, way) => {
          found.set(path, top === '' ? way : `${top}/${way}`);
          roots.set(path, word);
        },
        skip,
        problem: (path, message) => void problems.push({ path, message }),
      });
    }
  }
  return { names: withoutTwins(found), roots, leftOut: Object.fromEntries([...leftOut].sort()), problems };
}

function isFolder(word: string): boolean {
  const about = whatIsAt(word);
  if (about !== undefined) return about.isDirectory();
  const message = `there is no file or folder ${word}`;
  throw new UsageError(message, { code: 'usage/unknown-name', data: { path: word } });
}

/** The name of a folder of events: the conversation's folder and its own. */
function storeName(word: string): string {
  const whole = resolve(word);
  return join(basename(dirname(whole)), basename(whole));
}

interface Walker {
  readonly file: (path: string, way: string) => void;
  readonly skip: (what: string) => void;
  readonly problem: (path: string, message: string) => void;
}

function walk(top: string, walker: Walker): void {
  // A stack instead of recursion: folders may be as deep as the system allows.
  const stack: { readonly path: string; readonly way: string }[] = [{ path: top, way: '' }];
  for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
    const { path, way } = here;
    if (way !== '' && (!isListable(path) || eventFiles(path).length > 0)) {
      walker.file(path, way);
      continue;
    }
    const entries = list(path, walker).map(({ name, kind }) => ({
      path: join(path, name),
      way: way === '' ? name : `${way}/${name}`,
      name,
      kind,
    }));
    // The last one pushed is read first.
    for (const entry of entries.reverse()) {
      const why = whyNot(entry.name, entry.kind, entry.path);
      if (why === undefined) stack.push(entry);
      else walker.skip(why);
    }
  }
}

type Kind = 'file' | 'folder' | 'link' | 'other';

function list(path: string, { problem }: Walker): { readonly name: string; readonly kind: Kind }[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .map((entry) => ({
        name: entry.name,
        kind: entry.isFile()
          ? ('file' as const)
          : entry.isDirectory()
            ? ('folder' as const)
            : entry.isSymbolicLink()
              ? ('link' as const)
              : ('other' as const),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    problem(path, `cannot read the folder ${path} (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    return [];
  }
}

function whyNot(name: string, kind: Kind, path: string): string | undefined {
  if (name.startsWith('.')) return 'hidden entry';
  if (kind === 'other') return 'neither file nor folder';
  if (kind === 'link') {
    const about = whatIsAt(path);
    if (about === undefined) return 'link to nothing';
    if (!about.isFile()) return 'link to a folder';
  }
  if (kind === 'folder') return SAVED_OUTPUTS.has(name) ? 'folder of saved outputs' : undefined;
  return SIDE_FILES.has(extname(name).toLowerCase()) ? `file ${extname(name).toLowerCase()}` : undefined;
}

function isListable(path: string): boolean {
  return whatIsAt(path)?.isDirectory() === true;
}

/** Undefined where nothing is, or where links lead in a circle. */
function whatIsAt(path: string): ReturnType<typeof statSync> | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Two files of one name are told apart by their whole way. */
function withoutTwins(found: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const name of found.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    [...found].map(([path, name]) => [path, (counts.get(name) ?? 0) > 1 ? path.split(sep).join('/') : name]),
  );
}

/** Raises `data/invalid` where there is nothing to read at all. */
export function mustHaveFiles({ names }: FoundFiles, words: readonly string[]): void {
  if (names.size > 0) return;
  throw new DataError(`there are no files to read in ${words.join(', ')}`, { code: 'data/invalid' });
}
