/**
 * Room `control`: the fault catalogue and schedules. Pure and seeded; no clock, no I/O, no model.
 */
export { FAULT_KINDS } from './catalogue.js';
export * from './compile-schedule.js';
export type { FaultCounters } from './fault-counters.js';
export * from './fault-kind.js';
export * from './fault-problem.js';
export * from './fault-schedule.js';
export * from './fault-spec.js';
export { type CompiledTarget, compileTarget } from './fault-target.js';
export {
  type BegunTurn,
  beginTurn,
  listedTools,
  refuseEvent,
  type TurnEvent,
  type TurnMoment,
} from './fault-turns.js';
export { compileWhen, type FaultMoment } from './fault-when.js';
export type { ScheduledFault } from './scheduled-fault.js';
export { type HiddenTarget, leaksAnswer, renderSearchControl } from './search-control.js';
export type { ServiceRefusal } from './service-words.js';
export {
  type DueFault,
  pretendsFault,
  renderEpisodeControl,
  renderTurnControl,
  saysFault,
} from './simulation-control.js';
export { type ListedTool, type ToolChange, type ToolEntry, translateCall } from './tool-changes.js';
