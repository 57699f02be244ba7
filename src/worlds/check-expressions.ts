/**
 * Checks every rule, template, glob and pattern of a world file: it compiles, and it uses only names that exist
 * where it stands.
 */
import { compileGlob, compilePattern, compileRule, compileTemplate, VERIFIER_NAMES } from '../rules/index.js';
import type { CheckContext } from './check-context.js';
import type { PathPart } from './world-problem.js';

/** Names that rules of tools may use. */
const TOOL_NAMES = ['args', 'row', 'rows', 'state', 'clock', 'result', 'session'] as const;
/** Names that rules of computed fields may use: a field depends on the state alone. */
const COMPUTED_NAMES = ['row', 'state'] as const;

/** Runs the checks. */
export function checkExpressions(context: CheckContext): void {
  for (const verifier of context.items(['success']))
    rule(context, [...verifier.path, 'expr'], VERIFIER_NAMES);
  for (const entity of context.members(['entities'])) {
    for (const field of context.members([...entity.path, 'fields'])) {
      rule(context, [...field.path, 'computed'], COMPUTED_NAMES);
    }
  }
  for (const override of context.members(['overrides'])) checkOverride(context, override.path);
  for (const shape of context.members(['shapes'])) {
    for (const form of context.items([...shape.path, 'answers'])) {
      rule(context, [...form.path, 'when'], TOOL_NAMES);
      rule(context, [...form.path, 'returns'], [...TOOL_NAMES, 'text']);
      rule(context, [...form.path, 'json', 'of'], TOOL_NAMES);
      template(context, [...form.path, 'text']);
    }
  }
  for (const item of context.items(['rules'])) {
    glob(context, [...item.path, 'on']);
    rule(context, [...item.path, 'require'], TOOL_NAMES);
    template(context, [...item.path, 'error']);
  }
  for (const item of context.items(['state', 'permissions'])) checkPermission(context, item.path);
  for (const service of context.members(['state', 'services'])) {
    glob(context, [...service.path, 'on']);
    template(context, [...service.path, 'error']);
  }
  for (const fact of context.items(['facts'])) {
    glob(context, [...fact.path, 'reveal', 'on']);
    pattern(context, [...fact.path, 'reveal', 'match']);
  }
}

/** The glob, rules and template of one entry of permissions. */
export function checkPermission(context: CheckContext, path: readonly PathPart[]): void {
  glob(context, [...path, 'on']);
  rule(context, [...path, 'when'], TOOL_NAMES);
  rule(context, [...path, 'rows'], ['row', 'args', 'session', 'state', 'clock']);
  template(context, [...path, 'error']);
}

function checkOverride(context: CheckContext, path: readonly PathPart[]): void {
  rule(context, [...path, 'match'], TOOL_NAMES);
  rule(context, [...path, 'returns'], TOOL_NAMES);
  rule(context, [...path, 'content'], TOOL_NAMES);
  template(context, [...path, 'text']);
  template(context, [...path, 'notFound']);
  for (const one of context.members([...path, 'operators'])) rule(context, one.path, TOOL_NAMES);
  for (const set of context.members([...path, 'set'])) rule(context, set.path, TOOL_NAMES);
  for (const item of context.items([...path, 'require'])) {
    rule(context, [...item.path, 'expr'], TOOL_NAMES);
    template(context, [...item.path, 'error']);
  }
  for (const effect of context.items([...path, 'also'])) {
    checkEffect(context, effect.path, TOOL_NAMES);
  }
}

/** The rules of one further effect. */
export function checkEffect(
  context: CheckContext,
  path: readonly PathPart[],
  names: readonly string[],
): void {
  for (const key of ['key', 'match', 'when']) rule(context, [...path, key], names);
  for (const set of context.members([...path, 'set'])) rule(context, set.path, names);
}

/** The rule at a path compiles and uses only these names. */
export function rule(context: CheckContext, path: readonly PathPart[], names: readonly string[]): void {
  const text = context.text(path);
  if (text === undefined || text === '') return;
  const compiled = compileRule(text, { names });
  if (!compiled.ok) context.error(path, compiled.error.message, { wanted: 'a rule' });
}

/** The template at a path compiles and uses only these names (default: those of tools). */
export function template(
  context: CheckContext,
  path: readonly PathPart[],
  names: readonly string[] = TOOL_NAMES,
): void {
  const text = context.text(path);
  if (text === undefined || text === '') return;
  const compiled = compileTemplate(text, { names });
  if (!compiled.ok) context.error(path, compiled.error.message, { wanted: 'a template' });
}

/** The glob at a path compiles; one that matches no tool is a warning. */
export function glob(context: CheckContext, path: readonly PathPart[]): void {
  const text = context.text(path);
  if (text === undefined || text === '') return;
  const compiled = compileGlob(text);
  if (!compiled.ok) {
    context.error(path, compiled.error.message, { wanted: 'a tool name or glob' });
    return;
  }
  const tools = context.items(['tools']).flatMap((tool) => context.text([...tool.path, 'name']) ?? []);
  if (tools.length > 0 && !tools.some((name) => compiled.value.matches(name))) {
    context.warn(path, `${JSON.stringify(text)} matches no tool of this world`);
  }
}

function pattern(context: CheckContext, path: readonly PathPart[]): void {
  const text = context.text(path);
  if (text === undefined || text === '') return;
  const compiled = compilePattern(text);
  if (!compiled.ok) context.error(path, compiled.error.message, { wanted: 'a linear-time pattern' });
}
