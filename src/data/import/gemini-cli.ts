/**
 * Sessions of Gemini CLI: one JSON document, or JSON lines with patches.
 *
 * Call and answer stand together in a message's `toolCalls`. In JSON lines a message is written several times (the last
 * one counts), `$set` patches may bring messages, and every answer is told again as a user's `functionResponse`, which
 * is used only where the call has no answer of its own. Wrappers, labels and the exit code of the shell tool are taken out
 * of answers. What a rewind took away is a trajectory of its own (`meta.branch`). Not covered: calls that were running
 * when the program was killed (the file does not have them). Sources: recorded sessions of
 * 0.23, 0.40 and 0.61.
 */
import { isJsonObject, type Json, type JsonObject, type Trajectory } from '../../core/index.js';
import { cleanGeminiShell, unwrapGemini, withoutReminders } from './harness-text.js';
import type { ImportContext, ImportFormat, ImportReader, ImportTally, ValuePlace } from './import-format.js';
import { contentText, loggedTrajectory, toolAction } from './logged-trajectory.js';
import { CallPairs, type LoggedAnswer } from './pair-calls.js';
import { domainOfCodingAgent } from './tool-domain.js';

/** Session logs of Gemini CLI. */
export const geminiCli: ImportFormat = {
  name: 'gemini-cli',
  about: 'sessions of Gemini CLI (JSON documents and JSON lines)',
  recognises: isGemini,
  open: (context) => new GeminiReader(context),
};

function isGemini(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  if (typeof value.sessionId === 'string' && ('projectHash' in value || isMessageList(value.messages)))
    return true;
  return isJsonObject(value.$set) || (isMessage(value) && value.type === 'gemini');
}

function isMessage(value: Json | undefined): boolean {
  if (!isJsonObject(value) || typeof value.id !== 'string') return false;
  return typeof value.type === 'string' && 'content' in value && 'timestamp' in value;
}

function isMessageList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value) && value.length > 0 && value.some((one: Json) => isMessage(one));
}

interface Kept {
  readonly message: JsonObject;
  readonly place: ValuePlace;
  readonly weight: number;
}

class GeminiReader implements ImportReader {
  private head: JsonObject = {};
  private messages = new Map<string, Kept>();
  private pairs: CallPairs;
  private held = 0;
  private sessions = 0;
  private branches = 0;
  /** Ids of messages and of calls that an earlier part holds. */
  private readonly given = new Set<string>();

  constructor(private readonly context: ImportContext) {
    this.pairs = new CallPairs(context.tally);
  }

  take(value: Json, place: ValuePlace): readonly Trajectory[] {
    const { tally } = this.context;
    if (!isJsonObject(value)) {
      tally.bad(place, 'a record that is no object; left out');
      return [];
    }
    if (typeof value.sessionId === 'string' && !isMessage(value)) return this.session(value, place);
    if (isMessage(value)) this.message(value, place);
    else if (isJsonObject(value.$set)) this.patch(value.$set, place);
    else if ('$rewindTo' in value) return this.rewind(value.$rewindTo);
    else tally.skip('record of no known kind');
    return this.held > tally.partChars ? this.part(1) : [];
  }

  end(): readonly Trajectory[] {
    return this.part(0);
  }

  private session(value: JsonObject, place: ValuePlace): readonly Trajectory[] {
    const isSame = this.head.sessionId === value.sessionId;
    const closed = isSame ? [] : this.part(0);
    if (!isSame) {
      this.head = value;
      this.pairs = new CallPairs(this.context.tally);
      this.given.clear();
      this.branches = 0;
    }
    for (const message of Array.isArray(value.messages) ? (value.messages as readonly Json[]) : []) {
      if (isJsonObject(message) && isMessage(message)) this.message(message, place);
      else this.context.tally.skip('message of no known form');
    }
    return closed;
  }

  private message(message: JsonObject, place: ValuePlace): void {
    const id = String(message.id);
    const weight = callsOf(message).reduce(
      (sum, call) => sum + JSON.stringify(call.result ?? '').length + 200,
      200,
    );
    const before = this.messages.get(id);
    if (this.given.has(id)) {
      this.context.tally.duplicates += 1;
      return;
    }
    if (before !== undefined) this.context.tally.duplicates += 1;
    this.held += weight - (before?.weight ?? 0);
    this.messages.set(id, { message, place, weight });
  }

