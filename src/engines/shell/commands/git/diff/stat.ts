/**
 * Summaries of differences: `--stat`, `--numstat`, `--shortstat`, `--summary`, `--dirstat` is not covered.
 */
import { toText } from '../../../kernel/index.js';
import { quotePath } from '../git.js';
import { diffLines, type LineOptions, linesOf } from './line-diff.js';
import { isBinary, type Pair } from './pairs.js';
import { comparedBytes } from './patch.js';

/** How much one file changed. */
export interface FileStat {
  readonly name: string;
  readonly pair: Pair;
  readonly added: number;
  readonly deleted: number;
  readonly isBinary: boolean;
  /** Bytes before and after of a binary file. */
  readonly sizes: readonly [number, number];
}

/** The numbers of each pair. */
export function statsOf(
  pairs: readonly Pair[],
  options: LineOptions & { readonly quotesPaths: boolean },
): FileStat[] {
  return pairs.map((pair) => {
    const name =
      pair.status === 'R' || pair.status === 'C'
        ? renameText(pair.oldPath, pair.path, options.quotesPaths)
        : quotePath(pair.path, options.quotesPaths);
    const [before, after] = [comparedBytes(pair.old), comparedBytes(pair.now)];
    const sizes = [before.length, after.length] as const;
    if (isBinary(before) || isBinary(after)) {
      return { name, pair, added: 0, deleted: 0, isBinary: pair.old?.oid !== pair.now?.oid, sizes };
    }
    let [added, deleted] = [0, 0];
    if (pair.old?.oid !== pair.now?.oid) {
      const [old, now] = [linesOf(toText(before)), linesOf(toText(after))];
      for (const change of diffLines(old, now, options)) {
        added += change.inserted;
        deleted += change.deleted;
      }
    }
    return { name, pair, added, deleted, isBinary: false, sizes };
  });
}

/** A rename in one line: `dir/{old => new}/file`. */
function renameText(from: string, to: string, quotesPaths: boolean): string {
  const [a, b] = [quotePath(from, quotesPaths), quotePath(to, quotesPaths)];
  if (a !== from || b !== to) return `${a} => ${b}`;
  let prefix = 0;
  for (let at = 0; at < a.length && at < b.length && a[at] === b[at]; at++)
    if (a[at] === '/') prefix = at + 1;
  let suffix = 0;
  const adjust = prefix > 0 ? 1 : 0;
  for (
    let back = 1;
    back <= a.length - prefix + adjust &&
    back <= b.length - prefix + adjust &&
    a[a.length - back] === b[b.length - back];
    back++
  )
    if (a[a.length - back] === '/') suffix = back;
  const middle = (text: string): string => text.slice(prefix, Math.max(prefix, text.length - suffix));
  if (prefix + suffix === 0) return `${a} => ${b}`;
  return `${a.slice(0, prefix)}{${middle(a)} => ${middle(b)}}${suffix === 0 ? '' : a.slice(a.length - suffix)}`;
}

/** ` 2 files changed, 3 insertions(+), 1 deletion(-)`. */
export function shortStat(stats: readonly FileStat[]): string {
  const counted = stats.filter((stat) => stat.pair.status !== 'U');
  if (counted.length === 0) return stats.length === 0 ? '' : ' 0 files changed\n';
  const added = counted.reduce((sum, stat) => sum + stat.added, 0);
  const deleted = counted.reduce((sum, stat) => sum + stat.deleted, 0);
  let text = ` ${counted.length} file${counted.length === 1 ? '' : 's'} changed`;
  if (added > 0 || deleted === 0) text += `, ${added} insertion${added === 1 ? '' : 's'}(+)`;
  if (deleted > 0 || added === 0) text += `, ${deleted} deletion${deleted === 1 ? '' : 's'}(-)`;
  return `${text}\n`;
}

