/**
 * Calls one tool of a real server and tells apart what the server said from what went wrong on the way.
 *
 * A JSON-RPC error is an answer, as real as a result; a lost connection or a time-out is a failure. The text is what
 * an agent sees: structured content is shown only where there is no text (hard case P-MCP-4). Results are not
 * checked against output schemas: what the server really sends is what is wanted. Not covered: headers mirrored from
 * arguments (`x-mcp-header`), questions of the server in the middle of a call.
 */
import { CaptureError, fail, isJsonObject, type JsonObject, ok, type Result } from '../core/index.js';
import { renderToolResult, ToolResultSchema } from '../domains/index.js';
import type { ServerConnection } from './connect-server.js';

/** What a server answered. */
export type ToolAnswer =
  | {
      readonly kind: 'result';
      /** As sent, big integers exact. */
      readonly result: JsonObject;
      readonly isError: boolean;
      /** What an agent sees; undefined for a result that is none by the specification. */
      readonly text: string | undefined;
    }
  | {
      readonly kind: 'rpc-error';
      readonly code: number;
      readonly message: string;
      readonly data?: unknown;
    };

/** One call. */
export interface ToolCallRequest {
  readonly name: string;
  readonly arguments: JsonObject;
  /** Default 60,000. */
  readonly timeoutMs?: number;
}

/** Calls a tool. Fails with `capture/timeout` or `capture/failed`. */
export async function callTool(
  connection: ServerConnection,
  call: ToolCallRequest,
): Promise<Result<ToolAnswer, CaptureError>> {
  const { name, timeoutMs = 60_000 } = call;
  try {
    const result = await connection.request('tools/call', { name, arguments: call.arguments }, timeoutMs);
    if (isJsonObject(result)) return ok(answerOf(result));
    return fail(new CaptureError(`the result of ${name} is no object`, { code: 'capture/failed' }));
  } catch (cause) {
    const { code, message, data } = cause as { code?: unknown; message?: unknown; data?: unknown };
    if (typeof code === 'number') {
      return ok({ kind: 'rpc-error', code, message: String(message), ...(data !== undefined && { data }) });
    }
    if (code === 'REQUEST_TIMEOUT') {
      const text = `${name} did not answer within ${timeoutMs / 1_000} s (timeoutMs)`;
      return fail(new CaptureError(text, { code: 'capture/timeout', cause, data: { tool: name } }));
    }
    const text = `the call of ${name} failed: ${String(message)}`;
    return fail(new CaptureError(text, { code: 'capture/failed', cause, data: { tool: name } }));
  }
}

function answerOf(result: JsonObject): ToolAnswer {
  const read = ToolResultSchema.safeParse({ ...result, content: result.content ?? [] });
  return {
    kind: 'result',
    result,
    isError: result.isError === true,
    text: read.success ? renderToolResult(read.data) : undefined,
  };
}
