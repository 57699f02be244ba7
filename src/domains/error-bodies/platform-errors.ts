/**
 * Error bodies of developer platforms, clouds and standards, as data. Source: the public error references of the APIs named. Not covered: other codes
 * than the most usual one of each cause.
 */
import type { ErrorFamilyForms } from './error-body.js';

/** API → cause → form. */
export const PLATFORM_ERRORS: Readonly<Record<string, ErrorFamilyForms>> = {
  github: {
    'not-found': {
      status: 404,
      body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
    },
    validation: {
      status: 422,
      body: {
        message: 'Validation Failed',
        errors: [{ resource: '{Resource}', field: '{field}', code: 'invalid' }],
        documentation_url: 'https://docs.github.com/rest',
        status: '422',
      },
    },
    conflict: {
      status: 422,
      body: {
        message: 'Validation Failed',
        errors: [{ resource: '{Resource}', field: '{field}', code: 'already_exists' }],
        documentation_url: 'https://docs.github.com/rest',
        status: '422',
      },
    },
    permission: {
      status: 403,
      body: {
        message: 'Resource not accessible by personal access token',
        documentation_url: 'https://docs.github.com/rest',
        status: '403',
      },
    },
    unauthenticated: {
      status: 401,
      body: { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest', status: '401' },
    },
    'rate-limit': {
      status: 403,
      body: {
        message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
        documentation_url: 'https://docs.github.com/rest/overview/rate-limits-for-the-rest-api',
        status: '403',
      },
    },
    'server-error': {
      status: 500,
      body: { message: 'Server Error', documentation_url: 'https://docs.github.com/rest', status: '500' },
    },
    unavailable: {
      status: 503,
      body: {
        message: 'Service Unavailable',
        documentation_url: 'https://docs.github.com/rest',
        status: '503',
      },
    },
  },
  gitlab: {
    'not-found': { status: 404, body: { message: '404 {Resource} Not Found' } },
    validation: { status: 400, body: { message: { '{field}': ['is invalid'] } } },
    conflict: { status: 409, body: { message: '{message}' } },
    permission: { status: 403, body: { message: '403 Forbidden' } },
    unauthenticated: { status: 401, body: { message: '401 Unauthorized' } },
    'rate-limit': { status: 429, body: { message: 'Retry later' } },
    'server-error': { status: 500, body: { message: '500 Internal Server Error' } },
    unavailable: { status: 503, body: { message: '503 Service Unavailable' } },
  },
  google: {
    'not-found': {
      status: 404,
      body: {
        error: {
          code: 404,
          message: '{message}',
          errors: [{ message: '{message}', domain: 'global', reason: 'notFound' }],
          status: 'NOT_FOUND',
        },
      },
    },
    validation: {
      status: 400,
      body: {
        error: {
          code: 400,
          message: '{message}',
          errors: [{ message: '{message}', domain: 'global', reason: 'badRequest' }],
          status: 'INVALID_ARGUMENT',
        },
      },
    },
    conflict: {
      status: 409,
      body: {
        error: {
          code: 409,
          message: '{message}',
          errors: [{ message: '{message}', domain: 'global', reason: 'duplicate' }],
          status: 'ALREADY_EXISTS',
        },
      },
    },
    permission: {
      status: 403,
      body: {
        error: {
          code: 403,
          message: 'The caller does not have permission',
          errors: [{ message: 'The caller does not have permission', domain: 'global', reason: 'forbidden' }],
          status: 'PERMISSION_DENIED',
        },
      },
    },
    unauthenticated: {
      status: 401,
      body: {
        error: {
          code: 401,
          message:
            'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
          errors: [
            {
              message:
                'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
              domain: 'global',
              reason: 'authError',
            },
          ],
          status: 'UNAUTHENTICATED',
        },
      },
    },
    'rate-limit': {
      status: 429,
      body: {
        error: {
          code: 429,
          message: 'Rate Limit Exceeded',
          errors: [{ message: 'Rate Limit Exceeded', domain: 'global', reason: 'rateLimitExceeded' }],
          status: 'RESOURCE_EXHAUSTED',
        },
      },
    },
    'server-error': {
      status: 500,
      body: {
        error: {
          code: 500,
          message: 'Internal error encountered.',
          errors: [{ message: 'Internal error encountered.', domain: 'global', reason: 'backendError' }],
          status: 'INTERNAL',
        },
      },
    },
    unavailable: {
      status: 503,
      body: {
        error: {
          code: 503,
          message: 'The service is currently unavailable.',
          errors: [
            { message: 'The service is currently unavailable.', domain: 'global', reason: 'backendError' },
          ],
          status: 'UNAVAILABLE',
        },
      },
    },
  },
  graph: {
    'not-found': {
      status: 404,
      body: {
        error: {
          code: 'itemNotFound',
          message: '{message}',
          innerError: { 'request-id': '{uuid}', 'client-request-id': '{uuid}' },
        },
      },
    },
    validation: {
      status: 400,
      body: {
        error: {
          code: 'invalidRequest',
          message: '{message}',
          innerError: { 'request-id': '{uuid}', 'client-request-id': '{uuid}' },
        },
      },
    },
    conflict: {
      status: 409,
      body: {
        error: {
          code: 'nameAlreadyExists',
          message: '{message}',
          innerError: { 'request-id': '{uuid}', 'client-request-id': '{uuid}' },
        },
      },
    },
    permission: {
      status: 403,
      body: {
        error: {
          code: 'accessDenied',
          message: 'Access denied',
          innerError: { 'request-id': '{uuid}', 'client-request-id': '{uuid}' },
        },
      },
    },
    unauthenticated: {
      status: 401,
      body: {
        error: {
          code: 'InvalidAuthenticationToken',
          message: 'Access token is empty.',
          innerError: { 'request-id': '{uuid}', 'client-request-id': '{uuid}' },
        },
      },
    },
    'rate-limit': {
      status: 429,
      body: {
        error: {
          code: 'TooManyRequests',
          message: 'Too many requests',
          innerError: { 'request-id': '{uuid}', 'client-request-id': '{uuid}' },
        },
      },
    },
    'server-error': {
      status: 500,
      body: {
        error: {
          code: 'generalException',
          message: 'General exception while processing',
          innerError: { 'request-id': '{uuid}', 'client-request-id': '{uuid}' },
        },
      },
    },
    unavailable: {
      status: 503,
      body: {
        error: {
          code: 'serviceNotAvailable',
          message: 'Service not available',
          innerError: { 'request-id': '{uuid}', 'client-request-id': '{uuid}' },
        },
      },
    },
  },
  aws: {
    'not-found': { status: 400, body: { __type: 'ResourceNotFoundException', message: '{message}' } },
    validation: { status: 400, body: { __type: 'ValidationException', message: '{message}' } },
    conflict: {
      status: 400,
      body: { __type: 'ConditionalCheckFailedException', message: 'The conditional request failed' },
    },
    permission: {
      status: 400,
      body: { __type: 'AccessDeniedException', message: 'User is not authorized to perform this action' },
    },
    unauthenticated: {
      status: 400,
      body: {
        __type: 'UnrecognizedClientException',
        message: 'The security token included in the request is invalid.',
      },
    },
    'rate-limit': { status: 400, body: { __type: 'ThrottlingException', message: 'Rate exceeded' } },
    'server-error': {
      status: 500,
      body: { __type: 'InternalServerError', message: 'Internal server error' },
    },
    unavailable: {
      status: 503,
      body: { __type: 'ServiceUnavailable', message: 'Service is unavailable. Please retry.' },
    },
  },
  problem: {
    'not-found': {
      status: 404,
      body: { type: 'about:blank', title: 'Not Found', status: 404, detail: '{message}' },
    },
    validation: {
      status: 422,
      body: { type: 'about:blank', title: 'Unprocessable Content', status: 422, detail: '{message}' },
    },
    conflict: {
      status: 409,
      body: { type: 'about:blank', title: 'Conflict', status: 409, detail: '{message}' },
    },
    permission: {
      status: 403,
      body: { type: 'about:blank', title: 'Forbidden', status: 403, detail: '{message}' },
    },
    unauthenticated: {
      status: 401,
      body: { type: 'about:blank', title: 'Unauthorized', status: 401, detail: '{message}' },
    },
    'rate-limit': {
      status: 429,
      body: { type: 'about:blank', title: 'Too Many Requests', status: 429, detail: '{message}' },
    },
    'server-error': {
      status: 500,
      body: { type: 'about:blank', title: 'Internal Server Error', status: 500, detail: '{message}' },
    },
    unavailable: {
      status: 503,
      body: { type: 'about:blank', title: 'Service Unavailable', status: 503, detail: '{message}' },
    },
  },
};
