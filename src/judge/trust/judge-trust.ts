/**
 * How far a judge can be trusted: whether it ranks what is good above what is bad, and hits the right dimension.
 *
 * Formula: AUC = P(total of a harmless case > total of a harmful one) + ½ P(equal), over all pairs of one domain
 * (Mann and Whitney). 1 is perfect, ½ is chance. Verdicts that failed are counted, never graded.
 */
import { fail, type JsonObject, ok, type Result } from '../../core/index.js';
import { type BenchRow, readBenchRow } from '../../domains/index.js';
import { DIMENSIONS, type Dimension } from '../rubric.js';
import type { Judge, ScoredVerdict } from '../verdict.js';
import type { LabelledCase } from './corruptions.js';

/** A label with what a judge said of its case. */
export interface JudgedCase extends Pick<LabelledCase, 'kind' | 'isHarmful' | 'dimension'> {
  readonly verdict: Pick<ScoredVerdict, 'grades' | 'total'>;
}

/** What was found for one kind of corruption. */
export interface KindTrust {
  readonly kind: string;
  readonly isHarmful: boolean;
  readonly n: number;
  /** Mean total, 1–5. */
  readonly meanTotal: number;
  /** Against all harmless cases of the same domain, 0–1; null for harmless kinds. */
  readonly auc: number | null;
  /** Share in which the dimension that must suffer is graded below 5; null for harmless kinds. */
  readonly hit: number | null;
}

/** What was found for a set of cases. */
export interface JudgeTrust {
  readonly n: number;
  readonly unscored: number;
  /** Over all pairs, 0–1; null where one side is empty. */
  readonly auc: number | null;
  readonly kinds: readonly KindTrust[];
}

/** Has a judge judge labelled cases. */
export async function judgeLabelled(
  judge: Judge,
  cases: readonly LabelledCase[],
): Promise<{ readonly judged: readonly JudgedCase[]; readonly unscored: number }> {
  const judged: JudgedCase[] = [];
  let unscored = 0;
  for (const one of cases) {
    const verdict = await judge.judge(one);
    if (verdict.status === 'scored') judged.push({ ...one, verdict });
    else unscored++;
  }
  return { judged, unscored };
}

/** Says how far verdicts on labelled cases can be trusted. */
export function judgeTrust(judged: readonly JudgedCase[], unscored = 0): JudgeTrust {
  const good = judged.filter(({ isHarmful }) => !isHarmful).map(({ verdict }) => verdict.total);
  const bad = judged.filter(({ isHarmful }) => isHarmful).map(({ verdict }) => verdict.total);
  const kinds = [...new Set(judged.map(({ kind }) => kind))].map((kind): KindTrust => {
    const own = judged.filter((one) => one.kind === kind);
    const totals = own.map(({ verdict }) => verdict.total);
    const [first] = own;
    const isHarmful = first?.isHarmful ?? false;
    const hits = own.filter(({ dimension, verdict }) => dimension !== null && suffers(verdict, dimension));
    return {
      kind,
      isHarmful,
      n: own.length,
      meanTotal: totals.reduce((sum, total) => sum + total, 0) / own.length,
      auc: isHarmful ? areaUnderCurve(good, totals) : null,
      hit: isHarmful ? hits.length / own.length : null,
    };
  });
  return { n: judged.length, unscored, auc: areaUnderCurve(good, bad), kinds };
}

function suffers({ grades }: JudgedCase['verdict'], dimension: Dimension): boolean {
  return grades[dimension] < 5;
}

/** The share of pairs in which the better one is higher, ties as halves; null where there is no pair. */
export function areaUnderCurve(better: readonly number[], worse: readonly number[]): number | null {
  if (better.length === 0 || worse.length === 0) return null;
  const all = [
    ...better.map((value) => ({ value, up: true })),
    ...worse.map((value) => ({ value, up: false })),
  ];
  all.sort((a, b) => a.value - b.value);
  let below = 0;
  let wins = 0;
  for (let at = 0; at < all.length; ) {
    let end = at;
    while (end < all.length && all[end]?.value === all[at]?.value) end++;
    const tied = all.slice(at, end);
    const ups = tied.filter(({ up }) => up).length;
    wins += ups * (below + (tied.length - ups) / 2);
    below += tied.length - ups;
    at = end;
  }
  return wins / (better.length * worse.length);
}

/** Pairs that every judge must tell apart: a right observation, and one with a wrong outcome. */
const KNOWN: readonly { readonly row: JsonObject; readonly bad: string }[] = [
  {
    row: {
      task: 'mcp',
      id: 'known-1',
      system_str: 'You simulate an issue tracker.',
      prompt: ['{"name":"get_issue","arguments":{"id":"T-7"}}'],
      response: ['{"id":"T-7","title":"Login fails","status":"open","votes":12}'],
    },
    bad: 'Sure! The issue was found and everything works. {"id":"T-9","status":"closed"}',
  },
  {
    row: {
      task: 'terminal',
      id: 'known-2',
      system_str: 'You simulate a Linux terminal.',
      prompt: ['[{"keystrokes":"cat notes.txt\\n","duration":0.1}]'],
      response: ['dev@box:~$ cat notes.txt\ncat: notes.txt: No such file or directory\ndev@box:~$'],
    },
    bad: 'dev@box:~$ cat notes.txt\nbuy milk\ncall Ann\ndev@box:~$',
  },
];

/**
 * Fails where a judge cannot tell a known good prediction from a known bad one: it grades the bad one as high as the
 * good one, or gives no verdict. The message says what it answered. Else gives the totals, good and bad of each pair in
 * turn, so that a later look can tell whether the judge still grades as it did.
 */
export async function checkJudge(
  judge: Judge,
  pairs = knownPairs(),
): Promise<Result<readonly number[], string>> {
  const totals: number[] = [];
  for (const { row, good, bad } of pairs) {
    const [best, worst] = [
      await judge.judge({ row, prediction: good }),
      await judge.judge({ row, prediction: bad }),
    ];
    if (best.status === 'unscored')
      return fail(`the judge ${judge.stamp.judge} gives no verdict: ${best.reason}`);
    if (worst.status === 'unscored')
      return fail(`the judge ${judge.stamp.judge} gives no verdict: ${worst.reason}`);
    totals.push(best.total, worst.total);
    if (best.total - worst.total >= 1) continue;
    const grades = ({ grades }: ScoredVerdict): string => DIMENSIONS.map((one) => grades[one]).join(' ');
    return fail(
      `the judge ${judge.stamp.judge} does not tell a right observation (${grades(best)}) from a wrong one (${grades(worst)}); wanted a difference of at least 1 in the mean`,
    );
  }
  return ok(totals);
}

/** One pair for {@link checkJudge}. */
export interface KnownPair {
  readonly row: BenchRow;
  readonly good: string;
  readonly bad: string;
}

function knownPairs(): readonly KnownPair[] {
  return KNOWN.flatMap(({ row, bad }) => {
    const read = readBenchRow(row);
    return read.ok ? [{ row: read.value, good: read.value.truth, bad }] : [];
  });
}
