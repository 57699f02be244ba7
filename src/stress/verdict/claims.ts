/**
 * What a final answer claims, by a small lexicon: that the work was done, that it was not, both, or nothing.
 *
 * The idea: an answer is cut into clauses; what it quotes is not its own word, and JSON is read member by member. A clause
 * that has a word of failure, or a negated word of success, says that something was not done; one that has a word of
 * success without negation claims it. A denied failure ("no errors", "not paid: none", "nothing was refused") is a claim
 * of success, what is asked for, awaited or bound to something is none, and two negations that may cancel out say nothing.
 * What neither list knows claims nothing, and nothing is concluded from it.
 * Languages: English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Russian, Turkish, Chinese,
 * Japanese, Korean. Not covered: irony, and trouble told without a verb of the lists.
 */
import { isJsonObject, type Json, parseJson } from '../../core/index.js';
import {
  ALL_WORDS,
  AT_FIRST,
  CANCELLING,
  EMPTY_VALUE,
  FAILURE_DENIED,
  LEFT,
  NEGATION,
  NOT_ONE,
  NOT_YET,
  OTHER_PART,
  THE_REST,
} from './claim-modifiers.js';
import { FAILURE, SUCCESS, TROUBLE } from './claim-words.js';

/** What an answer claims. */
export interface Claims {
  /** `done` · `not-done` · `partly` (some done, some not) · `nothing`. */
  readonly says: 'done' | 'not-done' | 'partly' | 'nothing';
  /** It claims all of it: "all", "every", "everything". */
  readonly all: boolean;
  /** The clauses that claim success, as they stand. */
  readonly done: readonly string[];
  /** The clauses that tell of something not done. */
  readonly notDone: readonly string[];
}

/** Longest answer that is read, in UTF-16 units; the rest claims nothing. */
const READ_UNITS = 20_000;

/** What one clause says; `denied`: nothing failed, `trouble`: something went wrong that may have passed. */
type ClauseKind = 'done' | 'denied' | 'not-done' | 'trouble' | 'nothing';

/** Reads the claims of an answer. Pure, linear in the length. */
export function readClaims(answer: string | null): Claims {
  const text = answerText((answer ?? '').slice(0, READ_UNITS));
  const clauses = clausesOf(text).map((clause) => ({ clause, kind: clauseKind(clause) }));
  const lastDone = clauses.findLastIndex(({ kind }) => isClaim(kind));
  const overcome = clauses.slice(lastDone).some(({ clause }) => overcomes(clause));
  // Trouble of the way, told before what came of it, takes nothing from it.
  const notDone = clauses
    .filter(({ kind, clause }, index) => {
      if (kind === 'trouble') return index > lastDone;
      if (kind !== 'not-done') return false;
      return !(index < lastDone && overcome && AT_FIRST.test(plainOf(clause)));
    })
    .map(({ clause }) => clause);
  const done = clauses.filter(({ kind }) => isClaim(kind)).map(({ clause }) => clause);
  const says =
    done.length > 0 && notDone.length > 0
      ? 'partly'
      : done.length > 0
        ? 'done'
        : notDone.length > 0
          ? 'not-done'
          : 'nothing';
  // Who says that nothing failed claims all of it.
  const all = clauses.some(
    ({ kind, clause }) => kind === 'denied' || (kind === 'done' && ALL_WORDS.test(clause)),
  );
  return { says, all, done, notDone };
}

function isClaim(kind: ClauseKind): boolean {
  return kind === 'done' || kind === 'denied';
}

/** It claims all of it, nothing left out. */
function overcomes(clause: string): boolean {
  const text = plainOf(clause);
  return clauseKind(clause) === 'done' && ALL_WORDS.test(text) && !THE_REST.test(text);
}

function plainOf(clause: string): string {
  return clause.replaceAll(/[’‘ʼ]/g, "'").toLowerCase();
}

function clauseKind(clause: string): ClauseKind {
  const text = plainOf(clause);
  const labels = readLabels(text);
  if (labels.kind !== null) return labels.kind;
  const plain = labels.rest.replaceAll(FAILURE_DENIED, ' ');
  const isDenied = labels.denied || labels.rest !== plain;
  const succeeds = SUCCESS.test(plain);
  const failure = FAILURE.exec(plain);
  if (failure !== null) return withFailure(plain, failure);
  if (succeeds && NEGATION.test(plain)) {
    // "None of them was not paid": nobody needs to work out what is meant.
    const times = plain.match(CANCELLING)?.length ?? 0;
    return times > 1 && times % 2 === 0 ? 'nothing' : 'not-done';
  }
  if (succeeds && isDenied) return 'denied';
  if (succeeds) return NOT_YET.test(plain) ? 'nothing' : 'done';
  if (TROUBLE.test(plain)) return NEGATION.test(plain) ? 'nothing' : 'trouble';
  return isDenied ? 'denied' : 'nothing';
}

