/**
 * A trajectory out of what a log says: tools, server and turns, in core's form.
 */
import {
  type Domain,
  isJsonObject,
  type Json,
  type JsonObject,
  renderJson,
  TRAJECTORY_VERSION,
  type Trajectory,
} from '../../core/index.js';
import type { CallPairs } from './pair-calls.js';

/** What a log says beside its turns. */
export interface LoggedFacts {
  readonly id: string;
  readonly dataset: string;
  readonly file: string;
  /** Who acted, where the log says so. */
  readonly agent?: string | undefined;
  /** The version of the writing program. */
  readonly version?: string | undefined;
  /** Default: `mcp`. */
  readonly domain?: Domain;
  /** The agent's system prompt, or the server's instructions. */
  readonly text?: string | undefined;
  /** The tools as the log lists them, in whatever form. */
  readonly tools?: readonly Json[] | undefined;
  readonly meta?: JsonObject;
}

/** The action of a tool call; arguments that are no object are kept as they are. */
export function toolAction(name: string, args: Json): string {
  return renderJson({ name, arguments: args });
}

/** The trajectory, or none where there were no calls at all. A later part of a session begins with a gap. */
export function loggedTrajectory(pairs: CallPairs, facts: LoggedFacts): readonly Trajectory[] {
  if (pairs.isEmpty) return [];
  const { part } = pairs;
  const { turns, gaps: missing } = pairs.finish();
  const { id, dataset, file, agent, version, domain = 'mcp', text = '', tools = [], meta = {} } = facts;
  const gaps = part > 0 && turns.length > 0 ? [...new Set([0, ...missing])] : missing;
  return [
    {
      trajectory: TRAJECTORY_VERSION,
      id: part === 0 ? id : `${id}~${part + 1}`,
      domain,
      source: {
        dataset,
        file,
        ...(agent !== undefined && { agent }),
        ...(version !== undefined && { version }),
      },
      system: {
        text,
        demonstrations: [],
        ...(tools.length > 0 && { actionSpace: renderJson([...tools]) }),
      },
      ...(gaps.length > 0 && { gaps }),
      meta: { ...meta, ...(part > 0 && { part: part + 1 }) },
      turns,
    },
  ];
}

/** A text out of content that is a text, a list of parts with texts, or anything else (then as JSON). */
export function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) return renderJson(content);
  return content.map((part: Json) => partText(part)).join('\n');
}

function partText(part: Json): string {
  if (typeof part === 'string') return part;
  if (!isJsonObject(part)) return renderJson(part);
  if (typeof part.text === 'string') return part.text;
  if (part.type === 'image' || part.type === 'image_url' || part.type === 'input_image') return '[image]';
  return renderJson(part);
}
