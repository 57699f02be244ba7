/**
 * Runs every fault of the catalogue on every backend and says what came of it: exact, approximate or refused.
 *
 * The engine is the measure: a fault is exact there when the kind's own test of its effect passes. On a recording or a
 * model it is exact when an agent sees the same text and the state (for a recording: what a later call shows) is the
 * same; approximate when the fault takes effect and something of that differs. Test code and the source of the matrix
 * in docs/FAULTS.md.
 */
import {
  FAULT_KINDS,
  type FaultEvidence,
  type FaultExample,
  type FaultKind,
  type FaultSpec,
} from '../control/index.js';
import {
  type AppliedFault,
  canonicalJson,
  isJsonObject,
  type Json,
  type LanguageModel,
  parseJson,
  type StepResult,
  type Trajectory,
  UmweltError,
} from '../core/index.js';
import { createScriptedModel, testCall } from '../testing/index.js';
import type { World } from '../worlds/index.js';
import { type Episode, openEpisode } from './episode.js';
import { faultTerminalWorld, typed } from './fault-terminal.contract.js';
import { helpDeskWorld } from './help-desk.contract.js';
import { createRecordingWorldModel } from './recording-world-model.js';

/** The backends, in the order of the table. */
export const BACKENDS = ['engine', 'recording', 'model'] as const;

/** What came of a fault on a backend. */
export type Carried = 'exact' | 'approximate' | 'refused' | 'no effect';

/** One row of the matrix, with what the example shows. */
export interface MatrixRow {
  readonly kind: FaultKind;
  readonly carried: Readonly<Record<(typeof BACKENDS)[number], Carried>>;
  /** What the agent sees where the fault strikes, and without it; null for kinds without an engine. */
  readonly seen: { readonly text: string; readonly clean: string; readonly call: string } | null;
}

interface Played {
  readonly results: readonly StepResult[];
  /** What a look at the whole afterwards shows. */
  readonly probe: string;
  readonly view: Json;
  readonly tools: Json;
}

/** Where an example is played: a world, what is done there, and a look at the whole afterwards. */
interface Place {
  readonly domain: 'mcp' | 'terminal';
  readonly world: () => World;
  readonly actions: readonly string[];
  readonly probe: readonly string[];
}

const TOOLS = {
  domain: 'mcp',
  world: helpDeskWorld,
  probe: [testCall('ticket_list'), testCall('log_list')],
} as const;
const TERMINAL = { domain: 'terminal', world: faultTerminalWorld, probe: [typed('ls; cat *.txt')] } as const;

function placeOf(example: FaultExample): Place {
  if ('keys' in example) return { ...TERMINAL, actions: example.keys.map(typed) };
  return { ...TOOLS, actions: example.calls.map((one) => testCall(one.name, one.arguments as never)) };
}

/** Runs all kinds; planned ones are refused by every world. */
export async function runFaultMatrix(): Promise<readonly MatrixRow[]> {
  const rows: MatrixRow[] = [];
  for (const kind of FAULT_KINDS.values()) rows.push(await runRow(kind));
  return rows;
}

async function runRow(kind: FaultKind): Promise<MatrixRow> {
  const fault: FaultSpec = { kind: kind.name, ...kind.example.fault };
  if (kind.strikes === 'planned') {
    const refused = await playOrRefuse(() => playEngine([fault], { ...TOOLS, actions: [] }));
    const carried = refused === null ? 'refused' : 'no effect';
    return { kind, carried: { engine: carried, recording: carried, model: carried }, seen: null };
  }
  const place = placeOf(kind.example);
  const { actions } = place;
  const clean = await playEngine([], place);
  const engine = await playEngine([fault], place);
  const at = struckAt(engine, kind.name);
  const isExact = at !== null && tookEffect(kind, fault, { played: engine, clean, at });
  const recording = await playOrRefuse(() => playRecording([fault], place, clean));
  const model = await playOrRefuse(() => playModel([fault], place, clean));
  const compared = (other: Played | null, sameState: (other: Played) => boolean): Carried => {
    if (other === null) return 'refused';
    const struck = struckAt(other, kind.name);
    if (struck === null || at === null) return 'no effect';
    return textAt(other, struck) === textAt(engine, at) && sameState(other) ? 'exact' : 'approximate';
  };
  return {
    kind,
    carried: {
      engine: isExact ? 'exact' : 'no effect',
      recording: compared(recording, (other) => other.probe === engine.probe),
      model: compared(model, (other) => canonicalJson(other.view) === canonicalJson(engine.view)),
    },
    seen:
      at === null ? null : { text: textAt(engine, at), clean: textAt(clean, at), call: actions[at] ?? '' },
  };
}

