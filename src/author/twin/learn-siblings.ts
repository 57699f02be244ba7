/**
 * Carries what one tool of a service refuses over to its siblings, which the recording shows only in calls that went well.
 *
 * A service checks the same argument in the same way: where some tools say that there is no such project, another with
 * that argument says so too. What was carried over is a guess and marked as one. A call that went
 * well against the condition, or was refused with other words, speaks against it.
 */
import type { JsonObject } from '../../core/index.js';
import { isJsonObject } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import type { RequirementSpec, ServiceModel } from '../../engines/index.js';
import { ruleValue } from './examples.js';
import type { LearnedFailures } from './learn-errors.js';
import type { LearnedCall } from './learned-state.js';
import { looksFailed } from './soft-failures.js';

type Requires = Readonly<Record<string, readonly RequirementSpec[]>>;

/** Conditions of all tools, and which tools have one that only siblings showed. */
export interface Carried {
  readonly requires: Readonly<Record<string, RequirementSpec[]>>;
  readonly guessed: ReadonlySet<string>;
}

/** Carries conditions on one argument over to the siblings that have it. */
export function carryRequires(
  of: {
    readonly model: ServiceModel;
    readonly tools: readonly ToolDefinition[];
    readonly calls: readonly LearnedCall[];
  },
  requires: Requires,
): Carried {
  const all: Record<string, RequirementSpec[]> = Object.fromEntries(
    Object.entries(requires).map(([tool, list]) => [tool, [...list]]),
  );
  const guessed = new Set<string>();
  for (const [argument, told] of byArgument(requires)) {
    const [first] = told;
    if (first === undefined) continue;
    for (const tool of of.tools) {
      const known = all[tool.name] ?? [];
      const plan = of.model.plans[tool.name];
      const isFit =
        plan !== undefined &&
        plan.op !== 'unknown' &&
        plan.override === undefined &&
        plan.file === undefined &&
        propertiesOf(tool).includes(argument) &&
        !known.some(({ expr }) => expr === first.expr) &&
        !(plan.op === 'create' && first.expr.includes(JSON.stringify(plan.collection))) &&
        isUnopposed(
          first,
          of.calls.filter(({ call }) => call.tool === tool.name),
        );
      if (!isFit) continue;
      all[tool.name] = [first, ...known];
      guessed.add(tool.name);
    }
  }
  return { requires: all, guessed };
}

/** Conditions that speak of one argument alone, by it: one for each tool that showed it. */
function byArgument(requires: Requires): ReadonlyMap<string, readonly RequirementSpec[]> {
  const found = new Map<string, RequirementSpec[]>();
  for (const one of Object.values(requires).flat()) {
    const names = new Set(
      [
        ...`${one.expr} ${one.error}`.matchAll(/\bargs\.(\w+)|\bget\(args, "([^"]+)"|\bargs\["([^"]+)"\]/g),
      ].map((match) => match[1] ?? match[2] ?? match[3] ?? ''),
    );
    const [argument, ...more] = names;
    if (argument === undefined || more.length > 0 || !/^[^!]*state\.data/.test(one.expr)) continue;
    const like = found.get(argument) ?? [];
    if (like.every(({ expr, error }) => expr === one.expr && error === one.error))
      found.set(argument, [...like, one]);
  }
  return found;
}

function isUnopposed({ expr }: RequirementSpec, own: readonly LearnedCall[]): boolean {
  return own.every(({ call, before }) => {
    const data = Object.fromEntries([...before].map(([name, rows]) => [name, [...rows.values()]]));
    return ruleValue(expr, { args: call.args, state: { data } }) !== false;
  });
}

function propertiesOf({ inputSchema }: ToolDefinition): readonly string[] {
  const { properties } = inputSchema as JsonObject;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

/** The words for failures that a tool never showed, out of a sibling's on the same collection. */
export function carryWords(
  of: {
    readonly model: ServiceModel;
    readonly tools: readonly ToolDefinition[];
    readonly calls: readonly LearnedCall[];
  },
  failures: ReadonlyMap<string, LearnedFailures>,
): ReadonlyMap<string, LearnedFailures> {
  const marked = of.calls.filter(({ call }) => looksFailed(call)).length > 0;
  if (!marked) return failures;
  return new Map(
    [...failures].map(([name, own]): [string, LearnedFailures] => {
      const tool = of.tools.find((one) => one.name === name);
      const plan = of.model.plans[name];
      if (tool === undefined || plan?.collection === undefined || plan.file !== undefined) return [name, own];
      const borrowed = KINDS.flatMap((kind): [string, string][] => {
        if (own.errors?.[kind] !== undefined || own.ignores?.includes(kind) === true) return [];
        const words = [...failures].flatMap(([other, { errors, guesses }]) => {
          const isSibling = other !== name && of.model.plans[other]?.collection === plan.collection;
          const template = errors?.[kind];
          return isSibling && template !== undefined && guesses?.includes(kind) !== true ? [template] : [];
        });
        const fit = words.find((template) =>
          [...template.matchAll(/\bargs\.(\w+)/g)].every(([, name = '']) =>
            propertiesOf(tool).includes(name),
          ),
        );
        return fit === undefined ? [] : [[kind, fit]];
      });
      if (borrowed.length === 0) return [name, own];
      return [
        name,
        {
          ...own,
          errors: { ...own.errors, ...Object.fromEntries(borrowed) },
          guesses: [...(own.guesses ?? []), ...borrowed.map(([kind]) => kind)],
        },
      ];
    }),
  );
}

const KINDS = ['not-found', 'exists'] as const;
