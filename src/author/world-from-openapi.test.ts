/**
 * Worlds of OpenAPI documents are played: six invented services of different style, and documents that are broken.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../core/index.js';
import { openEpisode } from '../sim/index.js';
import { worldFromOpenApi } from './world-from-openapi.js';

const FOLDER = fileURLToPath(new URL('../../test/fixtures/openapi/', import.meta.url));

function made(file: string) {
  const result = worldFromOpenApi(readFileSync(`${FOLDER}${file}`, 'utf8'), { source: file });
  if (!result.ok) throw result.error;
  return result.value;
}

function madeOf(document: object) {
  const result = worldFromOpenApi(JSON.stringify(document));
  if (!result.ok) throw result.error;
  return result.value;
}

/** Plays calls; gives each answer's JSON, or its text where it is none. */
async function player(file: string): Promise<(name: string, args?: object) => Promise<Json>> {
  const episode = await openEpisode(made(file).world, { seed: 3 });
  return async (name, args = {}) => {
    const { observation } = await episode.step(JSON.stringify({ name, arguments: args }));
    const json = parseJson(observation ?? 'null');
    return json.ok ? json.value : (observation ?? null);
  };
}

function at(value: Json, ...path: (string | number)[]): Json | undefined {
  let here: Json | undefined = value;
  for (const part of path) {
    if (Array.isArray(here)) here = here[Number(part)];
    else here = isJsonObject(here) ? here[part] : undefined;
  }
  return here;
}

test('a pet clinic: examples are rows, what is made is found under its owner, changed and removed', async () => {
  const call = await player('pet-clinic.yaml');
  expect(await call('listOwners', { city: 'Leeds' })).toEqual({
    owners: [{ id: 2, name: 'Tom Okoye', city: 'Leeds' }],
    total: 1,
  });
  const owner = await call('addOwner', { name: 'Zed', pin: '1' });
  expect(owner).toEqual({ id: 3, name: 'Zed' });
  const pet = await call('addPet', { name: 'Rex', species: 'dog', ownerId: 3 });
  expect(pet).toEqual({ id: 12, name: 'Rex', species: 'dog', status: 'healthy', ownerId: 3 });
  expect(await call('getPetsByOwner', { ownerId: 3 })).toEqual({ pets: [pet], total: 1 });
  await call('updatePet', { petId: 12, name: 'Max', species: 'dog', status: 'ill' });
  expect(at(await call('getPetById', { petId: 12 }), 'name')).toBe('Max');
  await call('deletePet', { petId: 12 });
  expect(await call('getPetById', { petId: 12 })).toBe('Pet not found: 12');
});

test('a shop: cursors, nested reviews and allOf answers hold together', async () => {
  const call = await player('shop.json');
  const price = { amount: 5, currency: 'EUR' };
  const product = await call('products_create', { name: 'Saw', price, category: 'tools' });
  const product_id = at(product, 'id') ?? null;
  expect(await call('products_retrieve', { product_id })).toEqual(product);
  const first = await call('products_list', { limit: 2 });
  const second = await call('products_list', { limit: 2, cursor: at(first, 'next_cursor') ?? null });
  expect([at(first, 'data', 1, 'id'), at(second, 'data', 0, 'id')]).toEqual(['product_2', 'product_3']);
  const review = await call('reviews_create', { product_id, stars: 4 });
  expect(at(review, 'product_id')).toBe(product_id);
  const review_id = at(review, 'id') ?? null;
  expect(await call('reviews_retrieve', { product_id: 'product_1', review_id })).toBe(
    `Review not found: ${String(review_id)}`,
  );
  expect(await call('reviews_create', { product_id: 'nope', stars: 4 })).toContain('Product not found: nope');
});

test('a tracker: a union body is checked branch by branch, actions change the state, pages are cut', async () => {
  const call = await player('tracker.yaml');
  const project = await call('createProject', { name: 'A' });
  const projectId = at(project, 'id') ?? null;
  const bug = await call('createItem', { projectId, kind: 'bug', title: 'T', severity: 2 });
  const story = await call('createItem', { projectId, kind: 'story', title: 'S' });
  expect(await call('createItem', { projectId, kind: 'bug', title: 'none' })).toContain('severity');
  const page = await call('getItems', { projectId, page: 2, per_page: 1 });
  expect(at(page, 'items')).toEqual([story]);
  await call('closeItem', { itemId: at(bug, 'id') ?? null });
  const closed = await call('getItems', { projectId, state: 'closed' });
  expect(at(closed, 'items', 0, 'id')).toBe(at(bug, 'id'));
});

test('billing: an idempotency header makes one invoice, POST on a row changes it, an action pays it', async () => {
  const call = await player('billing.yaml');
  const args = { 'Idempotency-Key': 'k1', customer: 'c1', amount_cents: 5 };
  const invoice = await call('invoice_new', args);
  expect(await call('invoice_new', args)).toEqual(invoice);
  const id = at(invoice, 'id') ?? null;
  await call('invoice_change', { invoice: id, memo: 'hi' });
  await call('invoice_pay', { invoice: id });
  const shown = await call('invoice_show', { invoice: id });
  expect(shown).toEqual({ id, customer: 'c1', amount_cents: 5, memo: 'hi', status: 'paid' });
  expect(at(await call('invoice_index', { customer: 'c1' }), 'data')).toEqual([shown]);
});

