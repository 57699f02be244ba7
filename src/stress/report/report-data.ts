/**
 * What the report's page is given: an index of all runs, and their turns in packed chunks.
 *
 * The idea: the index is small and read at once; turns are read when somebody looks at them. A chunk holds
 * neighbours (runs in one world), whose turns are mostly the same texts, so each text stands once in the chunk's pool and
 * turns hold numbers. Chunks are deflated and written in base64, which holds no character that HTML knows.
 */
import { deflateRawSync } from 'node:zlib';
import type { Turn } from '../../core/index.js';
import { CLEAN, type RunRecord } from '../run-record.js';
import { type RunVerdict, RunVerdictSchema } from '../run-verdict.js';
import type { RunOutcome } from '../statistics/summarise.js';

/** Longest text of a turn in a report, in UTF-16 units; the results file has all of it. */
const TEXT_UNITS = 12_000;
/** Texts of one chunk before the next begins, in UTF-16 units. */
const CHUNK_UNITS = 600_000;

/** One run in the index of a report. */
export interface IndexedRun {
  readonly id: string;
  readonly agent: string;
  readonly world: string;
  readonly fault: string;
  readonly trial: number;
  readonly seed: number;
  readonly outcome: RunVerdict['outcome'];
  readonly blame: RunVerdict['blame'];
  readonly attribution: RunVerdict['attribution'];
  readonly headline: string;
  readonly kinds: readonly string[];
  readonly turns: number;
  readonly end: string;
  /** The index of the clean twin, or −1. */
  readonly clean: number;
  /** The chunk that holds its turns, and its place there. */
  readonly chunk: number;
  readonly place: number;
}

/** A run's details, as chunks hold them. Texts are numbers of the pool. */
interface PackedRun {
  readonly turns: readonly (readonly number[])[];
  readonly faults: unknown;
  readonly marks: readonly (readonly [number, string])[];
  readonly answer: number;
  readonly verdict: RunVerdict | null;
  readonly task: number;
  /** What a judge was asked and said; its reply and its failure as texts. */
  readonly judge: {
    readonly spec: string;
    readonly asked: readonly string[];
    readonly reply: number;
    readonly failure: number;
  } | null;
}

/** Packs runs as they are read. A clean run comes before what is compared with it, as in a results file. */
export class ReportPacker {
  readonly index: IndexedRun[] = [];
  readonly outcomes: RunOutcome[] = [];
  /** Deflated chunks in base64. */
  readonly chunks: string[] = [];
  private pool = new Map<string, number>();
  private units = 0;
  private runs: PackedRun[] = [];
  private readonly cleanOf = new Map<string, number>();

  /** Takes in one run. */
  add(record: RunRecord): void {
    if (this.units > CHUNK_UNITS) this.flush();
    const verdict = readVerdict(record);
    if (record.faults.id === CLEAN) this.cleanOf.set(record.pair, this.index.length);
    this.index.push(this.indexed(record, verdict));
    this.outcomes.push(outcomeOf(record, verdict));
    this.runs.push({
      turns: record.turns.map((turn) => this.packTurn(turn)),
      faults: record.faults.specs,
      marks: record.turns.flatMap((turn, index) => faultMarks(turn, index)),
      answer: this.text(record.answer ?? ''),
      verdict,
      task: this.text(record.task),
      judge: this.packJudge(record.judge),
    });
  }

  /** Closes the last chunk. */
  flush(): void {
    if (this.runs.length === 0) return;
    this.chunks.push(pack({ pool: [...this.pool.keys()], runs: this.runs }));
    this.pool = new Map();
    this.units = 0;
    this.runs = [];
  }

  private indexed(record: RunRecord, verdict: RunVerdict | null): IndexedRun {
    return {
      id: record.id,
      agent: record.agent.id,
      world: record.world.name,
      fault: record.faults.id,
      trial: record.trial,
      seed: record.seed,
      outcome: verdict?.outcome ?? 'unscored',
      blame: verdict?.blame ?? null,
      attribution: verdict?.attribution ?? null,
      headline: verdict?.headline ?? 'not judged',
      kinds: [...new Set((verdict?.findings ?? []).map((finding) => finding.kind))],
      turns: record.turns.length,
      end: record.end.reason,
      clean: record.faults.id === CLEAN ? -1 : (this.cleanOf.get(record.pair) ?? -1),
      chunk: this.chunks.length,
      place: this.runs.length,
    };
  }

  /** `[action, observation or −1, 1 for an error, waited ms, duration ms, status]`. */
  private packTurn(turn: Turn): readonly number[] {
    const { meta } = turn;
    const waited = typeof meta?.waitedMs === 'number' ? meta.waitedMs : 0;
    const observation =
      turn.observation === null ? this.text(`(no observation: ${turn.status})`) : this.text(turn.observation);
    return [
      this.text(turn.action),
      observation,
      meta?.isError === true || turn.observation === null ? 1 : 0,
      waited,
      meta?.durationMs ?? 0,
    ];
  }

  private packJudge(judge: RunRecord['judge']): PackedRun['judge'] {
    if (judge === undefined) return null;
    const { spec, asked, reply, failure } = judge;
    return { spec, asked, reply: this.text(reply ?? '(no reply)'), failure: this.text(failure ?? '') };
  }

  private text(text: string): number {
    const cut =
      text.length <= TEXT_UNITS
        ? text
        : `${text.slice(0, TEXT_UNITS)}\n… ${text.length} units in all; the results file has them`;
    const known = this.pool.get(cut);
    if (known !== undefined) return known;
    const number = this.pool.size;
    this.pool.set(cut, number);
    this.units += cut.length;
    return number;
  }
}

/** Deflated JSON in base64. */
export function pack(value: unknown): string {
  const json = JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
  return deflateRawSync(Buffer.from(json, 'utf8'), { level: 7 }).toString('base64');
}

/** The verdict of a record, or null where it was not judged or by a version that says it otherwise. */
export function readVerdict(record: RunRecord): RunVerdict | null {
  const parsed = RunVerdictSchema.safeParse(record.verdict);
  return parsed.success ? parsed.data : null;
}

/** What summing up reads of a record. */
export function outcomeOf(record: RunRecord, verdict: RunVerdict | null): RunOutcome {
  return {
    id: record.id,
    pair: record.pair,
    agent: record.agent.id,
    world: record.world.name,
    fault: record.faults.id,
    trial: record.trial,
    passed: verdict?.passed ?? null,
  };
}

/** Where a fault struck: the index of the turn and one line about it. */
function faultMarks(turn: Turn, index: number): [number, string][] {
  const faults: unknown = turn.meta?.faults;
  if (!Array.isArray(faults)) return [];
  return faults.map((fault: { kind?: unknown; phase?: unknown; detail?: unknown; wrote?: unknown }) => {
    const wrote =
      fault.wrote === true ? ', the write stands' : fault.wrote === false ? ', nothing was written' : '';
    const detail = typeof fault.detail === 'string' ? `: ${fault.detail}` : '';
    return [index, `${String(fault.kind)} (${String(fault.phase)}${wrote})${detail}`];
  });
}
