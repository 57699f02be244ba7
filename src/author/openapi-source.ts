/**
 * An OpenAPI document as it was read: its value, its version, references looked up, and notes about what was not
 * understood.
 *
 * Sources: OpenAPI 3.0.3 and 3.1.0 (3.1 documents of a later patch are read too); RFC 6901 for pointers. References
 * into other files are never followed: nothing but the one document is read. Reading is bounded like a world file
 * (depth, alias expansions, size), so a hostile document is an error, not a crash. Not covered: Swagger 2.0, RAML.
 */
import {
  DataError,
  fail,
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
  ok,
  parseJson,
  type Result,
} from '../core/index.js';
import { parseSource, renderProblem } from '../worlds/index.js';

/** How many notes are kept; the rest is counted. */
const NOTES = 200;
/** References from one place to the next; a longer chain is no honest one. */
const CHAIN = 100;

/** Notes about a document, each told once. */
class OpenApiNotes {
  private readonly seen = new Set<string>();

  /** Adds a note, unless it was said before. */
  add(place: string, message: string): void {
    this.seen.add(place === '' ? message : `${place}: ${message}`);
  }

  /** All notes in the order they came, at most 200 and a count of the rest. */
  list(): string[] {
    const all = [...this.seen];
    const more = all.length - NOTES;
    return more > 0 ? [...all.slice(0, NOTES), `… and ${more} more notes`] : all;
  }
}

/** A value of the document with its JSON pointer. */
export interface Located<T> {
  readonly value: T;
  readonly at: string;
}

/** A document that was read. */
export class OpenApiSource {
  readonly notes = new OpenApiNotes();

  constructor(
    readonly json: JsonObject,
    readonly version: '3.0' | '3.1',
  ) {}

  /** The value at a local reference such as `#/components/schemas/Pet`; undefined where there is none. */
  lookUp(ref: string): Json | undefined {
    if (ref === '#') return this.json;
    if (!ref.startsWith('#/')) return undefined;
    let value: Json | undefined = this.json;
    for (const raw of ref.slice(2).split('/').slice(0, LIMITS.jsonDepth)) {
      value = member(value, unescapePointer(raw));
      if (value === undefined) return undefined;
    }
    return value;
  }

  /** Follows references to an object; undefined, with a note, where they lead nowhere. */
  follow(value: Json | undefined, at: string): Located<JsonObject> | undefined {
    const seen = new Set<string>();
    let here: Located<Json | undefined> = { value, at };
    while (isJsonObject(here.value) && typeof here.value.$ref === 'string') {
      const ref = here.value.$ref;
      if (seen.has(ref) || seen.size >= CHAIN) {
        this.notes.add(at, `the reference ${show(ref)} leads back to itself; left out`);
        return undefined;
      }
      seen.add(ref);
      here = { value: this.lookUp(ref), at: ref };
      if (here.value === undefined) {
        this.notes.add(at, `${this.missing(ref)}; left out`);
        return undefined;
      }
    }
    return isJsonObject(here.value) ? { value: here.value, at: here.at } : undefined;
  }

  /** Why a reference gives nothing, in words. */
  missing(ref: string): string {
    return ref.startsWith('#')
      ? `the reference ${show(ref)} leads nowhere`
      : `the reference ${show(ref)} is into another document, which is not read; bundle it into one file first`;
  }
}

/** A name or text for a message: quoted, cut to 120 characters. */
function show(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 119)}…` : text);
}

/** One more step of a JSON pointer. */
export function step(at: string, key: string | number): string {
  return `${at}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function member(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function unescapePointer(part: string): string {
  let plain = part;
  try {
    plain = decodeURIComponent(part);
  } catch {
    // a bare per cent sign is meant as it stands
  }
  return plain.replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * Reads an OpenAPI document, YAML or JSON. Fails with `data/invalid` (not readable, no OpenAPI, another version),
 * naming the place and what was wanted.
 *
 * @param name what to call the document in messages
 */
export function parseOpenApi(text: string, name: string): Result<OpenApiSource, DataError> {
  const refuse = (message: string) => fail(new DataError(message, { code: 'data/invalid', data: { name } }));
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > LIMITS.worldFileBytes) {
    return refuse(`${name} has ${sizeBytes} bytes; at most ${LIMITS.worldFileBytes} (limit worldFileBytes)`);
  }
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  const json = /^\s*\{/.test(plain) ? parseJson(plain) : undefined;
  const read = json?.ok === true ? ok({ json: json.value }) : parseSource(plain);
  if (!read.ok) {
    const lines = read.error.slice(0, 20).map((problem) => renderProblem(problem, name));
    return refuse(
      `${lines.join('\n')}${read.error.length > 20 ? `\n… and ${read.error.length - 20} more` : ''}`,
    );
  }
  const document = read.value.json;
  if (!isJsonObject(document)) {
    return refuse(`${name} holds no object; wanted an OpenAPI document that starts with \`openapi: 3.1.0\``);
  }
  return checkVersion(document, name);
}

function checkVersion(document: JsonObject, name: string): Result<OpenApiSource, DataError> {
  const refuse = (message: string) => fail(new DataError(message, { code: 'data/invalid', data: { name } }));
  if (Object.hasOwn(document, 'swagger')) {
    const seen = show(String(document.swagger));
    return refuse(
      `${name} is Swagger ${seen}; wanted OpenAPI 3.0 or 3.1. Convert it first (swagger2openapi, or the editor's "Convert to OpenAPI 3")`,
    );
  }
  if (!Object.hasOwn(document, 'openapi')) {
    const keys = Object.keys(document).slice(0, 8).join(', ');
    return refuse(
      `${name} has no key \`openapi\` (it has ${keys === '' ? 'none' : keys}); wanted an OpenAPI 3.0 or 3.1 document`,
    );
  }
  const version = String(document.openapi);
  const short = /^3\.([01])(\.|$)/.exec(version)?.[1];
  if (short === undefined) return refuse(`${name} is OpenAPI ${show(version)}; wanted 3.0 or 3.1`);
  if (!isJsonObject(document.paths)) {
    const hint = isJsonObject(document.webhooks) ? ' (its webhooks are no tools)' : '';
    return refuse(`${name} has no \`paths\`; a world needs at least one operation${hint}`);
  }
  return ok(new OpenApiSource(document, short === '0' ? '3.0' : '3.1'));
}
