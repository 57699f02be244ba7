/**
 * A world file's content on its way to a world: the value, the files it took in, and where each part stands.
 *
 * A list (`tools`, `rules`, rows, …) may be `{from: FILE or [FILES], also: [more]}`; a map of names (`entities`,
 * `overrides`, `state.data`) may be `{from: FILE or [FILES], NAME: correction}`, where later files and the corrections are merge
 * patches (RFC 7396: objects are merged, other values replaced, null takes away). Content taken in keeps its own file
 * name and lines, so that a problem in row 400 of a JSONL file points there.
 */
import { isJsonObject, type Json, type JsonObject } from '../core/index.js';
import type { ServiceModel } from '../engines/index.js';
import { mergePatch } from './merge-patch.js';
import { rowsByCollection, rowsModel } from './rows-model.js';
import { type Finding, valueAt } from './schema-problems.js';
import type { SourceDocument } from './source-document.js';
import {
  type ContentKind,
  type Refusal,
  type SourceOptions,
  type TakenIn,
  takeInFile,
} from './source-files.js';
import { type PathPart, renderPath, type WorldProblem } from './world-problem.js';

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

/** Lists of a world file that may stand in files. */
const LISTS = ['resources', 'prompts', 'rules', 'facts', 'faults', 'success'] as const;
/** Maps of names that may stand in files. */
const MAPS = ['entities', 'overrides', 'shapes', 'expand'] as const;
/** Lists of `expand` that may stand in files. */
const EXPAND_LISTS = ['rows', 'drops', 'changes', 'goals'] as const;

/** Takes in every file that the document names. */
export function takeInFiles(document: SourceDocument, json: JsonObject, options: SourceOptions): WorldSource {
  const taking = new Taking(document, options);
  const top = json as Record<string, Json>;
  taking.list(top, 'tools', { path: ['tools'], as: { kind: 'tools' } });
  for (const key of LISTS) taking.list(top, key, { path: [key], as: { kind: 'list' } });
  taking.list(top, 'recorded', { path: ['recorded'], as: { kind: 'rows', schemaOf: () => undefined } });
  for (const key of MAPS) taking.map(top, key, [key]);
  const { expand } = top;
  if (isJsonObject(expand)) {
    for (const key of EXPAND_LISTS) {
      taking.list(expand as Record<string, Json>, key, { path: ['expand', key], as: { kind: 'list' } });
    }
  }
  const { state } = top;
  if (isJsonObject(state)) taking.map(state as Record<string, Json>, 'data', ['state', 'data']);
  const data = isJsonObject(state) ? state.data : undefined;
  const takenRows: string[] = [];
  const schemaOf = schemasOf(json);
  for (const name of isJsonObject(data) ? Object.keys(data) : []) {
    const as: ContentKind = { kind: 'rows', schemaOf: (field) => schemaOf(name, field) };
    const path = ['state', 'data', name];
    if (taking.list(data as Record<string, Json>, name, { path, as })) takenRows.push(name);
  }
  const { problems, outside } = taking;
  return { json, problems, takenRows, outside, place: (finding) => taking.place(finding) };
}

/** The schema of a field, where it is known; only a CSV file asks, because its cells are texts. */
function schemasOf(json: JsonObject): (collection: string, field: string) => JsonObject | undefined {
  let model: ServiceModel | undefined;
  return (collection, field) => {
    model ??= rowsModel(
      json,
      Object.fromEntries(Object.keys(rowsByCollection(json)).map((name) => [name, []])),
    );
    const known = Object.hasOwn(model.collections, collection)
      ? model.collections[collection]?.fields
      : undefined;
    return known !== undefined && Object.hasOwn(known, field) ? known[field]?.schema : undefined;
  };
}

/** Where a part of taken-in content stands; undefined for what stands in the world file itself. */
type PlaceOf = (path: readonly PathPart[]) => Pick<WorldProblem, 'file' | 'line' | 'column'> | undefined;

class Taking {
  readonly problems: WorldProblem[] = [];
  outside = false;
  private readonly places = new Map<string, PlaceOf>();

  constructor(
    private readonly document: SourceDocument,
    private readonly options: SourceOptions,
  ) {}

