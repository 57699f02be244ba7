/**
 * A world file out of a list of tools: it loads and plays at once, and says in comments what the engine believes the
 * tools do.
 *
 * The tools stand inline, whole and unchanged. Data is generated from the seed. The task and `success` are a modest
 * but real beginning (`first-task.ts`); an author replaces them.
 */
import {
  fail,
  type Json,
  type JsonObject,
  ok,
  type Result,
  type UmweltError,
  UsageError,
  WorldError,
} from '../core/index.js';
import { readToolList, type ToolList } from '../domains/index.js';
import { describeService, inferService } from '../engines/index.js';
import { loadWorld } from '../worlds/index.js';
import { type FirstTask, firstTask } from './first-task.js';
import { renderYaml } from './world-yaml.js';

/** How to name and seed the world. */
export interface WorldFromToolsOptions {
  /** Lower-case words joined by hyphens. */
  readonly name: string;
  /** Default: the name. */
  readonly title?: string;
  /** Seed of the generated data. Default: 1. */
  readonly seed?: number;
  /** How the real server introduces itself. Default: the name, version 1.0.0. */
  readonly server?: { readonly name: string; readonly version: string };
  /** The server's instructions to its clients. */
  readonly instructions?: string;
  /** As listed; kept whole. */
  readonly resources?: readonly JsonObject[];
  /** As listed; kept under `x-resource-templates`, because nothing serves them yet. */
  readonly resourceTemplates?: readonly JsonObject[];
  /** As listed; kept whole. */
  readonly prompts?: readonly JsonObject[];
  /** Where editors find the JSON schema, relative to the file. Default: in the installed package. */
  readonly schemaPath?: string;
}

/**
 * Makes the text of a world file from any list of tools (an MCP `tools/list` answer, a bare list, function lists of
 * model providers). Deterministic. Fails with `usage/bad-argument` for an impossible name or seed and with
 * `world/invalid` for what holds no tools; a tool that cannot be read is left out and named in a comment.
 */
export function worldFromTools(
  toolListJson: Json,
  options: WorldFromToolsOptions,
): Result<string, UmweltError> {
  const { name, seed = 1 } = options;
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > 100) {
    const message = `the name ${JSON.stringify(name)} is not usable; wanted lower-case words joined by hyphens`;
    return fail(new UsageError(message, { code: 'usage/bad-argument', data: { seen: name } }));
  }
  if (!Number.isSafeInteger(seed)) {
    const message = `the seed ${seed} is not usable; wanted a whole number below 2^53`;
    return fail(new UsageError(message, { code: 'usage/bad-argument', data: { seen: seed } }));
  }
  const list = readToolList(toolListJson);
  if (!list.ok)
    return fail(new WorldError(list.error.message, { code: 'world/invalid', data: { ...list.error } }));
  if (list.value.tools.length === 0) {
    return fail(
      new WorldError('the list has no tools; a world needs at least one', { code: 'world/invalid' }),
    );
  }
  const bare = loadWorld(renderWorld(list.value, { ...options, seed }, {}));
  if (!bare.ok) return bare;
  const text = renderWorld(list.value, { ...options, seed }, firstTask(bare.value));
  const loaded = loadWorld(text);
  return loaded.ok ? ok(text) : loaded;
}

function renderWorld(
  list: ToolList,
  options: WorldFromToolsOptions & { seed: number },
  task: FirstTask | Record<string, never>,
): string {
  const world = {
    world: 1,
    name: options.name,
    domain: 'mcp',
    title: options.title ?? options.name,
    seed: options.seed,
    ...task,
    budget: { maxTurns: 50 },
    state: { server: options.server ?? { name: options.name, version: '1.0.0' } },
    ...(options.instructions !== undefined && { serverInstructions: options.instructions }),
    ...listed('resources', options.resources),
    ...listed('x-resource-templates', options.resourceTemplates),
    ...listed('prompts', options.prompts),
    tools: list.tools,
  };
  const schema = plain(options.schemaPath ?? './node_modules/umwelt/world.schema.json');
  return `# yaml-language-server: $schema=${schema}\n${renderSummary(list)}${renderYaml(world)}`;
}

/** A key for a list that has something in it. */
function listed(key: string, list: readonly JsonObject[] = []): Record<string, readonly JsonObject[]> {
  return list.length === 0 ? {} : { [key]: list };
}

function renderSummary(list: ToolList): string {
  const spec = { tools: [...list.tools], data: {}, entities: {}, overrides: {}, strict: false };
  const notes = [...list.problems, ...list.warnings].map(({ path, message }) => `${path}: ${message}`);
  const lines = [
    'What the engine believes these tools do. Correct it with `entities` and `overrides` (docs/WORLDS.md).',
    ...describeService(inferService(spec)).split('\n'),
    ...(notes.length === 0 ? [] : ['About the list:', ...notes]),
  ];
  return lines.map((line) => (line.trim() === '' ? '#\n' : `# ${plain(line)}\n`)).join('');
}

/** A comment must stay one line, whatever a tool is called. */
function plain(line: string): string {
  return line.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ').trimEnd();
}
