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
  type Json,
  type ParsedAction,
  type RunContext,
} from '../../core/index.js';
import { type ServiceSource, type ToolWorld, WorldCache } from './engine-world.js';
import { absorbObservation } from './run/absorb.js';
import { runAction } from './run/run.js';
import type { ToolWorldSpec } from './spec.js';
import { decodeSnapshot, encodeSnapshot } from './store/snapshot.js';
import type { StoreState } from './store/store.js';

class ToolSession implements EngineSession {
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

  absorb(action: ParsedAction, observation: string, context: AbsorbContext): AbsorbReport {
    if (action.kind !== 'tool-call') return { absorbed: 0, conflicts: [] };
    const absorbed = absorbObservation(this.world, this.state, { action, observation, context });
    this.state = absorbed.state;
    return absorbed.report;
  }

  view(): Json {
    return this.world.view.view(this.state);
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
