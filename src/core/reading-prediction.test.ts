import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPredictionReader, type ReplyFacts, readPrediction, readTagged } from './index.js';

/** Observation and thinking, or the cause of failure. */
function short(text: string, facts: ReplyFacts = {}): unknown {
  const reading = readPrediction(text, facts);
  return reading.ok
    ? [reading.value.observation, reading.value.thinking]
    : { cause: reading.error.cause, thinking: reading.error.thinking };
}

const tagged = (text: string): string => `<predicted_observation>${text}</predicted_observation>`;

test('a closing thinking tag without an opening one ends the thinking', () => {
  const text = `The folder has two files, so list both.\n</think>\n\n${tagged('\nbox:/w$ ls\na.txt  b.txt\nbox:/w$\n')}`;
  expect(short(text)).toEqual([
    'box:/w$ ls\na.txt  b.txt\nbox:/w$',
    'The folder has two files, so list both.',
  ]);
});

test('a draft in front of a bare closing thinking tag is thinking', () => {
  expect(short(`Maybe ${tagged('total 0')} no.</think>${tagged('total 8')}`)).toEqual([
    'total 8',
    'Maybe <predicted_observation>total 0</predicted_observation> no.',
  ]);
});

test('a reply without tags is the observation, untouched', () => {
  expect(short('ok')).toEqual(['ok', null]);
  expect(short('  a <b> </c>\n')).toEqual(['  a <b> </c>\n', null]);
});

test('only one newline next to each tag is removed', () => {
  expect(short(tagged('\n\n  x  \r\n\r\n'))).toEqual(['\n  x  \r\n', null]);
  expect(short(tagged('  padded  '))).toEqual(['  padded  ', null]);
});

test('an empty observation is valid', () => {
  expect(short(`<think>mkdir is silent</think>${tagged('')}`)).toEqual(['', 'mkdir is silent']);
  expect(short(tagged('\n'))).toEqual(['', null]);
});

test('a draft inside thinking that never closed is never used', () => {
  const draft = `<think>Maybe ${tagged('total 0')} no, the folder was filled in turn 2, so the listing must have`;
  const thinking = draft.slice('<think>'.length);
  expect(short(draft, { finishReason: 'length' })).toEqual({ cause: 'truncated', thinking });
  expect(short(draft)).toEqual({ cause: 'truncated', thinking });
  expect(short(draft, { finishReason: 'stop' })).toEqual({ cause: 'empty_answer', thinking });
  expect(short('', { finishReason: 'stop', reasoning: draft })).toEqual({
    cause: 'empty_answer',
    thinking: draft,
  });
  expect(short('', { finishReason: 'length', reasoning: draft })).toEqual({
    cause: 'truncated',
    thinking: draft,
  });
});

test('an answer that was cut by the length limit is not an observation', () => {
  expect(short('<predicted_observation>box:/w$ ls\na.t', { finishReason: 'length' })).toEqual({
    cause: 'truncated',
    thinking: null,
  });
  expect(short('box:/w$ ls\na.t', { finishReason: 'length' })).toMatchObject({ cause: 'truncated' });
  expect(short(`${tagged('whole')} and then some wor`, { finishReason: 'length' })).toEqual(['whole', null]);
});

test('a block left open by a stop text is read and marked as not closed', () => {
  const reading = readPrediction('<predicted_observation>\nx', { finishReason: 'stop' });
  expect(reading).toEqual({
    ok: true,
    value: {
      observation: 'x',
      thinking: null,
      tagged: true,
      closed: false,
      raw: '<predicted_observation>\nx',
    },
  });
});

test('white space alone is no answer', () => {
  expect(short(' \n')).toEqual({ cause: 'empty_answer', thinking: null });
  expect(short('<think>a</think>\n')).toEqual({ cause: 'empty_answer', thinking: 'a' });
});

test('the last block wins, and trailing words are left out', () => {
  expect(short(`${tagged('first')}\n${tagged('second')} hope it helps`)).toEqual(['second', null]);
});

