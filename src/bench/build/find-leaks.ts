/**
 * Does training data hold rows of a benchmark? By runs of words, whatever the ids and dates, prompts not looked at.
 *
 * A training turn leaks a row if at least half of its grams that are no boilerplate are that benchmark's. A gram is
 * boilerplate if several trajectories of the benchmark have it, or more than a set share of the training turns that differ; what only
 * shares such text is listed as boilerplate, not as a leak; so is a turn of which half or more is. Each finding shows the matching text on both sides. Source:
 * hard case P-DAT-3; grams are those of the `text` room.
 */
import { hashText, type Trajectory } from '../../core/index.js';
import { createContaminationIndex, gramsOf } from '../../text/index.js';
import type { BuiltBench, BuiltRow } from './build-bench.js';

/** A training turn that holds a row of the benchmark. */
export interface Leak {
  readonly domain: string;
  /** Training trajectory and turn, from 1. */
  readonly training: string;
  /** The benchmark's row. */
  readonly row: string;
  /** Share of the turn's own grams that are the benchmark's; 0–1. */
  readonly share: number;
  /** The first matching text on both sides. */
  readonly trainingText: string;
  readonly rowText: string;
}

/** What was found. */
export interface LeakReport {
  readonly leaks: readonly Leak[];
  /** Turns looked at, leaking ones and those that share boilerplate alone, by domain of the training trajectory. */
  readonly domains: Readonly<
    Record<string, { readonly turns: number; readonly leaking: number; readonly boilerplate: number }>
  >;
}

const LEAKING_SHARE = 0.5;
const BOILERPLATE_SHARE = 0.01;
const LEAST_COMMON = 4;
const SHOWN_CHARS = 200;

/** Looks for the rows in training trajectories, which are gone through twice. */
export function findLeaks({ rows, copies }: BuiltBench, training: Iterable<Trajectory>): LeakReport {
  const keyOf = ({ row }: BuiltRow): string =>
    `${String(row.task)}/${String(row.id)}#${String(row.turn_idx)}`;
  const texts = new Map(rows.map((one) => [keyOf(one), one.text]));
  // Copies that were left out still say what several trajectories share.
  const known = [...rows.map((one) => ({ ...one, key: keyOf(one) })), ...copies];
  const index = createContaminationIndex(
    known.map(({ key, trajectory, text }) => ({
      id: key,
      trajectory,
      grams: [...new Set(gramsOf(text).map(({ hash }) => hash))],
    })),
  );
  const turns = [...training].flatMap(({ id, domain, turns: all }) =>
    all.map((turn, i) => ({
      id: `${id}#t${i + 1}`,
      domain,
      text: `${turn.action}\n${turn.observation ?? ''}`,
    })),
  );
  const common = commonGrams(turns.map(({ text }) => text));
  const leaks: Leak[] = [];
  const domains: Record<string, { turns: number; leaking: number; boilerplate: number }> = {};
  for (const { id, domain, text } of turns) {
    const counts = domains[domain] ?? { turns: 0, leaking: 0, boilerplate: 0 };
    domains[domain] = counts;
    counts.turns += 1;
    const found = index.find(text);
    const own = found.hits.filter(({ gram }) => !common.has(gram.hash));
    const shared = found.boilerplate.length + found.hits.length - own.length;
    const rest = found.grams - shared;
    const [first] = own;
    const share = rest === 0 ? 0 : own.length / rest;
    const isShared = shared > 0 && shared >= found.grams * LEAKING_SHARE;
    if (first !== undefined && share >= LEAKING_SHARE && !isShared) {
      counts.leaking += 1;
      const rowText = texts.get(first.turn.id) ?? '';
      const same = gramsOf(rowText).find(({ hash }) => hash === first.gram.hash);
      leaks.push({
        domain,
        training: id,
        row: first.turn.id,
        share,
        trainingText: text.slice(first.gram.start, first.gram.start + SHOWN_CHARS),
        rowText: rowText.slice(same?.start ?? 0, (same?.start ?? 0) + SHOWN_CHARS),
      });
    } else if (shared > 0) counts.boilerplate += 1;
  }
  return { leaks, domains };
}

/**
 * Grams that more than a hundredth of the turns have, and at least four of them. Turns of the same grams count once: a
 * row that was copied into training many times, with other dates, is no boilerplate for that.
 */
function commonGrams(texts: readonly string[]): ReadonlySet<number> {
  const counts = new Map<number, number>();
  const seen = new Set<string>();
  for (const text of texts) {
    const grams = [...new Set(gramsOf(text).map((gram) => gram.hash))].sort((a, b) => a - b);
    const key = hashText(grams.join(' '));
    if (seen.has(key)) continue;
    seen.add(key);
    for (const hash of grams) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  const most = Math.max(LEAST_COMMON - 1, BOILERPLATE_SHARE * seen.size);
  return new Set([...counts].filter(([, count]) => count > most).map(([hash]) => hash));
}
