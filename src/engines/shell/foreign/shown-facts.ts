/**
 * What commands showed of a machine: folders, names, texts, details, what is missing.
 *
 * Only commands whose output means one thing are read: one of `cat`, `ls`, `find`, `tree`, `pwd` with plain arguments,
 * alone or behind commands that say nothing. A fact that was read wrongly does no harm by itself: it counts only where
 * the command, carried out with it, shows the same again.
 */
import { absolutePath } from './prompts.js';

/** One fact about a path. */
export type ShownFact =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string; readonly details?: Details }
  /** Something of this name; whether it is a folder was not shown. */
  | { readonly kind: 'entry'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'text'; readonly path: string; readonly text: string }
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'details'; readonly path: string; readonly details: Details }
  | {
      readonly kind: 'listed';
      readonly path: string;
      readonly level: 'all' | 'visible';
      readonly names?: readonly string[];
    }
  /** Every file below a folder was listed; folders without files may be there. */
  | { readonly kind: 'files-listed'; readonly path: string }
  | { readonly kind: 'program'; readonly name: string; readonly isThere: boolean }
  /** The number that the next process gets. */
  | { readonly kind: 'process'; readonly pid: number }
  | { readonly kind: 'cwd'; readonly path: string };

/** What `ls -l` tells. */
export interface Details {
  readonly mode: number;
  readonly owner: string;
  readonly group: string;
  readonly size: number;
  /** As shown: `Mar 15 10:30` or `Mar 15  2023`. */
  readonly time: string;
}

/** Where a command ran. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
}

const QUIET = new Set([
  'cd',
  'mkdir',
  'export',
  'touch',
  'rm',
  'cp',
  'mv',
  'chmod',
  'true',
  ':',
  'set',
  'clear',
  'sleep',
]);
const SIMPLE = /^[\w./~:@%+=,*?-]+$/;

/** Reads the facts of one command line. */
export function factsOf(line: string, output: readonly string[], place: Place): ShownFact[] {
  const facts: ShownFact[] = errorFacts(line, output, place);
  const parts = line.split(/\s*(?:&&|;)\s*/).filter((part) => part !== '');
  let { cwd } = place;
  const loud: { readonly words: string[]; readonly cwd: string }[] = [];
  for (const part of parts) {
    const words = part.trim().split(/\s+/);
    const [name = '', first] = words;
    if (name === 'cd' && words.length <= 2) {
      const to = first ?? '~';
      if (to === '-' || !SIMPLE.test(to)) return facts;
      cwd = absolutePath(to, cwd, place.home);
      if (!output.some((row) => /cd: .*: (?:No such|Not a|Permission)/.test(row)))
        facts.push({ kind: 'folder', path: cwd });
    } else if (!QUIET.has(name)) loud.push({ words, cwd });
  }
  const rest = [...output];
  const speakers = loud.filter((one) => !takeKnown(one, rest));
  const [only] = speakers;
  if (only === undefined || speakers.length > 1) return facts;
  // Sorting what lists names changes no name.
  const end = only.words.indexOf('|');
  if (end !== -1 && only.words.slice(end).join(' ') === '| sort') only.words.splice(end);
  if (!only.words.every((word) => SIMPLE.test(word))) return facts;
  const reader = READERS[only.words[0] ?? ''];
  return reader === undefined
    ? facts
    : [...facts, ...reader(only.words.slice(1), rest, { ...place, cwd: only.cwd })];
}

