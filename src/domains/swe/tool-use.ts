/**
 * What a tool call of a coding agent does, read with the profiles: one value whatever the harness.
 */
import { isJsonObject, type Json, type JsonObject, type ToolCall } from '../../core/index.js';
import {
  type ProfileTool,
  TOOL_PROFILES,
  type ToolField,
  type ToolKind,
  type ToolProfile,
} from './tool-profiles.js';

/** A call by what it does. */
export interface ToolUse {
  /** The profile by which it was read. */
  readonly profile: string;
  readonly kind: ToolKind;
  /** Arguments under common names, as they were given. */
  readonly fields: Readonly<Partial<Record<ToolField, Json>>>;
}

const OTHER_PATHS = ['file_path', 'absolute_path', 'path', 'filename', 'target_file', 'filePath'];

function toolOf(profile: ToolProfile, name: string): ProfileTool | undefined {
  return Object.hasOwn(profile.tools, name) ? profile.tools[name] : undefined;
}

/**
 * The profile whose tools these names are: the one that knows most of them, of equals the first in the list; undefined
 * where none knows at least half.
 */
export function detectToolProfile(names: readonly string[]): ToolProfile | undefined {
  const distinct = [...new Set(names)];
  const known = TOOL_PROFILES.map(
    (profile) => distinct.filter((name) => toolOf(profile, name) !== undefined).length,
  );
  const best = Math.max(0, ...known);
  return best * 2 >= distinct.length && best > 0 ? TOOL_PROFILES[known.indexOf(best)] : undefined;
}

/** Names that tools of any kind have; they tell nothing of an agent. */
const GENERAL: ReadonlySet<string> = new Set(
  'open create insert goto scroll_up scroll_down submit finish think'.split(' '),
);

const CODING_NAMES: ReadonlySet<string> = new Set(
  TOOL_PROFILES.flatMap(({ tools }) => Object.keys(tools).map((name) => name.toLowerCase())).filter(
    (name) => !GENERAL.has(name),
  ),
);

/** True for a name that, in any case of letters, only tools of coding agents have. */
export function isCodingTool(name: string): boolean {
  return CODING_NAMES.has(name.toLowerCase());
}

/** What a call does; null where no profile (or not the given one) knows its tool. */
export function toolUseOf(call: ToolCall, profile?: ToolProfile): ToolUse | null {
  const candidates = (profile === undefined ? TOOL_PROFILES : [profile]).flatMap((one) => {
    const tool = toolOf(one, call.name);
    return tool === undefined ? [] : [{ profile: one, tool }];
  });
  // The same name in two harnesses: the one whose arguments are there.
  const fitting = candidates.find(({ tool }) =>
    Object.values(tool.fields).some((name) => Object.hasOwn(call.arguments, name)),
  );
  const found = fitting ?? candidates[0];
  if (found === undefined) return null;
  const { tool } = found;
  const fields: [ToolField, Json][] = [];
  for (const [field, name] of Object.entries(tool.fields) as [ToolField, string][]) {
    const value = argument(call.arguments, name, field);
    if (value !== undefined) fields.push([field, value]);
  }
  return {
    profile: found.profile.name,
    kind: kindOf(tool, call.arguments),
    fields: Object.fromEntries(fields),
  };
}

function argument(args: JsonObject, name: string, field: ToolField): Json | undefined {
  if (Object.hasOwn(args, name)) return args[name];
  if (field !== 'path') return undefined;
  return OTHER_PATHS.map((other) => (Object.hasOwn(args, other) ? args[other] : undefined)).find(
    (value) => value !== undefined,
  );
}

function kindOf({ kind, by }: ProfileTool, args: JsonObject): ToolKind {
  const value = by === undefined ? undefined : args[by.field];
  return typeof value === 'string' && by !== undefined && Object.hasOwn(by.kinds, value)
    ? (by.kinds[value] ?? kind)
    : kind;
}

/** The command that a call gives to a shell, a list of words joined; null for other calls. */
export function shellCommandOf(call: ToolCall): string | null {
  const use = toolUseOf(call);
  const command = use?.kind === 'shell' ? use.fields.command : undefined;
  if (typeof command === 'string') return command;
  if (Array.isArray(command)) return (command as readonly Json[]).map(String).join(' ');
  const { action } = call.arguments;
  return isJsonObject(action) && Array.isArray(action.command)
    ? (action.command as readonly Json[]).map(String).join(' ')
    : null;
}
