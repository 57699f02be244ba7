/**
 * Control of simulated search: what a model is told about a hidden target and its answer, and whether a text gives the
 * answer away.
 *
 * Results should lead towards the target without stating the answer, so that an agent has to read and combine. The
 * check compares letters and digits only, so that other spaces, case, marks and look-alike forms do not hide a leak.
 * Not covered: an answer in other words; the engine of domain search comes later and will ask here.
 */

/** What a world hides. */
export interface HiddenTarget {
  /** What the search is about, and where it is to lead. */
  readonly target: string;
  /** What must not be stated. */
  readonly answer: string;
}

/** What a model is told for an episode. */
export function renderSearchControl({ target, answer }: HiddenTarget): string {
  return [
    'Search control. The agent looks for something that you know and must not say.',
    `Target: ${target}`,
    `Answer (never written in a title, a snippet, a link or a page, in whatever form): ${answer}`,
    'Give results that fit the words of the query. Those near the target may bring the agent one step further: a name to look up, a source to open. None states the answer or denies that it exists.',
  ].join('\n');
}

/** The fewest letters and digits of an answer that can be looked for without finding it by chance. */
const SHORTEST = 3;

/** True if a text states the answer; null where the answer is too short to tell. */
export function leaksAnswer(text: string, { answer }: HiddenTarget): boolean | null {
  const wanted = plain(answer);
  if (wanted.replaceAll(' ', '').length < SHORTEST) return null;
  return ` ${plain(text)} `.includes(` ${wanted} `) || joined(text).includes(joined(answer, true));
}

/** Letters and digits in lower case, words apart by single spaces. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Without spaces, for answers that are spelled out; a short answer is never looked for so. */
function joined(text: string, isWanted = false): string {
  const whole = plain(text).replaceAll(' ', '');
  return isWanted && whole.length < 8 ? '\n' : whole;
}
