/**
 * A session of a world that nobody computes: every action is one question to the Host, and code remembers what was shown.
 *
 * Refused is what the world's own list of tools does not allow. The notes of a search world are computed. What the Host
 * answers is taken in by `absorb`, as every foreign observation is.
 */
import {
  type AbsorbContext,
  type AbsorbReport,
  type Answer,
  EngineError,
  type EngineOutcome,
  type EngineRun,
  type EngineSession,
  type FaultedRow,
  type ForeignChange,
  fail,
  type HostReply,
  isJsonObject,
  type Json,
  type JsonObject,
  type Operation,
  type ParsedAction,
  type Result,
  type RunContext,
  type ToolCall,
  traced,
} from '../../core/index.js';
import type { ToolChecks } from '../tools/check/check.js';
import { NOTES_TOOL, runNotes } from './agent-notes.js';
import type { AskedSpec } from './asked-spec.js';
import { remember, type SeenMemory } from './seen-memory.js';

/** How long an action takes where it does not say so. */
const ACTION_MS = 1_000;
const LONGEST_MS = 3_600_000;

type Abstained = Extract<HostReply, { do: 'abstain' }>;

/** A session. */
export class AskedSession implements EngineSession {
  private running = false;

  constructor(
    private readonly world: {
      readonly spec: AskedSpec;
      readonly seed: number;
      readonly checks: ToolChecks | null;
    },
    private memory: SeenMemory,
    private readonly encode: (memory: SeenMemory) => Uint8Array,
  ) {}

  *run(action: ParsedAction, _context: RunContext): EngineRun {
    if (this.running) {
      throw new EngineError('a run of this session is not finished; finish it before starting another', {
        code: 'engine/bug',
      });
    }
    this.running = true;
    try {
      return yield* this.step(action);
    } finally {
      this.running = false;
    }
  }

  private *step(action: ParsedAction): EngineRun {
    if (action.kind !== 'tool-call') return refused(`an action of kind '${action.kind}' cannot be run`, []);
    const checked = this.world.checks?.check(action.name, action.arguments);
    if (checked !== undefined && !checked.ok) return refused(checked.text, checked.flags, checked.reason);
    const { spec } = this.world;
    const isWeb = spec.domain === 'search' && action.name !== NOTES_TOOL;
    const op: Operation = {
      kind: 'tool.call',
      name: action.name,
      args: action.arguments,
      // The web of a search world does not change while an agent looks at it.
      ...(isWeb && { stateMark: 'web' }),
    };
    const before = yield { phase: 'before', op };
    if (before.do === 'abstain') return nothing(before);
    let durationMs = durationOf(action.arguments) + (before.delayMs ?? 0);
    if (before.do === 'answer') return said(before.answer, durationMs);
    const start = this.memory;
    let answer = this.computed(action);
    if (answer === undefined) {
      const reply = yield { phase: 'unknown', op };
      if (reply.do === 'abstain') return nothing(reply);
      if (reply.do === 'proceed')
        return nothing({ do: 'abstain', status: 'abstained', reason: `nobody answers '${op.name}'` });
      durationMs += reply.delayMs ?? 0;
      answer = reply.answer;
    }
    const after = yield { phase: 'after', op, answer };
    if (after.do === 'abstain') {
      this.memory = start;
      return nothing(after);
    }
    return said(after.do === 'answer' ? after.answer : answer, durationMs + (after.delayMs ?? 0));
  }

  /** The agent's notes are its own; everything else is asked. */
  private computed({ name, arguments: args }: ToolCall): Answer | undefined {
    if (this.world.spec.domain !== 'search' || name !== NOTES_TOOL) return undefined;
    const { text, isError, notes } = runNotes(this.memory.notes, args);
    this.memory = { ...this.memory, turns: this.memory.turns + 1, notes };
    return { text: traced(text, 'computed'), isError };
  }

  absorb(action: ParsedAction, observation: string, context: AbsorbContext): AbsorbReport {
    if (action.kind !== 'tool-call') return { absorbed: 0, conflicts: [] };
    const { spec } = this.world;
    if (spec.domain === 'search' && action.name === NOTES_TOOL) {
      this.computed(action);
      return { absorbed: 1, conflicts: [] };
    }
    const isError = context.isError === true;
    this.memory = remember(spec, this.memory, { action, observation, isError });
    return { absorbed: 1, conflicts: [] };
  }

  advance(): boolean {
    return false;
  }

  change(_changes: readonly ForeignChange[]): Result<readonly FaultedRow[], string> {
    return fail('this world has no rows that could be changed');
  }

  caller(): JsonObject {
    return {};
  }

  view(): Json {
    const { turns, screen, results, perQuery, pages, notes, files } = this.memory;
    const seen: JsonObject = {
      ...(screen !== null && { screen }),
      ...(Object.keys(results).length > 0 && { results: results as unknown as Json }),
      ...(perQuery !== null && { perQuery }),
      ...(Object.keys(pages).length > 0 && { pages: pages as unknown as Json }),
      ...(Object.keys(notes).length > 0 && { notes }),
      ...(Object.keys(files).length > 0 && { files: files as unknown as Json }),
    };
    return { start: this.world.spec.state, turns, ...seen };
  }

  actionSpace(): Json {
    return this.world.spec.tools as unknown as Json;
  }

  snapshot(): Uint8Array {
    return this.encode(this.memory);
  }

  fork(): EngineSession {
    return new AskedSession(this.world, this.memory, this.encode);
  }
}

function durationOf(args: JsonObject): number {
  const { wait_ms: wait, duration, seconds } = args;
  const ms = typeof wait === 'number' ? wait : [duration, seconds].find((one) => typeof one === 'number');
  if (typeof ms !== 'number') return ACTION_MS;
  const wholeMs = typeof wait === 'number' ? wait : ms * 1_000;
  return Math.min(LONGEST_MS, Math.max(0, Math.round(wholeMs)));
}

function refused(text: string, flags: readonly string[], reason = text): EngineOutcome {
  return {
    status: 'refused',
    answer: { text: traced(text, 'computed'), isError: true },
    reason,
    durationMs: 0,
    flags,
  };
}

function nothing({ status, reason }: Abstained): EngineOutcome {
  return { status, answer: null, reason, durationMs: 0, flags: [] };
}

function said(answer: Answer, durationMs: number): EngineOutcome {
  return { status: 'ok', answer, durationMs, flags: [] };
}

/** True for a value that is a memory. */
export function isMemory(value: Json): boolean {
  return (
    isJsonObject(value) &&
    typeof value.turns === 'number' &&
    isJsonObject(value.results) &&
    isJsonObject(value.files)
  );
}
