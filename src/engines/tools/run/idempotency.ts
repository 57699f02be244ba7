/**
 * Idempotency keys: the same key with the same arguments gives the first answer again and does nothing; with other
 * arguments it is a conflict.
 *
 * Only answered calls are kept; a call that failed may be tried again under its key. A record is written with the
 * call's own changes, so a fault before the write leaves none and a fault after it leaves one (hard case P-STR-1). A
 * world says which argument holds the key, how long it is remembered and for whom; without that an argument called
 * `idempotency_key` is one.
 */
import { type Answer, canonicalJson, type Json, type JsonObject, type Span } from '../../../core/index.js';
import { missingMessage } from '../check/messages.js';
import type { Plan } from '../service.js';
import type { IdempotencySpec } from '../spec-service.js';
import { type IdempotencyRecord, own, type StoreState } from '../store/store.js';
import { evaluate, evaluateTemplate } from './overrides-rules.js';
import { type Call, ToolFailure } from './run-call.js';
import { plainName } from './search.js';

/** A key as it is kept, with the arguments it stands for; undefined where the call has none. */
export interface KeyedCall {
  readonly name: string;
  readonly key: string;
  readonly args: string;
  readonly spec?: IdempotencySpec;
}

/** The idempotency key of a call; raises a {@link ToolFailure} where the world requires one and there is none. */
export function keyedCall(
  call: Call,
  plan: Plan | undefined,
  spec: IdempotencySpec | undefined,
): KeyedCall | undefined {
  const argument = spec?.argument ?? plan?.idempotencyKey ?? keyArgument(plan, call.args);
  const key = argument === undefined ? undefined : own(call.args, argument);
  if (argument === undefined || key === undefined || key === null || key === '') {
    if (spec?.required !== true) return undefined;
    throw new ToolFailure(missingMessage(spec.argument), 'refused', [], { field: spec.argument });
  }
  const rest = Object.entries(call.args).filter(([name]) => name !== argument);
  const text = typeof key === 'string' ? key : canonicalJson(key);
  const group = spec?.by === undefined ? [] : [evaluate(call, spec.by, { args: call.args })];
  return {
    name: canonicalJson([call.tool.name, text, ...group]),
    key: text,
    args: canonicalJson(Object.fromEntries(rest)),
    ...(spec === undefined ? {} : { spec }),
  };
}

/** The argument of an override's call that is its idempotency key by its name alone: `idempotency_key`. */
export function keyArgument(plan: Plan | undefined, args: JsonObject): string | undefined {
  if (plan?.override === undefined || ['get', 'list', 'search'].includes(plan.override.op)) return undefined;
  return Object.keys(args).find((name) => plainName(name) === 'idempotencykey');
}

/** The answer kept for this call, if any. Raises a {@link ToolFailure} when the key was used for other arguments. */
export function keptAnswer(call: Call, keyed: KeyedCall): Answer | undefined {
  const record = call.state.idempotency.get(keyed.name);
  if (record === undefined || isOver(call, keyed, record)) return undefined;
  if (record.args === keyed.args) return answerOf(record);
  const error = keyed.spec?.error;
  const message =
    error === undefined
      ? `Idempotency key ${keyed.key} was already used with different arguments`
      : evaluateTemplate(call, error, { args: call.args });
  throw new ToolFailure(message, 'conflict', ['idempotency-conflict']);
}

function isOver(call: Call, keyed: KeyedCall, record: IdempotencyRecord): boolean {
  const keepSeconds = keyed.spec?.keepSeconds;
  if (keepSeconds === undefined || record.atMs === undefined) return false;
  return call.nowMs >= record.atMs + keepSeconds * 1000;
}

/** The state with this answer kept. */
export function keepAnswer(call: Call, keyed: KeyedCall, answer: Answer): StoreState {
  const kept: JsonObject = {
    text: answer.text.text,
    origins: answer.text.origins as unknown as Json,
    ...(answer.value === undefined ? {} : { value: answer.value }),
    ...(answer.content === undefined ? {} : { content: answer.content }),
  };
  const lasting = keyed.spec?.keepSeconds === undefined ? {} : { atMs: call.nowMs };
  const { state } = call;
  return {
    ...state,
    idempotency: state.idempotency.set(keyed.name, { args: keyed.args, answer: kept, ...lasting }),
  };
}

function answerOf(record: IdempotencyRecord): Answer {
  const { text, origins, value, content } = record.answer;
  return {
    text: { text: String(text ?? ''), origins: (origins ?? []) as unknown as readonly Span[] },
    ...(value === undefined ? {} : { value }),
    ...(content === undefined ? {} : { content }),
    isError: false,
  };
}
