/**
 * Room `worlds`: world files, their schema, loading with exact errors, and the catalogue.
 *
 * Loading reads files; nothing here runs a world.
 */

export { type CheckedFile, readCheckedFile } from './checked-file.js';
export {
  type AddRowsSpec,
  type ChangeRowsSpec,
  type DropRowsSpec,
  ExpandSchema,
  type ExpandSpec,
  type GoalSpec,
  type MakerSpec,
  NAME_SCRIPTS,
  type ParamSpec,
} from './expand-spec.js';
export {
  catalogueDirectory,
  type FindOptions,
  findWorld,
  listWorlds,
  type WorldEntry,
} from './find-world.js';
export { idleFaults } from './idle-faults.js';
export { fileJsonSchema, worldJsonSchema } from './json-schema.js';
export { type LoadOptions, loadWorld, loadWorldFile } from './load-world.js';
export { DEFAULT_CLOCK, type McpState, McpStateSchema } from './mcp-state.js';
export { type PromptWorldOptions, worldFromPrompt } from './prompt-world.js';
export type { RecordedCall } from './recorded-calls.js';
export { type Position, parseSource, type SourceDocument } from './source-document.js';
export type { Script, World } from './world.js';
export {
  type Fact,
  WORLD_VERSION,
  type WorldFile,
  WorldFileSchema,
  type WorldRule,
} from './world-file.js';
export { renderProblem, type WorldProblem } from './world-problem.js';
export type { ScriptAction, WrongScript } from './wrong-scripts.js';
