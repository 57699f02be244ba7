/**
 * What a history came to, kept for the next request of the same conversation.
 *
 * A request brings its whole history, so turn n would cost n turns. The key of a prefix is a chain of hashes over its
 * turns; the newest few are kept, whoever asked, so that memory does not grow with requests.
 */
import { hashText } from '../../core/index.js';
import type { PastTurn } from './terminal-start.js';

/** Keeps the values of the prefixes that were used last. */
export class PrefixCache<Value> {
  private readonly kept = new Map<string, Value>();

  constructor(private readonly size: number) {}

  /** The keys of the prefixes of a history, the empty one first. */
  keysOf(root: string, history: readonly PastTurn[]): string[] {
    const keys = [hashText(root)];
    for (const { action, observation } of history) {
      keys.push(hashText(`${keys.at(-1)} ${action.length} ${action}${observation}`));
    }
    return keys;
  }

  /** The longest prefix that is known: how many turns it has, and its value. */
  longest(keys: readonly string[]): { readonly turns: number; readonly value: Value } | null {
    for (let turns = keys.length - 1; turns >= 0; turns--) {
      const key = keys[turns] as string;
      const value = this.kept.get(key);
      if (value === undefined) continue;
      this.kept.delete(key);
      this.kept.set(key, value);
      return { turns, value };
    }
    return null;
  }

  /** Keeps a value; the one that was not used longest goes. */
  keep(key: string, value: Value): void {
    this.kept.delete(key);
    this.kept.set(key, value);
    if (this.kept.size > this.size) this.kept.delete(this.kept.keys().next().value ?? '');
  }

  /** How many are kept. */
  get count(): number {
    return this.kept.size;
  }
}
