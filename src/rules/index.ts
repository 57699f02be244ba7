/**
 * Room `rules`: the small safe expression language, templates, verifiers as data, linear-time patterns and globs.
 *
 * The language is described in docs/RULES.md. No eval, no unbounded loop, no backtracking.
 */
export { type Equality, equalitiesOf } from './equalities.js';
export { compileGlob, type Glob } from './glob.js';
export { compilePattern, type Pattern, type PatternOptions } from './pattern.js';
export { type Rewriting, rewriteRule } from './rewrite.js';
export {
  type CompileOptions,
  compileRule,
  type EvaluateOptions,
  evaluateCondition,
  type Meter,
  type Rule,
} from './rule.js';
export type { Binding, Bindings } from './run.js';
export { compileTemplate, type Rendered, type Template, type TemplatePart } from './template.js';
export { parseIsoTime, renderIsoTime } from './time-functions.js';
export {
  checkVerifier,
  type ExpressionVerifier,
  ExpressionVerifierSchema,
  runVerifiers,
  type ShellVerifier,
  type ShellVerifierRunner,
  ShellVerifierSchema,
  VERIFIER_NAMES,
  type Verifier,
  type VerifierOptions,
  type VerifierOutcome,
  type VerifierReport,
  VerifierSchema,
} from './verifier.js';
