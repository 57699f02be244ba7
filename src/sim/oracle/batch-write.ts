/**
 * Carries out a batch as a careful caller does: only what failed is sent again, and after a lost answer only what
 * the service does not show yet.
 *
 * The idea: a batch is many writes with one answer. Where the answer tells of each item, the failed ones go again, in
 * fewer and fewer; where it did not come, each item is looked up by itself, because half of it may have happened. Items
 * that keep failing are tried one by one with a tool for one, and where doing it twice changes nothing more, in the
 * company of one that went well. Source: hard cases P-STR-1 and P-STR-3. Not covered: batches that answer nothing about
 * their items and fail in part.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import { answerValue, isBroken, type SeenAnswer } from './answer-shape.js';
import { failedItems } from './batch-items.js';
import { failureKind, isSignedOut } from './failure-kind.js';
import type { ToolRole } from './read-back.js';

/** A call to make. */
export interface BatchCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** What a batch is carried out with. */
export interface BatchHands {
  call(step: BatchCall): Promise<SeenAnswer | string>;
  /** Waits before the next try. */
  pause(attempt: number, retryAfterMs: number | null): Promise<void>;
  signIn(): Promise<boolean>;
  /** What the service shows of the rows of an item, to compare; null where it shows nothing. */
  look(item: Json): Promise<string | null>;
  nowMs(): number;
}

/** A batch with what is known of its tool. */
export interface BatchStep {
  readonly step: BatchCall;
  /** The argument that holds the items. */
  readonly argument: string;
  readonly items: readonly Json[];
  readonly role: ToolRole;
  /** A key in the arguments makes it safe to send it again. */
  readonly hasKey: boolean;
  /** Tools that do the same to one. */
  readonly single: readonly ToolDefinition[];
}

/** Tries at one batch, the first included. */
const ATTEMPTS = 5;

/** Gives what could not be done, or null where all of it was. */
export async function writeBatch(batch: BatchStep, hands: BatchHands): Promise<string | null> {
  const { step, argument, role } = batch;
  const adds = role.accumulates || role.op === 'create' || role.op === 'append';
  const mustLook = adds && !batch.hasKey;
  const before = new Map<string, string | null>();
  if (mustLook) for (const item of batch.items) before.set(canonicalJson(item), await hands.look(item));
  let left = [...batch.items];
  let problem = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const answer = await hands.call({ ...step, args: { ...step.args, [argument]: left } });
    if (typeof answer === 'string') return answer;
    if (!answer.isError && !isBroken(answer)) {
      const failed = failedItems(left, answerValue(answer));
      if (failed.items.length === 0) return null;
      left = failed.items;
      problem = `${left.length} items of '${step.name}' failed: ${failed.why}`;
      if (attempt < ATTEMPTS) await hands.pause(attempt, null);
      continue;
    }
    problem = `'${step.name}' answered: ${answer.text.trim().replace(/\s+/g, ' ').slice(0, 200)}`;
    if (answer.isError && isSignedOut(answer.text) && (await hands.signIn())) continue;
    const failure = failureKind(answer.text, hands.nowMs());
    if (answer.isError && failure.kind === 'permanent') break;
    await hands.pause(attempt, failure.retryAfterMs);
    if (!mustLook || (answer.isError && failure.kind !== 'lost')) continue;
    const open = await notDone(left, before, hands);
    if (open === null && failure.retryAfterMs === null)
      return `${problem}; whether it happened cannot be seen, and doing it twice would be worse`;
    left = open ?? left;
    if (left.length === 0) return null;
  }
  return (await oneByOne(batch, left, { hands, adds })) ? null : problem;
}

/** The items whose rows are as they were; null where one of them cannot be seen. */
async function notDone(
  items: readonly Json[],
  before: ReadonlyMap<string, string | null>,
  hands: BatchHands,
): Promise<Json[] | null> {
  const left: Json[] = [];
  for (const item of items) {
    const was = before.get(canonicalJson(item)) ?? null;
    const now = await hands.look(item);
    if (was === null || now === null) return null;
    if (was === now) left.push(item);
  }
  return left;
}

/** What the batch does not take, by other ways; true where nothing is left. */
async function oneByOne(
  batch: BatchStep,
  left: readonly Json[],
  { hands, adds }: { readonly hands: BatchHands; readonly adds: boolean },
): Promise<boolean> {
  const done = batch.items.find((item) => !left.includes(item));
  for (const item of left) {
    const isDone =
      (await bySingle(batch, item, hands)) ||
      (!adds && done !== undefined && (await inCompany(batch, [done, item], hands)));
    if (!isDone) return false;
  }
  return true;
}

async function bySingle(
  { step, argument, single }: BatchStep,
  item: Json,
  hands: BatchHands,
): Promise<boolean> {
  const shared = Object.fromEntries(Object.entries(step.args).filter(([name]) => name !== argument));
  for (const tool of single) {
    const args = argumentsFor(tool, item, shared);
    if (args === null) continue;
    const answer = await hands.call({ name: tool.name, args });
    if (typeof answer !== 'string' && !answer.isError && !isBroken(answer)) return true;
  }
  return false;
}

/** The item as arguments of a tool for one; null where it does not fit. */
function argumentsFor(tool: ToolDefinition, item: Json, shared: JsonObject): JsonObject | null {
  const properties = isJsonObject(tool.inputSchema.properties) ? tool.inputSchema.properties : {};
  const required = Array.isArray(tool.inputSchema.required) ? tool.inputSchema.required.map(String) : [];
  const own: JsonObject = isJsonObject(item)
    ? { ...shared, ...item }
    : { ...shared, [required.find((name) => shared[name] === undefined) ?? 'id']: item };
  const isFitting =
    Object.keys(own).every((name) => properties[name] !== undefined) &&
    required.every((name) => own[name] !== undefined);
  return isFitting ? own : null;
}

/** A failing item behind one that went well: what fails by its place in the list goes well at another. */
async function inCompany(
  { step, argument }: BatchStep,
  items: readonly Json[],
  hands: BatchHands,
): Promise<boolean> {
  const answer = await hands.call({ ...step, args: { ...step.args, [argument]: [...items] } });
  if (typeof answer === 'string' || answer.isError || isBroken(answer)) return false;
  const failed = failedItems(items, answerValue(answer)).items;
  return !failed.some((item) => canonicalJson(item) === canonicalJson(items.at(-1) ?? null));
}
