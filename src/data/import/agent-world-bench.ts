/**
 * Rows of AgentWorldBench (`*_test.jsonl`): all actions and observations of a trajectory, with the turn that is asked.
 *
 * Each row gives one trajectory of its own; rows that share a trajectory and differ in `turn_idx` are not merged
 * (`data split --by trajectory` keeps them together, `data dedupe` drops the copies). Prompt and response are lists or
 * texts. `### Turn N`, `**Action:**` and the fence around an action, and the marker before an observation are taken off
 * beside the raw text; `**Current State:**` of the first action is the initial state. Rows whose `turn_idx` (from 1)
 * or lists do not fit are rejected and counted; where `current_prompt` differs from the list, the list holds, and it
 * is told. Source: formats.md, section 23; hard case P-EVAL-1.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  renderJson,
  stripObservationMarker,
  type Trajectory,
} from '../../core/index.js';
import { benchDomain, benchTexts } from '../../domains/index.js';
import type { ImportContext, ImportFormat, ValuePlace } from './import-format.js';
import { loggedTrajectory } from './logged-trajectory.js';
import { CallPairs } from './pair-calls.js';

/** The benchmark's rows, one a line or in one list. */
export const agentWorldBench: ImportFormat = {
  name: 'agentworldbench',
  about: 'rows of AgentWorldBench (*_test.jsonl), one trajectory for each row',
  recognises: (value) => isRow(value),
  open: (context) => ({ take: (value, place) => readRow(context, value, place), end: () => [] }),
};

function isRow(value: Json): value is JsonObject {
  if (
    !isJsonObject(value) ||
    benchTexts(value.prompt) === undefined ||
    benchTexts(value.response) === undefined
  )
    return false;
  return 'turn_idx' in value || ('system_str' in value && typeof value.task === 'string');
}

/** What makes a row no row, in words; undefined for a good one. */
function wrongness(
  row: JsonObject,
  prompts: readonly string[],
  responses: readonly string[],
): string | undefined {
  const { turn_idx: index } = row;
  if (benchDomain(row.task) === undefined)
    return `task ${renderJson(row.task ?? null)} names no known domain`;
  if (prompts.length === 0) return 'it has no turns';
  if (prompts.length !== responses.length)
    return `${prompts.length} actions and ${responses.length} observations`;
  if (index === undefined || index === null) return undefined;
  const fits = typeof index === 'number' && Number.isInteger(index) && index >= 1 && index <= prompts.length;
  return fits ? undefined : `turn_idx is ${renderJson(index)}, wanted 1 to ${prompts.length}`;
}

function readRow({ tally, file }: ImportContext, value: Json, place: ValuePlace): readonly Trajectory[] {
  if (!isRow(value)) {
    tally.skip('value that is no row');
    tally.warn(place, 'a value that is no row of the benchmark; left out');
    return [];
  }
  const prompts = benchTexts(value.prompt) ?? [];
  const responses = benchTexts(value.response) ?? [];
  const name =
    typeof value.id === 'number' || typeof value.id === 'string'
      ? `${value.id}`
      : `${place.item ?? place.line}`;
  const wrong = wrongness(value, prompts, responses);
  const domain = benchDomain(value.task);
  if (wrong !== undefined || domain === undefined) {
    tally.skip('rejected row');
    tally.bad(place, `row ${name} is rejected: ${wrong ?? ''}`);
    return [];
  }
  const turnIdx = typeof value.turn_idx === 'number' ? value.turn_idx : undefined;
  const asked = prompts[(turnIdx ?? prompts.length) - 1];
  if (typeof value.current_prompt === 'string' && value.current_prompt !== asked) {
    tally.warn(
      place,
      `row ${name}: current_prompt is not prompt ${turnIdx ?? prompts.length}; the list holds`,
    );
  }
  const pairs = new CallPairs(tally);
  let initialState: string | undefined;
  for (const [index, prompt] of prompts.entries()) {
    const { action, state } = stripAction(prompt);
    if (index === 0) initialState = state;
    const response = responses[index] ?? '';
    const observation = stripObservationMarker(response, domain);
    pairs.call({ id: undefined, name: domain, action, place });
    pairs.answer({
      id: undefined,
      observation,
      isError: false,
      place,
      ...(observation !== response && { raw: response }),
      ...(action !== prompt && { meta: { rawAction: prompt } }),
    });
  }
  const meta: JsonObject = {
    task: value.task ?? '',
    row: name,
    ...(turnIdx !== undefined && { turnIdx }),
    ...(typeof value.total_turns === 'number' && { totalTurns: value.total_turns }),
  };
  const text = typeof value.system_str === 'string' ? value.system_str : '';
  const id = `${file}#${domain}-${name}${turnIdx === undefined ? '' : `-t${turnIdx}`}`;
  const made = loggedTrajectory(pairs, { id, dataset: 'agentworldbench', file, domain, text, meta });
  return made.map((one) =>
    initialState === undefined ? one : { ...one, system: { ...one.system, initialState } },
  );
}

const TURN = /^\s*#{1,6}[ \t]*Turn[ \t]+\d+[ \t]*:?[ \t]*(?:\r?\n|$)/i;
const STATE = /^\s*\*\*Current State:?\*\*:?[ \t]*\r?\n?([\s\S]*?)(?=(?:^|\n)[ \t]*\*\*Action:?\*\*)/i;
const ACTION = /^\s*\*\*Action:?\*\*:?[ \t]*\r?\n?/i;

/** A fenced block that is the whole of a text, without its fences; undefined for any other text. */
function unfenced(text: string): string | undefined {
  const trimmed = text.trim();
  const open = /^(`{3,})[\w-]*[ \t]*\r?\n/.exec(trimmed);
  const marks = open?.[1];
  if (open === null || marks === undefined || !trimmed.endsWith(`\n${marks}`)) return undefined;
  return trimmed.slice(open[0].length, -marks.length).replace(/\r?\n$/, '');
}

/** An action without headings and fence; the state that stands before the first one. */
function stripAction(text: string): { readonly action: string; readonly state?: string } {
  const afterTurn = text.replace(TURN, '');
  const state = STATE.exec(afterTurn)?.[1]?.trim();
  const afterState = state === undefined ? afterTurn : afterTurn.replace(STATE, '');
  const bare = afterState.replace(ACTION, '');
  const fenced = unfenced(bare);
  const action = fenced ?? (bare === text ? text : bare.trim());
  return { action, ...(state !== undefined && { state }) };
}
