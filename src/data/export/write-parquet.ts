/**
 * Rows as a Parquet file, row group by row group, so that memory holds one group.
 *
 * The schema comes from a format's columns, never from the data: a column of empty lists keeps its type, and nested
 * objects have the same fields in every row. Written by hyparquet-writer, Snappy, all columns optional.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { ColumnType } from './export-format.js';

/** Rows of one row group. */
const GROUP_ROWS = 2_000;
/** Characters of text after which a group is written early. */
const GROUP_CHARACTERS = 64 * 1024 * 1024;

interface SchemaElement {
  readonly name: string;
  readonly type?: 'BYTE_ARRAY' | 'INT64' | 'INT32' | 'DOUBLE' | 'BOOLEAN';
  readonly converted_type?: 'UTF8' | 'LIST';
  readonly repetition_type?: 'OPTIONAL' | 'REPEATED' | 'REQUIRED';
  readonly num_children?: number;
}

const SCALARS = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
} as const;

const LISTS: Readonly<Record<string, keyof typeof SCALARS>> = {
  texts: 'text',
  integers: 'integer',
  numbers: 'number',
};

function elements(name: string, type: ColumnType): readonly SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  if (typeof type === 'string') {
    const item = LISTS[type];
    if (item !== undefined)
      return listOf(name, [{ name: 'element', repetition_type: 'OPTIONAL', ...SCALARS[item] }]);
    return [{ ...optional, ...SCALARS[type as keyof typeof SCALARS] }];
  }
  const fields = 'list' in type ? type.list : type.fields;
  const inner = Object.entries(fields).flatMap(([field, of]) => elements(field, of));
  const count = Object.keys(fields).length;
  if ('fields' in type) return [{ ...optional, num_children: count }, ...inner];
  return listOf(name, [{ name: 'element', repetition_type: 'OPTIONAL', num_children: count }, ...inner]);
}

function listOf(name: string, element: readonly SchemaElement[]): readonly SchemaElement[] {
  return [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...element,
  ];
}

/** Writes rows to a sink of bytes. */
export interface ParquetRows {
  add(row: JsonObject): void;
  /** Writes what is left and the footer. */
  close(): void;
}

/** Opens a Parquet output with the given columns; `sink` is given pieces of the file in order. */
export function openParquet(
  columns: Readonly<Record<string, ColumnType>>,
  sink: (bytes: Uint8Array) => void,
): ParquetRows {
  const names = Object.keys(columns);
  const schema: SchemaElement[] = [
    { name: 'root', num_children: names.length },
    ...Object.entries(columns).flatMap(([name, type]) => elements(name, type)),
  ];
  const writer = new SinkWriter(sink);
  const parquet = new ParquetWriter({ writer, schema });
  let rows: JsonObject[] = [];
  let held = 0;
  const flush = (): void => {
    if (rows.length === 0) return;
    const columnData = names.map((name) => ({ name, data: rows.map((row) => row[name] ?? null) }));
    void parquet.write({ columnData, rowGroupSize: rows.length });
    rows = [];
    held = 0;
  };
  return {
    add: (row) => {
      rows.push(row);
      held += sizeOf(row);
      if (rows.length >= GROUP_ROWS || held >= GROUP_CHARACTERS) flush();
    },
    close: () => {
      flush();
      void parquet.finish();
      writer.flush();
    },
  };
}

function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) {
    return typeof value[0] === 'number'
      ? value.length * 8
      : value.reduce((sum: number, one: Json) => sum + sizeOf(one), 0);
  }
  return isJsonObject(value) ? Object.values(value).reduce((sum: number, one) => sum + sizeOf(one), 0) : 8;
}

/** The library's writer, emptied into the sink after each group; offsets count from the start of the file. */
class SinkWriter extends ByteWriter {
  constructor(private readonly sink: (bytes: Uint8Array) => void) {
    super();
  }

  flush(): void {
    this.sink(this.getBytes().slice());
    this.index = 0;
  }
}
