/**
 * `http:URL`: an agent behind a callback of its own. We post what it sees, it answers with what it does.
 *
 * Request: `{"protocol":1,"run":ID,"turn":N,"task":…,"tools":[…],"observation":null | {"text":…,"isError":…,"value"?:…}}`;
 * `turn` counts from 1, `observation` is null in the first. Answer, one of: `{"name":…,"arguments":{…}}` a call ·
 * `{"action":"…"}` the exact text of an action · `{"wait":SECONDS}` · `{"answer":"…" | null}` the end; each may have
 * `"usage":{"promptTokens":…,"completionTokens":…,"costUsd":…}`. `run` is new in each run, so one server can serve many.
 *
 * Nobody is blamed for an agent that was never there: no connection, a redirect, or a connection that breaks off before the
 * first answer. Who has answered once was there; a connection that it breaks off then is its own failure, in any turn.
 */
import { fail, isJsonObject, type Json, type JsonObject, ok, type Result } from '../../core/index.js';
import { type Agent, AgentFailure, type AgentSession, type CallResult } from '../agent.js';
import type { AgentParts } from '../agent-spec.js';
import { postJson, type WireAnswer } from './wire.js';

const TIMEOUT_MS = 300_000;

/** Makes the agent; fails for what is no http(s) URL. */
export function createHttpAgent({ id, rest, spec }: AgentParts): Result<Agent, string> {
  if (!URL.canParse(rest) || !/^https?:$/.test(new URL(rest).protocol)) {
    return fail(`'${rest}' is no URL that starts with http:// or https://`);
  }
  let runs = 0;
  let hasAnswered = false;
  return ok({
    id,
    kind: 'http',
    spec,
    live: true,
    async run(session) {
      const run = `${id}-${++runs}-${session.seed}`;
      let observation: Json = null;
      for (let turn = 1; ; turn++) {
        const tools = session.tools() as unknown as Json;
        const request = { protocol: 1, run, turn, task: session.task, tools, observation };
        const reply = await postJson(rest, request, { timeoutMs: TIMEOUT_MS, signal: session.signal });
        const action = replyOf(reply, { isFirst: turn === 1, hasAnswered });
        hasAnswered = true;
        count(session, action.usage);
        if (Object.hasOwn(action, 'answer')) return { answer: textOf(action.answer) };
        const result = await perform(session, action);
        observation = result === null ? observation : observationOf(result);
      }
    },
  });
}

function replyOf(
  reply: WireAnswer,
  so: { readonly isFirst: boolean; readonly hasAnswered: boolean },
): JsonObject {
  if (reply.kind === 'json') return reply.value;
  if (reply.kind === 'unreachable') {
    throw new AgentFailure(
      so.isFirst && !(reply.broke && so.hasAnswered) ? 'not-started' : 'agent-crashed',
      `the agent cannot be reached: ${reply.message}`,
    );
  }
  throw new AgentFailure('agent-crashed', `the agent answered HTTP ${reply.status}: ${reply.message}`);
}

/** Does what the agent asked for; null where it only waited. */
async function perform(session: AgentSession, action: JsonObject): Promise<CallResult | null> {
  if (typeof action.wait === 'number' && action.wait >= 0) {
    await session.wait(action.wait * 1000);
    return null;
  }
  if (typeof action.action === 'string') return session.act(action.action);
  if (typeof action.name === 'string') {
    return session.call(action.name, isJsonObject(action.arguments) ? action.arguments : {});
  }
  const seen = JSON.stringify(Object.keys(action));
  throw new AgentFailure(
    'agent-crashed',
    `the agent's answer has none of name, action, wait and answer; keys: ${seen}`,
  );
}

function observationOf({ text, isError, value }: CallResult): Json {
  return { text, isError, ...(value !== undefined && { value }) };
}

function textOf(answer: Json | undefined): string | null {
  if (answer === null || answer === undefined) return null;
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

function count(session: AgentSession, usage: Json | undefined): void {
  if (!isJsonObject(usage)) return;
  const number = (value: Json | undefined): number | null =>
    typeof value === 'number' && value >= 0 ? value : null;
  session.spend({
    promptTokens: number(usage.promptTokens),
    completionTokens: number(usage.completionTokens),
    costUsd: number(usage.costUsd),
  });
}
