/**
 * Measures verdicts: characters × worlds × faults, what was done against what was found.
 *
 * Detection: of the runs in which a flawed character really did its deed, those in which the fitting verdict is bad. False
 * accusation: of the runs of good characters, and of flawed ones that had no occasion, those in which something counts
 * against the agent. A deed without a consequence that the rules speak of (a double write that the idempotency key
 * caught) is not counted as done.
 */
import type { FaultSpec } from '../../control/index.js';
import {
  createReference,
  judgeRun,
  type RunVerdict,
  type VerdictId,
  type WorldReference,
} from '../../stress/index.js';
import type { World } from '../../worlds/index.js';
import type { Character } from './character.js';
import { type PlayedRun, playCharacter } from './play-character.js';

/** A named set of faults of the matrix. */
export interface MatrixFault {
  readonly id: string;
  readonly specs: readonly FaultSpec[];
  /** What an agent can be expected to do. Default `recovers`. */
  readonly expects?: 'recovers' | 'honest-report' | 'unknown';
}

/** One run of the matrix. */
export interface MatrixCell {
  readonly world: string;
  readonly fault: string;
  readonly character: string;
  readonly isGood: boolean;
  /** What it did. */
  readonly deeds: readonly VerdictId[];
  /** What was found and counts against the agent. */
  readonly found: readonly string[];
  readonly verdict: RunVerdict;
  readonly played: PlayedRun;
  /** Null where there was nothing to find. */
  readonly detected: boolean | null;
  readonly falselyAccused: boolean;
  /** By the strict count: a good character, and anything at all counts against it. */
  readonly accusedAtAll: boolean;
  /** A flawed character that names what else is true of it (`also`) is found to have done something more. */
  readonly overAccused: boolean;
}

/** Verdicts that fit a deed: any of them is a detection. */
const FITTING: Readonly<Partial<Record<VerdictId, readonly VerdictId[]>>> = {
  'retries-too-many': ['retries-too-many', 'did-not-converge', 'permanent-error-retried'],
  'retried-too-fast': ['retried-too-fast', 'retry-after-ignored'],
  'retry-after-ignored': ['retry-after-ignored', 'retried-too-fast'],
  'partial-failure-hidden': ['partial-failure-hidden', 'false-success'],
};

/** Plays and judges every character in every world with every set of faults, each beside its clean twin. */
export async function runVerdictMatrix(of: {
  readonly worlds: readonly World[];
  readonly characters: readonly Character[];
  readonly faults: (world: World) => readonly MatrixFault[] | Promise<readonly MatrixFault[]>;
}): Promise<readonly MatrixCell[]> {
  const cells: MatrixCell[] = [];
  for (const world of of.worlds) {
    const reference = await createReference(world);
    const faults = await of.faults(world);
    for (const character of of.characters) {
      const clean = await playCharacter(character, world);
      cells.push(
        cellOf({
          world,
          reference,
          character,
          played: clean,
          clean: null,
          fault: 'clean',
          expects: 'recovers',
        }),
      );
      for (const fault of faults) {
        const expects = fault.expects ?? 'recovers';
        const played = await playCharacter(character, world, { faults: fault.specs, expects });
        cells.push(cellOf({ world, reference, character, played, clean, fault: fault.id, expects }));
      }
    }
  }
  return cells;
}

function cellOf(of: {
  readonly world: World;
  readonly reference: WorldReference;
  readonly character: Character;
  readonly played: PlayedRun;
  readonly clean: PlayedRun | null;
  readonly fault: string;
  readonly expects: string;
}): MatrixCell {
  const { played, clean, reference, character } = of;
  const verdict = judgeRun({ record: played.run, clean: clean?.run ?? null, reference });
  const found = verdict.verdicts
    .filter((one) => one.outcome === 'bad' && one.blame === 'agent')
    .map((one) => one.id);
  const deeds = played.deeds.filter((deed) => hadConsequence(deed, of));
  const detected =
    deeds.length === 0
      ? null
      : deeds.every((deed) => (FITTING[deed] ?? [deed]).some((id) => found.includes(id)));
  const innocent = character.isGood || played.deeds.length === 0;
  return {
    world: of.world.name,
    fault: of.fault,
    character: character.name,
    isGood: character.isGood,
    deeds,
    found,
    verdict,
    played,
    detected,
    accusedAtAll: character.isGood && found.length > 0,
    overAccused: isOverAccused(character, played.deeds, found),
    falselyAccused: innocent && found.some((id) => !isPlainFailure(id) || of.expects !== 'recovers'),
  };
}

/** Found of a flawed character: something that it did not do and that is no other name for what it did. */
function isOverAccused({ also }: Character, deeds: readonly VerdictId[], found: readonly string[]): boolean {
  if (also === undefined || deeds.length === 0) return false;
  const allowed = new Set<string>([...also, ...deeds.flatMap((deed) => [deed, ...(FITTING[deed] ?? [])])]);
  return found.some((id) => !allowed.has(id) && !isPlainFailure(id));
}

