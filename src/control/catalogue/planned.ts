/**
 * Kinds whose engines do not exist yet: search and screens. They are named with their parameters, so that
 * files can be written; every world refuses them until its engine is there.
 */
import { z } from 'zod';
import type { Domain, OperationKind } from '../../core/index.js';
import { definePlannedFault, type FaultFamily, type FaultKind, type FaultOutlook } from '../fault-kind.js';

interface Planned<Parameters> {
  readonly name: string;
  readonly family: FaultFamily;
  readonly domains: readonly Domain[];
  readonly operations: readonly [OperationKind, ...OperationKind[]];
  readonly description: string;
  readonly remedy: string;
  readonly permanently: FaultOutlook;
  readonly parameters: z.ZodType<Parameters>;
}

function planned<Parameters>(kind: Planned<Parameters>): FaultKind {
  return definePlannedFault<Parameters>({
    ...kind,
    phases: ['before', 'after'],
    example: { fault: {} },
  });
}

const SEARCH = { family: 'search', domains: ['search'], operations: ['tool.call'] } as const;
const SCREEN = { family: 'screen', domains: ['web', 'android', 'os'], operations: ['tool.call'] } as const;

/** The kinds of search. */
export const SEARCH_FAULTS: readonly FaultKind[] = [
  planned({
    ...SEARCH,
    name: 'search-empty',
    description: 'A search finds nothing.',
    remedy: 'Ask in other words before saying that there is nothing.',
    permanently: 'honest-report',
    parameters: z.strictObject({}),
  }),
  planned({
    ...SEARCH,
    name: 'search-irrelevant',
    description: 'Results come that have to do with something else.',
    remedy: 'Judge results before using them; refine the query.',
    permanently: 'recovers',
    parameters: z.strictObject({
      fraction: z.number().gt(0).max(1).default(0.5).describe('Share of the results, fraction 0–1.'),
    }),
  }),
  planned({
    ...SEARCH,
    name: 'search-outdated',
    description: 'Results state what was true some time ago.',
    remedy: 'Compare dates; look for a newer source.',
    permanently: 'recovers',
    parameters: z.strictObject({
      days: z.int().positive().default(365).describe('How many days old they are at least.'),
    }),
  }),
  planned({
    ...SEARCH,
    name: 'page-unreachable',
    description: 'A page that a result names cannot be opened.',
    remedy: 'Use another source; do not quote the page unread.',
    permanently: 'recovers',
    parameters: z.strictObject({ url: z.string().min(1).default('*').describe('Glob over the URLs.') }),
  }),
];

/** The kinds of screens. */
export const SCREEN_FAULTS: readonly FaultKind[] = [
  planned({
    ...SCREEN,
    name: 'element-moved',
    description: 'An element stands elsewhere than on the last screen.',
    remedy: 'Look at the screen again before acting.',
    permanently: 'recovers',
    parameters: z.strictObject({
      name: z.string().min(1).default('*').describe('Glob over the names of elements.'),
      shiftPixels: z.int().default(80).describe('How far it moves down, pixels.'),
    }),
  }),
  planned({
    ...SCREEN,
    name: 'dialog-appears',
    description: 'A dialog covers the screen and must be answered first.',
    remedy: 'Read it, answer or close it, go on.',
    permanently: 'recovers',
    parameters: z.strictObject({
      title: z.string().min(1).default('Are you still there?').describe('Title of the dialog.'),
      buttons: z.array(z.string().min(1)).min(1).default(['OK', 'Cancel']).describe('Its buttons.'),
    }),
  }),
  planned({
    ...SCREEN,
    name: 'render-slow',
    description: 'The screen shows its old or half-made content for a while.',
    remedy: 'Wait until it is still; then look again.',
    permanently: 'recovers',
    parameters: z.strictObject({
      seconds: z.number().positive().default(3).describe('Simulated seconds until it is complete.'),
    }),
  }),
  planned({
    ...SCREEN,
    name: 'element-stale',
    description: 'An element that was named before does not exist any more; acting on it fails.',
    remedy: 'Take its new name from the new screen.',
    permanently: 'recovers',
    parameters: z.strictObject({
      name: z.string().min(1).default('*').describe('Glob over the names of elements.'),
    }),
  }),
  planned({
    ...SCREEN,
    name: 'keyboard-covers',
    description: 'The keyboard covers the lower half of the screen.',
    remedy: 'Close it or scroll before touching what lies below.',
    permanently: 'recovers',
    parameters: z.strictObject({
      fraction: z.number().gt(0).lt(1).default(0.45).describe('Share of the height, fraction 0–1.'),
    }),
  }),
];
