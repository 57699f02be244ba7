/**
 * What a judge's reply means: strictly read, and every verdict held against the run that it quotes.
 *
 * The idea: a reply counts only as the one block that carries the run's mark, as strict JSON, and a verdict only with
 * words that are in the run. Whatever is not so is refused with its reason and the rest stands; nothing is repaired,
 * guessed or taken from thinking. Source: hard cases P-OUT-1, P-OUT-4. Not covered: whether a true quote proves the claim.
 */
import { z } from 'zod';
import { fail, ok, type Result, readJson, readTagged } from '../../core/index.js';
import { QuoteSchema, type Verdict, type VerdictId } from '../run-verdict.js';
import type { RuleCase } from '../verdict/rule-case.js';

/** Shortest quote that tells anything, in UTF-16 units, where the whole text is not shorter. */
const QUOTE_UNITS = 4;
/** Quotes of one verdict that are kept. */
const QUOTES_KEPT = 8;
/** Longest reason that is kept, in UTF-16 units. */
const WHY_UNITS = 600;

const ReplySchema = z.object({
  verdicts: z.array(
    z.object({
      id: z.string(),
      outcome: z.enum(['good', 'bad', 'unknown']),
      why: z.string().trim().min(1),
      quotes: z.array(QuoteSchema.extend({ part: z.enum(['action', 'observation', 'answer']) })).default([]),
    }),
  ),
});

type Entry = z.infer<typeof ReplySchema>['verdicts'][number];

/** What a reply says of one question: a decision, or why there is none. */
export type Opinion =
  | {
      readonly kind: 'decided';
      readonly outcome: 'good' | 'bad';
      readonly why: string;
      readonly quotes: Verdict['quotes'];
    }
  | { readonly kind: 'undecided'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

/** Reads a reply; fails with a reason where nothing in it can count. Every verdict that was asked for gets an opinion. */
export function readJudgeReply(
  text: string,
  of: { readonly case: RuleCase; readonly asked: readonly VerdictId[]; readonly mark: string },
): Result<ReadonlyMap<VerdictId, Opinion>, string> {
  const tag = `verdict-${of.mark}`;
  const { block, closed, unclosedThinking } = readTagged(text, tag);
  if (block === null) {
    const thought = unclosedThinking ? '; its thinking never ended' : '';
    return fail(`the reply has no block <${tag}>${thought}`);
  }
  if (!closed) return fail(`the block <${tag}> of the reply is not closed`);
  const json = readJson(block, { repair: false });
  if (!json.ok) return fail(`the block of the reply is not JSON: ${json.error.reason}`);
  const read = ReplySchema.safeParse(json.value.value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return fail(
      `the block of the reply has another form: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
    );
  }
  const { verdicts } = read.data;
  return ok(new Map(of.asked.map((id) => [id, opinionOn(id, verdicts, of.case)])));
}

function opinionOn(id: VerdictId, entries: readonly Entry[], of: RuleCase): Opinion {
  const [entry, ...more] = entries.filter((one) => one.id === id);
  if (entry === undefined) return { kind: 'refused', why: 'the reply says nothing of it' };
  if (more.length > 0) return { kind: 'refused', why: `the reply speaks of it ${more.length + 1} times` };
  const why = entry.why.slice(0, WHY_UNITS);
  if (entry.outcome === 'unknown') return { kind: 'undecided', why };
  if (entry.quotes.length === 0) return { kind: 'refused', why: `'${entry.outcome}' without a quote` };
  for (const quote of entry.quotes) {
    const wrong = wrongWith(quote, of);
    if (wrong !== null) return { kind: 'refused', why: wrong };
  }
  return { kind: 'decided', outcome: entry.outcome, why, quotes: entry.quotes.slice(0, QUOTES_KEPT) };
}

/** Why a quote is none, or null. The whole texts of the run count, also what the prompt had cut. */
function wrongWith({ turn, part, text }: Entry['quotes'][number], { run }: RuleCase): string | null {
  const shown = JSON.stringify(text.slice(0, 80));
  const where = part === 'answer' ? 'the answer' : `the ${part} of turn ${turn ?? '?'}`;
  const whole = wholeText(turn, part, run);
  if (whole === null) return `it quotes ${where}, and there is none`;
  if (text.trim().length < Math.min(QUOTE_UNITS, whole.trim().length) || text.trim() === '')
    return `its quote ${shown} is too short to tell anything`;
  return whole.includes(text) ? null : `its quote ${shown} is not in ${where}`;
}

function wholeText(
  turn: number | null,
  part: Entry['quotes'][number]['part'],
  run: RuleCase['run'],
): string | null {
  if (part === 'answer') return run.answer;
  const seen = turn === null ? undefined : run.turns[turn - 1];
  if (seen === undefined) return null;
  return part === 'action' ? seen.action : seen.observation;
}
