import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { canonicalJson, hashJson, type Json, LIMITS, parseJson } from '../core/index.js';
import { loadWorld, loadWorldFile } from './load-world.js';
import type { WorldProblem } from './world-problem.js';

const folder = mkdtempSync(join(tmpdir(), 'umwelt-worlds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GOOD = `world: 1
name: tiny
domain: mcp
tools:
  - name: note_list
    description: List notes
    inputSchema: {type: object, properties: {}}
  - name: note_add
    description: Add a note
    inputSchema: {type: object, required: [text], properties: {text: {type: string}}}
state:
  data:
    notes:
      - {id: n1, text: first}
success:
  - id: added
    expr: size(state.data.notes) == 2
`;

/** What the hash of GOOD is taken of. */
const HASHED = JSON.stringify({
  world: 1,
  name: 'tiny',
  domain: 'mcp',
  tools: [
    { name: 'note_list', description: 'List notes', inputSchema: { type: 'object', properties: {} } },
    {
      name: 'note_add',
      description: 'Add a note',
      inputSchema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
    },
  ],
  state: { data: { notes: [{ id: 'n1', text: 'first' }] } },
  success: [{ id: 'added', expr: 'size(state.data.notes) == 2' }],
});

function problems(text: string, options = {}): readonly WorldProblem[] {
  const result = loadWorld(text, options);
  if (result.ok) throw new Error('loaded');
  return result.error.data.problems as readonly WorldProblem[];
}

/** Line, column, path and nearest of every problem. */
function places(text: string): unknown[] {
  return problems(text).map(({ line, column, path, nearest }) =>
    nearest === undefined ? [line, column, path] : [line, column, path, nearest],
  );
}

function written(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('a good file becomes a world with defaults filled in', () => {
  const result = loadWorld(GOOD);
  if (!result.ok) throw result.error;
  const { hash, text, file, spec, ...world } = result.value;
  expect(world).toEqual({
    name: 'tiny',
    domain: 'mcp',
    title: 'tiny',
    description: '',
    path: null,
    machine: null,
    harness: null,
    oracle: [],
    wrong: [],
    warnings: [],
  });
  const { value } = parseJson(HASHED) as { value: Json };
  expect(hash).toBe(hashJson(value));
  expect(text()).toBe(canonicalJson(value));
  expect(file.seed).toBe(0);
  expect(spec?.id).toBe(hash);
  expect(spec?.data).toEqual({ notes: [{ id: 'n1', text: 'first' }] });
  expect(spec?.startMs).toBe(Date.parse('2026-01-05T09:00:00Z'));
});

test('the hash depends on content only: not on key order, comments, x- keys, YAML or JSON', () => {
  const hashOf = (text: string): string => {
    const result = loadWorld(text);
    if (!result.ok) throw result.error;
    return result.value.hash;
  };
  const json = {
    name: 'tiny',
    world: 1,
    'x-mine': { a: 1 },
    domain: 'mcp',
    tools: [
      { name: 'note_list', description: 'List notes', inputSchema: { type: 'object', properties: {} } },
      {
        name: 'note_add',
        description: 'Add a note',
        inputSchema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
      },
    ],
    state: { 'x-why': 'test', data: { notes: [{ id: 'n1', text: 'first' }] } },
    success: [{ id: 'added', 'x-note': 1, expr: 'size(state.data.notes) == 2' }],
  };
  const base = hashOf(GOOD);
  expect(hashOf(`# a comment\n${GOOD}`)).toBe(base);
  expect(hashOf(JSON.stringify(json, null, '\t'))).toBe(base);
  expect(hashOf(`\uFEFF${GOOD.replaceAll('\n', '\r\n')}`)).toBe(base);
  expect(hashOf(GOOD.replace('first', 'second'))).not.toBe(base);
});

test('x- keys of rows and of tool schemas are data and stay', () => {
  const result = loadWorld(
    GOOD.replace('text: first', 'text: first, x-ray: 1').replace(
      '{type: string}',
      '{type: string, x-order: 2}',
    ),
  );
  if (!result.ok) throw result.error;
  expect(result.value.spec?.data.notes).toEqual([{ id: 'n1', text: 'first', 'x-ray': 1 }]);
  expect(result.value.spec?.tools[1]?.inputSchema).toEqual({
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string', 'x-order': 2 } },
  });
});

