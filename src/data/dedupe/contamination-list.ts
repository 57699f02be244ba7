/**
 * A benchmark's turns as a list of hashes: made from its rows or from trajectories, written and read as JSON lines.
 *
 * A row of AgentWorldBench gives every turn of its trajectory (`prompt`, `response`); rows of one trajectory are known by
 * their prompt and first action. The list's lines: a header `{"contamination":1,…}`, then `{id, trajectory, grams, text?}`;
 * with texts left out it can be published without giving the benchmark away. Source: formats, AgentWorldBench.
 */
import {
  DataError,
  hashText,
  isJsonObject,
  type Json,
  type JsonObject,
  renderJson,
  stripObservationMarker,
  type Trajectory,
} from '../../core/index.js';
import { type BenchmarkTurn, GRAM_WORDS, gramsOf, TOKENISATION } from '../../text/index.js';

const VERSION = 1;

/** Texts in a list are cut to this many UTF-16 units: they are there for people to compare. */
const TEXT_UNITS = 2_000;

/** Turns of a benchmark out of a value: a row of AgentWorldBench, or a trajectory in the whole form. */
export function benchmarkTurns(value: Json): readonly BenchmarkTurn[] {
  if (!isJsonObject(value)) return [];
  if (Array.isArray(value.turns) && typeof value.id === 'string') {
    const { id, turns } = value as unknown as Trajectory;
    return turns.map((turn, i) =>
      benchmarkTurn(`${id}#t${i + 1}`, id, [turn.action, turn.observation ?? '']),
    );
  }
  const actions = texts(value.prompt);
  const observations = texts(value.response);
  if (actions.length === 0 || observations.length === 0) return [];
  const trajectory = hashText(JSON.stringify([value.system_str ?? '', actions[0] ?? ''])).slice(0, 16);
  const name = `${String(value.task ?? 'task')
    .split('/')
    .at(-1)}/${String(value.id ?? trajectory)}`;
  return observations.map((observation, i) =>
    benchmarkTurn(`${name}#t${i + 1}`, trajectory, [
      bareAction(actions[i] ?? ''),
      stripObservationMarker(observation),
    ]),
  );
}

function texts(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value)
    ? value.map((one: Json) => (typeof one === 'string' ? one : renderJson(one)))
    : [];
}

/** An action message without the benchmark's headings and fences, which every row shares. */
function bareAction(message: string): string {
  return message
    .replace(/^#+ *Turn \d+ *$/gim, '')
    .replace(/^\*\*(Action|Current State):?\*\*:?/gim, '')
    .replace(/^```\w*$/gm, '');
}

function benchmarkTurn(
  id: string,
  trajectory: string,
  [action, observation]: readonly [string, string],
): BenchmarkTurn {
  const text = `${action}\n${observation}`;
  return {
    id,
    trajectory,
    grams: [...new Set(gramsOf(text).map(({ hash }) => hash))],
    text: text.slice(0, TEXT_UNITS),
  };
}

/** The first line of a list. */
export function contaminationHeaderLine(): string {
  const header = { contamination: VERSION, gramWords: GRAM_WORDS, tokenisation: TOKENISATION };
  return `${renderJson(header)}\n`;
}

/** One turn as a line of a list; without its text unless asked for. */
export function contaminationLine(turn: BenchmarkTurn, withText: boolean): string {
  const { id, trajectory, grams, text } = turn;
  return `${renderJson({ id, trajectory, grams: [...grams], ...(withText && text !== undefined && { text }) })}\n`;
}

/**
 * The turns that a value of a file stands for: a line of a list of hashes, a benchmark's row or a trajectory. Raises
 * `data/invalid` for a list of another version, since its hashes mean something else.
 */
export function readBenchmarkValue(value: Json): readonly BenchmarkTurn[] {
  if (!isJsonObject(value)) return [];
  if (value.contamination !== undefined) {
    const { contamination, gramWords, tokenisation } = value as JsonObject;
    if (contamination === VERSION && gramWords === GRAM_WORDS && tokenisation === TOKENISATION) return [];
    const seen = `version ${String(contamination)}, ${String(gramWords)} words, ${String(tokenisation)}`;
    const message = `a list of hashes of ${seen} cannot be compared; make it again with this version`;
    throw new DataError(message, { code: 'data/invalid' });
  }
  if (Array.isArray(value.grams) && typeof value.id === 'string' && typeof value.trajectory === 'string') {
    return [value as unknown as BenchmarkTurn];
  }
  return benchmarkTurns(value);
}
