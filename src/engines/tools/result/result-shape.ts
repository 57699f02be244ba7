/**
 * Answers in the shape that a world gives for a tool: learned from a recording, or written by an author.
 *
 * A shape is a list of forms; the first whose condition holds and whose rules can be evaluated is used, so a form
 * that needs a row is passed over where there is none. Rules see `args`, `row`, `rows`, (for `returns`) `text` and `result` (`op`, `total`,
 * `items`, `changed`, `groups`, `page`, `message`). No form fits: the answer is shaped as without them. Not covered:
 * content that is not text.
 */
import {
  type Answer,
  isJsonObject,
  type Json,
  type JsonObject,
  type TracedText,
  TracedTextBuilder,
} from '../../../core/index.js';
import { evaluate, evaluateParts, holds } from '../run/overrides-rules.js';
import type { RuleScope } from '../run/rule-scope.js';
import { type Call, ToolFailure } from '../run/run-call.js';
import type { Facts } from '../run/run-facts.js';
import type { ShapeSpec } from '../spec.js';
import { renderLaidOutJson } from './result-json.js';
import { RuleOrigins } from './rule-origins.js';

type Form = NonNullable<ShapeSpec['answers']>[number];

/** The names that shapes see, out of what a plan found out. */
export function shapeScope(call: Call, facts: Facts | undefined): RuleScope {
  const items = facts?.items?.map(
    (one): JsonObject => ({
      item: one.item,
      status: one.status,
      ...(one.error !== undefined && { error: one.error }),
      ...(one.facts?.row !== undefined && { row: one.facts.row }),
      ...(one.facts?.changed !== undefined && { changed: one.facts.changed }),
    }),
  );
  const done = facts?.items?.flatMap((one) => (one.facts?.row === undefined ? [] : [one.facts.row]));
  const isOfFiles = facts?.items !== undefined && call.world.model.plans[call.tool.name]?.file !== undefined;
  // Of several files some may be missing; only `items` says which.
  const rows = facts?.rows ?? (isOfFiles ? undefined : done);
  const { page } = facts ?? {};
  const result: JsonObject = {
    op: facts?.op ?? 'none',
    total: facts?.total ?? rows?.length ?? 0,
    message: facts?.message ?? '',
    ...(items !== undefined && { items }),
    ...(facts?.changed !== undefined && { changed: facts.changed }),
    ...(facts?.groups !== undefined && { groups: facts.groups as JsonObject }),
    ...(facts?.related !== undefined && { related: facts.related as JsonObject }),
    ...(page !== undefined && { page: { ...page } as JsonObject }),
    ...(facts?.value !== undefined && { value: facts.value }),
    ...facts?.more,
  };
  return {
    args: call.args,
    ...(facts?.row !== undefined && { row: facts.row }),
    ...(rows !== undefined && { rows }),
    result,
  };
}