test('an unknown key is named with its place and the nearest known key', () => {
  expect(problems(`${GOOD}succes: []\n`)).toEqual([
    {
      line: 18,
      column: 1,
      path: 'succes',
      message: 'unknown key `succes`; did you mean `success`?',
      seen: 'succes',
      wanted: 'a known key, or one that starts with `x-`',
      nearest: 'success',
    },
  ]);
});

test('all problems are reported at once, in the order of the file', () => {
  const text = `world: 2
name: Bad Name
domain: mpc
tools:
  - {name: a_list, inputSchema: {type: object}}
  - {name: a_list, inputSchema: 5}
overrides:
  a_lst: {op: lst, colection: a}
success:
  - {id: one, expr: "state.x =="}
  - {id: one, expr: "stat.x == 1"}
facts:
  - {id: f, text: t, reveal: {on: "a_[", match: "(?=x)"}}
faults:
  - {kind: timeot}
budget: {maxTurns: -1}
`;
  expect(places(text)).toEqual([
    [1, 8, 'world'],
    [2, 7, 'name'],
    [3, 9, 'domain', 'mcp'],
    [6, 12, 'tools[1].name'],
    [6, 33, 'tools[1].inputSchema'],
    [8, 15, 'overrides.a_lst.op', 'list'],
    [8, 20, 'overrides.a_lst.colection', 'collection'],
    [10, 21, 'success[0].expr'],
    [11, 10, 'success[1].id'],
    [11, 21, 'success[1].expr'],
    [13, 35, 'facts[0].reveal.on'],
    [13, 49, 'facts[0].reveal.match'],
    [15, 12, 'faults[0].kind', 'timeout'],
    [16, 20, 'budget.maxTurns'],
  ]);
});

test('missing keys, wrong types and wrong values say what was wanted', () => {
  const texts = problems(
    'name: x\ndomain: mcp\nstrict: "yes"\nstate: {clock: noon, data: {a: [1]}}\ntools: []\n',
  ).map(({ path, message }) => `${path} ${message}`);
  expect(texts).toEqual([
    'world is missing; wanted 1',
    'strict is "yes"; wanted true or false',
    'state.clock is "noon"; wanted a time such as 2026-01-05T09:00:00Z',
    'state.data.a[0] is 1; wanted a row: an object of fields',
  ]);
});

test('a world of domain mcp without tools is told so', () => {
  expect(problems('world: 1\nname: x\ndomain: mcp\n').map(({ message }) => message)).toEqual([
    'key `tools` is missing; a world of domain mcp has a list of tools',
  ]);
});

test('a world of a domain without an engine loads, with any state', () => {
  const result = loadWorld('world: 1\nname: x\ndomain: web\nstate: {cwd: /tmp, x-a: 1, files: {a: b}}\n');
  if (!result.ok) throw result.error;
  expect(result.value.spec).toBeNull();
  expect(result.value.file.state).toEqual({ cwd: '/tmp', files: { a: 'b' } });
});

test('overrides, entities and scripts must name tools and collections that exist', () => {
  const text = `${GOOD}overrides:
  note_lst: {op: list, collection: notes}
  note_list: {op: list, collection: nots}
oracle:
  - {name: note_ad, arguments: {text: x}}
  - 'no action'
wrong:
  - {id: w, actions: ['[]']}
`;
  expect(places(text)).toEqual([
    [19, 3, 'overrides.note_lst', 'note_list'],
    [20, 37, 'overrides.note_list.collection', 'notes'],
    [22, 12, 'oracle[0].name', 'note_add'],
    [23, 5, 'oracle[1]'],
    [25, 23, 'wrong[0].actions[0]'],
  ]);
});

