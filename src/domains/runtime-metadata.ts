/**
 * What in a result is runtime metadata: times, request and session ids, durations, process numbers.
 *
 * Source: the content types of AgentWorldBench (arXiv 2606.24597): such content is checked for form and range only.
 * Told by the name of a field, or by the shape of a value. A date without a time is content (a due date, a
 * birthday). Not covered: dates in words (`3rd of May`), and bare numbers without a telling name.
 */

const NAME_PARTS = new Set([
  ...[
    'timestamp',
    'ts',
    'time',
    'datetime',
    'created',
    'updated',
    'modified',
    'started',
    'finished',
    'expires',
  ],
  ...['mtime', 'ctime', 'atime', 'duration', 'elapsed', 'latency', 'took', 'uptime', 'pid', 'ppid'],
  ...['uuid', 'guid', 'nonce', 'etag'],
]);

/** `created_by` is a person and `time_zone` a setting. */
const OTHER_MEANINGS = new Set(['by', 'zone', 'format']);

const NAME_PAIRS = new Set([
  ...['request id', 'session id', 'trace id', 'span id', 'correlation id', 'process id', 'run id', 'call id'],
  ...['mtime ms', 'access token', 'next cursor'],
]);

/** Lower-case words of a field name in camelCase, snake_case or kebab-case. */
function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** True if a field of this name holds runtime metadata, for example `created_at`, `requestId`, `durationMs`. */
export function isRuntimeName(name: string): boolean {
  const words = wordsOf(name);
  if (words.some((word) => OTHER_MEANINGS.has(word))) return false;
  if (words.some((word) => NAME_PARTS.has(word) || NAME_PARTS.has(word.replace(/s$/, '')))) return true;
  return words.some((word, i) => NAME_PAIRS.has(`${word} ${words[i + 1] ?? ''}`));
}

const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const DATE_TIME =
  '\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?(?:Z|[+-]\\d{2}:?\\d{2}|UTC|GMT))?';
const HTTP_DATE =
  '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\\d{1,2} )?[A-Z][a-z]{2} \\d{1,4}(?: \\d{2}:\\d{2}:\\d{2})?(?: \\d{4})?(?: GMT| UTC)?';
const CLOCK = '\\d{1,2}:\\d{2}:\\d{2}(?:\\.\\d{1,6})?';
const DURATION = '\\d+(?:\\.\\d+)? ?(?:ms|µs|us|ns|secs?|seconds?|milliseconds?|minutes?)';
/** As `ls -l` writes times: `Jan  5 09:00`. */
const LISTED_TIME = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \\d]\\d \\d{2}:\\d{2}';
/** As bash's `time` writes durations: `0m0.003s`. */
const SHELL_TIME = '\\d{1,6}m\\d{1,2}\\.\\d{1,3}s';
const ADDRESS = '0x[0-9a-fA-F]{6,16}';
/** A background job of a shell, `[1] 12345`. */
const JOB = '\\[\\d{1,4}\\] \\d{2,7}(?=\\n|$)';
const TEMPORARY = '/tmp/tmp\\.?[0-9A-Za-z_]{6,12}';
const LABELLED_ID = '(?:req|request|sess|session|trace|span)[_-][0-9A-Za-z]{6,64}';

const WHOLE = new RegExp(`^(?:${[UUID, DATE_TIME, HTTP_DATE, CLOCK, DURATION, LABELLED_ID].join('|')})$`);
const INSIDE = new RegExp(
  `(?<![\\w.-])(?:${[UUID, DATE_TIME, HTTP_DATE, LISTED_TIME, CLOCK, DURATION, SHELL_TIME, ADDRESS, JOB, TEMPORARY, LABELLED_ID].join('|')})(?![\\w-])`,
  'g',
);

/** True if a whole string value has the shape of runtime metadata. */
export function isRuntimeText(text: string): boolean {
  return text.length <= 100 && WHOLE.test(text.trim());
}

/** The places in free text that have the shape of runtime metadata, in order. */
export function findRuntimeText(text: string): readonly { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(INSIDE)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}