async function playOrRefuse(play: () => Promise<Played>): Promise<Played | null> {
  try {
    return await play();
  } catch (error) {
    if (UmweltError.isInstance(error) && error.code === 'usage/bad-argument') return null;
    throw error;
  }
}

async function playEngine(faults: readonly FaultSpec[], place: Place): Promise<Played> {
  return playEpisode(await openEpisode(place.world(), { faults }), place);
}

async function playEpisode(episode: Episode, place: Place): Promise<Played> {
  const results: StepResult[] = [];
  for (const action of place.actions) results.push(await episode.step(action));
  const [view, tools] = [episode.view(), episode.actionSpace()];
  return { results, view, tools, probe: await probeOf(place, (action) => episode.fork().step(action)) };
}

async function probeOf(place: Place, step: (action: string) => Promise<StepResult>): Promise<string> {
  const seen: string[] = [];
  for (const action of place.probe) seen.push((await step(action)).observation ?? '');
  // A probe meets the fault as well; what counts is which rows it shows.
  return [...seen.join('\n').matchAll(/"(?:id|status)"\s*:\s*"?([\w-]+)/g)]
    .map((found) => found[1])
    .join(' ');
}

async function playRecording(faults: readonly FaultSpec[], place: Place, clean: Played): Promise<Played> {
  const probes = await openEpisode(place.world(), { faults: [] });
  const turns = [];
  for (const action of [...place.actions, ...place.probe]) {
    const { observation, status, meta, origins } = await probes.step(action);
    turns.push({ action, observation, status, origins: [...origins], ...(meta !== undefined && { meta }) });
  }
  const trajectory: Trajectory = {
    trajectory: 1,
    id: 'help-desk',
    domain: place.domain,
    source: {},
    system: probes.header().system,
    meta: {},
    turns,
  };
  const live = await createRecordingWorldModel([trajectory], { faults }).open();
  const results: StepResult[] = [];
  for (const action of place.actions) results.push(await live.step(action));
  return {
    results,
    view: clean.view,
    tools: clean.tools,
    probe: await probeOf(place, (action) => live.step(action)),
  };
}

/** A model that says what the engine says, and does not care what it is told about faults. */
async function playModel(faults: readonly FaultSpec[], place: Place, clean: Played): Promise<Played> {
  const answers = clean.results.map(({ observation }) => observation ?? '');
  const model = truthful(place, answers);
  return playEpisode(await openEpisode(place.world(), { faults, model, route: 'model' }), place);
}

function truthful({ domain, actions }: Place, answers: readonly string[]): LanguageModel {
  if (domain === 'terminal') return createScriptedModel(answers.map((text) => ({ text })));
  const entries = actions.map((action, index) => {
    const read = parseJson(action);
    const call = read.ok && isJsonObject(read.value) ? read.value : {};
    // The key has the defaults as well.
    const args = canonicalJson(call.arguments ?? {}).slice(0, -1);
    return { match: `${String(call.name)} ${args}`, text: answers[index] ?? '' };
  });
  return createScriptedModel(entries);
}

function struckAt(played: Played, kind: string): number | null {
  const at = played.results.findLastIndex(({ faults }) => faults.some((fault) => fault.kind === kind));
  return at < 0 ? null : at;
}

function textAt(played: Played, at: number): string {
  return played.results[at]?.observation ?? '';
}

function tookEffect(
  kind: FaultKind,
  fault: FaultSpec,
  run: { readonly played: Played; readonly clean: Played; readonly at: number },
): boolean {
  if (kind.strikes === 'planned') return false;
  const { played, clean, at } = run;
  const [seen, own] = [played.results[at], clean.results[at]];
  const note: AppliedFault | undefined = seen?.faults.find((one) => one.kind === kind.name);
  if (seen === undefined || own === undefined || note === undefined) return false;
  const evidence: FaultEvidence = {
    note,
    seen: seenOf(seen),
    clean: seenOf(own),
    view: played.view,
    cleanView: clean.view,
    tools: played.tools,
    cleanTools: clean.tools,
  };
  return kind.tookEffect(evidence, kind.parameters.parse(fault.with ?? {}) as never);
}

function seenOf({ observation, value, meta }: StepResult): FaultEvidence['seen'] {
  return {
    text: observation ?? '',
    ...(value !== undefined && { value }),
    isError: meta?.isError === true,
    durationMs: meta?.durationMs ?? 0,
  };
}
