/**
 * Does a piece of a text come again and again, at its end or before it?
 *
 * At the end 24 times and 400 units are enough, elsewhere 800 units: tables and trees hold alike rows. Windows of growing
 * length stand so close that each long run fills one; the window's shortest period (prefix function of Knuth, Morris and Pratt) is
 * followed to both sides. Linear in the text for each of at most nine lengths, whatever it holds. Not covered: loops that
 * change a little each time (a counter), pieces over ten thousand units.
 */
import { brief, isKnown, type SpeechCheck } from './spoken-piece.js';

const REPEATS = 24;
const END_UNITS = 400;
const MIDDLE_UNITS = 800;
const SHORTEST_WINDOW = 400;
const LONGEST_WINDOW = 131_072;
/** Runs that are known; where there are more, the text is full of known runs. */
const KNOWN_RUNS = 32;

interface Run {
  readonly start: number;
  readonly end: number;
  readonly period: number;
}

/** A piece that is repeated too often. */
export const findLoop: SpeechCheck = (text, { known }) => {
  const whole = text.trimEnd();
  let knownRuns = 0;
  for (const { start, end, period } of runsOf(whole)) {
    const atEnd = end === whole.length;
    if (end - start < leastUnits(period, atEnd)) continue;
    const piece = whole.slice(end - period, end);
    if (!isKnown(piece.repeat(3), known)) {
      const times = Math.floor((end - start) / period);
      const problem = `the answer repeats "${brief(piece)}" ${times} times${atEnd ? ' at its end' : ''}`;
      return { check: 'loop', problem, finally: 'flag' };
    }
    knownRuns += 1;
    if (knownRuns === KNOWN_RUNS) return undefined;
  }
  return undefined;
};

/** A run of one character, or of two or three, is a ruler or padding, unless it is very long. */
function leastUnits(period: number, atEnd: boolean): number {
  const units = atEnd ? END_UNITS : MIDDLE_UNITS;
  return period < 4 ? units * 2 : Math.max(REPEATS * period, units);
}

/** Runs of one piece, those of short windows first; long ones may come more than once. */
function* runsOf(text: string): Iterable<Run> {
  for (let length = SHORTEST_WINDOW; length <= Math.min(text.length, LONGEST_WINDOW); length *= 2) {
    const step = Math.floor(length / 4);
    const window = length - step;
    let after = 0;
    for (let at = 0; at + window <= text.length; at += step) {
      if (at < after) continue;
      const period = periodOf(text, at, at + window);
      // A run of this length that counts has at least so many pieces in its window.
      if (period * (REPEATS / 2) > length) continue;
      const run = extended(text, { start: at, end: at + window, period });
      after = run.end - window;
      yield run;
    }
  }
}

/** The shortest period of a part, by the prefix function. */
function periodOf(text: string, start: number, end: number): number {
  const length = end - start;
  const borders = new Int32Array(length);
  let border = 0;
  for (let at = 1; at < length; at++) {
    const unit = text.charCodeAt(start + at);
    while (border > 0 && text.charCodeAt(start + border) !== unit) border = borders[border - 1] as number;
    if (text.charCodeAt(start + border) === unit) border += 1;
    borders[at] = border;
  }
  return length - border;
}

function extended(text: string, { start, end, period }: Run): Run {
  let from = start;
  let to = end;
  while (from > 0 && text.charCodeAt(from - 1) === text.charCodeAt(from - 1 + period)) from -= 1;
  while (to < text.length && text.charCodeAt(to) === text.charCodeAt(to - period)) to += 1;
  return { start: from, end: to, period };
}
