/**
 * The JSON values of a file that is either JSON lines or one JSON document, told apart by its beginning.
 *
 * Lines are read one at a time with core's line reader (dirty bytes, torn last lines, two values on a line). A file
 * whose first line is no JSON by itself is read whole, up to `LIMITS.importDocumentBytes`, and a list in it gives one
 * value per item; if it is no document either, it is read as lines after all, so that what is whole in it is kept.
 */
import {
  createJsonLineReader,
  type Json,
  type JsonLineEvent,
  LIMITS,
  type LineProblem,
  parseJson,
} from '../../core/index.js';
import type { ValuePlace } from './import-format.js';

/** A value with its place, or a problem. */
export type FileValue =
  | { readonly kind: 'value'; readonly value: Json; readonly place: ValuePlace }
  | { readonly kind: 'problem'; readonly problem: LineProblem };

const TOO_LONG: LineProblem = {
  severity: 'error',
  line: 1,
  byteOffset: 0,
  message:
    `the first line is no JSON by itself, and the file has more than the ${LIMITS.importDocumentBytes} bytes` +
    ' (importDocumentBytes) up to which one JSON document is read whole; read line by line. Split it into' +
    ' smaller documents, or write one value a line',
};

/** Reads a file's values in order. Holds one line at a time, or the whole of a file that is one document. */
export async function* readValues(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<FileValue, void, undefined> {
  const lines = createJsonLineReader();
  let held: Uint8Array[] | null = [];
  let heldBytes = 0;
  let isLines: boolean | null = null;
  for await (const chunk of chunks) {
    if (held === null) {
      yield* lines.push(chunk).map(fileValue);
      continue;
    }
    held.push(chunk.slice());
    heldBytes += chunk.length;
    isLines ??= firstLineIsJson(held);
    if (isLines === false && heldBytes <= LOOKED_AT_BYTES && isLinesAfterAll(held)) isLines = true;
    if (isLines !== true && heldBytes <= LIMITS.importDocumentBytes) continue;
    if (isLines !== true) yield { kind: 'problem', problem: TOO_LONG };
    for (const piece of held) yield* lines.push(piece).map(fileValue);
    held = null;
  }
  if (held !== null) {
    const document = readDocument(held);
    if (document !== undefined) {
      yield* document;
      return;
    }
    for (const piece of held) yield* lines.push(piece).map(fileValue);
  }
  yield* lines.end().map(fileValue);
}

function fileValue(event: JsonLineEvent): FileValue {
  if (event.kind === 'problem') return event;
  return { kind: 'value', value: event.value, place: { line: event.line } };
}

/** So much of a file whose first line is no JSON is looked at for a sign that it is lines all the same. */
const LOOKED_AT_BYTES = 4 * 1024 * 1024;

/**
 * True if what is held cannot be one document: a line feed stands inside a text of the first line, or two lines one after
 * the other are objects. A damaged first line then costs that line and not the memory for the whole file.
 */
function isLinesAfterAll(held: readonly Uint8Array[]): boolean {
  const lines = decode(held).split('\n').slice(0, -1);
  const first = lines.find((line) => line.trim() !== '') ?? '';
  if (/^\s*[[{]/.test(first) && endsInText(first)) return true;
  let before = false;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const isObject = /^\s*\{.*\}\s*$/.test(line) && line.length <= LIMITS.lineBytes && parseJson(line).ok;
    if (isObject && before) return true;
    before = isObject;
  }
  return false;
}

/** True if a text in quotation marks is open at the end of a line. */
function endsInText(line: string): boolean {
  let isText = false;
  for (let at = 0; at < line.length; at++) {
    const unit = line.charCodeAt(at);
    if (unit === 0x5c && isText) at += 1;
    else if (unit === 0x22) isText = !isText;
  }
  return isText;
}

/** True once the first line that is not blank is JSON by itself; null while that is not known. */
function firstLineIsJson(held: readonly Uint8Array[]): boolean | null {
  // Only the last piece can have brought a first line to its end, so this stays linear.
  const last = held.at(-1);
  if (last === undefined || (held.length > 1 && !last.includes(0x0a))) return null;
  const text = decode(held);
  const start = text.search(/\S/);
  const end = start < 0 ? -1 : text.indexOf('\n', start);
  if (end < 0) return null;
  // A document of one very long line with a line feed behind it is no line either.
  return end - start <= LIMITS.lineBytes && parseJson(text.slice(start, end)).ok;
}

function decode(pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
}

function readDocument(held: readonly Uint8Array[]): readonly FileValue[] | undefined {
  const parsed = parseJson(decode(held));
  if (!parsed.ok) return undefined;
  const { value } = parsed;
  if (!Array.isArray(value) || isOneConversation(value)) {
    return [{ kind: 'value', value, place: { line: 1 } }];
  }
  return value.map((item: Json, index) => ({
    kind: 'value' as const,
    value: item,
    place: { line: 1, item: index + 1 },
  }));
}

/** A list of messages is one value; a list of rows is many. */
function isOneConversation(list: readonly Json[]): boolean {
  const [first] = list;
  return typeof first === 'string' || (typeof first === 'object' && first !== null && 'role' in first);
}
