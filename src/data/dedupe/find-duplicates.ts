/**
 * The dedupe stage: exact copies, near copies by MinHash, and copies of a benchmark's turns.
 *
 * The idea: the first of several equal trajectories stays. Exact: domain and all actions and observations are equal.
 * Near: their shingles agree at least to a threshold, estimated by signatures that bands find, with the estimate as
 * evidence. Against a benchmark: a turn is contaminated if enough of its grams are those of one benchmark trajectory
 * alone (`text` room); grams that more than a set share of all rows have are boilerplate, which only the end can tell, so
 * that check runs over the input twice (`createGramCensus`, then this stage). Memory: 16 bytes per trajectory for exact
 * copies, about 3 kB for near ones; for more than a few million use shards by source. Source: hard case P-DAT-3.
 */
import { type Domain, hashWords, type JsonObject, type Trajectory } from '../../core/index.js';
import {
  bandKeys,
  type ContaminationIndex,
  type GramHit,
  shingleHashes,
  signatureOf,
  signatureSimilarity,
} from '../../text/index.js';
import { type DropListener, type Stage, Tally } from '../stages/stage.js';

/** Share of a turn's grams, boilerplate left out, from which it counts as a copy. Fraction 0–1. */
export const CONTAMINATED_SHARE = 0.5;
/** A gram that more than this share of all rows have is boilerplate. Fraction 0–1. */
export const BOILERPLATE_SHARE = 0.01;
/** Similarity from which trajectories are near copies. Fraction 0–1. */
export const NEAR_SIMILARITY = 0.8;

/** Evidence for people that a turn copies a benchmark's. */
export interface ContaminationEvidence {
  readonly trajectory: string;
  /** From 1. */
  readonly turn: number;
  readonly domain: Domain;
  /** The benchmark's row. */
  readonly benchmark: string;
  /** Share of the turn's own grams that are the benchmark's, fraction 0–1. */
  readonly share: number;
  /** The matching text here. */
  readonly here: string;
  /** The matching text there, where the list of hashes holds texts. */
  readonly there?: string;
}

/** What to look for. */
export interface DedupeOptions {
  /** Similarity from which a later trajectory is a near copy; absent: exact copies only. */
  readonly near?: number;
  /** A benchmark's grams. */
  readonly benchmark?: ContaminationIndex;
  /** Which grams of the benchmark are boilerplate here, from a first pass over the input. */
  readonly isBoilerplate?: (hash: number) => boolean;
  readonly contaminatedShare?: number;
  readonly onDrop?: DropListener;
  readonly onEvidence?: (evidence: ContaminationEvidence) => void;
}

/** Counts in how many rows each of a benchmark's grams stands; a row is a turn. */
export interface GramCensus {
  take(trajectory: Trajectory): void;
  /** True for grams that more than `share` of the rows have, and at least three rows. */
  isBoilerplate(hash: number, share?: number): boolean;
}

/** Opens a census for the first pass. */
export function createGramCensus(benchmark: ContaminationIndex): GramCensus {
  const rows = new Map<number, number>();
  let all = 0;
  return {
    take(trajectory) {
      for (const turn of trajectory.turns) {
        all += 1;
        const { hits } = benchmark.find(turnText(turn));
        for (const hash of new Set(hits.map(({ gram }) => gram.hash)))
          rows.set(hash, (rows.get(hash) ?? 0) + 1);
      }
    },
    isBoilerplate: (hash, share = BOILERPLATE_SHARE) => (rows.get(hash) ?? 0) > Math.max(2, share * all),
  };
}

function turnText(turn: { readonly action: string; readonly observation: string | null }): string {
  return `${turn.action}\n${turn.observation ?? ''}`;
}

/** Opens the stage. */
export function createDedupeStage(options: DedupeOptions = {}): Stage<Trajectory> {
  const work = new Dedupe(options);
  return {
    name: 'dedupe',
    parameters: {
      near: options.near ?? null,
      benchmarkGrams: options.benchmark?.size ?? 0,
      contaminatedShare: options.contaminatedShare ?? CONTAMINATED_SHARE,
    },
    take: (trajectory) => (work.isCopy(trajectory) ? [] : [trajectory]),
    end: () => [],
    report: () => work.report(),
  };
}

class Dedupe {
  private readonly exact = new Map<string, string>();
  private readonly bands = new Map<string, number[]>();
  private readonly signatures: Uint32Array[] = [];
  private readonly ids: string[] = [];
  private readonly tally = new Tally();
  private readonly domains = new Map<string, { turns: number; contaminated: number; boilerplate: number }>();

  constructor(private readonly options: DedupeOptions) {}