/** The bars of `--stat` in a width of columns. */
export function statText(stats: readonly FileStat[], columns = 80): string {
  if (stats.length === 0) return '';
  const widths = stats.map((stat) => displayWidth(stat.name));
  const most = Math.max(...stats.map((stat) => (stat.isBinary ? 0 : stat.added + stat.deleted)));
  const binary = stats.filter((stat) => stat.isBinary);
  const numberWidth = Math.max(String(most).length, binary.length > 0 ? 3 : 0);
  const width = Math.max(columns, 16 + 6 + numberWidth);
  const binaryWidth = Math.max(
    0,
    ...binary.map((stat) => `${stat.sizes[0]} -> ${stat.sizes[1]} bytes`.length - 4),
  );
  let graphWidth = Math.max(most, binaryWidth > 0 ? binaryWidth - numberWidth + 3 : 0, 0);
  graphWidth = most;
  let nameWidth = Math.max(...widths);
  if (nameWidth + numberWidth + 6 + graphWidth > width) {
    const limit = Math.floor((width * 3) / 8) - numberWidth - 6;
    if (graphWidth > limit) graphWidth = Math.max(limit, 6);
    if (nameWidth > width - numberWidth - 6 - graphWidth) nameWidth = width - numberWidth - 6 - graphWidth;
    else graphWidth = width - numberWidth - 6 - nameWidth;
  }
  const bars = stats.map((stat) => {
    const name = shorten(stat.name, nameWidth);
    const head = ` ${name}${' '.repeat(Math.max(0, nameWidth - displayWidth(name)))} |`;
    if (stat.pair.status === 'U') return `${head} Unmerged`;
    if (stat.isBinary) {
      const word = 'Bin'.padStart(numberWidth);
      const [from, to] = stat.sizes;
      return `${head} ${word} ${from} -> ${to} bytes\n`;
    }
    const total = stat.added + stat.deleted;
    const [plus, minus] = barOf(stat, graphWidth, most);
    return `${head} ${String(total).padStart(numberWidth)}${total > 0 ? ' ' : ''}${'+'.repeat(plus)}${'-'.repeat(minus)}\n`;
  });
  return bars.join('') + shortStat(stats);
}

function barOf({ added, deleted }: FileStat, width: number, most: number): readonly [number, number] {
  if (width > most) return [added, deleted];
  const scale = (value: number): number => (value === 0 ? 0 : 1 + Math.floor((value * (width - 1)) / most));
  let total = scale(added + deleted);
  if (total < 2 && added > 0 && deleted > 0) total = 2;
  if (added < deleted) {
    const plus = scale(added);
    return [plus, total - plus];
  }
  const minus = scale(deleted);
  return [total - minus, minus];
}

function displayWidth(text: string): number {
  return [...text].length;
}

function shorten(name: string, width: number): string {
  const length = displayWidth(name);
  if (length <= width) return name;
  const kept = [...name].slice(length - Math.max(0, width - 3)).join('');
  const slash = kept.indexOf('/');
  return `...${slash >= 0 ? kept.slice(slash) : kept}`;
}

/** `--numstat`. */
export function numStat(stats: readonly FileStat[]): string {
  return stats
    .map((stat) =>
      stat.isBinary ? `-\t-\t${stat.name}\n` : `${stat.added}\t${stat.deleted}\t${stat.name}\n`,
    )
    .join('');
}

/** `--summary`: files that came, went, changed their mode or name. */
export function summaryText(pairs: readonly Pair[], quotesPaths: boolean): string {
  return pairs
    .map((pair) => {
      const name = quotePath(pair.path, quotesPaths);
      if (pair.status === 'A') return ` create mode ${pair.now?.mode} ${name}\n`;
      if (pair.status === 'D') return ` delete mode ${pair.old?.mode} ${name}\n`;
      const isMode = pair.old?.mode !== pair.now?.mode;
      const change = `mode change ${pair.old?.mode} => ${pair.now?.mode}`;
      if (pair.status === 'R' || pair.status === 'C') {
        const percent = Math.floor(((pair.score ?? 0) * 100) / 60_000);
        const word = pair.status === 'R' ? 'rename' : 'copy';
        const line = ` ${word} ${renameText(pair.oldPath, pair.path, quotesPaths)} (${percent}%)\n`;
        return isMode ? `${line} ${change}\n` : line;
      }
      return isMode ? ` ${change} ${name}\n` : '';
    })
    .join('');
}
