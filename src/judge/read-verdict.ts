/**
 * Reads a judge's reply: five grades, or why there are none.
 *
 * The last `<final_evaluation>` outside thinking counts; without one, the JSON of the reply. Strict JSON first, repair
 * that leaves strings alone second, and a repaired reading says so. A missing dimension, another scale and a grade
 * off the scale are failures, never clamped, never left out of the mean. A fraction between 1 and 5 is rounded half to
 * even, as the published evaluation does, and noted. Source: hard cases P-OUT-4 and P-OUT-5.
 */
import {
  type FinishReason,
  fail,
  isJsonObject,
  type Json,
  type JsonObject,
  ok,
  type Result,
  readJson,
  readTagged,
  renderJson,
} from '../core/index.js';
import {
  DIMENSIONS,
  type Dimension,
  type Grades,
  HIGHEST_GRADE,
  LOWEST_GRADE,
  totalGrade,
} from './rubric.js';
import type { JudgeRemarks } from './verdict.js';

/** Changes when the same reply may be read otherwise. */
export const VERDICT_PARSER_VERSION = '1';

/** The tag that holds a verdict. */
export const VERDICT_TAG = 'final_evaluation';

/** A verdict that was read. */
export interface VerdictReading extends JudgeRemarks {
  readonly grades: Grades;
  /** The mean of the five, 1–5. */
  readonly total: number;
  readonly repaired: boolean;
  /** Grades that were rounded, one sentence each. */
  readonly notes: readonly string[];
}

/** Why a reply is no verdict. */
export interface VerdictFailure {
  readonly cause:
    | 'empty'
    | 'truncated'
    | 'no-verdict'
    | 'broken-json'
    | 'missing-dimension'
    | 'unreadable-grade'
    | 'wrong-scale'
    | 'out-of-range';
  /** One sentence that names the dimension and the value seen. */
  readonly message: string;
  /** What it said beside the grades, where that could be read. */
  readonly remarks: JudgeRemarks | null;
  readonly repaired: boolean;
}

/** How to read. */
export interface ReadVerdictOptions {
  /** Why the reply ended; leave it out where nobody knows. */
  readonly finishReason?: FinishReason;
  /** The tag looked for; default {@link VERDICT_TAG}. Where given, a reply without it is no verdict. */
  readonly tag?: string;
}

/** Reads a whole reply. Never throws. */
export function readVerdict(
  text: string,
  options: ReadVerdictOptions = {},
): Result<VerdictReading, VerdictFailure> {
  const nothing = (cause: VerdictFailure['cause'], message: string) =>
    fail({ cause, message, remarks: null, repaired: false });
  if (text.trim() === '') return nothing('empty', 'the reply is empty');
  if (options.finishReason === 'length')
    return nothing('truncated', 'the reply was cut off at its limit of tokens');
  const tag = options.tag ?? VERDICT_TAG;
  const tagged = readTagged(text, tag);
  if (tagged.block === null && tagged.unclosedThinking) {
    return nothing('truncated', 'the reply ends inside its thinking');
  }
  if (tagged.block === null && options.tag !== undefined) {
    return nothing('no-verdict', `the reply has no block <${tag}>`);
  }
  const read = readJson(tagged.block ?? tagged.rest, { accept: holdsScores });
  if (!read.ok) {
    const isBroken = /broken/.test(read.error.reason);
    return nothing(isBroken ? 'broken-json' : 'no-verdict', read.error.reason);
  }
  const object = read.value.value as JsonObject;
  return gradesOf(object.scores as JsonObject, {
    remarks: { strengths: remarksOf(object.strengths), weaknesses: remarksOf(object.weaknesses) },
    repaired: read.value.repaired,
  });
}

function holdsScores(value: Json): boolean {
  return isJsonObject(value) && isJsonObject(value.scores);
}

/** A list of remarks; one text counts as a list of one, and what is no text is shown as JSON. */
function remarksOf(value: Json | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return list.map((one) => (typeof one === 'string' ? one : renderJson(one)));
}

