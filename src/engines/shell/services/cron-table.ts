/**
 * Tables of cron: lines of times and commands, and whether a moment is meant.
 *
 * Source: crontab(5) of Debian's cron 3.0pl1. Not covered: `TZ` in a table, ranges with `~`.
 */

/** One job. */
export interface CronJob {
  /** Allowed values of minute, hour, day of month, month, day of week; null at `@reboot`. */
  readonly times: readonly ReadonlySet<number>[] | null;
  /** Days of month and of week were both given, so either is enough. */
  readonly isEitherDay: boolean;
  /** Of a system table. */
  readonly user: string | undefined;
  readonly command: string;
  /** What the table had set before the line. */
  readonly env: ReadonlyMap<string, string>;
}

/** A table; `error` is the first line that is wrong, counted from 0 as crontab counts it. */
export interface CronTable {
  readonly jobs: readonly CronJob[];
  readonly error: { readonly line: number; readonly text: string } | null;
}

const FIELDS = [
  { what: 'minute', least: 0, most: 59, names: '' },
  { what: 'hour', least: 0, most: 23, names: '' },
  { what: 'day-of-month', least: 1, most: 31, names: '' },
  { what: 'month', least: 1, most: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec' },
  { what: 'day-of-week', least: 0, most: 7, names: 'sun mon tue wed thu fri sat' },
] as const;

const NICKNAMES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Reads a table; in a system table a user stands before the command. */
export function parseCronTable(text: string, isSystem: boolean): CronTable {
  const jobs: CronJob[] = [];
  let env = new Map<string, string>();
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const setting = /^("?)([A-Za-z_]\w*)\1\s*=\s*(.*)$/.exec(line);
    if (setting !== null) {
      env = new Map(env).set(setting[2] ?? '', (setting[3] ?? '').replace(/^(["'])(.*)\1$/, '$2'));
      continue;
    }
    const job = parseJob(line, isSystem, env);
    if (typeof job === 'string') return { jobs, error: { line: at, text: job } };
    jobs.push(job);
  }
  return { jobs, error: null };
}

function parseJob(line: string, isSystem: boolean, env: ReadonlyMap<string, string>): CronJob | string {
  const nickname = /^@\w+/.exec(line)?.[0];
  const isReboot = nickname === '@reboot';
  let rest = line;
  if (nickname !== undefined) {
    const meant = isReboot ? '' : NICKNAMES[nickname];
    if (meant === undefined) return 'bad time specifier';
    rest = `${meant} ${line.slice(nickname.length).trim()}`.trim();
  }
  const words: string[] = [];
  for (const { what } of isReboot ? [] : FIELDS) {
    const match = /^(\S+)(?:\s+|$)/.exec(rest);
    if (match === null) return `bad ${what}`;
    words.push(match[1] ?? '');
    rest = rest.slice(match[0].length);
  }
  const times: ReadonlySet<number>[] = [];
  for (const [at, word] of words.entries()) {
    const values = parseField(word, at);
    if (values === null) return `bad ${FIELDS[at]?.what ?? ''}`;
    times.push(values);
  }
  let user: string | undefined;
  if (isSystem) {
    const match = /^(\S+)\s+/.exec(rest);
    if (match === null) return 'bad username';
    user = match[1];
    rest = rest.slice(match[0].length);
  }
  if (rest === '') return 'bad command';
  const isEitherDay = words[2]?.startsWith('*') === false && words[4]?.startsWith('*') === false;
  return { times: isReboot ? null : times, isEitherDay, user, command: rest, env };
}

function parseField(text: string, at: number): ReadonlySet<number> | null {
  const field = FIELDS[at];
  if (field === undefined) return null;
  const names = field.names === '' ? [] : field.names.split(' ');
  const number = (word: string): number => {
    const named = names.indexOf(word.toLowerCase());
    if (named >= 0) return named + (field.what === 'month' ? 1 : 0);
    return /^\d{1,4}$/.test(word) ? Number(word) : Number.NaN;
  };
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(\*|[A-Za-z0-9]+)(?:-([A-Za-z0-9]+))?(?:\/(\d{1,4}))?$/.exec(part);
    if (match === null) return null;
    const [, first = '', last, step] = match;
    const isAll = first === '*';
    if (isAll && last !== undefined) return null;
    const low = isAll ? field.least : number(first);
    const high =
      isAll || (last === undefined && step !== undefined)
        ? field.most
        : last === undefined
          ? low
          : number(last);
    const by = step === undefined ? 1 : Number(step);
    if (!(low >= field.least && high <= field.most && low <= high && by > 0)) return null;
    for (let value = low; value <= high; value += by)
      values.add(field.what === 'day-of-week' ? value % 7 : value);
  }
  return values;
}

/** Whether a job runs in the minute of a moment (microseconds since 1970, UTC). */
export function isCronMinute({ times, isEitherDay }: CronJob, atUs: number): boolean {
  if (times === null) return false;
  const date = new Date(Math.floor(atUs / 1000));
  const now = [
    date.getUTCMinutes(),
    date.getUTCHours(),
    date.getUTCDate(),
    date.getUTCMonth() + 1,
    date.getUTCDay(),
  ];
  const [minute, hour, day, month, weekday] = now.map((value, at) => times[at]?.has(value) === true);
  const isDay = isEitherDay ? day === true || weekday === true : day === true && weekday === true;
  return minute === true && hour === true && month === true && isDay;
}