  /** A patch of all messages adds and replaces; what it lacks was lived all the same. */
  private patch(set: JsonObject, place: ValuePlace): void {
    if (!Array.isArray(set.messages)) {
      this.context.tally.skip('patch');
      return;
    }
    this.context.tally.skip('patch with messages');
    for (const message of set.messages as readonly Json[]) {
      if (isJsonObject(message) && isMessage(message)) this.message(message, place);
    }
  }

  private rewind(to: Json | undefined): readonly Trajectory[] {
    const { tally } = this.context;
    tally.skip('rewind');
    const kept = [...this.messages];
    const at = kept.findIndex(([id]) => id === to);
    if (at < 0) return [];
    const lost = kept.slice(at);
    this.messages = new Map(kept.slice(0, at));
    this.held -= lost.reduce((sum, [, { weight }]) => sum + weight, 0);
    const pairs = new CallPairs(tally);
    this.feed(
      lost.map(([, one]) => one),
      pairs,
    );
    for (const _one of lost) tally.skip('line on an abandoned branch');
    this.branches += 1;
    return this.made(pairs, `/branch-${this.branches}`, { branch: 'abandoned' });
  }

  /** Everything but the last messages, which may still be written again. */
  private part(butLast: number): readonly Trajectory[] {
    const all = [...this.messages];
    const done = all.slice(0, all.length - butLast);
    this.feed(
      done.map(([, one]) => one),
      this.pairs,
    );
    for (const [id, { message }] of done) {
      const calls = callsOf(message);
      if (calls.length > 0) this.given.add(id);
      for (const call of calls) this.given.add(`call ${String(call.id)}`);
    }
    this.messages = new Map(all.slice(all.length - butLast));
    this.held = [...this.messages.values()].reduce((sum, { weight }) => sum + weight, 0);
    return this.made(this.pairs, '', {});
  }

  private made(pairs: CallPairs, suffix: string, more: JsonObject): readonly Trajectory[] {
    const { file } = this.context;
    if (pairs.isEmpty) return [];
    if (pairs.part === 0 && suffix === '') this.sessions += 1;
    const { sessionId, kind } = this.head;
    return loggedTrajectory(pairs, {
      id: `${file}#${typeof sessionId === 'string' ? sessionId : this.sessions}${suffix}`,
      dataset: 'gemini-cli',
      file,
      agent: 'gemini-cli',
      domain: domainOfCodingAgent(pairs.toolNames),
      meta: {
        ...(typeof sessionId === 'string' && { sessionId }),
        ...(typeof kind === 'string' && { kind }),
        ...more,
      },
    });
  }

  private feed(kept: readonly Kept[], pairs: CallPairs): void {
    const { tally } = this.context;
    const responses = new Map<string, JsonObject[]>();
    for (const { message } of kept) {
      for (const response of responsesOf(message.content)) {
        const id = String(response.id);
        responses.set(id, [...(responses.get(id) ?? []), response]);
      }
    }
    for (const { message, place } of kept) {
      const calls = callsOf(message);
      tally.time(typeof message.timestamp === 'string' ? message.timestamp : undefined);
      for (const call of calls) this.call(call, { message, place, pairs, responses });
      if (calls.length === 0 && responsesOf(message.content).length === 0)
        tally.skip(`message of ${String(message.type)}`);
    }
    for (const [id, rest] of responses) {
      for (const response of rest) {
        const [first] = kept;
        if (this.given.has(`call ${id}`)) {
          tally.duplicates += 1;
          continue;
        }
        pairs.answer({
          id,
          ...answerOf([{ functionResponse: response }], {}, tally),
          place: first?.place ?? { line: 1 },
        });
      }
    }
  }