test('wrong scripts may be objects, lists of actions, or the actions of one script', () => {
  const wrongOf = (text: string): unknown => {
    const result = loadWorld(`${GOOD}wrong: ${text}\n`);
    if (!result.ok) throw result.error;
    return result.value.wrong;
  };
  const call = '{name: note_list}';
  const action = '{"name":"note_list"}';
  expect(wrongOf(`[{id: w, why: bad, actions: [${call}, '{"answer":"x"}']}]`)).toEqual([
    { id: 'w', why: 'bad', actions: [action, '{"answer":"x"}'] },
  ]);
  expect(wrongOf(`[[${call}], [${call}, ${call}]]`)).toEqual([
    { id: 'wrong-1', actions: [action] },
    { id: 'wrong-2', actions: [action, action] },
  ]);
  expect(wrongOf(`[${call}, ${call}]`)).toEqual([{ id: 'wrong', actions: [action, action] }]);
  expect(places(`${GOOD}wrong: [[${call}, 'no action']]\n`)).toEqual([[18, 29, 'wrong[0][1]']]);
  expect(places(`${GOOD}wrong: [${call}, [${call}]]\n`)).toEqual([[18, 28, 'wrong[1]']]);
  expect(places(`${GOOD}wrong: [{id: w, action: []}]\n`)).toEqual([
    [18, 9, 'wrong[0].actions'],
    [18, 17, 'wrong[0].action', 'actions'],
  ]);
});

test('a shell verifier in a world without a shell is refused', () => {
  expect(places(`${GOOD}  - {id: s, run: ls}\n`)).toEqual([[18, 13, 'success[1].run']]);
});

test('syntax mistakes have line and column', () => {
  const cases: [string, string][] = [
    ['a: 1\na: 2\n', '2:1 this key is there twice in one object; remove or rename one'],
    ['a: 1\n---\nb: 2\n', '2:1 has a second document after `---`; put each world in its own file'],
    ['a: !x 1\n', '1:4 unknown tag: !x; world files use no tags'],
    ['a: !!binary aGk=\n', '1:13 unknown tag tag:yaml.org,2002:binary; world files use no tags'],
    ['%YAML 1.1\n---\na: yes\n', '1:1 is YAML 1.1; world files are YAML 1.2'],
    ['a: *b\n', '1:4 alias *b has no anchor before it'],
    ['a: .inf\n', '1:4 Infinity is no JSON number'],
    ['? [a]\n: 1\n', '1:3 a key must be a plain text'],
    ['['.repeat(50_000), `1:1 nests deeper than ${LIMITS.jsonDepth} levels`],
    ['- '.repeat(50_000), `1:1 nests deeper than ${LIMITS.jsonDepth} levels`],
  ];
  for (const [text, wanted] of cases) {
    const result = loadWorld(text);
    if (result.ok) throw new Error(text);
    const [first] = result.error.data.problems as WorldProblem[];
    expect([result.error.code, `${first?.line}:${first?.column} ${first?.message}`]).toEqual([
      'world/syntax',
      wanted,
    ]);
  }
});

test('an alias bomb is refused once, a merge key anywhere', () => {
  const bomb = `a: &a [x,x,x,x]\nb: &b [${'*a,'.repeat(20)}]\nc: &c [${'*b,'.repeat(20)}]\n`;
  expect(problems(bomb)[0]?.message).toBe(`expands more than ${LIMITS.yamlAliases} aliases`);
  expect(problems(bomb).filter(({ message }) => message.includes('aliases'))).toHaveLength(1);
  expect(places(`x-base: &base {title: T}\n<<: *base\n${GOOD}`)).toEqual([[2, 1, '["<<"]']]);
  expect(places(`x-rows: [&row {id: 1}, {<<: *row}, {'<<': text}]\n${GOOD}`)).toEqual([
    [1, 25, 'x-rows[1]["<<"]'],
  ]);
});

