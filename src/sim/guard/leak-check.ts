/**
 * Does a text say what must not be said? Hidden targets and answers, secret facts: as they are, with other case or
 * spaces, split by marks or lines, escaped, in base64 or hexadecimal, by thirteen letters, backwards.
 *
 * A secret also leaks by its telling parts: the names and numbers of a hidden answer, words with digits of a secret
 * fact, as far as they stand in no text that the agent knows. In a search world a page that a fitting query led to may
 * state the hidden answer, and a snippet of a fitting query one part of it; nothing else may (hard case P-SIM-3).
 * Not covered: translations, paraphrases, and secrets shorter than four characters: those cannot be told from chance.
 */
import { isJsonObject } from '../../core/index.js';
import { queriesOf } from '../../engines/index.js';
import { wordSet } from '../../text/index.js';
import type { GuardContext, GuardFinding } from './finding.js';
import { plainForm, type SearchedText, searchedText, squeezedForm } from './plain-forms.js';

const SHORTEST = 4;
const SHORTEST_SQUEEZED = 7;

/** True if a text holds the words in one of the forms. Words under four characters are never found. */
function holdsWords(text: SearchedText, words: string): boolean {
  const wanted = plainForm(words);
  if (wanted.length < SHORTEST) return false;
  if (text.plain.some((form) => standsIn(form, wanted))) return true;
  const dense = squeezedForm(words);
  if (dense.length >= SHORTEST_SQUEEZED) return text.squeezed.some((form) => form.includes(dense));
  // Short words by chance stand in others, so their characters must be separated one by one.
  const spaced = [...dense].map((char) => char.replace(/[^\p{L}\p{N}]/gu, '')).join('[^\\p{L}\\p{N}]');
  return (
    dense.length >= SHORTEST &&
    new RegExp(`(?<![\\p{L}\\p{N}])${spaced}(?![\\p{L}\\p{N}])`, 'u').test(text.plain[0] ?? '')
  );
}

/** Whole words only, so that `1874` is not found in `218745`. */
function standsIn(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + words.length] ?? ' ';
    const begins = !isWordChar(before) || !isWordChar(words[0] ?? ' ');
    const ends = !isWordChar(after) || !isWordChar(words.at(-1) ?? ' ');
    if (begins && ends) return true;
  }
  return false;
}

function isWordChar(char: string): boolean {
  return /[\p{L}\p{N}]/u.test(char);
}

/** The parts of a hidden answer that tell it: what stands between commas, semicolons, line breaks and "and". */
function tellingParts(answer: string): readonly string[] {
  const parts = answer.split(/[,;\n]|\s(?:and|und|et|y)\s/).map((part) => part.trim());
  const long = parts.filter((part) => plainForm(part).length >= SHORTEST);
  return long.length === 0 ? [answer] : long;
}

/** Words of a secret that hold a digit: codes, numbers, years. */
function codesOf(secret: string): readonly string[] {
  return secret.split(/[\s,;:.!?"'()]+/).filter((word) => word.length >= SHORTEST && /\d/.test(word));
}

/** What of the secret and hidden words a text says. */
export function findLeaks(text: string, context: GuardContext): readonly GuardFinding[] {
  const { facts, hidden, known } = context;
  const secrets = facts.filter(({ secret }) => secret);
  if (secrets.length === 0 && hidden === undefined) return [];
  const said = searchedText(text);
  const isNew = (words: string): boolean => !holdsWords(known.searched, words);
  const findings: GuardFinding[] = [];
  for (const { id, text: secret } of secrets) {
    const telling = codesOf(secret).filter(isNew);
    if ((isNew(secret) && holdsWords(said, secret)) || telling.some((code) => holdsWords(said, code))) {
      findings.push(
        leak(`the answer says the text of the secret fact '${id}'; use {{fact:${id}}} or leave it out`),
      );
    }
  }
  if (hidden !== undefined && saysHidden(text, said, { context, isNew }))
    findings.push(leak('the answer says what is hidden from the agent; leave it out'));
  return findings;
}

function leak(problem: string): GuardFinding {
  return { check: 'leak', problem, finally: 'fail' };
}

function saysHidden(
  text: string,
  said: SearchedText,
  by: { readonly context: GuardContext; readonly isNew: (words: string) => boolean },
): boolean {
  const { context, isNew } = by;
  const { hidden, domain, op } = context;
  if (hidden === undefined) return false;
  if (plainForm(hidden.target).length >= 12 && isNew(hidden.target) && holdsWords(said, hidden.target))
    return true;
  const parts = tellingParts(hidden.answer).filter(isNew);
  const heldIn = (one: SearchedText): number => parts.filter((part) => holdsWords(one, part)).length;
  if (domain !== 'search') return heldIn(said) > 0;
  if (op.name === 'web_search') {
    const queries = queriesOf(op.args).join('\n');
    if (!fitsTarget(queries, hidden.target)) return heldIn(said) > 0 || speaksOf(text, hidden.target);
    const results = text.split(/^(?=\[\d+\])/m);
    const most = Math.max(1, parts.length - 1);
    return results.some(
      (result) =>
        heldIn(searchedText(result)) > most || (parts.length === 1 && heldIn(searchedText(result)) > 0),
    );
  }
  return heldIn(said) > 0 && !ledHere(context);
}

/** Words of the target that tell it: names and numbers where it has some, else its longer words. */
function tellingWords(target: string): ReadonlySet<string> {
  const names = target
    .split(/[\s,;:.!?"'()]+/)
    .filter((word, index) => (index > 0 && /^\p{Lu}/u.test(word)) || /\d/.test(word));
  const words = names.length > 0 ? names.flatMap((name) => [...wordSet(name)]) : [...wordSet(target)];
  return new Set(words.filter(isTelling));
}

/** A query fits where it has a telling word of the target. */
function fitsTarget(query: string, target: string): boolean {
  const wanted = tellingWords(target);
  return [...wordSet(query)].some((word) => wanted.has(word));
}

const QUESTION_WORDS = new Set(
  'what when where which whose with that this from were have been does founded there their about into many much year name first last'.split(
    ' ',
  ),
);

function isTelling(word: string): boolean {
  return ([...word].length >= 4 || /[^\u0000-\u024f]/.test(word)) && !QUESTION_WORDS.has(word);
}

/** Irrelevant results speak of something else: no name of the target stands in them. */
function speaksOf(text: string, target: string): boolean {
  const names = target.split(/[\s,;:.!?"'()]+/).filter((word, index) => index > 0 && /^\p{Lu}/u.test(word));
  const words = wordSet(text);
  return names.flatMap((name) => [...wordSet(name)]).some((word) => isTelling(word) && words.has(word));
}

/** The page was found by a query that fits the target. */
function ledHere({ op, view, hidden }: GuardContext): boolean {
  const url = isJsonObject(op.args) ? op.args.url : undefined;
  const results = isJsonObject(view) && isJsonObject(view.results) ? view.results : {};
  const found = typeof url === 'string' ? results[url] : undefined;
  const query = isJsonObject(found) && typeof found.query === 'string' ? found.query : '';
  return fitsTarget(query, hidden?.target ?? '');
}
