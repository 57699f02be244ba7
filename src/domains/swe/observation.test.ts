import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exitCodeOf } from './result-block.js';
import { sweFormat } from './swe-format.js';

const { parseObservation, renderObservation, outline, contentTypes, normaliseObservation } = sweFormat;

function kinds(text: string): readonly string[] {
  return parseObservation(text).blocks.map((block) =>
    block.kind === 'note' ? `note ${block.note}` : block.kind,
  );
}

test('every text is written back as it was', () => {
  const line = fc.constantFrom(
    '     1\ta',
    '   2→b',
    '3:c',
    '4-d',
    'a.ts:1:x',
    'a.ts-2-y',
    '/a/b',
    'Exit code 1',
    '@@ -1 +1 @@',
    '--- a/x',
    '+++ b/x',
    'diff --git a/x b/x',
    '',
    '\r',
    'text',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.join('\n');
      expect(renderObservation(parseObservation(text))).toBe(text);
    }),
  );
});

test.each([
  ['numbered lines of a file', '     1\tone\n     2\t\n     3\tthree', ['lines']],
  ['numbered lines with an arrow', '   124→\t}\n   125→', ['lines']],
  [
    'an open file',
    '[File: a.py (10 lines total)]\n(2 more lines above)\n3:def f():\n4:    pass\n(6 more lines below)',
    ['note file', 'note cut', 'lines', 'note cut'],
  ],
  [
    'an edit',
    "The file /a.ts has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n     1→x",
    ['note edited', 'lines'],
  ],
  [
    'hits of a search with context',
    'a.ts-1-before\na.ts:2:hit\na.ts-3-after\n--\nb.ts:9:hit',
    ['matches', 'text', 'matches'],
  ],
  ['hits in one file', '301:func A\n302-\tbody\n305:func B', ['lines']],
  [
    'hits under the names of files',
    'Found 2 matches for pattern "x" in path ".":\n---\nFile: a.ts\nL12: x\nL40: y\n---',
    ['note count', 'note label', 'note file', 'lines', 'note label'],
  ],
  ['paths', '/a/b.ts\n/a/c d.ts', ['paths']],
  ['nothing found', 'No files found', ['note nothing']],
  ['a new file', 'File created successfully at: /a.md', ['note created']],
  [
    'a diff with text behind it',
    'diff --git a/x b/x\nindex 1234567..89abcde 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\ndone',
    ['diff', 'text'],
  ],
  ['a failed command', 'Exit code 2\nls: cannot access', ['exit', 'text']],
  ['a missing command', 'bash: foo: command not found', ['error']],
  ['a refused edit', 'No replacement was performed, old_str `x` did not appear', ['error']],
  ['output with clocks and ports', '12:30:45 started\nlistening on 0.0.0.0:8080\n4096\t./src', ['text']],
])('%s', (_what, text, wanted) => {
  expect(kinds(text)).toEqual(wanted);
});

test.each([
  ['Exit code 1\nx', 1],
  ['<returncode>127</returncode>\n<output>\n</output>', 127],
  ['x\n[The command completed with exit code 0.]\n[Current working directory: /a]', 0],
  ['Output: x\nExit Code: 7\nProcess Group PGID: 12', 7],
  ['Wall time: 0.1 seconds\nProcess exited with code -1\nOutput:\nx', -1],
  ['Exit code nothing', undefined],
])('the exit code of %j is %s', (text, code) => {
  expect(exitCodeOf(parseObservation(text))).toBe(code);
});

test('a numbered line has its number as id, a hit its path and number', () => {
  expect(outline('     7\ta\n     8\tb').parts.map(({ kind, id }) => [kind, id])).toEqual([
    ['line', '7'],
    ['line', '8'],
  ]);
  expect(outline('src/a.ts:12:x').parts.map(({ kind, id }) => [kind, id])).toEqual([
    ['match', 'src/a.ts:12'],
  ]);
});

test('what the action wrote is determined; times, process numbers, hashes and temporary paths are metadata', () => {
  const text = [
    'Exit code 1',
    '     1\tconst a = 1;',
    '     2\tconst b = 2;',
    '3 failed in 0.12s',
    '[main 20edef5] message',
    'saved /tmp/tmpab12/x.log by PID: 4242',
    '-rw-r--r-- 1 u u 23 Nov 29 20:19 README.md',
  ].join('\n');
  const action = { kind: 'tool-call', name: 'Write', arguments: { content: 'x\nconst a = 1;\n' } } as const;
  const shown = contentTypes(text, { action }).map(({ start, end, type }) => [text.slice(start, end), type]);
  const of = (type: string): readonly unknown[] =>
    shown.filter(([, one]) => one === type).map(([part]) => part);
  expect(of('runtime-metadata')).toEqual(['0.12s', '20edef5', '/tmp/tmpab12/x.log', '4242', 'Nov 29 20:19']);
  expect(of('deterministic')).toEqual(['1', '1', 'const a = 1;', '2']);
});

test('colours, carriage returns, spaces at line ends and spellings of JSON do not count for comparing', () => {
  expect(normaliseObservation('\x1b[31mred\x1b[0m  \r\nx\n')).toBe(normaliseObservation('red\nx'));
  expect(normaliseObservation('10%\r20%\rdone')).toBe('done');
  expect(normaliseObservation('{"b": 1,\n "a": [2]}')).toBe(normaliseObservation('{"a":[2],"b":1}'));
  expect(normaliseObservation('x')).not.toBe(normaliseObservation('y'));
});
