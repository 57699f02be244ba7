/**
 * A row of AgentWorldBench: one turn of a real trajectory with everything before it and the real observation.
 *
 * The idea: one reader for everybody (benchmark, judges, importer), so that the history a model sees and the history a
 * judge sees cannot differ. `turn_idx` counts from 1; a number that fits no action and observation makes the row
 * invalid, never a wrap-around. Where `current_prompt` is there it is the action, as in the published evaluation; if it
 * differs from the list, that is told. Source: formats of AgentWorldBench (arXiv 2606.24597); hard case P-EVAL-1.
 * Not covered: taking the headings and fences off actions (each domain's `parseAction` does).
 */
import {
  DOMAINS,
  type Domain,
  DomainSchema,
  fail,
  isJsonObject,
  type Json,
  type JsonObject,
  ok,
  type Result,
  renderJson,
  type Turn,
} from '../core/index.js';

/** One earlier turn, exact texts as they stand in the row. */
export interface BenchExchange {
  readonly action: string;
  readonly observation: string;
}

/** A row that can be predicted and judged. */
export interface BenchRow {
  /** Names the row in its data set: task, id and turn, for example `terminal/17#3`. */
  readonly key: string;
  /** Names the trajectory that the row is a turn of: task and id. Rows of one trajectory are not independent. */
  readonly trajectory: string;
  readonly domain: Domain;
  /** The task as written; may be `suite/terminal`. */
  readonly task: string;
  /** As text, whatever type the file has. */
  readonly id: string;
  /** Which turn is asked, from 1. */
  readonly turn: number;
  /** Turns of the trajectory where the row tells it, else those in its lists. */
  readonly totalTurns: number;
  /** The system prompt of this very row; `''` means that none is sent. */
  readonly system: string;
  /** The turns before, oldest first. */
  readonly history: readonly BenchExchange[];
  /** The action to answer. */
  readonly action: string;
  /** What really happened, exact, the marker included. Never shown to the model that predicts. */
  readonly truth: string;
  /** What is odd and was decided, for people. */
  readonly warnings: readonly string[];
  /** The whole row as it was read; written back with what is added to it. */
  readonly raw: JsonObject;
}

/** Reads one row. The error says in words what is wrong with it. */
export function readBenchRow(value: Json): Result<BenchRow, string> {
  if (!isJsonObject(value)) return fail('it is no JSON object');
  const domain = benchDomain(value.task);
  if (domain === undefined) {
    const known = DOMAINS.join(', ');
    return fail(`task ${renderJson(value.task ?? null)} names no known domain; wanted one of ${known}`);
  }
  const { id } = value;
  if (typeof id !== 'string' && typeof id !== 'number' && typeof id !== 'bigint') {
    return fail(`id is ${renderJson(id ?? null)}, wanted a number or a text`);
  }
  const prompts = benchTexts(value.prompt);
  const responses = benchTexts(value.response);
  if (prompts === undefined) return fail('prompt is neither a text nor a list of texts');
  if (responses === undefined) return fail('response is neither a text nor a list of texts');
  const system = systemOf(value.system_str);
  if (system === undefined) {
    return fail(`system_str is ${renderJson(value.system_str ?? null).slice(0, 80)}, wanted a text`);
  }
  const placed = turnOf(value, prompts.length, responses.length);
  if (!placed.ok) return placed;
  const turn = placed.value;
  const listed = prompts[turn - 1] ?? '';
  const { current_prompt: current, total_turns: total } = value;
  const action = typeof current === 'string' && current !== '' ? current : listed;
  const task = String(value.task).trim();
  return ok({
    key: `${task}/${id}#${turn}`,
    trajectory: `${task}/${id}`,
    domain,
    task,
    id: String(id),
    turn,
    totalTurns: typeof total === 'number' && total >= turn ? total : Math.max(prompts.length, turn),
    system,
    history: prompts.slice(0, turn - 1).map((one, index) => ({
      action: one,
      observation: responses[index] ?? '',
    })),
    action,
    truth: responses[turn - 1] ?? '',
    warnings: [
      ...(Array.isArray(value.system_str)
        ? ['system_str is a list; its texts are joined by line feeds']
        : []),
      ...(action === listed ? [] : [`current_prompt is not prompt ${turn}; current_prompt is asked`]),
      ...(prompts.length === responses.length
        ? []
        : [
            `${prompts.length} actions and ${responses.length} observations; those after turn ${turn} are not used`,
          ]),
    ],
    raw: value,
  });
}

/** The key of a row or of a record about it (`task/id#turn`), by its names alone; undefined where they are missing. */
export function benchKey(value: JsonObject): string | undefined {
  const { task, id, turn_idx: turn = 1 } = value;
  const hasId = typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint';
  return typeof task === 'string' && hasId ? `${task.trim()}/${id}#${renderJson(turn ?? 1)}` : undefined;
}

/** The domain that a task names: its last part after a slash, in any case; undefined for an unknown one. */
export function benchDomain(task: Json | undefined): Domain | undefined {
  const name = typeof task === 'string' ? task.split('/').at(-1)?.trim().toLowerCase() : undefined;
  const read = DomainSchema.safeParse(name);
  return read.success ? read.data : undefined;
}

/** The texts of `prompt` or `response`: a list of them, or one text as a list of one; undefined for anything else. */
export function benchTexts(value: Json | undefined): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return undefined;
  const list = value as readonly Json[];
  return list.every((one) => typeof one === 'string') ? (list as readonly string[]) : undefined;
}

/** The system prompt: a text, texts to be joined, or `''` where there is none; undefined for anything else. */
function systemOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return '';
  return benchTexts(value)?.join('\n');
}

/** The turn that a row asks, from 1. A row without a number asks the first, as in the published evaluation. */
function turnOf(row: JsonObject, prompts: number, responses: number): Result<number, string> {
  if (prompts === 0 || responses === 0) return fail('it has no turns');
  const index = row.turn_idx ?? 1;
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 1 || index > prompts) {
    return fail(`turn_idx is ${renderJson(index)}, wanted 1 to ${prompts}`);
  }
  if (index > responses) return fail(`turn_idx is ${index}, and there are ${responses} observations`);
  return ok(index);
}

/** The turns before the asked one, as a world model takes them: the exact texts, nothing stripped. */
export function benchHistory(row: BenchRow): readonly Turn[] {
  return row.history.map(({ action, observation }) => ({ action, observation, status: 'ok' }));
}
