/**
 * What may vary in a world that does not say so, tried out: each inferred axis alone, in a few children.
 *
 * An axis whose children fail their checks (rows that a verifier counts in a way of its own, a date in words) is
 * left out, so that the children of a whole expansion are mostly good. The trials have seeds of their own.
 */
import { ExpandSchema, type ExpandSpec, type World } from '../../worlds/index.js';
import { checkChild } from './check-child.js';
import { ChildWriter } from './child-text.js';
import { ExpansionFault } from './fill-template.js';
import { inferExpand } from './infer-expand.js';
import { makeChild, prepareSeed } from './make-child.js';

const TRIALS = 2;
const TRIAL_SEED = 1_000_003;

/** The inferred axes of a world that hold in every trial. */
export async function triedExpand(world: World, facts: readonly string[]): Promise<ExpandSpec> {
  const all = inferExpand(world);
  const counts = Object.fromEntries(
    Object.entries(all.params).filter(([, { value }]) => value !== undefined),
  );
  const kept: ExpandSpec[] = [];
  for (const axis of axesOf(all)) {
    const alone = ExpandSchema.parse({ ...axis, params: { ...counts, ...axis.params } });
    if (await holdsAlone(world, alone, facts)) kept.push(alone);
  }
  const shift = kept.map((one) => one.shift).find((one) => one !== undefined);
  return ExpandSchema.parse({
    params: Object.assign({}, counts, ...kept.map(({ params }) => params)),
    rows: kept.flatMap(({ rows }) => rows),
    renumber: kept.flatMap(({ renumber }) => renumber),
    ...(shift !== undefined && { shift }),
  });
}

/** The parts that can be tried alone: each collection's rows and ids, the shift, the names. */
function axesOf(all: ExpandSpec): Partial<ExpandSpec>[] {
  const named = Object.entries(all.params).filter(
    ([, { is, make }]) => is !== undefined && make !== undefined,
  );
  return [
    ...named.map(([name, param]) => ({ params: { [name]: param } })),
    ...all.rows.map((rows) => {
      const param = typeof rows.count === 'string' ? all.params[rows.count] : undefined;
      return { rows: [rows], params: param === undefined ? {} : { [String(rows.count)]: param } };
    }),
    ...all.renumber.map((collection) => ({ renumber: [collection] })),
    ...(all.shift === undefined ? [] : [{ shift: all.shift }]),
  ];
}

async function holdsAlone(world: World, expand: ExpandSpec, facts: readonly string[]): Promise<boolean> {
  const seedWorld = prepareSeed(world, expand, false);
  const writer = new ChildWriter();
  for (let candidate = 0; candidate < TRIALS; candidate++) {
    try {
      const { file } = await makeChild(seedWorld, { seed: TRIAL_SEED, candidate });
      if (
        !(
          await checkChild(writer.write(file), {
            tools: world.spec?.tools ?? [],
            facts,
            secondLife: false,
            randomEpisodes: 0,
          })
        ).kept
      )
        return false;
    } catch (error) {
      if (!(error instanceof ExpansionFault)) throw error;
      return false;
    }
  }
  return true;
}
