/**
 * The options of `diff`, `log`, `show`, `stash show` about differences, and the printing of pairs by them.
 *
 * Source: git-diff(1), "OPTIONS".
 */
import type { Git } from '../git.js';
import { quotePath } from '../git.js';
import { ZERO_OID } from '../store/objects.js';
import type { Repository } from '../store/repository.js';
import type { Parsed } from '../work/options.js';
import { compareStates, type Pair, type RenameOptions, type State } from './pairs.js';
import { type PatchOptions, patchOf } from './patch.js';
import { numStat, shortStat, statsOf, statText, summaryText } from './stat.js';

/** Options of differences, in the table's form. */
export const DIFF_OPTIONS =
  'p|u|patch s|no-patch U|unified= raw patch-with-stat stat=? numstat shortstat summary name-only name-status check ' +
  'M|find-renames=? C|find-copies=? no-renames w|ignore-all-space b|ignore-space-change ignore-space-at-eol ignore-blank-lines ' +
  'a|text full-index abbrev=? color=? no-color no-prefix src-prefix= dst-prefix= exit-code quiet R diff-filter= S= G= ' +
  'relative=? minimal patience histogram diff-algorithm= indent-heuristic inter-hunk-context= z W|function-context ext-diff ' +
  'no-ext-diff textconv compact-summary binary word-diff=? color-words=? dirstat=? ignore-submodules=? cc c submodule=? output= stat-width= color-moved=? find-copies-harder';

/** What is printed of differences. */
export interface DiffShape {
  readonly raw: boolean;
  readonly patch: boolean;
  readonly stat: boolean;
  readonly numstat: boolean;
  readonly shortstat: boolean;
  readonly summary: boolean;
  readonly compact: boolean;
  readonly names: 'only' | 'status' | false;
  readonly renames: RenameOptions | false;
  readonly options: PatchOptions;
  readonly filter: string;
  readonly pickaxe?: { readonly text: string; readonly isPattern: boolean };
  readonly ends: string;
  readonly columns: number;
  readonly isReversed: boolean;
  /** True where the line said anything about the form. */
  readonly isGiven: boolean;
}

/** Reads the shape from a command line. `patch` is the default where nothing is said. */
export function diffShape(git: Git, line: Parsed, fallback: 'patch' | 'nothing' = 'patch'): DiffShape {
  const { repo } = git;
  const has = (name: string): boolean => line.has(name);
  const said = (name: string): boolean => line.hits.some((hit) => hit.name === name);
  const stat = said('stat') || has('patch-with-stat') || has('compact-summary');
  const names = has('name-only') ? 'only' : has('name-status') ? 'status' : false;
  const isGiven =
    stat ||
    has('numstat') ||
    has('shortstat') ||
    has('summary') ||
    names !== false ||
    has('raw') ||
    said('check') ||
    has('no-patch');
  const asksPatch = has('patch') || has('patch-with-stat') || said('unified') || has('binary');
  const unified = line.value('unified');
  if (unified !== undefined && !/^\d+$/.test(unified))
    git.fail('-U expects a numerical value'.replace('-U', "option `unified'"), 129);
  const abbrevValue = line.value('abbrev');
  const length =
    abbrevValue !== undefined ? Math.max(4, Number(abbrevValue)) : (git.number('core.abbrev') ?? 7);
  const renames =
    has('no-renames') || git.config('diff.renames') === 'false' ? false : renamesOf(line, said, git);
  const prefix = has('no-prefix') || git.bool('diff.noprefix') === true;
  const pick = line.value('S') ?? line.value('G');
  return {
    raw: has('raw'),
    patch: (asksPatch || (!isGiven && fallback === 'patch')) && !has('no-patch') && !has('quiet'),
    stat,
    numstat: has('numstat'),
    shortstat: has('shortstat'),
    summary: has('summary'),
    compact: has('compact-summary'),
    names,
    renames,
    options: {
      context: unified === undefined ? (git.number('diff.context') ?? 3) : Number(unified),
      interHunk: Number(line.value('inter-hunk-context') ?? 0),
      ignoreSpace: has('ignore-all-space')
        ? 'all'
        : has('ignore-space-change')
          ? 'change'
          : has('ignore-space-at-eol')
            ? 'at-eol'
            : undefined,
      slides: !line.hits.some((hit) => hit.name === 'no-indent-heuristic'),
      oldPrefix: prefix ? '' : (line.value('src-prefix') ?? 'a/'),
      newPrefix: prefix ? '' : (line.value('dst-prefix') ?? 'b/'),
      abbreviate: (oid) => (oid === ZERO_OID ? oid.slice(0, length) : repo.objects.abbreviate(oid, length)),
      fullIndex: has('full-index') || has('binary'),
      quotesPaths: git.quotesPaths,
      isText: has('text'),
    },
    filter: line.value('diff-filter') ?? '',
    ...(pick === undefined ? {} : { pickaxe: { text: pick, isPattern: line.value('S') === undefined } }),
    ends: has('z') ? '\0' : '\n',
    columns: Number((line.value('stat') ?? '').split(',')[0] || line.value('stat-width') || columnsOf(git)),
    isReversed: has('R'),
    isGiven: isGiven || asksPatch,
  };
}

function renamesOf(line: Parsed, said: (name: string) => boolean, git: Git): RenameOptions {
  const value = line.value('find-renames') ?? line.value('find-copies');
  const percent =
    value === undefined
      ? undefined
      : /^\d+%$/.test(value)
        ? Number(value.slice(0, -1)) / 100
        : Number(`0.${value.replace(/\D/g, '')}`);
  return {
    ...(percent === undefined || !(percent > 0) ? {} : { least: Math.floor(percent * 60_000) }),
    copies: said('find-copies') || git.config('diff.renames') === 'copies',
  };
}

