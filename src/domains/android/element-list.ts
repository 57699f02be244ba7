/**
 * Screens as lists of numbered elements, one a line, as agents are shown them.
 *
 * Forms: `UI element 7: {"index": 7, "text": "Phone", "is_clickable": True}` and
 * `UI element 7: UIElement(text='Phone', bbox_pixels=BoundingBox(x_min=0, …))` (AndroidWorld), `[7] Phone (clickable)`.
 * Texts in the first form are written without escapes, so a value ends where the next field begins. A line that is of no
 * form is kept as text.
 */
import { isJsonObject, type Json, renderJson } from '../../core/index.js';
import { parsePythonRecord } from '../python-call/python-record.js';
import { pythonString } from '../python-literals.js';

/** How a line is written. */
export type ElementForm = 'fields' | 'record' | 'label';

/** One line: an element, or a text between elements. */
export type ListedElement =
  | {
      readonly kind: 'element';
      readonly form: ElementForm;
      readonly index: number;
      /** `text`, `is_clickable`, …; of the form `label` only `label`. Nested records are objects. */
      readonly fields: Readonly<Record<string, Json>>;
    }
  | { readonly kind: 'text'; readonly text: string };

const SENTENCE = /^UI element (\d{1,6}): (.*)$/;
const LABEL = /^\[(\d{1,6})\] (.*)$/;
const RECORD = 'UIElement';

/** True where a text is a list of elements: one sentence of AndroidWorld, or at least two labelled lines. */
export function isElementList(text: string): boolean {
  if (/^UI element \d{1,6}: /m.test(text)) return true;
  return (text.match(/^\[\d{1,6}\] \S/gm)?.length ?? 0) >= 2 && !/^\s+\[/m.test(text);
}

/** Reads a list, line by line. */
export function parseElementList(text: string): readonly ListedElement[] {
  return text.split('\n').map(parseLine);
}

function parseLine(line: string): ListedElement {
  const sentence = SENTENCE.exec(line);
  if (sentence !== null) {
    const [, index = '', body = ''] = sentence;
    const fields = parseFields(body);
    if (fields !== undefined)
      return checked({ kind: 'element', form: 'fields', index: Number(index), fields }, line);
    const record = parsePythonRecord(body);
    if (record !== undefined && record.name === RECORD)
      return checked({ kind: 'element', form: 'record', index: Number(index), fields: record.fields }, line);
  }
  const label = LABEL.exec(line);
  if (label !== null) {
    const [, index = '', body = ''] = label;
    return checked({ kind: 'element', form: 'label', index: Number(index), fields: { label: body } }, line);
  }
  return { kind: 'text', text: line };
}

/** The element where it is written as it was read; else the line, so that nothing is lost. */
function checked(element: ListedElement, line: string): ListedElement {
  const again = renderElement(element);
  return again === line || isSameReading(again, element) ? element : { kind: 'text', text: line };
}

function isSameReading(line: string, element: ListedElement): boolean {
  if (element.kind !== 'element' || element.form !== 'record') return false;
  const record = parsePythonRecord(line.replace(SENTENCE, '$2'));
  return record !== undefined && renderJson(record.fields) === renderJson(element.fields);
}

const NEXT_FIELD = /, "(?=[a-z][a-z_]{0,40}": )/g;

/** `{"index": 7, "text": "a "b" c", "is_clickable": True}`; texts are not escaped. */
function parseFields(body: string): Readonly<Record<string, Json>> | undefined {
  if (!body.startsWith('{"') || !body.endsWith('}')) return undefined;
  const fields: [string, Json][] = [];
  for (const piece of body.slice(2, -1).split(NEXT_FIELD)) {
    const found = /^([a-z][a-z_]{0,40})": ([\s\S]*)$/.exec(piece);
    const value = found === null ? undefined : fieldValue(found[2] ?? '');
    if (found === null || value === undefined) return undefined;
    fields.push([found[1] ?? '', value]);
  }
  return new Set(fields.map(([name]) => name)).size === fields.length
    ? Object.fromEntries(fields)
    : undefined;
}

function fieldValue(written: string): Json | undefined {
  if (written === 'True' || written === 'False') return written === 'True';
  if (written === 'None') return null;
  if (/^(?:0|-?[1-9]\d{0,14})$/.test(written)) return Number(written);
  return written.length >= 2 && written.startsWith('"') && written.endsWith('"')
    ? written.slice(1, -1)
    : undefined;
}

/** Writes a list. */
export function renderElementList(elements: readonly ListedElement[]): string {
  return elements.map(renderElement).join('\n');
}

function renderElement(element: ListedElement): string {
  if (element.kind === 'text') return element.text;
  const { form, index, fields } = element;
  if (form === 'label') return `[${index}] ${String(fields.label ?? '')}`;
  if (form === 'record') return `UI element ${index}: ${renderRecord(RECORD, fields)}`;
  const pairs = Object.entries(fields).map(([name, value]) => `"${name}": ${plainValue(value)}`);
  return `UI element ${index}: {${pairs.join(', ')}}`;
}

function plainValue(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? `"${value}"` : renderJson(value);
}

function renderRecord(name: string, fields: Readonly<Record<string, Json>>): string {
  const pairs = Object.entries(fields)
    .filter(([key]) => key !== 'record')
    .map(([key, value]) => `${key}=${recordValue(value)}`);
  return `${name}(${pairs.join(', ')})`;
}

function recordValue(value: Json): string {
  if (isJsonObject(value) && typeof value.record === 'string') return renderRecord(value.record, value);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? pythonString(value) : renderJson(value);
}
