/**
 * Error bodies of chat, documents and issue trackers, as data. Source: the public error references of the APIs named. Not covered: other codes
 * than the most usual one of each cause.
 */
import type { ErrorFamilyForms } from './error-body.js';

/** API → cause → form. */
export const COLLABORATION_ERRORS: Readonly<Record<string, ErrorFamilyForms>> = {
  slack: {
    'not-found': { status: 200, body: { ok: false, error: '{resource}_not_found' } },
    validation: {
      status: 200,
      body: { ok: false, error: 'invalid_arguments', response_metadata: { messages: ['[ERROR] {message}'] } },
    },
    conflict: { status: 200, body: { ok: false, error: 'name_taken' } },
    permission: { status: 200, body: { ok: false, error: 'missing_scope', needed: '{field}', provided: '' } },
    unauthenticated: { status: 200, body: { ok: false, error: 'invalid_auth' } },
    'rate-limit': { status: 429, body: { ok: false, error: 'ratelimited' } },
    'server-error': { status: 200, body: { ok: false, error: 'internal_error' } },
    unavailable: { status: 200, body: { ok: false, error: 'service_unavailable' } },
  },
  notion: {
    'not-found': {
      status: 404,
      body: {
        object: 'error',
        status: 404,
        code: 'object_not_found',
        message:
          'Could not find {resource} with ID: {id}. Make sure the relevant pages and databases are shared with your integration.',
        request_id: '{uuid}',
      },
    },
    validation: {
      status: 400,
      body: {
        object: 'error',
        status: 400,
        code: 'validation_error',
        message: '{message}',
        request_id: '{uuid}',
      },
    },
    conflict: {
      status: 409,
      body: {
        object: 'error',
        status: 409,
        code: 'conflict_error',
        message: 'Conflict occurred while saving. Please try again.',
        request_id: '{uuid}',
      },
    },
    permission: {
      status: 403,
      body: {
        object: 'error',
        status: 403,
        code: 'restricted_resource',
        message: 'Insufficient permissions for this endpoint.',
        request_id: '{uuid}',
      },
    },
    unauthenticated: {
      status: 401,
      body: {
        object: 'error',
        status: 401,
        code: 'unauthorized',
        message: 'API token is invalid.',
        request_id: '{uuid}',
      },
    },
    'rate-limit': {
      status: 429,
      body: {
        object: 'error',
        status: 429,
        code: 'rate_limited',
        message: 'You have been rate limited. Please try again in a few minutes.',
        request_id: '{uuid}',
      },
    },
    'server-error': {
      status: 500,
      body: {
        object: 'error',
        status: 500,
        code: 'internal_server_error',
        message: 'Unexpected error occurred.',
        request_id: '{uuid}',
      },
    },
    unavailable: {
      status: 503,
      body: {
        object: 'error',
        status: 503,
        code: 'service_unavailable',
        message: 'Notion is unavailable, please try again later.',
        request_id: '{uuid}',
      },
    },
  },
  atlassian: {
    'not-found': {
      status: 404,
      body: {
        errorMessages: ['{Resource} does not exist or you do not have permission to see it.'],
        errors: {},
      },
    },
    validation: { status: 400, body: { errorMessages: [], errors: { '{field}': '{message}' } } },
    conflict: { status: 409, body: { errorMessages: ['{message}'], errors: {} } },
    permission: {
      status: 403,
      body: { errorMessages: ['You do not have permission to perform this operation.'], errors: {} },
    },
    unauthenticated: {
      status: 401,
      body: { message: 'Client must be authenticated to access this resource.', 'status-code': 401 },
    },
    'rate-limit': { status: 429, body: { errorMessages: ['Rate limit exceeded.'], errors: {} } },
    'server-error': { status: 500, body: { errorMessages: ['Internal server error'], errors: {} } },
    unavailable: {
      status: 503,
      body: { errorMessages: ['The service is temporarily unavailable.'], errors: {} },
    },
  },
  linear: {
    'not-found': {
      status: 200,
      body: {
        errors: [
          {
            message: 'Entity not found: {Resource}',
            path: ['{resource}'],
            extensions: {
              type: 'invalid input',
              code: 'INPUT_ERROR',
              statusCode: 400,
              userError: true,
              userPresentableMessage: 'Entity not found: {Resource}',
            },
          },
        ],
        data: null,
      },
    },
    validation: {
      status: 400,
      body: {
        errors: [
          {
            message: 'Argument Validation Error',
            path: ['{resource}'],
            extensions: {
              type: 'invalid input',
              code: 'INPUT_ERROR',
              statusCode: 400,
              userError: true,
              userPresentableMessage: 'Argument Validation Error',
            },
          },
        ],
        data: null,
      },
    },
    conflict: {
      status: 200,
      body: {
        errors: [
          {
            message: '{message}',
            path: ['{resource}'],
            extensions: {
              type: 'invalid input',
              code: 'INPUT_ERROR',
              statusCode: 400,
              userError: true,
              userPresentableMessage: '{message}',
            },
          },
        ],
        data: null,
      },
    },
    permission: {
      status: 200,
      body: {
        errors: [
          {
            message: 'Forbidden',
            path: ['{resource}'],
            extensions: {
              type: 'forbidden',
              code: 'FORBIDDEN',
              statusCode: 400,
              userError: true,
              userPresentableMessage: 'Forbidden',
            },
          },
        ],
        data: null,
      },
    },
    unauthenticated: {
      status: 401,
      body: {
        errors: [
          {
            message: 'Authentication required, not authenticated',
            path: ['{resource}'],
            extensions: {
              type: 'authentication error',
              code: 'AUTHENTICATION_ERROR',
              statusCode: 401,
              userError: true,
              userPresentableMessage: 'Authentication required, not authenticated',
            },
          },
        ],
        data: null,
      },
    },
    'rate-limit': {
      status: 400,
      body: {
        errors: [
          {
            message: 'Rate limit exceeded',
            path: ['{resource}'],
            extensions: {
              type: 'ratelimited',
              code: 'RATELIMITED',
              statusCode: 400,
              userError: true,
              userPresentableMessage: 'Rate limit exceeded',
            },
          },
        ],
        data: null,
      },
    },
    'server-error': {
      status: 500,
      body: {
        errors: [
          {
            message: 'Internal server error',
            path: ['{resource}'],
            extensions: {
              type: 'internal error',
              code: 'INTERNAL_SERVER_ERROR',
              statusCode: 500,
              userError: true,
              userPresentableMessage: 'Internal server error',
            },
          },
        ],
        data: null,
      },
    },
    unavailable: {
      status: 503,
      body: {
        errors: [
          {
            message: 'Service unavailable',
            path: ['{resource}'],
            extensions: {
              type: 'internal error',
              code: 'INTERNAL_SERVER_ERROR',
              statusCode: 503,
              userError: true,
              userPresentableMessage: 'Service unavailable',
            },
          },
        ],
        data: null,
      },
    },
  },
  graphql: {
    'not-found': {
      status: 200,
      body: { errors: [{ message: '{message}', extensions: { code: 'NOT_FOUND' } }], data: null },
    },
    validation: {
      status: 200,
      body: { errors: [{ message: '{message}', extensions: { code: 'BAD_USER_INPUT' } }], data: null },
    },
    conflict: {
      status: 200,
      body: { errors: [{ message: '{message}', extensions: { code: 'CONFLICT' } }], data: null },
    },
    permission: {
      status: 200,
      body: { errors: [{ message: '{message}', extensions: { code: 'FORBIDDEN' } }], data: null },
    },
    unauthenticated: {
      status: 200,
      body: { errors: [{ message: '{message}', extensions: { code: 'UNAUTHENTICATED' } }], data: null },
    },
    'rate-limit': {
      status: 200,
      body: { errors: [{ message: '{message}', extensions: { code: 'RATE_LIMITED' } }], data: null },
    },
    'server-error': {
      status: 200,
      body: {
        errors: [{ message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
        data: null,
      },
    },
    unavailable: {
      status: 200,
      body: { errors: [{ message: '{message}', extensions: { code: 'SERVICE_UNAVAILABLE' } }], data: null },
    },
  },
  discord: {
    'not-found': { status: 404, body: { message: 'Unknown {Resource}', code: 10003 } },
    validation: {
      status: 400,
      body: {
        message: 'Invalid Form Body',
        code: 50035,
        errors: { '{field}': { _errors: [{ code: 'BASE_TYPE_BAD', message: '{message}' }] } },
      },
    },
    conflict: { status: 409, body: { message: '{message}', code: 0 } },
    permission: { status: 403, body: { message: 'Missing Permissions', code: 50013 } },
    unauthenticated: { status: 401, body: { message: '401: Unauthorized', code: 0 } },
    'rate-limit': {
      status: 429,
      body: { message: 'You are being rate limited.', retry_after: '{retryAfter}', global: false },
    },
    'server-error': { status: 500, body: { message: '500: Internal Server Error', code: 0 } },
    unavailable: { status: 503, body: { message: '503: Service Unavailable', code: 0 } },
  },
  airtable: {
    'not-found': { status: 404, body: { error: 'NOT_FOUND' } },
    validation: { status: 422, body: { error: { type: 'INVALID_REQUEST_UNKNOWN', message: '{message}' } } },
    conflict: { status: 422, body: { error: { type: 'CONFLICT', message: '{message}' } } },
    permission: {
      status: 403,
      body: {
        error: {
          type: 'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND',
          message:
            'Invalid permissions, or the requested model was not found. Check that both your user and your token have the required permissions, and that the model names and/or ids are correct.',
        },
      },
    },
    unauthenticated: {
      status: 401,
      body: { error: { type: 'AUTHENTICATION_REQUIRED', message: 'Authentication required' } },
    },
    'rate-limit': {
      status: 429,
      body: {
        errors: [{ error: 'RATE_LIMIT_REACHED', message: 'Rate limit exceeded. Please try again later' }],
      },
    },
    'server-error': {
      status: 500,
      body: { error: { type: 'SERVER_ERROR', message: 'Internal server error' } },
    },
    unavailable: {
      status: 503,
      body: {
        error: { type: 'SERVICE_UNAVAILABLE', message: 'The server could not process your request in time.' },
      },
    },
  },
};
