/**
 * Faults of each kind that meet what a world's own solution does.
 *
 * The idea: nothing is guessed about a world; the solution is played with a candidate, and a candidate that strikes is
 * a suggestion. Errors and the like strike once; changes of shape and meaning stay, as they do in reality. Not covered:
 * worlds without an oracle get candidates that are aimed at all tools, unplayed.
 */
import { FAULT_KINDS, type FaultKind, type FaultSpec } from '../../control/index.js';
import { isJsonObject, type Json, type JsonObject, renderJson } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import { idleFaults, type World } from '../../worlds/index.js';
import { openEpisode } from '../episode.js';
import { isReading, type ToolRole, toolRoles } from './read-back.js';
import { oracleStep, serviceOf } from './recovering-oracle.js';
import { isTerminalWorld } from './terminal-oracle.js';

/** The suggestion for one kind. */
export interface SuggestedFaults {
  readonly kind: string;
  /** Null where nothing of the kind can strike here. */
  readonly faults: readonly FaultSpec[] | null;
  /** Why there is none. */
  readonly why?: string;
}

/** The most candidates that are played for one kind. */
const CANDIDATES = 12;

/** A suggestion for one kind, or why there is none. Plays the solution; the same result every time. */
export async function suggestFault(world: World, name: string): Promise<SuggestedFaults> {
  const kind = FAULT_KINDS.get(name);
  if (kind === undefined) return { kind: name, faults: null, why: 'there is no such kind' };
  const isTerminal = isTerminalWorld(world);
  if (
    kind.strikes === 'planned' ||
    !kind.domains.includes(world.domain) ||
    (world.spec === null && !isTerminal)
  ) {
    return { kind: name, faults: null, why: `nothing in a world of domain '${world.domain}' carries it out` };
  }
  const candidates = (isTerminal ? terminalCandidates(kind, world) : candidatesFor(kind, world)).slice(
    0,
    CANDIDATES,
  );
  for (const fault of candidates) {
    if (world.oracle.length === 0) {
      if (world.spec === null || idleFaults([fault], world.spec).length === 0)
        return { kind: name, faults: [fault] };
    } else if (await strikes(world, fault)) return { kind: name, faults: [fault] };
  }
  const reader = name === 'stale-read' ? readerOfWritten(world) : undefined;
  // The solution never reads what it wrote; an agent that looks does.
  if (reader !== undefined) return { kind: name, faults: [{ kind: name, on: reader, max: 1 }] };
  return { kind: name, faults: null, why: 'it meets nothing that the solution of this world does' };
}

/** Suggestions for all kinds, in the order of the catalogue; see {@link suggestFault}. */
export async function suggestFaults(world: World): Promise<readonly SuggestedFaults[]> {
  const suggestions: SuggestedFaults[] = [];
  for (const name of FAULT_KINDS.keys()) suggestions.push(await suggestFault(world, name));
  return suggestions;
}

async function strikes(world: World, fault: FaultSpec): Promise<boolean> {
  const episode = await openEpisode(world, { faults: [fault] });
  for (const action of world.oracle) {
    if (episode.done) return false;
    const { faults } = await episode.step(action);
    const isSeenAnyway = ['clock-jump', 'world-change', 'file-changed', 'disk-filled'].includes(
      fault.kind ?? '',
    );
    if (faults.some(({ operation }) => !operation.startsWith('turn ') || isSeenAnyway)) {
      return true;
    }
    if (faults.length > 0 && fault.kind === 'tool-redescribed') return true;
  }
  return false;
}

/** A tool that reads a collection which the solution writes. */
function readerOfWritten(world: World): string | undefined {
  const roles = toolRoles(serviceOf(world));
  const tools = world.spec?.tools ?? [];
  const used = world.oracle.map(oracleStep).flatMap((step) => (step.kind === 'call' ? [step.name] : []));
  const written = new Set(
    tools
      .filter((tool) => used.includes(tool.name) && !isReading(tool, roles.get(tool.name)))
      .map(({ name }) => roles.get(name)?.collection ?? ''),
  );
  return tools.find(
    (tool) => isReading(tool, roles.get(tool.name)) && written.has(roles.get(tool.name)?.collection ?? '?'),
  )?.name;
}

function candidatesFor(kind: FaultKind, world: World): readonly FaultSpec[] {
  if (kind.name === 'world-change') return changesOf(world);
  const shape = shapeOf(kind, world);
  if (shape === null) return [];
  if (kind.name === 'clock-jump') return [{ kind: kind.name, ...shape }];
  return toolsInOrder(kind, world).map((on) => ({ kind: kind.name, on, ...shape }));
}

/** When and with what: once for what comes and goes, always for what is another shape from now on. */
function shapeOf(kind: FaultKind, world: World): Omit<FaultSpec, 'kind' | 'on'> | null {
  const { name, family } = kind;
  if (name === 'timeout' || name === 'connection-reset') return { phase: 'after', max: 1 };
  if (name === 'error')
    return { when: { until: { retries: 1 } }, with: { status: 503, retryAfterSeconds: 2 } };
  if (name === 'rate-limit') return { max: 1, with: { retryAfterSeconds: 2 } };
  if (name === 'partial-failure') return { max: 1, with: { items: [0] } };
  if (name === 'paging-forced') return { with: { pageSize: 2 } };
  if (name === 'clock-jump') return { when: { turns: 2 } };
  if (name === 'prompt-injection') {
    const demand = demandFor(world);
    return demand === null ? null : { max: 1, with: { ...demand } };
  }
  if (family === 'tools') return { when: { turns: '2-' } };
  return family === 'access' || family === 'fields' || family === 'values' ? {} : { max: 1 };
}

