/**
 * Rows of files: CSV is read as it is written, and all rows are checked against the entity model.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { WorldError } from '../core/index.js';
import { loadWorldFile } from './load-world.js';
import { parseCsv } from './rows-csv.js';

const folder = mkdtempSync(join(tmpdir(), 'umwelt-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORLD = `world: 1
name: shop
domain: mcp
state:
  data:
    customers: {from: customers.csv}
    orders: {from: orders.jsonl}
tools:
  - {name: list_customers, inputSchema: {type: object, properties: {}}}
  - {name: get_customer, inputSchema: {type: object, required: [id], properties: {id: {type: string}}}}
  - name: create_order
    inputSchema:
      type: object
      required: [customer_id, total]
      properties:
        customer_id: {type: string}
        total: {type: number, minimum: 0}
        state: {type: string, enum: [open, paid]}
  - {name: get_order, inputSchema: {type: object, required: [id], properties: {id: {type: integer}}}}
  - {name: list_orders, inputSchema: {type: object, properties: {customer_id: {type: string}}}}
entities:
  customers:
    key: id
    fields: {level: {schema: {type: integer}}, email: {unique: true}, name: {required: true}}
`;

/** Loads the world with these files; its rows, or the lines of the error. */
function load(customers: string | Uint8Array, orders = '') {
  writeFileSync(join(folder, 'shop.yaml'), WORLD);
  writeFileSync(join(folder, 'customers.csv'), customers);
  writeFileSync(join(folder, 'orders.jsonl'), orders);
  const world = loadWorldFile(join(folder, 'shop.yaml'));
  if (world.ok) return world.value.spec?.data ?? {};
  if (!WorldError.isInstance(world.error)) throw world.error;
  return world.error.message.split('\n').map((line) => line.replace(`${folder}/`, ''));
}

test('a CSV file with a byte-order mark, CRLF, quotes and line ends in fields becomes rows', () => {
  const text = '\ufeffid,name,level,note\r\n007,"Falk, Ines",3,"says ""hi""\r\nand more"\r\n8,Tom,,\r\n';
  expect(load(text)).toEqual({
    customers: [
      { id: '007', name: 'Falk, Ines', level: 3, note: 'says "hi"\r\nand more' },
      { id: '8', name: 'Tom' },
    ],
    orders: [],
  });
});

test('semicolons and tabs separate where the header says so', () => {
  expect(load('id;name;note\na;Ines;1,5\n')).toMatchObject({
    customers: [{ id: 'a', name: 'Ines', note: '1,5' }],
  });
  expect(load('id\tname\na\tInes\n')).toMatchObject({ customers: [{ id: 'a', name: 'Ines' }] });
});

test('without a schema only safe columns become numbers and booleans; all else keeps every character', () => {
  const header = 'id,name,age,price,vip,phone,zip,card,mixed,big,empty';
  const rows = load(
    `${header}\n1,A,30,1.50,true,30123,10115,4111,1,12345678901234567890,""\n2,B,41,2,false,30124,00501,4112,x,1,\n`,
  );
  expect(rows).toMatchObject({
    customers: [
      {
        id: '1',
        age: 30,
        price: 1.5,
        vip: true,
        phone: '30123',
        zip: '10115',
        card: '4111',
        mixed: '1',
        big: '12345678901234567890',
      },
      { id: '2', age: 41, price: 2, vip: false, zip: '00501', mixed: 'x', big: '1' },
    ],
  });
});

test('every row that does not fit is told with file, line, column, value and what was wanted', () => {
  const customers =
    'id,name,level,email\na,Ines,high,i@example.org\nb,,1,t@example.org\na,Tom,2,t@example.org\n';
  const orders =
    '{"id":1,"customer_id":"a","total":-1,"state":"payed"}\n{"id":1,"customer_id":"z","total":2}\n{"total":"x"}\n';
  expect(load(customers, orders)).toEqual([
    'orders.jsonl:1:1 state.data.orders[0].total: is -1; wanted at least 0 (entities.orders.fields.total.schema says it otherwise)',
    'orders.jsonl:1:1 state.data.orders[0].state: is "payed"; wanted "open" or "paid"; nearest: paid (entities.orders.fields.state.schema says it otherwise)',
    'orders.jsonl:2:1 state.data.orders[1].customer_id: is "z"; there is no such row in customers',
    'orders.jsonl:2:1 state.data.orders[1].id: is 1; row 0 of orders has the same id',
    'customers.csv:2:8 state.data.customers[0].level: is "high"; wanted a whole number (entities.customers.fields.level.schema says it otherwise)',
    'customers.csv:3:1 state.data.customers[1]: has no name, which is required in customers',
    'orders.jsonl:3:1 state.data.orders[2]: has no id, which is the key of orders',
    'orders.jsonl:3:1 state.data.orders[2].total: is "x"; wanted a number (entities.orders.fields.total.schema says it otherwise)',
    'customers.csv:4:1 state.data.customers[2].id: row 0 of customers has the same id',
    'customers.csv:4:9 state.data.customers[2].email: is "t@example.org"; row 1 of customers has the same email',
  ]);
});

test('a CSV file that is broken is told with every place', () => {
  expect(load('id,,id\n1,2\n"a"b,c,d\n"open')).toEqual([
    'customers.csv:1:4 state.data.customers: column 2 of the header has no name',
    'customers.csv:1:5 state.data.customers: two columns are called "id"',
    'customers.csv:2:1 state.data.customers: has 2 fields; the header has 3',
    'customers.csv:3:4 state.data.customers: text stands behind a closing quote; a quote inside a quoted field is doubled',
    'customers.csv:4:1 state.data.customers: has 1 fields; the header has 3',
    'customers.csv:4:1 state.data.customers: the quote that opens here is never closed',
  ]);
  expect(load('')).toEqual([
    'customers.csv:1:1 state.data.customers: is empty; wanted a header line with the names of the fields',
  ]);
});

test('bad lines of JSONL are all told', () => {
  const lines = load('id,name\n', '{"id":1,"total":1,"customer_id":"a"}\n{x\n\n[1\n');
  expect(lines).toHaveLength(2);
  expect(lines).toEqual([
    expect.stringMatching(/^orders.jsonl:2:\d+ /),
    expect.stringMatching(/^orders.jsonl:4:\d+ /),
  ]);
});

test('a flood of problems ends with a count', () => {
  const lines = load(`id,name,level\n${Array.from({ length: 300 }, (_, i) => `${i},n,x\n`).join('')}`);
  expect(Array.isArray(lines) && lines.length).toBe(51);
  expect(JSON.stringify(lines)).toContain('and 51 more');
});

test('what is written as CSV is read back, whatever the cells hold', () => {
  const cell = fc
    .oneof(fc.string(), fc.constantFrom('a,b', '"', 'a\nb', 'a\r\nb', ';', '\t', ' x '))
    .filter((text) => text !== '');
  const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell), { maxLength: 20 }),
      fc.constantFrom(',', ';', '\t'),
      (records, separator) => {
        const text = [['a', 'b'], ...records].map((record) => record.map(quote).join(separator)).join('\r\n');
        const table = parseCsv(text);
        expect(table.ok && table.value.records).toEqual(records);
      },
    ),
  );
});

test('any text gives a table or problems with places', () => {
  const part = fc.constantFrom('"', ',', ';', '\t', '\n', '\r', 'a', '');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const table = parseCsv(parts.join(''));
      if (table.ok)
        expect(table.value.records.every((cells) => cells.length === table.value.header.length)).toBe(true);
      else expect(table.error.every(({ line, column }) => line >= 1 && column >= 1)).toBe(true);
    }),
  );
});
