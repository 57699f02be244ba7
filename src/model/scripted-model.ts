/**
 * A language model that says what a script says: for tests, examples and repeatable runs without a network.
 *
 * Entries with `match` are tried first, in order, and answer every question they fit. Entries without are used up
 * one by one, in order. When nothing is left the answer is `provider/no-recording`, never an empty text. The order
 * of use is the only state, and it belongs to the model: give each episode its own where that matters.
 */
import {
  fail,
  type GenerateRequest,
  type Generation,
  type LanguageModel,
  ok,
  ProviderError,
  type Result,
  UsageError,
} from '../core/index.js';
import { compilePattern } from '../rules/index.js';
import { generationOf, lastUserMessage } from './generation.js';
import type { ScriptEntry } from './script-lines.js';

interface CompiledEntry {
  readonly entry: ScriptEntry;
  /** Undefined for an entry that is used up in order. */
  readonly fits: ((text: string) => boolean) | undefined;
}

/**
 * Makes a scripted model. `match` is tried on the request's key and on its last user message. Raises
 * `usage/bad-argument` for a pattern that does not compile.
 */
export function createScriptedModel(
  entries: readonly ScriptEntry[],
  options: { readonly name?: string } = {},
): LanguageModel {
  const name = options.name ?? 'scripted';
  const compiled = entries.map((entry) => ({ entry, fits: compileMatch(entry) }));
  const reusable = compiled.filter((one) => one.fits !== undefined);
  const inOrder = compiled.filter((one) => one.fits === undefined);
  let used = 0;
  const choose = (request: GenerateRequest): ScriptEntry | undefined =>
    find(reusable, request) ?? inOrder[used++]?.entry;
  return {
    name,
    generate: async (request) => {
      const entry = choose(request);
      return entry === undefined
        ? fail(nothingLeft(request, entries.length))
        : answerOf(entry, request, name);
    },
  };
}

function compileMatch(entry: ScriptEntry): ((text: string) => boolean) | undefined {
  const { match } = entry;
  if (match === undefined) return undefined;
  if (typeof match === 'string') return (text) => text.includes(match);
  const pattern = compilePattern(match.pattern);
  if (pattern.ok) return (text) => pattern.value.test(text);
  throw new UsageError(`the pattern ${JSON.stringify(match.pattern)} of a script does not compile`, {
    code: 'usage/bad-argument',
    cause: pattern.error,
  });
}

function find(entries: readonly CompiledEntry[], request: GenerateRequest): ScriptEntry | undefined {
  const texts = [request.key ?? '', lastUserMessage(request)];
  return entries.find(({ fits }) => texts.some((text) => fits?.(text)))?.entry;
}

function answerOf(
  entry: ScriptEntry,
  request: GenerateRequest,
  name: string,
): Result<Generation, ProviderError> {
  if ('error' in entry) return fail(new ProviderError(entry.error, { code: 'provider/failed' }));
  return ok(generationOf(entry, request, name));
}

function nothingLeft(request: GenerateRequest, count: number): ProviderError {
  const asked = (request.key ?? lastUserMessage(request)).slice(0, 500);
  return new ProviderError(
    `the script has no answer left for ${JSON.stringify(asked)}; it has ${count} entries, none fits and those without match are used up. Add an entry`,
    { code: 'provider/no-recording', data: { asked, entries: count } },
  );
}
