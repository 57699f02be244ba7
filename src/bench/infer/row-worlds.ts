/**
 * Which world an engine predicts a row in: the file that the row names, beside its data, or one for all.
 *
 * A row of our own making has `world`, a path below the folder of its data. A row without one is abstained by an
 * engine: a machine or service with made-up contents would give made-up answers. A path that leaves the folder is
 * refused. Worlds are loaded once.
 */
import { existsSync } from 'node:fs';
import { isAbsolute, join, normalize, sep } from 'node:path';
import type { WorldModel } from '../../core/index.js';
import { createEngineWorldModel, type EpisodeOptions } from '../../sim/index.js';
import { loadWorldFile, type World } from '../../worlds/index.js';
import type { WorldModelOf } from './row-predictor.js';

/** Where worlds come from. */
export interface RowWorldOptions {
  /** Folders of the data, in which the worlds that rows name are looked for. */
  readonly folders: readonly string[];
  /** For rows that name none. */
  readonly world?: World;
  /** Route, model and seed. */
  readonly episode?: EpisodeOptions;
}

type Found = WorldModel | { readonly abstains: string };

/** Makes the function that gives each row's world model. */
export function worldsOfRows(options: RowWorldOptions): WorldModelOf {
  const loaded = new Map<string, Found>();
  const fallback = options.world === undefined ? undefined : open(options.world, options);
  return async (row) => {
    const { world } = row.raw;
    if (typeof world !== 'string') {
      return fallback ?? { abstains: 'the row names no world; --world gives one for all such rows' };
    }
    const known = loaded.get(world) ?? load(world, options);
    loaded.set(world, known);
    return known;
  };
}

function load(name: string, options: RowWorldOptions): Found {
  const path = normalize(name);
  if (isAbsolute(path) || path === '..' || path.startsWith(`..${sep}`)) {
    return { abstains: `its world ${name} lies outside the folder of the data` };
  }
  const place = options.folders.map((folder) => join(folder, path)).find((one) => existsSync(one));
  if (place === undefined) return { abstains: `its world ${name} is not beside the data` };
  const read = loadWorldFile(place);
  if (!read.ok) return { abstains: `its world ${name} cannot be loaded: ${read.error.message}` };
  return open(read.value, options);
}

function open(world: World, { episode }: RowWorldOptions): Found {
  try {
    return createEngineWorldModel(world, episode);
  } catch (error) {
    return { abstains: error instanceof Error ? error.message : String(error) };
  }
}
