/**
 * What a twin is learned from: tools, server and calls, out of imported trajectories.
 *
 * Tools are those that the recording lists; where it lists none they are made of the calls seen. Calls keep their exact
 * texts, structured parts and content blocks. A turn that is no tool call, or has no observation, is counted.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  type Trajectory,
  type Turn,
} from '../../core/index.js';
import { mcpFormat, readToolList, type ToolDefinition } from '../../domains/index.js';
import type { NestedNames } from './nested-names.js';
import { toolsFromCalls } from './tools-from-calls.js';

/** One recorded call. */
export interface TwinCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly text: string;
  readonly value?: Json;
  readonly content?: readonly JsonObject[];
  readonly isError: boolean;
  /** Ids of a whole and its parts that the call made, where it made such. */
  readonly made?: { readonly names: NestedNames; readonly whole: Json; readonly parts: readonly Json[] };
  /** Milliseconds since 1970 UTC, or null where the recording has no times. */
  readonly atMs: number | null;
}

/** Everything that was recorded of one service. */
export interface TwinSource {
  readonly tools: readonly ToolDefinition[];
  /** True if the recording did not list its tools. */
  readonly isInferred: boolean;
  readonly server?: { readonly name: string; readonly version: string };
  readonly instructions?: string;
  /** One list of calls per trajectory, in order. */
  readonly sessions: readonly (readonly TwinCall[])[];
  /** Turns that are no calls. */
  readonly left: number;
  readonly notes: readonly string[];
}

/** Reads the source of a twin. */
export function twinSource(trajectories: readonly Trajectory[]): TwinSource {
  const tools = new Map<string, ToolDefinition>();
  const notes: string[] = [];
  let server: TwinSource['server'];
  let instructions: string | undefined;
  let left = 0;
  const sessions: TwinCall[][] = [];
  for (const trajectory of trajectories) {
    for (const tool of listedTools(trajectory, notes)) tools.set(tool.name, tool);
    const { server: named, instructions: said } = trajectory.meta as JsonObject;
    if (isJsonObject(named) && typeof named.name === 'string' && named.name !== '') {
      const version = typeof named.version === 'string' && named.version !== '' ? named.version : '0.0.0';
      server = { name: named.name, version };
    }
    if (typeof said === 'string') instructions = said;
    const calls = trajectory.turns.flatMap((turn) => callOf(turn) ?? []);
    left += trajectory.turns.length - calls.length;
    sessions.push(calls);
  }
  const isInferred = tools.size === 0;
  return {
    tools: isInferred ? toolsFromCalls(sessions.flat()) : [...tools.values()],
    isInferred,
    ...(server !== undefined && { server }),
    ...(instructions !== undefined && { instructions }),
    sessions: sessions.filter((calls) => calls.length > 0),
    left,
    notes,
  };
}

function listedTools({ system }: Trajectory, notes: string[]): readonly ToolDefinition[] {
  const parsed = system.actionSpace === undefined ? undefined : parseJson(system.actionSpace);
  const list = parsed?.ok === true ? readToolList(parsed.value) : undefined;
  if (list?.ok !== true) return [];
  for (const { path, message } of list.value.problems) notes.push(`${path}: ${message}`);
  return list.value.tools;
}

function callOf(turn: Turn): TwinCall | undefined {
  const parsed = mcpFormat.parseAction(turn.action);
  if (parsed.kind !== 'tool-call' || turn.observation === null) return undefined;
  const result = isJsonObject(turn.meta?.result as Json | undefined) ? (turn.meta?.result as JsonObject) : {};
  const { structuredContent, content } = result;
  const at = turn.meta?.startedAt === undefined ? Number.NaN : Date.parse(turn.meta.startedAt);
  return {
    tool: parsed.name,
    args: parsed.arguments,
    text: turn.observation,
    ...(structuredContent !== undefined && { value: structuredContent }),
    ...(Array.isArray(content) && !isOneText(content) && { content: content as readonly JsonObject[] }),
    isError: turn.meta?.isError === true,
    atMs: Number.isNaN(at) ? null : at,
  };
}

function isOneText(content: readonly Json[]): boolean {
  const [block] = content;
  return (
    content.length === 1 && isJsonObject(block) && block.type === 'text' && Object.keys(block).length === 2
  );
}
