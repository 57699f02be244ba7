/**
 * Plays a world's own solution under faults, with the recoveries that any good agent knows.
 *
 * After an error it waits as long as asked (or backs off), looks whether the write happened, and tries again; it reads
 * again what looks other than it should, follows pages to the end, signs in where a tool does that, and finds tools and
 * arguments under their new names. What it does not do: guess, undo, or find another way than the script's. What a
 * read-back would show it takes from the state. Knowing the solution it needs no value from an answer, so what is said
 * elsewhere (`expectationOf`) is whether the answers still hold the values that the solution needs.
 */
import type { FaultSpec } from '../../control/index.js';
import { type AppliedFault, canonicalJson, isJsonObject, type Json, parseJson, type StepResult } from '../../core/index.js';
import { domainFormat } from '../../domains/index.js';
import { changedRows, type Episode, openEpisode } from '../../sim/index.js';
import type { World } from '../../worlds/index.js';
import { adaptCall, type Call } from './adapt-call.js';

/** How it is played. */
export interface RecoveringOptions {
  /** Default: the world's own faults. */
  readonly faults?: readonly FaultSpec[];
  /** Default: the world's own. */
  readonly seed?: number;
}

/** One action of the script, with all that was tried for it. */
export interface RecoveredAction {
  /** The action of the script. */
  readonly action: string;
  /** Whether it came to what it comes to without faults. */
  readonly done: boolean;
  /** Every step that was taken for it, in order. */
  readonly steps: readonly StepResult[];
  /** What the same action answers without faults; null for none. */
  readonly clean: string | null;
}

/** What became of the script. */
export interface RecoveringRun {
  readonly actions: readonly RecoveredAction[];
  /** The share of verifiers passed, 0–1; null where it could not be scored. */
  readonly reward: number | null;
  /** Faults that struck, in order. */
  readonly applied: readonly AppliedFault[];
}

const ATTEMPTS = 7;
const REREADS = 3;
const PAGES = 200;
const FIRST_WAIT_MS = 1000;
const SIGN_IN = /(^|[_-])(sign|log)_?-?in($|[_-])|(^|[_-])(auth|token|refresh|login|authenticate)($|[_-])/i;

/** Plays the oracle of a world. Raises what opening an episode raises. */
export async function runRecoveringOracle(
  world: World,
  options: RecoveringOptions = {},
): Promise<RecoveringRun> {
  const seed = options.seed ?? world.file.seed;
  const more = options.faults === undefined ? {} : { faults: options.faults };
  const episode = await openEpisode(world, { seed, ...more, maxTurns: TURNS });
  const clean = await openEpisode(world, { seed, faults: [], maxTurns: TURNS });
  const player = new RecoveringPlayer(episode, clean);
  for (const action of world.oracle) {
    if (episode.done || clean.done) break;
    await player.play(action);
  }
  if (!episode.done) await player.finish();
  const score = episode.end?.score;
  return {
    actions: player.actions,
    reward: score?.status === 'scored' ? score.fraction : null,
    applied: player.applied,
  };
}

const TURNS = 5000;

/** What an action comes to without faults. */
interface Wanted {
  readonly call: Call;
  readonly result: StepResult;
  /** The rows that it changes, as canonical texts. */
  readonly rows: readonly string[];
}

class RecoveringPlayer {
  readonly actions: RecoveredAction[] = [];
  readonly applied: AppliedFault[] = [];
  private readonly known: Json;
  private steps: StepResult[] = [];

  constructor(
    private readonly episode: Episode,
    private readonly clean: Episode,
  ) {
    this.known = clean.actionSpace();
  }

  async play(action: string): Promise<void> {
    const parsed = parseCall(this.episode, action);
    this.steps = [];
    const before = this.clean.view();
    const result = await this.clean.step(action);
    const rows = changedRows(before, this.clean.view()).map(rowText);
    let done = true;
    if (parsed === null) await this.step(action);
    else done = await this.recover({ call: parsed, result, rows });
    this.actions.push({ action, done, steps: this.steps, clean: result.observation });
  }

  async finish(): Promise<void> {
    this.applied.push(...(await this.episode.finish()).faults);
  }

