/**
 * The recovering oracle: a world's own solution, carried out by a careful caller. What it can still solve under faults
 * an agent can be asked to solve; where it gives up, an honest report is what can be asked.
 *
 * It retries with growing pauses and as long as the service asks, looks whether a write happened before it writes
 * again, asks for further pages, repeats only the failed items of a batch, finds renamed tools again, and says what it
 * could not do. It sees answers only, never the state. Deterministic. Not covered: replacing values of the solution by
 * values that were read; a solution that depends on ids that differ each time fails.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject, parseJson } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import { inferService, type ServiceModel } from '../../engines/index.js';
import type { World } from '../../worlds/index.js';
import { answerValue, isBroken, nextPage, rowsOf, type SeenAnswer } from './answer-shape.js';
import { writeBatch } from './batch-write.js';
import { failureKind, isSignedOut } from './failure-kind.js';
import {
  isReading,
  matchingRows,
  type ReadBack,
  readBackFor,
  showsUpdate,
  type ToolRole,
  toolRoles,
} from './read-back.js';
import { findAgain, fitArguments } from './tool-drift.js';

/** What the oracle acts with. */
export interface OracleHands {
  /** The tools as they are now. */
  tools(): readonly ToolDefinition[];
  call(name: string, args: JsonObject): Promise<SeenAnswer>;
  /** Lets simulated time pass. */
  wait(durationMs: number): Promise<void>;
  /** The simulated clock, milliseconds since 1970 UTC. */
  nowMs(): number;
  /** Look after every write whether it is there, as one does who trusts no confirmation. Default false. */
  readonly verifies?: boolean;
}

/** How it went. */
export interface RecoveredOracle {
  /** The solution's answer, or the honest report of one who gave up. */
  readonly answer: string | null;
  /** Why it gave up; null when every step was done. */
  readonly gaveUp: string | null;
}

/** Tries at one call, the first included. */
const ATTEMPTS = 5;
/** Further pages that are read of one list. */
const PAGES = 20;
const FIRST_PAUSE_MS = 1_000;

/** Carries out the world's oracle. Rejects only with what the hands reject with. */
export async function driveRecoveringOracle(world: World, hands: OracleHands): Promise<RecoveredOracle> {
  const driver = new OracleDriver(world, hands);
  let done = 0;
  for (const action of world.oracle) {
    const step = oracleStep(action);
    if (step.kind === 'answer') return { answer: step.text, gaveUp: null };
    const problem = step.kind === 'call' ? await driver.perform(step) : `'${action}' is no call`;
    if (problem !== null) {
      const report = `I could not complete the task. Not done: ${problem}. ${done} steps before it were done.`;
      return { answer: report, gaveUp: problem };
    }
    done++;
  }
  return { answer: null, gaveUp: null };
}

/** One step of a solution. */
export type OracleStep =
  | { readonly kind: 'call'; readonly name: string; readonly args: JsonObject }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'other' };

/** Reads a step of an oracle; `other` for a text that is neither a call nor an answer. */
export function oracleStep(action: string): OracleStep {
  const read = parseJson(action);
  if (!read.ok || !isJsonObject(read.value)) return { kind: 'other' };
  const { name, arguments: args, answer } = read.value;
  if (typeof answer === 'string') return { kind: 'answer', text: answer };
  if (typeof name !== 'string') return { kind: 'other' };
  return { kind: 'call', name, args: isJsonObject(args) ? args : {} };
}

const MODELS = new WeakMap<World, ServiceModel>();

/** The service model of a world, worked out once. */
export function serviceOf(world: World): ServiceModel {
  const known = MODELS.get(world);
  if (known !== undefined) return known;
  const model = world.spec === null ? { collections: {}, plans: {} } : inferService(world.spec);
  MODELS.set(world, model);
  return model;
}

interface Call {
  readonly name: string;
  readonly args: JsonObject;
}

/** What became of a call whose answer was lost. */
type Happened = 'done' | 'not-done' | 'unknown';

class OracleDriver {
  private readonly originals: readonly ToolDefinition[];
  private readonly roles: ReadonlyMap<string, ToolRole>;
  /** Collection → the fields that name its rows. */
  private readonly keys: Readonly<Record<string, readonly string[]>>;
  /** Reads since the last write, so that a page is not read twice. */
  private read = new Set<string>();
  private signIns = 0;
  /** Rows made by calls with these arguments. */
  private readonly made = new Map<string, number>();

