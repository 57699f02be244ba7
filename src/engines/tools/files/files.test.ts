import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffHunks, editText } from './file-edit.js';
import { fitsGlob } from './file-glob.js';
import { meantPath } from './file-paths.js';
import { foundBelow, makeTree } from './file-tree.js';

test('a path is refused when it leaves the roots, however it is written', () => {
  expect([
    meantPath('/a/b/../c.txt', ['/a']),
    meantPath('/a/../etc', ['/a']),
    meantPath('/ab', ['/a']),
    meantPath('x//./y', ['/a']),
    meantPath('../x', []),
    meantPath('/x', []),
  ]).toEqual([
    { path: '/a/c.txt', isInside: true },
    { path: '/etc', isInside: false },
    { path: '/ab', isInside: false },
    { path: '/a/x/y', isInside: true },
    { path: 'x', isInside: false },
    { path: 'x', isInside: true },
  ]);
});

test('globs stay within one part of a path, except for two stars', () => {
  const fits = (glob: string) => ['a.md', 'd/b.md', 'd/e/c.txt', '.x'].filter((path) => fitsGlob(path, glob));
  expect([
    fits('*.md'),
    fits('**/*.md'),
    fits('d/**'),
    fits('**/*.{md,txt}'),
    fits('?.md'),
    fits('*'),
  ]).toEqual([
    ['a.md'],
    ['a.md', 'd/b.md'],
    ['d/b.md', 'd/e/c.txt'],
    ['a.md', 'd/b.md', 'd/e/c.txt'],
    ['a.md'],
    ['a.md', '.x'],
  ]);
});

test('a hostile glob takes no more than its length times the length of the name', () => {
  expect(fitsGlob('a'.repeat(2_000), `${'*a'.repeat(300)}b`)).toBe(false);
});

test('pieces are replaced where they stand first, else by lines without the spaces around them', () => {
  expect([
    editText('a b a', [{ oldText: 'a', newText: '$&' }]),
    editText('  if x\n    y\n', [{ oldText: 'if x\n  y', newText: 'if z\n  w' }]),
    editText('a', [{ oldText: 'q', newText: '' }]),
  ]).toEqual([{ text: '$& b a' }, { text: '  if z\n  w\n' }, { missing: { oldText: 'q', newText: '' } }]);
});

test('a diff has four lines around a change and says where the last line has no end', () => {
  const before = Array.from({ length: 12 }, (_, index) => `${index}\n`).join('');
  expect(diffHunks(before, before.replace('6\n', 'six\n'))).toBe(
    '@@ -3,9 +3,9 @@\n 2\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n 10\n',
  );
  expect(diffHunks('a', 'b')).toBe(
    '@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n',
  );
});

test('the lines of a diff that stay or come are the new text, those that stay or go the old one', () => {
  const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n'), { maxLength: 4 });
  fc.assert(
    fc.property(lines, lines, (old, fresh) => {
      const shown = diffHunks(old.join(''), fresh.join(''))
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('@@'));
      const side = (not: string) =>
        shown.filter((line) => !line.startsWith(not)).map((line) => `${line.slice(1)}\n`);
      if (shown.length > 0) expect([side('+'), side('-')]).toEqual([old, fresh]);
      else expect(old).toEqual(fresh);
    }),
  );
});

test('a search in texts abstains where it would have to know a text that nobody saw', () => {
  const tree = makeTree([{ path: 'a.txt', content: 'Hello' }, { path: 'd/b.txt' }], []);
  const names = (finds: 'name' | 'text', folder: string) =>
    foundBelow(tree, folder, { finds, pattern: 'hello', excludes: [] })?.map(({ path }) => path) ?? null;
  expect([names('text', ''), names('name', '')]).toEqual([null, []]);
});
