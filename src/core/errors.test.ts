import { expect, test } from 'vitest';
import {
  DataError,
  EngineError,
  ERROR_CODES,
  JudgeError,
  LimitError,
  ProviderError,
  RuleError,
  TrainingError,
  UmweltError,
  UsageError,
  WorldError,
} from './index.js';

const CLASSES = {
  ProviderError,
  WorldError,
  EngineError,
  JudgeError,
  DataError,
  TrainingError,
  LimitError,
  RuleError,
  UsageError,
};

test('an error carries its code, evidence, cause and class name', () => {
  const cause = new TypeError('low');
  const error = new WorldError('world "x" is unreadable', {
    code: 'world/unreadable',
    cause,
    data: { line: 3 },
  });
  expect({ ...error, name: error.name, message: error.message, cause: error.cause }).toEqual({
    code: 'world/unreadable',
    data: { line: 3 },
    name: 'WorldError',
    message: 'world "x" is unreadable',
    cause,
  });
  expect(error).toBeInstanceOf(Error);
  expect('cause' in new UsageError('x', { code: 'usage/bad-argument' })).toBe(false);
});

test('isInstance knows its own class and the root knows all', () => {
  for (const Class of Object.values(CLASSES)) {
    const error = new Class('x', { code: 'engine/bug' });
    expect(UmweltError.isInstance(error)).toBe(true);
    const knowing = Object.entries(CLASSES).filter(([, other]) => other.isInstance(error));
    expect(knowing).toEqual([[Class.name, Class]]);
  }
  expect(WorldError.isInstance(new UmweltError('x', { code: 'engine/bug' }))).toBe(false);
});

test('isInstance accepts an error of another copy of the package, and nothing that only looks like one', () => {
  const other = Object.assign(new Error('x'), { code: 'world/invalid' });
  expect(UmweltError.isInstance(other)).toBe(false);
  Object.defineProperty(other, Symbol.for('umwelt.error'), { value: 'WorldError' });
  expect([UmweltError.isInstance(other), WorldError.isInstance(other), DataError.isInstance(other)]).toEqual([
    true,
    true,
    false,
  ]);
  for (const value of [null, undefined, 'umwelt.error', 7, {}, new Error('x')]) {
    expect(UmweltError.isInstance(value)).toBe(false);
  }
});

test('codes are unique and name their boundary', () => {
  expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
  for (const code of ERROR_CODES) expect(code).toMatch(/^[a-z]+\/[a-z-]+$/);
});
