/**
 * Idempotency keys: the same key with the same arguments gives the first answer again and does nothing; with other
 * arguments it is a conflict.
 *
 * Only answered calls are kept; a call that failed may be tried again under its key. A record is written with the
 * call's own changes, so a fault before the write leaves none and a fault after it leaves one.
 */
import { type Answer, canonicalJson, type Json, type JsonObject, type Span } from '../../../core/index.js';
import type { Plan } from '../service.js';
import { type IdempotencyRecord, own, type StoreState } from '../store/store.js';
import { type Call, ToolFailure } from './run-call.js';
import { plainName } from './search.js';

/** A key as it is kept, with the arguments it stands for; undefined where the call has none. */
export interface KeyedCall {
  readonly name: string;
  readonly key: string;
  readonly args: string;
}

/** The idempotency key of a call. */
export function keyedCall(call: Call, plan: Plan): KeyedCall | undefined {
  const argument = plan.idempotencyKey ?? namedSo(plan, call.args);
  const key = argument === undefined ? undefined : own(call.args, argument);
  if (argument === undefined || key === undefined || key === null || key === '') return undefined;
  const rest = Object.entries(call.args).filter(([name]) => name !== argument);
  return {
    name: JSON.stringify([call.tool.name, typeof key === 'string' ? key : canonicalJson(key)]),
    key: typeof key === 'string' ? key : canonicalJson(key),
    args: canonicalJson(Object.fromEntries(rest)),
  };
}

/** An override has no place to name the argument; one called `idempotency_key` is it. */
function namedSo(plan: Plan, args: JsonObject): string | undefined {
  if (plan.override === undefined || ['get', 'list', 'search'].includes(plan.override.op)) return undefined;
  return Object.keys(args).find((name) => plainName(name) === 'idempotencykey');
}

/** The answer kept for this call, if any. Raises a {@link ToolFailure} when the key was used for other arguments. */
export function keptAnswer(state: StoreState, keyed: KeyedCall): Answer | undefined {
  const record = state.idempotency.get(keyed.name);
  if (record === undefined) return undefined;
  if (record.args === keyed.args) return answerOf(record);
  const message = `Idempotency key ${keyed.key} was already used with different arguments`;
  throw new ToolFailure(message, 'conflict', ['idempotency-conflict']);
}

/** The state with this answer kept. */
export function keepAnswer(state: StoreState, keyed: KeyedCall, answer: Answer): StoreState {
  const kept: JsonObject = {
    text: answer.text.text,
    origins: answer.text.origins as unknown as Json,
    ...(answer.value === undefined ? {} : { value: answer.value }),
  };
  return { ...state, idempotency: state.idempotency.set(keyed.name, { args: keyed.args, answer: kept }) };
}

function answerOf(record: IdempotencyRecord): Answer {
  const { text, origins, value } = record.answer;
  return {
    text: { text: String(text ?? ''), origins: (origins ?? []) as unknown as readonly Span[] },
    ...(value === undefined ? {} : { value }),
    isError: false,
  };
}
