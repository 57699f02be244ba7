/**
 * What a stage is: takes items one after another, gives items, and can say what it did.
 *
 * The idea: every step from a log to training rows is a filter over a stream that holds one item at a time. The same
 * parameters, seed and input give the same bytes, in one process or in many. What a stage drops it counts by reason and,
 * if asked, lists ({@link DropListener}).
 */
import type { JsonObject } from '../../core/index.js';

/** One stage of the way from logs to training rows. */
export interface Stage<In, Out = In> {
  /** Its name, for manifests: `filter`, `mask` … */
  readonly name: string;
  /** Everything that decides its output, seeds included. */
  readonly parameters: JsonObject;
  /** Takes the next item; gives what is complete. */
  take(item: In): readonly Out[];
  /** The input has ended. */
  end(): readonly Out[];
  /** Counts so far; whole numbers, and fractions where a name says so. */
  report(): JsonObject;
}

/** One thing that a stage left out, for lists that people look at. */
export interface Drop {
  readonly what: 'trajectory' | 'turn' | 'sample';
  /** The trajectory's id. */
  readonly trajectory: string;
  /** The turn, from 1, where a turn is meant. */
  readonly turn?: number;
  /** The rule that left it out. */
  readonly rule: string;
  /** What was seen. */
  readonly detail?: string;
}

/** Told of everything that is left out. */
export type DropListener = (drop: Drop) => void;

/** Counts by name, for reports; keys come out sorted. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(name: string, by = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  get(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  toJson(): JsonObject {
    return Object.fromEntries([...this.counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Runs an item through several stages in order; `end` ends each in turn. The types are the caller's care. */
export function chainStages<In, Out>(stages: readonly Stage<never, unknown>[]): Stage<In, Out> {
  const chain = stages as readonly Stage<unknown, unknown>[];
  const pass = (items: readonly unknown[], from: number): readonly unknown[] => {
    let current = items;
    for (let i = from; i < chain.length && current.length > 0; i++) {
      const stage = chain[i];
      current =
        current.length === 1
          ? (stage?.take(current[0]) ?? [])
          : current.flatMap((item) => stage?.take(item) ?? []);
    }
    return current;
  };
  return {
    name: chain.map(({ name }) => name).join(' | '),
    parameters: { stages: chain.map(({ name, parameters }) => ({ name, parameters })) },
    take: (item) => pass([item], 0) as readonly Out[],
    end: () => chain.flatMap((stage, i) => pass(stage.end(), i + 1)) as readonly Out[],
    report: () => Object.fromEntries(chain.map((stage) => [stage.name, stage.report()])),
  };
}
