/**
 * Model SPEC of `--model`: `engine`, `replay:FILE`, `scripted:FILE`; endpoints and local models are not built yet.
 *
 * `replay:FILE` takes a recording of an episode (its observations answer) or recorded model answers
 * (`{"key": …, "text": …}`); the first line tells which.
 */
import { DataError, type LanguageModel, nearestName, type Trajectory, UsageError } from '../../core/index.js';
import { createReplayModel, createScriptedModel, parseModelRecords, parseScript } from '../../model/index.js';
import { readNamedText } from '../named-file.js';
import { readRecording } from './read-recording.js';

/** What a SPEC means. `null` is no language model. */
export type ChosenModel =
  | { readonly kind: 'none' }
  | { readonly kind: 'language'; readonly model: LanguageModel }
  | { readonly kind: 'recording'; readonly name: string; readonly trajectories: readonly Trajectory[] };

const KINDS = ['engine', 'replay:FILE', 'scripted:FILE'];

/** Reads a SPEC. Raises `usage/bad-argument`, `usage/not-built`, `data/unreadable` and `data/invalid`. */
export async function chooseModel(spec: string): Promise<ChosenModel> {
  if (spec === 'engine') return { kind: 'none' };
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(spec) ?? [];
  if (/.@https?:\/\//.test(spec) || scheme === 'local') {
    const shown = scheme === 'local' ? 'a local model (local:DIR)' : 'a model endpoint (MODEL@BASE_URL)';
    throw new UsageError(`--model: ${shown} is not built yet; use engine, replay:FILE or scripted:FILE`, {
      code: 'usage/not-built',
      data: { wanted: KINDS },
    });
  }
  if ((scheme !== 'replay' && scheme !== 'scripted') || rest === '') throw unknownSpec(spec);
  return scheme === 'scripted' ? scripted(rest) : replayed(rest);
}

function unknownSpec(spec: string): UsageError {
  const bare = /^(replay|scripted):?$/.exec(spec)?.[1];
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
