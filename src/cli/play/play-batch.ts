/**
 * Plays given actions one after another, then ends the episode.
 *
 * The end of the actions is an answer of nobody: the episode is finished without one and scored. Actions behind the
 * end of an episode are not played, and that is said. A recording's actions are compared with what was observed
 * then; the first difference is shown.
 */
import type { StepResult } from '../../core/index.js';
import { repeatWait } from '../../sim/index.js';
import { EXIT } from '../failure.js';
import { type Output, visible } from '../output.js';
import type { GivenAction } from './action-lines.js';
import type { Player } from './player.js';

/** How the turns compared with the recording they came from. */
interface Comparison {
  compared: number;
  equal: number;
  firstDifference: string | null;
}

/** Plays all actions. Gives the exit code: 1 if a recording's observation came out otherwise, 3 if unscored. */
export async function playBatch(
  player: Player,
  actions: AsyncIterable<GivenAction>,
  output: Output,
): Promise<number> {
  const comparison: Comparison = { compared: 0, equal: 0, firstDifference: null };
  let leftOver = 0;
  for await (const given of actions) {
    if (player.done) {
      leftOver++;
      continue;
    }
    if (given.recorded !== undefined && player.episode !== null)
      await repeatWait(player.episode, given.recorded);
    const step = await player.step(given.action);
    // why it is none stands with its turn
    if (step.status === 'malformed') output.note(`line ${given.line} is no action, turn ${step.turn}`);
    if (given.recorded !== undefined) compare(given, step, comparison);
  }
  if (!player.done) await player.finish();
  if (leftOver > 0) {
    output.note(`${leftOver} more actions were not played: the episode was done at turn ${player.turnCount}`);
  }
  return reportComparison(comparison, output) ? player.exitCode : EXIT.failed;
}

function compare({ recorded }: GivenAction, step: StepResult, comparison: Comparison): void {
  comparison.compared++;
  if (recorded?.observation === step.observation && recorded.status === step.status) {
    comparison.equal++;
    return;
  }
  const then = `${recorded?.status} ${JSON.stringify(recorded?.observation)}`;
  const now = `${step.status} ${JSON.stringify(step.observation)}`;
  comparison.firstDifference ??= `turn ${step.turn} was ${shorten(then)} and is ${shorten(now)}`;
}

function shorten(text: string): string {
  return visible(text.length > 300 ? `${text.slice(0, 300)}…` : text);
}

/** Tells how the turns compared; false if one differed. */
function reportComparison({ compared, equal, firstDifference }: Comparison, output: Output): boolean {
  if (compared === 0) return true;
  output.note(`observations equal to the recording: ${equal} of ${compared}`);
  if (firstDifference === null) return true;
  output.note(`first difference: ${firstDifference}`);
  return false;
}
