/**
 * Claims in an answer that nobody computed, as far as the state can decide them: values of rows that it knows, numbers of
 * items, files that are not there.
 *
 * An object in a JSON answer is a row of a collection where it has a row's id under a name of that collection; the fields
 * that the state has must then be the state's, unless the call may change this very row. A member `count` may not be less
 * than the list beside it. Not covered: rows in prose, collections whose rows have no field that reads like an id.
 */
import {
  canonicalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  renderJson,
} from '../../core/index.js';
import { leavesOf } from './agreement.js';
import type { GuardContext, GuardFinding } from './finding.js';

/** A known row with the name of its id. */
interface KnownRow {
  readonly collection: string;
  readonly id: string;
  readonly row: JsonObject;
}

/** The rows of the state by canonical id, for lookups. */
type KnownRows = ReadonlyMap<string, readonly KnownRow[]>;

const ID_FIELD = /^(?:id|key|uuid|slug|number|sku|code|name|email)$|(?:_id|Id|_number|_key|_code)$/;

/** Lists the state's rows under their first id-like field. */
function knownRows(view: Json): KnownRows {
  const rows = new Map<string, KnownRow[]>();
  const data = isJsonObject(view) && isJsonObject(view.data) ? view.data : {};
  for (const [collection, list] of Object.entries(data)) {
    if (!Array.isArray(list)) continue;
    for (const row of list as readonly Json[]) {
      if (!isJsonObject(row)) continue;
      const field = Object.keys(row).find((name) => ID_FIELD.test(name) && isScalar(row[name]));
      if (field === undefined) continue;
      const key = `${field} ${canonicalJson(row[field] ?? null)}`;
      const entry = { collection, id: field, row };
      const there = rows.get(key);
      if (there === undefined) rows.set(key, [entry]);
      else there.push(entry);
    }
  }
  return rows;
}

function isScalar(value: Json | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

const READS =
  /^(?:get|list|search|find|read|fetch|show|query|describe|count|check|lookup|view|summari[sz]e|translate|explain|compute|calculate|analy[sz]e|recommend|estimate|forecast|predict|compare)(?:[_\-A-Z]|$)|[_-](?:get|list|search|find|read|show|query|count|check|lookup|view|summari[sz]e|explain)$/;

/** True where the call's own name or hints say that it changes nothing. */
function onlyReads(context: GuardContext, tool: Json | undefined): boolean {
  const hints = isJsonObject(tool) && isJsonObject(tool.annotations) ? tool.annotations : {};
  if (hints.readOnlyHint === true) return true;
  return hints.readOnlyHint === undefined && READS.test(context.op.name);
}

/** What an answer says of known rows, and the spans in it that were found to be so. */
export interface ClaimsReport {
  readonly findings: readonly GuardFinding[];
  /** Values that the state or the arguments confirm. */
  readonly confirmed: ReadonlySet<string>;
}

/** Checks a JSON answer; another text has no claims that could be decided here. */
export function checkClaims(text: string, context: GuardContext, tool: Json | undefined): ClaimsReport {
  const confirmed = new Set(leavesOf(context.op.args).map(({ value }) => canonicalJson(value)));
  const json = parseJson(text.trim());
  if (!json.ok || context.domain !== 'mcp') return { findings: [], confirmed };
  const rows = knownRows(context.view);
  const named = new Set(leavesOf(context.op.args).map(({ value }) => canonicalJson(value)));
  const mayChange = !onlyReads(context, tool);
  const findings: GuardFinding[] = [];
  walk(json.value, (object, name) => {
    countOf(object, findings);
    const known = rowOf(object, name, rows);
    if (known === undefined) return;
    const changes = mayChange && named.has(canonicalJson(known.row[known.id] ?? null));
    for (const [field, value] of Object.entries(object)) {
      const had = known.row[field];
      if (had === undefined) continue;
      if (canonicalJson(had) === canonicalJson(value as Json)) confirmed.add(canonicalJson(value as Json));
      else if (!changes) {
        const id = renderJson(known.row[known.id] ?? null);
        const problem = `${known.collection} ${id}: ${field} is ${brief(value as Json)} in the answer; the state says ${brief(had)}`;
        findings.push({ check: 'contradiction', problem, finally: 'flag' });
      }
    }
  });
  return { findings, confirmed };
}

/** The row that an object means: the one with its id, in the collection that its place is named after if several fit. */
function rowOf(object: JsonObject, place: string, rows: KnownRows): KnownRow | undefined {
  for (const [field, value] of Object.entries(object)) {
    if (!ID_FIELD.test(field) || !isScalar(value as Json)) continue;
    const found = rows.get(`${field} ${canonicalJson(value as Json)}`);
    if (found === undefined) continue;
    const near = found.filter(({ collection }) => alike(collection, place));
    if (near.length === 1) return near[0];
    // Names are shared by many things; only an id speaks for itself.
    if (found.length === 1 && /id$|^key$|uuid$|number$/i.test(field)) return found[0];
    return undefined;
  }
  return undefined;
}

function alike(collection: string, place: string): boolean {
  const plain = (name: string): string =>
    name
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .replace(/(?:es|s)$/, '');
  return place !== '' && plain(collection) === plain(place);
}

function countOf(object: JsonObject, findings: GuardFinding[]): void {
  const lists = Object.values(object).filter((part) => Array.isArray(part));
  const [list] = lists;
  if (lists.length !== 1 || !Array.isArray(list)) return;
  for (const name of ['count', 'total', 'total_count', 'totalCount']) {
    const said = object[name];
    if (typeof said !== 'number' || said >= list.length) continue;
    const problem = `${name} is ${said} beside a list of ${list.length} items`;
    findings.push({ check: 'contradiction', problem, finally: 'flag' });
  }
}

function walk(value: Json, visit: (object: JsonObject, name: string) => void, name = ''): void {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) walk(item, visit, name);
  else if (isJsonObject(value)) {
    visit(value, name);
    for (const [key, part] of Object.entries(value)) walk(part as Json, visit, key);
  }
}

function brief(value: Json): string {
  const text = renderJson(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
