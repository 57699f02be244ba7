/**
 * From a world file of domain mcp to what the tools engine opens.
 *
 * `rules`, `permissions` and `services` are conditions on tools by glob; they become the `requires` of each tool that
 * they match, services first, then permissions, then rules. The engine checks them whether the tool's effect is
 * inferred or written as an override.
 */
import type { ToolWorldSpec } from '../engines/index.js';
import { compileGlob } from '../rules/index.js';
import { type McpState, McpStateSchema } from './mcp-state.js';
import { ONCE } from './schema-problems.js';
import type { WorldFile } from './world-file.js';

interface Condition {
  readonly on: string;
  readonly expr: string;
  readonly error: string;
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
    ...(requires !== undefined && { requires }),
    strict: file.strict,
    startMs: Date.parse(state.clock),
  };
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

/** A name inside a template, where braces must be doubled. */
function literal(name: string): string {
  return name.replace(/[{}]/g, (brace) => brace + brace);
}

function requiresOf(tools: readonly string[], conditions: readonly Condition[]): ToolWorldSpec['requires'] {
  const globs = conditions.flatMap(({ on, expr, error }) => {
    const glob = compileGlob(on);
    return glob.ok ? [{ glob: glob.value, expr, error }] : [];
  });
  const found = tools.flatMap((tool): [string, { expr: string; error: string }[]][] => {
    const matching = globs.filter(({ glob }) => glob.matches(tool));
    return matching.length === 0 ? [] : [[tool, matching.map(({ expr, error }) => ({ expr, error }))]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