test('files that are no text are refused in words', () => {
  const codeOf = (path: string): unknown[] => {
    const result = loadWorldFile(path);
    return result.ok ? ['ok'] : [result.error.code, result.error.message.replaceAll(folder, '')];
  };
  expect(codeOf(join(folder, 'none.yaml'))).toEqual(['world/not-found', 'there is no file /none.yaml']);
  expect(codeOf(folder)).toEqual(['world/unreadable', ' is a folder; wanted a world file']);
  expect(codeOf(written('binary.yaml', new Uint8Array([1, 0, 2])))).toEqual([
    'world/unreadable',
    '/binary.yaml:1:1 is binary (it has a zero byte); wanted UTF-8 text',
  ]);
  expect(codeOf(written('latin.yaml', new Uint8Array([0x61, 0xe9])))).toEqual([
    'world/unreadable',
    '/latin.yaml:1:1 is not UTF-8 text',
  ]);
  expect(codeOf(written('utf16.yaml', new Uint8Array([0xff, 0xfe, 0x61, 0])))).toEqual([
    'world/unreadable',
    '/utf16.yaml:1:1 is UTF-16; save it as UTF-8',
  ]);
  expect(codeOf(written('empty.yaml', ''))).toEqual([
    'world/invalid',
    '/empty.yaml:1:1 is empty; wanted an object that starts with `world: 1`',
  ]);
  expect(codeOf(written('list.yaml', '- a'))).toEqual([
    'world/invalid',
    '/list.yaml:1:1 is a list; wanted an object that starts with `world: 1`',
  ]);
});

test('content is taken in from files beside the world file, and its problems point into them', () => {
  written('tools.json', JSON.stringify({ tools: [{ name: 'row_list', inputSchema: { type: 'object' } }] }));
  written('rows.jsonl', '{"id":1}\n\n{"id":12345678901234567890}\n');
  const text =
    'world: 1\nname: x\ndomain: mcp\ntools: {from: tools.json}\nstate: {data: {rows: {from: rows.jsonl}}}\n';
  const result = loadWorldFile(written('from.yaml', text));
  if (!result.ok) throw result.error;
  expect(result.value.spec?.data).toEqual({ rows: [{ id: 1 }, { id: 12345678901234567890n }] });
  expect(result.value.spec?.tools.map(({ name }) => name)).toEqual(['row_list']);
  written('rows.jsonl', '{"id":1}\n\n5\n');
  const bad = loadWorldFile(join(folder, 'from.yaml'));
  expect(bad.ok ? '' : bad.error.message.replaceAll(folder, '')).toBe(
    'rows.jsonl:3:1 state.data.rows[1]: is 5; wanted a row: an object of fields',
  );
});

test('a JSON list of rows is taken in too, with places of its problems', () => {
  const text = 'world: 1\nname: x\ndomain: mcp\ntools: []\nstate: {data: {rows: {from: rows.json}}}\n';
  const path = written('json.yaml', text);
  written('rows.json', '[\n  {"id": 1},\n  7\n]\n');
  const bad = loadWorldFile(path);
  expect(bad.ok ? '' : bad.error.message).toBe(
    'rows.json:3:3 state.data.rows[1]: is 7; wanted a row: an object of fields',
  );
  written('rows.json', '[{"id": 1}');
  const broken = loadWorldFile(path);
  expect(broken.ok ? '' : broken.error.message).toMatch(
    /json\.yaml:5:\d+ state\.data\.rows\.from: rows\.json: is not JSON/,
  );
});

test('content outside the folder is never read', () => {
  mkdirSync(join(folder, 'inner'), { recursive: true });
  written('secret.json', '[]');
  symlinkSync(join(folder, 'secret.json'), join(folder, 'inner', 'link.json'));
  symlinkSync('/', join(folder, 'inner', 'root'));
  const head = 'world: 1\nname: x\ndomain: mcp\ntools: {from: ';
  for (const from of ['../secret.json', '/etc/passwd', 'link.json', 'root/etc/passwd', '.', '..']) {
    const path = join(folder, 'inner', 'w.yaml');
    writeFileSync(path, `${head}${JSON.stringify(from)}}\n`);
    const result = loadWorldFile(path);
    expect([from, result.ok ? 'ok' : result.error.code]).toEqual([from, 'world/outside']);
  }
  const uploaded = loadWorld(`${head}tools.json}\n`, { path: join(folder, 'w.yaml'), uploaded: true });
  expect(uploaded.ok ? '' : uploaded.error.code).toBe('world/outside');
  const unnamed = loadWorld(`${head}tools.json}\n`);
  expect(unnamed.ok ? '' : unnamed.error.code).toBe('world/outside');
  const missing = loadWorld(`${head}none.json}\n`, { path: join(folder, 'w.yaml') });
  expect(missing.ok ? '' : [missing.error.code, missing.error.message.replaceAll(folder, '')]).toEqual([
    'world/invalid',
    '/w.yaml:4:15 tools.from: none.json does not exist',
  ]);
});

