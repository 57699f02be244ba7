/**
 * Faults of consistency: reads of an older state, writes that are not kept, calls that arrive twice.
 */
import { z } from 'zod';
import { canonicalJson, type JsonObject } from '../../core/index.js';
import { alterValue, answerValue } from '../alter-json.js';
import { defineOperationFault, type FaultEvidence } from '../fault-kind.js';
import { CHANGE, CREATE, UPDATE } from './example-calls.js';

const PLACE = {
  family: 'consistency',
  phases: ['after'],
  operations: ['tool.call'],
  domains: ['mcp'],
} as const;

/** The most turns that a read may be behind. */
const MAX_TURNS = 20;

/** The kind `stale-read`. */
export const staleReadFault = defineOperationFault({
  ...PLACE,
  name: 'stale-read',
  description:
    'A read is answered from the state of some turns ago, as a replica or a cache does. Only calls that write nothing, and only where the old answer is another one.',
  remedy: 'Do not write again because the change is not seen; read again after a while.',
  parameters: z.strictObject({
    turns: z.int().min(1).max(MAX_TURNS).default(1).describe('How many turns the answer is behind.'),
  }),
  permanently: 'recovers',
  example: { fault: { on: 'ticket_get' }, calls: CHANGE },
  works: 'alters',
  pastTurns: ({ turns }) => turns,
  strike: ({ turns }, { answer, past, wrote }) => {
    if (wrote) return { do: 'skip', why: 'the call wrote' };
    const old = past?.(turns);
    if (answer === undefined || old === undefined)
      return { do: 'skip', why: 'nobody knows the older answer' };
    if (old.text.text === answer.text.text) return { do: 'skip', why: 'the older answer is the same' };
    const value = old.isError || answer.isError ? undefined : answerValue(old);
    const altered = value === undefined ? undefined : alterValue(answer, 'stale-read', () => value);
    const whole = {
      ...old,
      text: {
        text: old.text.text,
        origins: [{ start: 0, end: old.text.text.length, origin: 'fault' as const, ref: 'stale-read' }],
      },
    };
    return {
      do: 'alter',
      answer: altered ?? whole,
      note: { detail: `the state of ${turns} ${turns === 1 ? 'turn' : 'turns'} ago` },
    };
  },
  tookEffect: ({ seen, clean, view, cleanView }) =>
    seen.text !== clean.text && canonicalJson(view) === canonicalJson(cleanView),
});

function stateDiffers({ seen, clean, view, cleanView }: FaultEvidence): boolean {
  return seen.text === clean.text && canonicalJson(view) !== canonicalJson(cleanView);
}

/** The kind `lost-update`. */
export const lostUpdateFault = defineOperationFault({
  ...PLACE,
  name: 'lost-update',
  description:
    'The write is confirmed and not kept: it is forgotten, or with `set` another actor writes over it at the same moment.',
  remedy: 'Read back what matters; write again where it is not there.',
  parameters: z.strictObject({
    set: z
      .record(z.string(), z.json())
      .optional()
      .describe(
        'Fields that another actor writes over the rows that the call changed. Default: the write is forgotten.',
      ),
  }),
  permanently: 'honest-report',
  example: { fault: { on: 'ticket_update', max: 1 }, calls: UPDATE },
  works: 'defers',
  strike: ({ set }, { answer, wrote }) => {
    if (!wrote || answer?.isError !== false) return { do: 'skip', why: 'the call wrote nothing' };
    const effect =
      set === undefined
        ? ({ kind: 'forget' } as const)
        : ({ kind: 'overwrite', set: set as JsonObject } as const);
    return { do: 'session', effect, note: { wrote: false } };
  },
  tookEffect: stateDiffers,
});

/** The kind `duplicate-delivery`. */
export const duplicateDeliveryFault = defineOperationFault({
  ...PLACE,
  name: 'duplicate-delivery',
  description:
    'The call arrives twice and is carried out twice; the agent sees the first answer. A service that knows the call again (an idempotency key) is not harmed, and then nothing is logged as applied.',
  remedy: 'Send idempotency keys; look for doubles, undo one, or say that there are two.',
  parameters: z.strictObject({}),
  permanently: 'honest-report',
  example: { fault: { on: 'ticket_create', max: 1 }, calls: CREATE },
  works: 'defers',
  strike: (_parameters, { answer, wrote }) =>
    wrote && answer?.isError === false
      ? { do: 'session', effect: { kind: 'repeat' }, note: { wrote: true } }
      : { do: 'skip', why: 'the call wrote nothing' },
  tookEffect: stateDiffers,
});
