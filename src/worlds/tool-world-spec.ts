/**
 * From a world file of domain mcp to what the tools engine opens.
 *
 * `rules`, `permissions` and `services` are conditions on tools by glob; they become `require` entries of each tool
 * that they match, services first, then permissions, then rules, then the tool's own. A tool that has no override
 * gets one that says what inference says already, so nothing else about it changes.
 */
import { fail, ok, type Result } from '../core/index.js';
import { inferService, type OverrideSpec, type ToolWorldSpec } from '../engines/index.js';
import { compileGlob } from '../rules/index.js';
import { type McpState, McpStateSchema } from './mcp-state.js';
import type { WorldFile } from './world-file.js';

interface Condition {
  readonly on: string;
  readonly expr: string;
  readonly error: string;
}

/** Builds the specification; `id` is the world's content hash. The error names a tool that needs an override. */
export function toolWorldSpec(file: WorldFile, id: string): Result<ToolWorldSpec, string> {
  const state = McpStateSchema.parse(file.state);
  const overrides = applyConditions(file, conditionsOf(file, state));
  if (!overrides.ok) return overrides;
  const entities: Record<string, ToolWorldSpec['entities'][string]> = { ...file.entities };
  for (const [name, generate] of Object.entries(state.generate))
    entities[name] = { ...entities[name], generate };
  return ok({
    id,
    ...(state.server !== undefined && { server: state.server }),
    tools: file.tools ?? [],
    data: state.data,
    entities,
    overrides: overrides.value,
    strict: file.strict,
    startMs: Date.parse(state.clock),
  });
}

function conditionsOf(file: WorldFile, state: McpState): Condition[] {
  const services = Object.entries(state.services)
    .filter(([, service]) => service.status === 'down')
    .map(([name, { on, error }]) => ({
      on,
      expr: 'false',
      error: error ?? `service ${name} is unavailable`,
    }));
  const permissions = state.permissions
    .filter(({ allow }) => !allow)
    .map(({ on, when, error }) => ({
      on,
      expr: when === undefined ? 'false' : `!(${when})`,
      error: error ?? 'permission denied',
    }));
  const rules = file.rules.map(({ on, require, error }) => ({ on, expr: require, error }));
  return [...services, ...permissions, ...rules];
}

type Overrides = Record<string, OverrideSpec>;

function applyConditions(file: WorldFile, conditions: readonly Condition[]): Result<Overrides, string> {
  const overrides: Overrides = { ...file.overrides };
  if (conditions.length === 0) return ok(overrides);
  const tools = file.tools ?? [];
  const model = inferService(tools);
  for (const { name } of tools) {
    const require = conditions
      .filter(({ on }) => matches(on, name))
      .map(({ expr, error }) => ({ expr, error }));
    if (require.length === 0) continue;
    const own = overrides[name] ?? inferredOverride(model.plans[name]);
    if (own === null) {
      return fail(
        `tool ${name} has a rule but its effect is not known; add it to \`overrides\` with an \`op\``,
      );
    }
    overrides[name] = { ...own, require: [...require, ...(own.require ?? [])] };
  }
  return ok(overrides);
}

function matches(glob: string, name: string): boolean {
  const compiled = compileGlob(glob);
  return compiled.ok && compiled.value.matches(name);
}

const OVERRIDE_OPS: readonly string[] = ['create', 'get', 'list', 'search', 'update', 'upsert', 'delete'];

type PlanOf = ReturnType<typeof inferService>['plans'][string];

function inferredOverride(plan: PlanOf | undefined): OverrideSpec | null {
  if (plan === undefined || !OVERRIDE_OPS.includes(plan.op) || plan.cases !== undefined) return null;
  const renames = Object.entries(plan.writes ?? {}).some(([argument, field]) => argument !== field);
  if (renames || plan.batch !== undefined || plan.sets !== undefined) return null;
  return {
    op: plan.op as OverrideSpec['op'],
    ...(plan.collection !== undefined && { collection: plan.collection }),
    ...(plan.key !== undefined && { key: { ...plan.key } }),
  };
}
