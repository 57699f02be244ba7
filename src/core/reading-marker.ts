/**
 * The marker that some benchmark rows and models put before an observation.
 *
 * Source: AgentWorldBench; the marker is removed from observation and prediction alike before they are judged. Like
 * the published evaluation, it is removed wherever it stands, and white space around the whole is removed with it.
 */
import { DOMAINS } from './domain.js';

/** The marker's text. */
export const OBSERVATION_MARKER = '**Environment Observation:**';

/**
 * Removes {@link OBSERVATION_MARKER} and, if it was there, white space at both ends; a text without it is returned
 * as it is. With a `domain` (also as `x/terminal`) only the seven known ones are treated, others are left alone.
 */
export function stripObservationMarker(text: string, domain?: string): string {
  const known =
    domain === undefined || (DOMAINS as readonly string[]).includes(domain.split('/').at(-1) ?? '');
  if (!known || !text.includes(OBSERVATION_MARKER)) return text;
  return text.replaceAll(OBSERVATION_MARKER, '').trim();
}
