import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ORIGINS, SpanSchema, TracedTextBuilder, traced } from './index.js';

test('neighbours of the same origin and reference are one span', () => {
  const built = new TracedTextBuilder()
    .add('{"id":', 'computed')
    .add('7', 'computed')
    .add('', 'fault')
    .add(',"name":', 'computed')
    .add('Ole', 'generated')
    .add(' and ', 'pinned', 'f1')
    .add('Mira', 'pinned', 'f2')
    .done();
  expect(built).toEqual({
    text: '{"id":7,"name":Ole and Mira',
    origins: [
      { start: 0, end: 15, origin: 'computed' },
      { start: 15, end: 18, origin: 'generated' },
      { start: 18, end: 23, origin: 'pinned', ref: 'f1' },
      { start: 23, end: 27, origin: 'pinned', ref: 'f2' },
    ],
  });
});

test('offsets count UTF-16 units', () => {
  expect(traced('a🙂', 'recorded', 'r').origins).toEqual([
    { start: 0, end: 3, origin: 'recorded', ref: 'r' },
  ]);
});

test('an empty text has no spans', () => {
  expect(traced('', 'computed')).toEqual({ text: '', origins: [] });
});

test('a finished text does not change when its builder goes on', () => {
  const builder = new TracedTextBuilder().add('a', 'computed');
  const first = builder.done();
  builder.add('b', 'computed');
  expect(first).toEqual(traced('a', 'computed'));
  expect(builder.done()).toEqual(traced('ab', 'computed'));
});

test("spans cover any built text in order, and appending keeps every unit's origin", () => {
  const piece = fc.tuple(
    fc.string({ maxLength: 4 }),
    fc.constantFrom(...ORIGINS),
    fc.constantFrom('x', undefined),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.array(piece), (left, right) => {
      const build = (pieces: typeof left): TracedTextBuilder =>
        pieces.reduce(
          (builder, [text, origin, ref]) => builder.add(text, origin, ref),
          new TracedTextBuilder(),
        );
      const whole = build([...left, ...right]).done();
      expect(build(left).append(build(right).done()).done()).toEqual(whole);
      let at = 0;
      for (const span of whole.origins) {
        expect(SpanSchema.parse(span)).toEqual(span);
        expect([span.start, span.end > span.start]).toEqual([at, true]);
        at = span.end;
      }
      expect(at).toBe(whole.text.length);
    }),
  );
});
