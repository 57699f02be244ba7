/**
 * `--model-options JSON|FILE` (or `UMWELT_MODEL_OPTIONS`): how a model is asked, and how much of it may be used.
 *
 * `umwelt doctor --model SPEC` says what an endpoint needs. Keys have no place here: they come from the environment.
 */
import { z } from 'zod';
import { nearestName, parseJson, UsageError } from '../../core/index.js';
import { createSpendMeter, type EndpointModelOptions } from '../../model/index.js';
import { type FlagValues, textFlag } from '../command.js';
import { readNamedText } from '../named-file.js';

const Count = z.int().positive();
const Price = z.number().nonnegative();

const Schema = z.strictObject({
  /** Default 0.6, as the published world model is run; null to send none. */
  temperature: z.number().min(0).max(5).nullable().optional(),
  /** Longest answer, thinking included. */
  maxTokens: Count.optional(),
  maxTokensName: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  startsInThinking: z.boolean().optional(),
  stream: z.boolean().optional(),
  /** Further members of every request body. */
  body: z.record(z.string(), z.json()).optional(),
  /** Milliseconds. */
  limits: z
    .strictObject({ headersMs: Count.optional(), idleMs: Count.optional(), totalMs: Count.optional() })
    .optional(),
  attempts: Count.optional(),
  /** Tokens of one question; see `EpisodeOptions`. */
  promptTokens: z.int().min(2_000).optional(),
  /** Tokens and cost of all questions together. */
  maxSpentTokens: Count.optional(),
  maxCost: z.number().positive().optional(),
  pricePerMillion: z.strictObject({ prompt: Price, completion: Price }).optional(),
});

/** How a model is asked. */
export type ModelOptions = z.infer<typeof Schema>;

/** The temperature of the published world model. */
const TEMPERATURE = 0.6;

/** Reads the options. Raises `usage/bad-argument` with the key that is wrong, `data/unreadable` for a file. */
export function readModelOptions(flags: FlagValues): ModelOptions {
  const given = textFlag(flags, 'model-options') ?? process.env.UMWELT_MODEL_OPTIONS ?? '';
  if (given.trim() === '') return {};
  const text = given.trimStart().startsWith('{') ? given : readNamedText(given, '--model-options');
  const json = parseJson(text);
  if (!json.ok) throw wrong(`is not JSON (${json.error.message})`);
  const read = Schema.safeParse(json.value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const at = issue?.path.join('.') ?? '';
    if (issue?.code === 'unrecognized_keys') {
      const [key = ''] = issue.keys;
      const near = at === '' ? nearestName(key, Object.keys(Schema.shape)) : undefined;
      throw wrong(`has the unknown key "${key}"${near === undefined ? '' : ` (did you mean "${near}"?)`}`);
    }
    throw wrong(`${at === '' ? '' : `${at}: `}${issue?.message ?? 'is of another form'}`);
  }
  const { maxCost, pricePerMillion } = read.data;
  if (maxCost !== undefined && pricePerMillion === undefined)
    throw wrong(
      'maxCost: needs pricePerMillion {"prompt": …, "completion": …}, the price of a million tokens',
    );
  return read.data;
}

function wrong(what: string): UsageError {
  const names = Object.keys(Schema.shape).join(', ');
  return new UsageError(`--model-options ${what}. Known keys: ${names}`, { code: 'usage/bad-argument' });
}

/** The options as the adapter of endpoints takes them. */
export function endpointOptions(
  options: ModelOptions,
): Omit<EndpointModelOptions, 'model' | 'baseUrl' | 'apiKey'> {
  const {
    temperature = TEMPERATURE,
    maxTokens,
    maxTokensName,
    startsInThinking,
    stream,
    body,
    attempts,
  } = options;
  const { headersMs, idleMs, totalMs } = options.limits ?? {};
  return {
    temperature,
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxTokensName !== undefined && { maxTokensName }),
    ...(startsInThinking !== undefined && { startsInThinking }),
    ...(stream !== undefined && { stream }),
    ...(body !== undefined && { body }),
    ...(attempts !== undefined && { retry: { attempts } }),
    limits: {
      ...(headersMs !== undefined && { headersMs }),
      ...(idleMs !== undefined && { idleMs }),
      ...(totalMs !== undefined && { totalMs }),
    },
    meter: meterOf(options),
  };
}

/** What the options allow to be used. */
export function meterOf({ maxSpentTokens, maxCost, pricePerMillion }: ModelOptions) {
  return createSpendMeter({
    ...(maxSpentTokens !== undefined && { maxTokens: maxSpentTokens }),
    ...(maxCost !== undefined && { maxCost }),
    ...(pricePerMillion !== undefined && { pricePerMillion }),
  });
}
