/**
 * Faults of access: the token is no longer good, the permission is missing, the scope is the wrong one.
 *
 * They do not go away by trying again. Where a world has a way to sign in, `when: {until: {called: "sign_in"}}` ends
 * the fault once that tool has answered well. Source: RFC 6750 (invalid_token, insufficient_scope).
 */
import { z } from 'zod';
import { DOMAINS } from '../../core/index.js';
import { defineOperationFault, type FaultEvidence, faultAnswer } from '../fault-kind.js';
import { CREATE, GET } from './example-calls.js';

const PLACE = {
  family: 'access',
  phases: ['before'],
  operations: ['tool.call', 'http.request'],
  domains: DOMAINS,
  permanently: 'honest-report',
} as const;

const refused =
  (text: string) =>
  ({ seen }: FaultEvidence): boolean =>
    seen.isError && seen.text.startsWith(text);

/** The kind `token-expired`. */
export const tokenExpiredFault = defineOperationFault({
  ...PLACE,
  name: 'token-expired',
  description:
    'The access token is no longer good: 401. Trying again does not help; signing in does, where a tool does it.',
  remedy: 'Sign in again where there is a tool for it; otherwise stop and say so.',
  parameters: z.strictObject({
    message: z.string().min(1).default('the access token expired').describe('The words after the status.'),
  }),
  example: {
    fault: { on: 'ticket_*', when: { until: { called: 'sign_in' } } },
    calls: [...GET],
  },
  says: ['expired', 'unauthorized', 'unauthorised', 'invalid_token'],
  strike: ({ message }) => ({
    do: 'answer',
    answer: faultAnswer('token-expired', `Error 401: invalid_token: ${message}`),
  }),
  tookEffect: refused('Error 401: '),
});

/** The kind `permission-denied`. */
export const permissionDeniedFault = defineOperationFault({
  ...PLACE,
  name: 'permission-denied',
  description: 'The caller may not do this: 403. No retry helps.',
  remedy: 'Stop, say what was not permitted, and do the rest.',
  parameters: z.strictObject({
    permission: z
      .string()
      .min(1)
      .optional()
      .describe('The permission that is missing. Default: `NAME:write` of the tool.'),
  }),
  example: { fault: { on: 'ticket_create', with: { permission: 'tickets:write' } }, calls: CREATE },
  says: ['forbidden', 'permission', 'not allowed', 'access denied'],
  strike: ({ permission }, { op }) => ({
    do: 'answer',
    answer: faultAnswer(
      'permission-denied',
      `Error 403: forbidden: the caller lacks the permission '${permission ?? `${op.name}:write`}'`,
    ),
  }),
  tookEffect: refused('Error 403: forbidden'),
});

/** The kind `wrong-scope`. */
export const wrongScopeFault = defineOperationFault({
  ...PLACE,
  name: 'wrong-scope',
  description:
    'The token is good and has the wrong scope: 403, with the scope that would be needed. No retry helps.',
  remedy: 'Stop and ask for the scope.',
  parameters: z.strictObject({
    required: z.string().min(1).default('write').describe('The scope that is needed.'),
    granted: z.string().min(1).default('read').describe('The scope that the token has.'),
  }),
  example: { fault: { on: 'ticket_create' }, calls: CREATE },
  says: ['scope'],
  strike: ({ required, granted }) => ({
    do: 'answer',
    answer: faultAnswer(
      'wrong-scope',
      `Error 403: insufficient_scope: needs '${required}', the token has '${granted}'`,
    ),
  }),
  tookEffect: refused('Error 403: insufficient_scope'),
});
