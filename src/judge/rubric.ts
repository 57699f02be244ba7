/**
 * The rubric: five dimensions, each graded 1 to 5, and how grades become a total and points.
 *
 * Source: AgentWorldBench (arXiv 2606.24597, benchmark section). The total is only ever the mean of all five; a
 * missing dimension is no total.
 */

/** The five dimensions in the published order. */
export const DIMENSIONS = ['format', 'factuality', 'consistency', 'realism', 'quality'] as const;

/** One of {@link DIMENSIONS}. */
export type Dimension = (typeof DIMENSIONS)[number];

/** The lowest grade: meets nothing of a dimension. */
export const LOWEST_GRADE = 1;
/** The highest grade. */
export const HIGHEST_GRADE = 5;

/** One integer grade, 1–5, per dimension. */
export type Grades = Readonly<Record<Dimension, number>>;

/** What each dimension asks of a prediction, one sentence each; the same for every kind of judge. */
export const DIMENSION_QUESTIONS: Readonly<Record<Dimension, string>> = {
  format: 'Does it have the form that this environment gives: layout, fields, markers, escapes, lengths?',
  factuality:
    'Is what follows from the action and the state right, value by value, against the real observation?',
  consistency: 'Does it agree with the earlier turns: what was written, deleted, moved, entered before?',
  realism: 'Could a real environment have said this, with its own words, order, errors and omissions?',
  quality: 'Would an agent that acts on it go on as it would after the real observation?',
};

/** The mean of the five grades, 1–5. */
export function totalGrade(grades: Grades): number {
  return DIMENSIONS.reduce((sum, dimension) => sum + grades[dimension], 0) / DIMENSIONS.length;
}
