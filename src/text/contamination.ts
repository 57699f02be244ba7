/**
 * Contamination: does a training turn copy a turn of a benchmark? By runs of words, whatever the ids, numbers and dates.
 *
 * The idea: action and observation are read without what every row shares (system prompts never enter). Words that hold
 * a digit are left out, so that a copy with another date is still a copy. Every run of eight words is a gram; a turn of
 * fewer words is one gram, if it has at least four. A gram that turns of several trajectories of the benchmark have
 * (licences, banners, help texts) is boilerplate, and so is one that more than a set share of the training rows have. A
 * turn is contaminated if enough of its other grams are the benchmark's. Only hashes need to be published: a list holds
 * 48 bits of each gram and, where its maker allows, the text. Source: hard case P-DAT-3.
 */
import { scanWords } from './scan-words.js';

/** Words of one gram. */
export const GRAM_WORDS = 8;
/** Turns of fewer words (digits left out) say too little to be copies. */
export const SHORTEST_TURN_WORDS = 4;

/** A gram of a turn: its hash, and where it stands in the text (UTF-16 units). */
export interface Gram {
  readonly hash: number;
  readonly start: number;
  readonly end: number;
}

/** The grams of a text, in order; a short text is one gram, a very short one none. */
export function gramsOf(text: string): readonly Gram[] {
  const lower = text.toLowerCase();
  const same = lower.length === text.length;
  const words: { hash: number; second: number; start: number; end: number }[] = [];
  scanWords(lower, (start, end, hash, second) => {
    for (let at = start; at < end; at++) {
      const unit = lower.charCodeAt(at);
      if (unit >= 0x30 && unit <= 0x39) return;
    }
    words.push({ hash, second, start, end });
  });
  const size = Math.min(GRAM_WORDS, words.length);
  if (size < SHORTEST_TURN_WORDS) return [];
  const grams: Gram[] = [];
  for (let i = 0; i + size <= words.length; i++) {
    let high = size | 0;
    let low = 0x811c9dc5 | 0;
    for (let j = i; j < i + size; j++) {
      high = Math.imul(high ^ (words[j]?.second ?? 0), 0x85ebca6b) ^ (high >>> 15);
      low = Math.imul(low ^ (words[j]?.hash ?? 0), 0x01000193) ^ (low >>> 11);
    }
    const start = same ? (words[i]?.start ?? 0) : 0;
    const end = same ? (words[i + size - 1]?.end ?? 0) : text.length;
    grams.push({ hash: (high & 0xffff) * 0x100000000 + (low >>> 0), start, end });
  }
  return grams;
}

/** One turn of a benchmark, as a list of hashes holds it. */
export interface BenchmarkTurn {
  /** Row or turn, for people. */
  readonly id: string;
  /** Turns of one trajectory share it; repeats inside one trajectory are no boilerplate. */
  readonly trajectory: string;
  readonly grams: readonly number[];
  /** The text, where its maker gave it away. */
  readonly text?: string;
}

/** A gram that a training turn shares with a benchmark. */
export interface GramHit {
  readonly gram: Gram;
  readonly turn: BenchmarkTurn;
}

/** What a benchmark's list says of a training turn. */
export interface ContaminationFinding {
  /** Grams of the turn. */
  readonly grams: number;
  /** Grams that one trajectory of the benchmark alone has. */
  readonly hits: readonly GramHit[];
  /** Grams that several trajectories of the benchmark have. */
  readonly boilerplate: readonly GramHit[];
}

/** A benchmark's grams, ready to be asked. */
export interface ContaminationIndex {
  find(text: string): ContaminationFinding;
  /** Distinct grams. */
  readonly size: number;
}

/** Makes an index; memory is proportional to the benchmark, not to what is asked. */
export function createContaminationIndex(turns: Iterable<BenchmarkTurn>): ContaminationIndex {
  const owners = new Map<number, { readonly turn: BenchmarkTurn; isShared: boolean }>();
  for (const turn of turns) {
    for (const hash of turn.grams) {
      const owner = owners.get(hash);
      if (owner === undefined) owners.set(hash, { turn, isShared: false });
      else if (owner.turn.trajectory !== turn.trajectory) owner.isShared = true;
    }
  }
  return {
    size: owners.size,
    find(text) {
      const grams = gramsOf(text);
      const hits: GramHit[] = [];
      const boilerplate: GramHit[] = [];
      for (const gram of grams) {
        const owner = owners.get(gram.hash);
        if (owner !== undefined) (owner.isShared ? boilerplate : hits).push({ gram, turn: owner.turn });
      }
      return { grams: grams.length, hits, boilerplate };
    },
  };
}
