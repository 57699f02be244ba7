/**
 * Asks a judge for what the rules left open in one run, and says what came of it.
 *
 * The idea: rules first. Only verdicts that are `unknown` because a text has to be read are asked for, all in one
 * question; a run without any costs nothing. A judge that fails, or whose words cannot count, leaves the verdict
 * `unknown`, with the reason and the blame `judge`. The raw reply stands in the record whatever became of it.
 * Not covered: several judges and their agreement.
 */
import type { LanguageModel } from '../../core/index.js';
import type { SpendMeter } from '../../model/index.js';
import type { RuledRun } from '../judge-run.js';
import type { Verdict } from '../run-verdict.js';
import type { JudgeLog } from './judge-log.js';
import { judgePrompt, markOf } from './judge-prompt.js';
import { type Opinion, readJudgeReply } from './judge-reply.js';

/** A judge of a suite. */
export interface VerdictJudge {
  readonly model: LanguageModel;
  /** How it was named, without anything secret. */
  readonly spec: string;
  /** What decides what it says, besides its SPEC; part of a suite's fingerprint. */
  readonly fingerprint: string;
  /** Makes marks unknown to everybody; empty for a judge that only repeats recorded words, whose runs must be equal. */
  readonly salt: string;
  /** Puts the mark into words that were written before there was one (a script, a recording). */
  readonly fill: boolean;
  readonly maxOutputTokens: number | undefined;
  /** Counts what it used in the whole suite, and says when that is enough. */
  readonly meter: SpendMeter;
  /** US dollars of a million tokens; undefined where nobody said. */
  readonly price: { readonly promptPerMillion: number; readonly completionPerMillion: number } | undefined;
  readonly secrets: readonly string[];
}

/** The verdicts with what the judge decided, and the log; null where nothing had to be asked. */
export interface JudgedByModel {
  readonly verdicts: readonly Verdict[];
  readonly log: JudgeLog;
}

/** Asks about one run. `key` names the question in recordings. Never rejects for what a model says. */
export async function askJudge(
  ruled: RuledRun,
  judge: VerdictJudge,
  key: string,
): Promise<JudgedByModel | null> {
  const open = ruled.verdicts.filter(({ id }) => ruled.open.includes(id));
  if (open.length === 0) return null;
  const asked = open.map(({ id }) => id);
  const mark = markOf(ruled.of.run, judge.salt);
  const about = { judge, asked, mark };
  const over = judge.meter.overspent();
  if (over !== undefined) return failed(ruled, about, { why: over, reply: NO_REPLY });
  const answered = await judge.model.generate({
    messages: judgePrompt(ruled.of, open, mark),
    temperature: 0,
    key,
    ...(judge.maxOutputTokens !== undefined && { maxTokens: judge.maxOutputTokens }),
  });
  if (!answered.ok) {
    return failed(ruled, about, { why: `no answer: ${answered.error.message}`, reply: NO_REPLY });
  }
  const [sample] = answered.value.samples;
  const { usage } = answered.value;
  const reply: Reply = { text: sample?.text ?? null, reasoning: sample?.reasoning ?? null, ...usage };
  if (sample === undefined) return failed(ruled, about, { why: 'the reply holds no text', reply });
  if (sample.finishReason === 'length') {
    return failed(ruled, about, { why: 'the reply was cut off at its limit of tokens', reply });
  }
  const text = judge.fill ? sample.text.replaceAll('{mark}', mark) : sample.text;
  const read = readJudgeReply(text, { case: ruled.of, asked, mark });
  if (!read.ok) return failed(ruled, about, { why: read.error, reply });
  const verdicts = ruled.verdicts.map((verdict) => {
    const opinion = read.value.get(verdict.id);
    return opinion === undefined ? verdict : withOpinion(verdict, opinion, ruled);
  });
  const decided = asked.filter((id) => read.value.get(id)?.kind === 'decided');
  return { verdicts, log: logOf(about, { decided, reply, failure: null }) };
}

interface Asked {
  readonly judge: VerdictJudge;
  readonly asked: JudgeLog['asked'];
  readonly mark: string;
}

interface Reply {
  readonly text: string | null;
  readonly reasoning: string | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

const NO_REPLY: Reply = { text: null, reasoning: null, promptTokens: null, completionTokens: null };

function withOpinion(verdict: Verdict, opinion: Opinion, ruled: RuledRun): Verdict {
  if (opinion.kind === 'refused') return leftOpen(verdict, `the judge's words do not count: ${opinion.why}`);
  if (opinion.kind === 'undecided') {
    return { ...verdict, by: 'judge', why: `${verdict.why}; the judge cannot tell either: ${opinion.why}` };
  }
  const { outcome, why, quotes } = opinion;
  return {
    ...verdict,
    by: 'judge',
    outcome,
    blame: outcome === 'bad' ? ruled.blameOf(verdict.id) : null,
    why,
    confidence: 'likely',
    quotes,
  };
}

function leftOpen(verdict: Verdict, why: string): Verdict {
  return { ...verdict, by: 'judge', blame: 'judge', why: `${verdict.why}; ${why}` };
}

function failed(
  ruled: RuledRun,
  about: Asked,
  how: { readonly why: string; readonly reply: Reply },
): JudgedByModel {
  const { why, reply } = how;
  const verdicts = ruled.verdicts.map((verdict) =>
    about.asked.includes(verdict.id) ? leftOpen(verdict, `the judge failed: ${why}`) : verdict,
  );
  return { verdicts, log: logOf(about, { decided: [], reply, failure: why }) };
}

function logOf(
  { judge, asked, mark }: Asked,
  came: {
    readonly decided: JudgeLog['decided'];
    readonly reply: Reply;
    readonly failure: string | null;
  },
): JudgeLog {
  const { decided, reply, failure } = came;
  const { promptTokens, completionTokens } = reply;
  return {
    spec: judge.spec,
    mark,
    asked,
    decided,
    reply: reply.text,
    reasoning: reply.reasoning,
    failure,
    promptTokens,
    completionTokens,
    costUsd: costOf(reply, judge.price),
  };
}

function costOf({ promptTokens, completionTokens }: Reply, price: VerdictJudge['price']): number | null {
  if (price === undefined || (promptTokens === null && completionTokens === null)) return null;
  const { promptPerMillion, completionPerMillion } = price;
  return ((promptTokens ?? 0) * promptPerMillion + (completionTokens ?? 0) * completionPerMillion) / 1e6;
}
