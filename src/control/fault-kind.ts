/**
 * The shape of one entry of the fault catalogue.
 *
 * The idea: a kind is data plus one pure function. The data says what a person can choose (parameters, phases,
 * operations); the function turns parameters and an operation into the Host's reply. A new fault is one file in
 * `catalogue/` and one line in `catalogue.ts`. Not covered: when a fault fires; that is the schedule's.
 */
import type { z } from 'zod';
import { type Answer, type HostReply, type Operation, type OperationKind, traced } from '../core/index.js';

/** Before the operation happens, or after it did. */
export type FaultPhase = 'before' | 'after';

/** What a kind knows when it strikes. */
export interface FaultStrike {
  readonly op: Operation;
  readonly phase: FaultPhase;
  /** A seeded yes or no with the given probability (fraction 0–1), one of its own for each operation. */
  readonly chance: (fraction: number) => boolean;
}

/** One kind of fault. */
export interface FaultKind<Parameters = never> {
  /** kebab-case, as world files write it. */
  readonly name: string;
  /** One or two sentences for people: what breaks and what an agent sees. */
  readonly description: string;
  /** Schema of `with`; strict, every parameter documented with its unit. */
  readonly parameters: z.ZodType<Parameters>;
  /** The phases it allows; the first is the default. */
  readonly phases: readonly [FaultPhase, ...FaultPhase[]];
  /** The operations it can hit; the first is what it hits when `on` names none. */
  readonly operations: readonly [OperationKind, ...OperationKind[]];
  /** The Host's reply at a strike, or null where this operation is spared. Pure. */
  readonly strike: (parameters: Parameters, strike: FaultStrike) => HostReply | null;
}

/**
 * Declares a kind. Returns it with its parameter type hidden, as the catalogue keeps it; the schedule only calls
 * `strike` with what `parameters` accepted.
 */
export function defineFaultKind<Parameters>(kind: FaultKind<Parameters>): FaultKind {
  return kind as unknown as FaultKind;
}

/** An answer that a fault gives: an error of origin `fault`, with the kind as its reference. */
export function faultAnswer(kind: string, text: string): Answer {
  return { text: traced(text, 'fault', kind), isError: true };
}
