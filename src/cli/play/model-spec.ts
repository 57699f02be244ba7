/**
 * Model SPEC of `--model`: `engine`, `replay:FILE`, `scripted:FILE`, `MODEL@BASE_URL`, `ai-sdk:FILE#NAME`; local models are not
 * built yet.
 *
 * `replay:FILE` takes a recording of an episode (its observations answer) or recorded model answers
 * (`{"key": …, "text": …}`); the first line tells which. Without an address, a name that is no other kind is a model
 * at `OPENAI_BASE_URL`. The key comes from `OPENAI_API_KEY`.
 */
import { DataError, type LanguageModel, nearestName, type Trajectory, UsageError } from '../../core/index.js';
import {
  createEndpointModel,
  createReplayModel,
  createScriptedModel,
  type EndpointModelOptions,
  type EndpointSpec,
  parseEndpointSpec,
  parseModelRecords,
  parseScript,
} from '../../model/index.js';
import { recordedOptions } from '../../sim/index.js';
import { readNamedText } from '../named-file.js';
import { aiSdkModel } from './ai-sdk-spec.js';
import { endpointOptions, type ModelOptions } from './model-options.js';
import { readRecording } from './read-recording.js';

/** What a SPEC means. `null` is no language model. */
export type ChosenModel =
  | { readonly kind: 'none' }
  | { readonly kind: 'language'; readonly model: LanguageModel }
  | { readonly kind: 'recording'; readonly name: string; readonly trajectories: readonly Trajectory[] };

const KINDS = ['engine', 'replay:FILE', 'scripted:FILE', 'MODEL@BASE_URL', 'ai-sdk:FILE#NAME'];

/** Reads a SPEC. Raises `usage/bad-argument`, `usage/not-built`, `data/unreadable` and `data/invalid`. */
export async function chooseModel(
  spec: string,
  options: ModelOptions = {},
  more: Pick<EndpointModelOptions, 'meter' | 'limits'> = {},
): Promise<ChosenModel> {
  if (spec === 'engine') return { kind: 'none' };
  const [, scheme = '', rest = ''] = /^([a-z-]+):(.*)$/s.exec(spec) ?? [];
  if (scheme === 'local') {
    throw new UsageError(
      `--model: a local model (local:DIR) is not built yet; use one of ${KINDS.join(', ')}`,
      {
        code: 'usage/not-built',
        data: { wanted: KINDS },
      },
    );
  }
  if (scheme === 'ai-sdk') return { kind: 'language', model: await aiSdkModel(rest, options) };
  const endpoint = parseEndpointSpec(spec) ?? atDefaultEndpoint(spec);
  if (endpoint !== undefined)
    return { kind: 'language', model: endpointModel(endpoint, { ...endpointOptions(options), ...more }) };
  if ((scheme !== 'replay' && scheme !== 'scripted') || rest === '') throw unknownSpec(spec);
  return scheme === 'scripted' ? scripted(rest) : replayed(rest);
}

/** A bare model name, where the environment says which endpoint is meant. */
function atDefaultEndpoint(spec: string): EndpointSpec | undefined {
  const baseUrl = process.env.OPENAI_BASE_URL ?? '';
  const isKind = /^(?:engine|replay|scripted|local|ai-sdk)\b/.test(spec);
  return baseUrl === '' || isKind || spec === '' ? undefined : { model: spec, baseUrl };
}

function endpointModel(
  endpoint: EndpointSpec,
  how: Omit<EndpointModelOptions, 'model' | 'baseUrl' | 'apiKey'>,
): LanguageModel {
  return createEndpointModel({
    ...how,
    ...endpoint,
    apiKey: process.env.OPENAI_API_KEY,
    onWarning: (warning) => process.stderr.write(`${warning}\n`),
  });
}

/** A recording that only stands in for the model gives the answers that the model gave then. */
export function languageModelOf(chosen: ChosenModel): LanguageModel | undefined {
  if (chosen.kind === 'none') return undefined;
  if (chosen.kind === 'language') return chosen.model;
  const [first] = chosen.trajectories;
  return first === undefined ? undefined : recordedOptions(first).model;
}

function unknownSpec(spec: string): UsageError {
  const bare = /^(replay|scripted|ai-sdk):?$/.exec(spec)?.[1];
  if (bare !== undefined) {
    return new UsageError(`--model ${spec} lacks its file; wanted ${bare}:FILE`, {
      code: 'usage/bad-argument',
    });
  }
  const near = nearestName(
    spec.split(':')[0] ?? spec,
    KINDS.map((kind) => kind.split(':')[0] ?? kind),
  );
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  return new UsageError(`--model is "${spec}", wanted one of: ${KINDS.join(', ')}${hint}`, {
    code: 'usage/bad-argument',
    data: { seen: spec, wanted: KINDS },
  });
}

function scripted(path: string): ChosenModel {
  const read = parseScript(readModelText(path));
  if (!read.ok) throw inFile(path, read.error);
  return { kind: 'language', model: createScriptedModel(read.value, { name: `scripted:${path}` }) };
}

async function replayed(path: string): Promise<ChosenModel> {
  const text = readModelText(path);
  const firstLine = text.split('\n').find((line) => line.trim() !== '') ?? '';
  if (/"trajectory"\s*:/.test(firstLine)) {
    const { trajectories } = await readRecording(new TextEncoder().encode(text), path);
    return { kind: 'recording', name: `replay:${path}`, trajectories };
  }
  const read = parseModelRecords(text);
  if (!read.ok) throw inFile(path, read.error);
  return { kind: 'language', model: createReplayModel(read.value, { name: `replay:${path}` }) };
}

function readModelText(path: string): string {
  return readNamedText(path, '--model');
}

function inFile(path: string, error: DataError): DataError {
  return new DataError(`${path}: ${error.message}`, { code: 'data/invalid', cause: error, data: error.data });
}
