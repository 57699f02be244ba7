/**
 * Counts tokens of texts: exactly with a tokenizer file, else as an estimate that says so.
 *
 * A tokenizer file is the `tokenizer.json` of a model (with `tokenizer_config.json` beside it, where there is one), read
 * by @huggingface/tokenizers, which is loaded only then. Chat templates put markers around messages; they are counted as
 * {@link MESSAGE_TOKENS} each, since templates are not run here.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DataError } from '../../core/index.js';
import { estimateTokens, MESSAGE_TOKENS } from '../../text/index.js';

/** Counts tokens. */
export interface TokenCounter {
  /** The tokenizer's name, or `estimate`. */
  readonly name: string;
  /** False for an estimate. */
  readonly isExact: boolean;
  /** Tokens of a text, without markers around it. */
  count(text: string): number;
}

/** A counter that can also give the tokens themselves. */
export interface Tokenizer extends TokenCounter {
  /** The ids of a text, special tokens in the text read as such, none added. */
  encode(text: string): readonly number[];
  /** The text of each id, for people; bytes that are no text by themselves show as U+FFFD. */
  pieces(ids: readonly number[]): readonly string[];
}

/** Estimates, for when no tokenizer file is at hand. */
export const estimatingCounter: TokenCounter = { name: 'estimate', isExact: false, count: estimateTokens };

/** Tokens of one message: its text and the markers that a template puts around it. */
export function messageTokens(counter: TokenCounter, text: string): number {
  return counter.count(text) + MESSAGE_TOKENS;
}

interface LibraryTokenizer {
  encode(text: string, options?: object): { readonly ids: readonly number[] };
  decode(ids: readonly number[], options?: object): string;
}

/** Loads a tokenizer file. Raises `data/unreadable`, `data/invalid`, or a message that says what to install. */
export async function loadTokenizer(path: string): Promise<Tokenizer> {
  const definition = readJsonFile(path);
  const besides = join(dirname(path), 'tokenizer_config.json');
  let config: object = {};
  try {
    config = readJsonFile(besides);
  } catch (error) {
    if (!(error instanceof DataError) || error.code !== 'data/unreadable') throw error;
  }
  const library = await loadLibrary();
  let made: LibraryTokenizer;
  try {
    made = new library.Tokenizer(definition, config) as unknown as LibraryTokenizer;
  } catch (cause) {
    const message = `${path} is no tokenizer that can be read; wanted the tokenizer.json of a model`;
    throw new DataError(message, { code: 'data/invalid', cause });
  }
  const encode = (text: string): readonly number[] => made.encode(text, { add_special_tokens: false }).ids;
  return {
    name: `${basename(dirname(path)) || '.'}/${basename(path)}`,
    isExact: true,
    count: (text) => encode(text).length,
    encode,
    pieces: (ids) => ids.map((id) => made.decode([id], { clean_up_tokenization_spaces: false })),
  };
}

function readJsonFile(path: string): object {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new DataError(`cannot read the tokenizer file ${path}`, { code: 'data/unreadable', cause });
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    throw new DataError(`${path} is no JSON; wanted a tokenizer.json`, { code: 'data/invalid', cause });
  }
  throw new DataError(`${path} holds no object; wanted a tokenizer.json`, { code: 'data/invalid' });
}

async function loadLibrary(): Promise<typeof import('@huggingface/tokenizers')> {
  try {
    return await import('@huggingface/tokenizers');
  } catch (cause) {
    const message =
      'reading a tokenizer file needs the package @huggingface/tokenizers; run `npm install @huggingface/tokenizers`';
    throw new DataError(message, { code: 'data/unreadable', cause });
  }
}
