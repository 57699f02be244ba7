/**
 * The secrets step: every text of a trajectory without secrets and personal data, the same value always replaced alike.
 *
 * Texts are those of system prompt, actions, observations, source, meta and whatever else a trajectory holds, keys of
 * objects included. First what is known by its shape, then what was found anywhere is looked for everywhere. A
 * trajectory that has placeholders of an earlier run is done again with these left out, so that no two values share one.
 */
import type { Json, JsonObject, Trajectory } from '../../core/index.js';
import { type Stage, Tally } from '../stages/stage.js';
import { PERSONAL_KINDS } from './personal-kinds.js';
import { Placeholders } from './placeholders.js';
import { knownRedactor, type Redaction, redactSeam, redactShapes } from './redact-text.js';
import { SECRET_KINDS } from './secret-kinds.js';

/** How to redact. */
export interface RedactOptions {
  /** Makes placeholders the same in the whole set; as secret as the data. */
  readonly seed?: string;
  /** Kinds that stay. */
  readonly keep?: readonly string[];
  /** Domains whose e-mail addresses stay, beside the domains for examples. */
  readonly allowedDomains?: readonly string[];
}

/** Every kind that is looked for. */
export const REDACTED_KINDS: readonly string[] = [...SECRET_KINDS, ...PERSONAL_KINDS];

const MOST_ROUNDS = 6;

/** Keys whose values decide what a trajectory is and are never somebody's words. */
const STRUCTURE: ReadonlySet<string> = new Set(['domain', 'status', 'origin', 'startedAt']);

/** Opens the step. */
export function createRedactStage(options: RedactOptions): Stage<Trajectory> {
  const values = new Tally();
  const places = new Tally();
  const counts = { trajectories: 0, changed: 0, shared: 0 };
  const take = (trajectory: Trajectory): readonly Trajectory[] => {
    const made = redactTrajectory(trajectory, options);
    counts.trajectories += 1;
    if (made.places.size > 0) counts.changed += 1;
    counts.shared += made.shared;
    for (const [kind, count] of made.places) places.add(kind, count);
    for (const [kind, count] of made.values) values.add(kind, count);
    return [made.trajectory];
  };
  return {
    name: 'secrets',
    parameters: { keep: [...(options.keep ?? [])], allowedDomains: [...(options.allowedDomains ?? [])] },
    take,
    end: () => [],
    report: () => ({ ...counts, values: values.toJson(), places: places.toJson() }),
  };
}

interface Redacted {
  readonly trajectory: Trajectory;
  /** Kind → different values. */
  readonly values: ReadonlyMap<string, number>;
  /** Kind → places. */
  readonly places: ReadonlyMap<string, number>;
  readonly shared: number;
}

/** The trajectory without what was found. */
function redactTrajectory(trajectory: Trajectory, options: RedactOptions): Redacted {
  const first = attempt(trajectory, options, new Set());
  return first.clash.size === 0 ? first : attempt(trajectory, options, first.clash);
}

function attempt(
  trajectory: Trajectory,
  options: RedactOptions,
  taken: ReadonlySet<string>,
): Redacted & { readonly clash: ReadonlySet<string> } {
  const placeholders = new Placeholders(options.seed, taken);
  const places = new Map<string, number>();
  const seen = new Map<string, Set<string>>();
  const redaction: Redaction = {
    placeholders,
    keep: new Set(options.keep ?? []),
    allowedDomains: (options.allowedDomains ?? []).map((domain) => domain.toLowerCase()),
    secrets: new Map(),
    names: new Set(),
    taken: new Set(),
    onPlace: (kind, value) => {
      places.set(kind, (places.get(kind) ?? 0) + 1);
      const values = seen.get(kind) ?? new Set();
      seen.set(kind, values.add(value));
    },
  };
  // Keys that go over from turn to turn first: a part of one may look whole.
  let made = withoutSeams(trajectory, redaction) as unknown as Json;
  // What stood against a value can be a finding of its own once the value is replaced; a round without a change ends it.
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = made;
    const isFirst = round === 0;
    made = mapTexts(made, (text, isNew) => redactShapes(text, redaction, isFirst && isNew));
    made = mapTexts(made, knownRedactor(redaction));
    if (made === before) break;
  }
  const clash = [...redaction.taken].filter(
    (one) => options.seed === undefined && placeholders.hasGiven(one),
  );
  return {
    trajectory: made as unknown as Trajectory,
    places,
    values: new Map([...seen].map(([kind, values]) => [kind, values.size])),
    shared: placeholders.shared,
    clash: clash.length === 0 ? new Set() : new Set([...taken, ...redaction.taken]),
  };
}

/** The trajectory without keys that begin in one observation and end in the next. */
function withoutSeams(trajectory: Trajectory, redaction: Redaction): Trajectory {
  const turns = [...trajectory.turns];
  let isSame = true;
  for (let i = 0; i + 1 < turns.length; i++) {
    const [one, two] = [turns[i], turns[i + 1]];
    if (one === undefined || two === undefined || one.observation === null || two.observation === null)
      continue;
    const [before, after] = redactSeam(one.observation, two.observation, redaction);
    if (before === one.observation) continue;
    turns[i] = { ...one, observation: before };
    turns[i + 1] = { ...two, observation: after };
    isSame = false;
  }
  return isSame ? trajectory : { ...trajectory, turns };
}

/** Changes a text; `isNew` is false for one that was changed before. */
type TextChange = (text: string, isNew: boolean) => string;

/** The value with every text replaced, keys included; the same value where nothing changed. */
function mapTexts(value: Json, change: TextChange): Json {
  if (typeof value === 'string') return change(value, true);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    const made = list.map((one) => mapTexts(one, change));
    return made.some((one, i) => one !== list[i]) ? made : value;
  }
  const entries = Object.entries(value as JsonObject);
  const made = entries.map(([key, one]): readonly [string, Json] => [
    change(key, true),
    STRUCTURE.has(key) ? one : typeof one === 'string' ? named(key, one, change) : mapTexts(one, change),
  ]);
  const isSame = made.every(([key, one], i) => key === entries[i]?.[0] && one === entries[i]?.[1]);
  return isSame ? value : (Object.fromEntries(made) as JsonObject);
}

/** The text of a member; where the member's name may say that it is a secret, both are looked at together. */
function named(key: string, text: string, change: TextChange): string {
  if (!/passw|pwd|secret|token|key|credential|phone|tel|mobile|fax/i.test(key)) return change(text, true);
  const head = `${key}="`;
  return change(`${head}${change(text, true)}"`, false).slice(head.length, -1);
}
