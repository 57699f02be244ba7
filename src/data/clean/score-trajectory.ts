/**
 * The score step: how clean a trajectory is, from 0 to 1, with reasons.
 *
 * Formula: the product over all reasons of (1 − weight × share), where a share is the part of the turns that show it, from
 * 0 to 1. It depends on the trajectory alone, so scoring again gives the same. It says nothing about how much a turn
 * teaches, which is the mask's business.
 */
import type { Json, JsonObject, Trajectory, Turn } from '../../core/index.js';
import { type DropListener, type Stage, Tally } from '../stages/stage.js';

/** How to score. */
export interface ScoreOptions {
  /** Trajectories below it are dropped, 0 to 1. Default 0: none. */
  readonly minQuality?: number;
  readonly onDrop?: DropListener;
}

/** Reasons, with how much of the score a trajectory loses in which every turn shows it. */
const QUALITY_WEIGHTS = {
  /** No observation, or nothing but white space. */
  empty: 0.5,
  /** Cut, an image, or in another file. */
  cut: 0.6,
  /** The replacement character: bytes of an unknown encoding. */
  undecodable: 0.7,
  /** UTF-8 that was read as Latin-1 or Windows-1252. */
  mojibake: 0.7,
  /** Something is missing before or after a turn, or the step had no answer. */
  dangling: 0.6,
  /** The same action with the same observation as a turn before. */
  repeated: 0.5,
  /** Words of the program around the agent, which no environment printed. */
  harness: 0.5,
  /** Letters of three and more scripts in one observation. */
  mixed: 0.3,
  /** The action was none. */
  malformed: 0.5,
  /** Fewer than four turns: 1 for one turn, 0 for four. */
  short: 0.4,
} as const;

type Reason = keyof typeof QUALITY_WEIGHTS;

const HARNESS =
  /<system-reminder>|<untrusted_context|<tool_use_error>|\[Request interrupted by user|<returncode>|^Chunk ID: \w+$|^Process Group PGID: |^Wall time: [\d.]+ seconds$|<persisted-output>|^Total output lines: \d+$/m;
const MOJIBAKE =
  /Ã[\u0080-\u00bf]|Ã[©¨¤¶¼Ÿ±§]|â€[™œ\u009d\u0093\u0094“”¦]|Â[\u00a0-\u00bf]|ï»¿|ï¿½|Ð[\u0080-\u00bf]Ñ/;
const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Thai}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /\p{Script=Hangul}/u,
];

/** Opens the step. */
export function createScoreStage({ minQuality = 0, onDrop }: ScoreOptions = {}): Stage<Trajectory> {
  const reasons = new Tally();
  const tenths = new Tally();
  const counts = { trajectories: 0, dropped: 0 };
  let sum = 0;
  return {
    name: 'score',
    parameters: { minQuality },
    take: (trajectory) => {
      const quality = qualityOf(trajectory);
      counts.trajectories += 1;
      sum += quality.score;
      tenths.add(`from ${(Math.min(9, Math.floor(quality.score * 10)) / 10).toFixed(1)}`);
      for (const name of Object.keys(quality.reasons)) reasons.add(name);
      if (quality.score < minQuality) {
        counts.dropped += 1;
        const seen = Object.entries(quality.reasons).map(([name, share]) => `${name} ${String(share)}`);
        const detail = `quality ${quality.score}: ${seen.join(', ')}`;
        onDrop?.({ what: 'trajectory', trajectory: trajectory.id, rule: 'low-quality', detail });
        return [];
      }
      const meta = { ...trajectory.meta, quality: quality as unknown as Json };
      return [{ ...trajectory, meta }];
    },
    end: () => [],
    report: () => ({
      ...counts,
      meanScore: counts.trajectories === 0 ? null : Math.round((sum / counts.trajectories) * 10_000) / 10_000,
      scores: tenths.toJson(),
      reasons: reasons.toJson(),
    }),
  };
}

/** Score and reasons: reason → share of the turns, only those above 0. Four decimals. */
function qualityOf(trajectory: Trajectory): {
  readonly score: number;
  readonly reasons: JsonObject & Readonly<Record<string, number>>;
} {
  const { turns, gaps = [] } = trajectory;
  const count = Math.max(1, turns.length);
  const shares: Partial<Record<Reason, number>> = {};
  const seen = new Set<string>();
  for (const turn of turns) {
    for (const reason of reasonsOf(turn, seen)) shares[reason] = (shares[reason] ?? 0) + 1 / count;
  }
  if (gaps.length > 0) shares.dangling = Math.min(1, (shares.dangling ?? 0) + gaps.length / count);
  if (turns.length < 4) shares.short = Math.min(1, (4 - turns.length) / 3);
  let score = 1;
  const reasons: Record<string, number> = {};
  for (const reason of Object.keys(QUALITY_WEIGHTS) as Reason[]) {
    const share = shares[reason];
    if (share === undefined) continue;
    reasons[reason] = Math.round(share * 10_000) / 10_000;
    score *= 1 - QUALITY_WEIGHTS[reason] * Math.min(1, share);
  }
  return { score: Math.round(score * 10_000) / 10_000, reasons };
}

function reasonsOf(turn: Turn, seen: Set<string>): readonly Reason[] {
  const { action, observation, status, flags = [] } = turn;
  const found: Reason[] = [];
  if (status === 'malformed') found.push('malformed');
  if (observation === null) {
    found.push('dangling', 'empty');
    return found;
  }
  if (observation.trim() === '') found.push('empty');
  if (flags.some((flag) => flag === 'truncated' || flag === 'external' || flag === 'image'))
    found.push('cut');
  if (observation.includes('\ufffd')) found.push('undecodable');
  if (MOJIBAKE.test(observation)) found.push('mojibake');
  if (HARNESS.test(observation)) found.push('harness');
  if (isMixed(observation)) found.push('mixed');
  const key = `${action}\0${observation}`;
  if (seen.has(key)) found.push('repeated');
  seen.add(key);
  return found;
}

function isMixed(text: string): boolean {
  return /[\u0370-\uffff]/.test(text) && SCRIPTS.filter((script) => script.test(text)).length >= 3;
}
