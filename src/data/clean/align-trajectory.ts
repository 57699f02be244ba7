/**
 * The align step: a terminal's action stands with its effect, where that shows only after waiting.
 *
 * The idea: keys and then a wait are, joined, keys with a longer wait, whose observation is the last screen; so joining is
 * true whatever the screens say. It is done where nothing that was shown is lost: waits that follow one another (the
 * earlier screen is contained in the later), a wait after which the screen is as before, and an action that had shown
 * nothing new but its own echo. Everything else stays and is counted. Not covered: domains other than terminal (polls of
 * a background command answer with pieces, and joining pieces would make up an answer), parallel calls.
 */
import { renderJson, type Trajectory, type Turn } from '../../core/index.js';
import { type KeyBatch, keyBatches, terminalFormat } from '../../domains/index.js';
import { type DropListener, type Stage, Tally } from '../stages/stage.js';

/** How to align. */
export interface AlignOptions {
  /** Told of every turn that was joined to another. */
  readonly onDrop?: DropListener;
}

/** Opens the step. */
export function createAlignStage({ onDrop }: AlignOptions = {}): Stage<Trajectory> {
  const reasons = new Tally();
  const counts = { turns: 0, kept: 0 };
  return {
    name: 'align',
    parameters: {},
    take: (trajectory) => {
      counts.turns += trajectory.turns.length;
      const made = align(trajectory, (rule, turn) => {
        reasons.add(rule);
        if (!rule.startsWith('left')) onDrop?.({ what: 'turn', trajectory: trajectory.id, turn, rule });
      });
      counts.kept += made.turns.length;
      return [made];
    },
    end: () => [],
    report: () => ({ ...counts, reasons: reasons.toJson() }),
  };
}

interface Item {
  readonly turn: Turn;
  readonly batches: readonly KeyBatch[] | undefined;
  /** Something is missing before it. */
  readonly gap: boolean;
  /** Which turn of the input it was, from 0. */
  readonly index: number;
}

function align(trajectory: Trajectory, tell: (rule: string, turn: number) => void): Trajectory {
  const { turns, domain, gaps = [] } = trajectory;
  if (domain !== 'terminal') return trajectory;
  const open = new Set(gaps);
  const all = turns.map(
    (turn, index): Item => ({ turn, batches: batchesOf(turn), gap: open.has(index), index }),
  );
  const waits = joinAll(all, isWait, tell);
  const items = joinAll(waits, (before) => !isWait(before), tell);
  if (items.length === turns.length) return trajectory;
  const moved = items.flatMap(({ gap }, index) => (gap ? [index] : []));
  if (open.has(turns.length)) moved.push(items.length);
  return {
    ...trajectory,
    ...(moved.length > 0 && { gaps: moved }),
    turns: items.map(({ turn }) => turn),
  };
}

/** Joins waits to what is before them, where that `may` be and a rule says so. */
function joinAll(
  items: readonly Item[],
  may: (before: Item) => boolean,
  tell: (rule: string, turn: number) => void,
): readonly Item[] {
  const made: Item[] = [];
  for (const item of items) {
    const before = made.at(-1);
    const isOpen = before !== undefined && isWait(item) && may(before);
    const rule = isOpen && !item.gap ? joinRule(before, item, made.at(-2)) : undefined;
    if (isOpen) tell(rule ?? 'left: a wait that showed something else', item.index + 1);
    if (before === undefined || rule === undefined) made.push(item);
    else made[made.length - 1] = joined(before, item);
  }
  return made;
}

/** The keys of a turn that may be joined; undefined for one that has to stay as it is. */
function batchesOf(turn: Turn): readonly KeyBatch[] | undefined {
  if (turn.observation === null || turn.status !== 'ok' || 'training' in turn) return undefined;
  if ((turn.flags ?? []).length > 0 || turn.meta?.group !== undefined) return undefined;
  // Pieces of output are no screens: the later one does not have the earlier one's text.
  if (turn.meta?.view === 'new-output') return undefined;
  if (new Set(turn.origins?.map(({ origin }) => origin)).size > 1) return undefined;
  const parsed = terminalFormat.parseAction(turn.action);
  if (parsed.kind !== 'tool-call') return undefined;
  const batches = keyBatches(parsed);
  return batches.length === 0 ? undefined : batches;
}

