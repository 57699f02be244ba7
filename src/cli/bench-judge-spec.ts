/**
 * The judge that --judge of `bench judge` names: `rule`, `scripted:FILE`, `replay:FILE` or `MODEL@BASE_URL`.
 *
 * The key of a judge's endpoint comes from `UMWELT_JUDGE_API_KEY`, never from the key of the model that is judged. A
 * scripted or recorded judge wrote its words before a question had its mark: `{mark}` in them is filled in.
 */
import { randomBytes } from 'node:crypto';
import { createPacer, watchModel } from '../bench/index.js';
import { type Domain, type LanguageModel, UsageError } from '../core/index.js';
import {
  checkJudge,
  createModelJudge,
  createRuleJudge,
  type Judge,
  loadJudgePrompts,
} from '../judge/index.js';
import {
  createEndpointModel,
  createReplayModel,
  createScriptedModel,
  parseEndpointSpec,
  parseModelRecords,
  parseScript,
  type SpendMeter,
} from '../model/index.js';
import { numberFlag, paceOf } from './bench-options.js';
import { type FlagValues, integerFlag, textFlag } from './command.js';
import { readNamedText } from './named-file.js';

const MAX_TOKENS = 32_768;
const REPLY_SECONDS = 3_600;

/** Opens the judge. Raises `usage/bad-argument` and what its files raise. */
export function openJudge(flags: FlagValues, domains: readonly Domain[], meter: SpendMeter): Judge {
  const spec = textFlag(flags, 'judge') ?? 'rule';
  const folder = textFlag(flags, 'judge-prompts');
  if (spec === 'rule') {
    if (folder === undefined) return createRuleJudge();
    throw new UsageError('--judge-prompts is for judges that are models; the rule judge reads none', {
      code: 'usage/bad-argument',
    });
  }
  const { model, isWritten } = languageModel(spec, flags, meter);
  return createModelJudge({
    model: watchModel(model, createPacer(paceOf(flags))),
    salt: isWritten ? '' : randomBytes(16).toString('hex'),
    fill: isWritten,
    temperature: numberFlag(flags, 'temperature') ?? 0,
    maxTokens: integerFlag(flags, 'max-tokens') ?? MAX_TOKENS,
    attempts: integerFlag(flags, 'attempts') ?? 3,
    ...(folder !== undefined && { prompts: loadJudgePrompts(folder, domains) }),
  });
}

/**
 * Raises `usage/bad-argument` where the judge cannot tell right observations from wrong ones that come with the package.
 * Judges whose words are written down are not asked: they have words for the rows of their run only.
 */
export async function refuseBlindJudge(flags: FlagValues, judge: Judge): Promise<void> {
  if (/^(?:scripted|replay):/.test(textFlag(flags, 'judge') ?? 'rule')) return;
  const fit = await checkJudge(judge);
  if (fit.ok) return;
  throw new UsageError(`${fit.error}. Nothing was judged; use another judge`, { code: 'usage/bad-argument' });
}

function languageModel(
  spec: string,
  flags: FlagValues,
  meter: SpendMeter,
): { readonly model: LanguageModel; readonly isWritten: boolean } {
  const [, kind, file = ''] = /^(scripted|replay):(.+)$/s.exec(spec) ?? [];
  if (kind !== undefined) {
    const text = readNamedText(file, '--judge');
    const read = kind === 'scripted' ? parseScript(text) : parseModelRecords(text);
    if (!read.ok) throw read.error;
    const model =
      kind === 'scripted'
        ? createScriptedModel(read.value as never, { name: `scripted:${file}` })
        : createReplayModel(read.value as never, { name: `replay:${file}` });
    return { model, isWritten: true };
  }
  const endpoint = parseEndpointSpec(spec);
  if (endpoint === undefined) {
    throw new UsageError(`--judge is "${spec}", wanted rule, scripted:FILE, replay:FILE or MODEL@BASE_URL`, {
      code: 'usage/bad-argument',
    });
  }
  const totalMs = (integerFlag(flags, 'timeout') ?? REPLY_SECONDS) * 1000;
  const model = createEndpointModel({
    ...endpoint,
    apiKey: process.env.UMWELT_JUDGE_API_KEY,
    meter,
    limits: { totalMs, headersMs: totalMs },
  });
  return { model, isWritten: false };
}
