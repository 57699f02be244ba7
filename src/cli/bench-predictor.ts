/**
 * The predictor that --model, --route and --world of `bench infer` name, with the facts that decide what it says.
 */

import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  createPacer,
  createRowPredictor,
  type RowPredictor,
  type WorldModelOf,
  watchModel,
  worldsOfRows,
} from '../bench/index.js';
import { type JsonObject, type LanguageModel, UsageError, type WorldModel } from '../core/index.js';
import type { SpendMeter } from '../model/index.js';
import { createLanguageWorldModel, createRecordingWorldModel, type Route } from '../sim/index.js';
import { numberFlag, paceOf } from './bench-options.js';
import { type FlagValues, integerFlag, textFlag } from './command.js';
import { findPlayable } from './find-playable.js';
import { packageVersion } from './package-files.js';
import { type ChosenModel, chooseModel } from './play/model-spec.js';

/** A predictor and what decides its predictions. */
export interface ChosenPredictor {
  readonly predictor: RowPredictor;
  readonly facts: JsonObject;
}

const TEMPERATURE = 0.6;
const MAX_TOKENS = 32_768;
const REPLY_SECONDS = 3_600;

/** Chooses the predictor. Raises what the model and the world raise. */
export async function choosePredictor(
  flags: FlagValues,
  data: readonly string[],
  meter: SpendMeter,
): Promise<ChosenPredictor> {
  const spec = textFlag(flags, 'model') ?? 'engine';
  const totalMs = (integerFlag(flags, 'timeout') ?? REPLY_SECONDS) * 1000;
  const chosen = await chooseModel(spec, {}, { meter, limits: { totalMs, headersMs: totalMs } });
  if (chosen.kind === 'recording') return recorded(chosen, spec);
  const route = routeOf(chosen, textFlag(flags, 'route'));
  const seed = integerFlag(flags, 'seed');
  const model = chosen.kind === 'language' ? watchModel(chosen.model, createPacer(paceOf(flags))) : undefined;
  const name = chosen.kind === 'language' ? chosen.model.name : spec;
  const facts: JsonObject = { model: name, route, ...(seed !== undefined && { seed }) };
  if (route === 'model' && model !== undefined) return alone(model, flags, facts);
  return inWorlds({ flags, data, route, model, facts: { ...facts, engine: packageVersion() } });
}

function routeOf(chosen: ChosenModel, route: string | undefined): Route {
  if (chosen.kind !== 'language') {
    if (route === 'model') {
      throw new UsageError('--route model needs a model that answers: add --model MODEL@BASE_URL', {
        code: 'usage/bad-argument',
      });
    }
    return 'engine';
  }
  return (route as Route | undefined) ?? 'model';
}

function alone(model: LanguageModel, flags: FlagValues, facts: JsonObject): ChosenPredictor {
  const seed = integerFlag(flags, 'seed');
  const sampling = {
    temperature: numberFlag(flags, 'temperature') ?? TEMPERATURE,
    maxTokens: integerFlag(flags, 'max-tokens') ?? MAX_TOKENS,
    ...(seed !== undefined && { seed }),
  };
  const world = createLanguageWorldModel(model, sampling);
  return {
    predictor: createRowPredictor(world.name, async () => world),
    facts: { ...facts, ...sampling },
  };
}

async function inWorlds(of: {
  readonly flags: FlagValues;
  readonly data: readonly string[];
  readonly route: Route;
  readonly model: LanguageModel | undefined;
  readonly facts: JsonObject;
}): Promise<ChosenPredictor> {
  const { flags, data, route, model, facts } = of;
  const name = textFlag(flags, 'world');
  const found = name === undefined ? undefined : await findPlayable(name);
  if (found?.ok === false) throw found.error;
  const world = found?.value;
  const seed = integerFlag(flags, 'seed');
  const worldOf = worldsOfRows({
    folders: [...new Set(data.map((path) => (statSync(path).isDirectory() ? path : dirname(path))))],
    ...(world !== undefined && { world }),
    episode: {
      route,
      ...(seed !== undefined && { seed }),
      ...(model !== undefined && route !== 'engine' && { model }),
    },
  });
  return {
    predictor: createRowPredictor(route, worldOf, { plain: true }),
    facts: { ...facts, ...(world !== undefined && { world: world.hash }) },
  };
}

function recorded(chosen: Extract<ChosenModel, { kind: 'recording' }>, spec: string): ChosenPredictor {
  const byDomain = new Map<string, WorldModel>();
  for (const domain of new Set(chosen.trajectories.map((one) => one.domain))) {
    const own = chosen.trajectories.filter((one) => one.domain === domain);
    byDomain.set(domain, createRecordingWorldModel(own, { name: chosen.name }));
  }
  const worldOf: WorldModelOf = async (row) =>
    byDomain.get(row.domain) ?? { abstains: `the recording holds nothing of the domain ${row.domain}` };
  return {
    predictor: createRowPredictor(chosen.name, worldOf, { plain: true }),
    facts: { model: spec, route: 'recording' },
  };
}
