/** What judges write, read strictly: hard cases P-OUT-4 and P-OUT-5, and the reference parser's results. */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DIMENSIONS, type Grades, readChoice, readVerdict } from './index.js';

const FIVE = '"factuality":3,"consistency":4,"realism":4,"quality":3';
const STRENGTHS = ['Prompt is right, note: path updates'];
const WEAKNESSES = ['List ends with , } instead of ]', 'Quotes\n```\n{"a":1}\n```\nfrom the log'];
const VALID = JSON.stringify({
  strengths: STRENGTHS,
  weaknesses: WEAKNESSES,
  scores: { format: 4, factuality: 3, consistency: 4, realism: 4, quality: 3 },
});
const inTag = (text: string): string =>
  `<final_evaluation>\n\`\`\`json\n${text}\n\`\`\`\n</final_evaluation>`;

test('a valid verdict is read strictly, its words character for character', () => {
  expect(readVerdict(inTag(VALID))).toEqual({
    ok: true,
    value: {
      grades: { format: 4, factuality: 3, consistency: 4, realism: 4, quality: 3 },
      total: 3.6,
      strengths: STRENGTHS,
      weaknesses: WEAKNESSES,
      repaired: false,
      notes: [],
    },
  });
});

test('an almost valid one is repaired, its words unchanged, and says so', () => {
  const broken = VALID.replace('"factuality":3,', '"factuality":3, // close call\n').replace(/\}\}$/, ',}}');
  expect(readVerdict(inTag(broken))).toMatchObject({
    ok: true,
    value: { total: 3.6, repaired: true, strengths: STRENGTHS, weaknesses: WEAKNESSES },
  });
});

test.each<[string, string, string, string]>([
  [
    'a missing dimension',
    '{"format":5,"factuality":2,"consistency":4,"realism":4}',
    'missing-dimension',
    'missing quality',
  ],
  [
    'another scale',
    '{"format":"8/10","factuality":7,"consistency":8,"realism":8,"quality":9}',
    'wrong-scale',
    'wrong scale: format is "8/10", wanted a grade from 1 to 5; out of range: factuality is 7, wanted 1 to 5; out of range: consistency is 8, wanted 1 to 5; out of range: realism is 8, wanted 1 to 5; out of range: quality is 9, wanted 1 to 5',
  ],
  [
    'zeros',
    '{"format":0,"factuality":0,"consistency":0,"realism":0,"quality":0}',
    'out-of-range',
    DIMENSIONS.map((one) => `out of range: ${one} is 0, wanted 1 to 5`).join('; '),
  ],
  [
    'grades off the scale',
    '{"format":4,"factuality":-2,"consistency":9,"realism":4,"quality":4}',
    'out-of-range',
    'out of range: factuality is -2, wanted 1 to 5; out of range: consistency is 9, wanted 1 to 5',
  ],
  ['a grade of 5.4', `{"format":5.4,${FIVE}}`, 'out-of-range', 'out of range: format is 5.4, wanted 1 to 5'],
  [
    'a truth value',
    `{"format":true,${FIVE}}`,
    'unreadable-grade',
    'unreadable format is true, wanted a whole number from 1 to 5',
  ],
  [
    'a word',
    `{"format":"good",${FIVE}}`,
    'unreadable-grade',
    'unreadable format is "good", wanted a whole number from 1 to 5',
  ],
  ['nothing for one', `{"format":null,${FIVE}}`, 'missing-dimension', 'missing format'],
  [
    'two grades for one',
    `{"format":1,"Format":5,${FIVE}}`,
    'unreadable-grade',
    'unreadable format is "1 and 5", wanted a whole number from 1 to 5',
  ],
])('%s is no verdict and never a smaller mean', (_what, scores, cause, message) => {
  const read = readVerdict(inTag(`{"strengths":["s"],"weaknesses":"w","scores":${scores}}`));
  expect(read).toEqual({
    ok: false,
    error: { cause, message, remarks: { strengths: ['s'], weaknesses: ['w'] }, repaired: false },
  });
});