  constructor(
    world: World,
    private readonly hands: OracleHands,
  ) {
    this.originals = hands.tools();
    const service = serviceOf(world);
    this.roles = toolRoles(service);
    this.keys = Object.fromEntries(Object.entries(service.collections).map(([name, { key }]) => [name, key]));
  }

  /** Does one step; gives what could not be done, or null. */
  async perform(step: Call): Promise<string | null> {
    const role = this.roles.get(step.name);
    const tool = this.originals.find(({ name }) => name === step.name);
    if (tool === undefined) return `there is no tool '${step.name}'`;
    if (isReading(tool, role)) return this.readAll(step);
    this.read = new Set();
    const items = role?.batch == null ? undefined : step.args[role.batch];
    if (role?.batch != null && Array.isArray(items))
      return this.writeBatch(step, { role, argument: role.batch, items: items as readonly Json[] });
    return this.write(step, role);
  }

  private async readAll(step: Call): Promise<string | null> {
    if (this.read.has(keyOf(step))) return null;
    const { problem } = await this.pages(step);
    return problem;
  }

  /** Reads a call with all its pages. */
  private async pages(
    step: Call,
  ): Promise<{ rows: JsonObject[]; first: Json | undefined; problem: string | null }> {
    const rows: JsonObject[] = [];
    let first: Json | undefined;
    let args: JsonObject | null = step.args;
    for (let page = 0; args !== null && page <= PAGES; page++) {
      const answer: SeenAnswer | string = await this.readOnce({ name: step.name, args });
      if (typeof answer === 'string') return { rows, first, problem: answer };
      this.read.add(keyOf({ name: step.name, args }));
      const value = answerValue(answer);
      if (page === 0) first = value;
      rows.push(...rowsOf(value));
      const tool = this.resolve(step.name);
      const next: JsonObject | null = tool === null ? null : nextPage(value, args, tool);
      args = next !== null && this.read.has(keyOf({ name: step.name, args: next })) ? null : next;
    }
    return { rows, first, problem: null };
  }

