/**
 * The segment step: a session with several tasks becomes one trajectory for each, `id/1`, `id/2` …
 *
 * The idea: a boundary needs one sure sign (another `meta.task` on a turn, a login after a logout, an hour of nothing) or
 * three hints at once (the screen was cleared, the folder changes, no word in common with what was done before), and two
 * turns on either side. A part says where it was cut and why in `meta.segment`, begins with a gap, because what came
 * before is not there, and has the folder and the last screen before it in its initial state. Waits are not looked at.
 * Not covered: tasks that follow one another without any of these signs.
 */
import type { JsonObject, SystemPrompt, Trajectory, Turn } from '../../core/index.js';
import { keyBatches, terminalFormat } from '../../domains/index.js';
import { type Stage, Tally } from '../stages/stage.js';

const IDLE_MS = 60 * 60 * 1000;
const FEWEST_TURNS = 2;
const TOPIC_TURNS = 3;
const CONTEXT_CHARACTERS = 2_000;

/** Opens the step. */
export function createSegmentStage(): Stage<Trajectory> {
  const reasons = new Tally();
  const counts = { trajectories: 0, split: 0, parts: 0 };
  return {
    name: 'segment',
    parameters: { idleMinutes: IDLE_MS / 60_000 },
    take: (trajectory) => {
      counts.trajectories += 1;
      const boundaries = 'segment' in trajectory.meta ? [] : boundariesOf(trajectory);
      counts.parts += boundaries.length + 1;
      if (boundaries.length === 0) return [trajectory];
      counts.split += 1;
      for (const { why } of boundaries) reasons.add(why);
      return cut(trajectory, boundaries);
    },
    end: () => [],
    report: () => ({ ...counts, reasons: reasons.toJson() }),
  };
}

interface Boundary {
  /** Index of the first turn of the part. */
  readonly at: number;
  readonly why: string;
}

/** What the step looks at in a turn. */
interface TurnSigns {
  readonly keys: string;
  readonly isWait: boolean;
  readonly words: ReadonlySet<string>;
}

function boundariesOf(trajectory: Trajectory): readonly Boundary[] {
  const { turns, domain } = trajectory;
  const signs = turns.map((turn) => signsOf(turn, domain === 'terminal'));
  // Waits are joined to other turns later; what is decided here must not depend on them.
  const live = turns.flatMap((_, index) => (signs[index]?.isWait === true ? [] : [index]));
  const words = live.map((index) => signs[index] as TurnSigns);
  const found: Boundary[] = [];
  let last = 0;
  for (let place = FEWEST_TURNS; place <= live.length - FEWEST_TURNS; place++) {
    if (place - last < FEWEST_TURNS) continue;
    const at = live[place] as number;
    const before = live[place - 1] as number;
    const screens = turns.slice(before, live[place + 1] ?? turns.length);
    const why = sureSign(turns, at) ?? loginSign(screens, words[place - 1]) ?? hints(words, last, place);
    if (why === undefined) continue;
    found.push({ at, why });
    last = place;
  }
  return found;
}

function signsOf(turn: Turn, isTerminal: boolean): TurnSigns {
  if (!isTerminal) return { keys: '', isWait: false, words: new Set() };
  const parsed = terminalFormat.parseAction(turn.action);
  const batches = parsed.kind === 'tool-call' ? keyBatches(parsed) : [];
  const keys = batches.map(({ keystrokes }) => keystrokes).join('');
  const words = new Set((keys.toLowerCase().match(/[\p{L}\p{N}_]{3,40}/gu) ?? []).slice(0, 200));
  return { keys, isWait: batches.length > 0 && keys === '', words };
}

