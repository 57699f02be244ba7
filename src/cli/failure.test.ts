import { expect, test } from 'vitest';
import { UsageError, WorldError } from '../core/index.js';
import { exitCodeOf, failureOf, withoutKeys } from './failure.js';
import { visible, wantsColour } from './output.js';

test('what the user typed or named exits 2, everything else 1', () => {
  const usage = failureOf(new UsageError('no such tool', { code: 'usage/unknown-name' }));
  const missing = failureOf(new WorldError('no world x', { code: 'world/not-found' }));
  const broken = failureOf(new WorldError('bad file', { code: 'world/invalid' }));
  expect([usage, missing, broken].map(exitCodeOf)).toEqual([2, 2, 1]);
});

test('an unexpected error is called a bug, with the way to see more', () => {
  expect(failureOf(new TypeError('x is not a function'))).toEqual({
    code: 'engine/bug',
    message: 'this is a bug in umwelt: x is not a function (run again with UMWELT_DEBUG=1 to see where)',
  });
});

test('values of key-like variables never reach a message', () => {
  const environment = { OPENAI_API_KEY: 'sk-12345678', HOME: '/home/someone', SHORT_TOKEN: 'ab' };
  expect(withoutKeys('401 for sk-12345678 in /home/someone ab', environment)).toBe(
    '401 for [OPENAI_API_KEY] in /home/someone ab',
  );
});

test('control characters and direction overrides are shown, ordinary scripts are left alone', () => {
  expect(visible('\u001b[31mred\u0007 a\u202eb\tc\nשלום \u{1f642} \ud800')).toBe(
    '\\u{1b}[31mred\\u{7} a\\u{202e}b\tc\nשלום \u{1f642} \\u{d800}',
  );
});

test('colour follows FORCE_COLOR, then NO_COLOR, then the terminal', () => {
  expect(wantsColour({ FORCE_COLOR: '1', NO_COLOR: '1' }, false)).toBe(true);
  expect(wantsColour({ FORCE_COLOR: '0' }, true)).toBe(false);
  expect(wantsColour({ NO_COLOR: '1' }, true)).toBe(false);
  expect(wantsColour({ TERM: 'dumb' }, true)).toBe(false);
  expect(wantsColour({}, true)).toBe(true);
  expect(wantsColour({}, false)).toBe(false);
});
