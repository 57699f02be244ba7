/**
 * The stream of `codex exec --json`: items that start and complete.
 *
 * An item is call and answer in one: what it runs stands in it from its start, what came of it when it has completed. An
 * item that never completes is a call without an answer. Commands and calls of MCP tools become turns; file changes, web
 * searches, messages and plans have no words of an environment and are counted. Source: its documentation.
 */
import { isJsonObject, type Json, type JsonObject, type Trajectory } from '../../core/index.js';
import type { ImportContext, ValuePlace } from './import-format.js';
import { contentText, loggedTrajectory, toolAction } from './logged-trajectory.js';
import { CallPairs } from './pair-calls.js';
import { domainOfCodingAgent } from './tool-domain.js';

/** True for an event of the stream. */
export function isExecEvent(value: Json): boolean {
  return (
    isJsonObject(value) &&
    typeof value.type === 'string' &&
    /^(?:thread|turn|item)\.[a-z_]+$/.test(value.type)
  );
}

/** Reads the events of one file. */
export class CodexStream {
  private pairs: CallPairs;
  private readonly open = new Set<string>();
  private thread: string | undefined;
  private threads = 0;

  constructor(private readonly context: ImportContext) {
    this.pairs = new CallPairs(context.tally);
  }

  take(event: JsonObject, place: ValuePlace): readonly Trajectory[] {
    const { type, item } = event;
    if (type === 'thread.started') {
      const closed = this.end();
      this.thread = typeof event.thread_id === 'string' ? event.thread_id : undefined;
      return closed;
    }
    if (!isJsonObject(item)) {
      this.context.tally.skip(`event ${String(type)}`);
      return [];
    }
    const action = actionOf(item);
    if (action === undefined) {
      if (type === 'item.completed') this.context.tally.skip(`item ${String(item.type ?? item.item_type)}`);
      return [];
    }
    const id = typeof item.id === 'string' ? item.id : `line ${place.line}`;
    if (!this.open.has(id)) {
      this.open.add(id);
      this.pairs.call({ id, name: action.name, action: toolAction(action.name, action.args), place });
    }
    if (type === 'item.completed') {
      this.open.delete(id);
      this.pairs.answer({ id, place, ...answerOf(item) });
    }
    return this.pairs.isFull ? this.finish() : [];
  }

  end(): readonly Trajectory[] {
    const made = this.finish();
    this.pairs = new CallPairs(this.context.tally);
    this.open.clear();
    return made;
  }

  private finish(): readonly Trajectory[] {
    const { file } = this.context;
    if (this.pairs.isEmpty) return [];
    if (this.pairs.part === 0) this.threads += 1;
    return loggedTrajectory(this.pairs, {
      id: `${file}#${this.thread ?? this.threads}`,
      dataset: 'codex',
      file,
      agent: 'codex',
      domain: domainOfCodingAgent(this.pairs.toolNames),
    });
  }
}

function actionOf(item: JsonObject): { readonly name: string; readonly args: Json } | undefined {
  const type = item.type ?? item.item_type;
  if (type === 'command_execution') return { name: 'exec_command', args: { cmd: item.command ?? '' } };
  if (type !== 'mcp_tool_call') return undefined;
  return { name: `mcp__${String(item.server)}__${String(item.tool)}`, args: item.arguments ?? {} };
}

function answerOf(item: JsonObject): {
  readonly observation: string;
  readonly isError: boolean;
  readonly meta?: JsonObject;
} {
  if (typeof item.aggregated_output === 'string') {
    const code = item.exit_code;
    return {
      observation: item.aggregated_output,
      isError: false,
      ...(typeof code === 'number' && { meta: { exitCode: code } }),
    };
  }
  const { result, error } = item;
  if (isJsonObject(error)) return { observation: String(error.message ?? ''), isError: true };
  const content = isJsonObject(result) ? (result.content ?? result) : result;
  return { observation: contentText(content), isError: item.status === 'failed' };
}
