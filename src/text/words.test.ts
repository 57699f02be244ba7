import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countWords, matchReference, wordSet, wordShares } from './index.js';

const words = (text: string): readonly string[] => [...wordSet(text)];

test('words are runs of letters, numbers and underscores, in lower case, each once', () => {
  expect(words('Total 3, ok. total OK a_b-c')).toEqual(['total', '3', 'ok', 'a_b', 'c']);
});

test('scripts without spaces give pairs of characters, and a lone character is a word', () => {
  expect(words('红色箱子')).toEqual(['红色', '色箱', '箱子']);
  expect(words('箱')).toEqual(['箱']);
  expect(words('カタカナ')).toEqual(['カタ', 'タカ', 'カナ']);
});

test('mixed text gives words and pairs, and characters beyond the first plane count whole', () => {
  expect(words('打开 iPhone 设置')).toEqual(['打开', 'iphone', '设置']);
  expect(words('𠀀𠀁𠀂')).toEqual(['𠀀𠀁', '𠀁𠀂']);
  expect(words('𝒜𝒷 x')).toEqual(['𝒜𝒷', 'x']);
});

test('emoji are words; punctuation, broken surrogates and spaces are not', () => {
  expect(words('🙂🙂 🚲 ☂')).toEqual(['🙂', '🚲', '☂']);
  expect(words('… -- \ud83d " \udc00')).toEqual([]);
});

test('two Chinese sentences that differ in one word share eight of twelve pairs', () => {
  const shares = wordShares('仓库里有十二个红色箱子', '仓库里有十二个蓝色箱子');
  expect(shares).toEqual({ overlap: 0.8, novelty: 0.2, jaccard: 8 / 12 });
  const other = wordShares('仓库里有十二个红色箱子', '今天的会议改到下午三点');
  expect(other).toEqual({ overlap: 0, novelty: 1, jaccard: 0 });
});

test('Cyrillic differs in one word, emoji are not identical, punctuation does not decide', () => {
  expect(wordShares('в коробке три ключа', 'в коробке два ключа').jaccard).toBe(0.6);
  expect(wordShares('🙂🙂', '🚲').jaccard).toBe(0);
  expect(wordShares('total 3, ok.', 'total 3 ok').jaccard).toBe(1);
});

test('a share of nothing is null', () => {
  expect(wordShares('', '')).toEqual({ overlap: null, novelty: null, jaccard: null });
  expect(wordShares('', 'a')).toEqual({ overlap: null, novelty: 1, jaccard: 0 });
  expect(wordShares('a', '…')).toEqual({ overlap: 0, novelty: null, jaccard: 0 });
});

test('empty predictions and empty references are told apart', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['', ''],
    ['', 'x.txt'],
    ['x.txt', ''],
    ['\f', 'x.txt'],
    ['  \n', ''],
  ];
  expect(rows.map(([text, reference]) => matchReference(text, reference))).toEqual([
    { isExact: true, coverage: null, remark: 'both-empty' },
    { isExact: false, coverage: 0, remark: 'missing' },
    { isExact: false, coverage: 0, remark: 'invented' },
    { isExact: false, coverage: 0, remark: 'missing' },
    { isExact: true, coverage: null, remark: 'both-empty' },
  ]);
});

test('counting without sets equals counting with sets, on any text', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .array(fc.constantFrom('a', 'b', 'İ', 'ß', 'ab', '红', '色', '🙂', '𠀀', ' ', '\n', '_', '\ud83d'))
      .map((all) => all.join('')),
  );
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const first = wordSet(a);
      const second = wordSet(b);
      const shared = [...first].filter((word) => second.has(word)).length;
      expect(countWords(a, b)).toEqual({ first: first.size, second: second.size, shared });
    }),
    { numRuns: 500 },
  );
});

test('large texts are counted exactly, and the table is small again afterwards', () => {
  const many = Array.from({ length: 200_000 }, (_, i) => `w${i}`).join(' ');
  expect(countWords(many, 'w1 w2 x')).toEqual({ first: 200_000, second: 3, shared: 2 });
  expect(countWords('a b', 'b c')).toEqual({ first: 2, second: 2, shared: 1 });
});
