/**
 * The list of choices below a line, in columns as readline lays them out.
 *
 * The slash of a folder is written but not counted in the width of a column.
 */

/** The rows, each ended; `columns` is the width of the terminal. */
export function listChoices(choices: readonly string[], columns: number): string {
  const bare = (one: string): number => (one.endsWith('/') ? one.length - 1 : one.length);
  const width = choices.reduce((most, one) => Math.max(most, bare(one)), 0) + 2;
  let perRow = Math.floor(columns / width);
  if (perRow !== 1 && perRow * width === columns) perRow -= 1;
  perRow = Math.max(1, perRow);
  const rows = Math.ceil(choices.length / perRow);
  let out = '';
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < perRow; column += 1) {
      const one = choices[row + column * rows];
      if (one === undefined) break;
      const isLast = column + 1 >= perRow || choices[row + (column + 1) * rows] === undefined;
      out += isLast ? one : one + ' '.repeat(Math.max(1, width - one.length));
    }
    out += '\n';
  }
  return out;
}
