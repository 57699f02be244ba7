/**
 * A thousand turns with models that forget or lie: contradictions (promised: none), and what draft and guard cost.
 *
 * The count is made by a bookkeeper beside the world (`liveInTerminal`, `liveWithTools` of `umwelt/testing`), which knows
 * nothing of the guard. The cost is the ratio of the same turns on the routes `model` and `grounded`, run in turn. TURNS in the
 * environment sets the number.
 */
import {
  createForgetfulModel,
  createLyingModel,
  liveInTerminal,
  liveWithTools,
} from '../dist/testing/index.js';
import { judged, median } from './measure.mjs';

const TURNS = Number(process.env.TURNS ?? 1_000);
const MODELS = [createForgetfulModel, createLyingModel, createForgetfulModel];

async function lives(name, live) {
  const perTurn = { grounded: [], model: [] };
  let contradictions = 0;
  for (const [round, createModel] of MODELS.entries()) {
    for (const route of ['grounded', 'model']) {
      const start = performance.now();
      const report = await live({ model: createModel(), route, turns: TURNS, seed: round + 1 });
      perTurn[route].push((performance.now() - start) / TURNS);
      contradictions += report.contradictions;
      for (const example of report.examples) console.error(`${name}, ${route}: ${example}`);
    }
  }
  const [grounded, model] = [median(perTurn.grounded), median(perTurn.model)];
  const turns = TURNS * MODELS.length * 2;
  return [
    judged(
      { name: `${name}: contradictions in ${turns} turns`, value: contradictions, unit: '' },
      { most: 0 },
    ),
    {
      name: `${name}: a turn that the model says`,
      value: model,
      unit: 'ms',
      against: 'grounded',
      ratio: model / grounded,
    },
  ];
}

/** The results of this file. */
export async function measure() {
  return [...(await lives('world of tools', liveWithTools)), ...(await lives('terminal', liveInTerminal))];
}
