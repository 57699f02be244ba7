/**
 * Makes a benchmark of recorded trajectories: rows in the published format, without near copies, with facts about them.
 *
 * Each sampled turn becomes a row with the turns before it and nothing after. Rows of other trajectories that say the
 * same (action and observation alike by 90 % of their shingles, or equal) count once. With held-out sources only these
 * give rows, so that no source stands on both sides of a split.
 */
import { hashText, type JsonObject, type Trajectory } from '../../core/index.js';
import {
  bandKeys,
  estimateTokens,
  shingleHashes,
  signatureOf,
  signatureSimilarity,
} from '../../text/index.js';
import { type SampleOptions, sampleTurns } from './sample-turns.js';

/** How to build. */
export interface BuildOptions extends SampleOptions {
  /** Only trajectories of these data sets give rows. Default: all. */
  readonly sources?: readonly string[];
}

/** A row with what is told of it. */
export interface BuiltRow {
  readonly row: JsonObject;
  readonly domain: string;
  readonly trajectory: string;
  readonly source: string;
  readonly licence: string;
  /** Action and observation, for comparing with other texts. */
  readonly text: string;
  readonly tokens: number;
}

/** A benchmark, and what was left out. */
export interface BuiltBench {
  readonly rows: readonly BuiltRow[];
  readonly trajectories: number;
  /** Trajectories that gave no row, by reason. */
  readonly unused: Readonly<Record<string, number>>;
  /** Rows that were near copies: the key that was left out and the one that stays. */
  readonly copies: readonly CopiedRow[];
}

/** A row that was left out as a near copy. */
export interface CopiedRow {
  readonly key: string;
  /** The row that stays. */
  readonly of: string;
  readonly trajectory: string;
  readonly text: string;
}

/** Signatures at least this alike are copies. Fraction 0–1. */
const COPY_SIMILARITY = 0.9;
/** Texts with fewer shingles are compared as they are. */
const LEAST_SHINGLES = 8;

/** Builds a benchmark. Ids count the rows' trajectories from 1, in the order given. */
export function buildBench(trajectories: Iterable<Trajectory>, options: BuildOptions = {}): BuiltBench {
  const rows: BuiltRow[] = [];
  const unused: Record<string, number> = {};
  const copies: CopiedRow[] = [];
  const seen = new CopyFinder();
  let count = 0;
  let id = 0;
  for (const trajectory of trajectories) {
    count += 1;
    const source = trajectory.source.dataset ?? 'unknown';
    const isHeldOut = options.sources === undefined || options.sources.includes(source);
    const turns = isHeldOut ? sampleTurns(trajectory, options) : [];
    if (turns.length === 0) {
      const why = isHeldOut ? 'no turn that something real answered' : 'of a source for training';
      unused[why] = (unused[why] ?? 0) + 1;
      continue;
    }
    id += 1;
    for (const turn of turns) {
      const built = rowOf(trajectory, turn, id);
      const key = `${trajectory.domain}/${id}#${turn}`;
      const of = seen.copyOf(built.text, { key, trajectory: trajectory.id });
      if (of === null) rows.push(built);
      else copies.push({ key, of, trajectory: trajectory.id, text: built.text });
    }
  }
  return { rows, trajectories: count, unused, copies };
}

function rowOf(trajectory: Trajectory, turn: number, id: number): BuiltRow {
  const { domain, system, turns, source } = trajectory;
  const until = turns.slice(0, turn);
  const prompt = until.map(({ action }) => action);
  const response = until.map(({ observation }) => observation ?? '');
  const world = trajectory.meta.world;
  const row: JsonObject = {
    task: domain,
    id,
    prompt,
    response,
    current_prompt: prompt.at(-1) ?? '',
    system_str: system.text,
    turn_idx: turn,
    total_turns: turns.length,
    source: source.dataset ?? 'unknown',
    ...(source.licence !== undefined && { licence: source.licence }),
    ...(typeof world === 'string' && { world }),
  };
  return {
    row,
    domain,
    trajectory: trajectory.id,
    source: source.dataset ?? 'unknown',
    licence: source.licence ?? 'unknown',
    text: `${prompt.at(-1) ?? ''}\n${response.at(-1) ?? ''}`,
    tokens:
      estimateTokens(system.text) +
      [...prompt, ...response].reduce((sum, one) => sum + estimateTokens(one), 0),
  };
}

interface Known {
  readonly key: string;
  readonly trajectory: string;
  readonly signature: Uint32Array | null;
}

/** Finds copies among rows of other trajectories, by equal text and by MinHash. */
class CopyFinder {
  private readonly byHash = new Map<string, Known>();
  private readonly byBand = new Map<string, Known[]>();

  /** The key of the row that this one copies, or null; then it is known from now on. */
  copyOf(text: string, about: { readonly key: string; readonly trajectory: string }): string | null {
    const hash = hashText(text);
    const equal = this.byHash.get(hash);
    if (equal !== undefined && equal.trajectory !== about.trajectory) return equal.key;
    const shingles = shingleHashes([text]);
    const signature = shingles.size < LEAST_SHINGLES ? null : signatureOf(shingles);
    const bands = signature === null ? [] : bandKeys(signature);
    for (const band of bands) {
      for (const other of this.byBand.get(band) ?? []) {
        if (other.trajectory === about.trajectory || other.signature === null || signature === null) continue;
        if (signatureSimilarity(other.signature, signature) >= COPY_SIMILARITY) return other.key;
      }
    }
    const known: Known = { ...about, signature };
    this.byHash.set(hash, known);
    for (const band of bands) this.byBand.set(band, [...(this.byBand.get(band) ?? []), known]);
    return null;
  }
}
