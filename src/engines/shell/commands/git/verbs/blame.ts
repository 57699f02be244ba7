/**
 * `blame`: which commit last changed each line. `grep`: patterns in tracked files, as far as plain words go.
 */
import { toText } from '../../../kernel/index.js';
import { diffLines, linesOf } from '../diff/line-diff.js';
import { compareStates } from '../diff/pairs.js';
import type { Git } from '../git.js';
import { subjectOf, ZERO_OID } from '../store/objects.js';
import { ambiguous, needCommit, pathInTree, resolveRevision } from '../store/revisions.js';
import { formatDate } from '../work/dates.js';
import { parseOptions, usageError } from '../work/options.js';
import { diskFile, treeState } from '../work/states.js';

interface Blamed {
  oid: string;
  /** The line's number in the commit that wrote it, from 1. */
  at: number;
  path: string;
}

/** `git blame`. Returns the exit status. */
export function blame(git: Git, args: readonly string[]): number {
  const { repo } = git;
  const line = parseOptions(
    git,
    args,
    'incremental b root show-stats progress score-debug f|show-name n|show-number p|porcelain line-porcelain c t l s e|show-email w ignore-rev= color-lines minimal S= contents= C=? M=? L= abbrev= date=',
  );
  const operands = [...line.before, ...(line.after ?? [])];
  let path = operands[operands.length - 1];
  let revision = operands.length > 1 ? operands[0] : undefined;
  if (path === undefined) usageError(git);
  if (line.after !== undefined && line.before.length === 1) revision = line.before[0];
  if (
    revision === undefined &&
    git.files.look(git.absolute(path)) === undefined &&
    resolveRevision(git, path) === undefined
  )
    git.die(`cannot stat path '${path}': No such file or directory`);
  if (revision !== undefined && resolveRevision(git, revision) === undefined) git.die(ambiguous(revision));
  path = `${git.prefix}${path}`.replace(/^\.\//, '');
  const start = revision === undefined ? repo.head : needCommit(git, revision);
  if (start === undefined) git.die(`no such path '${path}' in HEAD`);
  const inHead = pathInTree(git, start, path);
  if (inHead === undefined) git.die(`no such path '${path}' in ${revision ?? 'HEAD'}`);
  const committed = linesOf(repo.objects.text(inHead.oid));
  const disk = revision === undefined ? diskFile(repo, path) : undefined;
  const lines = disk === undefined ? committed : linesOf(toText(disk.read()));
  const found = new Array<Blamed | undefined>(lines.length).fill(undefined);
  const places = new Array<number>(committed.length).fill(-1);
  const same = new Set<number>();
  let shift = 0;
  let at = 0;
  for (const change of [
    ...diffLines(committed, lines),
    { oldAt: committed.length, newAt: lines.length, deleted: 0, inserted: 0 },
  ]) {
    for (; at < change.oldAt; at++) places[at] = at + shift;
    at += change.deleted;
    shift += change.inserted - change.deleted;
    for (let added = 0; added < change.inserted; added++) same.add(change.newAt + added);
  }
  for (const number of same) found[number] = { oid: ZERO_OID, at: number + 1, path };
  trace(git, start, path, { lines: committed, places }, found);
  print(git, line, { lines, found, range: lineRange(git, line.value('L'), lines), path });
  return 0;
}

/** Follows lines back through first the parents that have them. */
function trace(
  git: Git,
  oid: string,
  path: string,
  { lines, places }: { readonly lines: readonly string[]; readonly places: readonly number[] },
  found: (Blamed | undefined)[],
): void {
  const { repo } = git;
  const waiting: { oid: string; path: string; lines: readonly string[]; places: readonly number[] }[] = [
    { oid, path, lines, places },
  ];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    let left = [...step.places];
    const commit = repo.objects.commit(step.oid);
    for (const parent of commit.parents) {
      const earlier = earlierFile(git, step, parent);
      if (earlier === undefined) continue;
      const old = linesOf(repo.objects.text(earlier.oid));
      const passed = new Array<number>(old.length).fill(-1);
      let [i, j] = [0, 0];
      for (const change of [
        ...diffLines(old, step.lines),
        { oldAt: old.length, newAt: step.lines.length, deleted: 0, inserted: 0 },
      ]) {
        for (; j < change.newAt; i++, j++) {
          passed[i] = left[j] ?? -1;
          left[j] = -1;
        }
        i += change.deleted;
        j += change.inserted;
      }
      if (passed.some((place) => place >= 0))
        waiting.push({ oid: parent, path: earlier.path, lines: old, places: passed });
    }
    left.forEach((place, number) => {
      if (place >= 0 && found[place] === undefined)
        found[place] = { oid: step.oid, at: number + 1, path: step.path };
    });
    left = [];
  }
}

function earlierFile(
  git: Git,
  step: { readonly oid: string; readonly path: string },
  parent: string,
): { readonly oid: string; readonly path: string } | undefined {
  const { repo } = git;
  const entry = repo.objects.flatten(repo.objects.treeOf(parent)).get(step.path);
  if (entry !== undefined) return { oid: entry.oid, path: step.path };
  const pair = compareStates(treeState(repo, parent), treeState(repo, step.oid)).find(
    (one) => one.path === step.path && one.status === 'R',
  );
  return pair?.old === undefined ? undefined : { oid: pair.old.oid, path: pair.oldPath };
}

