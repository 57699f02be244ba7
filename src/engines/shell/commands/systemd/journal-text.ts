/**
 * Entries of the journal as text: the formats of `journalctl -o`, and the explanations of `-x`.
 *
 * Source: journalctl(1) of systemd 252, its message catalog. Not covered: `export`, `with-unit`, explanations of messages
 * that the service manager does not say here.
 */
import type { JournalEntry } from '../../services/journal.js';
import type { Tool } from '../program/tool.js';
import { timeWords } from './systemd-words.js';

/** Formats that are computed. */
export const JOURNAL_FORMATS = [
  'short',
  'short-precise',
  'short-iso',
  'short-iso-precise',
  'short-full',
  'short-unix',
  'cat',
  'json',
  'json-pretty',
] as const;
/** A format. */
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];

/** One entry; long texts are indented under their first line. */
export function entryText(
  tool: Tool,
  entry: JournalEntry,
  how: { readonly format: JournalFormat; readonly host: string; readonly explains?: boolean },
): string {
  const { format, host } = how;
  if (format === 'cat') return `${entry.text}\n`;
  if (format === 'json') return `${JSON.stringify(fieldsOf(entry, host))}\n`;
  if (format === 'json-pretty') {
    const rows = Object.entries(fieldsOf(entry, host)).map(
      ([key, value]) => `\t${JSON.stringify(key)} : ${JSON.stringify(value)}`,
    );
    return `{\n${rows.join(',\n')}\n}\n`;
  }
  const head = `${stamp(tool, entry.atUs, format)} ${host} ${entry.ident}[${entry.pid}]: `;
  const text = entry.text.replaceAll('\n', `\n${' '.repeat(head.length)}`);
  return `${head}${text}\n${how.explains === true ? explanation(entry) : ''}`;
}

function stamp(tool: Tool, atUs: number, format: JournalFormat): string {
  const micro = String(Math.floor(atUs) % 1_000_000).padStart(6, '0');
  switch (format) {
    case 'short-iso':
      return timeWords(tool, atUs, '%Y-%m-%dT%H:%M:%S%z');
    case 'short-iso-precise':
      return `${timeWords(tool, atUs, '%Y-%m-%dT%H:%M:%S')}.${micro}${timeWords(tool, atUs, '%z')}`;
    case 'short-full':
      return timeWords(tool, atUs, '%a %Y-%m-%d %H:%M:%S %Z');
    case 'short-unix':
      return `${Math.floor(atUs / 1e6)}.${micro}`;
    case 'short-precise':
      return `${timeWords(tool, atUs, '%b %d %H:%M:%S')}.${micro}`;
    default:
      return timeWords(tool, atUs, '%b %d %H:%M:%S');
  }
}

function fieldsOf(entry: JournalEntry, host: string): Record<string, string> {
  return {
    __REALTIME_TIMESTAMP: String(Math.floor(entry.atUs)),
    _HOSTNAME: host,
    PRIORITY: String(entry.priority),
    SYSLOG_IDENTIFIER: entry.ident,
    _PID: String(entry.pid),
    _UID: String(entry.uid),
    ...(entry.unit === undefined
      ? {}
      : entry.ident === 'systemd'
        ? { UNIT: entry.unit }
        : { _SYSTEMD_UNIT: entry.unit }),
    MESSAGE: entry.text,
  };
}

type Explained = (words: readonly string[]) => readonly [subject: string, text: string];

const CATALOG: Readonly<Record<string, Explained>> = {
  begin: ([unit, job]) => [
    `A start job for unit ${unit} has begun execution`,
    `A start job for unit ${unit} has begun execution.\n\nThe job identifier is ${job}.`,
  ],
  started: ([unit, job]) => [
    `A start job for unit ${unit} has finished successfully`,
    `A start job for unit ${unit} has finished successfully.\n\nThe job identifier is ${job}.`,
  ],
  stopping: ([unit, job]) => [
    `A stop job for unit ${unit} has begun execution`,
    `A stop job for unit ${unit} has begun execution.\n\nThe job identifier is ${job}.`,
  ],
  stopped: ([unit, job]) => [
    `A stop job for unit ${unit} has finished`,
    `A stop job for unit ${unit} has finished.\n\nThe job identifier is ${job} and the job result is done.`,
  ],
  'start-failed': ([unit, job]) => [
    `A start job for unit ${unit} has failed`,
    `A start job for unit ${unit} has finished with a failure.\n\nThe job identifier is ${job} and the job result is failed.`,
  ],
  exited: ([unit, key, how, status]) => [
    'Unit process exited',
    `An ${key}= process belonging to unit ${unit} has exited.\n\nThe process' exit code is '${how}' and its exit status is ${status}.`,
  ],
  failed: ([unit, result]) => [
    'Unit failed',
    `The unit ${unit} has entered the 'failed' state with result '${result}'.`,
  ],
  dead: ([unit]) => ['Unit succeeded', `The unit ${unit} has successfully entered the 'dead' state.`],
  restarting: ([unit]) => [
    'Automatic restarting of a unit has been scheduled',
    `Automatic restarting of the unit ${unit} has been scheduled, as the result for\nthe configured Restart= setting for the unit.`,
  ],
};

function explanation({ catalog }: JournalEntry): string {
  if (catalog === undefined) return '';
  const [kind, ...words] = catalog;
  const explained = CATALOG[kind]?.(words);
  if (explained === undefined) return '';
  const [subject, text] = explained;
  const lines = [
    `Subject: ${subject}`,
    'Defined-By: systemd',
    'Support: https://www.debian.org/support',
    '',
    ...text.split('\n'),
  ];
  return lines.map((line) => `░░ ${line}\n`).join('');
}
