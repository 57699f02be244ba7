/**
 * The guard: what a model said is checked as far as that can be decided, before anybody sees it.
 *
 * A finding sends the model back with a sentence, a bounded number of times; then the words are never shown, cut, or shown
 * with a flag, as the kind of finding demands. What the engine computed for the same call always wins over words that
 * contradict it. Every accepted answer says how much of it was checked. Not covered: whether what nobody knows is true.
 */

import { pretendsFault } from '../../control/index.js';
import {
  type Answer,
  canonicalJson,
  fail,
  type Json,
  ok,
  parseJson,
  type Result,
  stripObservationMarker,
  type TracedText,
  traced,
} from '../../core/index.js';
import { soundsLikeFailure } from '../computed-refusal.js';
import { type PinnedFact, substituteFacts } from '../pinned-facts.js';
import { compareWithDraft, type Draft, leavesOf } from './agreement.js';
import { type CheckedShare, confirmedUnits, shareOf } from './checked-share.js';
import { type ClaimsReport, checkClaims } from './claims-check.js';
import { findFileLies } from './file-check.js';
import type { GuardContext, GuardFinding } from './finding.js';
import { findMalformed, type ScreenFrame } from './form-check.js';
import { findLeaks } from './leak-check.js';
import { findEffectLies, readEffects } from './program-effects.js';
import { findPageLies } from './search-check.js';
import { findSpeech } from './speech-check.js';

/** What is asked of the guard beside the words. */
export interface GuardQuestion {
  readonly context: GuardContext;
  /** The tool's definition, where there is one. */
  readonly tool: Json | undefined;
  /** Facts that this operation may reveal. */
  readonly allowedFacts: readonly PinnedFact[];
  /** True if a value fits the tool's output schema; undefined for tools without one. */
  readonly outputFits: ((value: Json) => boolean) | undefined;
  /** The error that the state says this call must end with. */
  readonly refusal?: string | undefined;
  /** What the engine computed for the whole call. */
  readonly draft?: Draft | undefined;
  /** What of a screen is known although a program in it is not computed. */
  readonly frame?: ScreenFrame | undefined;
}

/** Words that may be shown. */
export interface Guarded {
  readonly answer: Answer;
  readonly used: readonly PinnedFact[];
  readonly flags: readonly string[];
  readonly findings: readonly GuardFinding[];
  readonly share: CheckedShare;
  /** The draft's own state is the state after this answer. */
  readonly isDrafts: boolean;
}

/**
 * Checks one answer. Fails with a sentence for the model; with `last` only where the words must not be shown and nothing
 * computed can stand in for them.
 */
export function guardAnswer(words: string, question: GuardQuestion, last: boolean): Result<Guarded, string> {
  const { context, refusal, draft } = question;
  const said = tidied(words, context);
  if (refusal !== undefined) return refused(said, question, { refusal, last });
  const findings = [
    ...findSpeech(said, context),
    ...findLeaks(said, context),
    ...findMalformed(said, context, question.frame),
  ];
  if (draft !== undefined) {
    const agreement = compareWithDraft(said, draft, context);
    const problem = agreement.problem ?? findings[0]?.problem;
    if (problem === undefined) return accept(said, question, { findings, isDrafts: agreement.exact });
    if (!last) return fail(problem);
    const invented = pretendsFault(said) ? ['unscheduled-fault'] : [];
    const flags = agreement.problem === undefined ? flagsOf(findings) : ['inconsistent', ...invented];
    return ok(computed(draft.answer, { flags, findings, isDrafts: true }));
  }
  if (context.op.kind === 'proc.start') return program(said, question, { findings, last });
  const claims = checkClaims(said, context, question.tool);
  const pages =
    context.domain === 'search'
      ? findPageLies(said, context)
      : context.domain === 'swe'
        ? findFileLies(said, context)
        : [];
  const all = [...findings, ...claims.findings, ...pages];
  if (all.length > 0 && !last) return fail(all.map(({ problem }) => problem).join('; '));
  const never = all.find((finding) => finding.finally === 'fail');
  if (never !== undefined) return fail(never.problem);
  return accept(cut(said, all), question, { findings: all, claims, last });
}

/** True for words that are nobody's speech and leak nothing: all that is asked of a failure in a model's words. */
export function isSpeakable(words: string, context: GuardContext): boolean {
  return findSpeech(words, context).length === 0 && findLeaks(words, context).length === 0;
}

/** Without the benchmark's marker and without a fence around the whole. */
function tidied(words: string, { domain }: GuardContext): string {
  const bare = stripObservationMarker(words);
  if (domain === 'search') return bare;
  const fenced = /^\s*```(?:json|text|txt|bash|sh|console|shell|xml|html)?[ \t]*\n([\s\S]*?)\n?```\s*$/.exec(
    bare,
  )?.[1];
  return fenced === undefined || fenced.includes('```') ? bare : fenced;
}

/** Up to the first place that is no observation. Inside a JSON document such words are data, and half of it is none. */
function cut(text: string, findings: readonly GuardFinding[]): string {
  const places = findings.flatMap((one) =>
    one.finally === 'cut' && one.cutAt !== undefined ? [one.cutAt] : [],
  );
  return places.length === 0 || parseJson(text).ok ? text : text.slice(0, Math.min(...places)).trimEnd();
}

function flagsOf(findings: readonly GuardFinding[]): string[] {
  return [
    ...new Set(findings.map(({ check }) => (check === 'contradiction' ? 'inconsistent' : `guard:${check}`))),
  ];
}

