/**
 * The judge of a suite out of its SPEC: `scripted:FILE`, `replay:FILE` (recorded answers by key) or `MODEL@BASE_URL`.
 *
 * The key of an endpoint comes from a variable of its own, so that the agent's key is never sent to the judge's provider.
 * A scripted or recorded judge repeats words that were written before the run had its mark, so `{mark}` in them is filled
 * in, and its mark has no salt: the same suite then gives the same results. Fails with one sentence.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DataError, fail, hashText, type LanguageModel, ok, type Result } from '../../core/index.js';
import {
  createEndpointModel,
  createReplayModel,
  createScriptedModel,
  createSpendMeter,
  parseEndpointSpec,
  parseModelRecords,
  parseScript,
} from '../../model/index.js';
import { type AgentContext, publicSpec } from '../agent-spec.js';
import type { SuiteJudge } from '../suite-file.js';
import type { VerdictJudge } from './ask-judge.js';
import { JUDGE_PROMPT_VERSION } from './judge-prompt.js';

/** The variable that holds the key of a judge's endpoint where a suite names no other. */
const JUDGE_KEY_VARIABLE = 'UMWELT_JUDGE_API_KEY';

/** Longest reply where a suite says nothing, in tokens; thinking models need room. */
const OUTPUT_TOKENS = 8_192;

/** Makes the judge; paths are relative to the context's directory. */
export function openJudge(options: SuiteJudge, context: AgentContext): Result<VerdictJudge, string> {
  const { judge: spec, price, maxTokens, maxCostUsd } = options;
  const meter = createSpendMeter({
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxCostUsd !== undefined && { maxCost: maxCostUsd }),
    ...(price !== undefined && {
      pricePerMillion: { prompt: price.promptPerMillion, completion: price.completionPerMillion },
    }),
  });
  if (maxCostUsd !== undefined && price === undefined)
    return fail('maxCostUsd needs a price; add price to the judge');
  const common = {
    spec: publicSpec(spec),
    maxOutputTokens: options.maxOutputTokens ?? OUTPUT_TOKENS,
    meter,
    price,
  };
  const [, kind = '', file = ''] = /^(scripted|replay):(.*)$/s.exec(spec) ?? [];
  if (kind !== '') {
    if (file === '') return fail(`'${spec}' names no file; wanted ${kind}:FILE`);
    const said = saidBy(kind, resolve(context.directory, file));
    if (!said.ok) return said;
    const { model, hash } = said.value;
    return ok({ ...common, model, fingerprint: fingerprintOf(hash), salt: '', fill: true, secrets: [] });
  }
  const endpoint = parseEndpointSpec(spec);
  if (endpoint === undefined)
    return fail(`'${spec}' is no judge; known forms: scripted:FILE, replay:FILE, MODEL@BASE_URL`);
  if (new URL(endpoint.baseUrl).username !== '') {
    return fail(
      `the URL holds a user or a password; give the key by ${options.keyEnv ?? JUDGE_KEY_VARIABLE}`,
    );
  }
  const apiKey = context.environment[options.keyEnv ?? JUDGE_KEY_VARIABLE];
  if (options.keyEnv !== undefined && apiKey === undefined) {
    return fail(`the environment variable ${options.keyEnv} is not set; set it, or leave keyEnv out`);
  }
  return ok({
    ...common,
    model: createEndpointModel({ ...endpoint, apiKey, meter }),
    fingerprint: fingerprintOf(String(options.maxOutputTokens ?? '')),
    salt: randomBytes(16).toString('hex'),
    fill: false,
    secrets: apiKey === undefined ? [] : [apiKey],
  });
}

function fingerprintOf(decides: string): string {
  return `${JUDGE_PROMPT_VERSION} ${decides}`;
}

function saidBy(kind: string, path: string): Result<{ model: LanguageModel; hash: string }, string> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    return fail(`cannot read ${path} (${(cause as NodeJS.ErrnoException).code ?? 'unreadable'})`);
  }
  const made = kind === 'scripted' ? scripted(text) : recorded(text);
  return made.ok ? ok({ model: made.value, hash: hashText(text) }) : fail(`${path}: ${made.error.message}`);
}

function scripted(text: string): Result<LanguageModel, DataError> {
  const read = parseScript(text);
  return read.ok ? ok(createScriptedModel(read.value, { name: 'judge' })) : read;
}

function recorded(text: string): Result<LanguageModel, DataError> {
  const read = parseModelRecords(text);
  return read.ok ? ok(createReplayModel(read.value, { name: 'judge' })) : read;
}
