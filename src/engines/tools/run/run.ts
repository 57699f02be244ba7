/**
 * One tool call from action to outcome, as operations through the Host.
 *
 * Order: check (`check.ts`) → before `tool.call` → the plan's reads and writes, per item where it is a batch, or
 * `unknown` → after `tool.call`. A refused call passes no operation and changes nothing. A failed call changes
 * nothing, except a batch, whose good items stand. An abstention anywhere leaves the state as it was.
 */
import {
  type Answer,
  type EngineOutcome,
  type HostCall,
  type HostReply,
  isJsonObject,
  type Json,
  type JsonObject,
  type Operation,
  type ParsedAction,
  type RunContext,
  randomStream,
  traced,
} from '../../../core/index.js';
import type { ToolDefinition } from '../../../domains/index.js';
import type { CheckedCall } from '../check/check.js';
import type { ToolWorld } from '../engine-world.js';
import { type Admission, admit, settle } from '../policy/admission.js';
import { letTimePass } from '../policy/passing-time.js';
import type { ToolPolicy } from '../policy/policy.js';
import { shapeAnswer } from '../result/result.js';
import { renderTracedJson } from '../result/result-json.js';
import {
  asGuess,
  asToldFailure,
  failed,
  givenShape,
  ignoredFailure,
  inOwnWords,
  isGuessed,
  madeUp,
} from '../result/result-shape.js';
import type { Plan } from '../service.js';
import type { StoreState } from '../store/store.js';
import { failureAnswer, formText, templateText } from './failure-answer.js';
import { type KeyedCall, keepAnswer, keptAnswer, keyedCall } from './idempotency.js';
import { Call, errorAnswer, type Steps, StopCall, ToolFailure } from './run-call.js';
import { checkConditions } from './run-conditions.js';
import { applyEffects } from './run-effects.js';
import type { Facts } from './run-facts.js';
import { choosePlan, runPlan } from './run-plan.js';
import { withRelated } from './run-related.js';
import { refuseMissingRows } from './run-unknown.js';

/** Simulated milliseconds that a call takes at least, and at most on top of it. */
const BASE_LATENCY_MS = 120;
const JITTER_MS = 80;
/** Turns whose jitter is kept with their world: drawing it anew hashes its name. */
const KEPT_JITTERS = 1_000;

/** An outcome and the state after it. */
export interface Ran {
  readonly outcome: EngineOutcome;
  readonly state: StoreState;
  /** The call, for whoever looks into a trial; undefined for what was refused before it ran. */
  readonly call?: Call;
}

/** Runs one action on a state. */
export function* runAction(
  world: ToolWorld,
  state: StoreState,
  given: { readonly action: ParsedAction; readonly context: RunContext },
): Generator<HostCall, Ran, HostReply> {
  const { action, context } = given;
  if (action.kind !== 'tool-call') {
    const reason = action.kind === 'malformed' ? action.reason : 'a tool service has nothing to finish';
    return {
      state,
      outcome: refusal(action.kind === 'malformed' ? 'malformed' : 'refused', {
        text: reason,
        reason,
        flags: [],
      }),
    };
  }
  const checked = world.checks.check(action.name, action.arguments);
  if (!checked.ok) {
    const outcome = refusal('refused', styled({ world, state }, given, checked));
    const isGuess = world.spec.answers?.guessed === true && outcome.answer !== null;
    if (!isGuess || outcome.answer === null) return { state, outcome };
    const answer = { ...outcome.answer, text: madeUp(outcome.answer.text) };
    return { state, outcome: { ...outcome, answer } };
  }
  const call = new Call(world, state, checked.tool, checked.args, context);
  return yield* runChecked(call);
}

/** A refusal of arguments in the words of the tool or of its API; a style of validation keeps its own. */
function styled(
  at: { readonly world: ToolWorld; readonly state: StoreState },
  given: { readonly action: ParsedAction; readonly context: RunContext },
  checked: Extract<CheckedCall, { ok: false }>,
): Extract<CheckedCall, { ok: false }> {
  const { action, context } = given;
  const { answers } = at.world.spec;
  if (answers === undefined || action.kind !== 'tool-call' || checked.flags.includes('unknown-tool'))
    return checked;
  const refused = {
    tool: action.name,
    args: action.arguments,
    session: at.state.session,
    clock: new Date(context.nowMs).toISOString(),
    message: checked.reason,
    details: checked.field === undefined ? {} : { field: checked.field },
  };
  const form = answers.validation === undefined ? formText(at.world, 'validation', refused) : undefined;
  const text = templateText(at.world, 'validation', refused) ?? form;
  return text === undefined ? checked : { ...checked, text };
}

