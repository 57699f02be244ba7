/**
 * The held-out half of the measure of verdicts. `open` may be looked at while rules are changed; `sealed` is for the
 * last figure only. The `second-` parts came later, after the first ones had been used for fixing.
 */
import type { World } from '../../worlds/index.js';
import type { Character } from '../characters/character.js';
import {
  bookingArena,
  ledgerArena,
  loanArena,
  parcelArena,
  permitArena,
  proseArena,
} from './held-out-arenas.js';
import { heldOutBad, sealedBad } from './held-out-bad.js';
import { heldOutGood, sealedGood } from './held-out-good.js';
import { secondOpen, secondSealed } from './second-agents.js';
import { choirArena, freightArena, pointsArena } from './second-arenas.js';

/** One part of the held-out half. */
export interface HeldOut {
  readonly arenas: readonly World[];
  /** Names of catalogue worlds. */
  readonly catalogue: readonly string[];
  readonly characters: readonly Character[];
}

/** The parts, by the order in which they came to be. */
export type HeldOutPart = 'open' | 'sealed' | 'second-open' | 'second-sealed';

/** One part. */
export function heldOut(part: HeldOutPart): HeldOut {
  if (part === 'second-open' || part === 'second-sealed') {
    return {
      arenas: [pointsArena(), choirArena(), freightArena()],
      catalogue: ['issue-tracker', 'shop-refunds', 'calendar-conflicts', 'office-merge-contacts'],
      characters: part === 'second-open' ? secondOpen() : secondSealed(),
    };
  }
  if (part === 'open') {
    return {
      arenas: [bookingArena(), proseArena(), permitArena()],
      catalogue: ['office-mail-triage', 'office-month-end', 'office-onboarding'],
      characters: [...heldOutGood(), ...heldOutBad()],
    };
  }
  return {
    arenas: [ledgerArena(), parcelArena(), loanArena()],
    catalogue: ['office-refund-once', 'office-backorders', 'office-move-meeting', 'office-invoice-register'],
    characters: [...sealedGood(), ...sealedBad()],
  };
}
