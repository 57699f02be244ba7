/**
 * Failures as values: a result is either a value or an error, never both and never a default.
 *
 * Nothing maps a failure to a number, an empty string or a success; callers must look at `ok` first.
 */

/** Either `{ ok: true, value }` or `{ ok: false, error }`. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** Wraps a value as a successful result. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** Wraps an error as a failed result. */
export function fail<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}
