/**
 * Plays several scripts of one world, each as if in an episode of its own, but the beginning that scripts share only
 * once: where two part, the episode is forked.
 *
 * An episode is a setup that never changes and one immutable state, so a fork sees what a fresh episode after the same
 * actions would see; steps of forks do not touch one another. The oracle, the wrong scripts and the empty script of a
 * child share most of their beginnings. Not covered: worlds that open or answer otherwise each time.
 */
import type { StepResult } from '../../core/index.js';
import type { Episode } from '../../sim/index.js';
import { endedRun, type ScriptRun } from '../run-script.js';

/** A place that some scripts reach: the actions that go on from it, and the scripts that end there. */
interface Place {
  readonly next: Map<string, Place>;
  readonly ends: number[];
}

/** Runs in the order of the scripts, from an episode that stays as it is. Raises what a step raises. */
export async function playScripts(
  opened: Episode,
  scripts: readonly (readonly string[])[],
): Promise<readonly ScriptRun[]> {
  const runs: ScriptRun[] = [];
  const play = async (place: Place, episode: Episode, steps: readonly StepResult[]): Promise<void> => {
    for (const index of place.ends) {
      runs[index] = await endedRun(episode.fork(), steps, scripts[index]?.length ?? 0);
    }
    for (const [action, after] of place.next) {
      const fork = episode.fork();
      if (fork.done) {
        // the rest is never played, and what ends below ends here
        for (const index of endsBelow(after)) {
          runs[index] = await endedRun(fork, steps, scripts[index]?.length ?? 0);
        }
      } else await play(after, fork, [...steps, await fork.step(action)]);
    }
  };
  await play(joined(scripts), opened, []);
  return runs;
}

function joined(scripts: readonly (readonly string[])[]): Place {
  const root: Place = { next: new Map(), ends: [] };
  for (const [index, script] of scripts.entries()) {
    let at = root;
    for (const action of script) {
      const after = at.next.get(action) ?? { next: new Map(), ends: [] };
      at.next.set(action, after);
      at = after;
    }
    at.ends.push(index);
  }
  return root;
}

function endsBelow(place: Place): number[] {
  return [...place.ends, ...[...place.next.values()].flatMap(endsBelow)];
}
