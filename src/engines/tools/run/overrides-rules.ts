/**
 * The rules of a tool world: compiled once per world, evaluated with the names that rules may use.
 *
 * A rule that fails is a failure of the tool, flagged `rule-error`, whose message names the tool and the rule. What
 * a rule hands out is a copy; where the copy is a row that went in, the row itself takes its place, so that its
 * values keep their origins.
 */
import {
  canonicalJson,
  fail,
  isJsonObject,
  type Json,
  type JsonObject,
  type Result,
  type RuleError,
} from '../../../core/index.js';
import {
  type Bindings,
  compileRule,
  compileTemplate,
  type Equality,
  equalitiesOf,
  type Meter,
  type Rendered,
  type Rule,
  type Template,
} from '../../../rules/index.js';
import { sizeOf } from '../store/value-size.js';
import type { RuleScope } from './rule-scope.js';
import { type Call, ToolFailure } from './run-call.js';

/** The names that rules of a tool world may use. */
const RULE_NAMES = [
  'args',
  'row',
  'rows',
  'state',
  'clock',
  'result',
  'session',
  'old',
  'retryAfter',
  'message',
  'tool',
  'field',
  'id',
  'resource',
  'text',
] as const;

/** The compiled rules and templates of a world, by source text. */
export class RuleBook {
  private readonly rules = new Map<string, Result<Rule, RuleError>>();
  private readonly templates = new Map<string, Result<Template, RuleError>>();
  private readonly wanted = new Map<string, readonly Equality[]>();

  /** The value of a rule, or what went wrong; what it took is taken from the meter. */
  evaluate(source: string, bindings: Bindings, meter: Meter): Result<Json, string> {
    const rule = this.rule(source);
    return withMessage(rule.ok ? rule.value.evaluate(bindings, { meter }) : rule);
  }

  /** Whether a condition holds, or what went wrong; what it took is taken from the meter. */
  test(source: string, bindings: Bindings, meter: Meter): Result<boolean, string> {
    const rule = this.rule(source);
    return withMessage(rule.ok ? rule.value.test(bindings, { meter }) : rule);
  }

  /** The text of a template with its parts, or what went wrong; what it took is taken from the meter. */
  render(source: string, bindings: Bindings, meter: Meter): Result<Rendered, string> {
    let template = this.templates.get(source);
    if (template === undefined) {
      template = compileTemplate(source, { names: RULE_NAMES });
      this.templates.set(source, template);
    }
    const rendered = withMessage(template.ok ? template.value.render(bindings, { meter }) : template);
    return rendered;
  }

  /** What a condition wants the fields of `row` to be equal to. */
  equalities(source: string): readonly Equality[] {
    const known = this.wanted.get(source);
    if (known !== undefined) return known;
    const made = equalitiesOf(source, 'row');
    this.wanted.set(source, made);
    return made;
  }

  /** The names that a rule uses; none for one that cannot be read. */
  names(source: string): readonly string[] {
    const rule = this.rule(source);
    return rule.ok ? rule.value.names : [];
  }

  private rule(source: string): Result<Rule, RuleError> {
    const known = this.rules.get(source);
    if (known !== undefined) return known;
    const made = compileRule(source, { names: RULE_NAMES });
    this.rules.set(source, made);
    return made;
  }
}

function withMessage<T>(result: Result<T, RuleError>): Result<T, string> {
  return result.ok ? result : fail(result.error.message);
}

function bindingsOf(call: Call, scope: RuleScope): Bindings {
  return {
    ...scope,
    clock: call.nowText,
    session: call.session,
    state: call.stateBinding,
  };
}

function broken(call: Call, source: string, message: string): ToolFailure {
  const text = `${call.tool.name}: rule ${JSON.stringify(source)} failed: ${message}`;
  return new ToolFailure(text, 'failed', ['rule-error']);
}

/** The value of a rule, paid for by its size; raises a {@link ToolFailure} flagged `rule-error`. */
export function evaluate(call: Call, source: string, scope: RuleScope): Json {
  const value = call.world.rules.evaluate(source, bindingsOf(call, scope), call.meter);
  call.spend(value.ok ? sizeOf(value.value) : 1);
  if (!value.ok) throw broken(call, source, value.error);
  if (typeof value.value !== 'object' || value.value === null) return value.value;
  call.spend(scope.rows?.length ?? 0);
  return withKnownRows(value.value, scope);
}

/** The value of a rule, or undefined where it fails; paid for like {@link evaluate}. */
export function tryEvaluate(call: Call, source: string, scope: RuleScope): Json | undefined {
  const value = call.world.rules.evaluate(source, bindingsOf(call, scope), call.meter);
  call.spend(value.ok ? sizeOf(value.value) : 1);
  return value.ok ? value.value : undefined;
}

/** Whether a condition holds; raises a {@link ToolFailure} flagged `rule-error`. */
export function holds(call: Call, source: string, scope: RuleScope): boolean {
  const value = call.world.rules.test(source, bindingsOf(call, scope), call.meter);
  call.spend(1);
  if (!value.ok) throw broken(call, source, value.error);
  return value.value;
}

/** The text of a template; raises a {@link ToolFailure} flagged `rule-error`. */
export function evaluateTemplate(call: Call, source: string, scope: RuleScope): string {
  return evaluateParts(call, source, scope).text;
}

/** The text of a template with its parts; raises a {@link ToolFailure} flagged `rule-error`. */
export function evaluateParts(call: Call, source: string, scope: RuleScope): Rendered {
  const text = call.world.rules.render(source, bindingsOf(call, scope), call.meter);
  call.spend(text.ok ? text.value.text.length : 1);
  if (!text.ok) throw broken(call, source, text.error);
  return text.value;
}

/** Puts the rows that went in back in the place of their copies. */
function withKnownRows(value: Json, scope: RuleScope): Json {
  const rows = [...(scope.row === undefined ? [] : [scope.row]), ...(scope.rows ?? [])];
  if (rows.length === 0 || typeof value !== 'object' || value === null) return value;
  const byText = new Map(rows.map((row) => [canonicalJson(row), row]));
  const replace = (part: Json): Json => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(replace);
    const known = byText.get(canonicalJson(part as JsonObject));
    if (!isJsonObject(part)) return known ?? part;
    // The row itself only where the rule gives its members in the row's order; another order is the rule's.
    if (known !== undefined && Object.keys(known).join('\n') === Object.keys(part).join('\n')) return known;
    return Object.fromEntries(
      Object.entries(part).map(([name, inner]): [string, Json] => [name, replace(inner)]),
    );
  };
  return replace(value);
}