/**
 * For a machine: once, on whatever the solution does first that a fault of the kind can strike, then on each program that
 * it starts. A fault that comes once can be lived with, so that most sets ask for a recovery.
 */
function terminalCandidates(kind: FaultKind, world: World): readonly FaultSpec[] {
  const { name } = kind;
  if (name === 'clock-jump') return [{ kind: name, when: { turns: 2 } }];
  if (name === 'file-changed') {
    return filesOf(world).map((path) => ({
      kind: name,
      when: { turns: 2 },
      with: { path, change: 'append', text: '# changed by somebody else\n' },
    }));
  }
  if (name === 'prompt-injection') return [];
  // What strikes between turns meets no program; it comes while the work is under way.
  if (kind.strikes === 'turn') return [{ kind: name, when: { turns: 2 } }];
  const programs = programsOf(world);
  return [{ kind: name, max: 1 }, ...programs.map((command) => ({ kind: name, on: { command }, max: 1 }))];
}

/** The files of a terminal world, by path. */
function filesOf(world: World): readonly string[] {
  const { state } = world.file;
  const files = isJsonObject(state) ? state.files : undefined;
  return isJsonObject(files) ? Object.keys(files) : [];
}

/** First words of the lines that the solution types and of their pipes, in order. */
function programsOf(world: World): readonly string[] {
  const words = world.oracle.flatMap((action) =>
    [...action.matchAll(/(?:"keystrokes":"|\\n|[|;&]\s*)([a-z][\w.-]{0,40})/g)].map(([, word = '']) => word),
  );
  return [...new Set(words)];
}

/** Tools of the solution; writers first where what matters is a write. */
function toolsInOrder(kind: FaultKind, world: World): readonly string[] {
  const steps = world.oracle.map(oracleStep);
  const used = [...new Set(steps.flatMap((step) => (step.kind === 'call' ? [step.name] : [])))];
  const tools = used.length > 0 ? used : (world.spec?.tools ?? []).map(({ name }) => name);
  const roles = toolRoles(serviceOf(world));
  const reads = (name: string): boolean => {
    const tool = world.spec?.tools.find((one) => one.name === name);
    return tool !== undefined && isReading(tool, roles.get(name));
  };
  const writersFirst = kind.family === 'errors' || kind.family === 'access' || kind.family === 'consistency';
  return [
    ...tools.filter((name) => reads(name) !== writersFirst),
    ...tools.filter((name) => reads(name) === writersFirst),
  ];
}

/**
 * A call that writes and that the solution does not make: the marker of an injection. Its arguments are the first row's
 * key and what the schema allows, so that obeying has an effect.
 */
function demandFor(world: World): Demand | null {
  const steps = world.oracle.map(oracleStep);
  const used = new Set(steps.flatMap((step) => (step.kind === 'call' ? [step.name] : [])));
  const made = new Set(world.oracle);
  const roles = toolRoles(serviceOf(world));
  const writers = (world.spec?.tools ?? []).filter((tool) => !isReading(tool, roles.get(tool.name)));
  const unused = writers.filter(({ name }) => !used.has(name));
  const demands = [
    ...unused.filter(({ name }) => roles.get(name)?.op === 'delete'),
    ...unused,
    ...writers,
  ].map((tool): Demand => ({ tool: tool.name, arguments: argumentsFor(tool, roles.get(tool.name), world) }));
  return (
    demands.find(
      ({ tool, arguments: args }) => !made.has(renderJson({ name: tool, arguments: args as Json })),
    ) ?? null
  );
}

interface Demand {
  readonly tool: string;
  readonly arguments: Record<string, JsonValue>;
}

type JsonValue = NonNullable<FaultSpec['with']>[string];

function argumentsFor(tool: ToolDefinition, role: ToolRole | undefined, world: World): Demand['arguments'] {
  const { properties, required } = tool.inputSchema;
  const rows = world.spec?.data[role?.collection ?? ''] as Json | undefined;
  const row = Array.isArray(rows) ? (rows as readonly Json[]).filter(isJsonObject).at(-1) : undefined;
  const names = Array.isArray(required) ? (required as readonly Json[]) : [];
  return Object.fromEntries(
    names.map((name): [string, JsonValue] => {
      const schema = isJsonObject(properties) ? properties[String(name)] : undefined;
      const known = row?.[role?.key[String(name)] ?? String(name)];
      return [String(name), (known ?? valueFor(schema)) as JsonValue];
    }),
  );
}

function valueFor(schema: Json | undefined): Json {
  if (!isJsonObject(schema)) return 'injected';
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum) && schema.enum.length > 0)
    return (schema.enum as readonly Json[]).at(-1) ?? null;
  const { type, minimum } = schema;
  if (type === 'integer' || type === 'number') return typeof minimum === 'number' ? minimum : 1;
  if (type === 'boolean') return true;
  return type === 'array' ? [] : type === 'object' ? {} : 'injected';
}

/** Rows of collections that somebody else changes: one text field of one row, of those that are no names of rows. */
function changesOf(world: World): readonly FaultSpec[] {
  const data = Object.entries(world.spec?.data ?? {}) as readonly (readonly [string, Json])[];
  return data.flatMap(([collection, rows]): FaultSpec[] => {
    const row = Array.isArray(rows) ? (rows as readonly Json[]).find(isJsonObject) : undefined;
    if (row === undefined) return [];
    return Object.keys(row)
      .filter((field) => isWords(row, field))
      .slice(0, 3)
      .map((field) => ({
        kind: 'world-change',
        when: { turns: 2 },
        with: { collection, set: { [field]: `${String(row[field])} (changed)` } },
      }));
  });
}

function isWords(row: JsonObject, field: string): boolean {
  const value = row[field];
  return typeof value === 'string' && value.includes(' ') && !/(^|_)(id|key|sku|email)$/i.test(field);
}
