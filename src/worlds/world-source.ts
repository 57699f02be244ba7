/**
 * A world file's content on its way to a world: the value, the files it took in, and where each part stands.
 *
 * Content taken in with `from:` keeps its own file name and lines, so that a problem in row 400 of a JSONL file
 * points there. An uploaded world, and a world that has no path, may take in nothing; no file outside the world
 * file's folder is read, also not through a symbolic link.
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
import type { ServiceModel } from '../engines/index.js';
import { parseCsv } from './rows-csv.js';
import { rowsByCollection, rowsModel } from './rows-model.js';
import { typedRows } from './rows-typed.js';
import type { Finding } from './schema-problems.js';
import { type Position, parseSource, type SourceDocument } from './source-document.js';
import { decodeText } from './text-file.js';
import { type PathPart, renderPath, type WorldProblem } from './world-problem.js';

/** Where `from:` may look. */
export interface SourceOptions {
  /** Path of the world file; null for a world made from text. */
  readonly path: string | null;
  /** The world came over a wire: it may take in no file. */
  readonly uploaded: boolean;
}

/** A world file's whole content. */
export interface WorldSource {
  /** The content with files taken in. Owned by the loader, which may take away `x-` keys. */
  readonly json: JsonObject;
  /** What went wrong with `from:`. */
  readonly problems: readonly WorldProblem[];
  /** Collections whose rows were taken in from a file. */
  readonly takenRows: readonly string[];
  /** True if a `from:` pointed out of the world's folder. */
  readonly outside: boolean;
  /** Adds line, column and file to a finding. */
  place(finding: Finding): WorldProblem;
}

interface TakenIn {
  readonly file: string;
  readonly list: readonly Json[];
  /** Place of an item of the file's list. */
  positionOf(path: readonly PathPart[]): Position;
}

/** Takes in every file that the document names. */
export function takeInFiles(document: SourceDocument, json: JsonObject, options: SourceOptions): WorldSource {
  const taken = new Map<string, TakenIn>();
  const problems: WorldProblem[] = [];
  let outside = false;
  const place = (finding: Finding): WorldProblem => placeFinding(document, taken, finding);
  const takenRows: string[] = [];
  let model: ServiceModel | undefined;
  const schemaOf = (collection: string, field: string): JsonObject | undefined => {
    // only a CSV file asks, because its cells are texts
    model ??= rowsModel(
      json,
      Object.fromEntries(Object.keys(rowsByCollection(json)).map((name) => [name, []])),
    );
    const known = Object.hasOwn(model.collections, collection)
      ? model.collections[collection]?.fields
      : undefined;
    return known !== undefined && Object.hasOwn(known, field) ? known[field]?.schema : undefined;
  };
  const takeIn = (holder: Record<string, Json>, key: string, path: readonly PathPart[]): void => {
    const from = fromOf(holder[key]);
    if (from === null) return;
    const kind = path.length === 1 ? 'tools' : (field: string) => schemaOf(key, field);
    const read = readTakenIn(from, kind, options);
    if (read.ok) {
      holder[key] = read.value.list;
      taken.set(renderPath(path), read.value);
      if (kind !== 'tools') takenRows.push(key);
      return;
    }
    holder[key] = [];
    outside ||= read.error.outside;
    const { inside } = read.error;
    if (inside !== undefined) {
      const { file } = inside;
      for (const one of inside.problems) problems.push({ ...one, file, path: renderPath(path) });
      return;
    }
    const seen = JSON.stringify(from);
    problems.push(place({ path: [...path, 'from'], message: read.error.message, seen }));
  };
  const top = json as Record<string, Json>;
  takeIn(top, 'tools', ['tools']);
  const state = top.state;
  const data = isJsonObject(state) ? state.data : undefined;
  if (isJsonObject(data)) {
    for (const name of Object.keys(data)) {
      takeIn(data as Record<string, Json>, name, ['state', 'data', name]);
    }
  }
  return { json, problems, takenRows, outside, place };
}

function fromOf(value: Json | undefined): string | null {
  if (!isJsonObject(value) || Object.keys(value).some((key) => key !== 'from' && !key.startsWith('x-')))
    return null;
  return typeof value.from === 'string' ? value.from : null;
}

function placeFinding(
  document: SourceDocument,
  taken: ReadonlyMap<string, TakenIn>,
  finding: Finding,
): WorldProblem {
  const { path, atKey, ...rest } = finding;
  for (let cut = 1; cut <= Math.min(path.length, 3); cut++) {
    const file = taken.get(renderPath(path.slice(0, cut)));
    if (file === undefined) continue;
    return { ...file.positionOf(path.slice(cut)), path: renderPath(path), file: file.file, ...rest };
  }
  const position = atKey === true ? document.keyPositionOf(path) : document.positionOf(path);
  return { ...position, path: renderPath(path), ...rest };
}

interface Refusal {
  readonly message: string;
  readonly outside: boolean;
  /** Problems with places in the file itself; then `message` is not needed. */
  readonly inside?: {
    readonly file: string;
    readonly problems: readonly (Position & { readonly message: string })[];
  };
}

/** What rows are read with: the schema of a field, where it is known. */
type RowSchemas = (field: string) => JsonObject | undefined;

function refuse(message: string, outside = false): { ok: false; error: Refusal } {
  return fail({ message, outside });
}

function readTakenIn(
  from: string,
  kind: 'tools' | RowSchemas,
  options: SourceOptions,
): Result<TakenIn, Refusal> {
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
  if (kind === 'tools') return readTools(text.value, file);
  return /\.(csv|tsv)$/i.test(file) ? readCsv(text.value, file, kind) : readRows(text.value, file);
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
  const tools = readToolList(json.value);
  if (!tools.ok) return refuse(`${file}: ${tools.error.message}`);
  const start = { line: 1, column: 1 };
  const [first] = tools.value.problems;
  if (first !== undefined) return refuse(`${file}: ${first.path}: ${first.message}`);
  return ok({ file, list: tools.value.tools as unknown as readonly Json[], positionOf: () => start });
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
  return ok({ file, list: json.value as readonly Json[], positionOf });
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
  return ok({ file, list, positionOf: (path) => ({ line: lines[Number(path[0])] ?? 1, column: 1 }) });
}

/** CSV with a header; cells become what the field's schema says, or what is surely safe. */
function readCsv(text: string, file: string, schemas: RowSchemas): Result<TakenIn, Refusal> {
  const table = parseCsv(text);
  if (!table.ok) return fail({ message: '', outside: false, inside: { file, problems: table.error } });
  const { header, positionOf } = table.value;
  const list = typedRows(table.value, schemas);
  return ok({
    file,
    list,
    positionOf: ([row, field]) => positionOf(Number(row ?? 0), header.indexOf(String(field))),
  });
}
