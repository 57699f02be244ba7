/**
 * What an agent is to the runner: something that is told a task, acts until it is done, and gives an answer.
 *
 * The idea: every kind of agent (a built-in policy, a function, a script, a process, a model) is one object with one
 * method. It acts through a session, which is the only way into the world, so that what it did is known turn by turn
 * whatever the agent says about itself. A session stops an agent by raising {@link AgentStopped}; an agent that
 * catches it gets it again at its next action. Not covered: how an agent is made out of a SPEC (`agent-spec.ts`).
 */
import type { Json, JsonObject, StepStatus } from '../core/index.js';
import type { ToolDefinition } from '../domains/index.js';
import type { World } from '../worlds/index.js';
import type { RunEndReason } from './run-record.js';

/** What a call gave, as an agent sees it. */
export interface CallResult {
  readonly status: StepStatus;
  /** The observation; where there is none, the reason, so that an agent is never told an empty text. */
  readonly text: string;
  readonly isError: boolean;
  /** The structured form, where there is one. */
  readonly value?: Json;
}

/** A world as one agent in one run sees it. */
export interface AgentSession {
  /** What the agent is told. */
  readonly task: string;
  /** Decides what the agent leaves to chance. */
  readonly seed: number;
  /** Aborted when the run must stop; its reason is the {@link AgentStopped}. */
  readonly signal: AbortSignal;
  /** The tools as they are now; a fault may change them in the middle of a run. */
  tools(): readonly ToolDefinition[];
  /** Calls a tool. Raises {@link AgentStopped} after the end of the run. */
  call(name: string, args: JsonObject): Promise<CallResult>;
  /** Sends any action text, for agents that write their own. Raises like `call`. */
  act(action: string): Promise<CallResult>;
  /** The simulated clock, milliseconds since 1970 UTC. */
  nowMs(): number;
  /** Lets simulated time pass; takes no time of the host's. Raises like `call`. */
  wait(durationMs: number): Promise<void>;
  /** Counts what a model used; raises {@link AgentStopped} when that is over the budget. */
  spend(usage: Spending): void;
}

/** What a model call used; null where nobody reported it. */
export interface Spending {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly costUsd: number | null;
}

/** What only a built-in policy may see: the world with its own solution, and where processes reach the run. */
export interface RunAccess {
  readonly world: World;
  /** Opens the episode to a process: where its MCP server is, and the token that opens it. */
  expose(): Promise<Exposed>;
}

/** Where a run can be reached over MCP. */
export interface Exposed {
  /** Streamable HTTP, on loopback. */
  readonly mcpUrl: string;
  /** Opens this run only; sent as a bearer token. */
  readonly token: string;
}

/** What an agent leaves behind. */
export interface AgentReport {
  /** The final answer, or null where it gave none. */
  readonly answer: string | null;
  /** The end of its log (a process: standard error), where it has one. */
  readonly log?: string;
  /** What a reader of the record must know of the answer, such as that it was cut. */
  readonly note?: string;
}

/** An agent. `run` may be called for several runs at once. */
export interface Agent {
  /** Short name for tables, unique in a suite. */
  readonly id: string;
  /** What stands before the colon of its SPEC, or `model`. */
  readonly kind: string;
  /** How it was named, without anything secret. */
  readonly spec: string;
  /** What decides its behaviour besides its SPEC, such as the hash of its file; part of a suite's fingerprint. */
  readonly fingerprint?: string;
  /**
   * True for an agent that acts in its own time (a process, a model): the simulated clock then goes on with the
   * host's between its actions. False for one whose runs must be the same each time.
   */
  readonly live: boolean;
  /** True for an agent that reaches the run over MCP, so that our service has to serve it. Default false. */
  readonly hosted?: boolean;
  /** Its keys, which must not be in a record. */
  readonly secrets?: readonly string[];
  /** Lives through one run. Rejects with {@link AgentFailure} for its own failures; any other rejection is a crash. */
  run(session: AgentSession, access: RunAccess): Promise<AgentReport>;
}

/** The run is over: raised into the agent's next action. */
export class AgentStopped extends Error {
  constructor(
    /** Why. */
    readonly reason: RunEndReason,
    message: string,
  ) {
    super(message);
    this.name = 'AgentStopped';
  }
}

/** An agent, or what it depends on, failed in a way that has a name of its own. */
export class AgentFailure extends Error {
  constructor(
    /** Which end of a run it is, for example `agent-exit` or `provider-failed`. */
    readonly reason: RunEndReason,
    message: string,
    /** The end of the agent's log, where it has one. */
    readonly log: string | null = null,
  ) {
    super(message);
    this.name = 'AgentFailure';
  }
}