  private call(
    call: JsonObject,
    of: {
      readonly message: JsonObject;
      readonly place: ValuePlace;
      readonly pairs: CallPairs;
      readonly responses: Map<string, JsonObject[]>;
    },
  ): void {
    const { pairs, place, message } = of;
    const name = typeof call.name === 'string' ? call.name : '';
    const id = typeof call.id === 'string' ? call.id : undefined;
    const startedAt = typeof message.timestamp === 'string' ? message.timestamp : undefined;
    pairs.call({
      id,
      name,
      action: toolAction(name, call.args ?? {}),
      place,
      step: String(message.id),
      ...(startedAt !== undefined && { startedAt }),
    });
    const told = id === undefined ? undefined : of.responses.get(id)?.shift();
    const own =
      Array.isArray(call.result) && call.result.length > 0 ? (call.result as readonly Json[]) : undefined;
    if (own !== undefined && told !== undefined) this.context.tally.duplicates += 1;
    const result = own ?? (told === undefined ? undefined : [{ functionResponse: told }]);
    if (result === undefined) return;
    const at = typeof call.timestamp === 'string' ? call.timestamp : undefined;
    pairs.answer({
      id,
      ...answerOf(result, call, this.context.tally),
      place,
      ...(at !== undefined && { at }),
    });
  }
}

function callsOf(message: JsonObject): readonly JsonObject[] {
  if (Array.isArray(message.toolCalls)) return (message.toolCalls as readonly Json[]).filter(isJsonObject);
  if (message.type !== 'gemini' || !Array.isArray(message.content)) return [];
  return (message.content as readonly Json[]).flatMap((part) =>
    isJsonObject(part) && isJsonObject(part.functionCall) ? [part.functionCall] : [],
  );
}

function responsesOf(content: Json | undefined): readonly JsonObject[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly Json[]).flatMap((part) =>
    isJsonObject(part) && isJsonObject(part.functionResponse) ? [part.functionResponse] : [],
  );
}

const CUT =
  /^(?:IMPORTANT: The file content has been truncated|Tool output was too large and has been truncated)/;
const SHELL = /^(?:run_shell_command|shell|ShellTool)$/;

/** What parts of an answer say: the response's output or error, else its JSON; further parts behind it. */
export function answerOf(
  parts: readonly Json[],
  call: JsonObject,
  tally: Pick<ImportTally, 'savedOutput'>,
): Pick<LoggedAnswer, 'observation' | 'isError' | 'raw' | 'flags' | 'meta'> {
  const responses = responsesOf(parts);
  const [first = {}] = responses;
  const response = isJsonObject(first.response) ? first.response : {};
  const name = String(call.name ?? first.name ?? '');
  const others = parts.filter((part) => !(isJsonObject(part) && isJsonObject(part.functionResponse)));
  const raw = [...responses.map(responseText), ...others.map(partText)].join('\n');
  const told = withoutReminders(raw);
  const clean = SHELL.test(name) ? cleanGeminiShell(told) : unwrapGemini(told);
  const isSaved =
    /^Tool output was too large and has been truncated/.test(clean.text) && /saved to: /.test(clean.text);
  const saved = isSaved || clean.flags.includes('external') ? tally.savedOutput(told) : undefined;
  if (saved !== undefined) {
    const whole = SHELL.test(name) ? cleanGeminiShell(saved) : unwrapGemini(saved);
    const exitCode = whole.exitCode ?? clean.exitCode;
    return {
      observation: whole.text,
      isError: call.status === 'error' || 'error' in response,
      raw,
      ...(exitCode !== undefined && { meta: { exitCode } }),
    };
  }
  const flags = [
    ...clean.flags,
    ...(CUT.test(clean.text) ? ['truncated'] : []),
    ...(isSaved ? ['external'] : []),
    ...(others.some((part) => isJsonObject(part) && 'inlineData' in part) ? ['image'] : []),
    ...(call.status === 'cancelled' ? ['harness-text'] : []),
  ];
  return {
    observation: clean.text,
    isError: call.status === 'error' || 'error' in response,
    ...(clean.text !== raw && { raw }),
    ...(flags.length > 0 && { flags: [...new Set(flags)] }),
    ...(clean.exitCode !== undefined && { meta: { exitCode: clean.exitCode } }),
  };
}

function responseText({ response }: JsonObject): string {
  if (!isJsonObject(response)) return contentText(response);
  const { output, error } = response;
  const said = output ?? error;
  return said === undefined ? contentText(response) : contentText(said);
}

function partText(part: Json): string {
  return isJsonObject(part) && 'inlineData' in part ? '[image]' : contentText([part]);
}
