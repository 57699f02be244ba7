/**
 * The rules of a service made ready: which of them are about a tool, which about a collection.
 *
 * Compiled once per world. A tool or a collection without rules has no entry, so a call pays one look-up for each;
 * what a rule does stands in the other files of this folder. Source: `spec-service.ts`. Not covered: conditions of
 * single tools (`run/run-conditions.ts`).
 */
import type { JsonObject } from '../../../core/index.js';
import { compileGlob } from '../../../rules/index.js';
import type { RuleBook } from '../run/overrides-rules.js';
import type { Plan, ServiceModel } from '../service.js';
import type { ToolWorldSpec } from '../spec.js';
import type {
  IdempotencySpec,
  LoginSpec,
  PermissionSpec,
  QuotaSpec,
  TriggerSpec,
  VersionSpec,
} from '../spec-service.js';
import { frozenJson } from '../store/store.js';
import { type TimedRule, timedRules } from './timed-rules.js';
import { type GroupRule, groupRules } from './unique-rows.js';
import { isVersionArgument } from './versions.js';

/** A quota under the name that its use is counted by. */
export interface NamedQuota {
  readonly name: string;
  readonly spec: QuotaSpec;
}

/** The rules about one tool. */
export interface ToolPolicy {
  readonly logins: readonly LoginSpec[];
  readonly permissions: readonly PermissionSpec[];
  readonly quotas: readonly NamedQuota[];
  readonly idempotency?: IdempotencySpec;
  readonly atomic?: boolean;
  /** Arguments that are no values of a row: callers, keys, versions. */
  readonly apart: ReadonlySet<string>;
}

/** The rules about one collection. */
export interface CollectionPolicy {
  readonly groups: readonly GroupRule[];
  readonly version?: VersionSpec;
  readonly triggers: readonly TriggerSpec[];
  readonly timed: readonly TimedRule[];
  /** Field → what becomes of a row whose target is deleted. */
  readonly onDelete: Readonly<Record<string, 'cascade' | 'restrict' | 'empty'>>;
}

/** The rules of a service, by tool and by collection. */
export interface ServicePolicy {
  readonly tools: ReadonlyMap<string, ToolPolicy>;
  readonly collections: ReadonlyMap<string, CollectionPolicy>;
  /** Names of collections whose rows change with time. */
  readonly timed: readonly string[];
  /** Who calls at the start. */
  readonly session: JsonObject;
}

/** Compiles the rules of a specification. */
export function compilePolicy(spec: ToolWorldSpec, book: RuleBook): ServicePolicy {
  const collections = new Map<string, CollectionPolicy>();
  for (const name of new Set([...Object.keys(spec.entities), ...watched(spec)])) {
    const policy = collectionPolicy(spec, name, book);
    if (policy !== undefined) collections.set(name, policy);
  }
  const session = frozenJson(spec.service?.session ?? {}) as JsonObject;
  const timed = [...collections].filter(([, { timed: rules }]) => rules.length > 0).map(([name]) => name);
  return { tools: toolPolicies(spec, collections), collections, timed, session };
}

function watched(spec: ToolWorldSpec): string[] {
  return (spec.service?.effects ?? []).map(({ collection }) => collection);
}

function collectionPolicy(spec: ToolWorldSpec, name: string, book: RuleBook): CollectionPolicy | undefined {
  const entity = Object.hasOwn(spec.entities, name) ? spec.entities[name] : undefined;
  const triggers = (spec.service?.effects ?? []).filter(({ collection }) => collection === name);
  const fields = Object.entries(entity?.fields ?? {});
  const onDelete = Object.fromEntries(
    fields.flatMap(([field, { onDelete: what }]) => (what === undefined ? [] : [[field, what] as const])),
  );
  const groups = entity === undefined ? [] : groupRules(entity, book);
  const timed = timedRules(entity?.transitions ?? [], book);
  const version = entity?.version;
  const parts = triggers.length + groups.length + timed.length + Object.keys(onDelete).length;
  if (parts === 0 && version === undefined) return undefined;
  return { groups, triggers, timed, onDelete, ...(version === undefined ? {} : { version }) };
}

function toolPolicies(
  spec: ToolWorldSpec,
  collections: ReadonlyMap<string, CollectionPolicy>,
): ReadonlyMap<string, ToolPolicy> {
  const { service } = spec;
  const versions = [...collections.values()].flatMap(({ version }) =>
    version === undefined ? [] : [version],
  );
  if (service === undefined && versions.length === 0) return new Map();
  const logins = globbed(service?.logins);
  const permissions = globbed(service?.permissions);
  const quotas = globbed((service?.quotas ?? []).map((one, index) => ({ ...one, index })));
  const idempotency = globbed(service?.idempotency);
  const transactions = globbed(service?.transactions);
  const policies = new Map<string, ToolPolicy>();
  for (const { name } of spec.tools) {
    const [keyed] = idempotency(name);
    const [transaction] = transactions(name);
    const mine = logins(name);
    const policy: ToolPolicy = {
      logins: mine,
      permissions: permissions(name),
      quotas: quotas(name).map(({ index, ...one }) => ({ name: one.id ?? `quota ${index}`, spec: one })),
      ...(keyed === undefined ? {} : { idempotency: keyed }),
      ...(transaction === undefined ? {} : { atomic: transaction.atomic }),
      apart: new Set([
        ...mine.flatMap(({ as }) => (as === undefined ? [] : [as])),
        ...(keyed === undefined ? [] : [keyed.argument]),
      ]),
    };
    const says = mine.length + policy.permissions.length + policy.quotas.length + policy.apart.size;
    if (says > 0 || transaction !== undefined) policies.set(name, policy);
  }
  return policies;
}

/** Finds the entries that are about a tool; each glob is compiled once. */
function globbed<T extends { readonly on: string }>(entries: readonly T[] = []): (tool: string) => T[] {
  const compiled = entries.flatMap((entry) => {
    const glob = compileGlob(entry.on);
    return glob.ok ? [{ entry, glob: glob.value }] : [];
  });
  return (tool) => compiled.filter(({ glob }) => glob.matches(tool)).map(({ entry }) => entry);
}

/** The model in which arguments that are no values of a row (callers, keys, versions) are no part of any plan. */
export function withoutApart(model: ServiceModel, policy: ServicePolicy): ServiceModel {
  if (policy.tools.size === 0 && policy.collections.size === 0) return model;
  const plans = Object.entries(model.plans).map(([tool, plan]): [string, Plan] => [
    tool,
    stripped(plan, policy, policy.tools.get(tool)?.apart),
  ]);
  return { ...model, plans: Object.fromEntries(plans) };
}

function stripped(plan: Plan, policy: ServicePolicy, apart: ReadonlySet<string> | undefined): Plan {
  const version = policy.collections.get(plan.collection ?? '')?.version;
  if (apart === undefined && version === undefined) return plan;
  const keep = <T>(map: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(map).filter(
        ([name]) => apart?.has(name) !== true && (version === undefined || !isVersionArgument(version, name)),
      ),
    );
  const { key, writes, filters, ranges, cases } = plan;
  return {
    ...plan,
    ...(key === undefined ? {} : { key: keep(key) }),
    ...(writes === undefined ? {} : { writes: keep(writes) }),
    ...(filters === undefined ? {} : { filters: keep(filters) }),
    ...(ranges === undefined ? {} : { ranges: keep(ranges) }),
    ...(cases === undefined
      ? {}
      : {
          cases: {
            ...cases,
            plans: Object.fromEntries(
              Object.entries(cases.plans).map(([name, one]) => [name, stripped(one, policy, apart)]),
            ),
          },
        }),
  };
}
