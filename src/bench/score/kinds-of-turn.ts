/**
 * What kind of turn a row asks, so that scores can be broken down: depth, history, action, content.
 *
 * The bins are fixed, so that two runs compare. An action's kind is its tool or action name; in a terminal the first
 * word of the first keys. Content is the content type that most of the real observation has. Not covered: domains
 * without a format, whose content is `unknown`.
 */
import { stripObservationMarker } from '../../core/index.js';
import { type BenchRow, domainFormat, keyBatches, TERMINAL_TOOL } from '../../domains/index.js';
import { estimateTokens } from '../../text/index.js';

/** The breakdowns, in the order of reports. */
export const BREAKDOWNS = ['turn', 'history', 'action', 'content'] as const;

/** One of {@link BREAKDOWNS}. */
export type Breakdown = (typeof BREAKDOWNS)[number];

/** The group of a row in each breakdown. */
export type KindsOfTurn = Readonly<Record<Breakdown, string>>;

/** Characters of an observation that are looked at. */
const LOOKED_AT = 8_000;
const NAME_CHARS = 40;

/** The groups of a row. */
export function kindsOfTurn(row: BenchRow): KindsOfTurn {
  const tokens = row.history.reduce(
    (sum, one) => sum + estimateTokens(one.action) + estimateTokens(one.observation),
    0,
  );
  return {
    turn: bin(row.turn, TURN_BINS),
    history: bin(tokens, TOKEN_BINS),
    action: `${row.domain}: ${actionKind(row)}`,
    content: contentKind(row),
  };
}

/** Upper bounds with their names; the last has none. */
type Bins = readonly (readonly [number, string])[];

const TURN_BINS: Bins = [
  [1, 'turn 1'],
  [3, 'turns 2–3'],
  [7, 'turns 4–7'],
  [15, 'turns 8–15'],
  [Number.POSITIVE_INFINITY, 'turn 16 and later'],
];

const TOKEN_BINS: Bins = [
  [0, 'no history'],
  [1_000, 'to 1k tokens'],
  [4_000, 'to 4k tokens'],
  [16_000, 'to 16k tokens'],
  [64_000, 'to 64k tokens'],
  [Number.POSITIVE_INFINITY, 'beyond 64k tokens'],
];

/** All groups of the breakdowns that have an order, in it. */
export const GROUP_ORDER: readonly string[] = [...TURN_BINS, ...TOKEN_BINS].map(([, name]) => name);

function bin(value: number, bins: Bins): string {
  return bins.find(([most]) => value <= most)?.[1] ?? '';
}

function actionKind(row: BenchRow): string {
  const format = domainFormat(row.domain);
  if (!format.ok) return 'unknown';
  const parsed = format.value.parseAction(row.action);
  if (parsed.kind !== 'tool-call') return parsed.kind;
  if (parsed.name !== TERMINAL_TOOL) return parsed.name.slice(0, NAME_CHARS);
  const [first] = keyBatches(parsed);
  if (first === undefined) return 'done';
  const word = /^\s*([\w./-]+)/.exec(first.keystrokes)?.[1];
  return word === undefined ? 'keys' : (word.split('/').at(-1) ?? word).slice(0, NAME_CHARS);
}

function contentKind(row: BenchRow): string {
  const format = domainFormat(row.domain);
  const text = stripObservationMarker(row.truth).slice(0, LOOKED_AT);
  if (!format.ok) return 'unknown';
  if (text.trim() === '') return 'empty';
  const shares = new Map<string, number>();
  const action = format.value.parseAction(row.action);
  for (const { start, end, type } of format.value.contentTypes(text, { action })) {
    shares.set(type, (shares.get(type) ?? 0) + end - start);
  }
  return [...shares].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'unknown';
}
