/**
 * Cells of a CSV file to JSON values: by the schema of the field where one is known, else only what is surely safe.
 *
 * An empty cell, quoted or not, means that the field is absent (programs that quote all cells write `""` for nothing). Without a schema a column becomes numbers only if every cell is a
 * short plain number (no leading zero, no plus, at most nine digits before the point) and its name does not speak of
 * telephones, post codes, accounts or versions; it becomes booleans only if every cell is `true` or `false`. All else
 * stays text, so `007`, `+49 30 1234` and long digit strings keep every character. With a schema a cell that does not
 * fit stays text, and the check of the rows tells it with its place.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from '../core/index.js';
import type { CsvTable } from './rows-csv.js';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const SHORT_NUMBER = /^-?(?:0|[1-9]\d{0,8})(?:\.\d{1,9})?$/;
const TEXT_NAMES =
  /phone|mobile|(^|_)(tel|fax|zip|post|iban|bic|ssn|isbn|ean|upc|gtin|plate|pin)|postal|postcode|account|card|barcode|serial|version|passport/i;

/** The rows of a table. `schemaOf` gives the schema of a field, or undefined where none is known. */
export function typedRows(
  table: CsvTable,
  schemaOf: (field: string) => JsonObject | undefined,
): JsonObject[] {
  const readers = table.header.map((name, column) =>
    readerOf(table, { name, column, schema: schemaOf(name) }),
  );
  return table.records.map((cells) => {
    const row: Record<string, Json> = {};
    for (const [column, name] of table.header.entries()) {
      const cell = cells[column];
      if (!isEmpty(cell)) row[name] = readers[column]?.(cell) ?? cell;
    }
    return row;
  });
}

type Reader = (cell: string) => Json;

function isEmpty(cell: string | null | undefined): cell is null | undefined | '' {
  return cell === null || cell === undefined || cell === '';
}

function readerOf(
  table: CsvTable,
  of: { name: string; column: number; schema: JsonObject | undefined },
): Reader {
  const types = of.schema === undefined ? [] : typesOf(of.schema);
  if (types.length > 0) return (cell) => bySchema(cell, types);
  const every = (test: RegExp): boolean => {
    let some = false;
    for (const cells of table.records) {
      const cell = cells[of.column];
      if (isEmpty(cell)) continue;
      if (!test.test(cell)) return false;
      some = true;
    }
    return some;
  };
  if (every(/^(?:true|false|TRUE|FALSE)$/)) return (cell) => cell.toLowerCase() === 'true';
  const words = of.name.replace(/([a-z])([A-Z])/g, '$1_$2');
  return !TEXT_NAMES.test(words) && every(SHORT_NUMBER) ? Number : (cell) => cell;
}

/** The JSON types that a schema names; those of its enum where it names none. */
export function typesOf(schema: JsonObject): string[] {
  const { type } = schema;
  const named = (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === 'string');
  if (named.length > 0) return named;
  const choices: readonly Json[] = Array.isArray(schema.enum) ? schema.enum : [];
  const types = choices.map((choice) => (choice === null ? 'null' : typeof choice));
  if (types.length > 0) return [...new Set(types)];
  const parts: readonly Json[] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  return [...new Set(parts.flatMap((part) => (isJsonObject(part) ? typesOf(part) : [])))];
}

/** A cell as the first type that it can be; the text itself where it can be none. */
function bySchema(cell: string, types: readonly string[]): Json {
  // a text field takes every cell as it is written
  if (types.includes('string')) return cell;
  const word = cell.trim();
  if ((types.includes('number') || types.includes('integer')) && NUMBER.test(word)) {
    const number = parseJson(word);
    if (number.ok) return number.value;
  }
  if (types.includes('boolean') && /^(?:true|false)$/i.test(word)) return word.toLowerCase() === 'true';
  if (types.includes('null') && word === 'null') return null;
  if (
    (types.includes('array') && word.startsWith('[')) ||
    (types.includes('object') && word.startsWith('{'))
  ) {
    const value = parseJson(word);
    if (value.ok) return value.value;
  }
  return cell;
}
