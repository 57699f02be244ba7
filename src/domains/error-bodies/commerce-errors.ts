/**
 * Error bodies of payments, shops and customer relations, as data. Source: the public error references of the APIs named. Not covered: other codes
 * than the most usual one of each cause.
 */
import type { ErrorFamilyForms } from './error-body.js';

/** API → cause → form. */
export const COMMERCE_ERRORS: Readonly<Record<string, ErrorFamilyForms>> = {
  stripe: {
    'not-found': {
      status: 404,
      body: {
        error: {
          code: 'resource_missing',
          message: "No such {resource}: '{id}'",
          param: '{field}',
          type: 'invalid_request_error',
        },
      },
    },
    validation: {
      status: 400,
      body: { error: { message: '{message}', param: '{field}', type: 'invalid_request_error' } },
    },
    conflict: { status: 400, body: { error: { message: '{message}', type: 'idempotency_error' } } },
    permission: {
      status: 403,
      body: {
        error: {
          message: 'The provided key does not have the required permissions for this endpoint.',
          type: 'invalid_request_error',
        },
      },
    },
    unauthenticated: {
      status: 401,
      body: { error: { message: 'Invalid API Key provided.', type: 'invalid_request_error' } },
    },
    'rate-limit': {
      status: 429,
      body: {
        error: { code: 'rate_limit', message: 'Request rate limit exceeded.', type: 'invalid_request_error' },
      },
    },
    'server-error': {
      status: 500,
      body: { error: { message: 'An unknown error occurred.', type: 'api_error' } },
    },
    unavailable: {
      status: 503,
      body: { error: { message: 'Stripe is temporarily unavailable.', type: 'api_error' } },
    },
  },
  shopify: {
    'not-found': { status: 404, body: { errors: 'Not Found' } },
    validation: { status: 422, body: { errors: { '{field}': ['{message}'] } } },
    conflict: { status: 409, body: { errors: '{message}' } },
    permission: {
      status: 403,
      body: { errors: '[API] This action requires merchant approval for the necessary scope.' },
    },
    unauthenticated: {
      status: 401,
      body: { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' },
    },
    'rate-limit': {
      status: 429,
      body: {
        errors:
          'Exceeded 2 calls per second for api client. Reduce request rates to resume uninterrupted service.',
      },
    },
    'server-error': { status: 500, body: { errors: 'Internal Server Error' } },
    unavailable: { status: 503, body: { errors: 'Service Unavailable' } },
  },
  salesforce: {
    'not-found': {
      status: 404,
      body: [{ message: 'The requested resource does not exist', errorCode: 'NOT_FOUND' }],
    },
    validation: {
      status: 400,
      body: [{ message: '{message}', errorCode: 'FIELD_INTEGRITY_EXCEPTION', fields: ['{field}'] }],
    },
    conflict: { status: 400, body: [{ message: '{message}', errorCode: 'DUPLICATE_VALUE' }] },
    permission: {
      status: 403,
      body: [{ message: 'insufficient access rights on object id', errorCode: 'INSUFFICIENT_ACCESS' }],
    },
    unauthenticated: {
      status: 401,
      body: [{ message: 'Session expired or invalid', errorCode: 'INVALID_SESSION_ID' }],
    },
    'rate-limit': {
      status: 403,
      body: [{ message: 'TotalRequests Limit exceeded.', errorCode: 'REQUEST_LIMIT_EXCEEDED' }],
    },
    'server-error': {
      status: 500,
      body: [{ message: 'An unexpected error occurred.', errorCode: 'UNKNOWN_EXCEPTION' }],
    },
    unavailable: { status: 503, body: [{ message: 'Server unavailable', errorCode: 'SERVER_UNAVAILABLE' }] },
  },
  hubspot: {
    'not-found': {
      status: 404,
      body: { status: 'error', message: '{message}', correlationId: '{uuid}', category: 'OBJECT_NOT_FOUND' },
    },
    validation: {
      status: 400,
      body: { status: 'error', message: '{message}', correlationId: '{uuid}', category: 'VALIDATION_ERROR' },
    },
    conflict: {
      status: 409,
      body: { status: 'error', message: '{message}', correlationId: '{uuid}', category: 'CONFLICT' },
    },
    permission: {
      status: 403,
      body: {
        status: 'error',
        message: "This app hasn't been granted all required scopes to make this call.",
        correlationId: '{uuid}',
        category: 'MISSING_SCOPES',
      },
    },
    unauthenticated: {
      status: 401,
      body: {
        status: 'error',
        message: 'Authentication credentials not found.',
        correlationId: '{uuid}',
        category: 'INVALID_AUTHENTICATION',
      },
    },
    'rate-limit': {
      status: 429,
      body: {
        status: 'error',
        message: 'You have reached your secondly limit.',
        errorType: 'RATE_LIMIT',
        correlationId: '{uuid}',
        policyName: 'SECONDLY',
      },
    },
    'server-error': {
      status: 500,
      body: { status: 'error', message: 'internal error', correlationId: '{uuid}', category: 'SERVER_ERROR' },
    },
    unavailable: {
      status: 503,
      body: {
        status: 'error',
        message: 'service unavailable',
        correlationId: '{uuid}',
        category: 'SERVICE_UNAVAILABLE',
      },
    },
  },
  twilio: {
    'not-found': {
      status: 404,
      body: {
        code: 20404,
        message: 'The requested resource was not found',
        more_info: 'https://www.twilio.com/docs/errors/20404',
        status: 404,
      },
    },
    validation: {
      status: 400,
      body: {
        code: 21211,
        message: '{message}',
        more_info: 'https://www.twilio.com/docs/errors/21211',
        status: 400,
      },
    },
    conflict: {
      status: 409,
      body: {
        code: 20409,
        message: '{message}',
        more_info: 'https://www.twilio.com/docs/errors/20409',
        status: 409,
      },
    },
    permission: {
      status: 403,
      body: {
        code: 20403,
        message: 'Forbidden',
        more_info: 'https://www.twilio.com/docs/errors/20403',
        status: 403,
      },
    },
    unauthenticated: {
      status: 401,
      body: {
        code: 20003,
        message: 'Authenticate',
        more_info: 'https://www.twilio.com/docs/errors/20003',
        status: 401,
      },
    },
    'rate-limit': {
      status: 429,
      body: {
        code: 20429,
        message: 'Too Many Requests',
        more_info: 'https://www.twilio.com/docs/errors/20429',
        status: 429,
      },
    },
    'server-error': {
      status: 500,
      body: {
        code: 20500,
        message: 'Internal Server Error',
        more_info: 'https://www.twilio.com/docs/errors/20500',
        status: 500,
      },
    },
    unavailable: {
      status: 503,
      body: {
        code: 20503,
        message: 'Service Unavailable',
        more_info: 'https://www.twilio.com/docs/errors/20503',
        status: 503,
      },
    },
  },
};