/** The engine's own words. */
function computed(answer: Answer, more: Pick<Guarded, 'flags' | 'findings' | 'isDrafts'>): Guarded {
  return { answer, used: [], share: shareOf(answer.text, () => 0), ...more };
}

/** A call that must fail fails: in the model's words, else asked again, in the end in the engine's words. */
function refused(
  said: string,
  question: GuardQuestion,
  by: { readonly refusal: string; readonly last: boolean },
): Result<Guarded, string> {
  const { context } = question;
  const findings = [...findSpeech(said, context), ...findLeaks(said, context)];
  const isFailure = soundsLikeFailure(said);
  if (isFailure && findings.length === 0) {
    const text = substituted(said, question);
    if (text.ok) {
      const answer = { text: text.value.text, isError: true };
      const confirmed = new Set(leavesOf(context.op.args).map(({ value }) => canonicalJson(value)));
      const share = shareOf(answer.text, (piece) => confirmedUnits(piece, confirmed, false));
      return ok({ answer, used: text.value.used, flags: [], findings, share, isDrafts: false });
    }
    if (!by.last) return text;
  }
  if (!by.last) return fail(findings[0]?.problem ?? `the state says that this call fails: ${by.refusal}`);
  const answer: Answer = { text: traced(by.refusal, 'computed'), isError: true };
  const flags = isFailure && findings.length > 0 ? flagsOf(findings) : ['inconsistent'];
  return ok(computed(answer, { flags, findings, isDrafts: false }));
}

function substituted(
  said: string,
  { allowedFacts }: GuardQuestion,
): Result<{ readonly text: TracedText; readonly used: readonly PinnedFact[] }, string> {
  return substituteFacts(said, allowedFacts);
}

interface Accepting {
  readonly findings: readonly GuardFinding[];
  readonly claims?: ClaimsReport;
  readonly isDrafts?: boolean;
  readonly last?: boolean;
}

function accept(said: string, question: GuardQuestion, by: Accepting): Result<Guarded, string> {
  const { outputFits, draft } = question;
  const text = substituted(said, question);
  if (!text.ok) return text;
  const structured = readStructured(text.value.text.text, outputFits);
  if (!structured.ok && by.last !== true) return structured;
  const value = structured.ok ? structured.value : undefined;
  const answer: Answer = {
    text: text.value.text,
    isError: draft?.answer.isError ?? false,
    ...(value === undefined ? {} : { value }),
  };
  const confirmed = by.claims?.confirmed ?? confirmedBy(question);
  const fits = outputFits !== undefined && structured.ok;
  const share =
    draft !== undefined && by.isDrafts === true
      ? { checkedUnits: answer.text.text.length, units: answer.text.text.length }
      : shareOf(answer.text, (piece) => confirmedUnits(piece, confirmed, fits));
  const flags = [...flagsOf(by.findings), ...(structured.ok ? [] : ['output-schema'])];
  return ok({
    answer,
    used: text.value.used,
    flags,
    findings: by.findings,
    share,
    isDrafts: by.isDrafts === true,
  });
}

function confirmedBy({ context, draft }: GuardQuestion): ReadonlySet<string> {
  const drafted = draft === undefined ? [] : valuesOf(draft.answer.text.text);
  return new Set([...leavesOf(context.op.args).map(({ value }) => canonicalJson(value)), ...drafted]);
}

function valuesOf(text: string): readonly string[] {
  const json = parseJson(text);
  return json.ok ? leavesOf(json.value).map(({ value }) => canonicalJson(value)) : [];
}

function readStructured(
  text: string,
  outputFits: GuardQuestion['outputFits'],
): Result<Json | undefined, string> {
  if (outputFits === undefined) return ok(undefined);
  const json = parseJson(text);
  if (!json.ok) return fail('the tool has an output schema, but the answer is not JSON');
  return outputFits(json.value) ? ok(json.value) : fail("the answer does not fit the tool's output schema");
}

/** A program's effects, checked member by member; what it prints is looked at like every other text. */
function program(
  said: string,
  question: GuardQuestion,
  by: { readonly findings: readonly GuardFinding[]; readonly last: boolean },
): Result<Guarded, string> {
  const { context } = question;
  const effects = readEffects(by.last ? cut(said, by.findings) : said);
  if (!effects.ok) return fail(effects.error);
  const { stdout, stderr, exitCode, files } = effects.value;
  const printed = said.startsWith(stdout) ? [] : findSpeech(stdout, context);
  const findings = [...by.findings, ...printed, ...findEffectLies(effects.value, context)];
  if (findings.length > 0 && !by.last) return fail(findings.map(({ problem }) => problem).join('; '));
  const never = findings.find((finding) => finding.finally === 'fail');
  if (never !== undefined) return fail(never.problem);
  const text = substituted(cut(stdout, printed), question);
  if (!text.ok) return text;
  const value: Json = {
    stdout: ended(text.value.text.text),
    stderr: ended(stderr),
    exitCode,
    files: files as Json,
  };
  const answer: Answer = { text: text.value.text, isError: exitCode !== 0, value };
  const share = shareOf(answer.text, (piece) => confirmedUnits(piece, confirmedBy(question), false));
  const used = text.value.used;
  return ok({ answer, used, flags: flagsOf(findings), findings, share, isDrafts: false });
}

/** What programs print ends with a line feed. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
