/**
 * Patches as `git diff` prints them: headers, modes, renames, binary files.
 *
 * Source: "GENERATING PATCH TEXT WITH -p" of git-diff(1).
 */
import { toText } from '../../../kernel/index.js';
import { quotePath } from '../git.js';
import { ZERO_OID } from '../store/objects.js';
import { type HunkOptions, unifiedHunks } from './hunks.js';
import { isBinary, type Pair, type StateFile } from './pairs.js';

/** How patches are written. */
export interface PatchOptions extends HunkOptions {
  readonly oldPrefix: string;
  readonly newPrefix: string;
  readonly abbreviate: (oid: string) => string;
  readonly fullIndex?: boolean;
  readonly quotesPaths: boolean;
  /** Treat everything as text. */
  readonly isText?: boolean;
}

/** The text of a file that is compared; links are their target, submodules a line. */
export function comparedBytes(file: StateFile | undefined): Uint8Array {
  if (file === undefined) return new Uint8Array(0);
  if (file.mode === '160000') return new TextEncoder().encode(`Subproject commit ${file.oid}\n`);
  return file.read();
}

/** The patch of one pair. */
export function patchOf(pair: Pair, options: PatchOptions): string {
  if (pair.status === 'U') return `* Unmerged path ${quotePath(pair.path, options.quotesPaths)}\n`;
  if (pair.status === 'T' && pair.old !== undefined && pair.now !== undefined)
    return (
      patchOf({ ...pair, status: 'D', now: undefined }, options) +
      patchOf({ ...pair, status: 'A', old: undefined }, options)
    );
  const quoted = (prefix: string, path: string): string => quotePath(prefix + path, options.quotesPaths);
  const [a, b] = [quoted(options.oldPrefix, pair.oldPath), quoted(options.newPrefix, pair.path)];
  let out = `diff --git ${a} ${b}\n`;
  const { old, now } = pair;
  if (old === undefined) out += `new file mode ${now?.mode}\n`;
  else if (now === undefined) out += `deleted file mode ${old.mode}\n`;
  else if (old.mode !== now.mode) out += `old mode ${old.mode}\nnew mode ${now.mode}\n`;
  if (pair.status === 'R' || pair.status === 'C') {
    const word = pair.status === 'R' ? 'rename' : 'copy';
    out += `similarity index ${Math.floor(((pair.score ?? 0) * 100) / 60_000)}%\n`;
    out += `${word} from ${quotePath(pair.oldPath, options.quotesPaths)}\n${word} to ${quotePath(pair.path, options.quotesPaths)}\n`;
  }
  const [oldOid, newOid] = [old?.oid ?? ZERO_OID, now?.oid ?? ZERO_OID];
  if (oldOid === newOid) return out;
  const short = options.fullIndex === true ? (oid: string): string => oid : options.abbreviate;
  const mode = old !== undefined && now !== undefined && old.mode === now.mode ? ` ${old.mode}` : '';
  const indexLine = `index ${short(oldOid)}..${short(newOid)}${mode}\n`;
  const [before, after] = [comparedBytes(old), comparedBytes(now)];
  const from = old === undefined ? '/dev/null' : a;
  const to = now === undefined ? '/dev/null' : b;
  if (options.isText !== true && (isBinary(before) || isBinary(after)))
    return `${out}${indexLine}Binary files ${from} and ${to} differ\n`;
  const hunks = unifiedHunks(toText(before), toText(after), options);
  if (hunks === '' && options.ignoreSpace !== undefined && out.split('\n').length === 2) return '';
  out += indexLine;
  if (hunks === '') return out;
  const tabbed = (path: string): string => (/ /.test(path) && !path.startsWith('"') ? `${path}\t` : path);
  return `${out}--- ${tabbed(from)}\n+++ ${tabbed(to)}\n${hunks}`;
}
