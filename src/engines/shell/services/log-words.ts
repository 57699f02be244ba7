/**
 * Lines of a daemon's log: what is filled in between braces.
 *
 * `{time}` (ISO), `{clf}` (as in access logs), `{day}` (2026-01-05 09:00:00), `{epoch}`, `{pid}`, `{port}`, `{1..20}` (a
 * number), `{a|b|c}` (one of them). Chance is the daemon's own seeded stream.
 */
import type { RandomStream } from '../../../core/index.js';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** What a line may name. */
export interface LogFacts {
  readonly nowUs: number;
  readonly pid: number;
  readonly port: number | undefined;
  readonly random: RandomStream;
}

/** A line with everything filled in; what is not known stays. */
export function logLine(template: string, facts: LogFacts): string {
  return template.replace(/\{([^{}]*)\}/g, (whole, word: string) => filled(word, facts) ?? whole);
}

function filled(word: string, { nowUs, pid, port, random }: LogFacts): string | undefined {
  const date = new Date(Math.floor(nowUs / 1000));
  const iso = date.toISOString();
  switch (word) {
    case 'time':
      return `${iso.slice(0, 19)}Z`;
    case 'day':
      return iso.slice(0, 19).replace('T', ' ');
    case 'clf':
      return `${iso.slice(8, 10)}/${MONTHS[date.getUTCMonth()] ?? ''}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
    case 'epoch':
      return String(Math.floor(nowUs / 1e6));
    case 'pid':
      return String(pid);
    case 'port':
      return port === undefined ? undefined : String(port);
    default:
  }
  const range = /^(\d{1,9})\.\.(\d{1,9})$/.exec(word);
  if (range !== null) {
    const [low, high] = [Number(range[1]), Number(range[2])];
    return String(random.integer(Math.min(low, high), Math.max(low, high)));
  }
  return word.includes('|') ? random.pick(word.split('|')) : undefined;
}
