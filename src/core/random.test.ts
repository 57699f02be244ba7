import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RandomStream, randomStream, restoreStream } from './index.js';

const draw = (stream: RandomStream, n: number): readonly number[] =>
  Array.from({ length: n }, () => stream.next());
const whole = (stream: RandomStream, n: number): readonly number[] =>
  Array.from({ length: n }, () => stream.integer(0, 999_999));

test('a stream gives these numbers, on every machine and every day', () => {
  expect(whole(randomStream(7, 'data'), 4)).toEqual([782310, 820472, 745103, 155106]);
  expect(whole(randomStream(7, 'data', 'issues', 'title'), 4)).toEqual([288486, 278335, 926083, 402879]);
  expect(whole(randomStream('a word', 'faults'), 4)).toEqual([672767, 368838, 531941, 665311]);
});

test('concerns, keys and seeds have streams of their own', () => {
  const streams = [
    randomStream(7, 'data'),
    randomStream(7, 'faults'),
    randomStream(8, 'data'),
    randomStream(7, 'data', 'a'),
    randomStream(7, 'data', 'a', 'b'),
    randomStream(7, 'data', 'ab'),
    randomStream(7, 'data', 'a,b'),
  ];
  const firsts = streams.map((stream) => draw(stream, 4).join());
  expect(new Set(firsts).size).toBe(streams.length);
});

test('drawing from one concern does not move another', () => {
  const alone = draw(randomStream(7, 'data'), 5);
  const data = randomStream(7, 'data');
  const faults = randomStream(7, 'faults');
  const mixed = alone.map(() => {
    faults.chance(0.5);
    return data.next();
  });
  expect(mixed).toEqual(alone);
});

test('a seed given as a number or as its digits is the same seed', () => {
  expect(draw(randomStream('7', 'data'), 3)).toEqual(draw(randomStream(7, 'data'), 3));
});

test('a stream goes on from its stored state', () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(20), (seed, before) => {
      const stream = randomStream(seed, 'data');
      draw(stream, before);
      const later = restoreStream(
        JSON.parse(JSON.stringify(stream.state())) as ReturnType<typeof stream.state>,
      );
      expect(draw(later, 5)).toEqual(draw(stream, 5));
    }),
  );
});

test('numbers stay in their ranges and reach both ends', () => {
  const stream = randomStream(1, 'range');
  const dice = Array.from({ length: 600 }, () => stream.integer(1, 6));
  expect([...new Set(dice)].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  for (const number of draw(stream, 600)) expect(number >= 0 && number < 1).toBe(true);
  expect(stream.integer(4, 4)).toBe(4);
});

test('chances are as often as they say, and never or always at the ends', () => {
  const stream = randomStream(1, 'chance');
  const hits = (fraction: number): number =>
    Array.from({ length: 1000 }, () => stream.chance(fraction)).filter(Boolean).length;
  expect([hits(0), hits(1)]).toEqual([0, 1000]);
  expect(Math.abs(hits(0.3) - 300)).toBeLessThan(60);
});

test('picking takes an element, and from nothing is an error', () => {
  const stream = randomStream(1, 'pick');
  expect(['a', 'b']).toContain(stream.pick(['a', 'b']));
  expect(() => stream.pick([])).toThrow('cannot pick from an empty list');
});