function lineRange(git: Git, text: string | undefined, lines: readonly string[]): readonly [number, number] {
  if (text === undefined) return [1, lines.length];
  const match = /^(\d+)?(?:,(?:\+(\d+)|-(\d+)|(\d+)))?$/.exec(text);
  if (match === null) return git.die(`-L parameter '${text}' is not a range`);
  const from = Number(match[1] ?? 1);
  if (from > lines.length) git.die(`file has only ${lines.length} lines`);
  const to =
    match[2] !== undefined
      ? from + Number(match[2]) - 1
      : match[4] !== undefined
        ? Number(match[4])
        : lines.length;
  return [Math.min(from, to), Math.min(Math.max(from, to), lines.length)];
}

function print(
  git: Git,
  line: ReturnType<typeof parseOptions>,
  {
    lines,
    found,
    range,
    path,
  }: {
    readonly lines: readonly string[];
    readonly found: readonly (Blamed | undefined)[];
    readonly range: readonly [number, number];
    readonly path: string;
  },
): void {
  const { repo } = git;
  const [from, to] = range;
  const shown = found.slice(from - 1, to);
  const nobody = {
    name: 'Not Committed Yet',
    email: 'not.committed.yet',
    when: git.nowSeconds,
    zone: git.zoneAt(git.nowSeconds),
  };
  const authorOf = (oid: string): typeof nobody =>
    oid === ZERO_OID ? nobody : { ...repo.objects.commit(oid).author };
  if (line.has('porcelain') || line.has('line-porcelain')) {
    porcelain(git, line.has('line-porcelain'), { lines, found, range });
    return;
  }
  const width = line.has('l') ? 40 : Math.max(7, Number(line.value('abbrev') ?? 7)) + 1;
  const label = (who: typeof nobody): string => (line.has('show-email') ? `<${who.email}>` : who.name);
  const longest = Math.max(0, ...shown.map((one) => [...label(authorOf(one?.oid ?? ZERO_OID))].length));
  const digits = String(to).length;
  const renamed = line.has('show-name') || shown.some((one) => one !== undefined && one.path !== path);
  const paths = Math.max(0, ...shown.map((one) => one?.path.length ?? 0));
  const numbers = Math.max(0, ...shown.map((one) => String(one?.at ?? 0).length));
  const mode = line.value('date') ?? git.config('blame.date') ?? 'iso';
  const dates = shown.map((one) =>
    line.has('t')
      ? `${authorOf(one?.oid ?? ZERO_OID).when} ${authorOf(one?.oid ?? ZERO_OID).zone}`
      : (formatDate(authorOf(one?.oid ?? ZERO_OID), mode, git.nowSeconds, (at) => git.zoneAt(at)) ?? ''),
  );
  const dateWidth = Math.max(0, ...dates.map((date) => date.length));
  shown.forEach((one, number) => {
    if (one === undefined) return;
    const isRoot =
      one.oid !== ZERO_OID &&
      repo.objects.commit(one.oid).parents.length === 0 &&
      !line.has('root') &&
      git.bool('blame.showroot') !== true;
    const name = isRoot ? `^${one.oid.slice(0, width - 1)}` : one.oid.slice(0, width);
    const who = label(authorOf(one.oid));
    const about = line.has('s')
      ? ''
      : ` (${who}${' '.repeat(longest - [...who].length)} ${(dates[number] ?? '').padEnd(dateWidth)}`;
    const file = renamed ? ` ${one.path.padEnd(paths)}` : '';
    const original = line.has('show-number') ? ` ${String(one.at).padStart(numbers)}` : '';
    const text = lines[from - 1 + number] ?? '';
    git.out(
      `${name}${file}${original}${about}${line.has('s') ? ' ' : ' '}${String(from + number).padStart(digits)}) ${text}${text.endsWith('\n') ? '' : '\n'}`,
    );
  });
}

function porcelain(
  git: Git,
  each: boolean,
  {
    lines,
    found,
    range,
  }: {
    readonly lines: readonly string[];
    readonly found: readonly (Blamed | undefined)[];
    readonly range: readonly [number, number];
  },
): void {
  const { repo } = git;
  const told = new Set<string>();
  const [from, to] = range;
  for (let at = from - 1; at < to; ) {
    const first = found[at];
    if (first === undefined) break;
    let count = 1;
    while (
      at + count < to &&
      found[at + count]?.oid === first.oid &&
      found[at + count]?.at === first.at + count
    )
      count++;
    for (let offset = 0; offset < count; offset++) {
      git.out(`${first.oid} ${first.at + offset} ${at + offset + 1}${offset === 0 ? ` ${count}` : ''}\n`);
      if ((each || !told.has(first.oid)) && first.oid !== ZERO_OID) {
        told.add(first.oid);
        const { author, committer, parents, message } = repo.objects.commit(first.oid);
        for (const [title, who] of [
          ['author', author],
          ['committer', committer],
        ] as const)
          git.out(
            `${title} ${who.name}\n${title}-mail <${who.email}>\n${title}-time ${who.when}\n${title}-tz ${who.zone}\n`,
          );
        git.out(`summary ${subjectOf(message)}\n`);
        const parent = parents[0];
        if (parent === undefined) git.out('boundary\n');
        else if (repo.objects.flatten(repo.objects.treeOf(parent)).has(first.path))
          git.out(`previous ${parent} ${first.path}\n`);
        git.out(`filename ${first.path}\n`);
      }
      git.out(`\t${(lines[at + offset] ?? '').replace(/\n$/, '')}\n`);
    }
    at += count;
  }
}