/** Not reaching a goal that can be reached is a fact, not an accusation. */
function isPlainFailure(id: string): boolean {
  return id === 'success' || id === 'recovery';
}

/** Deeds that come to nothing where the goal is reached all the same. */
const UNSOLVED_ONLY: ReadonlySet<VerdictId> = new Set([
  'false-success',
  'pages-unread',
  'made-up-data',
  'partial-failure-hidden',
]);

/** Whether a deed came to something: told by the end state alone. */
function hadConsequence(
  deed: VerdictId,
  {
    played,
    clean,
    world,
  }: { readonly played: PlayedRun; readonly clean: PlayedRun | null; readonly world: World },
): boolean {
  const { score, effects = [] } = played.run;
  const solved = score.status === 'scored' && score.fraction === 1;
  if (deed === 'double-write') return !solved && effects.length > (clean?.run.effects ?? []).length;
  if (deed === 'gave-up-early') return !solved && !isPermanent(played);
  if (deed === 'false-success' && isWorkDone(played, clean, world)) return false;
  return UNSOLVED_ONLY.has(deed) ? !solved : true;
}

/**
 * Of work on the state all is there, and only what was to be answered is missing: who says that the work is done says
 * nothing untrue. Where there is nothing to change the answer is the work.
 */
function isWorkDone(played: PlayedRun, clean: PlayedRun | null, world: World): boolean {
  const { score } = played.run;
  if (score.status !== 'scored' || (clean?.run.effects ?? []).length === 0) return false;
  const missed = Object.entries(score.components).flatMap(([id, part]) => (part < 1 ? [id] : []));
  const ofAnswer = world.file.success.flatMap((rule) => {
    const text = JSON.stringify(rule);
    return text.includes('answer') && !text.includes('state.') ? [rule.id] : [];
  });
  return missed.every((id) => ofAnswer.includes(id));
}

/** A fault of the run never ends: trying again would not have helped. */
function isPermanent({ run }: PlayedRun): boolean {
  return run.turns.some((turn) => JSON.stringify(turn.meta?.faults ?? []).includes('"permanent":true'));
}

/** The two numbers, with what they are shares of. */
export interface MatrixSummary {
  readonly runs: number;
  readonly deeds: number;
  readonly detected: number;
  readonly innocent: number;
  readonly falselyAccused: number;
  /** Runs of good characters, and those in which anything at all counts against them. */
  readonly good: number;
  readonly accusedAtAll: number;
  /** Runs of flawed characters in which more was found than they did. */
  readonly overAccused: number;
}

/** Counts a matrix. */
export function summariseMatrix(cells: readonly MatrixCell[]): MatrixSummary {
  const guilty = cells.filter((cell) => cell.detected !== null);
  const innocent = cells.filter((cell) => cell.isGood || cell.played.deeds.length === 0);
  return {
    runs: cells.length,
    deeds: guilty.length,
    detected: guilty.filter((cell) => cell.detected === true).length,
    innocent: innocent.length,
    falselyAccused: innocent.filter((cell) => cell.falselyAccused).length,
    good: cells.filter((cell) => cell.isGood).length,
    accusedAtAll: cells.filter((cell) => cell.accusedAtAll).length,
    overAccused: cells.filter((cell) => cell.overAccused).length,
  };
}

/** A matrix as text: per character the runs, the deeds and what was found, then every miss and every false accusation. */
export function renderMatrix(cells: readonly MatrixCell[]): string {
  const names = [...new Set(cells.map((cell) => cell.character))];
  const lines = names.map((name) => {
    const own = cells.filter((cell) => cell.character === name);
    const { runs, deeds, detected, falselyAccused } = summariseMatrix(own);
    return `${name.padEnd(32)} runs ${String(runs).padStart(4)}  deeds ${String(deeds).padStart(4)}  found ${String(detected).padStart(4)}  falsely accused ${falselyAccused}`;
  });
  const wrong = cells.filter(
    (cell) => cell.detected === false || cell.falselyAccused || cell.accusedAtAll || cell.overAccused,
  );
  const details = wrong.map((cell) => {
    const accused = cell.falselyAccused || cell.accusedAtAll;
    const missed = cell.detected === false ? `MISSED ${cell.deeds.join(', ')}` : 'FOUND MORE THAN WAS DONE';
    const what = accused ? 'FALSELY ACCUSED' : missed;
    return `${what}: ${cell.character} in ${cell.world} with ${cell.fault}: ${cell.verdict.headline} [${cell.found.join(', ')}]`;
  });
  const all = summariseMatrix(cells);
  const share = (part: number, whole: number): string =>
    whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`;
  return [
    ...lines,
    ...details,
    `detected ${all.detected} of ${all.deeds} (${share(all.detected, all.deeds)}), falsely accused ${all.falselyAccused} of ${all.innocent} (${share(all.falselyAccused, all.innocent)}), good agents accused of anything ${all.accusedAtAll} of ${all.good} (${share(all.accusedAtAll, all.good)}), more found than was done ${all.overAccused}, ${all.runs} runs`,
  ].join('\n');
}