test('services that are down and permissions become conditions of the tools', () => {
  const result = loadWorld(
    GOOD.replace(
      'state:\n',
      'state:\n  services: {store: {status: down, on: "*_add"}}\n  permissions: [{on: note_list}]\n',
    )
      .concat(
        'overrides:\n  note_add: {op: create, collection: notes}\n  note_list: {op: list, collection: notes}\n',
      )
      .concat('rules: [{on: note_add, require: "args.text != \'\'", error: empty}]\n'),
  );
  if (!result.ok) throw result.error;
  expect(result.value.spec?.requires).toEqual({
    note_add: [
      { expr: 'false', error: 'service store is unavailable', cause: 'unavailable' },
      { expr: "args.text != ''", error: 'empty' },
    ],
    note_list: [{ expr: 'false', error: 'permission denied', cause: 'permission' }],
  });
});

test('keys such as __proto__ do no harm', () => {
  const result = loadWorld(GOOD.replace('text: first', '__proto__: {admin: true}, constructor: 1'));
  if (!result.ok) throw result.error;
  const row = result.value.spec?.data.notes?.[0] ?? {};
  expect(Object.keys(row)).toEqual(['id', '__proto__', 'constructor']);
  expect(({} as Record<string, unknown>).admin).toBeUndefined();
  expect(problems(`__proto__: 1\n${GOOD}`).map(({ path }) => path)).toEqual(['__proto__']);
  expect(places(GOOD.replace('    notes:', '    __proto__:'))).toEqual([[13, 5, 'state.data.__proto__']]);
});

test('thousands of keys, rows and problems are all read', () => {
  const rows = Array.from({ length: 1_500 }, (_, i) => `      - {id: ${i}}`).join('\n');
  const keys = Array.from({ length: 3_000 }, (_, i) => `x-${i}: ${i}`).join('\n');
  const result = loadWorld(`${keys}\n${GOOD.replace('      - {id: n1, text: first}', rows)}`);
  expect(result.ok && result.value.spec?.data.notes?.length).toBe(1_500);
  const bad = Array.from({ length: 1_500 }, (_, i) => `      - ${i}`).join('\n');
  expect(problems(GOOD.replace('      - {id: n1, text: first}', bad))).toHaveLength(1_500);
});

test('any text gives a world or an error with places, never a crash', () => {
  const piece = fc.constantFrom(
    ...[
      'world: 1\n',
      'name: a\n',
      'domain: mcp\n',
      'tools:\n',
      '  - ',
      '{',
      '}',
      '[',
      ']',
      '*a',
      '&a ',
      '!t ',
      '? ',
    ],
    ...[
      ': ',
      '"',
      "'",
      '|\n',
      '>\n',
      '\t',
      '\r\n',
      '%',
      '---\n',
      'success',
      '\\',
      '\u0000',
      '\ud800',
      'x-a: ',
      '0x',
      '~',
    ],
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((parts) => parts.join('')),
      ),
      (text) => {
        const result = loadWorld(text);
        if (result.ok) return;
        const found = result.error.data.problems as WorldProblem[];
        expect(found.length).toBeGreaterThan(0);
        for (const { line, column } of found) expect(line >= 1 && column >= 1).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});

test('a list of tools that cannot be taken in is one problem, not one more for each tool named', () => {
  const path = written(
    'lacks-tools.yaml',
    'world: 1\nname: lacks-tools\ndomain: mcp\ntools: {from: none.json}\noverrides: {open_door: {op: compute}}\noracle: [{name: open_door, arguments: {}}]\n',
  );
  const result = loadWorldFile(path);
  const found = result.ok ? [] : (result.error.data.problems as WorldProblem[]);
  expect(found.map(({ path: at, message }) => [at, message])).toEqual([
    ['tools.from', 'none.json does not exist'],
  ]);
});
