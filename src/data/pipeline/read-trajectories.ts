/**
 * Trajectories out of lines, fast where lines are clean and with every problem named where they are not.
 *
 * The idea: a line that is valid UTF-8, parses as JSON, holds no number beyond a double and has the form of a whole
 * trajectory needs no more checks. Everything else (dirty bytes, glued or torn lines, the streamed form, big integers,
 * unknown forms) goes through core's reader, which reports. Bounded memory: one line, or one streamed trajectory.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import {
  createTrajectoryJoiner,
  createTrajectoryReader,
  DOMAINS,
  isJsonObject,
  type LineProblem,
  STEP_STATUSES,
  TRAJECTORY_VERSION,
  type Trajectory,
} from '../../core/index.js';
import type { ByteLine } from './read-lines.js';

const DOMAIN_NAMES: ReadonlySet<unknown> = new Set(DOMAINS);
const STATUSES: ReadonlySet<unknown> = new Set(STEP_STATUSES);
const FEED = Uint8Array.of(0x0a);

/** Takes lines, gives trajectories; problems go to the listener. */
export interface TrajectoryLines {
  take(line: ByteLine): readonly Trajectory[];
  end(): readonly Trajectory[];
}

/** Opens a reader for one input. */
export function openTrajectoryLines(onProblem: (problem: LineProblem) => void): TrajectoryLines {
  let slow = createTrajectoryReader();
  const joiner = createTrajectoryJoiner();
  let isStreamed = false;
  let linesBefore = 0;
  const join = (events: ReturnType<typeof slow.push>): readonly Trajectory[] =>
    events.flatMap((event) => {
      if (event.kind === 'header') isStreamed = true;
      if (event.kind === 'whole' || event.kind === 'end') isStreamed = false;
      return joiner.push(event).flatMap((reading) => {
        if (reading.kind === 'trajectory') return [reading.trajectory];
        onProblem({ ...reading.problem, line: reading.problem.line + linesBefore });
        return [];
      });
    });
  return {
    take: (line) => {
      if (line.bytes === undefined) {
        const message = `a line of ${line.sizeBytes} bytes is longer than the limit (lineBytes); skipped`;
        onProblem({ severity: 'error', line: line.line, byteOffset: 0, message });
        return [];
      }
      const whole = isStreamed ? undefined : wholeTrajectory(line.bytes);
      if (whole !== undefined) return [whole];
      if (!isStreamed) {
        slow = createTrajectoryReader();
        linesBefore = line.line - 1;
      }
      const given = join(slow.push(line.bytes));
      const rest = line.isCut ? slow.end() : slow.push(FEED);
      return [...given, ...join(rest)];
    },
    end: () => [
      ...join(slow.end()),
      ...joiner.end().flatMap((one) => (one.kind === 'trajectory' ? [one.trajectory] : [])),
    ],
  };
}

/** The trajectory of a clean line in the whole form, or undefined for anything that needs a closer look. */
export function wholeTrajectory(bytes: Uint8Array): Trajectory | undefined {
  const isPlain = isAscii(bytes);
  if (bytes.length === 0 || !(isPlain || isUtf8(bytes))) return undefined;
  let value: unknown;
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    value = JSON.parse(buffer.toString(isPlain ? 'latin1' : 'utf8'));
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || value.trajectory !== TRAJECTORY_VERSION || !Array.isArray(value.turns))
    return undefined;
  const { id, domain, system, source = {}, meta = {}, gaps, turns } = value;
  if (typeof id !== 'string' || !DOMAIN_NAMES.has(domain) || gaps !== undefined) return undefined;
  if (
    !isJsonObject(system) ||
    typeof system.text !== 'string' ||
    !isJsonObject(source) ||
    !isJsonObject(meta)
  ) {
    return undefined;
  }
  const { demonstrations = [], task, actionSpace, initialState, instruction } = system;
  const parts = [task, actionSpace, initialState, instruction];
  if (!Array.isArray(demonstrations) || parts.some((part) => part !== undefined && typeof part !== 'string'))
    return undefined;
  if (
    demonstrations.some((one) => typeof one !== 'string') ||
    hasOddNumber(source, 0) ||
    hasOddNumber(meta, 0)
  ) {
    return undefined;
  }
  for (const turn of turns) if (!isPlainTurn(turn)) return undefined;
  const full = {
    ...value,
    source,
    system: { ...system, demonstrations },
    meta,
    turns: turns.map(withStatus),
  };
  return full as unknown as Trajectory;
}

function withStatus(turn: object): object {
  return 'status' in turn ? turn : { ...turn, status: 'ok' };
}

/** A turn without anything that needs checking: texts, a known status, and marks of this package. */
function isPlainTurn(turn: unknown): boolean {
  if (!isJsonObject(turn) || typeof turn.action !== 'string') return false;
  if (turn.observation !== null && typeof turn.observation !== 'string') return false;
  if (turn.status !== undefined && !STATUSES.has(turn.status)) return false;
  for (const key of Object.keys(turn)) {
    if (key === 'action' || key === 'observation' || key === 'status') continue;
    const isPlain =
      key === 'meta' ? isPlainMeta(turn.meta) : key === 'flags' ? isTexts(turn.flags) : key === 'training';
    if (!isPlain) return false;
    if (hasOddNumber(turn[key], 0)) return false;
  }
  return true;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isPlainMeta(meta: unknown): boolean {
  if (!isJsonObject(meta)) return false;
  const { startedAt, callId, group, isError, durationMs, waitedMs, exitCode } = meta;
  const texts = [startedAt, callId, group].every((one) => one === undefined || typeof one === 'string');
  const times = [durationMs, waitedMs].every(
    (one) => one === undefined || (typeof one === 'number' && one >= 0),
  );
  const code = exitCode === undefined || Number.isInteger(exitCode);
  return texts && times && code && (isError === undefined || typeof isError === 'boolean');
}

/** True if some number is beyond what a double holds exactly, or nesting is deep: such lines are read losslessly. */
function hasOddNumber(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return !Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (typeof value !== 'object' || value === null) return false;
  if (depth > 20) return true;
  return Object.values(value).some((one) => hasOddNumber(one, depth + 1));
}
