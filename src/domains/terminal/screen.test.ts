/**
 * The screen against what terminals show.
 */
import { expect, test } from 'vitest';
import { Screen } from './screen.js';

const show = (text: string, columns = 20, rows = 5): string => {
  const screen = new Screen(columns, rows);
  screen.write(new TextEncoder().encode(text));
  return screen.text();
};

test.each([
  ['a row of exactly the width leaves no empty row', `${'x'.repeat(20)}\r\ny`, `${'x'.repeat(20)}\ny`],
  ['long rows wrap', 'x'.repeat(25), `${'x'.repeat(20)}\nxxxxx`],
  ['old rows scroll off', '1\r\n2\r\n3\r\n4\r\n5\r\n6', '2\n3\n4\n5\n6'],
  ['clearing puts the cursor where it is told', 'a\r\nb\x1b[H\x1b[2Jc', 'c'],
  ['erasing to the end of the row', 'abc\x1b[2D\x1b[K', 'a'],
  ['cells are inserted and deleted', 'abcd\x1b[3D\x1b[2@X\x1b[1P', 'aXbcd'],
  ['rows are inserted and deleted', '1\r\n2\r\n3\x1b[2;1H\x1b[Lx\x1b[1;1H\x1b[M', 'x\n2\n3'],
  ['only the region scrolls', '1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[3;1H\nz', '1\n3\nz\n4'],
  ['the alternate screen comes and goes', 'main\x1b[?1049h\x1b[Halt\x1b[?1049l!', 'main!'],
  ['wide characters take two columns', '日本x\x1b[1;2Hy', ' y本x'],
  ['marks join the character before them', 'e\u0301x', 'e\u0301x'],
  ['line drawing', '\x1b(0lqk\x1b(B', '┌─┐'],
  ['titles and other strings are not shown', '\x1b]0;title\x07a\x1bP1$r\x1b\\b', 'ab'],
  ['reverse index scrolls down at the top', 'a\x1b[H\x1bMb', 'b\na'],
  ['the cursor is saved and restored', 'ab\x1b7\r\nc\x1b8d', 'abd\nc'],
])('%s', (_name, text, shown) => {
  expect(show(text)).toBe(shown);
});

test('bytes may be cut anywhere', () => {
  const bytes = new TextEncoder().encode('a\x1b[31mé日\x1b[0m\x1b]0;t\x07\x1b[2;3Hz');
  const whole = new Screen(20, 5);
  whole.write(bytes);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const screen = new Screen(20, 5);
    screen.write(bytes.subarray(0, cut));
    const later = Screen.from(JSON.parse(JSON.stringify(screen.fork().state())));
    later.write(bytes.subarray(cut));
    expect(later.text()).toBe(whole.text());
  }
});

test('a fork changes apart', () => {
  const screen = new Screen(20, 5);
  screen.write(new TextEncoder().encode('one\r\n'));
  const fork = screen.fork();
  fork.write(new TextEncoder().encode('fork'));
  screen.write(new TextEncoder().encode('\x1b[Hmine'));
  expect([screen.text(), fork.text()]).toEqual(['mine', 'one\nfork']);
});

test('questions about the cursor are answered', () => {
  const screen = new Screen(20, 5);
  screen.write(new TextEncoder().encode('ab\r\nc\x1b[6n'));
  expect(screen.replies).toEqual(['\x1b[2;2R']);
});
