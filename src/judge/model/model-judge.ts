/**
 * A language model as a judge: asked with the evidence between marks, read strictly, asked again a few times.
 *
 * A reply that cannot be used (another scale, a missing grade, a verdict without the mark) is asked for again; when all
 * attempts are used up the verdict is unscored, with the last reply. What an endpoint fails to answer is unscored as
 * `no-reply`. The judge's own sum or praise is never read. With somebody's own prompts the plain tag is read too, unless
 * the evidence holds it: then it might be the evidence that speaks. Not covered: whether a judge judges well.
 */
import type { LanguageModel, Sample, Usage } from '../../core/index.js';
import {
  type ReadVerdictOptions,
  readVerdict,
  VERDICT_PARSER_VERSION,
  VERDICT_TAG,
} from '../read-verdict.js';
import type { Judge, JudgeCase, JudgeStamp, Verdict } from '../verdict.js';
import {
  type JudgeMessages,
  MODEL_PROMPT_VERSION,
  markFor,
  messagesAround,
  ownMessages,
  verdictTag,
} from './judge-messages.js';
import type { JudgePrompts } from './judge-prompts.js';

/** How the model is asked. */
export interface ModelJudgeOptions {
  readonly model: LanguageModel;
  /** Secret until the run ends: marks are made of it. */
  readonly salt: string;
  /** Replies were written before there was a mark (a script, a recording): `{mark}` in them is filled in. */
  readonly fill?: boolean;
  readonly prompts?: JudgePrompts;
  /** Default 3. */
  readonly attempts?: number;
  /** Default 0. */
  readonly temperature?: number;
  readonly maxTokens?: number;
}

const ATTEMPTS = 3;

/** Makes the judge. */
export function createModelJudge(options: ModelJudgeOptions): Judge {
  const { model, prompts } = options;
  const stamp: JudgeStamp = {
    judge: model.name,
    promptVersion: prompts?.version ?? MODEL_PROMPT_VERSION,
    parserVersion: VERDICT_PARSER_VERSION,
  };
  return { stamp, judge: (one, { signal } = {}) => ask(one, { options, stamp, signal }) };
}

interface Asking {
  readonly options: ModelJudgeOptions;
  readonly stamp: JudgeStamp;
  readonly signal: AbortSignal | undefined;
}

async function ask(one: JudgeCase, { options, stamp, signal }: Asking): Promise<Verdict> {
  const { model, salt, temperature = 0, maxTokens } = options;
  const mark = markFor(textsOf(one), { salt, key: one.row.key });
  const { system, user } = messagesOf(one, options, mark);
  let usage: Usage | undefined;
  let raw: string | null = null;
  let reason = '';
  const most = options.attempts ?? ATTEMPTS;
  for (let attempt = 1; attempt <= most; attempt++) {
    const answered = await model.generate({
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      temperature,
      key: `judge/${one.row.key}`,
      ...(maxTokens !== undefined && { maxTokens }),
      ...(signal !== undefined && { signal }),
    });
    const about = { stamp, attempts: attempt };
    if (!answered.ok) {
      const said = answered.error.message;
      return { status: 'unscored', cause: 'no-reply', reason: said, raw, ...about, ...(usage && { usage }) };
    }
    usage = sumOf(usage, answered.value.usage);
    const [sample] = answered.value.samples;
    raw = sample?.text ?? null;
    const read = sample === undefined ? null : readReply(sample, one, { options, mark });
    if (read?.ok === true) return { status: 'scored', ...read.value, reasons: [], raw, usage, ...about };
    reason = read === null ? 'the reply holds no text' : `${read.error.cause}: ${read.error.message}`;
  }
  return {
    status: 'unscored',
    cause: 'unusable-reply',
    reason,
    raw,
    stamp,
    attempts: most,
    ...(usage && { usage }),
  };
}

function messagesOf(
  { row, prediction }: JudgeCase,
  { prompts }: ModelJudgeOptions,
  mark: string,
): JudgeMessages {
  if (prompts === undefined) return ownMessages(row, prediction, mark);
  const system = prompts.system(row.domain);
  const user = prompts.user(row, prediction);
  return user === null ? messagesAround(system, { row, prediction, mark }) : { system, user };
}

function readReply(
  sample: Sample,
  { row, prediction }: JudgeCase,
  { options, mark }: { readonly options: ModelJudgeOptions; readonly mark: string },
): ReturnType<typeof readVerdict> {
  const text = options.fill === true ? sample.text.replaceAll('{mark}', mark) : sample.text;
  const facts: ReadVerdictOptions = { finishReason: sample.finishReason };
  const marked = readVerdict(text, { ...facts, tag: verdictTag(mark) });
  if (marked.ok || marked.error.cause !== 'no-verdict' || options.prompts === undefined) return marked;
  const isPlanted = textsOf({ row, prediction }).some((one) => one.toLowerCase().includes(VERDICT_TAG));
  return isPlanted ? marked : readVerdict(text, facts);
}

/** All texts that are evidence. */
function textsOf({ row, prediction }: JudgeCase): readonly string[] {
  return [prediction, row.truth, row.action, ...row.history.flatMap((one) => [one.action, one.observation])];
}

function sumOf(before: Usage | undefined, now: Usage): Usage {
  if (before === undefined) return now;
  const sum = (a: number | null, b: number | null): number | null =>
    a === null || b === null ? null : a + b;
  return {
    promptTokens: sum(before.promptTokens, now.promptTokens),
    completionTokens: sum(before.completionTokens, now.completionTokens),
  };
}