/** Takes away the rows of a command whose output is known beforehand; false where it is not. */
function takeKnown(
  { words, cwd }: { readonly words: readonly string[]; readonly cwd: string },
  rows: string[],
): boolean {
  const [name, ...rest] = words;
  const said =
    name === 'pwd' && rest.length === 0
      ? cwd
      : name === 'echo'
        ? rest.join(' ').replace(/^(["'])(.*)\1$/, '$2')
        : null;
  if (said === null || !/^[\w./~:@%+=,*? -]*$/.test(said)) return false;
  if (rows[0] === said) rows.shift();
  else if (rows.at(-1) === said) rows.pop();
  else return false;
  return true;
}

type Reader = (words: readonly string[], output: readonly string[], place: Place) => ShownFact[];

const READERS: Readonly<Record<string, Reader>> = {
  cat: (words, output, place) => {
    const [path] = words;
    if (words.length !== 1 || path === undefined || path.startsWith('-')) return [];
    if (isError(output, 'cat')) return [];
    return [
      {
        kind: 'text',
        path: absolutePath(path, place.cwd, place.home),
        text: output.map((row) => `${row}\n`).join(''),
      },
    ];
  },
  head: (words, output, place) => readPartOf(words, output, place, 10),
  tail: (words, output, place) => readPartOf(words, output, place, 10),
  pwd: (_words, output) =>
    output.length === 1 && output[0]?.startsWith('/') ? [{ kind: 'cwd', path: output[0] }] : [],
  ls: readLs,
  find: readFind,
};

/** The whole text where fewer lines came than were asked for. */
function readPartOf(
  words: readonly string[],
  output: readonly string[],
  place: Place,
  usual: number,
): ShownFact[] {
  const rest = words.filter((word) => !word.startsWith('-') && !/^\d+$/.test(word));
  const [path] = rest;
  const count = /(?:-n ?|-)(\d+)/.exec(words.join(' '))?.[1];
  const asked = count === undefined ? usual : Number(count);
  if (rest.length !== 1 || path === undefined || isError(output, 'head') || isError(output, 'tail'))
    return [];
  const at = absolutePath(path, place.cwd, place.home);
  return output.length < asked
    ? [{ kind: 'text', path: at, text: output.map((row) => `${row}\n`).join('') }]
    : [{ kind: 'file', path: at }];
}

function isError(output: readonly string[], program: string): boolean {
  return (
    output[0]?.startsWith(`${program}: `) === true &&
    /: (?:No such|Is a directory|Permission|Not a)/.test(output[0])
  );
}

const LONG =
  /^([-dlbcps])([-r][-w][-xsS][-r][-w][-xsS][-r][-w][-xtT])[.+]?\s+\d+\s+(\S+)\s+(\S+)\s+(\d+)\s+([A-Z][a-z]{2}\s+\d{1,2}\s+(?:\d{2}:\d{2}|\d{4}))\s(.+)$/;

function readLs(words: readonly string[], output: readonly string[], place: Place): ShownFact[] {
  const flags = words.filter((word) => word.startsWith('-')).join('');
  const targets = words.filter((word) => !word.startsWith('-'));
  if (targets.length > 1 || /--|[dRiszFpQ]/.test(flags.replaceAll('-', '')) || isError(output, 'ls'))
    return [];
  const given = targets[0] ?? '.';
  if (/[*?]/.test(given)) return [];
  const path = absolutePath(given, place.cwd, place.home);
  const level = /[aA]/.test(flags) ? 'all' : 'visible';
  const facts: ShownFact[] =
    flags.includes('l') || flags.includes('o') || flags.includes('g')
      ? readLong(path, output)
      : readNames(path, output, given);
  return facts.length === 0 && output.length > 0
    ? []
    : [{ kind: 'folder', path }, ...facts, { kind: 'listed', path, level, names: namesIn(path, facts) }];
}

function readNames(path: string, output: readonly string[], given: string): ShownFact[] {
  // A file answers with its own name.
  if (output.length === 1 && output[0] === given && given !== '.') return [{ kind: 'file', path }];
  const names = output
    .flatMap((row) => row.split(/\s{2,}|\t/))
    .filter((name) => name !== '' && name !== '.' && name !== '..');
  const split = names.some((name) => /\s/.test(name) && !/^'.*'$/.test(name));
  const all = split ? output.flatMap((row) => row.split(/\s+/)).filter((name) => name !== '') : names;
  return all
    .filter((name) => name !== '.' && name !== '..')
    .map((name) => entryOf(`${slash(path)}${name.replace(/^'(.*)'$/, '$1')}`));
}

/** The names of what lies right in a folder. */
function namesIn(path: string, facts: readonly ShownFact[]): string[] {
  return facts.flatMap((fact) =>
    'path' in fact && fact.path !== path && fact.path.startsWith(slash(path))
      ? [fact.path.slice(slash(path).length)]
      : [],
  );
}

/** A name with an extension is a file's; others may be either. */
function entryOf(path: string): ShownFact {
  return { kind: /[^/.]\.[A-Za-z][\w]{0,9}$/.test(path) ? 'file' : 'entry', path };
}

function readLong(path: string, output: readonly string[]): ShownFact[] {
  const facts: ShownFact[] = [];
  for (const row of output) {
    const match = LONG.exec(row);
    if (match === null) {
      if (/^total \d/.test(row)) continue;
      return [];
    }
    const [, type, bits = '', owner = '', group = '', size = '', time = '', shown = ''] = match;
    const details = { mode: modeOf(bits), owner, group, size: Number(size), time: time.replace(/\s+/g, ' ') };
    if (shown === '..') {
      facts.push({ kind: 'details', path: path.replace(/\/[^/]*$/, '') || '/', details });
      continue;
    }
    const name = shown.split(' -> ')[0] ?? shown;
    const at = shown === '.' ? path : `${slash(path)}${name.replace(/^'(.*)'$/, '$1')}`;
    if (type === 'd') facts.push({ kind: 'folder', path: at });
    else if (type === 'l') facts.push({ kind: 'link', path: at, target: shown.split(' -> ')[1] ?? '' });
    else facts.push({ kind: 'file', path: at, details });
    if (type !== 'l') facts.push({ kind: 'details', path: at, details });
  }
  return facts;
}

function modeOf(bits: string): number {
  let mode = 0;
  for (const [index, char] of [...bits].entries()) {
    if (/[rwxst]/.test(char)) mode |= 0o400 >> index;
    if (index === 2 && /[sS]/.test(char)) mode |= 0o4000;
    if (index === 5 && /[sS]/.test(char)) mode |= 0o2000;
    if (index === 8 && /[tT]/.test(char)) mode |= 0o1000;
  }
  return mode;
}

function readFind(words: readonly string[], output: readonly string[], place: Place): ShownFact[] {
  const root = words[0]?.startsWith('-') === false ? (words[0] ?? '.') : '.';
  const rest = words.slice(words[0] === root ? 1 : 0);
  const tests = rest.join(' ');
  if (!/^(?:-type [fd])?$/.test(tests) || isError(output, 'find')) return [];
  const at = (row: string): string => absolutePath(row, place.cwd, place.home);
  const known = output.filter((row) => row.startsWith(root));
  const kind = tests === '-type f' ? 'file' : 'folder';
  if (known.length !== output.length || known.length === 0) return [];
  if (tests === '') return wholeTree(at(root), known.map(at));
  const facts = known.map((row) => ({ kind, path: at(row) }) as const);
  return kind === 'file'
    ? [{ kind: 'folder', path: at(root) }, ...facts, { kind: 'files-listed', path: at(root) }]
    : facts;
}

/** Every path below a root: those that others lie in are folders, and all of them are known as a whole. */
function wholeTree(root: string, paths: readonly string[]): ShownFact[] {
  const inner = new Set(paths.map((path) => path.replace(/\/[^/]*$/, '')));
  return [
    { kind: 'folder', path: root },
    ...paths
      .filter((path) => path !== root)
      .map((path) => (inner.has(path) ? ({ kind: 'folder', path } as const) : entryOf(path))),
    { kind: 'listed', path: root, level: 'all' },
    ...[...inner]
      .filter((path) => path.startsWith(root) && path !== root && paths.includes(path))
      .map((path) => ({ kind: 'listed', path, level: 'all' }) as const),
  ];
}

/** What error messages tell, whatever the command was. */
function errorFacts(line: string, output: readonly string[], { cwd, home }: Place): ShownFact[] {
  const facts: ShownFact[] = [];
  const pid = /^\[\d+\] (\d+)$/.exec(output[0] ?? '')?.[1];
  if (pid !== undefined && line.includes('&')) facts.push({ kind: 'process', pid: Number(pid) });
  for (const row of output.slice(0, 200)) {
    const gone =
      /^(?:(?:ba)?sh: (?:line \d+: )?)?[\w.-]+: (?:cannot [a-z ]+ )?['‘"]?([^'’":]+)['’"]?: No such file or directory$/.exec(
        row,
      )?.[1];
    const word = gone?.trim();
    if (word !== undefined && line.includes(word) && SIMPLE.test(word))
      facts.push({ kind: 'missing', path: absolutePath(word, cwd, home) });
    const program = /^(?:ba)?sh: (?:line \d+: )?([\w.+-]+): command not found$/.exec(row)?.[1];
    if (program !== undefined) facts.push({ kind: 'program', name: program, isThere: false });
  }
  return facts;
}

/** Names of the programs that begin the commands of a line. */
export function programsOf(line: string): string[] {
  return line
    .split(/&&|\|\||[;|&]/)
    .map((part) => /^\s*(?:sudo\s+)?([\w.+-]+)(?:\s|$)/.exec(part)?.[1])
    .filter((name): name is string => name !== undefined);
}

function slash(path: string): string {
  return path === '/' ? '/' : `${path}/`;
}
