/**
 * Templates of children: JSON values whose texts have `{expression}` parts over the drawn values.
 *
 * A text that is one expression alone becomes that value with its type; other texts are filled in. Rules compile
 * once per text. A rule or template that fails is an {@link ExpansionFault}, which rejects the child with a reason.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import {
  type Bindings,
  compileRule,
  compileTemplate,
  type Rule,
  rewriteRule,
  type Template,
} from '../../rules/index.js';

/** Why a child could not be made; it is counted under `reason`. */
export class ExpansionFault extends Error {
  constructor(
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

const RULES = new Map<string, Rule>();
const TEMPLATES = new Map<string, Template | Rule>();
/** Compiled texts that are kept; a world has far fewer. */
const KEPT = 5_000;

/** The value of a rule. */
export function evaluate(source: string, bindings: Bindings): Json {
  const result = ruleOf(source).evaluate(bindings);
  if (!result.ok) throw new ExpansionFault('rule', `${source}: ${result.error.message}`);
  return result.value;
}

/** The value of a condition. */
export function holds(source: string, bindings: Bindings): boolean {
  const result = ruleOf(source).test(bindings);
  if (!result.ok) throw new ExpansionFault('rule', `${source}: ${result.error.message}`);
  return result.value;
}

/** The free names of a rule. */
export function namesIn(source: string): readonly string[] {
  return ruleOf(source).names;
}

/** A whole number at least 0 from a number or a rule. */
export function countOf(count: number | string, bindings: Bindings): number {
  const value = typeof count === 'number' ? count : evaluate(count, bindings);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= 100_000)
    return value;
  throw new ExpansionFault('rule', `a count is ${String(value)}; wanted a whole number from 0 to 100,000`);
}

/** A JSON value with its texts filled in. */
export function fillJson(value: Json, bindings: Bindings): Json {
  if (typeof value === 'string') return fillText(value, bindings);
  if (Array.isArray(value)) return value.map((item: Json) => fillJson(item, bindings));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fillJson(part, bindings)]));
}

/** A template's text. */
export function fillWords(text: string, bindings: Bindings): string {
  const value = fillText(text, bindings);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A rule in which the drawn values have become literals. */
export function bindRule(source: string, values: JsonObject): string {
  const bound = rewriteRule(source, {
    name: (name) => (Object.hasOwn(values, name) ? values[name] : undefined),
  });
  if (!bound.ok) throw new ExpansionFault('rule', bound.error.message);
  return bound.value;
}

function fillText(text: string, bindings: Bindings): Json {
  if (!text.includes('{') && !text.includes('}')) return text;
  const compiled = templateOf(text);
  const result = 'evaluate' in compiled ? compiled.evaluate(bindings) : compiled.render(bindings);
  if (!result.ok) throw new ExpansionFault('template', `${text.slice(0, 200)}: ${result.error.message}`);
  return 'evaluate' in compiled ? (result.value as Json) : (result.value as { text: string }).text;
}

function templateOf(text: string): Template | Rule {
  const known = TEMPLATES.get(text);
  if (known !== undefined) return known;
  const compiled = wholeExpression(text) ?? compileTemplate(text);
  if (!compiled.ok) throw new ExpansionFault('template', `${text.slice(0, 200)}: ${compiled.error.message}`);
  if (TEMPLATES.size >= KEPT) TEMPLATES.clear();
  TEMPLATES.set(text, compiled.value);
  return compiled.value;
}

/** The rule inside a text that is one `{expression}` and nothing else, or undefined. */
function wholeExpression(text: string): { ok: true; value: Rule } | undefined {
  if (!text.startsWith('{') || !text.endsWith('}') || text.startsWith('{{')) return undefined;
  const rule = compileRule(text.slice(1, -1));
  return rule.ok ? rule : undefined;
}

function ruleOf(source: string): Rule {
  const known = RULES.get(source);
  if (known !== undefined) return known;
  const compiled = compileRule(source);
  if (!compiled.ok) throw new ExpansionFault('rule', compiled.error.message);
  if (RULES.size >= KEPT) RULES.clear();
  RULES.set(source, compiled.value);
  return compiled.value;
}