function gradesOf(
  scores: JsonObject,
  about: { readonly remarks: JudgeRemarks; readonly repaired: boolean },
): Result<VerdictReading, VerdictFailure> {
  const grades: Partial<Record<Dimension, number>> = {};
  const notes: string[] = [];
  const failures: Pick<VerdictFailure, 'cause' | 'message'>[] = [];
  for (const dimension of DIMENSIONS) {
    const read = gradeOf(seenFor(scores, dimension));
    if (!read.ok) {
      const { cause, seen } = read.error;
      failures.push({ cause, message: `${FAILURE_WORDS[cause]} ${dimension}${seen}` });
      continue;
    }
    grades[dimension] = read.value.grade;
    if (read.value.rounded !== undefined) {
      notes.push(`${dimension} ${read.value.rounded} was rounded to ${read.value.grade}`);
    }
  }
  const [first] = SERIOUS_FIRST.flatMap((cause) => failures.filter((one) => one.cause === cause));
  if (first !== undefined) {
    const message = failures.map((one) => one.message).join('; ');
    return fail({ cause: first.cause, message, ...about });
  }
  const full = grades as Grades;
  return ok({ grades: full, total: totalGrade(full), ...about.remarks, repaired: about.repaired, notes });
}

type GradeCause = 'missing-dimension' | 'unreadable-grade' | 'wrong-scale' | 'out-of-range';

const SERIOUS_FIRST: readonly GradeCause[] = [
  'wrong-scale',
  'out-of-range',
  'missing-dimension',
  'unreadable-grade',
];

const FAILURE_WORDS: Readonly<Record<GradeCause, string>> = {
  'missing-dimension': 'missing',
  'unreadable-grade': 'unreadable',
  'wrong-scale': 'wrong scale:',
  'out-of-range': 'out of range:',
};

/** A dimension's value under its name in any case; two different values under one name are none. */
function seenFor(scores: JsonObject, dimension: Dimension): Json | undefined {
  const values = Object.keys(scores)
    .filter((key) => key.trim().toLowerCase() === dimension)
    .map((key) => scores[key] as Json);
  const [first] = values;
  if (values.every((value) => renderJson(value) === renderJson(first ?? null))) return first;
  return values.map((value) => renderJson(value)).join(' and ');
}

interface Grade {
  readonly grade: number;
  /** The fraction as it stood, where it was rounded. */
  readonly rounded?: string;
}

const NUMBER = '[+-]?\\d{1,9}(?:\\.\\d{1,9})?';
const GRADE_TEXT = new RegExp(`^(${NUMBER})(?:\\s*(?:/|out of|of)\\s*(${NUMBER}))?$`, 'i');

/** One grade: a number, its text, `N/5` or `N out of 5`. */
function gradeOf(
  value: Json | undefined,
): Result<Grade, { readonly cause: GradeCause; readonly seen: string }> {
  const wrong = (cause: GradeCause) =>
    fail({
      cause,
      seen:
        cause === 'missing-dimension' ? '' : ` is ${renderJson(value ?? null).slice(0, 60)}${HINT[cause]}`,
    });
  if (value === undefined || value === null || value === '') return wrong('missing-dimension');
  const [, digits, scale] =
    typeof value === 'string'
      ? (GRADE_TEXT.exec(value.trim()) ?? [])
      : typeof value === 'number' || typeof value === 'bigint'
        ? ['', String(value)]
        : [];
  if (digits === undefined) return wrong('unreadable-grade');
  if (scale !== undefined && Number(scale) !== HIGHEST_GRADE) return wrong('wrong-scale');
  const number = Number(digits);
  if (!(number >= LOWEST_GRADE && number <= HIGHEST_GRADE)) return wrong('out-of-range');
  const grade = halfToEven(number);
  return ok(grade === number ? { grade } : { grade, rounded: digits });
}

const HINT: Readonly<Record<GradeCause, string>> = {
  'missing-dimension': '',
  'unreadable-grade': ', wanted a whole number from 1 to 5',
  'wrong-scale': ', wanted a grade from 1 to 5',
  'out-of-range': ', wanted 1 to 5',
};

/** The nearest whole number; of two equally near ones the even one. */
function halfToEven(number: number): number {
  const low = Math.floor(number);
  const rest = number - low;
  if (rest !== 0.5) return Math.round(number);
  return low % 2 === 0 ? low : low + 1;
}
