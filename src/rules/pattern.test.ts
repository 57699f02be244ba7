import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob, compilePattern } from './index.js';
import { estimateSize } from './pattern.js';

function glob(source: string): (text: string) => boolean {
  const compiled = compileGlob(source);
  if (!compiled.ok) throw compiled.error;
  return compiled.value.matches;
}

function globError(source: string): string {
  const compiled = compileGlob(source);
  return compiled.ok ? 'ok' : `${compiled.error.code}: ${compiled.error.message}`;
}

describe('globs', () => {
  test.each([
    ['*', '', true],
    ['issue_*', 'issue_create', true],
    ['issue_*', 'my_issue_create', false],
    ['issue_?', 'issue_1', true],
    ['issue_?', 'issue_12', false],
    ['?', '👋', true],
    ['[abc]x', 'bx', true],
    ['[abc]x', 'dx', false],
    ['[a-c]1', 'b1', true],
    ['[!a-c]1', 'b1', false],
    ['[!a-c]1', 'z1', true],
    ['[a\\]]', ']', true],
    ['[-a]', '-', true],
    ['[.]', 'x', false],
    ['{get,list}_*', 'list_rows', true],
    ['{get,list}_*', 'set_rows', false],
    ['{a,{b,c}d}', 'cd', true],
    ['{,x}y', 'y', true],
    ['a,b', 'a,b', true],
    ['a.b', 'axb', false],
    ['a.b', 'a.b', true],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['(a|b)+$^', '(a|b)+$^', true],
    ['git *', 'git push\n--force', true],
    ['*/v1/*', 'https://host/v1/rows/2', true],
    ['plain', 'plain', true],
    ['plain', 'Plain', false],
    ['größe*', 'größe 3', true],
    ['👋*', '👋🏽', true],
  ])('%s on %s is %s', (source, text, wanted) => {
    expect(glob(source)(text)).toBe(wanted);
  });

  test('a*a*…b cannot explode', () => {
    expect(glob(`${'a*'.repeat(200)}b`)('a'.repeat(20_000))).toBe(false);
    expect(glob(`${'a*'.repeat(200)}b`)(`${'a'.repeat(20_000)}b`)).toBe(true);
  });

  test.each([
    ['[abc', 'rules/syntax: the glob "[abc" cannot be used: a [ is not closed by ], or holds nothing'],
    ['[]', 'rules/syntax: the glob "[]" cannot be used: a [ is not closed by ], or holds nothing'],
    ['{a,b', 'rules/syntax: the glob "{a,b" cannot be used: a { is not closed by }'],
    ['a}', 'rules/syntax: the glob "a}" cannot be used: a } closes nothing; write \\}'],
    ['a\\', 'rules/syntax: the glob "a\\\\" cannot be used: a backslash at its end escapes nothing'],
  ])('%s is refused', (source, wanted) => {
    expect(globError(source)).toBe(wanted);
  });

  test('a reversed range and an endless glob are refused', () => {
    expect(globError('[z-a]')).toContain('rules/syntax');
    expect(globError('*'.repeat(1_001))).toContain('rules/budget');
    expect(globError('{'.repeat(1_000))).toContain('rules/syntax');
    expect(globError(`${'{'.repeat(500)}${'}'.repeat(500)}`)).toMatch(/ok|rules\/(syntax|budget)/);
  });

  test('no text makes the compiler throw, and an escaped text matches itself', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => compileGlob(text).ok !== undefined));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(glob(text.replace(/[*?[\]{}\\]/g, '\\$&'))(text)).toBe(true);
      }),
    );
  });

  test('a glob of letters, stars and marks agrees with a plain reference matcher', () => {
    const reference = (pattern: string, text: string): boolean => {
      if (pattern === '') return text === '';
      const [first, rest] = [pattern[0], pattern.slice(1)];
      if (first === '*') return reference(rest, text) || (text !== '' && reference(pattern, text.slice(1)));
      return text !== '' && (first === '?' || first === text[0]) && reference(rest, text.slice(1));
    };
    const letters = (units: string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 7 });
    fc.assert(
      fc.property(letters(['a', 'b', '*', '?']), letters(['a', 'b', 'c']), (pattern, text) => {
        expect(glob(pattern)(text)).toBe(reference(pattern, text));
      }),
    );
  });
});

describe('patterns', () => {
  test('find anywhere, or match the whole text', () => {
    const compiled = compilePattern('b+', { ignoreCase: true });
    if (!compiled.ok) throw compiled.error;
    expect([
      compiled.value.test('aBBc'),
      compiled.value.matchesAll('aBBc'),
      compiled.value.matchesAll('bB'),
    ]).toEqual([true, false, true]);
  });

  test.each([
    ['(?=a)b', 'Look-around is not supported'],
    ['(?<!a)b', 'Look-around is not supported'],
    ['(a)\\1', 'Backreferences are not supported'],
    ['a++', 'Possessive and atomic groups are not supported'],
    ['(?>a)', 'Possessive and atomic groups are not supported'],
    ['(', 'put a backslash before it'],
    ['a{1001}', 'invalid repeat count'],
  ])('%s is refused with the next step', (source, wanted) => {
    const compiled = compilePattern(source);
    expect(compiled.ok ? 'ok' : compiled.error.code).toBe('rules/syntax');
    expect(compiled.ok ? 'ok' : compiled.error.message).toContain(wanted);
  });

  test('sizes are estimated before compiling: repeats multiply', () => {
    expect(estimateSize('abc')).toBe(3);
    expect(estimateSize('a{5}')).toBe(5);
    expect(estimateSize('(ab){10}')).toBe(30);
    expect(estimateSize('((a{30}){30}){30}')).toBeGreaterThan(27_000);
    expect(estimateSize('[a{9}]{3}\\{{2}')).toBe(5);
    expect(estimateSize('x{2,}')).toBe(2);
  });

  test('no text makes the compiler throw', () => {
    const marks = fc.constantFrom(...'()[]{}*+?|^$\\.,-:<>=!aP1', '{2}', '(?', '[[:', '\\p{L}', '\\x');
    fc.assert(fc.property(fc.string({ unit: marks }), (text) => compilePattern(text).ok !== undefined));
  });
});
