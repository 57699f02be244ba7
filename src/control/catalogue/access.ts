/**
 * Faults of access: the token is no longer good, the permission is missing, the scope is the wrong one.
 *
 * They do not go away by trying again. Where a world has a way to sign in, `when: {until: {called: "sign_in"}}` ends
 * the fault once that tool has answered well. Source: RFC 6750 (invalid_token, insufficient_scope).
 */
import { z } from 'zod';
import { DOMAINS } from '../../core/index.js';
import { defineOperationFault, type FaultEvidence } from '../fault-kind.js';
import { serviceFailure } from '../service-words.js';
import { CREATE, GET } from './example-calls.js';

const PLACE = {
  family: 'access',
  phases: ['before'],
  operations: ['tool.call', 'http.request'],
  domains: DOMAINS,
  permanently: 'honest-report',
} as const;

const refused = ({ seen, clean, note }: FaultEvidence): boolean =>
  seen.isError && note.status !== undefined && seen.text !== clean.text;

const EXPIRED = 'the access token expired';

/** The kind `token-expired`. */
export const tokenExpiredFault = defineOperationFault({
  ...PLACE,
  name: 'token-expired',
  description:
    'The access token is no longer good: 401. Trying again does not help; signing in does, where a tool does it.',
  remedy: 'Sign in again where there is a tool for it; otherwise stop and say so.',
  parameters: z.strictObject({
    message: z.string().min(1).default(EXPIRED).describe('The words after the status.'),
  }),
  example: {
    fault: { on: 'ticket_*', when: { until: { called: 'sign_in' } } },
    calls: [...GET],
  },
  says: ['expired', 'unauthorized', 'unauthorised', 'invalid_token'],
  strike: ({ message }, strike) =>
    serviceFailure(
      {
        kind: 'token-expired',
        cause: 'unauthenticated',
        message,
        wordForWord: message !== EXPIRED,
        plain: `Error 401: invalid_token: ${message}`,
        status: 401,
      },
      strike,
    ),
  tookEffect: refused,
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
  strike: ({ permission }, strike) => {
    const field = permission ?? `${strike.op.name}:write`;
    const message = `the caller lacks the permission '${field}'`;
    const plain = `Error 403: forbidden: ${message}`;
    return serviceFailure(
      { kind: 'permission-denied', cause: 'permission', message, field, plain, status: 403 },
      strike,
    );
  },
  tookEffect: refused,
});

/** The kind `wrong-scope`. */
export const wrongScopeFault = defineOperationFault({
  ...PLACE,
  name: 'wrong-scope',
  description:
    'The token is good and has the wrong scope: 403, with the scope that would be needed where the service has a place for it. No retry helps.',
  remedy: 'Stop and ask for the scope.',
  parameters: z.strictObject({
    required: z.string().min(1).default('write').describe('The scope that is needed.'),
    granted: z.string().min(1).default('read').describe('The scope that the token has.'),
  }),
  example: { fault: { on: 'ticket_create' }, calls: CREATE },
  says: ['scope'],
  strike: ({ required, granted }, strike) => {
    const message = `insufficient_scope: needs '${required}', the token has '${granted}'`;
    const plain = `Error 403: ${message}`;
    return serviceFailure(
      { kind: 'wrong-scope', cause: 'permission', message, field: required, plain, status: 403 },
      strike,
    );
  },
  tookEffect: refused,
});