  private async recover(wanted: Wanted): Promise<boolean> {
    const start = this.episode.view();
    let rereads = 0;
    for (let attempt = 0; attempt < ATTEMPTS && !this.episode.done; attempt++) {
      const call = adaptCall(wanted.call, this.known, this.episode.actionSpace());
      if (call === null) return false;
      const result = await this.step(render(call));
      if (this.isDone(wanted, start)) {
        if (wanted.rows.length > 0 || this.isSame(result, wanted)) return true;
        if (result.meta?.isError !== true && result.status === 'ok') {
          await this.followPages(call, result);
          if (rereads++ >= REREADS) return true;
        }
      }
      if (isHopeless(result)) return false;
      if (result.status !== 'refused') await this.recoverFrom(result, attempt);
    }
    return this.isDone(wanted, start) && wanted.rows.length > 0;
  }

  /** All rows that the action is to change are as they should be. */
  private isDone(wanted: Wanted, start: Json): boolean {
    const now = new Set(changedRows(start, this.episode.view()).map(rowText));
    return wanted.rows.every((row) => now.has(row));
  }

  private isSame(result: StepResult, wanted: Wanted): boolean {
    return result.observation === wanted.result.observation && result.status === wanted.result.status;
  }

  private async recoverFrom(result: StepResult, attempt: number): Promise<void> {
    const text = result.observation ?? '';
    if (/\b401\b/.test(text)) await this.signIn();
    const told = /Retry-After: (\d{1,7})\b/i.exec(text)?.[1];
    await this.episode.wait(told === undefined ? FIRST_WAIT_MS * 2 ** attempt : Number(told) * 1000);
  }

  /** Calls the tool that signs in, where there is one, with values that the state has for its arguments. */
  private async signIn(): Promise<void> {
    const tools = this.episode.actionSpace();
    const list = Array.isArray(tools) ? (tools as readonly Json[]).filter(isJsonObject) : [];
    const tool = list.find(({ name }) => typeof name === 'string' && SIGN_IN.test(name));
    if (tool === undefined || this.episode.done) return;
    const schema = isJsonObject(tool.inputSchema) ? tool.inputSchema : {};
    const needed = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [];
    const args = needed.map((name): [string, Json] => [String(name), someValue(this.episode.view(), String(name))]);
    await this.step(render({ name: String(tool.name), arguments: Object.fromEntries(args) }));
  }

  private async followPages(call: Call, first: StepResult): Promise<void> {
    let cursor = cursorOf(first);
    for (let page = 0; cursor !== undefined && page < PAGES && !this.episode.done; page++) {
      const result = await this.step(render({ ...call, arguments: { ...call.arguments, cursor } }));
      cursor = cursorOf(result);
    }
  }

  private async step(action: string): Promise<StepResult> {
    const result = await this.episode.step(action);
    this.steps.push(result);
    this.applied.push(...result.faults);
    return result;
  }
}

/** No retry helps against a missing permission. */
function isHopeless({ observation }: StepResult): boolean {
  return /^Error 403: /.test(observation ?? '');
}

function cursorOf({ observation }: StepResult): string | undefined {
  const read = parseJson(observation ?? '');
  const cursor = read.ok && isJsonObject(read.value) ? read.value.next_cursor : undefined;
  return typeof cursor === 'string' ? cursor : undefined;
}

function someValue(view: Json, name: string): Json {
  const found = findMember(view, [name, `${name}_id`, 'id', 'name']);
  return found ?? 'agent';
}

function findMember(value: Json, names: readonly string[]): Json | undefined {
  const data = isJsonObject(value) && isJsonObject(value.data) ? value.data : {};
  for (const [collection, rows] of Object.entries(data)) {
    const wanted = names[0] ?? '';
    if (!collection.startsWith(wanted.slice(0, 4))) continue;
    const row = Array.isArray(rows) ? (rows as readonly Json[]).find(isJsonObject) : undefined;
    const name = names.find((one) => row !== undefined && Object.hasOwn(row, one));
    if (row !== undefined && name !== undefined) return row[name];
  }
  return undefined;
}

function parseCall(episode: Episode, action: string): Call | null {
  const format = domainFormat(episode.world.domain);
  const parsed = format.ok ? format.value.parseAction(action) : undefined;
  return parsed?.kind === 'tool-call' ? { name: parsed.name, arguments: parsed.arguments } : null;
}

function render(call: Call): string {
  return canonicalJson({ name: call.name, arguments: call.arguments });
}

/** A changed row without its times: a retry happens later than the first try. */
function rowText({ collection, key, change, row }: ReturnType<typeof changedRows>[number]): string {
  const steady = Object.entries(row).filter(([, value]) => !(typeof value === 'string' && TIME.test(value)));
  return canonicalJson([collection, key, change, change === 'deleted' ? null : Object.fromEntries(steady)]);
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
