/**
 * Room `data`: logs of agents and services as trajectories. Importers, one file a format.
 */

export type { ImportNote } from './import/import-format.js';
export {
  type ImportOptions,
  type ImportReport,
  importFormats,
  importTrajectories,
  type TrajectoryImport,
} from './import-trajectories.js';
