/**
 * Sessions of Qwen Code: JSON lines that form a tree, in the parts of Gemini's API.
 *
 * Calls are `functionCall` parts of a model's line, answers `functionResponse` parts of `tool_result` lines, one line each.
 * Labels of the shell tool, reminders and exit codes are taken out of answers. Half of the lines are telemetry and are
 * counted. Not covered: what a `rewind` record took away where the tree does not show it.
 * Sources: recorded sessions of 0.15, files of 0.21.
 */
import { isJsonObject, type Json, type JsonObject, type Trajectory } from '../../core/index.js';
import { answerOf } from './gemini-cli.js';
import type { ImportContext, ImportFormat, ImportReader, ImportTally, ValuePlace } from './import-format.js';
import { toolAction } from './logged-trajectory.js';
import type { LoggedAnswer, LoggedCall } from './pair-calls.js';
import { SessionThreads } from './session-threads.js';
import type { SessionNode } from './session-tree.js';

/** Session logs of Qwen Code. */
export const qwenCode: ImportFormat = {
  name: 'qwen-code',
  about: 'sessions of Qwen Code (JSON lines)',
  recognises: isQwenLine,
  open: (context) => new QwenReader(context),
};

function isQwenLine(value: Json): boolean {
  if (!isJsonObject(value) || typeof value.sessionId !== 'string' || typeof value.uuid !== 'string')
    return false;
  if (!/^(?:user|assistant|tool_result|system)$/.test(String(value.type))) return false;
  const { message } = value;
  return 'systemPayload' in value || (isJsonObject(message) && Array.isArray(message.parts));
}

class QwenReader implements ImportReader {
  private readonly threads: SessionThreads;

  constructor(private readonly context: ImportContext) {
    this.threads = new SessionThreads(context, 'qwen-code');
  }

  take(value: Json, place: ValuePlace): readonly Trajectory[] {
    const { tally } = this.context;
    if (!isJsonObject(value)) {
      tally.bad(place, 'a record that is no object; left out');
      return [];
    }
    const { uuid, type, sessionId, version, model, timestamp } = value;
    if (typeof uuid !== 'string' || typeof type !== 'string') {
      tally.skip('record without a type');
      return [];
    }
    tally.version(version);
    tally.time(typeof timestamp === 'string' ? timestamp : undefined);
    const node = nodeOf(value, place, tally);
    if (node.calls.length + node.answers.length === 0) {
      const kind = type === 'system' || typeof value.subtype === 'string' ? ` ${String(value.subtype)}` : '';
      tally.skip(type === 'system' ? `system${kind}` : `message of ${type}${kind}`);
    }
    const { cwd, gitBranch } = value;
    return this.threads.take({
      node,
      thread: typeof sessionId === 'string' ? sessionId : 'session',
      isSide: false,
      version: typeof version === 'string' ? version : undefined,
      model: typeof model === 'string' ? model : undefined,
      facts: {
        ...(typeof sessionId === 'string' && { sessionId }),
        ...(typeof cwd === 'string' && { cwd }),
        ...(typeof gitBranch === 'string' && { gitBranch }),
      },
    });
  }

  end(): readonly Trajectory[] {
    return this.threads.end();
  }
}

function nodeOf(line: JsonObject, place: ValuePlace, tally: ImportTally): SessionNode {
  const uuid = String(line.uuid);
  const message = isJsonObject(line.message) ? line.message : {};
  const parts = Array.isArray(message.parts) ? (message.parts as readonly Json[]).filter(isJsonObject) : [];
  const at = typeof line.timestamp === 'string' ? line.timestamp : undefined;
  const calls = parts.flatMap(({ functionCall }) =>
    isJsonObject(functionCall) ? [callOf(functionCall, { place, step: `${uuid} ${place.line}`, at })] : [],
  );
  const usage = isJsonObject(line.usageMetadata) ? line.usageMetadata.candidatesTokenCount : undefined;
  const answers = parts.some(({ functionResponse }) => isJsonObject(functionResponse))
    ? answersOf(parts, { line, place, at, tally })
    : [];
  const by = line.type === 'assistant' ? 'agent' : line.type === 'user' ? 'user' : 'none';
  return {
    uuid,
    parent: typeof line.parentUuid === 'string' ? line.parentUuid : null,
    by: answers.length > 0 ? 'tool' : by,
    ...(line.type === 'assistant' && { reply: uuid }),
    ...(typeof usage === 'number' && { outputTokens: usage }),
    calls,
    answers,
    place,
  };
}

function callOf(
  call: JsonObject,
  { place, step, at }: { readonly place: ValuePlace; readonly step: string; readonly at: string | undefined },
): LoggedCall {
  const name = typeof call.name === 'string' ? call.name : '';
  return {
    id: typeof call.id === 'string' ? call.id : undefined,
    name,
    action: toolAction(name, call.args ?? {}),
    place,
    step,
    ...(at !== undefined && { startedAt: at }),
  };
}

/** Answers of one line, each with the parts behind it. */
function answersOf(
  parts: readonly JsonObject[],
  of: {
    readonly line: JsonObject;
    readonly place: ValuePlace;
    readonly at: string | undefined;
    readonly tally: ImportTally;
  },
): readonly LoggedAnswer[] {
  const status = isJsonObject(of.line.toolCallResult) ? of.line.toolCallResult.status : undefined;
  return parts.flatMap((part, i): readonly LoggedAnswer[] => {
    const { functionResponse } = part;
    if (!isJsonObject(functionResponse)) return [];
    const next = parts.findIndex((one, j) => j > i && isJsonObject(one.functionResponse));
    const own = parts.slice(i, next < 0 ? parts.length : next);
    const call = { name: functionResponse.name ?? '', ...(status !== undefined && { status }) };
    return [
      {
        id: typeof functionResponse.id === 'string' ? functionResponse.id : '(no id)',
        ...answerOf(own, call, of.tally),
        place: of.place,
        ...(of.at !== undefined && { at: of.at }),
      },
    ];
  });
}
