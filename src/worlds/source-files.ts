/**
 * Reading the files that a world takes in with `from:`: which kind of content a file holds, and where each part of it
 * stands.
 *
 * Kinds: a list of tools (JSON or YAML), rows (a JSON list, JSONL or CSV), any other list, a map of named things
 * (both JSON or YAML). A file is refused outside the world's folder, also behind a symbolic link, and beyond
 * `LIMITS.worldFileBytes`; an uploaded world and a world made from text may take in nothing.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import {
  fail,
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
  ok,
  parseJson,
  type Result,
} from '../core/index.js';
import { readToolList } from '../domains/index.js';
import { parseCsv } from './rows-csv.js';
import { typedRows } from './rows-typed.js';
import { type Position, parseSource, type SourceDocument } from './source-document.js';
import { decodeText } from './text-file.js';
import type { PathPart } from './world-problem.js';

/** Where `from:` may look. */
export interface SourceOptions {
  /** Path of the world file; null for a world made from text. */
  readonly path: string | null;
  /** The world came over a wire: it may take in no file. */
  readonly uploaded: boolean;
}

/** What a file is read as; rows come with the schema of a field, where it is known. */
export type ContentKind =
  | { readonly kind: 'tools' | 'list' | 'map' }
  | { readonly kind: 'rows'; readonly schemaOf: (field: string) => JsonObject | undefined };

/** A file that was taken in. */
export interface TakenIn<Content extends Json = Json> {
  /** Its path relative to the world file's folder. */
  readonly file: string;
  readonly content: Content;
  /** Where a part of the content stands. */
  positionOf(path: readonly PathPart[]): Position;
}

/** Why a file was not taken in. */
export interface Refusal {
  readonly message: string;
  readonly outside: boolean;
  /** Problems with places in the file itself; then `message` is not needed. */
  readonly inside?: {
    readonly file: string;
    readonly problems: readonly (Position & { readonly message: string })[];
  };
}

function refuse(message: string, outside = false): { ok: false; error: Refusal } {
  return fail({ message, outside });
}

/** Takes a file in, or says why not. */
export function takeInFile(from: string, as: ContentKind, options: SourceOptions): Result<TakenIn, Refusal> {
  if (options.uploaded)
    return refuse('an uploaded world may not take in files; write the content inline', true);
  if (options.path === null) {
    return refuse('a world made from text has no folder to take files from; write the content inline', true);
  }
  const found = resolveInside(from, options.path);
  if (!found.ok) return found;
  const text = decodeText(readFileSync(found.value));
  if (!text.ok) return refuse(`${from}: ${text.error}`);
  const file = relative(dirname(resolve(options.path)), found.value);
  if (as.kind === 'rows') {
    return /\.(csv|tsv)$/i.test(file) ? readCsv(text.value, file, as.schemaOf) : readRows(text.value, file);
  }
  if (as.kind === 'tools' && !/\.ya?ml$/i.test(file)) return readTools(text.value, file);
  return readDocument(text.value, file, as.kind);
}

/** A YAML or JSON file: a map, a list, or a list of tools. */
function readDocument(text: string, file: string, kind: 'tools' | 'list' | 'map'): Result<TakenIn, Refusal> {
  const document = parseSource(text);
  if (!document.ok) return fail({ message: '', outside: false, inside: { file, problems: document.error } });
  const { json } = document.value;
  const positionOf = (path: readonly PathPart[]): Position => document.value.positionOf(path);
  if (kind === 'tools') return toolsOf(json, { file, positionOf });
  const fits = kind === 'list' ? Array.isArray(json) : isJsonObject(json);
  if (!fits) return refuse(`${file}: is no ${kind === 'list' ? 'list' : 'map of names'}`);
  return ok({ file, content: json, positionOf });
}

/** The real path of a file below the world's folder. */
function resolveInside(from: string, worldPath: string): Result<string, Refusal> {
  try {
    const folder = realpathSync(dirname(resolve(worldPath)));
    const wanted = resolve(folder, from);
    if (!isBelow(wanted, folder)) return refuse(`${from} is outside the world's folder`, true);
    const real = realpathSync(wanted);
    if (!isBelow(real, folder)) return refuse(`${from} links to a place outside the world's folder`, true);
    const stat = statSync(real);
    if (!stat.isFile()) return refuse(`${from} is not a file`);
    if (stat.size > LIMITS.worldFileBytes) {
      return refuse(`${from} has ${stat.size} bytes; at most ${LIMITS.worldFileBytes} (worldFileBytes)`);
    }
    return ok(real);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    return refuse(code === 'ENOENT' ? `${from} does not exist` : `${from} cannot be read (${code})`);
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function readTools(text: string, file: string): Result<TakenIn, Refusal> {
  const json = parseJson(text);
  if (!json.ok) return refuse(`${file}: is not JSON: ${json.error.message}`);
  return toolsOf(json.value, { file, positionOf: () => ({ line: 1, column: 1 }) });
}

function toolsOf(json: Json, of: Omit<TakenIn, 'content'>): Result<TakenIn, Refusal> {
  const tools = readToolList(json);
  if (!tools.ok) return refuse(`${of.file}: ${tools.error.message}`);
  const [first] = tools.value.problems;
  if (first !== undefined) return refuse(`${of.file}: ${first.path}: ${first.message}`);
  return ok({ ...of, content: tools.value.tools as unknown as readonly Json[] as Json });
}

/** A JSON list of rows, or JSONL: one row a line. */
function readRows(text: string, file: string): Result<TakenIn, Refusal> {
  if (!text.trimStart().startsWith('[')) return readLines(text, file);
  const json = parseJson(text);
  if (!json.ok) return refuse(`${file}: is not JSON: ${json.error.message}`);
  let places: SourceDocument | null | undefined;
  const positionOf = (path: readonly PathPart[]): Position => {
    // reading with places is much slower, so only a file with a problem is read that way
    if (places === undefined) {
      const document = parseSource(text);
      places = document.ok ? document.value : null;
    }
    return places?.positionOf(path) ?? { line: 1, column: 1 };
  };
  return ok({ file, content: json.value, positionOf });
}

/** Bad lines that are told of one file. */
const BAD_LINES = 50;

function readLines(text: string, file: string): Result<TakenIn, Refusal> {
  const list: Json[] = [];
  const lines: number[] = [];
  const problems: (Position & { readonly message: string })[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const row = parseJson(line);
    if (!row.ok) {
      const message = `is not JSON: ${row.error.message}`;
      problems.push({ line: index + 1, column: (row.error.offset ?? 0) + 1, message });
      if (problems.length >= BAD_LINES) break;
      continue;
    }
    list.push(row.value);
    lines.push(index + 1);
  }
  if (problems.length > 0) return fail({ message: '', outside: false, inside: { file, problems } });
  return ok({
    file,
    content: list,
    positionOf: (path) => ({ line: lines[Number(path[0])] ?? 1, column: 1 }),
  });
}

/** CSV with a header; cells become what the field's schema says, or what is surely safe. */
function readCsv(
  text: string,
  file: string,
  schemas: (field: string) => JsonObject | undefined,
): Result<TakenIn, Refusal> {
  const table = parseCsv(text);
  if (!table.ok) return fail({ message: '', outside: false, inside: { file, problems: table.error } });
  const { header, positionOf } = table.value;
  const list = typedRows(table.value, schemas);
  return ok({
    file,
    content: list,
    positionOf: ([row, field]) => positionOf(Number(row ?? 0), header.indexOf(String(field))),
  });
}
