/**
 * How often the 95 % intervals of `bench score` and `bench compare` hold the true mean, by simulation.
 *
 * Usage: npm run build && node perf/interval-coverage.mjs [RUNS] [TRAJECTORIES] [PATTERN]. Prints a Markdown table; the
 * exit code is 1 where a line leaves 95 ± 2 %. Trajectories have 1, 1 to 5 or 1 to 20 rows, whose grades hang together
 * by an effect of the trajectory. True means are of 400,000 trajectories of one row each. A line of 1,000 runs is itself known to ± 1.4 %.
 */
import { clusteredMeans, compareBenchRuns } from '../dist/bench/index.js';
import { randomStream } from '../dist/core/index.js';

const [runs = 1_000, clusters = 50] = process.argv.slice(2, 4).map(Number);
const pattern = new RegExp(process.argv[4] ?? '.');

const normal = (random) =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
const between = (value) => Math.max(0, Math.min(100, value));
const grade = (value) => between(Math.round(value / 25) * 25);

/** Points of one row, given the stream and the effect of its trajectory (standard normal). */
const KINDS = {
  continuous: (random, effect) => between(60 + 12 * effect + 12 * normal(random)),
  'skewed down': (random, effect) => between(100 - 10 * Math.exp(0.6 * effect + 0.6 * normal(random))),
  'skewed up': (random, effect) => between(10 * Math.exp(0.6 * effect + 0.6 * normal(random))),
  'five grades': (random, effect) => grade(70 + 15 * effect + 20 * normal(random)),
  'mean of five grades': (random, effect) => {
    let sum = 0;
    for (let i = 0; i < 5; i++) sum += grade(70 + 15 * effect + 20 * normal(random));
    return sum / 5;
  },
  'near the ceiling': (random, effect) =>
    between(Math.round((97 + 8 * effect + 10 * normal(random)) / 5) * 5),
  'near the floor': (random, effect) => between(Math.round((3 + 8 * effect + 10 * normal(random)) / 5) * 5),
};
const SIZES = {
  1: () => 1,
  '1–5': (random) => random.integer(1, 5),
  '1–20': (random) => random.integer(1, 20),
};
const SHARES = { '1 in 50': 0.02, '1 in 20': 0.05, '1 in 5': 0.2 };

/** Cases: what rows are like, and who fails how often; `of` gives the points of one side, or of both. */
function* cases() {
  for (const [size, sizeOf] of Object.entries(SIZES)) {
    for (const [kind, points] of Object.entries(KINDS)) {
      yield { title: `${kind}, no failures`, size, sizeOf, of: points };
      for (const [words, share] of Object.entries(SHARES)) {
        if (kind.startsWith('skewed') || kind === 'near the floor') continue;
        const failing = (random, effect) => (random.chance(share) ? 0 : points(random, effect));
        yield { title: `${kind}, rows fail ${words}`, size, sizeOf, of: failing };
        if (size !== '1')
          yield { title: `${kind}, trajectories fail ${words}`, size, sizeOf, of: points, share };
      }
    }
    const pair = (first, second) => (random, effect) => [first(random, effect), second(random, effect)];
    const five = KINDS['mean of five grades'];
    const failing = (points, share) => (random, effect) =>
      random.chance(share) ? 0 : points(random, effect);
    const mostly = (random, effect) => {
      const first = five(random, effect);
      return [first, random.chance(0.15) ? five(random, effect) : first];
    };
    yield { title: 'two runs, continuous', size, sizeOf, of: pair(KINDS.continuous, KINDS.continuous) };
    yield { title: 'two runs, mean of five grades', size, sizeOf, of: pair(five, five) };
    yield { title: 'two runs, 85 % of rows equal', size, sizeOf, of: mostly };
    for (const [words, share] of Object.entries(SHARES)) {
      yield {
        title: `two runs, the second fails ${words}`,
        size,
        sizeOf,
        of: pair(five, failing(five, share)),
      };
      const high = failing(KINDS['near the ceiling'], share);
      yield { title: `two runs near the ceiling, both fail ${words}`, size, sizeOf, of: pair(high, high) };
    }
  }
}

const pointsOf = (points) => (Array.isArray(points) ? points[1] - points[0] : points);

function truthOf({ title, of, share = 0 }) {
  const random = randomStream(1, 'truth', title);
  let sum = 0;
  for (let i = 0; i < 400_000; i++) sum += pointsOf(of(random, normal(random)));
  return (sum / 400_000) * (1 - share);
}

function draw({ title, size, sizeOf, of, share = 0 }, seed) {
  const random = randomStream(seed, title, size);
  const drawn = { clusters: [], points: [] };
  for (let cluster = 0; cluster < clusters; cluster++) {
    const effect = normal(random);
    const isBad = random.chance(share);
    for (let left = sizeOf(random); left > 0; left--) {
      drawn.clusters.push(cluster);
      const points = of(random, effect);
      drawn.points.push(isBad ? 0 : points);
    }
  }
  return drawn;
}

function intervalOf({ clusters: ids, points }, seed) {
  if (!Array.isArray(points[0])) {
    return clusteredMeans([{ clusters: ids, count: clusters, values: [points] }], {
      seed,
      replicates: 1_000,
    })[0];
  }
  const side = (i) =>
    points.map((both, row) => ({
      key: String(row),
      trajectory: String(ids[row]),
      domain: 'mcp',
      status: 'scored',
      points: [both[i]],
      kinds: null,
      stamp: 's',
    }));
  return compareBenchRuns(side(0), side(1), { seed }).overall;
}

console.log(
  '| points of a row | rows of a trajectory | holds the true mean | missed below, above | mean width |',
);
console.log('|---|--:|--:|--:|--:|');
let outside = 0;
for (const one of cases()) {
  if (!pattern.test(`${one.title} ${one.size}`)) continue;
  const truth = truthOf(one);
  let [under, over, width] = [0, 0, 0];
  for (let seed = 0; seed < runs; seed++) {
    const [low, high] = intervalOf(draw(one, seed), seed).interval;
    if (truth < low) under += 1;
    if (truth > high) over += 1;
    width += (high - low) / runs;
  }
  const percent = (count) => ((count / runs) * 100).toFixed(1);
  const held = 100 - ((under + over) / runs) * 100;
  const isOff = Math.abs(held - 95) > 2;
  if (isOff) outside += 1;
  console.log(
    `| ${one.title} | ${one.size} | ${held.toFixed(1)} %${isOff ? ' (off)' : ''} | ${percent(under)}, ${percent(over)} % | ${width.toFixed(1)} |`,
  );
}
console.log(`\n${outside} lines leave 95 ± 2 %.`);
process.exitCode = outside > 0 ? 1 : 0;
