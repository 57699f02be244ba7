/**
 * A session of a tool world: the current state, and the runs, forks, snapshots and views of it.
 */
import {
  type AbsorbContext,
  type AbsorbReport,
  type Engine,
  EngineError,
  type EngineRun,
  type EngineSession,
  type FaultedRow,
  type ForeignChange,
  type Json,
  type JsonObject,
  ok,
  type ParsedAction,
  type Result,
  type RunContext,
  type ToolCall,
} from '../../core/index.js';
import { type ServiceSource, type ToolWorld, WorldCache } from './engine-world.js';
import { stateAt } from './policy/passing-time.js';
import { shapeScope } from './result/result-shape.js';
import { absorbObservation } from './run/absorb.js';
import { applyForeignChanges } from './run/foreign-changes.js';
import { runAction } from './run/run.js';
import type { ToolFailure } from './run/run-call.js';
import type { ToolWorldSpec } from './spec.js';
import { decodeSnapshot, encodeSnapshot } from './store/snapshot.js';
import type { StoreState } from './store/store.js';
import type { CallTrial } from './try-call.js';

/** A session of a tool world. */
export class ToolSession implements EngineSession {
  private running = false;

  constructor(
    private readonly world: ToolWorld,
    private state: StoreState,
  ) {}

  *run(action: ParsedAction, context: RunContext): EngineRun {
    if (this.running) {
      throw new EngineError('a run of this session is not finished; finish it before starting another', {
        code: 'engine/bug',
      });
    }
    this.running = true;
    try {
      const ran = yield* runAction(this.world, this.state, { action, context });
      this.state = ran.state;
      return ran.outcome;
    } finally {
      this.running = false;
    }
  }

  /** Runs a call with a Host that lets everything pass, on a fork; see `try-call.ts`. */
  trial(action: ToolCall, context: RunContext): CallTrial {
    const run = runAction(this.world, this.state, { action, context });
    let next = run.next();
    while (next.done !== true) {
      const unknown = next.value.phase === 'unknown';
      const reason = 'nobody can compute it';
      next = run.next(unknown ? { do: 'abstain', status: 'abstained', reason } : { do: 'proceed' });
    }
    const { outcome, state, call } = next.value;
    const { failure } = call ?? {};
    return {
      outcome,
      scope: call === undefined || call.facts === undefined ? null : shapeScope(call, call.facts),
      failure: failure === undefined ? null : failureOf(failure),
      after: new ToolSession(this.world, state),
    };
  }

  absorb(action: ParsedAction, observation: string, context: AbsorbContext): AbsorbReport {
    if (action.kind !== 'tool-call') return { absorbed: 0, conflicts: [] };
    const absorbed = absorbObservation(this.world, this.state, { action, observation, context });
    this.state = absorbed.state;
    return absorbed.report;
  }

  advance(context: RunContext): boolean {
    const state = stateAt(this.world, this.state, context);
    const changed = state !== this.state;
    this.state = state;
    return changed;
  }

  change(changes: readonly ForeignChange[]): Result<readonly FaultedRow[], string> {
    const changed = applyForeignChanges(this.world, this.state, changes);
    if (!changed.ok) return changed;
    this.state = changed.value.state;
    return ok(changed.value.rows);
  }

  view(): Json {
    return this.world.view.view(this.state);
  }

  caller(): JsonObject {
    return this.state.session;
  }

  actionSpace(): Json {
    return this.world.spec.tools as unknown as Json;
  }

  snapshot(): Uint8Array {
    return encodeSnapshot(this.world, this.state);
  }

  fork(): EngineSession {
    return new ToolSession(this.world, this.state);
  }
}

/** An engine over a source of services; `createToolsEngine` gives it the inferring one. */
export function createEngineFrom(source: ServiceSource): Engine<ToolWorldSpec> {
  const cache = new WorldCache(source);
  return {
    name: 'tools',
    open(spec, seed) {
      const world = cache.world(spec, seed);
      return new ToolSession(world, world.start);
    },
    restore(spec, seed, snapshot) {
      const world = cache.world(spec, seed);
      return new ToolSession(world, decodeSnapshot(world, snapshot));
    },
  };
}

function failureOf({ kind, message, details: { row } }: ToolFailure): CallTrial['failure'] {
  return { kind, message, ...(row !== undefined && { row }) };
}
