/**
 * The words that only this recording holds: values of arguments, which are the agent's. A rule that writes one of them out has learned
 * an example by heart, not a shape, and would tell every agent the recording's data.
 */
import { isJsonObject, type Json } from '../../core/index.js';
import type { LearnedCall } from './learned-state.js';
import type { NestedNames } from './nested-names.js';

const SHORTEST = 3;
const LONGEST = 200;
const MOST = 20_000;

/** Words of a recording, to look for in what was learned. */
export class RecordedWords {
  private readonly words = new Set<string>();

  /** Takes the words of arguments; `known` are texts that belong to the service itself (names, choices). */
  constructor(
    calls: readonly LearnedCall[],
    known: string,
    /** Where the service keeps things with parts. */
    readonly names?: NestedNames,
  ) {
    for (const { call } of calls) {
      this.take(call.args, known);
    }
  }

  /** True if a rule or template writes out a word of the recording. */
  isIn(source: string): boolean {
    const tokens = source.match(TOKEN) ?? [];
    for (let at = 0; at < tokens.length; at++) {
      let text = '';
      for (let length = 1; length <= MOST_TOKENS && at + length <= tokens.length; length++) {
        text += tokens[at + length - 1];
        if (this.words.has(text)) return true;
      }
    }
    return false;
  }

  private take(value: Json, known: string): void {
    if (this.words.size > MOST) return;
    if (typeof value === 'string') {
      for (const word of [value, value.split('/').at(-1) ?? '']) {
        const plain = word.trim();
        const isUsable = plain.length >= SHORTEST && plain.length <= LONGEST && !known.includes(plain);
        if (isUsable) this.words.add((plain.match(TOKEN) ?? []).join(''));
      }
    } else if (Array.isArray(value)) for (const item of value) this.take(item as Json, known);
    else if (isJsonObject(value)) for (const item of Object.values(value)) this.take(item, known);
  }
}

const TOKEN = /[\p{L}\p{N}_]+|[^\p{L}\p{N}_]/gu;
const MOST_TOKENS = 40;
