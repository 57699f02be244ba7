/**
 * What the checks of speech share: their form, whether a piece stands in a known text, a piece short enough to be quoted.
 */
import type { GuardContext, GuardFinding } from './finding.js';
import type { KnownText } from './known-text.js';
import { plainForm } from './plain-forms.js';

/** Looks for one kind of speech. */
export type SpeechCheck = (text: string, context: GuardContext) => GuardFinding | undefined;

/** True where the agent knows the piece or the engine computed it. */
export function isKnown(piece: string, known: KnownText): boolean {
  return known.plain.includes(plainForm(piece));
}

/** At most sixty characters on one line. */
export function brief(text: string): string {
  const line = text.slice(0, 400).trim().replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
