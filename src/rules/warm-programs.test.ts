import { expect, test } from 'vitest';
import { compilePattern } from './index.js';
import { WarmProgram } from './warm-programs.js';

test('programs that read much are dropped, oldest first, and compile again when used', () => {
  let compiled = 0;
  const make = (): WarmProgram<string> => new WarmProgram(() => `again ${++compiled}`, 1_000, 'first');
  const programs = Array.from({ length: 40 }, make);
  for (const program of programs) expect(program.use(1_000_000, (text) => text)).toBe('first');
  expect(programs.filter((program) => program.isCompiled)).toEqual(programs.slice(-8));
  expect(programs[0]?.use(1, (text) => text)).toBe('again 1');
});

test('a program that read little is never dropped', () => {
  const little = new WarmProgram(() => 'again', 5_000, 'first');
  for (let i = 0; i < 100; i++) little.use(2, (text) => text);
  for (let i = 0; i < 40; i++) new WarmProgram(() => '', 1_000, '').use(1_000_000, (text) => text);
  expect(little.use(1, (text) => text)).toBe('first');
});

test('a pattern gives the same answers after it was dropped', () => {
  const compiled = compilePattern('a[ab]{14}$');
  if (!compiled.ok) throw compiled.error;
  const text = `${'ab'.repeat(2_000)}a`;
  const before = [
    compiled.value.test(text),
    compiled.value.test(`${text}b`),
    compiled.value.matchesAll(text),
  ];
  for (let i = 0; i < 40; i++) new WarmProgram(() => '', 1_000, '').use(1_000_000, (one) => one);
  expect([
    compiled.value.test(text),
    compiled.value.test(`${text}b`),
    compiled.value.matchesAll(text),
  ]).toEqual(before);
});
