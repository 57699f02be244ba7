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
  expect(substituteFacts('{{fact:b}}', [a]).ok).toBe(false);
  expect(substituteFacts('{{fact:a}}', []).ok).toBe(false);
  expect(substituteFacts('{{ fact }} $& text', [a])).toEqual({
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
      const result = substituteFacts(`${before}{{fact:x}}${after}`, [one]);
      if (!result.ok) throw new Error(result.error);
      const { text: made, origins } = result.value.text;
      const span = origins.find(({ ref }) => ref === 'x');
      const shown = made.slice(span?.start, span?.end);
      expect([text, JSON.stringify(text).slice(1, -1)]).toContain(shown);
      expect(made).toBe(before + shown + after);
    }),
  );
});

test('a placeholder that is cut or written otherwise is refused, so that no agent sees one', () => {
  const one = fact('x', 'X');
  const broken = ['see {{fact:x', '{{ fact:x }}', '{{FACT: x}}', 'fine {{fact:x}} and {{fact :x}}'];
  expect(broken.map((text) => substituteFacts(text, [one]).ok)).toEqual(broken.map(() => false));
});
