/**
 * From differences to the five grades, each with its reasons.
 *
 * A share of 1 is grade 5; the least fault costs one grade, so that one wrong digit shows; the steps below are fixed
 * and the same for every domain. Findings that decide by themselves (a stale copy, a failure told as a success, words to
 * the judge) set an upper bound. Every grade below 5 has at least one reason.
 */
import { DIMENSIONS, type Dimension, type Grades, HIGHEST_GRADE, LOWEST_GRADE } from '../rubric.js';
import type { JudgeReason } from '../verdict.js';
import type { Differences, UnitFault } from './compare-observations.js';

/** Grades with their reasons. */
export interface GradedDifferences {
  readonly grades: Grades;
  readonly reasons: readonly JudgeReason[];
}

/** Least share for grades 4, 3 and 2. */
const STEPS = [0.9, 0.65, 0.3] as const;
/** Below this share of right content nothing else can be good. */
const HARDLY = 0.1;
/** Faults that are quoted per dimension. */
const QUOTED = 3;

/** Grades the differences of one prediction; null for a prediction that equals the real observation. */
export function gradeDifferences(found: Differences | null): GradedDifferences {
  const sheet = new GradeSheet();
  if (found === null) return sheet.done();
  gradeForm(sheet, found);
  gradeFacts(sheet, found);
  gradeConsistency(sheet, found);
  gradeRealism(sheet, found);
  gradeQuality(sheet, found);
  if (found.units > 0 && found.right < HARDLY) {
    for (const dimension of ['consistency', 'realism'] as const) {
      sheet.atMost(
        dimension,
        2,
        `hardly anything of the real observation is there (${percent(found.right)})`,
      );
    }
  }
  return sheet.done();
}

class GradeSheet {
  private readonly grades = new Map<Dimension, number>(DIMENSIONS.map((one) => [one, HIGHEST_GRADE]));
  private readonly reasons: JudgeReason[] = [];

  /** Lowers a dimension to a share's grade, with the reason. A share of 1 says nothing. */
  share(dimension: Dimension, share: number, text: string): void {
    if (share >= 1) return;
    const below = STEPS.filter((least) => share < least).length;
    this.atMost(dimension, HIGHEST_GRADE - 1 - below, text);
  }

  /** Lowers a dimension to at most this grade, with the reason. */
  atMost(dimension: Dimension, grade: number, text: string): void {
    const now = this.grades.get(dimension) ?? HIGHEST_GRADE;
    this.grades.set(dimension, Math.max(LOWEST_GRADE, Math.min(now, grade)));
    this.reasons.push({ dimension, text });
  }

  done(): GradedDifferences {
    return { grades: Object.fromEntries(this.grades) as Grades, reasons: this.reasons };
  }
}

const percent = (share: number): string => `${Math.floor(share * 100)} %`;

function quoted(faults: readonly UnitFault[]): string {
  const show = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}…` : text);
  const shown = faults.slice(0, QUOTED).map(({ what, real, said }) => {
    if (what === 'missing') return `missing ${show(real)}`;
    if (real === '') return `${what} ${show(said)}`;
    return `${show(said)} for ${show(real)}`;
  });
  const more = faults.length > QUOTED ? `, and ${faults.length - QUOTED} more` : '';
  return `${shown.join('; ')}${more}`;
}

function gradeForm(sheet: GradeSheet, { structure, unreadable, around, foreign, faults }: Differences): void {
  if (around !== null && around !== '') {
    sheet.atMost('format', 2, `text around the value: ${JSON.stringify(around.slice(0, 80))}`);
  }
  sheet.share('format', structure, `${percent(structure)} of the structure is as in the real observation`);
  if (unreadable > 0) {
    sheet.atMost(
      'format',
      unreadable > 3 ? 2 : 3,
      `${unreadable} places cannot be read in this domain's form`,
    );
  }
  if (foreign.length > 0) sheet.atMost('format', 4, `text around the observation: ${foreign[0]?.what}`);
  const moved = faults.filter(({ what }) => what === 'moved');
  if (moved.length > 0) sheet.atMost('format', 4, `in another order: ${quoted(moved)}`);
}

function gradeFacts(sheet: GradeSheet, { right, faults, outcome, isStale }: Differences): void {
  const wrong = faults.filter(({ what }) => what !== 'metadata' && what !== 'moved');
  const text = `${percent(right)} of the content is right: ${quoted(wrong)}`;
  if (wrong.length > 0) sheet.share('factuality', Math.min(right, 0.999), text);
  if (tellsOtherwise(outcome)) {
    sheet.atMost(
      'factuality',
      2,
      `the real outcome is ${outcomeText(outcome.real)}, predicted ${outcomeText(outcome.said)}`,
    );
  }
  if (isStale) sheet.atMost('factuality', 2, 'it is the observation before, unchanged');
}

function gradeConsistency(sheet: GradeSheet, { kept, faults, isStale }: Differences): void {
  if (isStale)
    sheet.atMost('consistency', 1, 'it repeats the observation before although the action changed it');
  const stale = faults.filter(({ what }) => what === 'stale');
  if (stale.length > 0) {
    sheet.atMost('consistency', stale.length > 2 ? 2 : 3, `as it was before the action: ${quoted(stale)}`);
  }
  if (kept !== null && kept < 1) {
    sheet.share('consistency', kept, `${percent(kept)} of what should have stayed as before did`);
  }
}

function gradeRealism(sheet: GradeSheet, { invented, foreign, faults, outcome }: Differences): void {
  const extra = faults.filter(({ what }) => what === 'extra');
  if (extra.length > 0) {
    sheet.share('realism', Math.min(0.999, 1 - invented), `not in the real observation: ${quoted(extra)}`);
  }
  for (const { what, words } of foreign) sheet.atMost('realism', 1, `${what}: ${JSON.stringify(words)}`);
  const odd = faults.filter(({ what }) => what === 'metadata');
  if (odd.length > 0) sheet.atMost('realism', 4, `times or ids of another form: ${quoted(odd)}`);
  if (tellsOtherwise(outcome))
    sheet.atMost('realism', 3, 'it tells of another outcome than the environment did');
}

function gradeQuality(sheet: GradeSheet, { right, news, outcome, isStale, foreign }: Differences): void {
  const overall = news === null ? right : Math.min(right, news);
  sheet.share('quality', overall, `${percent(overall)} of what an agent goes by is right`);
  if (tellsOtherwise(outcome)) sheet.atMost('quality', 2, 'an agent would go on from the wrong outcome');
  if (isStale) sheet.atMost('quality', 1, 'an agent would see that nothing happened');
  if (foreign.length > 0) sheet.atMost('quality', 3, 'an agent would read words that no environment says');
}

/** A failure told as something else or the other way round, or another exit code or HTTP status. */
function tellsOtherwise({ real, said }: Differences['outcome']): boolean {
  const failed = real.outcome === 'failure';
  if (failed !== (said.outcome === 'failure')) return true;
  return real.code !== null && real.code !== said.code;
}

function outcomeText({ outcome, code }: Differences['outcome']['real']): string {
  return code === null ? outcome : `${outcome} (${code})`;
}
