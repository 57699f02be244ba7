/**
 * Agreement of a shell with a real one, in four measures, whole and by family.
 *
 * strict: both outputs and the exit code, byte for byte. ignoringLine: the same without `line N: ` in messages.
 * outAndExit: standard output and the exit code. mergedOrder: both outputs in the order they came; only cases that
 * recorded it count. Fractions of 1; every case counts in the first three, also one that failed.
 */
import type { ParityCase } from './parity-case.js';
import type { ShellOutcome } from './run-parity.js';

/** A case and what the shell under test did. */
export interface TriedCase {
  readonly case: ParityCase;
  readonly outcome: ShellOutcome;
}

/** Shares of agreement among `n` cases; `mergedOrder` is null where no case recorded the order. */
export interface ParityShare {
  readonly n: number;
  readonly strict: number;
  readonly ignoringLine: number;
  readonly outAndExit: number;
  readonly mergedOrder: number | null;
}

/** The agreement of all cases and of each family, by name. */
export interface ParityReport {
  readonly total: ParityShare;
  readonly families: Readonly<Record<string, ParityShare>>;
}

/** Which measures one case agrees in; `mergedOrder` is undefined where the case did not record it. */
export function agreement({ case: wanted, outcome }: TriedCase): {
  readonly strict: boolean;
  readonly ignoringLine: boolean;
  readonly outAndExit: boolean;
  readonly mergedOrder: boolean | undefined;
} {
  const answered = outcome.failed === undefined;
  const exit = answered && outcome.exitCode === wanted.exit_code;
  const out = outcome.stdout === wanted.stdout;
  const strict = exit && out && outcome.stderr === wanted.stderr;
  const bare =
    withoutLine(outcome.stdout) === withoutLine(wanted.stdout) &&
    withoutLine(outcome.stderr) === withoutLine(wanted.stderr);
  const merged = wanted.merged === undefined ? undefined : answered && outcome.merged === wanted.merged;
  return { strict, ignoringLine: exit && bare, outAndExit: exit && out, mergedOrder: merged };
}

/** Adds up tried cases; families in the order of their names. */
export function scoreParity(tried: readonly TriedCase[]): ParityReport {
  const byFamily = new Map<string, TriedCase[]>();
  for (const one of tried) {
    const list = byFamily.get(one.case.family) ?? [];
    list.push(one);
    byFamily.set(one.case.family, list);
  }
  const names = [...byFamily.keys()].sort();
  const families = Object.fromEntries(names.map((name) => [name, share(byFamily.get(name) ?? [])]));
  return { total: share(tried), families };
}

function share(tried: readonly TriedCase[]): ParityShare {
  const all = tried.map(agreement);
  const of = (key: 'strict' | 'ignoringLine' | 'outAndExit'): number =>
    all.length === 0 ? 0 : all.filter((one) => one[key]).length / all.length;
  const ordered = all.filter((one) => one.mergedOrder !== undefined);
  const mergedOrder =
    ordered.length === 0 ? null : ordered.filter((one) => one.mergedOrder).length / ordered.length;
  return {
    n: all.length,
    strict: of('strict'),
    ignoringLine: of('ignoringLine'),
    outAndExit: of('outAndExit'),
    mergedOrder,
  };
}

function withoutLine(text: string): string {
  return text.replace(/\bline \d+: /g, '');
}
