/**
 * How things are measured: alternating runs, medians, ratios; one line per result.
 *
 * Two things that are compared are run in turn (A B A B …), so that a slow minute of the machine hits both. A result
 * is `{ name, value, unit, against?, ratio?, limit?, holds? }`; a limit is what the project promises.
 */

/** The middle value; the mean of the two middle ones for an even count. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Milliseconds that a function (sync or async) takes. */
export async function timeMs(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Runs both `rounds` times in turn after one warm-up each, and gives the medians in milliseconds. */
export async function alternate(first, second, rounds) {
  const times = [[], []];
  await first();
  await second();
  for (let round = 0; round < rounds; round++) {
    times[0].push(await timeMs(first));
    times[1].push(await timeMs(second));
  }
  return times.map(median);
}

/** A result with a promise: `most` bounds the value (or ratio) from above, `least` from below. */
export function judged(result, { most, least }) {
  const seen = result.ratio ?? result.value;
  const holds = (most === undefined || seen <= most) && (least === undefined || seen >= least);
  return { ...result, limit: most === undefined ? `≥ ${least}` : `≤ ${most}`, holds };
}

/** One row of the Markdown table. */
export function row({ name, value, unit, against = '', ratio, limit = '', holds }) {
  const shown = (number) =>
    number === undefined ? '' : Number(number.toPrecision(3)).toLocaleString('en-US');
  const verdict = holds === undefined ? '' : holds ? 'yes' : '**no**';
  return `| ${name} | ${shown(value)} ${unit} | ${against} | ${shown(ratio)} | ${limit} | ${verdict} |`;
}
