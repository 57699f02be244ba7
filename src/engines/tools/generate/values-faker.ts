/**
 * The faker library with English words only, drawing from a stream that the caller sets.
 *
 * One instance serves all streams; it is never seeded and never reads the host's clock. The import path of the
 * English locale alone loads in about a fifth of the time of the whole library.
 */
import type { Faker, Randomizer } from '@faker-js/faker';
import { faker as english } from '@faker-js/faker/locale/en';
import type { RandomStream } from '../../../core/index.js';

let current: RandomStream | undefined;

/** Draws from the stream that is set; streams are seeded by their names, not here. */
const randomizer: Randomizer = {
  next: () => {
    if (current === undefined) throw new RangeError('faker was used outside withStream');
    return current.next();
  },
  seed: () => {},
};

/** Faker in English; to be used inside {@link withStream} only. */
export const faker = createFaker();

function createFaker(): Faker {
  const Made = english.constructor as new (options: { locale: unknown; randomizer: Randomizer }) => Faker;
  return new Made({ locale: english.rawDefinitions, randomizer });
}

/** Runs with a stream set; restores what was set before, so that calls nest. */
export function withStream<T>(random: RandomStream, make: () => T): T {
  const before = current;
  current = random;
  try {
    return make();
  } finally {
    current = before;
  }
}