test('a school: where names say nothing, method and path do', async () => {
  const call = await player('school.yaml');
  const student = await call('enrolStudent', { firstName: 'A', lastName: 'B', grade: 3 });
  const studentNumber = at(student, 'studentNumber') ?? null;
  expect(studentNumber).toMatch(/^S-\d+$/);
  const found = await call('searchForStudents', { grade: 3, q: 'A' });
  expect(JSON.stringify(found)).toContain(String(studentNumber));
  await call('overwriteStudent', { studentNumber, firstName: 'AA', lastName: 'BB' });
  expect(at(await call('studentDetails', { studentNumber }), 'firstName')).toBe('AA');
  await call('expelStudent', { studentNumber });
  expect(await call('studentDetails', { studentNumber })).toBe(`Student not found: ${String(studentNumber)}`);
  expect(at(await call('courseCatalogue'), 'courses', 0, 'code')).toBeDefined();
});

test('a library without operationIds: tools are named after method and path', async () => {
  const { world } = made('library.yaml');
  expect(world.file.tools?.map(({ name }) => name)).toEqual([
    'list_books',
    'create_book',
    'get_book',
    'update_book',
    'delete_book',
    'archive_book',
    'list_loans_of_book',
    'create_loan_of_book',
    'get_loan',
    'delete_loan',
  ]);
  const call = await player('library.yaml');
  const bookId = at(await call('create_book', { title: 'T', author: 'Au' }), 'id') ?? null;
  expect(at(await call('archive_book', { bookId }), 'archived')).toBe(true);
  const loan = await call('create_loan_of_book', { bookId, reader: 'R' });
  expect(at(await call('list_loans_of_book', { bookId }), 'loans')).toEqual([loan]);
});

test('payments: odd names do not rename what the path says, answers come in their own envelope', async () => {
  const { world } = made('payments.yaml');
  expect(Object.keys(world.file.overrides)).not.toContain('weatherNow');
  const call = await player('payments.yaml');
  const users = await call('allUsers', { page_size: 2, page_number: 2 });
  expect([at(users, 'items', 1, 'username') !== undefined, at(users, 'next_page')]).toEqual([true, 3]);
  const payment = await call('doPay', { acct: 'a1', method: 'card', number: '4', amount: 3 });
  expect(payment).toEqual({ id: 'payment_9', account_id: 'a1', method: 'card', amount: 3, number: '4' });
  expect(await call('movements', { acct: 'a1', method: 'card' })).toEqual({ payments: [payment], total: 1 });
  expect(await call('movements', { acct: 'a1', method: 'bank' })).toEqual({ payments: [], total: 0 });
  await call('undo', { acct: 'a1', paymentId: 'payment_9' });
  expect(await call('readMovement', { acct: 'a1', paymentId: 'payment_9' })).toBe(
    'Payment not found: payment_9',
  );
});

const SCHEMAS = {
  Node: {
    type: 'object',
    properties: {
      id: { type: 'string', readOnly: true },
      secret: { type: 'string', writeOnly: true },
      next: { $ref: '#/components/schemas/Node' },
      size: { type: 'integer', minimum: 0, exclusiveMinimum: true, nullable: true, example: 3 },
    },
    required: ['id', 'secret'],
  },
};

test('schemas become 2020-12 with references kept, and go only the way they are meant for', () => {
  const body = { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } };
  const { world } = madeOf({
    openapi: '3.0.3',
    info: { title: 'Nodes' },
    paths: {
      '/nodes': {
        post: { requestBody: { required: true, content: body }, responses: { 201: { content: body } } },
      },
    },
    components: { schemas: SCHEMAS },
  });
  const size = { type: ['integer', 'null'], exclusiveMinimum: 0, examples: [3] };
  const next = { $ref: '#/$defs/Node' };
  const input = {
    type: 'object',
    properties: { secret: { type: 'string' }, next, size },
    required: ['secret'],
  };
  const output = { type: 'object', properties: { id: { type: 'string' }, next, size }, required: ['id'] };
  expect(world.file.tools).toEqual([
    {
      name: 'create_node',
      inputSchema: { ...input, $defs: { Node: input } },
      outputSchema: { ...output, $defs: { Node: output } },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    },
  ]);
});