  isCopy(trajectory: Trajectory): boolean {
    this.tally.add('trajectories');
    const drop = (rule: string, detail: string): true => {
      this.tally.add(rule);
      this.options.onDrop?.({ what: 'trajectory', trajectory: trajectory.id, rule, detail });
      return true;
    };
    const key = exactKey(trajectory);
    const first = this.exact.get(key);
    if (first !== undefined) return drop('exact-copy', `equal to ${first}`);
    const contaminated = this.contamination(trajectory);
    if (contaminated !== undefined) return drop('contaminated', contaminated);
    this.exact.set(key, trajectory.id);
    const near = this.options.near === undefined ? undefined : this.nearest(trajectory, this.options.near);
    return near === undefined ? false : drop('near-copy', near);
  }

  report(): JsonObject {
    const rates = [...this.domains].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      trajectories: this.tally.get('trajectories'),
      ...this.tally.toJson(),
      ...(rates.length > 0 && {
        contamination: Object.fromEntries(
          rates.map(([domain, { turns, contaminated, boilerplate }]) => [
            domain,
            { turns, contaminated, boilerplate, fraction: turns === 0 ? 0 : contaminated / turns },
          ]),
        ),
      }),
    };
  }

  private nearest(trajectory: Trajectory, threshold: number): string | undefined {
    const texts = trajectory.turns.flatMap(({ action, observation }) => [action, observation ?? '']);
    const signature = signatureOf(shingleHashes(texts));
    if (signature === null) return undefined;
    const keys = bandKeys(signature).map((key) => `${trajectory.domain}:${key}`);
    const candidates = new Set(keys.flatMap((key) => this.bands.get(key) ?? []));
    for (const candidate of candidates) {
      const other = this.signatures[candidate];
      const similarity = other === undefined ? 0 : signatureSimilarity(signature, other);
      if (similarity >= threshold) return `about ${similarity.toFixed(2)} like ${this.ids[candidate]}`;
    }
    const place = this.signatures.push(signature) - 1;
    this.ids.push(trajectory.id);
    for (const key of keys) {
      const list = this.bands.get(key);
      if (list === undefined) this.bands.set(key, [place]);
      else list.push(place);
    }
    return undefined;
  }

  private contamination(trajectory: Trajectory): string | undefined {
    const { benchmark } = this.options;
    if (benchmark === undefined) return undefined;
    const seen = this.domains.get(trajectory.domain) ?? { turns: 0, contaminated: 0, boilerplate: 0 };
    this.domains.set(trajectory.domain, seen);
    let found: string | undefined;
    for (const [index, turn] of trajectory.turns.entries()) {
      seen.turns += 1;
      const text = turnText(turn);
      const evidence = this.judge(text, benchmark, seen);
      if (evidence === undefined) continue;
      seen.contaminated += 1;
      const { hits, share } = evidence;
      const benchmarkId = hits[0]?.turn.id ?? '';
      found ??= `turn ${index + 1} is ${Math.round(share * 100)} % of ${benchmarkId}`;
      const { id, domain } = trajectory;
      this.options.onEvidence?.({
        trajectory: id,
        turn: index + 1,
        domain,
        benchmark: benchmarkId,
        share,
        here: matching(text, hits),
        ...(hits[0]?.turn.text !== undefined && { there: hits[0].turn.text }),
      });
    }
    return found;
  }

  private judge(
    text: string,
    benchmark: ContaminationIndex,
    seen: { boilerplate: number },
  ): { readonly hits: readonly GramHit[]; readonly share: number } | undefined {
    const { isBoilerplate = () => false, contaminatedShare = CONTAMINATED_SHARE } = this.options;
    const found = benchmark.find(text);
    const own = found.hits.filter(({ gram }) => !isBoilerplate(gram.hash));
    const shared =
      found.grams - own.length < 0 ? 0 : found.hits.length - own.length + found.boilerplate.length;
    const rest = found.grams - shared;
    // What is mostly boilerplate says nothing, whatever its few other words are.
    if (shared > 0 && shared >= found.grams * contaminatedShare) {
      seen.boilerplate += 1;
      return undefined;
    }
    if (own.length === 0 || rest <= 0) return undefined;
    const byRow = new Map<string, GramHit[]>();
    for (const hit of own) {
      const list = byRow.get(hit.turn.trajectory);
      if (list === undefined) byRow.set(hit.turn.trajectory, [hit]);
      else list.push(hit);
    }
    const hits = [...byRow.values()].reduce((most, list) => (list.length > most.length ? list : most));
    const share = hits.length / rest;
    return share >= contaminatedShare ? { hits, share } : undefined;
  }
}

/** The text from the first to the last matching gram, at most 400 characters. */
function matching(text: string, hits: readonly GramHit[]): string {
  const start = Math.min(...hits.map(({ gram }) => gram.start));
  const end = Math.max(...hits.map(({ gram }) => gram.end));
  return text.slice(start, Math.min(end, start + 400));
}

/** A key that equal trajectories share: 128 bits over domain, actions and observations. */
function exactKey({ domain, turns }: Trajectory): string {
  return hashWords(
    JSON.stringify([domain, ...turns.map(({ action, observation }) => [action, observation])]),
  ).join('.');
}