function isWait({ batches }: Item): boolean {
  return batches?.every(({ keystrokes }) => keystrokes === '') === true;
}

function originOf({ turn }: Item): string | undefined {
  return turn.origins?.[0]?.origin;
}

/** Why a wait is joined to the turn before it; undefined where that would lose something. */
function joinRule(before: Item, wait: Item, earlier: Item | undefined): string | undefined {
  if (before.batches === undefined || originOf(before) !== originOf(wait)) return undefined;
  const shown = before.turn.observation ?? '';
  const later = wait.turn.observation ?? '';
  if (shown === later) return 'a wait that changed nothing';
  if (isWait(before)) return contains(later, shown) ? 'waits joined' : undefined;
  if (!/[\n\r]|^Enter$/.test(before.batches.at(-1)?.keystrokes ?? '')) return undefined;
  if (!contains(later, shown)) return undefined;
  const isUnchanged = shown === (earlier?.turn.observation ?? '') && !before.gap;
  return isUnchanged || endsWithEcho(shown, before.batches)
    ? 'an effect that showed after a wait'
    : undefined;
}

/** True if every row of one screen is in the other in this order, so that nothing is lost but the scrolled-off top. */
function contains(later: string, earlier: string): boolean {
  const rows = earlier.split('\n');
  if (earlier === '') return true;
  const found = later.indexOf(earlier);
  if (found >= 0) return true;
  // Scrolled: the earlier screen's end, at least half of it, is the later one's beginning.
  const all = later.split('\n');
  for (let drop = 1; drop <= rows.length / 2; drop++) {
    const rest = rows.slice(drop);
    if (rest.every((row, i) => row === all[i])) return true;
  }
  return false;
}

/** True if the last row shows the command that was typed and nothing after it. */
function endsWithEcho(screen: string, batches: readonly KeyBatch[]): boolean {
  const typed = batches
    .map(({ keystrokes }) => keystrokes)
    .join('')
    .trim();
  const command = typed.split('\n').at(-1)?.trim() ?? '';
  const last = screen.trimEnd().split('\n').at(-1) ?? '';
  return command.length >= 2 && last.trimEnd().endsWith(command);
}

/** Both as one turn: keys, then the wait; the later screen. */
function joined(before: Item, wait: Item): Item {
  const batches = isWait(before)
    ? [{ keystrokes: '', duration: secondsOf([...(before.batches ?? []), ...(wait.batches ?? [])]) }]
    : withLonger(before.batches ?? [], secondsOf(wait.batches ?? []));
  const meta = joinedMeta(before.turn, wait.turn);
  const { origins, observation } = wait.turn;
  return {
    gap: before.gap,
    index: before.index,
    batches,
    turn: {
      ...before.turn,
      action: renderJson(batches.map(({ keystrokes, duration }) => ({ keystrokes, duration }))),
      observation,
      ...(origins !== undefined && { origins }),
      ...(meta !== undefined && { meta }),
    },
  };
}

function secondsOf(batches: readonly KeyBatch[]): number {
  return rounded(batches.reduce((sum, { duration }) => sum + duration, 0));
}

/** Sums of decimal seconds without binary dust; no wait is longer than a day. */
function rounded(seconds: number): number {
  return Math.min(86_400, Math.round(seconds * 1_000) / 1_000);
}

function withLonger(batches: readonly KeyBatch[], seconds: number): readonly KeyBatch[] {
  return batches.map((batch, i) =>
    i === batches.length - 1 ? { ...batch, duration: rounded(batch.duration + seconds) } : batch,
  );
}

function joinedMeta(before: Turn, wait: Turn): Turn['meta'] {
  if (before.meta === undefined && wait.meta === undefined) return undefined;
  const { startedAt, durationMs } = wait.meta ?? {};
  const from = Date.parse(before.meta?.startedAt ?? '');
  const until = Date.parse(startedAt ?? '') + (durationMs ?? 0);
  const span = until - from;
  const exitCode = wait.meta?.exitCode ?? before.meta?.exitCode;
  return {
    ...before.meta,
    ...(span >= 0 && { durationMs: span }),
    ...(exitCode !== undefined && { exitCode }),
  };
}