test('nested and late thinking is taken out', () => {
  expect(short(`<think>a<think>b</think>c</think>${tagged('x')}<think>late</think>`)).toEqual([
    'x',
    'a<think>b</think>c\nlate',
  ]);
  expect(short(tagged('<THINK>inside</THINK>\nx'))).toEqual(['x', 'inside']);
});

test('thinking in a plain reply leaves only the answer, with its indentation', () => {
  expect(short('<think>check size first</think>\n\n  42 bytes', { reasoning: 'check size first' })).toEqual([
    '  42 bytes',
    'check size first',
  ]);
});

test('a single thinking tag that an observation shows stays in it', () => {
  expect(short(`<think>t</think>${tagged('if "</think>" in text:')}`)).toEqual([
    'if "</think>" in text:',
    't',
  ]);
  expect(short(`<think>t</think>${tagged('if "<think>" in text:')}`)).toEqual(['if "<think>" in text:', 't']);
});

test('a prefilled reply ends at its closing tag', () => {
  expect(short('total 0\n</predicted_observation>')).toEqual(['total 0', null]);
});

test('while a reply arrives, only certain thinking is told', () => {
  const reader = createPredictionReader();
  expect(reader.push('<thi')).toEqual({ phase: 'undecided', thinking: '' });
  expect(reader.push('nk>a')).toEqual({ phase: 'thinking', thinking: 'a' });
  expect(reader.push('b</')).toEqual({ phase: 'thinking', thinking: 'b' });
  expect(reader.push('think>c')).toEqual({ phase: 'undecided', thinking: '' });
  expect(reader.end()).toMatchObject({ ok: true, value: { observation: 'c', thinking: 'ab' } });
});

const piece = fc.oneof(
  fc.constantFrom('<think>', '</think>', '<predicted_observation>', '</predicted_observation>', '</THINK>'),
  fc.constantFrom('\n', '\r\n', ' ', '<', '</', '<think', 'think>', 'x', '🙂', 'Kelvin \u212a', 'İ'),
  fc.string({ maxLength: 5 }),
);
const reply = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const facts = fc.record(
  { finishReason: fc.constantFrom('stop', 'length', 'other'), reasoning: fc.option(fc.string()) },
  { requiredKeys: [] },
) as fc.Arbitrary<ReplyFacts>;

test('any cutting of a reply into pieces gives the same final values', () => {
  fc.assert(
    fc.property(reply, facts, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (text, known, sizes) => {
      const whole = readPrediction(text, known);
      const byOne = createPredictionReader();
      for (let i = 0; i < text.length; i++) byOne.push(text.charAt(i));
      expect(byOne.end(known)).toEqual(whole);
      const random = createPredictionReader();
      for (let at = 0; at < text.length; ) {
        const size = sizes.next().value as number;
        random.push(text.slice(at, at + size));
        at += size;
      }
      expect(random.end(known)).toEqual(whole);
    }),
    { numRuns: 500 },
  );
});

test('what is read stands in the reply, and the raw text is always kept', () => {
  fc.assert(
    fc.property(reply, facts, (text, known) => {
      const reading = readPrediction(text, known);
      expect(reading.ok ? reading.value.raw : reading.error.raw).toBe(text);
      if (reading.ok && !/<\/?think>/i.test(text)) expect(text).toContain(reading.value.observation);
    }),
    { numRuns: 500 },
  );
});

test('many tags are read in time that grows with the text only', () => {
  const many = `${'</think>'.repeat(50_000)}${'<think>'.repeat(50_000)}`;
  expect(short(many)).toMatchObject({ cause: 'truncated' });
  expect(short(`<predicted_observation>${'</think>'.repeat(50_000)}`)).toMatchObject({
    cause: 'empty_answer',
  });
});

test('a tagged block is the last one outside thinking', () => {
  expect(readTagged('<think><v>1</v></think>Draft <v>2</v> final\n<V>\n3\n</V> end', 'v')).toEqual({
    block: '3',
    closed: true,
    rest: 'Draft 2 final\n\n3\n end',
    thinking: '<v>1</v>',
    unclosedThinking: false,
  });
  expect(readTagged('no block', 'v').block).toBeNull();
  expect(readTagged('<think>never <v>1</v>', 'v')).toMatchObject({ block: null, unclosedThinking: true });
});
