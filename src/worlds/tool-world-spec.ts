/**
 * From a world file of domain mcp to what the tools engine opens.
 *
 * `rules`, `permissions` and `services` are conditions on tools by glob; they become the `requires` of each tool that
 * they match, services first, then permissions, then rules. The engine checks them whether the tool's effect is
 * inferred or written as an override. Permissions that speak of roles or rows, or that allow, go to the engine as they
 * are, with who calls, quotas, side effects, idempotency keys and transactions.
 */
import type { PermissionSpec, ToolWorldSpec } from '../engines/index.js';
import { compileGlob } from '../rules/index.js';
import { type McpState, McpStateSchema } from './mcp-state.js';
import { ONCE } from './schema-problems.js';
import { shownErrors } from './shown-errors.js';
import type { WorldFile, WorldRule } from './world-file.js';

interface Condition {
  readonly on: string;
  readonly expr: string;
  readonly error: string;
  readonly cause?: WorldRule['cause'];
}

/** Builds the specification; `id` is the world's content hash. */
export function toolWorldSpec(file: WorldFile, id: string): ToolWorldSpec {
  const state = McpStateSchema.parse(file.state, ONCE);
  const tools = file.tools ?? [];
  const requires = requiresOf(
    tools.map(({ name }) => name),
    conditionsOf(file, state),
  );
  return {
    id,
    ...(state.server !== undefined && { server: state.server }),
    tools,
    data: state.data,
    entities: withGenerate(file.entities, state.generate),
    overrides: file.overrides,
    ...(Object.keys(file.shapes).length > 0 && { shapes: file.shapes }),
    ...(file.files !== undefined && { files: file.files }),
    ...(requires !== undefined && { requires }),
    ...serviceOf(file, state),
    ...answersOf(file),
    strict: file.strict,
    startMs: Date.parse(state.clock),
  };
}

/** How refusals read: what the file says, and below it what its demonstrations show. */
function answersOf(file: WorldFile): Pick<ToolWorldSpec, 'answers'> {
  const shown = shownErrors(file);
  if (Object.keys(shown).length === 0) return file.answers === undefined ? {} : { answers: file.answers };
  const said = file.answers?.tools ?? {};
  const tools = Object.entries(shown).map(([tool, causes]) => [tool, { ...causes, ...said[tool] }]);
  return { answers: { ...file.answers, tools: { ...said, ...Object.fromEntries(tools) } } };
}

/** The rules of the service, where the world has any. */
function serviceOf(file: WorldFile, state: McpState): Pick<ToolWorldSpec, 'service'> {
  const { logins, quotas, effects, idempotency, transactions } = file;
  const permissions = state.permissions.filter((entry) => !isPlain(entry));
  const lists = { logins, quotas, effects, idempotency, transactions, permissions };
  const none = Object.values(lists).every((list) => list.length === 0);
  if (none && state.session === undefined) return {};
  return { service: { ...lists, ...(state.session !== undefined && { session: state.session }) } };
}

/** A permission that only forbids tools, whoever calls: a condition like any other. */
function isPlain({ allow, roles, rows }: PermissionSpec): boolean {
  return !allow && roles === undefined && rows === undefined;
}

function withGenerate(
  entities: ToolWorldSpec['entities'],
  generate: Readonly<Record<string, number>>,
): ToolWorldSpec['entities'] {
  const merged = new Map(Object.entries(entities));
  for (const [name, rows] of Object.entries(generate))
    merged.set(name, { ...merged.get(name), generate: rows });
  return Object.fromEntries(merged);
}

function conditionsOf(file: WorldFile, state: McpState): Condition[] {
  const services = Object.entries(state.services)
    .filter(([, service]) => service.status === 'down')
    .map(([name, { on, error }]) => ({
      on,
      expr: 'false',
      error: error ?? `service ${literal(name)} is unavailable`,
      cause: 'unavailable' as const,
    }));
  const permissions = state.permissions.filter(isPlain).map(({ on, when, error }) => ({
    on,
    expr: when === undefined ? 'false' : `!(${when})`,
    error: error ?? 'permission denied',
    cause: 'permission' as const,
  }));
  const rules = file.rules.map(({ on, require, error, cause }) => ({
    on,
    expr: require,
    error,
    ...(cause !== undefined && { cause }),
  }));
  return [...services, ...permissions, ...rules];
}

/** A name inside a template, where braces must be doubled. */
function literal(name: string): string {
  return name.replace(/[{}]/g, (brace) => brace + brace);
}

function requiresOf(tools: readonly string[], conditions: readonly Condition[]): ToolWorldSpec['requires'] {
  const globs = conditions.flatMap(({ on, ...condition }) => {
    const glob = compileGlob(on);
    return glob.ok ? [{ glob: glob.value, condition }] : [];
  });
  const found = tools.flatMap((tool): [string, Omit<Condition, 'on'>[]][] => {
    const matching = globs.filter(({ glob }) => glob.matches(tool));
    return matching.length === 0 ? [] : [[tool, matching.map(({ condition }) => condition)]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
