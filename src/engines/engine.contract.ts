/**
 * What every engine must keep to, as a suite that any engine's tests can run: forks are independent, snapshots are
 * exact, abstention and refusal leave the state as it was, equal seeds and actions give equal bytes.
 */
import { expect, test } from 'vitest';
import type {
  Answer,
  Engine,
  EngineOutcome,
  EngineSession,
  HostCall,
  HostReply,
  ParsedAction,
} from '../core/index.js';
import { canonicalJson, isNullStatus } from '../core/index.js';

/** Answers each call of a run; undefined lets it pass. */
export type TestHost = (call: HostCall) => HostReply | undefined;

/** Runs one action to its end. */
export function drive(
  session: EngineSession,
  action: ParsedAction,
  how: { readonly turn?: number; readonly nowMs?: number; readonly host?: TestHost } = {},
): EngineOutcome {
  const { turn = 1, nowMs = 1_700_000_000_000, host } = how;
  const run = session.run(action, { turn, nowMs });
  let next = run.next();
  while (next.done !== true) next = run.next(host?.(next.value) ?? { do: 'proceed' });
  return next.value;
}

/** A tool call as an action. */
export function toolCall(name: string, args: object = {}): ParsedAction {
  return { kind: 'tool-call', name, arguments: args as never };
}

/** An answer that a fault could give. */
export function faultAnswer(text: string): Answer {
  const origins = [{ start: 0, end: text.length, origin: 'fault' as const }];
  return { text: { text, origins }, isError: true };
}

/** The first place where the spans of an answer do not cover its text in order, or null. */
export function gapIn(answer: Answer): number | null {
  let at = 0;
  for (const span of answer.text.origins) {
    if (span.start !== at || span.end <= span.start) return at;
    at = span.end;
  }
  return at === answer.text.text.length ? null : at;
}

/** What the suite needs of an engine: a world, actions that change it, and an action that is refused. */
export interface EngineCase<Spec> {
  readonly name: string;
  readonly engine: Engine<Spec>;
  readonly spec: Spec;
  /** The same world with another identity. */
  readonly other: Spec;
  readonly actions: readonly ParsedAction[];
  readonly refused: ParsedAction;
}

/** Declares the tests of the contract for one engine. */
export function testEngineContract<Spec>(given: EngineCase<Spec>): void {
  const { name, engine, spec, actions, refused } = given;
  const lived = (): { readonly session: EngineSession; readonly outcomes: readonly EngineOutcome[] } => {
    const session = engine.open(spec, 7);
    return { session, outcomes: actions.map((action, index) => drive(session, action, { turn: index + 1 })) };
  };

  test(`${name}: the same seed and actions give the same outcomes and the same bytes`, () => {
    const [a, b] = [lived(), lived()];
    expect(a.outcomes).toEqual(b.outcomes);
    expect(a.session.snapshot()).toEqual(b.session.snapshot());
    expect(canonicalJson(a.session.view())).toBe(canonicalJson(b.session.view()));
  });

  test(`${name}: a fork lives on its own and equals a fresh run of the same actions`, () => {
    const trunk = engine.open(spec, 7);
    const start = canonicalJson(trunk.view());
    const branch = trunk.fork();
    actions.forEach((action, index) => {
      drive(branch, action, { turn: index + 1 });
    });
    expect(canonicalJson(trunk.view())).toBe(start);
    expect(branch.snapshot()).toEqual(lived().session.snapshot());
  });

  test(`${name}: a restored snapshot has the same view, the same bytes and the same future`, () => {
    for (let cut = 0; cut <= actions.length; cut++) {
      const session = engine.open(spec, 7);
      actions.slice(0, cut).forEach((action, index) => {
        drive(session, action, { turn: index + 1 });
      });
      const restored = engine.restore(spec, 7, session.snapshot());
      expect(restored.snapshot()).toEqual(session.snapshot());
      expect(JSON.stringify(restored.view())).toBe(JSON.stringify(session.view()));
      actions.slice(cut).forEach((action, index) => {
        const how = { turn: cut + index + 1 };
        expect(drive(restored, action, how)).toEqual(drive(session, action, how));
      });
      expect(restored.snapshot()).toEqual(session.snapshot());
    }
  });

  test(`${name}: a snapshot of another world, another seed or damaged bytes is refused`, () => {
    const bytes = lived().session.snapshot();
    const bad = expect.objectContaining({ code: 'engine/bad-snapshot' });
    const raised = (work: () => unknown): unknown => {
      try {
        return work();
      } catch (error) {
        return error;
      }
    };
    expect(raised(() => engine.restore(given.other, 7, bytes))).toEqual(bad);
    expect(raised(() => engine.restore(spec, 8, bytes))).toEqual(bad);
    expect(raised(() => engine.restore(spec, 7, bytes.slice(0, -3)))).toEqual(bad);
    expect(raised(() => engine.restore(spec, 7, new Uint8Array()))).toEqual(bad);
    for (let at = 0; at < bytes.length; at += 97) {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0x11;
      expect(raised(() => engine.restore(spec, 7, damaged))).toEqual(bad);
    }
  });

  test(`${name}: abstention at any point of a run leaves the state as it was and answers nothing`, () => {
    for (const action of actions) {
      for (let at = 0; ; at++) {
        const session = engine.open(spec, 7);
        const before = session.snapshot();
        let count = 0;
        const host: TestHost = () =>
          count++ === at ? { do: 'abstain', status: 'model-failed', reason: 'test' } : undefined;
        const outcome = drive(session, action, { host });
        if (count <= at) break;
        expect(outcome).toMatchObject({ status: 'model-failed', answer: null, reason: 'test' });
        expect(session.snapshot()).toEqual(before);
      }
    }
  });

  test(`${name}: a refused action passes no operation, changes nothing and has an answer`, () => {
    const session = engine.open(spec, 7);
    const before = session.snapshot();
    let calls = 0;
    const outcome = drive(session, refused, {
      host: () => {
        calls += 1;
        return undefined;
      },
    });
    expect(outcome.status).toBe('refused');
    expect(outcome.answer).toMatchObject({ isError: true });
    expect(calls).toBe(0);
    expect(session.snapshot()).toEqual(before);
  });

  test(`${name}: every outcome has an answer exactly when its status has one, covered by spans`, () => {
    for (const outcome of lived().outcomes) {
      expect(outcome.answer === null).toBe(isNullStatus(outcome.status));
      if (outcome.answer !== null) expect(gapIn(outcome.answer)).toBeNull();
    }
  });
}