/** The answer in the tool's own shape, or undefined where it has none that fits. */
export function givenShape(call: Call, facts: Facts | undefined): Answer | undefined {
  const shape = shapeOf(call);
  if (shape?.answers === undefined) return undefined;
  const failed = facts?.items?.filter((one) => one.status !== 'ok' && !ignores(shape, one.status)) ?? [];
  // A batch whose every item failed is an error, unless the tool passes over such failures.
  const isOfFiles = call.world.model.plans[call.tool.name]?.file !== undefined;
  if (!isOfFiles && failed.length > 0 && facts?.items?.every((one) => one.status !== 'ok') === true)
    return undefined;
  const scope = shapeScope(call, facts);
  for (const form of shape.answers) {
    const answer = answerOf(call, form, scope);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** The answer to a failure that the tool passes over in silence; undefined for every other. */
export function ignoredFailure(call: Call, failure: ToolFailure): Answer | undefined {
  const shape = shapeOf(call);
  return shape !== undefined && ignores(shape, failure.kind) ? givenShape(call, undefined) : undefined;
}

/** True if the tool passes over this kind of failure. */
export function passesOver(call: Call, kind: string): boolean {
  const shape = shapeOf(call);
  return shape !== undefined && ignores(shape, kind);
}

/** True if one failed item makes the whole batch fail. */
export function isAtomic(call: Call): boolean {
  return shapeOf(call)?.atomic === true;
}

/** The answer to a failure, marked as an error unless the tool does not. */
export function failed(call: Call, answer: Answer): Answer {
  return shapeOf(call)?.soft === true ? { ...answer, isError: false } : answer;
}

/** True if nothing confirms how the tool is computed. */
export function isGuessed(call: Call): boolean {
  return shapeOf(call)?.guessed === true;
}

/** The answer of a tool that is guessed: what would count as computed is marked as generated. */
export function asGuess(call: Call, answer: Answer): Answer {
  return isGuessed(call) || call.isUnsure ? { ...answer, text: madeUp(answer.text) } : answer;
}

/** Notes that a call is of a kind that the recording never showed; `row` is the one meant, as it is before. */
export function noteDoubt(call: Call, scope: RuleScope): void {
  const { sure } = shapeOf(call) ?? {};
  if (sure === undefined || call.isUnsure) return;
  if (scope.row === undefined && call.world.rules.names(sure).includes('row')) return;
  call.isUnsure = !holds(call, sure, scope);
}

/** True if the tool says in which situations it was seen. */
export function mayDoubt(call: Call): boolean {
  return shapeOf(call)?.sure !== undefined;
}

/** The rule for the rows that a list shows; undefined where it shows all. */
export function shownRule(call: Call): string | undefined {
  return shapeOf(call)?.shows;
}

/** True if a row that is there gets new values from a tool that makes rows. */
export function overwrites(call: Call): boolean {
  return shapeOf(call)?.overwrites === true;
}

/** The answer to a failure; words that are not the tool's own, or borrowed from a like tool, are made up. */
export function asToldFailure(call: Call, failure: ToolFailure, answer: Answer): Answer {
  const shape = shapeOf(call);
  const isBorrowed = shape?.guesses?.includes(failure.kind) === true;
  const isUntold = shape?.others === 'generated' && !failure.isWorded && failure.kind !== 'refused';
  return isBorrowed || isUntold ? { ...answer, text: madeUp(answer.text) } : answer;
}

/** A failure in the tool's own words, where it has some; `args` are those of the call or the item. */
export function inOwnWords(call: Call, failure: ToolFailure, args: JsonObject): ToolFailure {
  const { errors } = shapeOf(call) ?? {};
  const template =
    errors !== undefined && Object.hasOwn(errors, failure.kind) ? errors[failure.kind] : undefined;
  if (template === undefined || failure.isWorded) return failure;
  try {
    const { text } = evaluateParts(call, template, {
      args,
      ...(failure.details.row !== undefined && { row: failure.details.row }),
      result: { message: failure.message },
    });
    return new ToolFailure(text, failure.kind, failure.flags, failure.details, true);
  } catch (thrown) {
    // A template that speaks of what this call has not is not for it.
    if (thrown instanceof ToolFailure) return failure;
    throw thrown;
  }
}

function shapeOf(call: Call): ShapeSpec | undefined {
  const { shapes } = call.world.spec;
  return shapes !== undefined && Object.hasOwn(shapes, call.tool.name) ? shapes[call.tool.name] : undefined;
}

function ignores(shape: ShapeSpec, kind: string): boolean {
  return shape.ignores?.some((one) => one === kind) === true;
}

function answerOf(call: Call, form: Form, scope: RuleScope): Answer | undefined {
  try {
    if (form.when !== undefined && !holds(call, form.when, scope)) return undefined;
    const first = textOf(call, form, { scope, value: undefined });
    // The structured part may repeat the text.
    const seen = first === undefined ? scope : { ...scope, text: first.text };
    const value = form.returns === undefined ? undefined : marked(call, form.returns, seen);
    const text = first ?? textOf(call, form, { scope, value });
    if (text === undefined) return undefined;
    if (value !== undefined && !call.world.checks.outputFits(call.tool, value)) return undefined;
    const said = form.generated === true ? madeUp(text) : text;
    return { text: said, isError: false, ...(value !== undefined && { value }) };
  } catch (thrown) {
    // A form that speaks of what is not there is not the form of this answer.
    if (thrown instanceof ToolFailure) return undefined;
    throw thrown;
  }
}

/** True if a form that the tool's shape does not have is made up. */
export function isFormMadeUp(call: Call): boolean {
  return shapeOf(call)?.others === 'generated';
}

/** The text with its computed parts as made up ones. */
export function madeUp({ text, origins }: TracedText): TracedText {
  return {
    text,
    origins: origins.map((span) =>
      span.origin === 'computed' ? { ...span, origin: 'generated' as const } : span,
    ),
  };
}

function textOf(
  call: Call,
  form: Form,
  of: { readonly scope: RuleScope; readonly value: Json | undefined },
): TracedText | undefined {
  const { scope, value } = of;
  if (form.text !== undefined) return template(call, form.text, scope);
  if (form.json !== undefined) {
    const shown = form.json.of === undefined ? value : marked(call, form.json.of, scope);
    const { indent, spaced = false } = form.json;
    return shown === undefined ? undefined : renderLaidOutJson(shown, { indent, spaced });
  }
  return value === undefined ? undefined : renderLaidOutJson(value, { indent: 2 });
}

function marked(call: Call, rule: string, scope: RuleScope): Json {
  const value = evaluate(call, rule, scope);
  if (typeof value !== 'object' || value === null) return value;
  const origins = new RuleOrigins(call, scope, /\bstate\b/.test(rule));
  return isJsonObject(value) || Array.isArray(value) ? origins.mark(value) : value;
}

function template(call: Call, source: string, scope: RuleScope): TracedText {
  const builder = new TracedTextBuilder();
  const origins = new RuleOrigins(call, scope, /\bstate\b/.test(source));
  for (const { text, computed } of evaluateParts(call, source, scope).parts)
    builder.add(text, computed ? origins.of(text) : 'computed');
  return builder.done();
}
