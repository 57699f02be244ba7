/**
 * Facts that the world's author pinned: when a tool call reveals them, word for word.
 *
 * A fact is revealed by code, never by a model: it is appended as a further part of the answer, or put where the
 * model wrote its placeholder `{{fact:ID}}`. A secret fact's words in a model's own text are a leak.
 */
import {
  type Answer,
  canonicalJson,
  fail,
  type Operation,
  ok,
  parseJson,
  type Result,
  type TracedText,
  TracedTextBuilder,
} from '../core/index.js';
import { compileGlob, compilePattern } from '../rules/index.js';
import type { Fact } from '../worlds/index.js';

/** A fact with its reveal condition compiled. */
export interface PinnedFact {
  readonly id: string;
  readonly text: string;
  readonly secret: boolean;
  /** True for a tool call that reveals it. */
  readonly matches: (op: Operation) => boolean;
}

/** Compiles facts. Fails with a sentence that names the fact and what is wrong with its condition. */
export function compileFacts(facts: readonly Fact[]): Result<readonly PinnedFact[], string> {
  const pinned: PinnedFact[] = [];
  for (const { id, text, secret, reveal } of facts) {
    const tool = compileGlob(reveal.on);
    if (!tool.ok) return fail(`fact '${id}': reveal.on does not compile: ${tool.error.message}`);
    const match = reveal.match === undefined ? undefined : compilePattern(reveal.match);
    if (match?.ok === false)
      return fail(`fact '${id}': reveal.match does not compile: ${match.error.message}`);
    const matches = (op: Operation): boolean =>
      op.kind === 'tool.call' &&
      tool.value.matches(op.name) &&
      (match === undefined || match.value.test(canonicalJson(op.args)));
    pinned.push({ id, text, secret, matches });
  }
  return ok(pinned);
}

/** The answer with the facts as further parts, one a line, word for word, origin `pinned`. */
export function appendFacts(answer: Answer, facts: readonly PinnedFact[]): Answer {
  if (facts.length === 0) return answer;
  const builder = new TracedTextBuilder().append(answer.text);
  let empty = answer.text.text === '';
  for (const fact of facts) {
    builder.add(empty ? '' : '\n', 'computed').add(fact.text, 'pinned', fact.id);
    empty = false;
  }
  return { ...answer, text: builder.done() };
}

/** What a model's text became once placeholders were replaced. */
export interface Substituted {
  readonly text: TracedText;
  /** The facts whose placeholders were used. */
  readonly used: readonly PinnedFact[];
}

const PLACEHOLDER = /\{\{fact:([^{}]*)\}\}/g;
const BROKEN_PLACEHOLDER = /\{\{\s*fact\s*:/i;

/**
 * Replaces placeholders in a model's text, which is otherwise `predicted`. In a text that is JSON the fact is
 * escaped, so that the value read from it is word for word. Fails, with a sentence for the model, for a placeholder
 * of a fact that this call does not reveal. Leaks are the guard's to find.
 */
export function substituteFacts(text: string, allowed: readonly PinnedFact[]): Result<Substituted, string> {
  const inJson = parseJson(text).ok;
  const builder = new TracedTextBuilder();
  const used = new Set<PinnedFact>();
  let end = 0;
  for (const found of text.matchAll(PLACEHOLDER)) {
    const fact = allowed.find(({ id }) => id === found[1]);
    if (fact === undefined)
      return fail(`the placeholder ${found[0]} names no fact that this call may reveal`);
    used.add(fact);
    builder.add(text.slice(end, found.index), 'predicted');
    builder.add(inJson ? JSON.stringify(fact.text).slice(1, -1) : fact.text, 'pinned', fact.id);
    end = found.index + found[0].length;
  }
  builder.add(text.slice(end), 'predicted');
  if (BROKEN_PLACEHOLDER.test(text.replace(PLACEHOLDER, '')))
    return fail('the answer has a placeholder that is not closed or not written {{fact:ID}}');
  return ok({ text: builder.done(), used: [...used] });
}
