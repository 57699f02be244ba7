/**
 * Model SPEC of `--model`: `engine`, `replay:FILE`, `scripted:FILE`; endpoints and local models are not built yet.
 *
 * `replay:FILE` takes a recording of an episode (its observations answer) or recorded model answers
 * (`{"key": …, "text": …}`); the first line tells which.
 */
import { readFileSync } from 'node:fs';
import {
  DataError,
  type LanguageModel,
  nearestName,
  readTrajectories,
  type Trajectory,
  UsageError,
} from '../../core/index.js';
import { createReplayModel, createScriptedModel, parseModelRecords, parseScript } from '../../model/index.js';

/** What a SPEC means. `null` is no language model. */
export type ChosenModel =
  | { readonly kind: 'none' }
  | { readonly kind: 'language'; readonly model: LanguageModel }
  | { readonly kind: 'recording'; readonly name: string; readonly trajectories: readonly Trajectory[] };

const KINDS = ['engine', 'replay:FILE', 'scripted:FILE', 'local:DIR', 'MODEL@BASE_URL'];

/** Reads a SPEC. Raises `usage/bad-argument`, `usage/not-built`, `data/unreadable` and `data/invalid`. */
export async function chooseModel(spec: string): Promise<ChosenModel> {
  if (spec === 'engine') return { kind: 'none' };
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(spec) ?? [];
  if (/.@https?:\/\//.test(spec) || scheme === 'local') {
    const shown = scheme === 'local' ? spec : 'a model endpoint (MODEL@BASE_URL)';
    throw new UsageError(`--model ${shown} is not built yet; use engine, replay:FILE or scripted:FILE`, {
      code: 'usage/not-built',
      data: { wanted: KINDS.slice(0, 3) },
    });
  }
  if ((scheme !== 'replay' && scheme !== 'scripted') || rest === '') throw unknownSpec(spec);
  return scheme === 'scripted' ? scripted(rest) : replayed(rest);
}

function unknownSpec(spec: string): UsageError {
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
  const read = parseScript(readModelFile(path));
  if (!read.ok) throw inFile(path, read.error);
  return { kind: 'language', model: createScriptedModel(read.value, { name: `scripted:${path}` }) };
}

async function replayed(path: string): Promise<ChosenModel> {
  const text = readModelFile(path);
  const firstLine = text.split('\n').find((line) => line.trim() !== '') ?? '';
  if (/"trajectory"\s*:/.test(firstLine)) {
    return { kind: 'recording', name: `replay:${path}`, trajectories: await loadTrajectories(text, path) };
  }
  const read = parseModelRecords(text);
  if (!read.ok) throw inFile(path, read.error);
  return { kind: 'language', model: createReplayModel(read.value, { name: `replay:${path}` }) };
}

async function loadTrajectories(text: string, path: string): Promise<readonly Trajectory[]> {
  const trajectories: Trajectory[] = [];
  for await (const reading of readTrajectories([new TextEncoder().encode(text)])) {
    if (reading.kind === 'trajectory') trajectories.push(reading.trajectory);
    else if (reading.problem.severity === 'error') {
      const { line, message } = reading.problem;
      throw new DataError(`${path} line ${line}: ${message}`, { code: 'data/invalid', data: { path, line } });
    }
  }
  return trajectories;
}

function readModelFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOENT') {
      throw new UsageError(`--model names the file ${path}, which does not exist`, {
        code: 'usage/unknown-name',
        data: { path },
      });
    }
    throw new DataError(`cannot read ${path} (${code})`, { code: 'data/unreadable', cause: error });
  }
}

function inFile(path: string, error: DataError): DataError {
  return new DataError(`${path}: ${error.message}`, { code: 'data/invalid', cause: error, data: error.data });
}