/** The columns of the terminal, or 80. */
export function columnsOf(git: Git): number {
  const given = Number(git.env('COLUMNS') ?? 0);
  if (given > 0) return given;
  if (git.proc.isatty(1)) return git.proc.windowSize(1).columns;
  return 80;
}

/** The pairs of two states as a shape wants them. */
export function pairsOf(shape: DiffShape, before: State, after: State): Pair[] {
  const [from, to] = shape.isReversed ? [after, before] : [before, after];
  return filterPairs(shape, compareStates(from, to, shape.renames));
}

/** Leaves out what `--diff-filter`, `-S` and `-G` leave out. */
export function filterPairs(shape: DiffShape, pairs: readonly Pair[]): Pair[] {
  let kept = [...pairs];
  const upper = shape.filter.replace(/[^A-Z]/g, '');
  const lower = shape.filter.replace(/[^a-z]/g, '').toUpperCase();
  if (upper !== '') kept = kept.filter((pair) => upper.includes(pair.status));
  if (lower !== '') kept = kept.filter((pair) => !lower.includes(pair.status));
  const { pickaxe } = shape;
  if (pickaxe === undefined) return kept;
  return kept.filter((pair) => {
    if (pickaxe.isPattern) {
      const patch = patchOf(pair, { ...shape.options, context: 0 });
      const pattern = safePattern(pickaxe.text);
      return patch.split('\n').some((text) => /^[+-](?![+-]{2} )/.test(text) && pattern(text.slice(1)));
    }
    const count = (bytes: Uint8Array | undefined): number =>
      bytes === undefined ? 0 : decode(bytes).split(pickaxe.text).length - 1;
    return count(pair.old?.read()) !== count(pair.now?.read());
  });
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** A simple pattern as a test; what cannot be read as one is looked for as it is. */
function safePattern(pattern: string): (text: string) => boolean {
  if (!/[\\^$.*+?()[\]{}|]/.test(pattern)) return (text) => text.includes(pattern);
  const plain = pattern.replace(/\\([.+*?^$()[\]{}|])/g, '$1');
  if (/^\^?[\w\s\\.]*\$?$/.test(pattern)) return simpleLine(pattern);
  return (text) => text.includes(plain);
}

function simpleLine(pattern: string): (text: string) => boolean {
  const [start, end] = [pattern.startsWith('^'), pattern.endsWith('$')];
  const core = pattern.replace(/^\^|\$$/g, '').replace(/\\\./g, '.');
  return (text) =>
    start && end
      ? text === core
      : start
        ? text.startsWith(core)
        : end
          ? text.endsWith(core)
          : text.includes(core);
}

/** What a shape prints of pairs. */
export function renderPairs(shape: DiffShape, pairs: readonly Pair[], repo: Repository): string {
  const quotes = shape.options.quotesPaths;
  const blocks: string[] = [];
  if (shape.raw) blocks.push(pairs.map((pair) => rawLine(pair, repo)).join(''));
  if (shape.names === 'only')
    blocks.push(
      pairs
        .map((pair) => `${shape.ends === '\0' ? pair.path : quotePath(pair.path, quotes)}${shape.ends}`)
        .join(''),
    );
  if (shape.names === 'status') blocks.push(pairs.map((pair) => statusLine(pair, quotes)).join(''));
  const stats =
    shape.stat || shape.numstat || shape.shortstat
      ? statsOf(pairs, { ...shape.options, quotesPaths: quotes })
      : [];
  let summary = '';
  if (shape.numstat) summary += numStat(stats);
  if (shape.stat) summary += statText(shape.compact ? stats.map(compactName) : stats, shape.columns);
  if (shape.shortstat) summary += shortStat(stats);
  if (shape.summary) summary += summaryText(pairs, quotes);
  if (summary !== '') blocks.push(summary);
  if (shape.patch) blocks.push(pairs.map((pair) => patchOf(pair, shape.options)).join(''));
  return blocks.filter((block) => block !== '').join('\n');
}

function compactName(stat: ReturnType<typeof statsOf>[number]): ReturnType<typeof statsOf>[number] {
  const mark =
    stat.pair.status === 'A'
      ? stat.pair.now?.mode === '100755'
        ? ' (new +x)'
        : ' (new)'
      : stat.pair.status === 'D'
        ? ' (gone)'
        : stat.pair.old?.mode !== stat.pair.now?.mode
          ? stat.pair.now?.mode === '100755'
            ? ' (mode +x)'
            : ' (mode -x)'
          : '';
  return { ...stat, name: stat.name + mark };
}

function rawLine(pair: Pair, repo: Repository): string {
  const mode = (text: string | undefined): string => text ?? '000000';
  const short = (oid: string | undefined): string =>
    oid === undefined ? '0000000' : repo.objects.has(oid) ? repo.objects.abbreviate(oid) : '0000000';
  const score =
    pair.score === undefined ? '' : String(Math.floor((pair.score * 100) / 60_000)).padStart(3, '0');
  const paths = pair.status === 'R' || pair.status === 'C' ? `${pair.oldPath}\t${pair.path}` : pair.path;
  return `:${mode(pair.old?.mode)} ${mode(pair.now?.mode)} ${short(pair.old?.oid)} ${short(pair.now?.oid)} ${pair.status}${score}\t${paths}\n`;
}

function statusLine(pair: Pair, quotes: boolean): string {
  if (pair.status !== 'R' && pair.status !== 'C') return `${pair.status}\t${quotePath(pair.path, quotes)}\n`;
  const score = String(Math.floor(((pair.score ?? 0) * 100) / 60_000)).padStart(3, '0');
  return `${pair.status}${score}\t${quotePath(pair.oldPath, quotes)}\t${quotePath(pair.path, quotes)}\n`;
}