  /** Takes in a list in place; true if it stood in files that could be read. */
  list(
    holder: Record<string, Json>,
    key: string,
    at: { readonly path: readonly PathPart[]; readonly as: ContentKind },
  ): boolean {
    const { path, as } = at;
    const form = fromOf(holder[key], ['also']);
    if (form === null) return false;
    const { also } = form.rest;
    const more = also === undefined ? [] : also;
    if (!Array.isArray(more)) return false; // the schema says what is wrong
    const files = this.files(form, { path, as });
    const list = files.flatMap(({ content }) => content as readonly Json[]);
    holder[key] = [...list, ...more];
    this.places.set(renderPath(path), ([index, ...rest]) => {
      let start = 0;
      for (const { file, content, positionOf } of files) {
        const { length } = content as readonly Json[];
        if (Number(index ?? 0) < start + length)
          return { file, ...positionOf(index === undefined ? [] : [Number(index) - start, ...rest]) };
        start += length;
      }
      return this.document.positionOf([...path, 'also', Number(index) - start, ...rest]);
    });
    return files.length === form.files.length;
  }

  /** Takes in a map of names in place. */
  map(holder: Record<string, Json>, key: string, at: readonly PathPart[]): void {
    const form = fromOf(holder[key], null);
    if (form === null) return;
    const files = this.files(form, { path: at, as: { kind: 'map' } });
    const merged = files.map(({ content }) => content).reduce(mergePatch, {});
    holder[key] = mergePatch(merged, form.rest);
    this.places.set(renderPath(at), (path) => {
      if (path.length === 0 || valueAt(form.rest, path) !== undefined) return undefined;
      const holding = files.findLast(({ content }) => valueAt(content, path) !== undefined) ?? files.at(-1);
      return holding === undefined ? undefined : { file: holding.file, ...holding.positionOf(path) };
    });
  }

  /** Adds line, column and file to a finding. */
  place(finding: Finding): WorldProblem {
    const { path, atKey, ...rest } = finding;
    for (let cut = Math.min(path.length, 3); cut > 0; cut--) {
      const at = this.places.get(renderPath(path.slice(0, cut)))?.(path.slice(cut));
      if (at !== undefined) return { ...at, path: renderPath(path), ...rest };
    }
    const position = atKey === true ? this.document.keyPositionOf(path) : this.document.positionOf(path);
    return { ...position, path: renderPath(path), ...rest };
  }

  /** The files of a form that could be read; the others are told. */
  private files(
    form: FromForm,
    at: { readonly path: readonly PathPart[]; readonly as: ContentKind },
  ): TakenIn[] {
    return form.files.flatMap((from, index): TakenIn[] => {
      const read = takeInFile(from, at.as, this.options);
      if (read.ok) return [read.value];
      const where = form.single ? [...at.path, 'from'] : [...at.path, 'from', index];
      this.refuse(read.error, { where, path: at.path, seen: from });
      return [];
    });
  }

  private refuse(
    refusal: Refusal,
    of: { readonly where: readonly PathPart[]; readonly path: readonly PathPart[]; readonly seen: string },
  ): void {
    this.outside ||= refusal.outside;
    const { inside, message } = refusal;
    if (inside === undefined) {
      this.problems.push(this.place({ path: of.where, message, seen: JSON.stringify(of.seen) }));
      return;
    }
    for (const one of inside.problems)
      this.problems.push({ ...one, file: inside.file, path: renderPath(of.path) });
  }
}

interface FromForm {
  readonly files: readonly string[];
  /** `from` is one text. */
  readonly single: boolean;
  /** The other keys, the user's own left out. */
  readonly rest: JsonObject;
}

/** `{from: …}` with no other keys than those allowed (null: any); null for everything else. */
function fromOf(value: Json | undefined, allowed: readonly string[] | null): FromForm | null {
  if (!isJsonObject(value)) return null;
  const { from, ...others } = value;
  const rest = Object.fromEntries(Object.entries(others).filter(([key]) => !key.startsWith('x-')));
  if (allowed !== null && Object.keys(rest).some((key) => !allowed.includes(key))) return null;
  if (typeof from === 'string') return { files: [from], single: true, rest };
  if (!Array.isArray(from) || from.length === 0) return null;
  const files = from.filter((one): one is string => typeof one === 'string');
  return files.length === from.length ? { files, single: false, rest } : null;
}