test('grades as texts and as so many of five are read; fractions are rounded half to even and noted', () => {
  const read = (scores: string) => readVerdict(inTag(`{"scores":${scores}}`));
  expect(
    read('{"format":"4/5","factuality":"3 out of 5","consistency":" 4 ","realism":"4.0","quality":4}'),
  ).toMatchObject({ ok: true, value: { total: 3.8, notes: [] } });
  expect(read('{"format":2.5,"factuality":3.5,"consistency":4.4,"realism":1,"Quality":5}')).toMatchObject({
    ok: true,
    value: {
      grades: { format: 2, factuality: 4, consistency: 4, realism: 1, quality: 5 },
      notes: [
        'format 2.5 was rounded to 2',
        'factuality 3.5 was rounded to 4',
        'consistency 4.4 was rounded to 4',
      ],
    },
  });
});

test.each<[string, string, string]>([
  ['nothing', ' \n', 'empty'],
  ['words alone', 'It is very good, 5 of 5.', 'no-verdict'],
  ['an unfinished thought with a draft', `<think>perhaps ${inTag(VALID)}`, 'truncated'],
  ['a torn text inside the verdict', '<final_evaluation>{"strengths":["cut in the mid', 'broken-json'],
  ['other JSON', '<final_evaluation>{"note":1}</final_evaluation>', 'no-verdict'],
])('%s is no verdict', (_what, text, cause) => {
  expect(readVerdict(text)).toMatchObject({ ok: false, error: { cause } });
});

test('a reply that was cut is none, whatever stands in it; a tag that was asked for must be there', () => {
  expect(readVerdict(inTag(VALID), { finishReason: 'length' })).toMatchObject({
    error: { cause: 'truncated' },
  });
  expect(readVerdict(inTag(VALID), { tag: 'verdict-1f' })).toMatchObject({ error: { cause: 'no-verdict' } });
  expect(readVerdict(`<verdict-1f>${VALID}</verdict-1f>`, { tag: 'verdict-1f' }).ok).toBe(true);
});

test('the last block outside thinking counts, drafts before it do not', () => {
  const draft = inTag(VALID.replace('"format":4', '"format":1'));
  const read = readVerdict(`<think>${draft}</think>${draft}\nOn reflection:\n${inTag(VALID)}`);
  expect(read).toMatchObject({ ok: true, value: { grades: { format: 4 } } });
});

test('any text is read without a throw, and what is read is on the scale', () => {
  const piece = fc.constantFrom(
    '<think>',
    '</think>',
    '<final_evaluation>',
    '</final_evaluation>',
    VALID,
    '{"scores":',
    '"',
    ',}',
    '9',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
      const read = readVerdict(pieces.join(''));
      if (!read.ok) return;
      for (const dimension of DIMENSIONS) expect([1, 2, 3, 4, 5]).toContain(read.value.grades[dimension]);
    }),
  );
});

test.each([
  ['one \\boxed{A}', 'A'],
  ['$\\boxed{ b }$', 'B'],
  ['I choose A, no wait \\boxed{B}', 'B'],
  ['\\boxed{C}', null],
  ['\\boxed{\\text{A}}', 'A'],
  ['My answer is **B**.', 'B'],
  ['Response A is real.', 'A'],
  ['A appears more realistic.', 'A'],
  ['a word is more realistic here', null],
  ['<think>\\boxed{B}</think>Nothing is said.', null],
])('the choice of %s is %s', (text, choice) => {
  expect(readChoice(text)).toBe(choice);
});

const FILE = new URL('../../../shared/samples/judge-parity.jsonl', import.meta.url);

interface Row {
  readonly kind: string;
  readonly input: string;
  readonly official: {
    readonly success: boolean;
    readonly choice?: 'A' | 'B' | null;
    readonly scores: Grades;
    readonly total_score: number;
  };
}

const REFUSED = /out of range|missing \w+|unreadable \w+ is|inside its thinking|wrong scale/;

test('the reference parser is equalled wherever it made no grade up and lost none', (context) => {
  if (!existsSync(FILE)) context.skip('shared sample judge-parity.jsonl is not here');
  const rows = readFileSync(FILE, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
  let equal = 0;
  for (const { kind, input, official } of rows) {
    if (kind === 'choice') expect([input, readChoice(input)]).toEqual([input, official.choice]);
    if (kind !== 'judge') continue;
    const read = readVerdict(input);
    if (!read.ok) {
      // The reference makes a grade of what is missing, off the scale, no number, or a draft within thinking.
      if (official.success) expect(JSON.stringify(read.error)).toMatch(REFUSED);
      continue;
    }
    if (!official.success) continue;
    expect([input, read.value.grades, read.value.total]).toEqual([
      input,
      official.scores,
      official.total_score,
    ]);
    equal += 1;
  }
  expect(equal).toBeGreaterThan(0);
});
