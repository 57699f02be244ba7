/**
 * What tool a turn's action calls, read once per turn however many rules ask.
 *
 * The first form of an action is told by the platform's own JSON reader; everything else is the grammar's to judge.
 */
import { type Domain, isJsonObject, type Turn } from '../../core/index.js';
import { domainFormat } from '../../domains/index.js';

/** A call of a tool, an answer, or no action at all. */
export type CallReading =
  | { readonly kind: 'call'; readonly name: string }
  | { readonly kind: 'answer' }
  | { readonly kind: 'malformed' };

const MALFORMED: CallReading = { kind: 'malformed' };
const ANSWER: CallReading = { kind: 'answer' };
const known = new WeakMap<Turn, CallReading>();

/** Reads the action of a turn of mcp, swe or search. */
export function readCall(turn: Turn, domain: Domain): CallReading {
  const before = known.get(turn);
  if (before !== undefined) return before;
  const reading = plainCall(turn.action) ?? grammarCall(turn.action, domain);
  known.set(turn, reading);
  return reading;
}

function plainCall(action: string): CallReading | undefined {
  if (!action.startsWith('{"name":"') || action.length > 1_000_000) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(action);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || !isJsonObject(value.arguments) || Object.keys(value).length !== 2)
    return undefined;
  return typeof value.name === 'string' && value.name !== '' ? { kind: 'call', name: value.name } : undefined;
}

function grammarCall(action: string, domain: Domain): CallReading {
  const format = domainFormat(domain);
  const parsed = format.ok ? format.value.parseAction(action) : undefined;
  if (parsed?.kind === 'tool-call') return { kind: 'call', name: parsed.name };
  return parsed?.kind === 'finish' ? ANSWER : MALFORMED;
}
