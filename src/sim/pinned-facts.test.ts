import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendFacts, compileFacts, type PinnedFact, substituteFacts } from './pinned-facts.js';

function fact(id: string, text: string, secret = false): PinnedFact {
  const compiled = compileFacts([{ id, text, secret, reveal: { on: '*' } }]);
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.value[0] as PinnedFact;
}

test('a fact matches tool calls by glob and by a pattern over the canonical arguments', () => {
  const compiled = compileFacts([
    { id: 'f', text: 'x', secret: false, reveal: { on: 'page_*', match: '"url":"[^"]*mill' } },
  ]);
  const matches = compiled.ok ? compiled.value[0]?.matches : undefined;
  const op = { kind: 'tool.call', name: 'page_open', args: { q: 1, url: 'http://x/mill' } } as const;
  expect(matches?.(op)).toBe(true);
  expect(matches?.({ ...op, args: { url: 'http://x', note: 'mill' } })).toBe(false);
  expect(matches?.({ ...op, name: 'open_page' })).toBe(false);
  expect(matches?.({ ...op, kind: 'data.read' })).toBe(false);
});

test('a condition that does not compile names its fact', () => {
  const compiled = compileFacts([{ id: 'f', text: 'x', secret: false, reveal: { on: '*', match: '(' } }]);
  expect(compiled.ok ? '' : compiled.error).toMatch(/^fact 'f': reveal.match does not compile/);
});

test('appended facts stand on lines of their own', () => {
  const empty = { text: { text: '', origins: [] }, isError: false };
  expect(appendFacts(empty, [fact('a', 'A'), fact('b', 'B')]).text).toEqual({
    text: 'A\nB',
    origins: [
      { start: 0, end: 1, origin: 'pinned', ref: 'a' },
      { start: 1, end: 2, origin: 'computed' },
      { start: 2, end: 3, origin: 'pinned', ref: 'b' },
    ],
  });
  expect(appendFacts(empty, [])).toBe(empty);
});

test('an unknown or unrevealed placeholder is refused, and a text without one is predicted as it is', () => {
  const a = fact('a', 'A');
  expect(substituteFacts('{{fact:b}}', { allowed: [a], all: [a] }).ok).toBe(false);
  expect(substituteFacts('{{fact:a}}', { allowed: [], all: [a] }).ok).toBe(false);
  expect(substituteFacts('{{ fact }} $& text', { allowed: [a], all: [a] })).toEqual({
    ok: true,
    value: {
      text: { text: '{{ fact }} $& text', origins: [{ start: 0, end: 18, origin: 'predicted' }] },
      used: [],
    },
  });
});

test('any fact stands in the text word for word wherever its placeholder stood', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, text, after) => {
      fc.pre(!/\{\{fact:/.test(before + after));
      const one = fact('x', text);
      const result = substituteFacts(`${before}{{fact:x}}${after}`, { allowed: [one], all: [one] });
      if (!result.ok) throw new Error(result.error);
      const { text: made, origins } = result.value.text;
      const span = origins.find(({ ref }) => ref === 'x');
      const shown = made.slice(span?.start, span?.end);
      expect([text, JSON.stringify(text).slice(1, -1)]).toContain(shown);
      expect(made).toBe(before + shown + after);
    }),
  );
});

test('a secret leaks in any case and spacing, and escaped in JSON', () => {
  const secret = fact('s', 'Pass "Word"\n7', true);
  const leaks = (text: string) => !substituteFacts(text, { allowed: [secret], all: [secret] }).ok;
  expect(leaks('the pass   "word" 7 it is')).toBe(true);
  expect(leaks(JSON.stringify({ said: 'Pass "Word"\n7' }))).toBe(true);
  expect(leaks('{{fact:s}}')).toBe(false);
  expect(leaks('pass word 7')).toBe(false);
});

test('a secret leaks also with invisible characters, look-alike letters and JSON escapes in it', () => {
  const secret = fact('s', 'The code is 7741.', true);
  const facts = { allowed: [secret], all: [secret] };
  const leaks = [
    'the  CODE is\n7741.',
    'The co\u200bde is 77\u00ad41.',
    'Ｔhe code is ７７４１.',
    '{"a":"The code is \\u0037741."}',
    'quoted: "The\\ncode is 7741."',
  ];
  expect(leaks.map((text) => substituteFacts(text, facts).ok)).toEqual(leaks.map(() => false));
  expect(substituteFacts('The code is secret.', facts).ok).toBe(true);
});

test('a placeholder that is cut or written otherwise is refused, so that no agent sees one', () => {
  const one = fact('x', 'X');
  const facts = { allowed: [one], all: [one] };
  const broken = ['see {{fact:x', '{{ fact:x }}', '{{FACT: x}}', 'fine {{fact:x}} and {{fact :x}}'];
  expect(broken.map((text) => substituteFacts(text, facts).ok)).toEqual(broken.map(() => false));
});
