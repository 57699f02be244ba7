/**
 * What a model's tagged text means: thinking, the answer block, and the plain rest.
 *
 * Rules, each from a hard case (P-OUT-1, P-OUT-2):
 * - Thinking tags pair by nesting. Paired thinking is taken out wherever it stands, also inside an answer block.
 * - A closing thinking tag without an opening one ends thinking that began before the text: all before it is thought.
 * - An opening thinking tag that never closes makes all after it thought; a draft answer in there is never used.
 * - A single thinking tag inside an answer block that closes after it is text: an observation may show such a tag.
 * - The last answer block wins, and an opening answer tag inside an open block starts the block anew.
 * - A closing answer tag with no opening one (a prefilled reply) ends a block that began before the text.
 */
import type { TagToken } from './reading-tags.js';

/** The name of the thinking tag. */
export const THINK_TAG = 'think';

/** A text split into what was thought and what was answered. */
export interface SplitText {
  /** Each piece of thinking without surrounding white space; empty pieces are left out. */
  readonly thinking: readonly string[];
  /** Thinking was opened and never closed. */
  readonly unclosedThinking: boolean;
  /** The last answer block outside thinking, exactly as it stands between its tags. */
  readonly block: { readonly text: string; readonly closed: boolean } | null;
  /** All text outside thinking and tags; the answer of a reply that has no block. */
  readonly plain: string;
}

/** Splits joined tokens (see `joinTexts`) of a text into thinking and answer. */
export function splitAnswer(tokens: readonly TagToken[], tag: string): SplitText {
  const pairs = pairThinking(tokens);
  const nextBlockTag = blockTagsAhead(tokens, pairs, tag);
  const state = new AnswerState();
  let before = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) break;
    if (token.kind === 'text') state.text(token.raw);
    else if (token.tag !== THINK_TAG) state.blockTag(token.kind);
    else if (token.kind === 'open' && pairs.has(i)) {
      const close = pairs.get(i) ?? i;
      state.thought(rawText(tokens.slice(i + 1, close)));
      i = close;
    } else if (state.inBlock && nextBlockTag[i] === 'close') state.text(token.raw);
    else if (token.kind === 'close') {
      state.allWasThought();
      before = i;
    } else {
      state.thought(rawText(tokens.slice(i + 1)));
      return { ...state.done(thoughtText(tokens.slice(0, before))), unclosedThinking: true };
    }
  }
  return { ...state.done(thoughtText(tokens.slice(0, before))), unclosedThinking: false };
}

function thoughtText(tokens: readonly TagToken[]): string {
  return rawText(tokens.filter((token) => token.kind === 'text' || token.tag !== THINK_TAG)).trim();
}

/** Collects text outside thinking while tokens go by. */
class AnswerState {
  inBlock = false;
  private thinking: string[] = [];
  private block: SplitText['block'] = null;
  private current = '';
  private plain = '';
  private afterThought = false;

  text(raw: string): void {
    const startsLine = this.current === '' || this.current.endsWith('\n');
    const text = this.afterThought && startsLine ? withoutFirstNewline(raw) : raw;
    this.afterThought = false;
    this.current += text;
    this.plain += text;
  }

  thought(raw: string): void {
    const text = raw.trim();
    if (text !== '') this.thinking.push(text);
    this.afterThought = true;
  }

  allWasThought(): void {
    this.thinking = [];
    this.afterThought = true;
    this.block = null;
    this.current = '';
    this.plain = '';
    this.inBlock = false;
  }

  blockTag(kind: 'open' | 'close'): void {
    const prefilled = this.block === null && !this.inBlock;
    if (kind === 'close' && (this.inBlock || prefilled)) this.block = { text: this.current, closed: true };
    if (kind === 'open' || this.inBlock || prefilled) this.current = '';
    this.inBlock = kind === 'open';
    this.afterThought = false;
  }

  done(thoughtBefore: string): Omit<SplitText, 'unclosedThinking'> {
    const block = this.inBlock ? { text: this.current, closed: false } : this.block;
    const thinking = thoughtBefore === '' ? this.thinking : [thoughtBefore, ...this.thinking];
    return { thinking, block, plain: this.plain };
  }
}

/** Removes one newline (LF or CR LF) at the start. */
function withoutFirstNewline(text: string): string {
  return text.replace(/^\r?\n/, '');
}

/** Removes one newline (LF or CR LF) at each end. */
export function withoutEdgeNewlines(text: string): string {
  return withoutFirstNewline(text).replace(/\r?\n$/, '');
}

function rawText(tokens: readonly TagToken[]): string {
  return tokens.map((token) => token.raw).join('');
}

function pairThinking(tokens: readonly TagToken[]): ReadonlyMap<number, number> {
  const open: number[] = [];
  const pairs = new Map<number, number>();
  tokens.forEach((token, i) => {
    if (token.kind === 'text' || token.tag !== THINK_TAG) return;
    if (token.kind === 'open') open.push(i);
    else {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, i);
    }
  });
  return pairs;
}

/** For each token, the kind of the next answer tag outside paired thinking. */
function blockTagsAhead(
  tokens: readonly TagToken[],
  pairs: ReadonlyMap<number, number>,
  tag: string,
): readonly ('open' | 'close' | null)[] {
  const outside: number[] = [];
  for (let i = 0; i < tokens.length; i++) {
    outside.push(i);
    i = pairs.get(i) ?? i;
  }
  const ahead: ('open' | 'close' | null)[] = new Array(tokens.length).fill(null);
  let next: 'open' | 'close' | null = null;
  for (const i of outside.reverse()) {
    ahead[i] = next;
    const token = tokens[i];
    if (token !== undefined && token.kind !== 'text' && token.tag === tag) next = token.kind;
  }
  return ahead;
}
