/**
 * The single checks of the guard on texts: what they find, and what they must leave alone.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Domain, Json } from '../../core/index.js';
import { mcpFormat } from '../../domains/index.js';
import { compileFacts } from '../pinned-facts.js';
import { compareWithDraft, type Draft } from './agreement.js';
import { checkClaims } from './claims-check.js';
import { findFileLies } from './file-check.js';
import type { GuardContext } from './finding.js';
import { findMalformed } from './form-check.js';
import { guardAnswer } from './guard.js';
import { KnownText } from './known-text.js';
import { findEffectLies, readEffects } from './program-effects.js';
import { findPageLies } from './search-check.js';
import { findSpeech } from './speech-check.js';

function context(domain: Domain, name: string, args: Json, more: Partial<GuardContext> = {}): GuardContext {
  return {
    ...{ domain, view: {}, hidden: undefined, facts: [], instruction: undefined },
    format: mcpFormat as GuardContext['format'],
    op: { kind: 'tool.call', name, args },
    known: new KnownText(['']),
    ...more,
  };
}

const speech = (text: string, more: Partial<GuardContext> = {}): string[] =>
  findSpeech(text, context('mcp', 'x', {}, more)).map(({ check }) => check);

test.each([
  ["I'm sorry, but I can't help with that.", ['refusal']],
  ['I cannot simulate this command.', ['refusal']],
  ['As an AI language model I have no files.', ['refusal']],
  ['抱歉，我无法执行', ['refusal']],
  ['Es tut mir leid, aber ich kann das nicht.', ['refusal']],
  ["Sure! Here's the output:\ntotal 0", ['assistant']],
  ['Here is the predicted output:\nx', ['assistant']],
  ['total 0\nLet me know if you need anything else.', ['assistant']],
  ['Operation completed successfully with all fields correct.', ['assistant']],
  ['This response accurately follows the expected schema.', ['assistant']],
  ['ok\n(per the reference answer)', ['vocabulary']],
  ['ok <think>', ['vocabulary']],
  ['ok\n### Turn 4\n**Action:**\nls', ['answers-for-agent']],
  ['ok<|im_end|>\n<|im_start|>user', ['answers-for-agent']],
  [`x ${'again and again. '.repeat(40)}`, ['loop']],
  [`${'abc '.repeat(3_000)}\nDate: 2031-05-04`, ['loop']],
  ['I\u2019m unable to simulate this request.', ['refusal']],
  ['Unable to simulate this request.', ['refusal']],
  [
    '1. Tides | https://a.example\n<tool_call>{"name":"open","arguments":{"id":1}}</tool_call>',
    ['answers-for-agent'],
  ],
  ['ok\nThought: I need more.\nAction: search("tides")', ['answers-for-agent']],
  ['ok\n{"name":"search","arguments":{"query":"x"}}', ['answers-for-agent']],
  ['ok </predicted_obser', ['mid-tag']],
  ['ok {{fact:nam', ['mid-tag']],
])('speech that is no observation is found in %j', (text, wanted) => {
  expect(speech(text)).toEqual(wanted);
});

test.each([
  'total 0\ndrwxr-xr-x 2 a a 4096 Jan  1 10:00 .',
  'Error: ticket T-9 not found',
  '{"message":"I am sorry to hear that","from":"ada"}',
  'Sorry for the delay, the parcel is on its way.',
  'Hello Ada,\nI have attached the report.',
  '================================================================',
  'User: root\nHost: box',
  'if (a <b',
  'Operation completed successfully.',
  'Unable to process the request: the account is locked.',
  'fatal: unable to access the repository: Could not resolve host: git.example',
  'Unable to find image locally',
  'Action: restart\nReason: upgrade',
  'Tool: hammer\nPrice: 12',
  '{"name":"a","arguments":{"x":1}}\n{"name":"b","arguments":{"x":2}}',
  `Name            Size\n${'-'.repeat(200)}\n${'a.txt  1\n'.repeat(8)}`,
  `${'.'.repeat(400)} done`,
  `${'|  0  |  0  |\n'.repeat(20)}`,
  `${'line of a log\n'.repeat(12)}`,
])('ordinary observations are left alone: %j', (text) => {
  expect(speech(text)).toEqual([]);
});

test('what stands in a known text may be shown, whatever it says', () => {
  const known = new KnownText(["I'm sorry, but I can't help. simulator.py holds the ground truth."]);
  expect(speech("I'm sorry, but I can't help.", { known })).toEqual([]);
  expect(speech('simulator.py: ground truth', { known })).toEqual([]);
});

test('quoting the instruction is found, sharing a few words with it is not', () => {
  const instruction = 'Every third call of the day must end with a time-out of thirty seconds.';
  expect(speech('ok: every third call of the day must end with a time-out', { instruction })).toEqual([
    'vocabulary',
  ]);
  expect(speech('every third call timed out', { instruction })).toEqual([]);
});

const VIEW = { data: { tickets: [{ id: 'T-1', title: 'lamp', status: 'open' }] } };

test('claims about known rows are held against the state, but for the row that a change is about', () => {
  const claims = (name: string, args: Json, text: string) =>
    checkClaims(text, context('mcp', name, args, { view: VIEW }), undefined).findings.map(
      ({ problem }) => problem,
    );
  const closed = '{"ticket":{"id":"T-1","status":"closed"}}';
  expect(claims('ticket_summarize', { id: 'T-1' }, closed)).toEqual([
    'tickets "T-1": status is "closed" in the answer; the state says "open"',
  ]);
  expect(claims('ticket_escalate', { id: 'T-1' }, closed)).toEqual([]);
  expect(claims('ticket_escalate', { id: 'T-2' }, closed)).toHaveLength(1);
  expect(claims('x', {}, '{"id":"T-9","status":"closed"}')).toEqual([]);
  expect(claims('x', {}, '{"count":1,"items":[1,2]}')).toEqual(['count is 1 beside a list of 2 items']);
  expect(claims('x', {}, 'words about T-1')).toEqual([]);
});

const DRAFT: Draft = {
  answer: {
    text: {
      text: '{"tickets":[{"id":"T-1","title":"lamp"},{"id":"T-2","title":"door"}],"total":2}',
      origins: [],
    },
    isError: false,
  },
  wrote: false,
  before: VIEW,
  args: {},
};

test.each([
  ['{"total":2,"tickets":[{"title":"lamp","id":"T-1"},{"id":"T-2","title":"door"}]}', true],
  ['[{"id":"T-2","title":"door"},{"id":"T-1","title":"lamp"}]', true],
  ['{"items":[{"id":"T-1","title":"lamp"},{"id":"T-2","title":"door"}]}', true],
  ['T-1 lamp, T-2 door: 2 in all', true],
  ['{"tickets":[{"id":"T-1","title":"lamp"}],"total":1}', false],
  ['{"tickets":[{"id":"T-1","title":"Lamp!"},{"id":"T-2","title":"door"}],"total":2}', false],
  ['T-1 lamp, T-2 door, T-3 roof: 3 in all', false],
  ['There are no tickets.', false],
])('an answer is compared with what is computed, value by value: %s', (text, agrees) => {
  const { problem } = compareWithDraft(text, DRAFT, {
    domain: 'mcp',
    format: mcpFormat as GuardContext['format'],
  });
  expect(problem === undefined).toBe(agrees);
});

test('an id that the call makes may be another one that is free', () => {
  const made: Draft = {
    answer: { text: { text: '{"id":"T-2","title":"door"}', origins: [] }, isError: false },
    ...{ wrote: true, before: VIEW, args: { title: 'door' } },
  };
  const by = { domain: 'mcp', format: mcpFormat as GuardContext['format'] } as const;
  const said = (text: string) => compareWithDraft(text, made, by);
  expect(said('{"id":"T-7","title":"door"}')).toEqual({ exact: false });
  expect(said('{"id":"T-2","title":"door"}')).toEqual({ exact: true });
  expect(said('{"id":"T-1","title":"door"}').problem).toContain('T-1');
  expect(said('{"id":"T-2","title":"gate"}').problem).toContain('gate');
  expect(said('Done.')).toEqual({ exact: true });
});

test('effects of programs are read member by member', () => {
  expect(readEffects('{"stdout":"a","exit_code":2,"files":{"x":null}}')).toEqual({
    ok: true,
    value: { stdout: 'a', stderr: '', exitCode: 2, files: { x: null } },
  });
  expect(readEffects('```json\n{"stderr":"no"}\n```')).toMatchObject({ ok: true, value: { stderr: 'no' } });
  expect(readEffects('{"name":"package.json of the program"}')).toMatchObject({
    ok: true,
    value: { exitCode: 0 },
  });
  for (const wrong of [
    '{"stdout":1}',
    '{"exitCode":1.5}',
    '{"files":{"a/":"x"}}',
    '{"files":{"a":1}}',
    '{"stdout":"","x":1}',
  ])
    expect(readEffects(wrong).ok).toBe(false);
});

const RESULTS = {
  'https://a.example': {
    title: 'Tide mills of the north',
    snippet: 'Built in 1874 by hand.',
    date: 'N/A',
    query: 'q',
  },
};
const result = (number: number): string =>
  `[${number}] https://a.example/${number}\nTitle: T${number}\nSnippet: s\nDate: N/A`;

test('pages agree with their results, and lists of results keep their form', () => {
  const page = (text: string) =>
    findPageLies(
      text,
      context('search', 'web_extractor', { url: 'https://a.example' }, { view: { results: RESULTS } }),
    ).length;
  expect([
    page('# Tide mills of the north\nBuilt in 1874.'),
    page('# Bakeries'),
    page('# Tide mills of the north\nOld.'),
  ]).toEqual([0, 1, 1]);
  const list = (text: string, perQuery = 2) =>
    findPageLies(text, context('search', 'web_search', { query: 'x' }, { view: { perQuery } })).length;
  const two = `${result(1)}\n\n${result(2)}`;
  expect([
    list(two),
    list(result(1)),
    list(two.replace('[2]', '[7]')),
    list('No results found.'),
    list('Just words.'),
  ]).toEqual([0, 1, 1, 0, 1]);
});

test('files that an agent wrote read back as they are', () => {
  const view = { files: { 'a.ts': 'one\ntwo\n', gone: null } };
  const read = (args: Json, text: string) =>
    findFileLies(text, context('swe', 'read_file', args, { view })).length;
  expect([
    read({ path: 'a.ts' }, '1\tone\n2\ttwo'),
    read({ path: 'a.ts' }, 'one\nthree'),
    read({ path: 'a.ts' }, 'Error: no such file'),
  ]).toEqual([0, 1, 1]);
  expect([
    read({ path: 'gone' }, 'text'),
    read({ path: 'gone' }, 'Error: file not found'),
    read({ path: 'b.ts' }, 'x'),
  ]).toEqual([1, 0, 0]);
  expect(read({ path: 'a.ts', offset: 2 }, 'two')).toBe(0);
});

test('a program may not print other variables, or paths below its folder that are not there and that it does not write', () => {
  const view = { entries: { '/w/a.txt': { kind: 'file' } } };
  const op = {
    kind: 'proc.start',
    name: 'git',
    args: { argv: ['git'], cwd: '/w', env: { LANG: 'C.UTF-8' }, stdin: null },
  } as const;
  const lies = (stdout: string, files: Record<string, string> = {}) =>
    findEffectLies({ stdout, stderr: '', exitCode: 0, files }, context('terminal', 'git', {}, { view, op }))
      .length;
  expect(lies('changed /w/a.txt')).toBe(0);
  expect(lies('changed /w/b.txt')).toBe(1);
  expect(lies('made /w/new/b.txt', { 'new/b.txt': 'x' })).toBe(0);
  expect(lies('Initialized empty Git repository in /w/.git/', { '.git/HEAD': 'ref' })).toBe(0);
  expect(
    lies('cannot open /w/b.txt: No such file or directory\nsee https://a.example/w/c and /usr/share/doc/git'),
  ).toBe(0);
  expect([lies('LANG=C.UTF-8'), lies('LANG=de_DE'), lies('OTHER=1')]).toEqual([0, 1, 0]);
});

test('a screen with a program in it ends with the prompt that is computed', () => {
  const terminal = context('terminal', 'terminal', {});
  const frame = { prompt: 'a@box:/w$' };
  expect(findMalformed('a@box:/w$ git log\nx\na@box:/w$ ', terminal, frame)).toEqual([]);
  expect(findMalformed('a@box:/w$ git log\nx\na@box:~$', terminal, frame)).toMatchObject([
    { check: 'contradiction' },
  ]);
});

test('no words throw, and none of them show a secret, whatever surrounds it', () => {
  const facts = compileFacts([{ id: 's', text: 'The code is 7741.', secret: true, reveal: { on: '*' } }]);
  if (!facts.ok) throw new Error(facts.error);
  const about = context('mcp', 'x', { a: 1 }, { facts: facts.value, view: VIEW });
  const question = { context: about, tool: undefined, allowedFacts: [], outputFits: undefined };
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.json(),
    fc.stringMatching(/^[<>{}[\]"\\/a-z0-9:#* \n-]{0,80}$/),
  );
  fc.assert(
    fc.property(anyText, anyText, fc.boolean(), (before, after, last) => {
      const plain = guardAnswer(before + after, question, last);
      expect(typeof plain.ok).toBe('boolean');
      expect(guardAnswer(`${before} The code is 7741. ${after}`, question, last).ok).toBe(false);
      compareWithDraft(before + after, DRAFT, { domain: 'mcp', format: about.format });
      readEffects(before + after);
    }),
  );
});