test('names that collide are told apart, and a body that is no plain object stays one argument', () => {
  const string = { type: 'string' };
  const { world } = madeOf({
    openapi: '3.1.0',
    paths: {
      '/a/{id}': {
        put: {
          operationId: 'set it',
          deprecated: true,
          summary: 'Sets',
          parameters: [
            { name: 'id', in: 'query', schema: string },
            { name: 'Accept', in: 'header', schema: string },
            { name: 'filter[city]', in: 'query', schema: string },
          ],
          requestBody: { content: { 'application/json': { schema: { type: 'array', items: string } } } },
        },
      },
    },
  });
  const [tool] = world.file.tools ?? [];
  expect(tool?.name).toBe('set_it');
  expect(tool?.description).toBe('Deprecated. Sets');
  expect(Object.keys((tool?.inputSchema.properties ?? {}) as JsonObject)).toEqual([
    'query_id',
    'city',
    'id',
    'body',
  ]);
  expect(tool?.inputSchema.required).toEqual(['id']);
});

test('what is no OpenAPI 3 document is an error that says what was wanted', () => {
  const message = (text: string): string => {
    const result = worldFromOpenApi(text, { source: 'api.yaml' });
    return result.ok ? 'a world' : `${result.error.code}: ${result.error.message}`;
  };
  expect(message('swagger: "2.0"\npaths: {}')).toMatch(/^data\/invalid: api.yaml is Swagger "2.0"; wanted/);
  expect(message('openapi: 3.0.0\npaths: [')).toMatch(/^data\/invalid: api.yaml:2:9 is not valid YAML/);
  expect(message('')).toContain('holds no object');
  expect(message('openapi: 4.0.0\npaths: {}')).toContain('wanted 3.0 or 3.1');
  expect(message('openapi: 3.1.0\npaths: {}')).toContain('no operation that can be read');
  const laugh = `a: &a [x]\n${'bcdefghi'.replace(/./g, (c, i: number) => `${c}: &${c} [${Array(9).fill(`*${'abcdefgh'[i]}`).join()}]\n`)}`;
  expect(message(`openapi: 3.0.0\n${laugh}paths: {}`)).toContain('aliases');
});

test('references that lead nowhere, round in circles or outside are notes with their place', () => {
  const { notes } = madeOf({
    openapi: '3.0.0',
    security: [{ key: [] }],
    paths: {
      '/a': { $ref: 'other.yaml#/a' },
      '/b': {
        get: {
          parameters: [{ $ref: '#/components/parameters/Loop' }, { $ref: '#/nowhere' }],
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/gone' } } } } },
        },
      },
    },
    components: { parameters: { Loop: { $ref: '#/components/parameters/Loop' } } },
  });
  expect(notes.join('\n')).toMatch(/security is ignored/);
  expect(notes.join('\n')).toMatch(/#\/paths\/~1a: the reference "other.yaml#\/a" is into another document/);
  expect(notes.join('\n')).toMatch(/#\/paths\/~1b\/get\/parameters\/0: .* leads back to itself/);
  expect(notes.join('\n')).toMatch(/#\/paths\/~1b\/get\/parameters\/1: .* leads nowhere/);
});

test('parts of parts of parts, a schema that means itself and deep nesting end', () => {
  const schemas: Record<string, object> = {};
  for (let i = 0; i < 25; i++) {
    schemas[`B${i}`] = { allOf: Array(20).fill({ $ref: `#/components/schemas/B${(i + 1) % 25}` }) };
  }
  schemas.Self = { $ref: '#/components/schemas/Self' };
  schemas.Deep = JSON.parse(`${'{"items":'.repeat(60)}{}${'}'.repeat(60)}`);
  const operation = (name: string) => ({
    post: {
      requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
    },
  });
  const paths = { '/a': operation('B0'), '/b': operation('Self'), '/c': operation('Deep') };
  expect(madeOf({ openapi: '3.0.0', paths, components: { schemas } }).tools).toBe(3);
});

const JUNK: Json[] = [null, 1, 'x', [], {}, true, { $ref: '#/paths' }, { $ref: '#' }, [{}], { type: 7 }, -1];

test('a document with any part replaced by anything gives a world or an error, never an exception', () => {
  const documents = readdirSync(FOLDER).map(
    (file) => parse(readFileSync(`${FOLDER}${file}`, 'utf8')) as Json,
  );
  const spot = fc.array(fc.nat(1000), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(
      fc.constantFrom(...documents),
      fc.array(fc.tuple(spot, fc.constantFrom(...JUNK)), { maxLength: 3 }),
      (document, changes) => {
        const copy = structuredClone(document) as Record<string, unknown>;
        for (const [way, value] of changes) replaceAt(copy, way, structuredClone(value));
        const result = worldFromOpenApi(JSON.stringify(copy));
        expect(result.ok || result.error.message !== '').toBe(true);
      },
    ),
    { numRuns: 40 },
  );
});

function replaceAt(document: Record<string, unknown>, way: readonly number[], value: unknown): void {
  let here = document;
  for (const [i, step] of way.entries()) {
    const keys = Object.keys(here).filter((key) => key !== 'openapi');
    const key = keys[step % Math.max(1, keys.length)];
    if (key === undefined) return;
    const inner = here[key];
    if (i === way.length - 1 || typeof inner !== 'object' || inner === null) {
      here[key] = value;
      return;
    }
    here = inner as Record<string, unknown>;
  }
}
