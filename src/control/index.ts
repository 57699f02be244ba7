/**
 * Room `control`: the fault catalogue and schedules. Pure and seeded; no clock, no I/O, no model.
 */
export * from './catalogue.js';
export * from './compile-schedule.js';
export * from './fault-kind.js';
export * from './fault-problem.js';
export * from './fault-schedule.js';
export * from './fault-spec.js';
export { type CompiledTarget, compileTarget } from './fault-target.js';
export { compileWhen, type FaultMoment } from './fault-when.js';
