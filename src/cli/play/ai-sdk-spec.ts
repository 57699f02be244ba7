/**
 * `ai-sdk:FILE#NAME`: a model of the AI SDK that a module of the user's own exports.
 *
 * The module is imported, so it runs with all rights of this process: name only files that you trust.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type LanguageModel, nearestName, UsageError } from '../../core/index.js';
import { type AiSdkLanguageModel, createAiSdkModel } from '../../model/index.js';
import { type ModelOptions, meterOf } from './model-options.js';

/** Loads the model. Raises `usage/bad-argument` for a module or an export that is none. */
export async function aiSdkModel(spec: string, options: ModelOptions): Promise<LanguageModel> {
  const at = spec.lastIndexOf('#');
  const [file, name] = at < 0 ? [spec, 'model'] : [spec.slice(0, at), spec.slice(at + 1)];
  if (file === '') throw wrong(spec, 'names no file; wanted ai-sdk:FILE#NAME');
  let module: Record<string, unknown>;
  try {
    module = (await import(pathToFileURL(resolve(file)).href)) as Record<string, unknown>;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw wrong(spec, `cannot be loaded: ${why.split('\n')[0] ?? ''}`, cause);
  }
  const model = module[name];
  if (!isModel(model)) {
    const near = nearestName(name, Object.keys(module));
    const hint =
      near === undefined
        ? `it exports ${Object.keys(module).join(', ') || 'nothing'}`
        : `did you mean #${near}?`;
    throw wrong(
      spec,
      `exports no AI SDK model under the name '${name}' (an object with doGenerate); ${hint}`,
    );
  }
  const { temperature = 0.6, maxTokens, attempts } = options;
  return createAiSdkModel(model, {
    ...(temperature !== null && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(attempts !== undefined && { retry: { attempts } }),
    meter: meterOf(options),
  });
}

function isModel(value: unknown): value is AiSdkLanguageModel {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { doGenerate?: unknown }).doGenerate === 'function'
  );
}

function wrong(spec: string, what: string, cause?: unknown): UsageError {
  return new UsageError(`--model ai-sdk:${spec} ${what}`, { code: 'usage/bad-argument', cause });
}
