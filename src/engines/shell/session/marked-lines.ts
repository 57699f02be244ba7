/**
 * Lines on a screen that the engine did not compute: what a model said of a program, what a fault put in.
 *
 * A row of the screen that equals such a line is marked with its origin; a line longer than the screen is kept in pieces
 * as the screen breaks it. Not covered: lines that another program changed on their way.
 */
import { type Answer, isJsonObject } from '../../../core/index.js';
import type { LoggedEvent } from './moment.js';

/** Line → where it came from. */
export type MarkedLines = ReadonlyMap<string, 'predicted' | 'fault'>;

const NONE: MarkedLines = new Map();
const MAX_LINES = 2_000;
const COLUMNS = 80;

/** The marked lines after an event. */
export function linesAfter(before: MarkedLines = NONE, logged: LoggedEvent | undefined): MarkedLines {
  if (logged === undefined) return before;
  const said = logged.replies.flatMap((reply) => (reply.do === 'answer' ? textsOf(reply.answer) : []));
  const consulted = logged.consulted?.replies ?? [];
  const broken = consulted.flatMap((reply) => (reply.do === 'answer' ? faultTexts(reply.answer) : []));
  const foreign =
    logged.event.kind === 'foreign' ? logged.event.changes.flatMap(({ text }) => text ?? []) : [];
  const fresh = [
    ...rows(said).map((line) => [line, 'predicted'] as const),
    ...rows([...broken, ...foreign]).map((line) => [line, 'fault'] as const),
  ];
  return fresh.length === 0 ? before : new Map([...before, ...fresh].slice(-MAX_LINES));
}

/** What an answer says of a program. */
function textsOf({ value, text }: Answer): string[] {
  if (!isJsonObject(value)) return [text.text];
  // What it wrote into files may be shown later.
  const written = isJsonObject(value.files) ? Object.values(value.files) : [];
  return [value.stdout, value.stderr, ...written].filter((one): one is string => typeof one === 'string');
}

/** What of an answer the fault said; the rest is the file's or the program's own. */
function faultTexts(answer: Answer): string[] {
  if (isJsonObject(answer.value)) return textsOf(answer);
  const { text, origins } = answer.text;
  return origins.filter(({ origin }) => origin === 'fault').map(({ start, end }) => text.slice(start, end));
}

/** The rows that texts fill on a screen. */
function rows(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(/\r?\n/))
    .flatMap((line) => line.match(new RegExp(`.{1,${COLUMNS}}`, 'gsu')) ?? [])
    .map((row) => row.trimEnd())
    .filter((row) => row !== '');
}
