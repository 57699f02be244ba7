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
  type TuringOptions,
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

/** A judge, and the same model for choosing between two; null for a judge that is none. */
export interface OpenedJudge {
  readonly judge: Judge;
  readonly turing: TuringOptions | null;
}

/** Opens the judge that a SPEC names. Raises `usage/bad-argument` and what its files raise. */
export function openJudge(
  spec: string,
  flags: FlagValues,
  of: { readonly domains: readonly Domain[]; readonly meter: SpendMeter },
): OpenedJudge {
  const folder = textFlag(flags, 'judge-prompts');
  if (spec === 'rule') {
    if (folder === undefined) return { judge: createRuleJudge(), turing: null };
    throw new UsageError('--judge-prompts is for judges that are models; the rule judge reads none', {
      code: 'usage/bad-argument',
    });
  }
  const opened = languageModel(spec, flags, of.meter);
  const asked = {
    model: watchModel(opened.model, createPacer(paceOf(flags))),
    salt: opened.isWritten ? '' : randomBytes(16).toString('hex'),
    temperature: numberFlag(flags, 'temperature') ?? 0,
    maxTokens: integerFlag(flags, 'max-tokens') ?? MAX_TOKENS,
  };
  const judge = createModelJudge({
    ...asked,
    fill: opened.isWritten,
    attempts: integerFlag(flags, 'attempts') ?? 3,
    ...(folder !== undefined && { prompts: loadJudgePrompts(folder, of.domains) }),
  });
  return { judge, turing: asked };
}

/** Totals may differ by less than this between two looks at a judge. */
const DRIFT = 1;

/**
 * Raises `usage/bad-argument` where the judge cannot tell right observations from wrong ones that come with the package.
 * Gives a function that looks again and says why the judge is not the one it was, or null. Judges whose words are
 * written down are not asked: they have words for the rows of their run only.
 */
export async function refuseBlindJudge(spec: string, judge: Judge): Promise<() => Promise<string | null>> {
  if (isWritten(spec)) return async () => null;
  const fit = await checkJudge(judge);
  if (!fit.ok) {
    throw new UsageError(`${fit.error}. Nothing was judged; use another judge`, {
      code: 'usage/bad-argument',
    });
  }
  return async () => {
    const now = await checkJudge(judge);
    if (!now.ok) return now.error;
    const moved = now.value.findIndex((total, i) => Math.abs(total - (fit.value[i] ?? 0)) >= DRIFT);
    if (moved < 0) return null;
    return `the judge graded a known observation ${fit.value[moved]} at the start and ${now.value[moved]} now`;
  };
}

/** True for a SPEC of a judge whose words are written down. */
function isWritten(spec: string): boolean {
  return /^(?:scripted|replay):/.test(spec);
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