  /** One read, tried again while that may help; its answer, or why there is none. */
  private async readOnce(step: Call): Promise<SeenAnswer | string> {
    let problem = '';
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const answer = await this.call(step);
      if (typeof answer === 'string') return answer;
      if (!answer.isError && !isBroken(answer)) return answer;
      problem = problemOf(step, answer);
      const failure = failureKind(answer.text, this.hands.nowMs());
      if (answer.isError && isSignedOut(answer.text) && (await this.signIn())) continue;
      const isGoneOver = !isSignedOut(answer.text) && EXPIRED.test(answer.text);
      if (answer.isError && failure.kind === 'permanent' && !isGoneOver) return problem;
      if (attempt < ATTEMPTS) await this.pause(attempt, failure.retryAfterMs);
    }
    return problem;
  }

  private async write(step: Call, role: ToolRole | undefined): Promise<string | null> {
    const before = await this.rowBefore(step, role);
    let lost = false;
    let problem = '';
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const answer = await this.call(step);
      if (typeof answer === 'string') return answer;
      problem = problemOf(step, answer);
      if (!answer.isError && !isBroken(answer)) {
        if (this.hands.verifies === true && (await this.isMissing({ step, role, before, answer }))) continue;
        return this.noteMade(step);
      }
      const failure = failureKind(answer.text, this.hands.nowMs());
      const isLost = !answer.isError || failure.kind === 'lost';
      if (answer.isError && isSignedOut(answer.text) && (await this.signIn())) continue;
      if (answer.isError && failure.kind === 'permanent')
        return lost && saysDone(answer.text) ? null : problem;
      lost ||= isLost;
      await this.pause(attempt, failure.retryAfterMs);
      if (!isLost || hasKey(step, role)) continue;
      const happened = await this.happened(step, role, before);
      if (happened === 'done') return this.noteMade(step);
      // A service that says when to come again says that it did not do it; else nobody knows.
      if (happened === 'unknown' && failure.retryAfterMs === null)
        return `${problem}; whether it happened cannot be seen, and doing it twice would be worse`;
    }
    return problem;
  }

  /** A confirmed write that two looks, one pause apart, do not show. */
  private async isMissing(of: {
    readonly step: Call;
    readonly role: ToolRole | undefined;
    readonly before: string | null;
    readonly answer: SeenAnswer;
  }): Promise<boolean> {
    const { step, role, before } = of;
    const look = readBackFor({ tool: step.name, args: step.args }, this.originals, this.roles);
    if (look === null || role === undefined || role.batch !== null) return false;
    for (let attempt = 1; attempt <= 2; attempt++) {
      if ((await this.happened(step, role, before)) !== 'not-done') return false;
      if (attempt === 1) await this.pause(1, null);
    }
    const rows = await this.found(look);
    // The row that the answer confirmed is there, whatever its other fields look like.
    if (role.op === 'create' && rows !== null && hasRowOf(rows, answerValue(of.answer))) return false;
    // Where the row does not show what was written, nothing can be said.
    return (
      rows !== null &&
      (role.op === 'create' ||
        role.accumulates ||
        rows.some((row) => showsUpdate(row, step.args, role) === false))
    );
  }

  /** A batch, item by item where that is needed. */
  private writeBatch(
    step: Call,
    {
      role,
      argument,
      items,
    }: { readonly role: ToolRole; readonly argument: string; readonly items: readonly Json[] },
  ): Promise<string | null> {
    const single = this.originals.filter(({ name }) => {
      const other = this.roles.get(name);
      return (
        other !== undefined &&
        other.batch === null &&
        other.op === role.op &&
        other.collection === role.collection
      );
    });
    return writeBatch(
      { step, argument, items, role, hasKey: hasKey(step, role), single },
      {
        call: (call) => this.call(call),
        pause: (attempt, retryAfterMs) => this.pause(attempt, retryAfterMs),
        signIn: () => this.signIn(),
        look: (item) => this.lookAtItem(step, role, item),
        nowMs: () => this.hands.nowMs(),
      },
    );
  }

  /** The rows of an item: those with its key, of a new one those that hold all it gives. */
  private async lookAtItem(step: Call, role: ToolRole, item: Json): Promise<string | null> {
    const args = isJsonObject(item) ? item : { id: item };
    const look = readBackFor({ tool: step.name, args }, this.originals, this.roles);
    const rows = look === null ? null : await this.found(look);
    if (rows === null) return null;
    const values = new Set(Object.values(args).map((value) => canonicalJson(value)));
    const holds = (row: JsonObject, field: string): boolean => values.has(canonicalJson(row[field] ?? null));
    const own = rows.filter((row) =>
      role.op === 'create'
        ? Object.keys(args).every((field) => !Object.hasOwn(row, field) || holds(row, field))
        : (this.keys[role.collection ?? ''] ?? ['id']).some((field) => holds(row, field)),
    );
    return canonicalJson(own);
  }

  /** The row before a change that adds up, so that a lost answer can be told from a lost call. */
  private async rowBefore(step: Call, role: ToolRole | undefined): Promise<string | null> {
    if (role === undefined || !role.accumulates || role.op === 'create' || hasKey(step, role)) return null;
    const look = readBackFor({ tool: step.name, args: step.args }, this.originals, this.roles);
    return look === null ? null : this.look(look, step, role);
  }

  /** The rows that a look shows, as one text to compare; null where it shows none. */
  private async look(look: ReadBack, step: Call, role: ToolRole): Promise<string | null> {
    const found = await this.found(look);
    // Prose about one thing can be compared as it stands.
    if (found === null) return look.kind === 'get' ? this.proseOf(look) : null;
    const keys = Object.fromEntries(
      Object.entries(step.args).filter(([name]) => role.key[name] !== undefined),
    );
    return canonicalJson([...matchingRows(found, keys, role)]);
  }

  private async proseOf(look: ReadBack): Promise<string | null> {
    const answer = await this.readOnce({ name: look.tool, args: look.args });
    return typeof answer === 'string' || answerValue(answer) !== undefined ? null : answer.text;
  }

  private async found(look: ReadBack): Promise<readonly JsonObject[] | null> {
    // What was read before the write is not what is there now.
    this.read = new Set();
    const { rows, first, problem } = await this.pages({ name: look.tool, args: look.args });
    // Prose shows no rows: what it does not show is not known to be missing.
    if (problem !== null || first === undefined) return null;
    return look.kind === 'get' && isJsonObject(first) ? [first, ...rows] : rows;
  }

  private async happened(step: Call, role: ToolRole | undefined, before: string | null): Promise<Happened> {
    if (role === undefined) return 'unknown';
    const look = readBackFor({ tool: step.name, args: step.args }, this.originals, this.roles);
    if (role.op !== 'create' && !role.accumulates) {
      // Doing it again changes nothing more, so a look is only to save a call.
      if (role.op === 'delete') return look !== null && (await this.isGone(look)) ? 'done' : 'not-done';
      const found = look === null ? null : await this.found(look);
      return found?.some((row) => showsUpdate(row, step.args, role) === true) === true ? 'done' : 'not-done';
    }
    if (look === null) return 'unknown';
    if (role.op !== 'create') {
      const now = await this.look(look, step, role);
      return now === null || before === null ? 'unknown' : now === before ? 'not-done' : 'done';
    }
    const found = await this.found(look);
    if (found === null) return 'unknown';
    const known = this.made.get(keyOf(step)) ?? 0;
    return matchingRows(found, step.args, role).length > known ? 'done' : 'not-done';
  }

  /** Whether a look no longer finds a row: it shows none, or is answered that there is none. */
  private async isGone(look: ReadBack): Promise<boolean> {
    this.read = new Set();
    const { rows, first, problem } = await this.pages({ name: look.tool, args: look.args });
    if (problem !== null) return saysGone(problem);
    return look.kind === 'list' && first !== undefined && rows.length === 0;
  }

  private noteMade(step: Call): null {
    this.made.set(keyOf(step), (this.made.get(keyOf(step)) ?? 0) + 1);
    return null;
  }

  /** Calls the tool by the name and the arguments that it has now; a text where that is not possible. */
  private async call(step: Call): Promise<SeenAnswer | string> {
    const old = this.originals.find(({ name }) => name === step.name);
    const now = this.resolve(step.name);
    if (old === undefined || now === null) return `the tool '${step.name}' is not there any more`;
    const args = now === old ? step.args : fitArguments(step.args, old, now);
    if (args === null) return `'${now.name}' now wants arguments that are not known`;
    return this.hands.call(now.name, args);
  }

  /** Calls the tool that signs in, where there is one whose arguments are known; at most a few times. */
  private async signIn(): Promise<boolean> {
    const tool = this.hands.tools().find(({ name }) => SIGN_IN.test(name));
    const args = tool === undefined ? null : fitArguments({}, { ...tool, inputSchema: {} }, tool);
    if (tool === undefined || args === null || this.signIns++ >= ATTEMPTS) return false;
    return !(await this.hands.call(tool.name, args)).isError;
  }

  private resolve(name: string): ToolDefinition | null {
    const old = this.originals.find((tool) => tool.name === name);
    return old === undefined ? null : findAgain(old, this.hands.tools(), this.originals);
  }

  private pause(attempt: number, retryAfterMs: number | null): Promise<void> {
    return this.hands.wait(Math.max(retryAfterMs ?? 0, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
  }
}

/** A page that is gone may be there again; asking once more costs little. */
const EXPIRED = /(cursor|page|token|offset).{0,200}expired/i;

const SIGN_IN = /(^|[_-])((sign|log)_?-?in|authenticate|refresh_?token)($|[_-])/i;

function keyOf(step: Call): string {
  return canonicalJson([step.name, step.args]);
}

/** A key in the arguments makes it safe to send the same call again. */
function hasKey(step: Call, role: ToolRole | undefined): boolean {
  const named =
    role?.idempotencyKey ?? Object.keys(step.args).find((name) => /^idempotency_?key$/i.test(name));
  return named !== null && named !== undefined && Object.hasOwn(step.args, named);
}

/** After a lost answer these words mean that the first try had worked. */
function saysDone(text: string): boolean {
  return /already|exists|duplicate|not found|no such/i.test(text);
}

function saysGone(problem: string): boolean {
  return /not found|no such|does not exist|not exist|gone|\b(404|410)\b/i.test(problem);
}

/** A row shares its identifier with the row that an answer shows: the first member that is named like one. */
function hasRowOf(rows: readonly JsonObject[], answer: Json | undefined): boolean {
  const shown = rowsOf(answer)[0] ?? {};
  const name = Object.keys(shown).find((one) => /(^|_)(id|key|code|number|uuid)$/i.test(one));
  if (name === undefined) return false;
  return rows.some((row) => canonicalJson(row[name] ?? null) === canonicalJson(shown[name] ?? null));
}

function problemOf({ name }: Call, answer: SeenAnswer): string {
  const said =
    answer.text.trim() === '' ? 'an empty answer' : answer.text.trim().replace(/\s+/g, ' ').slice(0, 200);
  return `'${name}' answered: ${said}`;
}
