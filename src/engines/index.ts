/**
 * Room `engines`: executable worlds. `tools`: any list of tools as a stateful service; `shell`: a Debian terminal;
 * `asked`: worlds that nobody computes, with what code remembers of them.
 *
 * No network, no model, no faults: all of that comes through the Host.
 */
export { createAskedEngine } from './asked/asked-engine.js';
export type { AskedSpec } from './asked/asked-spec.js';
export { queriesOf, readResults } from './asked/seen-memory.js';
export {
  type ForeignAnswer,
  type ForeignStart,
  ForeignTerminal,
  type ScreenForm,
} from './shell/foreign/foreign-terminal.js';
export { readPrompt as readShellPrompt, type SeenPrompt } from './shell/foreign/prompts.js';
export {
  DEFAULT_SPEC,
  type MachineCertificate,
  type MachineFile,
  type MachineSpec,
  PYTHON_CATALOGUE,
  runShell,
} from './shell/machine/index.js';
export { regexProblem } from './shell/services/needs.js';
export type { ServiceSpec } from './shell/services/service-spec.js';
export { createShellEngine, TERMINAL_DEFINITION } from './shell/session/index.js';
export { createSweEngine } from './shell/swe/swe-engine.js';
export type { SweSpec } from './shell/swe/swe-state.js';
export { ToolChecks } from './tools/check/check.js';
export { createToolsEngine } from './tools/engine.js';
export { meantPath } from './tools/files/file-paths.js';
export { foundBelow, makeTree } from './tools/files/file-tree.js';
export {
  FILE_FINDERS,
  type FilesSpec,
  FilesSpecSchema,
  type FileToolSpec,
} from './tools/files/spec-files.js';
export { inferService } from './tools/infer/infer.js';
export { describeService } from './tools/infer/infer-describe.js';
export { createServiceWords, type ServiceWords } from './tools/run/service-words.js';
export type {
  Collection,
  Field,
  IdStyle,
  Paging,
  Plan,
  PlanOp,
  ServiceModel,
  Sorting,
} from './tools/service.js';
export {
  type EntitySpec,
  EntitySpecSchema,
  FieldSpecSchema,
  type OverrideSpec,
  OverrideSpecSchema,
  type RequirementSpec,
  RequirementSpecSchema,
  type ShapeSpec,
  ShapeSpecSchema,
  type ToolWorldSpec,
  ToolWorldSpecSchema,
} from './tools/spec.js';
export { type AnswersSpec, AnswersSpecSchema } from './tools/spec-answers.js';
export {
  IdempotencySpecSchema,
  LoginSpecSchema,
  type PermissionSpec,
  PermissionSpecSchema,
  QuotaSpecSchema,
  TransactionSpecSchema,
  TriggerSpecSchema,
} from './tools/spec-service.js';
export { type CallTrial, tryCall } from './tools/try-call.js';