function refusal(
  status: 'malformed' | 'refused',
  told: { readonly text: string; readonly reason: string; readonly flags: readonly string[] },
): EngineOutcome {
  return { status, answer: errorAnswer(told.text), reason: told.reason, durationMs: 0, flags: told.flags };
}

function* runChecked(call: Call): Generator<HostCall, Ran, HostReply> {
  const op = call.operation('tool.call', call.args);
  try {
    yield* call.before(op);
    const answer = yield* answerCall(call, op);
    yield* call.after(op, answer);
    return finished(call, answer);
  } catch (thrown) {
    if (!(thrown instanceof StopCall)) throw thrown;
    return stopped(call, thrown);
  }
}

function finished(call: Call, answer: Answer): Ran {
  return {
    call,
    state: call.state,
    outcome: { status: 'ok', answer, durationMs: durationOf(call), flags: flagsOf(call) },
  };
}

function durationOf({ world, context, delayMs }: Call): number {
  const { turn } = context;
  let jitterMs = world.jitterMs.get(turn);
  if (jitterMs === undefined) {
    jitterMs = randomStream(world.seed, 'latency', String(turn)).integer(0, JITTER_MS);
    if (world.jitterMs.size < KEPT_JITTERS) world.jitterMs.set(turn, jitterMs);
  }
  return BASE_LATENCY_MS + jitterMs + delayMs;
}

function flagsOf(call: Call): readonly string[] {
  return [...new Set(call.flags)];
}

/** The Host ended the call: before a write nothing stays, after one what is written stays. */
function stopped(call: Call, { stop }: StopCall): Ran {
  if (stop.kind === 'null') {
    const { status, reason } = stop;
    const outcome = { status, answer: null, reason, durationMs: durationOf(call), flags: flagsOf(call) };
    return { state: call.root, outcome };
  }
  if (!stop.written) call.state = call.root;
  return finished(call, takeEffects(call, stop.answer));
}

/** Applies the effects that an answer brings, as a whole or, flagged, not at all. */
function takeEffects(call: Call, answer: Answer): Answer {
  if (answer.effects === undefined) return answer;
  const { effects, effectsOrigin, ...rest } = answer;
  const applied = applyEffects(call, effects, effectsOrigin);
  if (applied.ok) call.state = applied.value;
  else call.flags.push('effects-refused');
  return rest;
}

/** Computes the answer, or asks for it; failures of the tool become error answers. */
function* answerCall(call: Call, op: Operation): Steps<Answer> {
  const policy = call.world.policy.tools.get(call.tool.name);
  try {
    letTimePass(call);
    const plan = logsIn(policy) ? overriding(planOf(call)) : choosePlan(planOf(call), call.args);
    const repeats = (): boolean => repeated(call, keyedCall(call, plan, policy?.idempotency)) !== undefined;
    const admission = policy === undefined ? undefined : admit(call, policy, { plan, repeats });
    const keyed = keyedCall(call, plan, policy?.idempotency);
    const kept = repeated(call, keyed);
    if (kept !== undefined) return kept;
    return yield* computeAnswer(call, op, { plan, keyed, policy, admission });
  } catch (thrown) {
    if (!(thrown instanceof ToolFailure)) throw thrown;
    if (policy?.atomic !== false) call.state = call.base;
    call.flags.push(...thrown.flags);
    call.failure = thrown;
    const failure = inOwnWords(call, thrown, call.args);
    return asGuess(
      call,
      ignoredFailure(call, thrown) ??
        asToldFailure(
          call,
          failure,
          failed(call, failure.isWorded ? errorAnswer(failure.message) : failureAnswer(call, failure)),
        ),
    );
  }
}

/** The answer that the call's key holds, if it has one; raises a {@link ToolFailure} for other arguments. */
function repeated(call: Call, keyed: KeyedCall | undefined): Answer | undefined {
  return keyed === undefined ? undefined : keptAnswer(call, keyed);
}