function sureSign(turns: readonly Turn[], at: number): string | undefined {
  const before = turns[at - 1]?.meta;
  const now = turns[at]?.meta;
  if (typeof before?.task === 'string' && typeof now?.task === 'string' && before.task !== now.task) {
    return 'another task';
  }
  const started = Date.parse(now?.startedAt ?? '');
  const ended = Date.parse(before?.startedAt ?? '') + (before?.durationMs ?? 0);
  return started - ended >= IDLE_MS ? 'an hour without a turn' : undefined;
}

const LOGOUT = /(?:^|\n)(?:exit|logout)\s*$|^C-d$|\u0004$/;

function loginSign(screens: readonly Turn[], before: TurnSigns | undefined): string | undefined {
  if (!LOGOUT.test(before?.keys ?? '')) return undefined;
  const shows = screens.some(({ observation }) => /^Last login: /m.test(observation ?? ''));
  return shows ? 'a login after a logout' : undefined;
}

/** Cleared, moved and nothing in common, all three. */
function hints(signs: readonly TurnSigns[], from: number, at: number): string | undefined {
  const here = signs.slice(at, at + TOPIC_TURNS + 1);
  if (!/^(?:clear|reset|C-l|\f)\s*$/.test(signs[at]?.keys ?? '')) return undefined;
  if (!here.slice(1).some(({ keys }) => /^cd\s+\S/.test(keys))) return undefined;
  const common = new Set([
    'clear',
    'reset',
    'cat',
    'ls',
    'cd',
    'echo',
    'the',
    'and',
    'sudo',
    'grep',
    'home',
    'usr',
  ]);
  const before = new Set(signs.slice(from, at).flatMap(({ words }) => [...words]));
  const shares = here.some(({ words }) => [...words].some((word) => !common.has(word) && before.has(word)));
  return shares ? undefined : 'cleared, another folder and nothing in common';
}

function cut(trajectory: Trajectory, boundaries: readonly Boundary[]): readonly Trajectory[] {
  const starts = [{ at: 0, why: 'the start of the session' }, ...boundaries];
  return starts.map(({ at, why }, index) => {
    const end = starts[index + 1]?.at ?? trajectory.turns.length;
    const isLast = end === trajectory.turns.length;
    const gaps = (trajectory.gaps ?? [])
      .filter((gap) => gap >= at && (gap < end || (isLast && gap === end)))
      .map((gap) => gap - at);
    const all = at > 0 ? [...new Set([0, ...gaps])] : gaps;
    const { gaps: _old, ...rest } = trajectory;
    const segment: JsonObject = {
      of: trajectory.id,
      part: index + 1,
      parts: starts.length,
      firstTurn: at + 1,
      why,
    };
    return {
      ...rest,
      id: `${trajectory.id}/${index + 1}`,
      system: at === 0 ? trajectory.system : withContext(trajectory, at),
      ...(all.length > 0 && { gaps: all }),
      meta: { ...trajectory.meta, segment },
      turns: trajectory.turns.slice(at, end),
    };
  });
}

/** The system prompt with what was to be seen before the part. */
function withContext({ system, turns }: Trajectory, at: number): SystemPrompt {
  const shown = turns[at - 1]?.observation ?? '';
  const screen = shown.length > CONTEXT_CHARACTERS ? `…\n${lastRows(shown)}` : shown;
  const task = turns[at]?.meta?.task;
  const context = [
    `${at} earlier turns of this session are not shown. The last observation before this part:`,
    screen === '' ? '(nothing)' : screen,
  ].join('\n');
  const initialState = system.initialState === undefined ? context : `${system.initialState}\n\n${context}`;
  return {
    ...system,
    // The exact prompt, where there is one, is what samples are made with.
    ...(system.text.trim() !== '' && { text: `${system.text}\n\n${context}` }),
    ...(typeof task === 'string' && system.task !== undefined && { task }),
    initialState,
  };
}

/** The last whole rows that fit. */
function lastRows(shown: string): string {
  const end = shown.slice(-CONTEXT_CHARACTERS);
  return end.slice(end.indexOf('\n') + 1).replace(/^[\udc00-\udfff]/, '');
}
