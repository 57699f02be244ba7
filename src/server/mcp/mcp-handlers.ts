/**
 * What a program adds to the MCP servers of its service: tools that speak with the client, and methods that no world has.
 *
 * A world file cannot ask a client for a sample or an answer of its user; a program can, for tests of clients and for
 * tools of its own. Only tools that the world lists are called; what a handler does is no turn of the episode. Clients of
 * revision 2026-07-28 cannot be asked. Source: MCP 2025-11-25, client features.
 */
import type { Json, JsonObject } from '../../core/index.js';

/** The client of a call, as a handler sees it. */
export interface McpPeer {
  /** Sends a log message; clients choose what they want to hear. */
  log(level: 'debug' | 'info' | 'notice' | 'warning' | 'error', data: Json): Promise<void>;
  /** Tells how far the call is, where the client asked to be told. */
  progress(done: number, total: number): Promise<void>;
  /** Asks the client for a sample of its model: the params and result of `sampling/createMessage`. */
  sample(params: JsonObject): Promise<JsonObject>;
  /** Asks the client's user: the params and result of `elicitation/create`. */
  elicit(params: JsonObject): Promise<JsonObject>;
}

/** The handlers of a program. */
export interface McpHandlers {
  /** Tool name → what it answers, the result of `tools/call`, in place of a step. */
  readonly tools?: Readonly<Record<string, (args: JsonObject, client: McpPeer) => Promise<JsonObject>>>;
  /** Method → its result: `completion/complete`, `resources/subscribe`, `resources/templates/list` and the like. */
  readonly methods?: Readonly<Record<string, (params: JsonObject) => JsonObject>>;
  /** Resources that the world does not list: the result of `resources/read`, or undefined. */
  readonly readResource?: (uri: string) => JsonObject | undefined;
  /** Declared beside what the world has, for example `{ completions: {}, logging: {} }`. */
  readonly capabilities?: JsonObject;
}
