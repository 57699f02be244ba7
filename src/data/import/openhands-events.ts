/**
 * Single events of OpenHands: what an action calls, what an observation shows.
 *
 * Source: formats.md, section 6. The suffix about the exit code is the harness's and taken off; the exit code stands in
 * `extras.metadata`, in old rows at the top. Edits show what the model saw where the event has that beside the diff.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/index.js';
import { toolAction } from './logged-trajectory.js';
import { printedText } from './printed-text.js';

/** The function that an event's kind stands for, where the event does not say. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  run: 'execute_bash',
  run_ipython: 'execute_ipython_cell',
  read: 'str_replace_editor',
  edit: 'str_replace_editor',
  browse: 'browser',
  browse_interactive: 'browser',
};

const NO_TOOLS = new Set([
  'message',
  'system',
  'recall',
  'think',
  'finish',
  'null',
  'condensation',
  'condensation_request',
  'change_agent_state',
  'agent_state_changed',
  'loop_recovery',
]);

/** Members of `args` that are thoughts or bookkeeping of the harness. */
const BESIDE = new Set([
  'thought',
  'reasoning_content',
  'confirmation_state',
  'is_confirmed',
  'security_risk',
  'action_risk',
  'blocking',
  'hidden',
  'is_static',
  'keep_prompt',
  'impl_source',
  'translated_ipython_code',
  'browsergym_send_msg_to_user',
  'kernel_init_code',
  'include_extra',
  'cwd',
]);

/** True for an action that acts on the environment; one of a user does too, but is not the agent's. */
export function isToolAction({ source }: JsonObject, kind: string): boolean {
  return !NO_TOOLS.has(kind) && source !== 'environment';
}

/** An event without the model's whole response, except the calls in it. */
export function slimEvent(event: JsonObject): JsonObject {
  const { tool_call_metadata: told, llm_metrics: _metrics, ...rest } = event;
  if (!isJsonObject(told)) return rest;
  const { function_name: name = null, tool_call_id: id = null, total_calls_in_response: total = null } = told;
  const response = isJsonObject(told.model_response) ? told.model_response : {};
  const call = callsIn(response).find((one) => one.id === id);
  return {
    ...rest,
    call: {
      name,
      id,
      total,
      ...(typeof response.id === 'string' && { response: response.id }),
      ...(isJsonObject(call?.function) && { arguments: call.function.arguments ?? null }),
    },
  };
}

function callsIn(response: JsonObject): readonly JsonObject[] {
  const choices = Array.isArray(response.choices) ? (response.choices as readonly Json[]) : [];
  return choices.flatMap((choice) => {
    const message = isJsonObject(choice) ? choice.message : undefined;
    const calls = isJsonObject(message) ? message.tool_calls : undefined;
    return Array.isArray(calls) ? (calls as readonly Json[]).filter(isJsonObject) : [];
  });
}

/** The call that an action event is; `event` is slim. */
export function eventAction(
  event: JsonObject,
  kind: string,
): {
  readonly name: string;
  readonly action: string;
  readonly callId: string | undefined;
  /** Calls of one response share it. */
  readonly step: string | undefined;
} {
  const call = isJsonObject(event.call) ? event.call : {};
  const args = isJsonObject(event.args) ? event.args : event;
  const callId = typeof call.id === 'string' ? call.id : undefined;
  const step = typeof call.response === 'string' && Number(call.total) > 1 ? call.response : undefined;
  const parsed = typeof call.arguments === 'string' ? parseJson(call.arguments) : undefined;
  if (typeof call.name === 'string' && parsed?.ok === true) {
    return { name: call.name, action: toolAction(call.name, parsed.value), callId, step };
  }
  if (kind === 'call_tool_mcp' && typeof args.name === 'string') {
    return { name: args.name, action: toolAction(args.name, args.arguments ?? {}), callId, step };
  }
  const name = typeof call.name === 'string' ? call.name : (FUNCTIONS[kind] ?? kind);
  return { name, action: toolAction(name, argumentsOf(kind, args)), callId, step };
}

const TOP = new Set(['id', 'timestamp', 'source', 'message', 'action', 'call', 'args', 'timeout', 'cause']);

function argumentsOf(kind: string, args: JsonObject): JsonObject {
  if (kind === 'browse_interactive' && typeof args.browser_actions === 'string') {
    return { code: args.browser_actions };
  }
  const kept = Object.entries(args).filter(
    ([name, value]) => !BESIDE.has(name) && !TOP.has(name) && value !== null && value !== undefined,
  );
  return { ...(kind === 'read' && { command: 'view' }), ...Object.fromEntries(kept) };
}

const EXIT_SUFFIX =
  /\n?\[(?:The command completed with exit code -?\d+\.(?: CTRL\+\w was sent\.)?|Command finished with exit code -?\d+|Command -?\d+ finished with exit code -?\d+)\]\s*$/;
const STATE_SUFFIX =
  /\n?\[(?:Current working directory|Python interpreter|Jupyter current working directory|Jupyter Python interpreter): [^\]\n]{0,4000}\]\s*$/;

/** Text that the harness put behind what was printed, taken off; none of it is longer than a few lines. */
function withoutSuffixes(text: string, suffix: string): string {
  let rest = suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
  for (let tries = 0; tries < 6; tries++) {
    const tail = rest.slice(-10_000);
    const cut = tail.replace(EXIT_SUFFIX, '').replace(STATE_SUFFIX, '');
    if (cut.length === tail.length) return rest;
    rest = rest.slice(0, rest.length - tail.length) + cut;
  }
  return rest;
}

/** What an observation event shows. */
export function eventAnswer(
  event: JsonObject,
  kind: string,
): {
  readonly observation: string;
  readonly raw: string;
  readonly isError: boolean;
  readonly flags: readonly string[];
  readonly exitCode: number | undefined;
  readonly workingDir: string | undefined;
} {
  const extras = isJsonObject(event.extras) ? event.extras : {};
  const metadata = isJsonObject(extras.metadata) ? extras.metadata : {};
  const raw = typeof event.content === 'string' ? event.content : '';
  const seen = extras.formatted_output_and_error;
  const shown = kind === 'edit' && typeof seen === 'string' && seen !== '' ? seen : raw;
  const prefix = typeof metadata.prefix === 'string' ? metadata.prefix : '';
  const bare = prefix !== '' && shown.startsWith(prefix) ? shown.slice(prefix.length) : shown;
  const suffix = typeof metadata.suffix === 'string' ? metadata.suffix : '';
  const observation = printedText(withoutSuffixes(bare, suffix));
  const code = metadata.exit_code ?? extras.exit_code ?? event.exit_code;
  const exitCode = typeof code === 'number' && Number.isInteger(code) && code >= 0 ? code : undefined;
  const flags = [
    ...(/\[\.\.\. Observation truncated due to length \.\.\.\]|<response clipped>/.test(raw)
      ? ['truncated']
      : []),
    ...(code === -1 ? ['still-running'] : []),
    ...(kind.startsWith('browse') && observation === '' ? ['image'] : []),
  ];
  // -1: the command had not ended when the harness looked.
  const isError = kind === 'error' || kind === 'user_rejected' || (exitCode ?? 0) > 0;
  const workingDir = typeof metadata.working_dir === 'string' ? metadata.working_dir : undefined;
  return { observation, raw, isError, flags, exitCode, workingDir };
}
