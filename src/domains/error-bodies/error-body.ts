/**
 * The body that a well-known API answers an error with, by API and cause.
 *
 * The idea: an API's errors are data (a status and a JSON body with places for what is known), so that a simulated
 * service and an injected fault refuse in the same words as the real one. Sources: the public error references of the
 * APIs; RFC 9457 for `problem`. Not covered: every code of every API; each cause has the one an agent meets most.
 */
import { hashJson, isJsonObject, type Json, type JsonObject, renderJson } from '../../core/index.js';
import { COLLABORATION_ERRORS } from './collaboration-errors.js';
import { COMMERCE_ERRORS } from './commerce-errors.js';
import { PLATFORM_ERRORS } from './platform-errors.js';

/** Why a service refuses. */
export const ERROR_CAUSES = [
  'not-found',
  'validation',
  'conflict',
  'permission',
  'unauthenticated',
  'rate-limit',
  'server-error',
  'unavailable',
] as const;

/** Why a service refuses. */
export type ErrorCause = (typeof ERROR_CAUSES)[number];

/**
 * One error of one API. Texts of `body` hold places: `{message}`, `{resource}` (`issue`), `{Resource}` (`Issue`),
 * `{RESOURCE}`, `{id}`, `{field}`, `{retryAfter}` (seconds), `{status}`, `{requestId}`, `{uuid}`. A text that is one
 * place of a number becomes that number.
 */
export interface ErrorForm {
  /** HTTP status, 200 for APIs that answer errors so. */
  readonly status: number;
  readonly body: Json;
}

/** The errors of one API. */
export type ErrorFamilyForms = Readonly<Record<ErrorCause, ErrorForm>>;

const FAMILIES: Readonly<Record<string, ErrorFamilyForms>> = {
  ...PLATFORM_ERRORS,
  ...COLLABORATION_ERRORS,
  ...COMMERCE_ERRORS,
};

/** The names of the APIs whose errors are known, and `plain` for a sentence without a form. */
export const ERROR_FAMILIES: readonly string[] = ['plain', ...Object.keys(FAMILIES)];

/** What is known of an error. */
export interface ErrorDetails {
  /** One sentence. */
  readonly message: string;
  /** The kind of thing, singular, for example `issue`. */
  readonly resource?: string;
  readonly id?: string;
  /** The argument or field at fault. */
  readonly field?: string;
  readonly retryAfterSeconds?: number;
  /** Default: derived from the rest, so that equal errors are equal. */
  readonly requestId?: string;
}

/** An error as a service sends it. */
export interface ErrorBody {
  /** HTTP status; for `plain` the usual one of the cause. */
  readonly status: number;
  /** The body: JSON on one line, or for `plain` the sentence. */
  readonly text: string;
  /** For the header of the same name; there where the details have it. */
  readonly retryAfterSeconds?: number;
}

const USUAL_STATUS: Readonly<Record<ErrorCause, number>> = {
  'not-found': 404,
  validation: 400,
  conflict: 409,
  permission: 403,
  unauthenticated: 401,
  'rate-limit': 429,
  'server-error': 500,
  unavailable: 503,
};

/** The body of an error. An unknown family counts as `plain`; ask {@link ERROR_FAMILIES} first. Pure. */
export function errorBody(family: string, cause: ErrorCause, details: ErrorDetails): ErrorBody {
  const forms = Object.hasOwn(FAMILIES, family) ? FAMILIES[family] : undefined;
  const after =
    details.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: details.retryAfterSeconds };
  if (forms === undefined) return { status: USUAL_STATUS[cause], text: details.message, ...after };
  const { status, body } = forms[cause];
  return { status, text: renderJson(filled(body, placesOf(details, status))), ...after };
}

function placesOf(details: ErrorDetails, status: number): JsonObject {
  const { message, resource = 'resource', id = '', field = '', retryAfterSeconds = 30 } = details;
  const digest = hashJson([message, resource, id, field]);
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `4${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
  ];
  const capital = resource.slice(0, 1).toUpperCase() + resource.slice(1);
  return {
    message,
    resource,
    Resource: capital,
    RESOURCE: resource.toUpperCase().replaceAll(' ', '_'),
    id,
    field,
    retryAfter: retryAfterSeconds,
    status,
    requestId: details.requestId ?? digest.slice(0, 16),
    uuid: details.requestId ?? [...parts, digest.slice(20, 32)].join('-'),
  };
}

function filled(part: Json, places: JsonObject): Json {
  if (Array.isArray(part)) return part.map((item: Json) => filled(item, places));
  if (isJsonObject(part)) {
    return Object.fromEntries(
      Object.entries(part).map(([name, value]) => [
        withPlaces(name, places) || 'base',
        filled(value, places),
      ]),
    );
  }
  if (typeof part !== 'string') return part;
  const whole = /^\{(\w+)\}$/.exec(part)?.[1];
  if (whole !== undefined && Object.hasOwn(places, whole)) return places[whole] ?? '';
  return withPlaces(part, places);
}

function withPlaces(text: string, places: JsonObject): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(places, name) ? String(places[name]) : place,
  );
}
