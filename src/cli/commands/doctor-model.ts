/**
 * `umwelt doctor --model SPEC`: looks one endpoint over and says what to change.
 */
import { UsageError } from '../../core/index.js';
import { type ProbeFinding, type ProbeReport, parseEndpointSpec, probeEndpoint } from '../../model/index.js';
import { type FlagValues, textFlag } from '../command.js';
import { readModelOptions } from '../play/model-options.js';

/** Probes the endpoint that the flags name. Raises `usage/bad-argument` for a SPEC that names none. */
export async function probeModel(flags: FlagValues): Promise<ProbeReport> {
  const spec = textFlag(flags, 'model') ?? '';
  const base = process.env.OPENAI_BASE_URL ?? '';
  const endpoint =
    parseEndpointSpec(spec) ?? (base === '' || spec === '' ? undefined : { model: spec, baseUrl: base });
  if (endpoint === undefined) {
    throw new UsageError(
      `--model is "${spec}"; doctor looks at endpoints, so it takes MODEL@BASE_URL, for example qwen@http://localhost:8000/v1 (or a name with OPENAI_BASE_URL set)`,
      { code: 'usage/bad-argument' },
    );
  }
  const { body, limits } = readModelOptions(flags);
  const { headersMs = 120_000, idleMs = 60_000, totalMs = 300_000 } = limits ?? {};
  return probeEndpoint({
    ...endpoint,
    apiKey: process.env.OPENAI_API_KEY,
    limits: { headersMs, idleMs, totalMs },
    ...(body !== undefined && { body }),
  });
}

/** The options that suit the endpoint, as a finding; null where the defaults do. */
export function optionsFinding({ options, contextTokens }: ProbeReport): ProbeFinding | null {
  const room = contextTokens === null ? undefined : Math.floor(contextTokens * 0.6);
  const wanted = {
    ...options,
    ...(room !== undefined && room >= 2_000 && room < 24_000 && { promptTokens: room }),
  };
  if (Object.keys(wanted).length === 0) return null;
  return {
    check: 'options',
    status: 'note',
    found: 'the defaults do not suit it',
    fix: `--model-options '${JSON.stringify(wanted)}'`,
  };
}