/**
 * "No payment was refused": a word of failure of which there is not one. Where the word holds a negation of its own
 * ("none of them was not paid"), nobody needs to work out what is meant.
 */
function withFailure(text: string, failure: RegExpExecArray): ClauseKind {
  const before = text.slice(Math.max(0, failure.index - 100), failure.index);
  const found = NOT_ONE.exec(before);
  if (found === null || OTHER_PART.test(found[0])) return 'not-done';
  return NEGATION.test(failure[0]) || /n't/.test(failure[0]) ? 'nothing' : 'denied';
}

const LABEL = new RegExp(
  `((?:[\\p{L}\\p{N}'_-]+ ){0,4}[\\p{L}\\p{N}'_-]+)"? ?[:=：] ?(${EMPTY_VALUE})(?![\\p{L}\\p{N}])`,
  'gu',
);

/** Labels with nothing behind them: "Not paid: none" denies a failure, "Paid: none" tells of one. */
function readLabels(text: string): {
  readonly kind: 'not-done' | null;
  readonly denied: boolean;
  readonly rest: string;
} {
  let denied = false;
  let empty = false;
  const rest = text.replaceAll(LABEL, (_all, label: string) => {
    if (FAILURE.test(label) || TROUBLE.test(label) || NEGATION.test(label) || LEFT.test(label)) denied = true;
    else if (SUCCESS.test(label)) empty = true;
    return ' ';
  });
  return { kind: empty && !denied ? 'not-done' : null, denied, rest };
}

/** The words of an answer itself: JSON as lines of its members, without what it quotes of others. */
function answerText(answer: string): string {
  const text = answer.trim();
  const read = /^[[{"]/.test(text) ? parseJson(text) : null;
  if (read?.ok === true) return linesOf(read.value, '', 0).join('\n');
  return text.replaceAll(QUOTED, ' … ');
}

/** Two words or more between quotation marks. */
const QUOTED =
  /"[^"\n]*\S\s+\S[^"\n]*"|“[^”\n]*\s[^”\n]*”|„[^“”\n]*\s[^“”\n]*[“”]|«[^»\n]*\S\s+\S[^»\n]*»|`[^`\n]*\s[^`\n]*`/gu;

/** Members as `name: value`; lists of plain values on one line, an empty one as nothing. */
function linesOf(value: Json, name: string, depth: number): string[] {
  const label = name === '' ? '' : `${name.replaceAll('_', ' ')}: `;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    if (list.length === 0) return [`${label}none`];
    const isPlain = list.every((one) => typeof one !== 'object' || one === null);
    if (isPlain || depth > 3)
      return [`${label}${list.map((one) => (typeof one === 'object' ? '…' : String(one))).join(', ')}`];
    return list.flatMap((one) => linesOf(one, name, depth + 1));
  }
  if (isJsonObject(value)) {
    if (depth > 3) return [];
    return Object.entries(value).flatMap(([key, member]) => linesOf(member, key, depth + 1));
  }
  if (value === false) return [`${label.replace(/: $/, ' ')}not`];
  if (value === true) return [label.replace(/: $/, '')];
  return [`${label}${value === null ? 'none' : String(value)}`];
}

/** Sentences and their parts at contrasting conjunctions. */
function clausesOf(text: string): string[] {
  return text
    .split(
      /(?<=[.!?。！？;；])\s+|(?<=[。！？；])|\n+|,?\s+(?=(?:but|however|although|except|aber|jedoch|mais|sauf|pero|excepto|ma|però|mas|maar|men|ale|но|кроме|ama|fakat)\s)|(?=但|しかし|ただし|하지만)/iu,
    )
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** An answer that is a bare value: one short line without a sentence. */
export function isBareValue(answer: string): boolean {
  const text = answer.trim();
  return text !== '' && text.length <= 60 && !text.includes('\n') && text.split(/\s+/).length <= 4;
}

/** Two answers in the same words, apart from case, spaces and final punctuation. */
export function sameWords(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return false;
  const plain = (text: string): string =>
    text
      .trim()
      .toLowerCase()
      .replaceAll(/\s+/g, ' ')
      .replace(/[.!。！]+$/, '');
  return plain(a) === plain(b) && plain(a) !== '';
}
