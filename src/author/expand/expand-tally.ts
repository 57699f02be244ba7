/**
 * Counts what came of an expansion: tried, kept, rejected by reason, and how the children are spread.
 */
import type { Json, JsonObject } from '../../core/index.js';
import type { ExpandSummary } from './expand-worlds.js';

/** Figures of kept children whose spread is told. */
const SPREADS = ['oracleSteps', 'rows', 'verifiers', 'addedRows', 'droppedRows'] as const;

/** Counts lines of the manifest and of the rejected, in order. */
export class ExpandTally {
  kept = 0;
  tried = 0;
  private readonly reasons = new Map<string, number>();
  private readonly groups = new Map<string, Map<string, number>>();
  private readonly numbers = new Map<string, number[]>();
  private readonly byDifficulty = new Map<string, number[]>();

  constructor(
    private readonly wanted: number,
    private readonly parents: readonly string[],
  ) {}

  /** Counts one candidate by its line. */
  add(parent: string, line: JsonObject): void {
    this.tried++;
    this.count('tried', parent);
    if (typeof line.reason === 'string') {
      this.reasons.set(line.reason, (this.reasons.get(line.reason) ?? 0) + 1);
      this.count('rejected', parent);
      return;
    }
    this.kept++;
    this.count('kept', parent);
    const difficulty = line.difficulty === null ? 'none' : String(line.difficulty);
    this.count('difficulty', difficulty);
    this.count('wording', `${parent} ${String(line.wording)}`);
    if (line.permissions !== null) this.count('permissions', `${parent} ${String(line.permissions)}`);
    for (const goal of line.goals as readonly Json[]) this.count('goals', `${parent} ${String(goal)}`);
    this.count('goalsPerChild', String((line.goals as readonly Json[]).length));
    for (const name of SPREADS) this.number(this.numbers, name, Number(line[name]));
    this.number(this.byDifficulty, difficulty, Number(line.oracleSteps));
  }

  /** The summary; keys are sorted, so that equal runs give equal bytes. */
  summary(): ExpandSummary {
    const spread = Object.fromEntries([...this.numbers].map(([name, list]) => [name, spreadOf(list)]));
    const steps = [...this.byDifficulty].sort(byName).map(([name, list]) => [name, spreadOf(list)]);
    return {
      wanted: this.wanted,
      kept: this.kept,
      tried: this.tried,
      duplicates: this.reasons.get('duplicate') ?? 0,
      rejected: Object.fromEntries([...this.reasons].sort(byName)),
      worlds: Object.fromEntries(
        this.parents.map((name) => [
          name,
          { tried: this.at('tried', name), kept: this.at('kept', name), rejected: this.at('rejected', name) },
        ]),
      ),
      difficulty: this.group('difficulty'),
      goals: this.group('goals'),
      goalsPerChild: this.group('goalsPerChild'),
      wording: this.group('wording'),
      permissions: this.group('permissions'),
      spread,
      oracleStepsByDifficulty: Object.fromEntries(steps),
    };
  }

  private count(group: string, name: string): void {
    const counts = this.groups.get(group) ?? new Map<string, number>();
    counts.set(name, (counts.get(name) ?? 0) + 1);
    this.groups.set(group, counts);
  }

  private at(group: string, name: string): number {
    return this.groups.get(group)?.get(name) ?? 0;
  }

  private group(name: string): JsonObject {
    return Object.fromEntries([...(this.groups.get(name) ?? [])].sort(byName));
  }

  private number(lists: Map<string, number[]>, name: string, value: number): void {
    const list = lists.get(name) ?? [];
    list.push(value);
    lists.set(name, list);
  }
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function spreadOf(list: readonly number[]): JsonObject {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (fraction: number): number => sorted[Math.floor(fraction * (sorted.length - 1))] ?? 0;
  return { min: at(0), median: at(0.5), max: at(1) };
}