/** A tool whose login finds the caller, or forgets it, does that and nothing that its name may suggest. */
function logsIn(policy: ToolPolicy | undefined): boolean {
  const logins = policy?.logins.filter(({ as }) => as === undefined) ?? [];
  return logins.some(({ match, clear, set }) => match !== undefined || (clear && set === undefined));
}

function overriding(plan: Plan | undefined): Plan | undefined {
  return plan?.override === undefined ? undefined : plan;
}

function planOf(call: Call): Plan | undefined {
  const { plans } = call.world.model;
  return Object.hasOwn(plans, call.tool.name) ? plans[call.tool.name] : undefined;
}

interface Computing {
  readonly plan: Plan | undefined;
  readonly keyed: KeyedCall | undefined;
  readonly policy: ToolPolicy | undefined;
  readonly admission: Admission | undefined;
}

function* computeAnswer(call: Call, op: Operation, how: Computing): Steps<Answer> {
  const { policy, admission } = how;
  // A guess is no computing: in a strict world nobody can say.
  if (call.world.spec.strict && isGuessed(call)) return takeEffects(call, yield* call.unknown(op, undefined));
  const steps = how.plan === undefined ? undefined : runPlan(call, how.plan);
  if (how.plan === undefined) {
    checkConditions(call, undefined, call.args);
    refuseMissingRows(call);
  }
  const settled = (facts: Facts | undefined): void => {
    if (policy !== undefined && admission !== undefined) settle(call, policy, { facts, admission });
  };
  if (steps === undefined) {
    const said =
      loginAnswer(call, policy, admission) ??
      (how.plan === undefined ? givenShape(call, undefined) : undefined);
    const answer = said ?? takeEffects(call, yield* call.unknown(op, fallbackOf(call)));
    if (!answer.isError) settled(undefined);
    return keepWhere(call, how.keyed, answer);
  }
  const facts = yield* withRelated(call, yield* steps);
  call.facts = facts;
  if (call.world.spec.strict && call.isUnsure) {
    call.state = call.base;
    return takeEffects(call, yield* call.unknown(op, undefined));
  }
  const shaped = shapeAnswer(call, facts);
  call.flags.push(...shaped.flags);
  if (shaped.lacking || facts.lacking !== undefined)
    return takeEffects(call, yield* call.unknown(op, undefined));
  if (!shaped.answer.isError) settled(facts);
  return keepWhere(call, how.keyed, asGuess(call, shaped.answer));
}

function keepWhere(call: Call, keyed: KeyedCall | undefined, answer: Answer): Answer {
  if (keyed !== undefined && !answer.isError) call.state = keepAnswer(call, keyed, answer);
  return answer;
}

/** A tool that nobody can compute and that does log in or out has done what it is for. */
function loginAnswer(
  call: Call,
  policy: ToolPolicy | undefined,
  admission: Admission | undefined,
): Answer | undefined {
  const logins = policy?.logins.filter((one) => one.as === undefined) ?? [];
  if (logins.length === 0 || call.tool.outputSchema !== undefined) return undefined;
  const done = (admission?.size ?? 0) > 0 || logins.some(({ set }) => set !== undefined) ? 'in' : 'out';
  return { text: traced(`Logged ${done}`, 'computed'), isError: false };
}

/** Seeded filler for what nobody can compute; none in a strict world. */
function fallbackOf(call: Call): Answer | undefined {
  const { world, tool, context } = call;
  if (world.spec.strict) return undefined;
  const { outputSchema } = tool;
  if (outputSchema === undefined) {
    return { text: traced(`${titleOf(tool)}: done.`, 'generated'), isError: false };
  }
  const random = randomStream(world.seed, 'fallback', tool.name, String(context.turn));
  const how = { root: outputSchema, random, known: call.args, nowMs: context.nowMs };
  const value = world.source.sample(outputSchema, how);
  if (value === undefined || !world.checks.outputFits(tool, value)) return undefined;
  return { text: markGenerated(value), value, isError: false };
}

function markGenerated(value: Json): Answer['text'] {
  const members = isJsonObject(value) ? Object.values(value) : [];
  const [only] = members;
  if (members.length === 1 && typeof only === 'string' && only !== '') return traced(only, 'generated');
  return renderTracedJson(value, (_object: JsonObject) => 'generated', 'generated');
}

function titleOf(tool: ToolDefinition): string {
  return tool.title ?? tool.annotations?.title ?? tool.name;
}
