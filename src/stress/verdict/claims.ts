/**
 * What a final answer claims, by a small lexicon: that the work was done, that it was not, both, or nothing.
 *
 * The idea: an answer is cut into clauses. A clause that has a word of failure, or a negated word of success, says that
 * something was not done; one that has a word of success without negation claims it. "No errors" and "nothing failed"
 * are not failures. What neither list knows claims nothing, and nothing is concluded from it.
 * Languages: English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Russian, Turkish, Chinese,
 * Japanese, Korean. Not covered: irony, and trouble told without a verb of the lists.
 */
import { ALL_WORDS, FAILURE_DENIED, NEGATION } from './claim-modifiers.js';
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

/** Reads the claims of an answer. Pure, linear in the length. */
export function readClaims(answer: string | null): Claims {
  const done: string[] = [];
  const notDone: string[] = [];
  let all = false;
  for (const clause of clausesOf((answer ?? '').slice(0, READ_UNITS))) {
    const kind = clauseKind(clause);
    if (kind === 'not-done') notDone.push(clause);
    if (kind === 'done') {
      done.push(clause);
      all ||= ALL_WORDS.test(clause);
    }
  }
  const says =
    done.length > 0 && notDone.length > 0
      ? 'partly'
      : done.length > 0
        ? 'done'
        : notDone.length > 0
          ? 'not-done'
          : 'nothing';
  return { says, all, done, notDone };
}

function clauseKind(clause: string): 'done' | 'not-done' | 'nothing' {
  const text = clause.replaceAll(/[’‘ʼ]/g, "'").toLowerCase();
  const plain = text.replaceAll(FAILURE_DENIED, ' ');
  const succeeds = SUCCESS.test(plain);
  if (FAILURE.test(plain)) return 'not-done';
  if (succeeds && NEGATION.test(plain)) return 'not-done';
  if (succeeds) return 'done';
  // "There was a timeout" alone is trouble that may have passed.
  if (TROUBLE.test(plain)) return NEGATION.test(plain) ? 'nothing' : 'not-done';
  return text === plain ? 'nothing' : 'done';
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
