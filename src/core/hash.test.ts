import { expect, test } from 'vitest';
import { hashJson, hashText, hashWords } from './index.js';

const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

test('the hash of a text is the SHA-256 of its UTF-8 bytes', () => {
  expect(hashText('abc')).toBe(ABC);
  expect(hashText(new Uint8Array([0x61, 0x62, 0x63]))).toBe(ABC);
  expect(hashText('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(hashText('🙂')).toBe(hashText(new Uint8Array([0xf0, 0x9f, 0x99, 0x82])));
});

test('equal values hash alike, whatever their key order; different ones do not', () => {
  expect(hashJson({ a: 1, b: [{ c: 2n, d: null }] })).toBe(hashJson({ b: [{ d: null, c: 2n }], a: 1 }));
  expect(hashJson({ a: 1 })).not.toBe(hashJson({ a: '1' }));
  expect(hashJson([1, 2])).not.toBe(hashJson([2, 1]));
});

test('the words of a hash are its first sixteen bytes', () => {
  expect(hashWords('abc')).toEqual([0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223]);
});
