/**
 * Which versions go together: the newest that every requirement takes, going back where that leads nowhere.
 *
 * Source: the behaviour of pip 23.0. Its work is bounded; what is not found within the bound counts as a conflict.
 */
import type { PythonRelease } from '../../kernel/package-index.js';
import { accepts, compareVersions, isFinal, parseRequirement, type Requirement } from './versions.js';

/** A package that was chosen, or that is there. */
export interface Chosen {
  readonly name: string;
  readonly version: string;
  readonly requires: readonly string[];
  /** Absent for what is installed already. */
  readonly release?: PythonRelease;
}

/** A requirement and who has it; null is the user. */
export interface Demand {
  readonly requirement: Requirement;
  readonly by: Chosen | null;
}

/** Versions that go together, in the order in which they were met; or why there are none. */
export type Resolution =
  | { readonly chosen: ReadonlyMap<string, Chosen>; readonly met: readonly Demand[] }
  | { readonly missing: Demand }
  | { readonly conflict: readonly Demand[] };

const MAX_TRIES = 5_000;

/** What can be chosen for a name, best first. */
export type Candidates = (requirement: Requirement) => readonly Chosen[];

/** Resolves requirements of the user. */
export function resolve(wanted: readonly Requirement[], candidates: Candidates): Resolution {
  let tries = 0;
  let failure: Resolution | null = null;
  const go = (
    queue: readonly Demand[],
    chosen: ReadonlyMap<string, Chosen>,
    met: readonly Demand[],
  ): Resolution | null => {
    const [demand, ...rest] = queue;
    if (demand === undefined) return { chosen, met };
    if (++tries > MAX_TRIES) return null;
    const { key } = demand.requirement;
    const demands = [...met, ...queue].filter((one) => one.requirement.key === key);
    const before = chosen.get(key);
    if (before !== undefined) {
      if (accepts(demand.requirement, before.version)) return go(rest, chosen, [...met, demand]);
      failure ??= { conflict: demands };
      return null;
    }
    const all = candidates(demand.requirement);
    const fitting = all.filter(({ version }) => demands.every((one) => accepts(one.requirement, version)));
    if (fitting.length === 0) {
      const hasOwn = all.some(({ version }) => accepts(demand.requirement, version));
      failure ??= hasOwn ? { conflict: demands } : { missing: demand };
    }
    for (const one of fitting) {
      const more = one.requires.flatMap((text) => {
        const requirement = parseRequirement(text);
        return requirement === null ? [] : [{ requirement, by: one }];
      });
      const found = go([...rest, ...more], new Map(chosen).set(key, one), [...met, demand]);
      if (found !== null) return found;
    }
    return null;
  };
  const start = wanted.map((requirement) => ({ requirement, by: null }));
  return go(start, new Map(), []) ?? failure ?? { conflict: start };
}

/** Versions of an index, newest first, early ones only where nothing else fits or they are asked for. */
export function releasesOf(
  releases: readonly PythonRelease[],
  requirement: Requirement,
): readonly PythonRelease[] {
  const sorted = [...releases].sort((a, b) => compareVersions(b.version, a.version));
  const asksEarly = requirement.specs.some(([, version]) => !isFinal(version));
  const final = sorted.filter(({ version }) => isFinal(version));
  return asksEarly || final.length === 0 ? sorted : final;
}

/** The order in which pip installs: what others need first, names from behind. */
export function installOrder(chosen: ReadonlyMap<string, Chosen>): readonly string[] {
  const needs = new Map(
    [...chosen].map(([key, one]) => [
      key,
      new Set(
        one.requires
          .map((text) => parseRequirement(text)?.key ?? '')
          .filter((need) => need !== key && chosen.has(need)),
      ),
    ]),
  );
  const order: string[] = [];
  while (needs.size > 0) {
    let leaves = [...needs].filter(([, set]) => [...set].every((need) => !needs.has(need)));
    if (leaves.length === 0) leaves = [...needs].slice(0, 1);
    for (const [key] of leaves.sort(([a], [b]) => (a < b ? 1 : -1))) {
      order.push(key);
      needs.delete(key);
    }
  }
  return order;
}
